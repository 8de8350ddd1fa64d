"""All compiled code of the fill engine: small files of array kernels, no strings, no Python objects."""
