"""What every format offers the registry, and the bounds that all of them keep."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from xwtui.errors import PuzzleFormatError
from xwtui.model import Puzzle

MAX_FILE_BYTES = 4 * 1024 * 1024
"""Largest puzzle file that is read; a 40x40 puzzle with its clues takes less than a tenth of it."""

MAX_CLUES = 10_000
"""Most clues that one file may have; a 40x40 puzzle has some 1,000 entries."""


def check_clue_count(count: int) -> None:
    """Raise PuzzleFormatError where a file has more clues than any puzzle."""
    if count > MAX_CLUES:
        raise PuzzleFormatError(f"{count:,} clues are more than a puzzle has; {MAX_CLUES:,} are the most")


class Written(NamedTuple):
    """A puzzle as the bytes of a file, with a warning for each thing that was left out."""

    data: bytes
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Format:
    """One file format.

    `read` makes a puzzle of bytes and raises PuzzleFormatError on bad ones; `write` takes the
    puzzle and whether it may leave things out, and is None for formats that are only read;
    `looks_like` tells whether bytes from an unnamed source are probably of this format.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[bytes], Puzzle]
    write: Callable[[Puzzle, bool], Written] | None
    looks_like: Callable[[bytes], bool]
