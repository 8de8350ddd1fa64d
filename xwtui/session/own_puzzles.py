"""Where answers stood in the puzzles of a folder."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from xwtui.errors import PuzzleError, PuzzleFormatError
from xwtui.formats.registry import read_puzzle

SUFFIXES = frozenset((".ipuz", ".puz", ".jpz", ".xd", ".cfp"))
"""What files of puzzles end in, and no others."""
MOST_PUZZLES = 5_000
"""Files that are read, the newest ones."""


class AnswerPlace(NamedTuple):
    """An answer in a puzzle."""

    word: str
    entry: str
    path: Path
    title: str
    date: str
    """When the file was changed last, as in 2026-11-22."""
    clue: str


class OwnPuzzles(NamedTuple):
    """The answers in a folder's puzzles, those of the newest puzzle first."""

    places: tuple[AnswerPlace, ...]
    puzzles: int
    """The puzzles that were read."""
    unread: tuple[str, ...]
    """The names of files that could not be read."""

    @property
    def words(self) -> frozenset[str]:
        """The answers, each once."""
        return frozenset(one.word for one in self.places)

    def of(self, words: Collection[str]) -> tuple[AnswerPlace, ...]:
        """Where some words stood."""
        return tuple(one for one in self.places if one.word in words)


class _PuzzleFile(NamedTuple):
    """A file, and what tells whether it is still as it was read."""

    path: Path
    modified: float
    size: int


_read: dict[_PuzzleFile, tuple[AnswerPlace, ...] | None] = {}
"""What each file had; None where it could not be read."""
_lock = Lock()


def puzzles_in(folder: Path, is_stopped: Callable[[], bool] = lambda: False) -> OwnPuzzles:
    """Read the puzzles of a folder and of those in it, one that was read before only if it has changed.

    Raises PuzzleError where there is no such folder. What cannot be read is named; once stopped, what was read by
    then is told.
    """
    try:
        files = sorted(_files(folder), key=lambda file: (-file.modified, file.path))[:MOST_PUZZLES]
    except OSError as error:
        raise PuzzleError(f"the folder {folder} cannot be read: {error.strerror or error}") from error
    found = {file: _places(file) for file in takewhile(lambda file: not is_stopped(), files)}
    return OwnPuzzles(
        tuple(place for places in found.values() if places is not None for place in places),
        sum(places is not None for places in found.values()),
        tuple(file.path.name for file, places in found.items() if places is None),
    )


def _files(folder: Path) -> Iterator[_PuzzleFile]:
    for path in folder.rglob("*"):
        if path.suffix.lower() in SUFFIXES and path.is_file():
            status = path.stat()
            yield _PuzzleFile(path, status.st_mtime, status.st_size)


def _places(file: _PuzzleFile) -> tuple[AnswerPlace, ...] | None:
    with _lock:
        if file in _read:
            return _read[file]
    try:
        found = tuple(_answers(file))
    except PuzzleFormatError:
        found = None
    with _lock:
        _read[file] = found
    return found


def _answers(file: _PuzzleFile) -> Iterator[AnswerPlace]:
    puzzle = read_puzzle(file.path)
    date = datetime.fromtimestamp(file.modified).strftime("%Y-%m-%d")
    for slot in puzzle.grid.slots:
        answer = puzzle.grid.answer(slot)
        if answer is not None:
            yield AnswerPlace(answer, slot.name, file.path, puzzle.title, date, puzzle.printed_clue(slot))
