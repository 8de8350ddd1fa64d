"""Partial fills: the most squares that can be filled where a complete fill cannot be had.

A partial fill is a set of entries with answers: each an allowed word (or given), all different, and in
agreement where they cross. A square is filled if it is given or in such an entry. An entry whose squares
are all filled has an answer; the others are open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from time import perf_counter

from xwtui.engine.crew import SECONDS_A_SLICE, Crew, never
from xwtui.engine.filler import Filler
from xwtui.engine.outcome import Outcome
from xwtui.engine.partial_fills.coverage import Coverage, PartialAnswers
from xwtui.engine.partial_fills.hole_search import HoleSearch, decided_rows
from xwtui.engine.partial_fills.stopped import StoppedEntry, stopped_entries
from xwtui.engine.problem import Problem
from xwtui.engine.relaxation import Relaxer
from xwtui.engine.warmup import warm_up
from xwtui.model import Content, Position

ENOUGH_ROUNDS = 400
"""Rounds without a better partial fill after which a search without a deadline ends."""

_ROUNDS_AT_BOUND = 60
"""The same where no partial fill can have more squares, and only scores could be better."""

_COMPLETE_NODES = 500
"""Nodes that the search for a complete fill takes between two rounds."""

_SECONDS_A_REPORT = 0.1


@dataclass(frozen=True)
class PartialFill:
    """A partial fill; or a complete one, where `open` is 0."""

    outcome: Outcome
    """FILLED where nothing is open and all rules are met; IMPOSSIBLE where that is proved not to be; UNKNOWN
    after the deadline, or CANCELLED."""
    squares: Mapping[Position, Content]
    """The content of each filled square of an entry, given ones among them; of a selection those in it."""
    answers: Mapping[str, str]
    """The answer of each entry that is not open, by its name."""
    filled: int
    open: int
    """Squares of entries that are filled, and left empty."""
    mean_score: float
    """Of the answers that are not given whole; 0 where there are none."""
    stopped: tuple[StoppedEntry, ...]
    """The open entries, in the order of the grid, and why each is; none are told while the search goes on."""
    rounds: int
    """Regions refilled in the search, all threads together."""


def partial_fill(
    problem: Problem,
    *,
    seconds: float | None = None,
    seed: int = 0,
    threads: int = 1,
    rounds: int | None = None,
    cancelled: Callable[[], bool] = never,
    progress: Callable[[PartialFill], None] | None = None,
) -> PartialFill:
    """Fill as many squares as the time allows, with the most score among as many squares.

    It ends with a complete fill, after `seconds`, after so many rounds of each thread, soon after
    `cancelled` says so, and, without seconds and rounds, when it no longer gets better.
    With one thread and a number of rounds the same seed makes the same fill on every machine.
    What the rules want at least (wanted words, letters, new rebus squares) is not asked of a partial fill.
    `progress` is called in the caller's thread, ten times a second at most, while it gets better.
    """
    warm_up(counting=False, improving=not problem.demands.is_empty)
    search = _PartialSearch(problem, seed, rounds, progress)
    crew = Crew(threads, seconds, cancelled, search.report)
    return search.run(crew)


class _PartialSearch:
    """Workers that look for complete and for partial fills by turns, and share the best."""

    def __init__(
        self, problem: Problem, seed: int, rounds: int | None, progress: Callable[[PartialFill], None] | None
    ) -> None:
        self._problem = problem
        self._seed = seed
        self._most_rounds = rounds
        self._progress = progress
        self._coverage = Coverage(problem)
        self._relaxer = Relaxer(problem)
        self._is_impossible = not problem.root.is_possible
        self._is_complete = False
        self._asks_more = problem.demands.asks_for_more
        self._lock = Lock()
        self._best = self._told = self._coverage.given_answers
        self._last_better = self._rounds = 0
        self._told_at = perf_counter()

    def run(self, crew: Crew) -> PartialFill:
        """Work until something ends it."""
        crew.run(lambda worker: self._work(worker, crew))
        if self._is_complete or not (self._best.holes or self._asks_more):
            outcome = Outcome.FILLED
        elif crew.was_cancelled:
            outcome = Outcome.CANCELLED
        else:
            outcome = Outcome.IMPOSSIBLE if self._is_impossible else Outcome.UNKNOWN
        return self._result(self._best, outcome)

    def _work(self, worker: int, crew: Crew) -> None:
        """Search for a complete fill and play rounds, by turns."""

        def is_over() -> bool:
            return crew.is_over(worker)

        filler = Filler(self._problem, seed=self._seed, worker=worker)
        search = HoleSearch(self._coverage, self._relaxer, seed=self._seed, worker=worker, is_over=is_over)
        played = 0
        while not is_over() and not self._is_enough(played, crew):
            self._try_complete(filler, search, is_over)
            if not is_over() and not self._is_complete:
                search.offer(self._best)
                search.play_round()
                played += 1
            self._share(search.best)

    def _try_complete(self, filler: Filler, search: HoleSearch, is_over: Callable[[], bool]) -> None:
        """Go on with the search for a complete fill, and take what it has on the grid."""
        if self._is_impossible or filler.outcome.is_final:
            return
        last = filler.statistics.nodes + _COMPLETE_NODES
        while filler.outcome is Outcome.RUNNING and filler.statistics.nodes < last and not is_over():
            filler.advance(nodes=last - filler.statistics.nodes, seconds=SECONDS_A_SLICE)
        if filler.outcome is Outcome.IMPOSSIBLE:
            self._is_impossible = True
        else:
            self._is_complete |= filler.outcome is Outcome.FILLED
            search.offer(PartialAnswers(self._coverage, decided_rows(filler)))

    def _share(self, answers: PartialAnswers) -> None:
        with self._lock:
            self._rounds += 1
            if answers.rank > self._best.rank:
                self._best = answers
                self._last_better = self._rounds

    def _is_enough(self, played: int, crew: Crew) -> bool:
        """Whether more rounds are not wanted, or are not worth their time."""
        empty = len(self._best.holes)
        if self._is_complete or (empty == 0 and not self._asks_more):
            return True
        if self._most_rounds is not None:
            return played >= self._most_rounds
        standstill = self._rounds - self._last_better
        if self._is_impossible and empty <= self._least_empty():
            return standstill >= _ROUNDS_AT_BOUND
        return not crew.has_deadline and standstill >= ENOUGH_ROUNDS

    def _least_empty(self) -> int:
        """Squares that every partial fill leaves empty, as far as that is proved."""
        return max(-(-len(self._coverage.wordless) // 2), int(self._is_impossible))

    def report(self) -> None:
        """Tell of a better partial fill, if the last report is a while ago."""
        now = perf_counter()
        if self._progress is None or now - self._told_at < _SECONDS_A_REPORT or self._best is self._told:
            return
        self._told, self._told_at = self._best, now
        self._progress(self._result(self._best, Outcome.RUNNING))

    def _result(self, answers: PartialAnswers, outcome: Outcome) -> PartialFill:
        return PartialFill(
            outcome=outcome,
            squares=answers.squares(),
            answers=answers.words(),
            filled=len(answers.coverage.asked & answers.codes.keys()),
            open=len(answers.holes),
            mean_score=answers.mean_score,
            stopped=() if outcome is Outcome.RUNNING else stopped_entries(answers),
            rounds=self._rounds,
        )
