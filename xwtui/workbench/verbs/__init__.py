"""The verbs: each is declared once, and is then a key, a palette row, a REPL line, a script line and a help text."""
