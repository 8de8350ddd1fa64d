"""Building a problem: symbols, words, tables and the arrays of the kernels."""
