"""The file formats: pure bytes to Puzzle and Puzzle to bytes, one module each, and a registry by suffix."""
