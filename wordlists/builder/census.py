"""Given names and surnames of the US census of 1990, by rank, from PyPI's `names`."""

from collections.abc import Iterator
from pathlib import Path

from builder.spelling import grid_spelling

_FIRST_NAME_SCORES = ((80, 50), (200, 46), (330, 42), (600, 37), (1000, 30), (4300, 12))
_SURNAME_SCORES = ((40, 46), (150, 43), (300, 40), (800, 34), (2000, 22), (6000, 8))


def scored_names(package: Path) -> Iterator[tuple[str, int]]:
    """Yield each name that is common enough, with its score."""
    (folder,) = package.glob("names-*/names")
    for file_name, scores in (
        ("dist.female.first", _FIRST_NAME_SCORES),
        ("dist.male.first", _FIRST_NAME_SCORES),
        ("dist.all.last", _SURNAME_SCORES),
    ):
        for line in (folder / file_name).read_text("ascii").splitlines():
            name, _, _, rank = line.split()
            word = grid_spelling(name)
            score = next((score for last_rank, score in scores if int(rank) <= last_rank), None)
            if word is not None and score is not None:
                yield word, score
