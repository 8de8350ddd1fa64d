"""All that leans on how numba compiles: decorators, drafts, records of arrays, the cache on disk."""
