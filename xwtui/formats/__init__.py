"""File formats: one module each, converting bytes to Puzzle and back, and a registry by suffix."""
