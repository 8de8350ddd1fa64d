"""The clue book, WordNet's glosses, and the clues that they suggest for an answer."""
