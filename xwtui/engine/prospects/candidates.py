"""What each candidate of an entry costs, stage by stage: each stage tells more than the one before."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from xwtui.engine.building.assemble import with_longer_trail
from xwtui.engine.counting.belief import Beliefs, believe
from xwtui.engine.crew import never
from xwtui.engine.kernels.try_rows import NOBODY, SURVIVES, try_rows
from xwtui.engine.outcome import Outcome
from xwtui.engine.problem import Problem
from xwtui.engine.prospects.board import Board
from xwtui.engine.prospects.prospect import Prospect
from xwtui.engine.prospects.trials import Trial
from xwtui.errors import EngineError

_ROWS_A_SLICE = 8
"""Words placed one after the other between two looks at the clock: some milliseconds."""
_SECONDS_A_REPORT = 0.1
_SECONDS_A_WORD = 0.1
"""For the beliefs with one word in place."""
_RUNS = 4
"""Runs of particles for a word in view."""

Found = Callable[[tuple[Prospect, ...]], None]
View = Callable[[], Sequence[str]]


@dataclass(frozen=True)
class Patience:
    """When to stop."""

    deadline: float
    cancelled: Callable[[], bool]

    @property
    def is_over(self) -> bool:
        """Whether time or caller end it."""
        return self.cancelled() or perf_counter() >= self.deadline


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
) -> tuple[Prospect, ...]:
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
    board = Board(problem, slot)
    found(board.prospects())
    if patience.is_over:
        return board.prospects()
    board.propagate()
    found(board.prospects())
    if problem.root.is_possible and not patience.is_over:
        beliefs = beliefs or believe(problem, cancelled=cancelled)
        board.believe(beliefs, beliefs.log10_bethe if log10_total is None else log10_total)
        found(board.prospects())
        if not place:
            return board.prospects()
        reported = perf_counter()
        for _ in _Steps(board, beliefs, log10_total, seed, threads, prove, patience).run(in_view):
            if perf_counter() - reported >= _SECONDS_A_REPORT:
                found(board.prospects())
                reported = perf_counter()
    last = board.prospects()
    found(last)
    return last


class _Steps:
    """The stages that take one word after the other; each step yields."""

    def __init__(
        self,
        board: Board,
        beliefs: Beliefs,
        log10_total: float | None,
        seed: int,
        threads: int,
        prove: bool,
        patience: Patience,
    ) -> None:
        self._board = board
        self._log10_bethe = beliefs.log10_bethe
        self._correction = (
            0.0 if log10_total is None or beliefs.log10_bethe is None else log10_total - beliefs.log10_bethe
        )
        self._seed, self._threads, self._prove, self._patience = seed, threads, prove, patience
        self._state = board.problem.new_state()
        self._trials: dict[str, Trial] = {}
        self._done: set[tuple[str, str]] = set()
        self._untried = (
            np.flatnonzero(board.killers == SURVIVES) if board.killers is not None else np.zeros(0, int)
        )

    def run(self, in_view: View) -> Iterator[None]:
        """Go on until all is done or patience ends: words in view first, each stage for all of them."""
        while not self._patience.is_over:
            task = self._next_in_view(in_view())
            if task is not None:
                stage, word = task
                self._done.add(task)
                getattr(self, stage)(word)
            elif len(self._untried):
                self._place(self._untried[:_ROWS_A_SLICE])
                self._untried = self._untried[_ROWS_A_SLICE:]
            else:
                return
            yield

    def _next_in_view(self, words: Sequence[str]) -> tuple[str, str] | None:
        stages = ["_place_word", "_believe", *(["_prove_word"] if self._prove else []), "_count"]
        for stage in stages:
            for word in words:
                if (stage, word) not in self._done and self._board.row(word) is not None:
                    return stage, word
        return None

    def _place(self, rows: np.ndarray) -> None:
        killers = np.full(len(rows), NOBODY, np.int32)
        done = 0
        problem = self._board.problem
        while done < len(rows):
            done = try_rows(problem.network, self._state, self._board.slot, rows, killers, done, len(rows))
            if done < len(rows):
                self._state = with_longer_trail(self._state)
        assert self._board.killers is not None
        self._board.killers[rows] = killers

    def _place_word(self, word: str) -> None:
        self._place(np.array(self._board.rows_of(word), np.int64))

    def _trial(self, word: str) -> Trial:
        row = self._board.row(word)
        assert row is not None
        if word not in self._trials:
            self._trials[word] = Trial(self._board.problem, self._board.slot, row, seed=self._seed)
        return self._trials[word]

    def _believe(self, word: str) -> None:
        estimate = self._trial(word).counter.bethe(seconds=_SECONDS_A_WORD, cancelled=self._patience.cancelled)
        if estimate.log10 is not None and not self._patience.cancelled():
            exact = estimate.exact is not None
            self._board.refined[word] = estimate.log10 + (0.0 if exact else self._correction)

    def _prove_word(self, word: str) -> None:
        trial = self._trial(word)
        outcome = trial.prove(self._patience.deadline, self._patience.cancelled)
        if outcome is Outcome.FILLED:
            self._board.fills[word] = trial.fill
        elif outcome is Outcome.IMPOSSIBLE and self._board.problem.tables[self._board.slot].is_plain:
            self._board.hopeless.add(word)

    def _count(self, word: str) -> None:
        left = self._patience.deadline - perf_counter()
        estimate = self._trial(word).counter.refine(
            seconds=None if left == math.inf else max(left, 0.0),
            runs=_RUNS,
            threads=self._threads,
            cancelled=self._patience.cancelled,
        )
        if estimate.log10 is not None and not estimate.rough:
            self._board.refined[word] = estimate.log10
