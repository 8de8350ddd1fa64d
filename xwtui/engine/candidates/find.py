"""What each candidate of an entry costs, found stage by stage: matched, propagated, placed, proved."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.candidates.board import CandidateBoard
from xwtui.engine.candidates.estimate import CandidateEstimate
from xwtui.engine.count.belief import Beliefs, believe
from xwtui.engine.count.estimator import Counter
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.workers import never
from xwtui.engine.kernels.network import PLACES, SQUARE
from xwtui.engine.kernels.propagate.propagate import NOBODY, SURVIVES, try_rows
from xwtui.engine.problem.arrays import with_longer_trail
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.variants import narrow
from xwtui.errors import EngineError
from xwtui.model import Content, Position

_SECONDS_A_SLICE = 0.02


class Trial:
    """A row of a slot's table, placed; the problem's own root must be possible."""

    def __init__(self, problem: Problem, slot: int, row: int, *, seed: int) -> None:
        first = int(problem.network.slots[slot, PLACES])
        symbols = problem.tables[slot].symbols[row].tolist()
        squares = problem.network.places[first : first + len(symbols), SQUARE].tolist()
        self._problem = narrow(
            problem, {square: 1 << symbol for square, symbol in zip(squares, symbols, strict=True)}
        )
        self._filler: Filler | None = None
        self._seed = seed
        self.counter = Counter(self._problem, seed=seed)
        """Counts the fills that have it."""

    def prove(self, deadline: float, cancelled: Callable[[], bool]) -> Outcome:
        """Search for a fill until one is found, there is none, or time (of the clock) or caller end it."""
        if self._filler is None:
            self._filler = Filler(self._problem, seed=self._seed)
        while self._filler.outcome is Outcome.RUNNING:
            if cancelled() or perf_counter() >= deadline:
                return Outcome.UNKNOWN
            self._filler.advance(seconds=_SECONDS_A_SLICE)
        return self._filler.outcome

    def end_search(self) -> None:
        """Hold nothing of the search any more; another call of `prove` would begin anew."""
        self._filler = None

    @property
    def fill(self) -> Mapping[Position, Content]:
        """The fill that was found."""
        assert self._filler is not None
        return self._filler.fill()


_ROWS_A_SLICE = 8
"""Words placed one after the other between two looks at the clock: some milliseconds."""
_RUNS = 4
"""Runs of particles for a word in view."""
_TRIALS_KEPT = 64
"""Words in view whose search and count can go on where they stopped: each takes a megabyte."""


@dataclass(frozen=True)
class Patience:
    """When to stop."""

    deadline: float
    """As `perf_counter` tells it."""
    cancelled: Callable[[], bool]

    @property
    def is_over(self) -> bool:
        """Whether time or caller end it."""
        return self.cancelled() or perf_counter() >= self.deadline


class PlacingStage(enum.Enum):
    """What is done with a word in view."""

    PLACE = "place"
    BELIEVE = "believe"
    PROVE = "prove"
    COUNT = "count"


Plan = tuple[tuple[PlacingStage, float], ...]
"""Stages, each with the seconds that it may take for a word."""

_AT_ONCE: Plan = ((PlacingStage.PLACE, math.inf), (PlacingStage.BELIEVE, 0.1), (PlacingStage.PROVE, 0.25))
_AT_LEISURE: Plan = (
    (PlacingStage.COUNT, math.inf),
    *((PlacingStage.PROVE, seconds) for seconds in (1.0, 4.0, 16.0, math.inf)),
)
"""Most words are proved in no time; one that is not must not keep the others waiting."""


class Steps:
    """Goes on with the words of a board that has been propagated and believed."""

    def __init__(
        self,
        board: CandidateBoard,
        beliefs: Beliefs,
        log10_total: float | None = None,
        *,
        prove: bool = True,
        threads: int = 1,
        seed: int = 0,
    ) -> None:
        """`log10_total` tells how many fills there are, where that is known better than from the beliefs."""
        self.board = board
        self._correction = (
            0.0 if log10_total is None or beliefs.log10_bethe is None else log10_total - beliefs.log10_bethe
        )
        self._prove, self._threads, self._seed = prove, threads, seed
        self._state = board.problem.new_state()
        self._trials: dict[str, Trial] = {}
        self._counted = ""
        """The word whose count may have runs that have not ended."""
        self._done: set[tuple[PlacingStage, float, str]] = set()
        self._untried: NDArray[np.int64] = (
            np.flatnonzero(board.killers == SURVIVES) if board.killers is not None else np.zeros(0, np.int64)
        )

    def step(self, in_view: Sequence[str], patience: Patience) -> Collection[str] | None:
        """Do what is next; returns the words of which more may be known now, or None where nothing is left.

        The words in view come first, each stage for all of them; between their quick stages and the
        slow ones all other words are placed. Of words that have left the view only what is known is held.
        """
        self._trials = {word: trial for word, trial in self._trials.items() if word in in_view}
        task = self._next(_AT_ONCE, in_view)
        if task is None and len(self._untried):
            return self._place_some()
        task = task or self._next(_AT_LEISURE, in_view)
        if task is None:
            return None
        stage, seconds, word = task
        limit = Patience(min(patience.deadline, perf_counter() + seconds), patience.cancelled)
        {
            PlacingStage.PLACE: self._place_word,
            PlacingStage.BELIEVE: self._believe,
            PlacingStage.PROVE: self._prove_word,
            PlacingStage.COUNT: self._count,
        }[stage](word, limit)
        if not patience.is_over:
            self._done.add(task)
            if self._next(_AT_ONCE + _AT_LEISURE, (word,)) is None:
                self._trials.pop(word, None)
        return (word,)

    def _next(self, plan: Plan, words: Sequence[str]) -> tuple[PlacingStage, float, str] | None:
        for stage, seconds in plan:
            for word in words:
                if (stage, seconds, word) not in self._done and self._has_use(stage, word):
                    return stage, seconds, word
        return None

    def _has_use(self, stage: PlacingStage, word: str) -> bool:
        if stage is PlacingStage.PROVE and (not self._prove or word in self.board.fills):
            return False
        return self.board.row(word) is not None

    def _place_some(self) -> Collection[str]:
        rows, self._untried = self._untried[:_ROWS_A_SLICE], self._untried[_ROWS_A_SLICE:]
        self._place(rows)
        return {self.board.words[row] for row in rows.tolist()}

    def _place(self, rows: NDArray[np.int64]) -> None:
        killers = np.full(len(rows), NOBODY, np.int32)
        done = 0
        problem = self.board.problem
        while done < len(rows):
            done = try_rows(problem.network, self._state, self.board.slot, rows, killers, done, len(rows))
            if done < len(rows):
                self._state = with_longer_trail(self._state)
        assert self.board.killers is not None
        self.board.killers[rows] = killers

    def _place_word(self, word: str, _: Patience) -> None:
        self._place(np.array(self.board.rows_of(word), np.int64))

    def _trial(self, word: str) -> Trial:
        row = self.board.row(word)
        assert row is not None
        if word not in self._trials:
            while len(self._trials) >= _TRIALS_KEPT:
                del self._trials[next(iter(self._trials))]
            self._trials[word] = Trial(self.board.problem, self.board.slot, row, seed=self._seed)
        return self._trials[word]

    def _believe(self, word: str, limit: Patience) -> None:
        seconds = max(limit.deadline - perf_counter(), 0.0)
        estimate = self._trial(word).counter.bethe(seconds=seconds, cancelled=limit.cancelled)
        if estimate.log10 is not None and not limit.cancelled():
            exact = estimate.exact is not None
            self.board.refined[word] = estimate.log10 + (0.0 if exact else self._correction)

    def _prove_word(self, word: str, limit: Patience) -> None:
        trial = self._trial(word)
        outcome = trial.prove(limit.deadline, limit.cancelled)
        if outcome is Outcome.FILLED:
            self.board.fills[word] = trial.fill
            trial.end_search()
        elif outcome is Outcome.IMPOSSIBLE and self.board.problem.tables[self.board.slot].is_plain:
            self.board.hopeless.add(word)

    def rest(self) -> None:
        """Hold no runs of a count that have not ended: each holds some ten megabytes."""
        for trial in self._trials.values():
            trial.counter.rest()

    def _count(self, word: str, limit: Patience) -> None:
        if word != self._counted:
            self.rest()
            self._counted = word
        left = limit.deadline - perf_counter()
        estimate = self._trial(word).counter.refine(
            seconds=None if left == math.inf else max(left, 0.0),
            runs=_RUNS,
            threads=self._threads,
            cancelled=limit.cancelled,
        )
        if estimate.log10 is not None and not estimate.rough:
            self.board.refined[word] = estimate.log10


_SECONDS_A_REPORT = 0.1

Found = Callable[[tuple[CandidateEstimate, ...]], None]
View = Callable[[], Sequence[str]]


def _nothing() -> Sequence[str]:
    return ()


def candidates(
    problem: Problem,
    slot_name: str,
    *,
    seconds: float | None = None,
    in_view: View = _nothing,
    prove: bool = True,
    place: bool = True,
    beliefs: Beliefs | None = None,
    log10_total: float | None = None,
    threads: int = 1,
    seed: int = 0,
    cancelled: Callable[[], bool] = never,
    found: Found = lambda _: None,
) -> tuple[CandidateEstimate, ...]:
    """The words that match an entry, best score first, and what each costs; `found` gets each better answer.

    First come all that match the pattern, then those that propagation leaves, then about how many fills have each,
    from `beliefs` (reckoned if not given) and the `log10_total` of all fills (the Bethe estimate if not
    given). Then the words `in_view`, asked anew for each step, are placed one by one: propagation,
    beliefs with the word in place, a fill through it if `prove` says so, at last particles. Then all other
    words are placed and propagated. Without `place`, no word is. Raises EngineError for an entry that the
    grid does not have.
    """
    slot = problem.slot_numbers.get(slot_name)
    if slot is None:
        raise EngineError(f"this grid has no entry {slot_name!r}")
    patience = Patience(math.inf if seconds is None else perf_counter() + seconds, cancelled)
    board = CandidateBoard(problem, slot)
    found(board.estimates())
    if patience.is_over:
        return board.estimates()
    board.propagate()
    found(board.estimates())
    if problem.root.is_possible and not patience.is_over:
        beliefs = beliefs or believe(problem, cancelled=cancelled)
        board.believe(beliefs, log10_total)
        found(board.estimates())
        if not place:
            return board.estimates()
        steps = Steps(board, beliefs, log10_total, prove=prove, threads=threads, seed=seed)
        reported = perf_counter()
        while not patience.is_over and steps.step(in_view(), patience) is not None:
            if perf_counter() - reported >= _SECONDS_A_REPORT:
                found(board.estimates())
                reported = perf_counter()
    last = board.estimates()
    found(last)
    return last


def reckoned_board(
    problem: Problem, slot_name: str, beliefs: Beliefs, log10_total: float | None
) -> CandidateBoard:
    """All that is known of an entry's candidates with no word placed; KeyError for an entry not there."""
    board = CandidateBoard(problem, problem.slot_numbers[slot_name])
    board.propagate()
    if problem.root.is_possible:
        board.believe(beliefs, log10_total)
    return board
