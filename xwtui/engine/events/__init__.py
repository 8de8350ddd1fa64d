"""The events of a running search, and how they are kept, replayed and written to a file."""
