"""Everything that depends on numba's compilation: decorators, draft compilation, array records, the disk cache."""
