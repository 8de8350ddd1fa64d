"""The clue book, WordNet glosses, and clue suggestions drawn from both."""
