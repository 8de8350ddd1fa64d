"""The verbs. Each is declared once, and so becomes a key, a REPL line, a script line and a help text."""

MODULES = {
    "book": "book clue define enumerate enumeration enumerations",
    "clues": "clues",
    "counts": "candidates count shares",
    "designs": "design",
    "dialogue": "colours help keys",
    "fill": "fill improve refill",
    "finding": "find",
    "grid": "entry",
    "questions": "heat reject swap whatif why",
    "files": "warnings",
    "export": "export",
    "snapshots": "snapshot",
    "templates": "templates theme",
    "layouts": "layouts",
    "lists": "lists",
    "marks": "link unlink",
    "review": "check profiles stats",
    "rules": "",
    "solving": "",
    "watching": "race",
    "word_choice": "trust",
}
"""The modules that declare verbs, each with the first words of its shell commands.

For a command, the shell loads only its module, because loading all of them takes seven times as long. Words that
start commands of several modules are missing here. Help lists the verbs of a group in this order.
"""
