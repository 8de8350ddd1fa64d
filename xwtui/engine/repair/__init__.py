"""The smallest change that makes a grid whole again: fewest squares, then the best scores."""
