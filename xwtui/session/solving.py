"""Test-solving: one's own letters in the empty grid, checked and revealed, against a clock that can rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable

from xwtui.model import Grid, Position, Puzzle, Slot
from xwtui.session.attempt import Attempt, Checked, KeptAttempt, judged
from xwtui.session.cursor import Cursor
from xwtui.session.messages import ignore
from xwtui.text import first_named


class Stopwatch:
    """Counts seconds while it goes; `clock` tells the time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._counted = 0.0
        self._begun: float | None = None

    @property
    def is_going(self) -> bool:
        """Whether it counts."""
        return self._begun is not None

    @property
    def seconds(self) -> float:
        """What it has counted."""
        return self._counted + (self._clock() - self._begun if self._begun is not None else 0.0)

    def go(self) -> None:
        """Count from now on."""
        if self._begun is None:
            self._begun = self._clock()

    def rest(self) -> None:
        """Count no further for now."""
        self._counted, self._begun = self.seconds, None

    def reset(self, seconds: float = 0.0) -> None:
        """Rest, with so many seconds counted."""
        self._counted, self._begun = seconds, None


class Solving:
    """The test-solving of one document, with a cursor and a clock of its own; the puzzle is never changed by it.

    Keys of the grid work on it as on a session: it has a `puzzle`, a `cursor` and `edit`.
    """

    def __init__(
        self,
        source: Callable[[], Puzzle],
        clock: Callable[[], float] = time.monotonic,
        kept: KeptAttempt | None = None,
    ) -> None:
        """`source` gives the puzzle as it is; `kept` is what was entered before, and takes what is left."""
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
        """Whether lines that are typed are meant for it."""
        self.cursor = Cursor(lambda: self.answers, ignore)

    @property
    def is_begun(self) -> bool:
        """Whether anything has been entered."""
        return self._attempt is not None and any(square.content for square in self._attempt.grid.squares)

    @property
    def answers(self) -> Grid:
        """The puzzle's grid as it is."""
        return self._source().grid

    @property
    def attempt(self) -> Attempt:
        """What the solver has; in a puzzle that was changed meanwhile as far as it fits."""
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
        """A puzzle that has the solver's letters for answers."""
        return Puzzle(self.attempt.grid)

    def edit(self, label: str, function: Callable[[Puzzle], Puzzle], *, along: Slot | None = None) -> bool:
        """Write letters by one of the pure edits; returns whether that made a difference."""
        before = self.attempt
        grid = function(self.puzzle).grid
        self._attempt = before.edited(grid)
        if self.is_solved:
            self.clock.rest()
        return grid != before.grid

    def begin(self, *, anew: bool = False) -> None:
        """Go on, or from the start; the clock goes, unless all is solved."""
        if anew:
            self._attempt = None
            self.clock.reset()
            self.cursor.reset()
        if not self.is_solved:
            self.clock.go()

    def leave(self) -> None:
        """Let the clock rest; what was entered stays."""
        self.clock.rest()
        self.is_on = False
        self.keep()

    def keep(self) -> None:
        """Keep what was entered for the next start, where that is wanted."""
        if self._kept is not None and self._attempt is not None:
            self._kept.write(self.attempt, self.clock.seconds)

    def check(self, squares: Iterable[Position]) -> Checked:
        """Hold squares against the answers; what is right is locked from then on."""
        self._attempt, found = self.attempt.check(self.answers, squares)
        return found

    def reveal(self, squares: Collection[Position]) -> int:
        """Write answers into squares; returns how many were told."""
        before = self.attempt
        self._attempt = before.reveal(self.answers, squares)
        if self.is_solved:
            self.clock.rest()
        return len(self._attempt.revealed - before.revealed)

    @property
    def standing(self) -> Checked:
        """How all squares stand, without telling the solver."""
        attempt = self.attempt
        return judged(attempt.grid, self.answers, self.answers.open_positions())

    @property
    def is_full(self) -> bool:
        """Whether no square is empty."""
        return not self.standing.empty

    @property
    def is_solved(self) -> bool:
        """Whether every square is right."""
        standing = self.standing
        return bool(standing.right) and not (standing.wrong or standing.empty or standing.unknown)


def clock_words(seconds: float) -> str:
    """A time as a clock has it: `2:05`, `1:00:09`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


_MOST_NAMED = 12


def revealed_words(squares: int) -> str:
    """What is said of squares that were revealed; those that were right already are none of them."""
    return f"{squares} revealed" if squares else "right already, nothing to reveal"


def checked_words(found: Checked) -> str:
    """What a check has found: `wrong: r1c2, r3c4; 12 right`."""
    told = [f"wrong: {first_named([*map(str, sorted(found.wrong))], _MOST_NAMED)}"] if found.wrong else []
    told += [f"{len(found.right)} right"] if found.right else []
    told += [f"{len(found.unknown)} without an answer in the puzzle"] if found.unknown else []
    return "; ".join(told) or "nothing entered here"
