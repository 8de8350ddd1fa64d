"""The answers of a constructor's recent puzzles: the finished entries of all puzzle files in a folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from xwtui.errors import PuzzleFormatError
from xwtui.formats.registry import read_puzzle
from xwtui.text import printable

SUFFIXES = (".puz", ".ipuz")

MOST_PUZZLES = 2_000
"""Files that are read, the newest ones."""

_MOST_TOLD = 3


class RecentAnswers(NamedTuple):
    """What a folder of puzzles holds."""

    answers: frozenset[str]
    puzzles: int
    """The puzzles that were read."""
    notices: tuple[str, ...]
    """What could not be read, a line each."""


NO_ANSWERS = RecentAnswers(frozenset(), 0, ())


class _File(NamedTuple):
    """A file, and what tells whether it is still as it was read."""

    path: Path
    modified_ns: int
    size: int


_known: dict[_File, frozenset[str] | PuzzleFormatError] = {}
_lock = Lock()


def recent_answers(folder: str, puzzle_path: Path | None) -> RecentAnswers:
    """Read the puzzles of a folder, named from the puzzle's own folder on; the puzzle itself is left out.

    A file that was read before is read again only if its size or time has changed. Nothing is raised:
    what cannot be read is told in the notices.
    """
    if not folder:
        return NO_ANSWERS
    place = _found(folder, puzzle_path)
    try:
        files = sorted(_files(place, puzzle_path), key=lambda file: (-file.modified_ns, file.path))
    except (OSError, ValueError, RuntimeError):
        return NO_ANSWERS._replace(notices=(f"there is no folder {printable(folder)} of recent puzzles",))
    read = {file: _answers(file) for file in files[:MOST_PUZZLES]}
    good = [answers for answers in read.values() if not isinstance(answers, PuzzleFormatError)]
    bad = [str(error) for error in read.values() if isinstance(error, PuzzleFormatError)]
    notices = [f"recent puzzles: {printable(text, 200)}" for text in bad[:_MOST_TOLD]]
    if len(bad) > _MOST_TOLD:
        notices.append(f"recent puzzles: {len(bad) - _MOST_TOLD} more that cannot be read")
    if len(files) > MOST_PUZZLES:
        notices.append(f"recent puzzles: the newest {MOST_PUZZLES:,} of {len(files):,} are looked at")
    return RecentAnswers(frozenset().union(*good), len(good), tuple(notices))


def _found(folder: str, puzzle_path: Path | None) -> Path:
    """The folder's path, from the puzzle's own folder or the current one on."""
    path = Path(folder)
    return path if puzzle_path is None else puzzle_path.absolute().parent / path


def _files(place: Path, puzzle_path: Path | None) -> Iterator[_File]:
    own = None if puzzle_path is None else puzzle_path.absolute().resolve()
    for path in place.iterdir():
        if path.suffix.lower() in SUFFIXES and path.is_file() and path.resolve() != own:
            status = path.stat()
            yield _File(path.absolute(), status.st_mtime_ns, status.st_size)


def _answers(file: _File) -> frozenset[str] | PuzzleFormatError:
    """The finished entries of a puzzle file, or why it cannot be read."""
    with _lock:
        known = _known.get(file)
    if known is None:
        try:
            grid = read_puzzle(file.path).grid
            known = frozenset(answer for slot in grid.slots if (answer := grid.answer(slot)) is not None)
        except PuzzleFormatError as error:
            known = error
        with _lock:
            for other in [other for other in _known if other.path == file.path]:
                del _known[other]
            _known[file] = known
    return known
