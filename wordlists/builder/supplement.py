"""The hand-made files: lines are `SCORE: entry, entry, …`, each entry as a person writes it."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from builder.spelling import grid_spelling

_LINE = re.compile(r"(\d{1,3}): (.+)")


class SupplementError(ValueError):
    """A line of the supplement that is neither a comment nor a score with entries."""


def read_hand_made(paths: Iterable[Path], bars: Callable[[str], bool] = lambda _: False) -> dict[str, int]:
    """Return the score of every entry of the files, by its spelling in the grid; the best of an entry that recurs.

    What `bars` is true of, as it is written, is passed over. Raises SupplementError with the file and
    line of a mistake.
    """
    scores: dict[str, int] = {}
    for path in sorted(paths):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            try:
                for term, word, score in _line_scores(line):
                    if not bars(term):
                        scores[word] = max(score, scores.get(word, 0))
            except SupplementError as mistake:
                raise SupplementError(f"{path.name}, line {number}: {mistake}") from mistake
    return scores


def _line_scores(line: str) -> Iterator[tuple[str, str, int]]:
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
        yield term.strip(), word, int(parts[1])
