"""The parts of the editor, each with one job; they share a context, and the editor routes to them."""
