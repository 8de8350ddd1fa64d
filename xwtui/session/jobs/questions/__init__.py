"""Questions about a grid that take a while: why it cannot be filled, and what if it were another."""
