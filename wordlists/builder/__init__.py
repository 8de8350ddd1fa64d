"""What makes `default.dict`: one module a source, and what weighs their words against each other.

Imports run one way: `assemble`, `tagging` → `phrases`, `single_words` → `artefacts` → `evidence` → the readers of
the sources (`scowl`, `wordnet`, `moby`; `census` and `places` stand apart) → `spelling`. `fetch` knows none of
them. `confirmation` → `misprints` asks what else speaks for an entry that has its score.
"""
