"""The verbs: each is declared once, and is then a key, a REPL line, a script line and a help text."""
