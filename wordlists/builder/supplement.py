"""The hand-made supplement: text files whose lines are `SCORE: entry, entry, …`, as a person writes them."""

import re
from collections.abc import Iterator
from pathlib import Path

from builder.spelling import grid_spelling

_LINE = re.compile(r"(\d{1,3}): (.+)")


class SupplementError(ValueError):
    """A line of the supplement that is neither a comment nor a score with entries."""


def read_supplement(folder: Path) -> dict[str, int]:
    """Return the score of every entry of the folder's text files, by its spelling in the grid.

    An entry that stands twice has the score of its last place, in the order of the file names and lines.
    Raises SupplementError with the file and line of a mistake.
    """
    scores: dict[str, int] = {}
    for path in sorted(folder.glob("*.txt")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            try:
                scores.update(_line_scores(line))
            except SupplementError as mistake:
                raise SupplementError(f"{path.name}, line {number}: {mistake}") from mistake
    return scores


def _line_scores(line: str) -> Iterator[tuple[str, int]]:
    text = line.partition("#")[0].strip()
    if not text:
        return
    parts = _LINE.fullmatch(text)
    if parts is None or int(parts[1]) > 100:
        raise SupplementError(f"expected 'SCORE: entry, entry', found {text!r}")
    for term in parts[2].rstrip(",").split(","):
        word = grid_spelling(term)
        if word is None:
            raise SupplementError(f"{term.strip()!r} cannot stand in a grid")
        yield word, int(parts[1])
