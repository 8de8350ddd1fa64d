"""Word lists, their layers, and lookup of words by pattern."""
