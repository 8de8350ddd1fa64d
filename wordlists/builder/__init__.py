"""What makes `default.dict`: one module a source, each giving words with a score.

Imports run one way: `assemble → the sources → vocabulary, spelling`; `fetch` stands alone.
"""
