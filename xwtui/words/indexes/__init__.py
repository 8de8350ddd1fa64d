"""Look-up of words by pattern: three indexes behind one protocol."""
