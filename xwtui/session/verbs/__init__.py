"""The verbs: each is declared once, and is then a key, a REPL line, a script line and a help text."""

MODULES = {
    "book": "book clue define",
    "clues": "clues enumerate enumeration enumerations",
    "colours": "colours",
    "counts": "candidates count shares",
    "designs": "design",
    "dialogue": "",
    "files": "export warnings",
    "fill": "fill improve refill",
    "finding": "find",
    "grid": "entry",
    "help": "help",
    "questions": "check heat stats whatif why",
    "keys": "keys",
    "layouts": "layouts",
    "lists": "lists",
    "marks": "link unlink",
    "profile_and_alphabet": "profiles",
    "racing": "race",
    "rules": "",
    "snapshots": "snapshot",
    "solving": "",
    "swap": "reject swap",
    "tabs": "",
    "templates": "templates theme",
    "watching": "",
    "word_choice": "trust",
}
"""The modules that declare verbs, each with the first words of its commands.

For a command the shell loads its module alone: loading all of them takes seven times as long. Words that begin
commands of several modules are not here.
"""
