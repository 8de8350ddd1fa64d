"""Plain output for the shell and the REPL: the grid drawn with characters, colours, and a status line."""
