"""Looking back at a search: its time line, and the file that a trace is kept in."""
