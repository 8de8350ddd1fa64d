"""Words that no default list should offer: slurs and obscenities, one whole word a line in `excluded.txt`."""

import re
from pathlib import Path

from builder.spelling import grid_spelling


def read_excluded(path: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Return the excluded words and the exceptions (lines that begin with `+`), as spelt in the grid."""
    lines = [line.partition("#")[0].strip() for line in path.read_text("utf-8").splitlines()]
    excluded = {grid_spelling(line) for line in lines if line and not line.startswith("+")}
    kept = {grid_spelling(line[1:]) for line in lines if line.startswith("+")}
    return frozenset(filter(None, excluded)), frozenset(filter(None, kept))


def likely_profanities(package: Path) -> frozenset[str]:
    """Return the words that npm's `cuss` rates 2, likely to be meant as an insult, as spelt in the grid."""
    text = (package / "package/index.js").read_text("utf-8")
    rated = re.findall(r"^  '?(.+?)'?: 2,$", text, re.MULTILINE)
    return frozenset(filter(None, map(grid_spelling, rated)))
