"""The fill engine: given a grid and a lexicon, it finds a fill, proves that none exists, or counts the fills.

`problem` builds the tables and arrays for a puzzle. `fill`, `improve`, `repair`, `count`, `candidates`, `explain`
and `what_if` each answer one question about it using `kernels`. `events` describes what a search does. Import from
the modules themselves: they load numba, which is slow, so this package imports none of them.
"""
