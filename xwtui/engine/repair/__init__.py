"""The smallest change that makes a grid legal again: fewest squares, then the best scores."""
