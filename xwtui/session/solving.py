"""Test-solving: the stored attempt, its clock, and checking and revealing of squares."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from xwtui.dataclasses import dataclass, replace
from xwtui.errors import XwtuiError
from xwtui.model import Content, Grid, Ink, Kind, Position, Puzzle, Slot, Square
from xwtui.reading import DAY, remove_stale
from xwtui.session.cursor import Cursor
from xwtui.session.messages import ignore
from xwtui.text import first_named
from xwtui.user_files import keep, read_kept


def is_right(entered: Content, answer: Content) -> bool:
    """Whether the entered content is right; a slash square accepts either reading, or both."""
    return entered == answer or (not entered.is_schroedinger and entered.across in (answer.across, answer.down))


class Checked(NamedTuple):
    """The result of a check."""

    right: frozenset[Position]
    wrong: frozenset[Position]
    empty: frozenset[Position]
    unknown: frozenset[Position]
    """Squares for which the puzzle has no answer yet."""


@dataclass(frozen=True)
class Attempt:
    """A solver's progress in a grid; immutable, each step makes a new one.

    The grid has the puzzle's blocks, circles and shades, and the solver's letters. Squares that were checked as
    right or revealed are locked.
    """

    grid: Grid
    wrong: frozenset[Position] = frozenset()
    """Squares that were checked as wrong and have not changed since."""
    revealed: frozenset[Position] = frozenset()
    """Squares whose answers were revealed."""

    @classmethod
    def begin(cls, answers: Grid) -> Attempt:
        empty = {at: replace(answers[at], content=None, ink=Ink.PENCIL) for at in answers.open_positions()}
        return cls(answers.with_squares(empty))

    def edited(self, grid: Grid) -> Attempt:
        """Return the attempt with other letters; changed squares no longer count as wrong."""
        return replace(self, grid=grid, wrong=frozenset(at for at in self.wrong if grid[at] == self.grid[at]))

    def check(self, answers: Grid, squares: Iterable[Position]) -> tuple[Attempt, Checked]:
        """Compare squares with the answers: right ones are locked, wrong ones recorded."""
        found = judged(self.grid, answers, squares)
        locked = {at: replace(self.grid[at], ink=Ink.LOCKED) for at in found.right}
        return replace(self, grid=self.grid.with_squares(locked), wrong=self.wrong | found.wrong), found

    def reveal(self, answers: Grid, squares: Iterable[Position]) -> Attempt:
        """Write the answers into squares; those that were already right do not count as revealed."""
        found = judged(self.grid, answers, squares)
        revealed = found.wrong | {at for at in found.empty if answers[at].content is not None}
        changes = {at: replace(self.grid[at], ink=Ink.LOCKED) for at in found.right}
        changes |= {at: replace(self.grid[at], content=answers[at].content, ink=Ink.LOCKED) for at in revealed}
        grid = self.grid.with_squares(changes)
        return Attempt(grid, self.wrong - revealed, self.revealed | revealed)

    def follow(self, answers: Grid) -> Attempt:
        """Carry the attempt over to a changed puzzle: letters stay in squares that are still open.

        Locked squares stay locked if they are still right.
        """
        before = self.grid
        squares = {at: self._carried(at, answers[at]) for at in answers.open_positions()}
        grid = answers.with_squares(squares)
        kept = frozenset(at for at in squares if at in before and before[at].content == grid[at].content)
        locked = frozenset(at for at in kept if grid[at].ink is Ink.LOCKED)
        doubted = judged(grid, answers, kept & self.wrong).wrong
        return Attempt(grid, doubted, self.revealed & locked)

    def _carried(self, at: Position, answer: Square) -> Square:
        if at not in self.grid or self.grid[at].content is None:
            return replace(answer, content=None, ink=Ink.PENCIL)
        own = self.grid[at]
        assert own.content is not None
        is_known = own.ink is Ink.LOCKED and answer.content is not None and is_right(own.content, answer.content)
        return replace(answer, content=own.content, ink=Ink.LOCKED if is_known else Ink.PEN)


def judged(entered: Grid, answers: Grid, squares: Iterable[Position]) -> Checked:
    """Sort squares into right, wrong, empty, and without an answer."""
    found: tuple[set[Position], ...] = (set(), set(), set(), set())
    right, wrong, empty, unknown = found
    for at in squares:
        own, answer = entered[at].content, answers[at].content
        if answers[at].kind is not Kind.OPEN:
            continue
        if answer is None:
            unknown.add(at)
        if own is None:
            empty.add(at)
        elif answer is not None:
            (right if is_right(own, answer) else wrong).add(at)
    return Checked(*map(frozenset, found))


_KEPT_DAYS = 365
_LONGEST_SECONDS = 1e8


class KeptAttempt:
    """The file of a puzzle's attempt; if it cannot be read or written, it counts as missing."""

    def __init__(self, folder: Path, puzzle: Callable[[], Path | None]) -> None:
        """`folder` holds the files of all puzzles; `puzzle` returns this one's path, None without a file."""
        self._folder = folder
        self._puzzle = puzzle

    @property
    def _path(self) -> Path | None:
        puzzle = self._puzzle()
        if puzzle is None:
            return None
        name = hashlib.blake2b(str(puzzle).encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
        return self._folder / f"{name}.json"

    def read(self, answers: Grid) -> tuple[Attempt, float] | None:
        """Return the stored attempt, as far as it fits the grid, and its seconds."""
        path = self._path
        try:
            return None if path is None else _attempt(read_kept(path, dict), answers)
        except (ValueError, TypeError, LookupError, AttributeError, XwtuiError):
            return None

    def write(self, attempt: Attempt, seconds: float) -> None:
        path, grid = self._path, attempt.grid
        if path is None:
            return
        kept = {
            "letters": {str(at): str(content) for at, content in grid.contents.items()},
            "right": [str(at) for at in grid.contents if grid[at].ink is Ink.LOCKED],
            "wrong": sorted(map(str, attempt.wrong)),
            "revealed": sorted(map(str, attempt.revealed)),
            "seconds": round(seconds, 3),
        }
        keep(path, kept)
        remove_stale(self._folder, "*.json", _KEPT_DAYS * DAY)


def _attempt(found: dict[str, Any], answers: Grid) -> tuple[Attempt, float]:
    start = Attempt.begin(answers).grid
    letters = {Position.parse(at): Content.parse(text) for at, text in found["letters"].items()}
    right, wrong, revealed = (
        frozenset(map(Position.parse, found[name])) & letters.keys() for name in ("right", "wrong", "revealed")
    )
    squares = {
        at: replace(start[at], content=content, ink=Ink.LOCKED if at in right else Ink.PEN)
        for at, content in letters.items()
        if at in start and start[at].is_open
    }
    attempt = Attempt(start.with_squares(squares), wrong, revealed).follow(answers)
    seconds = float(found["seconds"])
    return attempt, seconds if 0 <= seconds <= _LONGEST_SECONDS else 0.0


class Stopwatch:
    """Counts seconds while it is running; `clock` returns the current time in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._counted = 0.0
        self._begun: float | None = None

    @property
    def is_going(self) -> bool:
        return self._begun is not None

    @property
    def seconds(self) -> float:
        return self._counted + (self._clock() - self._begun if self._begun is not None else 0.0)

    def go(self) -> None:
        if self._begun is None:
            self._begun = self._clock()

    def rest(self) -> None:
        self._counted, self._begun = self.seconds, None

    def reset(self, seconds: float = 0.0) -> None:
        self._counted, self._begun = seconds, None


class Solving:
    """The test-solving of one document, with its own cursor and clock; it never changes the puzzle.

    Grid keys can act on it as on a session, because it has `puzzle`, `cursor` and `edit`.
    """

    def __init__(
        self,
        source: Callable[[], Puzzle],
        clock: Callable[[], float] = time.monotonic,
        kept: KeptAttempt | None = None,
    ) -> None:
        """`source` returns the current puzzle; `kept` supplies the stored attempt and stores later ones."""
        self._source = source
        self._answers = source().grid
        self._kept = kept
        self.clock = Stopwatch(clock)
        self._attempt: Attempt | None = None
        found = kept.read(self._answers) if kept is not None else None
        if found is not None:
            self._attempt, seconds = found
            self.clock.reset(seconds)
        self.is_on = False
        """Whether typed lines go to the test-solving."""
        self.cursor = Cursor(lambda: self.answers, ignore)

    @property
    def is_begun(self) -> bool:
        return self._attempt is not None and any(square.content for square in self._attempt.grid.squares)

    @property
    def answers(self) -> Grid:
        return self._source().grid

    @property
    def attempt(self) -> Attempt:
        """The solver's attempt, adapted to the puzzle if that has changed."""
        answers = self.answers
        if self._attempt is None:
            self._attempt = Attempt.begin(answers)
        elif answers is not self._answers:
            self._attempt = self._attempt.follow(answers)
        if answers is not self._answers:
            self._answers = answers
            self.cursor.keep_on_grid()
        return self._attempt

    @property
    def puzzle(self) -> Puzzle:
        return Puzzle(self.attempt.grid)

    def edit(
        self,
        label: str,
        function: Callable[[Puzzle], Puzzle],
        *,
        along: Slot | None = None,
        is_typed: bool = False,
    ) -> bool:
        """Change letters by a pure edit function; returns whether that made a difference."""
        before = self.attempt
        grid = function(self.puzzle).grid
        self._attempt = before.edited(grid)
        if self.is_solved:
            self.clock.rest()
        return grid != before.grid

    def begin(self, *, anew: bool = False) -> None:
        """Continue, or start from scratch (`anew`); the clock runs unless everything is solved."""
        if anew:
            self._attempt = None
            self.clock.reset()
            self.cursor.reset()
        if not self.is_solved:
            self.clock.go()

    def leave(self) -> None:
        self.clock.rest()
        self.is_on = False
        self.keep()

    def keep(self) -> None:
        """Store the attempt for the next start, if there is a place for it."""
        if self._kept is not None and self._attempt is not None:
            self._kept.write(self.attempt, self.clock.seconds)

    def check(self, squares: Iterable[Position]) -> Checked:
        """Compare squares with the answers, and lock those that are right."""
        self._attempt, found = self.attempt.check(self.answers, squares)
        return found

    def reveal(self, squares: Collection[Position]) -> int:
        """Write answers into squares; returns how many were revealed."""
        before = self.attempt
        self._attempt = before.reveal(self.answers, squares)
        if self.is_solved:
            self.clock.rest()
        return len(self._attempt.revealed - before.revealed)

    @property
    def result(self) -> Checked:
        attempt = self.attempt
        return judged(attempt.grid, self.answers, self.answers.open_positions())

    @property
    def is_full(self) -> bool:
        return not self.result.empty

    @property
    def is_solved(self) -> bool:
        result = self.result
        return bool(result.right) and not (result.wrong or result.empty or result.unknown)


def clock_words(seconds: float) -> str:
    """Format a duration: `2:05`, `1:00:09`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


_MOST_NAMED = 12


def revealed_words(squares: int) -> str:
    """Return the message about revealed squares; those that were already right do not count."""
    return f"{squares} revealed" if squares else "already right, nothing to reveal"


def checked_words(found: Checked) -> str:
    """Return the result of a check as a message: `wrong: r1c2, r3c4; 12 right`."""
    parts = [f"wrong: {first_named([*map(str, sorted(found.wrong))], _MOST_NAMED)}"] if found.wrong else []
    parts += [f"{len(found.right)} right"] if found.right else []
    parts += [f"{len(found.unknown)} with no answer in the puzzle"] if found.unknown else []
    return "; ".join(parts) or "nothing entered here"
