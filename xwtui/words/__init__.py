"""Word lists, their layers, and the look-up of words by pattern."""
