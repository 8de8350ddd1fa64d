"""What a search tells while it runs, and how that is kept, replayed and written to a file."""
