"""The kinds of templates, by file name; figures are reported per kind."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from xwtui.resources import puzzles_folder


class Kind(NamedTuple):
    """Templates that pose similar problems."""

    name: str
    patterns: tuple[str, ...]
    fewest: int = 20
    """Minimum number of templates of this kind."""

    def templates(self) -> list[Path]:
        """Return this kind's files, sorted by name."""
        folder = puzzles_folder() / "templates"
        return sorted(path for pattern in self.patterns for path in folder.glob(f"{pattern}.txt"))


KINDS = (
    Kind("ordinary", ("15x15-*",)),
    Kind("70 words and fewer", ("themeless-*",)),
    Kind("wide open", ("wide-open-*",)),
    Kind("21x21", ("21x21-*",)),
    Kind("lattice", ("british-*",)),
    Kind("squares", ("square-*",)),
    Kind("small", ("mini-*", "9x9-*", "11x11-*", "13x13-*")),
    Kind("other sizes", ("17x17-*", "19x19-*", "23x23-*", "25x25-*"), fewest=16),
)


def chosen(patterns: Sequence[str], most: int | None) -> Iterator[tuple[Kind, list[Path]]]:
    """Yield each kind with its templates that match a pattern, at most `most`, evenly spaced."""
    for kind in KINDS:
        paths = [path for path in kind.templates() if any(path.match(pattern) for pattern in patterns)]
        if paths:
            yield kind, paths if most is None else spread(paths, most)


def spread(paths: Sequence[Path], most: int) -> list[Path]:
    """Return at most `most` of the paths, evenly spaced."""
    if len(paths) <= most:
        return list(paths)
    return [paths[number * len(paths) // most] for number in range(most)]
