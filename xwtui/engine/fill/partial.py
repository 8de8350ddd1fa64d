"""Partial fills: the most squares that can be filled where no whole fill exists, and why the rest stay open.

A partial fill is a set of entries with answers: each an allowed word (or given), all different, and in
agreement where they cross. A square is filled if it is given or in such an entry. An entry whose squares
are all filled has an answer; the others are open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.partial_search import Coverage, HoleSearch, PartialAnswers, decided_rows
from xwtui.engine.fill.workers import SECONDS_A_SLICE, Workers, never
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import why_no_word
from xwtui.engine.problem.variants import Relaxer
from xwtui.engine.warmup import warm_up
from xwtui.errors import EngineError
from xwtui.model import Content, Position
from xwtui.text import listed

_MOST_LETTERS = 4
"""Letters that a reason names; of more it only counts the words."""


class StoppedEntry(NamedTuple):
    """An entry that a partial fill leaves open, and why."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


def stopped_entries(answers: PartialAnswers) -> tuple[StoppedEntry, ...]:
    """The open entries, in the order of the grid, and why each is."""
    problem = answers.coverage.problem
    look = _StoppedEntries(answers)
    return tuple(
        StoppedEntry(entry.name, look.why_open(slot))
        for slot, entry in enumerate(problem.slots)
        if problem.is_required[slot] and slot not in answers.rows
    )


class _StoppedEntries:
    """A look at a partial fill, which remembers what it has found out about each entry."""

    def __init__(self, answers: PartialAnswers) -> None:
        self._answers = answers
        self._problem = problem = answers.coverage.problem
        self._takers = {
            int(problem.tables[slot].words[row]): problem.slots[slot].name for slot, row in answers.rows.items()
        }
        self._rows: dict[int, NDArray[np.intp]] = {}

    def why_open(self, slot: int) -> str:
        """Why an open entry has no answer."""
        problem = self._problem
        if problem.tables[slot].rows == 0:
            return why_no_word(problem.task, problem.slots[slot])
        fitting, pattern = self._fitting_rows(slot), self._pattern(slot)
        if not len(fitting):
            return f"no word fits {pattern}"
        takers = self._takers_of_all(slot, fitting)
        if len(fitting) == 1 and takers:
            return f"only {problem.word(slot, int(fitting[0]))} fits {pattern}, and {takers[0]} has it"
        if takers:
            return f"the {len(fitting)} words that fit {pattern} are all used: {listed(takers, 'and')} have them"
        clash = self._clash(slot)
        words = "1 word fits" if len(fitting) == 1 else f"{len(fitting):,} words fit"
        return f"{pattern} {clash}" if clash else f"{words} {pattern}, but no filling of its crossings was found"

    def _pattern(self, slot: int) -> str:
        contents = self._problem.symbols.contents
        codes = (self._answers.codes.get(square) for square in self._answers.coverage.squares_of[slot])
        return "".join("?" if code is None else str(contents[code]) for code in codes)

    def _fitting_rows(self, slot: int) -> NDArray[np.intp]:
        """The rows of a slot's table that agree with the squares filled."""
        rows = self._rows.get(slot)
        if rows is None:
            symbols, codes = self._problem.tables[slot].symbols, self._answers.codes
            fits = np.ones(len(symbols), bool)
            for index, square in enumerate(self._answers.coverage.squares_of[slot]):
                if square in codes:
                    fits &= symbols[:, index] == codes[square]
            rows = self._rows[slot] = np.flatnonzero(fits)
        return rows

    def _takers_of_all(self, slot: int, rows: NDArray[np.intp]) -> list[str]:
        """The entries that have the words of some rows, if they have every one."""
        if self._problem.allow_repeats or len(rows) > len(self._takers):
            return []
        takers = [self._takers.get(word) for word in self._problem.tables[slot].words[rows].tolist()]
        found = [taker for taker in takers if taker is not None]
        return found if len(found) == len(takers) else []

    def _clash(self, slot: int) -> str:
        """Say at which empty square an entry and its crossing want different letters; empty if nowhere."""
        coverage, problem = self._answers.coverage, self._problem
        for index, square in enumerate(coverage.squares_of[slot]):
            for other in coverage.slots_of[square]:
                if square in self._answers.codes or other == slot or problem.tables[other].rows == 0:
                    continue
                wanted = self._codes_at(slot, index)
                if wanted.isdisjoint(self._codes_at(other, coverage.squares_of[other].index(square))):
                    letters = [str(problem.symbols.contents[code]) for code in sorted(wanted)]
                    needs = (
                        listed(letters, "or")
                        if len(letters) <= _MOST_LETTERS
                        else f"one of {len(letters)} letters"
                    )
                    rival = problem.slots[other].name
                    return f"needs {needs} at {problem.positions[square]}, and {rival} can have none of these"
        return ""

    def _codes_at(self, slot: int, index: int) -> set[int]:
        """The symbols that an entry's fitting words have at one of its squares."""
        table, rows = self._problem.tables[slot], self._fitting_rows(slot)
        if len(rows) < table.rows:
            return set(np.unique(table.symbols[rows, index]).tolist())
        bits = table.supports.reshape(-1, table.symbol_count, table.width)[index]
        return set(np.flatnonzero(bits.any(axis=1)).tolist())


ENOUGH_ROUNDS = 400
"""Rounds without a better partial fill after which a search without a deadline ends."""

PATIENT_ROUNDS = 10 * ENOUGH_ROUNDS
"""The same for a search with a deadline, which is trusted to use its time, but not to stare at a small grid."""

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
    `cancelled` says so, and, where no rounds are said, when it has long not got better: after
    ENOUGH_ROUNDS, or PATIENT_ROUNDS where `seconds` bounds it.
    With one thread and a number of rounds the same seed makes the same fill on every machine.
    What the rules want at least (wanted words, letters, new rebus squares) is not asked of a partial fill.
    Raises EngineError where squares may clash.
    `progress` is called in the caller's thread, ten times a second at most, while it gets better.
    """
    if problem.constraints.clashes:
        raise EngineError("a partial fill knows no clash squares; `clash off` first, or fill the grid whole")
    warm_up(counting=False, improving=not problem.constraints.is_empty)
    search = _PartialSearch(problem, seed, rounds, progress)
    workers = Workers(threads, seconds, cancelled, search.report)
    return search.run(workers)


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
        self._asks_more = problem.constraints.asks_for_more
        self._lock = Lock()
        self._best = self._told = self._coverage.given_answers
        self._last_better = self._rounds = 0
        self._told_at = perf_counter()

    def run(self, workers: Workers) -> PartialFill:
        """Work until something ends it."""
        workers.run(lambda worker: self._work(worker, workers))
        if self._is_complete or not (self._best.holes or self._asks_more):
            outcome = Outcome.FILLED
        elif workers.was_cancelled:
            outcome = Outcome.CANCELLED
        else:
            outcome = Outcome.IMPOSSIBLE if self._is_impossible else Outcome.UNKNOWN
        return self._result(self._best, outcome)

    def _work(self, worker: int, workers: Workers) -> None:
        """Search for a complete fill and play rounds, by turns."""

        def is_over() -> bool:
            return workers.is_over(worker)

        filler = Filler(self._problem, seed=self._seed, worker=worker)
        search = HoleSearch(self._coverage, self._relaxer, seed=self._seed, worker=worker, is_over=is_over)
        played = 0
        while not is_over() and not self._is_enough(played, workers):
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

    def _is_enough(self, played: int, workers: Workers) -> bool:
        """Whether more rounds are not wanted, or are not worth their time."""
        empty = len(self._best.holes)
        if self._is_complete or (empty == 0 and not self._asks_more):
            return True
        if self._most_rounds is not None:
            return played >= self._most_rounds
        standstill = self._rounds - self._last_better
        if self._is_impossible and empty <= self._least_empty():
            return standstill >= _ROUNDS_AT_BOUND
        return standstill >= (PATIENT_ROUNDS if workers.has_deadline else ENOUGH_ROUNDS)

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
        positions = self._problem.positions
        return PartialFill(
            outcome=outcome,
            squares=answers.squares(),
            answers=answers.words(),
            filled=len({positions[square] for square in answers.coverage.asked & answers.codes.keys()}),
            open=len(answers.holes),
            mean_score=answers.mean_score,
            stopped=() if outcome is Outcome.RUNNING else stopped_entries(answers),
            rounds=self._rounds,
        )
