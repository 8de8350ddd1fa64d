"""All compiled code of the fill engine: small modules of array kernels, without strings or Python objects."""
