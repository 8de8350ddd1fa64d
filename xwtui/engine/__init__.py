"""The fill engine: a grid and a lexicon in; a fill, a proof that there is none, or a count out.

`problem` lays a puzzle out; `fill`, `improve`, `repair`, `count`, `candidates`, `explain` and `what_if` each
answer one question about it, on `kernels`, and `events` tell what a search does. Import from their modules: these
load numba, which takes a while, so this package imports none of them by itself.
"""
