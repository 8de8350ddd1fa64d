"""The fill engine: a grid and a lexicon in; a fill, a proof that there is none, or a count out.

Import from its modules (`problem`, `filler`, `portfolio`, `options`, `estimator`): they load numba,
which takes a while, so this package imports none of them by itself.
"""
