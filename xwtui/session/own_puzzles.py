"""The answers in a folder's puzzles: where given words occur, and which were used recently."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from xwtui.errors import PuzzleError, PuzzleFormatError, WordListError, failing_as
from xwtui.formats.registry import files_below, read_puzzle
from xwtui.lazy import lazy_imports
from xwtui.reading import DiskMark
from xwtui.text import printable
from xwtui.words.layers import find_user_lists

with lazy_imports():
    from xwtui.words.compiled_lists import open_word_list

SUFFIXES = frozenset((".ipuz", ".puz", ".jpz", ".xd", ".cfp"))
"""The suffixes of files that are always puzzles."""
MOST_PUZZLES = 5_000
"""Maximum number of files that are read, newest first."""

RECENT_SUFFIXES = frozenset((".puz", ".ipuz"))
MOST_RECENT = 2_000
"""The same for recent puzzles, which are read whenever words are loaded."""
_MOST_REPORTED = 3


class AnswerPlace(NamedTuple):
    """An answer in a puzzle, with its place."""

    word: str
    entry: str
    path: Path
    title: str
    date: str
    """Date of the file's last change, as in 2026-11-22."""
    clue: str


class OwnPuzzles(NamedTuple):
    """The answers in a folder's puzzles, newest puzzle first."""

    places: tuple[AnswerPlace, ...]
    puzzles: int
    """Number of puzzles read."""
    unread: tuple[str, ...]
    """Names of the files that could not be read."""

    @property
    def words(self) -> frozenset[str]:
        return frozenset(one.word for one in self.places)

    def of(self, words: Collection[str]) -> tuple[AnswerPlace, ...]:
        return tuple(one for one in self.places if one.word in words)


def puzzles_in(folder: Path, is_stopped: Callable[[], bool] = lambda: False) -> OwnPuzzles:
    """Read the puzzles in and below a folder, except hidden ones; if stopped, return what was read so far.

    A file that was read before is read again only if it has changed. Unreadable files are listed. Raises
    PuzzleError if the folder cannot be read.
    """
    with failing_as(PuzzleError, f"the folder {folder} cannot be read"):
        files = _newest_first(files_below(folder, SUFFIXES))[:MOST_PUZZLES]
    found = {path: _answers(path, mark) for path, mark in takewhile(lambda _: not is_stopped(), files)}
    good = [places for places in found.values() if not isinstance(places, PuzzleFormatError)]
    return OwnPuzzles(
        tuple(place for places in good for place in places),
        len(good),
        tuple(path.name for path, places in found.items() if isinstance(places, PuzzleFormatError)),
    )


class RecentAnswers(NamedTuple):
    """The contents of a folder of recent puzzles."""

    answers: frozenset[str]
    notices: tuple[str, ...]
    """One line for each problem."""


NO_ANSWERS = RecentAnswers(frozenset(), ())


def recent_answers(folder: str, puzzle_path: Path | None) -> RecentAnswers:
    """Read the puzzles in a folder, relative to the puzzle's own folder; the puzzle itself is left out.

    If there is no such folder, the name may be one of the user's lists, such as one learned from puzzles. A file
    that was read before is read again only if it has changed. Nothing is raised: problems are reported in the
    notices.
    """
    if not folder:
        return NO_ANSWERS
    try:
        own = None if puzzle_path is None else puzzle_path.absolute().resolve()
        place = Path(folder) if puzzle_path is None else puzzle_path.absolute().parent / folder
        puzzles = (path for path in place.iterdir() if path.suffix.lower() in RECENT_SUFFIXES and path.is_file())
        files = _newest_first(path.absolute() for path in puzzles if path.resolve() != own)
    except (OSError, ValueError, RuntimeError):
        if (listed := _listed(folder)) is not None:
            return listed
        return NO_ANSWERS._replace(notices=(f"there is no folder {printable(folder)} of recent puzzles",))
    read = [_answers(path, mark) for path, mark in files[:MOST_RECENT]]
    good = [places for places in read if not isinstance(places, PuzzleFormatError)]
    bad = [str(error) for error in read if isinstance(error, PuzzleFormatError)]
    notices = [f"recent puzzles: {printable(text, 200)}" for text in bad[:_MOST_REPORTED]]
    if len(bad) > _MOST_REPORTED:
        notices.append(f"recent puzzles: {len(bad) - _MOST_REPORTED} more cannot be read")
    if len(files) > MOST_RECENT:
        notices.append(f"recent puzzles: only the newest {MOST_RECENT:,} of {len(files):,} are used")
    return RecentAnswers(frozenset(one.word for places in good for one in places), tuple(notices))


def _listed(name: str) -> RecentAnswers | None:
    try:
        layer = find_user_lists().named(name)
        words = open_word_list(layer.path, rule=layer.rule, mark=layer.mark).word_list
    except WordListError:
        return None
    return RecentAnswers(frozenset(word for word, _ in words), ())


def _newest_first(paths: Iterable[Path]) -> list[tuple[Path, DiskMark]]:
    files = [(path, mark) for path in paths if path.is_file() and (mark := DiskMark.of(path)) is not None]
    return sorted(files, key=lambda file: (-file[1].modified_ns, file[0]))


_read: dict[Path, tuple[DiskMark, tuple[AnswerPlace, ...] | PuzzleFormatError]] = {}
"""Cache of each file's answers, or of the error from reading it."""
_lock = Lock()


def _answers(path: Path, mark: DiskMark) -> tuple[AnswerPlace, ...] | PuzzleFormatError:
    with _lock:
        known, found = _read.get(path, (None, ()))
    if known != mark:
        try:
            puzzle = read_puzzle(path)
            date = datetime.fromtimestamp(mark.modified_ns / 1e9).strftime("%Y-%m-%d")
            found = tuple(
                AnswerPlace(answer, slot.name, path, puzzle.title, date, puzzle.printed_clue(slot))
                for slot in puzzle.grid.entries
                if (answer := puzzle.answer(slot)) is not None
            )
        except PuzzleFormatError as error:
            found = error
        with _lock:
            _read[path] = mark, found
    return found
