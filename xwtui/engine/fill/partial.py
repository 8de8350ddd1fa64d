"""Partial fills: filling as many squares as possible when no whole fill exists, and explaining the open entries.

A partial fill is a set of entries with answers. Each answer is an allowed word (or given), all answers differ
except given ones, and they agree where they cross. A square is filled if it is given or in such an entry. An entry
whose squares are all filled has an answer; the others are open.

The method is large-neighborhood search, after Shaw, "Using constraint programming and local search methods to
solve vehicle routing problems", CP 1998. A hole is a square left empty, and the entries through it are released. A
round closes some holes, frees some answers around them, and searches. As long as that fails, it digs another hole
at a crossing that the search blames. A round ends with fewer holes, or when it would need more than before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from random import Random
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass
from xwtui.engine.budget import NO_LIMIT, Budget, Workers
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.kernels.network import MATES
from xwtui.engine.kernels.state import FAILED_RIVAL, FAILED_SLOT
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import why_impossible
from xwtui.engine.problem.task import nothing_fits, why_no_word
from xwtui.engine.problem.variants import Relaxer
from xwtui.engine.warmup import warm_up
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position

with lazy_imports():
    from xwtui.engine.problem.no_fill import CrossingConflict, NoFilling, Reason, SameAnswer, WordsTaken


class Coverage:
    """The squares and slots of a problem, by number, as needed for partial fills."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.squares_of = tuple(tuple(squares.tolist()) for squares in problem.slot_squares)
        """The squares of each slot."""
        through: list[list[int]] = [[] for _ in problem.positions]
        for slot, squares in enumerate(self.squares_of):
            for square in squares:
                through[square].append(slot)
        self.slots_of = tuple(map(tuple, through))
        """The slots through each square."""
        self.given: Mapping[int, int] = {
            number: problem.symbols.code(content)
            for number, content in enumerate(problem.squares.split_contents(problem.task.given))
            if content is not None
        }
        """The code of each given square."""
        self.wordless = tuple(slot for slot, table in enumerate(problem.tables) if table.rows == 0)
        """The slots without any candidate."""
        self.squares_to_fill = frozenset(np.flatnonzero(problem.required_squares).tolist())
        """The squares to fill: those of the required entries."""

    @cached_property
    def whole_given(self) -> frozenset[int]:
        """The slots whose squares are all given."""
        return frozenset(slot for slot, squares in enumerate(self.squares_of) if self.given.keys() >= {*squares})

    @property
    def given_answers(self) -> PartialAnswers:
        """The partial fill of what is given alone; the table of a completely given entry has one row."""
        return PartialAnswers(self, dict.fromkeys(self.whole_given, 0))

    @cached_property
    def repeated(self) -> SameAnswer | None:
        """The first two entries given the same answer although answers must differ; None if there are none."""
        problem, starts = self.problem, self.problem.network.slots[:, MATES].tolist()
        for slot in sorted(self.whole_given):
            for other in sorted(problem.network.mates[starts[slot] : starts[slot + 1]].tolist()):
                words = problem.tables[slot].words, problem.tables[other].words
                if other > slot and other in self.whole_given and words[0][0] == words[1][0]:
                    names = problem.slots[slot].name, problem.slots[other].name
                    return SameAnswer(names, problem.answer(slot, 0))
        return None

    def through(self, squares: Iterable[int]) -> set[int]:
        """Return the slots through any of these squares."""
        return {slot for square in squares for slot in self.slots_of[square]}

    def lost(self, loose: Collection[int]) -> set[int]:
        """Return the squares to fill that stay empty without these slots: not given, and in no other slot."""
        return {
            square
            for slot in loose
            for square in self.squares_of[slot]
            if square in self.squares_to_fill
            and square not in self.given
            and all(other in loose for other in self.slots_of[square])
        }

    def neighbours(self, slot: int) -> set[int]:
        return self.through(self.squares_of[slot]) - {slot}


@dataclass(frozen=True, eq=False)
class PartialAnswers:
    """The entries of a partial fill: the row of each slot that has an answer."""

    coverage: Coverage
    rows: Mapping[int, int]

    @cached_property
    def codes(self) -> Mapping[int, int]:
        """The code of each filled square: given, or in an answer."""
        codes = dict(self.coverage.given)
        for slot, row in self.rows.items():
            symbols = self.coverage.problem.tables[slot].symbols[row].tolist()
            codes.update(zip(self.coverage.squares_of[slot], symbols, strict=True))
        return codes

    @cached_property
    def holes(self) -> frozenset[int]:
        """The squares to fill that are empty."""
        return self.coverage.squares_to_fill - self.codes.keys()

    @cached_property
    def scores(self) -> list[int]:
        """The scores of the answers that are not completely given."""
        found = self.rows.keys() - self.coverage.whole_given
        return [self.coverage.problem.score(slot, self.rows[slot]) for slot in found]

    @property
    def mean_score(self) -> float:
        """The mean of the scores; 0 if there are none."""
        return sum(self.scores) / len(self.scores) if self.scores else 0.0

    @property
    def rank(self) -> tuple[int, int]:
        """The order of partial fills: by squares filled, then by total score, with 0 for open entries."""
        return -len(self.holes), sum(self.scores)

    def squares(self) -> dict[Position, Content]:
        """Return the content of each filled square, with a selection only those inside it."""
        problem = self.coverage.problem
        codes = map(self.codes.get, range(len(problem.positions)))
        return problem.written(None if code is None else problem.symbols.contents[code] for code in codes)

    def words(self) -> dict[str, str]:
        """Return the answer of each entry that has one, by the entry's name."""
        problem = self.coverage.problem
        return {problem.slots[slot].name: problem.word(slot, row) for slot, row in self.rows.items()}


_LEAST_NODES, _MOST_NODES = 50, 5_000
"""Limits on the nodes of each search in a round, from a fresh start to a long stagnation."""
_PATIENCE = 20
"""Rounds without progress after which the node limit doubles."""
_EASY_FAILURES = 3
"""Failures in a round after which it digs more than one hole at a time."""

_ANYWHERE = 0.2
"""Probability of digging a hole, or freeing a slot, at a random place, because blame and proximity may mislead."""


class HoleSearch:
    """One worker's search: `current` never loses squares, and `best` is the best partial fill so far."""

    def __init__(
        self, coverage: Coverage, relaxer: Relaxer, *, seed: int, worker: int, is_over: Callable[[], bool]
    ) -> None:
        self._coverage = coverage
        self._relaxer = relaxer
        self._worker = worker
        self._is_over = is_over
        self._random = Random(f"{seed} {worker}")
        self._standstill = 0
        self.current = self.best = coverage.given_answers

    def offer(self, answers: PartialAnswers) -> None:
        """Take over a partial fill found elsewhere, if it is better."""
        if len(answers.holes) < len(self.current.holes):
            self.current = answers
        if answers.rank > self.best.rank:
            self.best = answers
            self._standstill = 0

    def play_round(self) -> None:
        """Try to refill one region with fewer holes, or with as few holes and better words."""
        self._standstill += 1
        before = self.current
        closed = self._closed_holes()
        freed = self._freed_slots(closed)
        kept = dict(self._coverage.given)
        for slot in before.rows.keys() - freed:
            kept.update((square, before.codes[square]) for square in self._coverage.squares_of[slot])
        holes = set(before.holes) - closed
        self._dig_for_wordless(holes, kept)
        failures = 0
        while not self._is_over():
            loose = self._coverage.through(holes)
            if len(self._coverage.lost(loose)) > len(self.current.holes):
                return
            filler = Filler(
                self._relaxer.relax(loose, kept), seed=self._random.getrandbits(30), worker=self._worker
            )
            filler.resume(min(_LEAST_NODES << (self._standstill // _PATIENCE), _MOST_NODES), self._is_over)
            self._note(filler, loose)
            if filler.outcome is Outcome.FILLED:
                return
            failures += 1
            for _ in range(1 + failures // _EASY_FAILURES):
                if not self._dig(filler, holes, kept):
                    return

    def _closed_holes(self) -> set[int]:
        """Choose the holes to close in a round: usually a few near each other, sometimes all."""
        holes = sorted(self.current.holes)
        if not holes or self._random.random() < 0.2:
            return set(holes)
        row, column = self._coverage.problem.positions[self._random.choice(holes)]
        positions = self._coverage.problem.positions
        reach = self._random.choice((0, 1, 2, 4, 8))
        return {
            hole
            for hole in holes
            if abs(positions[hole].row - row) + abs(positions[hole].column - column) <= reach
        }

    def _freed_slots(self, closed: Collection[int]) -> set[int]:
        """Choose the slots to free: those through the closed holes, and a random number of others around them."""
        coverage = self._coverage
        slots = len(coverage.squares_of)
        freed = coverage.through(closed)
        if not closed:
            freed = {self._random.randrange(slots)} if slots else set()
        wanted = len(freed) + int(slots ** self._random.random())
        order = sorted(freed)
        while len(freed) < min(wanted, slots):
            near = sorted(coverage.neighbours(self._random.choice(order)))
            is_near = near and self._random.random() >= _ANYWHERE
            chosen = self._random.choice(near) if is_near else self._random.randrange(slots)
            if chosen not in freed:
                freed.add(chosen)
                order.append(chosen)
        return freed

    def _note(self, filler: Filler, loose: Collection[int]) -> None:
        """Take over the result of a search, whether a whole fill or only some answers."""
        if filler.outcome is Outcome.IMPOSSIBLE:
            return
        decided = filler.problem.decided_rows(filler.state)
        found = PartialAnswers(self._coverage, {slot: row for slot, row in decided if slot not in loose})
        fewer = len(self.current.holes) - len(found.holes)
        if fewer > 0 or (fewer == 0 and (found.rank >= self.current.rank or self._random.random() < 0.5)):
            self.current = found
        if found.rank > self.best.rank:
            self.best = found
            self._standstill = 0

    def _dig_for_wordless(self, holes: set[int], kept: Collection[int]) -> None:
        """Dig a hole in each slot without candidates (unless it has one), where it harms the fewest slots."""
        for slot in self._coverage.wordless:
            squares = self._coverage.squares_of[slot]
            free = [square for square in squares if square not in kept]
            if holes.isdisjoint(squares) and free:
                harm = {
                    square: sum(other not in self._coverage.wordless for other in self._coverage.slots_of[square])
                    for square in free
                }
                least = min(harm.values())
                choices = [square for square in free if harm[square] == least or self._random.random() < 0.1]
                holes.add(self._random.choice(choices))

    def _dig(self, filler: Filler, holes: set[int], kept: Collection[int]) -> bool:
        """Dig one more hole, at random, weighted by the search's blame; False if no square is left."""
        lost = self._coverage.lost(self._coverage.through(holes))
        free = [
            square
            for square in sorted(self._coverage.squares_to_fill)
            if square not in kept and square not in lost
        ]
        if not free:
            return False
        if self._random.random() < _ANYWHERE:
            holes.add(self._random.choice(free))
            return True
        blame = blamed_squares(filler, len(self._coverage.slots_of))
        weights = [float(blame[square]) ** 2 + 1e-6 for square in free]
        holes.add(self._random.choices(free, weights)[0])
        return True


def blamed_squares(filler: Filler, squares: int) -> NDArray[np.float64]:
    """Return the share of blame of each square for a search's dead ends, at most 1; shape (squares,)."""
    problem, state = filler.problem, filler.state
    if problem.root.is_possible:
        blame = filler.square_weights[:squares] - 1.0
    else:
        blame = np.zeros(squares)
        for slot in (int(state.control[FAILED_SLOT]), int(state.control[FAILED_RIVAL])):
            failed = problem.slot_squares[slot] if slot >= 0 else np.zeros(0, np.int64)
            blame[failed[failed < squares]] = 1.0
    highest = float(blame.max(initial=0.0))
    result: NDArray[np.float64] = blame / highest if highest > 0 else blame
    return result


class StoppedEntry(NamedTuple):
    """An entry that a partial fill leaves open, and the reason."""

    entry: str
    reason: Reason


def stopped_entries(answers: PartialAnswers) -> tuple[StoppedEntry, ...]:
    """Return the open entries and their reasons, in grid order."""
    problem = answers.coverage.problem
    finder = _StoppedEntries(answers)
    return tuple(
        StoppedEntry(entry.name, finder.why_open(slot))
        for slot, entry in enumerate(problem.slots)
        if problem.is_required[slot] and slot not in answers.rows
    )


class _StoppedEntries:
    """Finds why entries of a partial fill are open, and caches what it finds about each entry."""

    def __init__(self, answers: PartialAnswers) -> None:
        self._answers = answers
        self._problem = problem = answers.coverage.problem
        self._takers = {
            int(problem.tables[slot].words[row]): problem.slots[slot].name for slot, row in answers.rows.items()
        }
        self._rows: dict[int, NDArray[np.intp]] = {}

    def why_open(self, slot: int) -> Reason:
        """Return why an open entry has no answer."""
        problem = self._problem
        if problem.tables[slot].rows == 0:
            return why_no_word(problem.task, problem.slots[slot])
        contents, fitting = problem.symbols.contents, self._fitting_rows(slot)
        codes = (self._answers.codes.get(square) for square in self._answers.coverage.squares_of[slot])
        pattern = "".join("?" if code is None else str(contents[code]) for code in codes)
        if not len(fitting):
            return nothing_fits(problem.task, problem.slots[slot], pattern)
        if not problem.task.allow_repeats and len(fitting) <= len(self._takers):
            found = map(self._takers.get, problem.tables[slot].words[fitting].tolist())
            takers = tuple(taker for taker in found if taker is not None)
            if len(takers) == len(fitting):
                return WordsTaken(pattern, len(fitting), problem.word(slot, int(fitting[0])), takers)
        return self._crossing_wants(slot, pattern) or NoFilling(pattern, len(fitting))

    def _fitting_rows(self, slot: int) -> NDArray[np.intp]:
        """Return the rows of a slot's table that agree with the filled squares."""
        rows = self._rows.get(slot)
        if rows is None:
            symbols, codes = self._problem.tables[slot].symbols, self._answers.codes
            fits = np.ones(len(symbols), bool)
            for index, square in enumerate(self._answers.coverage.squares_of[slot]):
                if square in codes:
                    fits &= symbols[:, index] == codes[square]
            rows = self._rows[slot] = np.flatnonzero(fits)
        return rows

    def _crossing_wants(self, slot: int, pattern: str) -> CrossingConflict | None:
        """Return a crossing that needs other letters than the entry at an empty square; None if there is none."""
        coverage, problem = self._answers.coverage, self._problem
        for index, square in enumerate(coverage.squares_of[slot]):
            for other in coverage.slots_of[square]:
                if square in self._answers.codes or other == slot or problem.tables[other].rows == 0:
                    continue
                wanted = self._codes_at(slot, index)
                if wanted.isdisjoint(self._codes_at(other, coverage.squares_of[other].index(square))):
                    letters = tuple(str(problem.symbols.contents[code]) for code in sorted(wanted))
                    return CrossingConflict(pattern, letters, problem.positions[square], problem.slots[other].name)
        return None

    def _codes_at(self, slot: int, index: int) -> set[int]:
        """Return the symbols of an entry's fitting words at one of its squares."""
        table, rows = self._problem.tables[slot], self._fitting_rows(slot)
        if len(rows) < table.rows:
            return set(np.unique(table.symbols[rows, index]).tolist())
        return set(np.flatnonzero(table.row_counts.reshape(-1, table.symbol_count)[index]).tolist())


ENOUGH_ROUNDS = 400
"""A search without a deadline ends after this many rounds without improvement."""

PATIENT_ROUNDS = 10 * ENOUGH_ROUNDS
"""The same with a deadline: the search should use its time, but not waste it on a small grid."""

_ROUNDS_AT_BOUND = 60
"""The same if no partial fill can have more squares, so that only scores could improve."""

_COMPLETE_NODES = 500
"""Nodes spent on the search for a complete fill between two rounds."""


@dataclass(frozen=True)
class PartialFill:
    """A partial fill, or a complete one if `open` is 0."""

    outcome: Outcome
    """FILLED if nothing is open, answers differ and all rules are met; IMPOSSIBLE if that is proved impossible.

    Otherwise UNKNOWN after the deadline, or CANCELLED.
    """
    squares: Mapping[Position, Content]
    """The content of each filled square of an entry, given or not; with a selection, only those inside it."""
    answers: Mapping[str, str]
    """The answer of each entry that is not open, by the entry's name."""
    filled: int
    open: int
    """Numbers of squares in entries that are filled and left empty."""
    mean_score: float
    """Of the answers that are not completely given; 0 if there are none."""
    stopped: tuple[StoppedEntry, ...]
    """The open entries and their reasons, in grid order; empty while the search is running."""
    rounds: int
    """Regions refilled, by all threads together."""
    at_odds: Reason | None = None
    """Why the given squares allow no fill, whichever entries are open.

    None if they may allow one, and while the search is running.
    """


def partial_fill(
    problem: Problem,
    budget: Budget = NO_LIMIT,
    *,
    rounds: int | None = None,
    progress: Callable[[PartialFill], None] | None = None,
) -> PartialFill:
    """Fill as many squares as the time allows; among equal numbers of squares, prefer the highest total score.

    It ends with a complete fill, when its seconds are over, after `rounds` rounds of each thread, or soon after
    `stop` returns True. Without `rounds`, it also ends after a long time without improvement: after ENOUGH_ROUNDS,
    or PATIENT_ROUNDS with a time limit. With one thread and a number of rounds, the same seed gives the same fill
    on every machine. Minimum requirements of the rules (wanted words, letters, new rebus squares) do not apply to
    a partial fill. Raises EngineError if pairs of squares may differ. `progress` is called in the caller's thread,
    at most ten times a second, as the fill improves.
    """
    for pairs in problem.constraints.pairs:
        raise EngineError(
            f"partial fills do not support {pairs.verb} squares; use `{pairs.verb} off`, or fill the whole grid"
        )
    warm_up(counting=False, improving=not problem.constraints.is_empty)
    search = _PartialSearch(problem, budget.seed, rounds)
    if progress is not None:
        budget = budget.reporting(lambda: search.report(progress))
    return search.run(Workers(budget))


class _PartialSearch:
    """Workers that alternate between searching for complete and for partial fills, and share the best."""

    def __init__(self, problem: Problem, seed: int, rounds: int | None) -> None:
        self._problem = problem
        self._seed = seed
        self._most_rounds = rounds
        self._coverage = Coverage(problem)
        self._relaxer = Relaxer(problem)
        self._is_impossible = not problem.root.is_possible
        self._is_complete = False
        self._asks_more = problem.constraints.has_minimums
        self._lock = Lock()
        self._best = self._reported = self._coverage.given_answers
        self._last_better = self._rounds = 0

    def run(self, workers: Workers) -> PartialFill:
        workers.run(lambda worker: self._work(worker, workers))
        if self._is_complete or not (self._best.holes or self._asks_more or self._is_impossible):
            outcome = Outcome.FILLED
        else:
            outcome = workers.limit.unfinished_outcome
            if self._is_impossible and outcome is Outcome.UNKNOWN:
                outcome = Outcome.IMPOSSIBLE
        return self._result(self._best, outcome)

    def _work(self, worker: int, workers: Workers) -> None:
        """Alternate between the search for a complete fill and rounds."""

        def is_over() -> bool:
            return workers.is_over(worker)

        filler = Filler(self._problem, seed=self._seed, worker=worker)
        search = HoleSearch(self._coverage, self._relaxer, seed=self._seed, worker=worker, is_over=is_over)
        played = 0
        while not is_over() and not self._is_enough(played, workers):
            if not (self._is_impossible or filler.outcome.is_final):
                # Continue the search for a complete fill, and offer its partial result.
                if filler.resume(_COMPLETE_NODES, is_over) is Outcome.IMPOSSIBLE:
                    self._is_impossible = True
                else:
                    self._is_complete |= filler.outcome is Outcome.FILLED
                    search.offer(PartialAnswers(self._coverage, dict(filler.problem.decided_rows(filler.state))))
            if not is_over() and not self._is_complete:
                search.offer(self._best)
                search.play_round()
                played += 1
            with self._lock:
                self._rounds += 1
                if search.best.rank > self._best.rank:
                    self._best = search.best
                    self._last_better = self._rounds

    def _is_enough(self, played: int, workers: Workers) -> bool:
        """Whether no more rounds are wanted or worth their time."""
        empty = len(self._best.holes)
        if self._is_complete or (empty == 0 and not self._asks_more):
            return True
        if self._most_rounds is not None:
            return played >= self._most_rounds
        standstill = self._rounds - self._last_better
        proved_empty = max(-(-len(self._coverage.wordless) // 2), int(self._is_impossible))
        if self._is_impossible and empty <= proved_empty:
            return standstill >= _ROUNDS_AT_BOUND
        return standstill >= (PATIENT_ROUNDS if workers.limit.budget.seconds is not None else ENOUGH_ROUNDS)

    def report(self, progress: Callable[[PartialFill], None]) -> None:
        """Report the best partial fill if it has changed since the last report."""
        if self._best is not self._reported:
            self._reported = self._best
            progress(self._result(self._reported, Outcome.RUNNING))

    def _result(self, answers: PartialAnswers, outcome: Outcome) -> PartialFill:
        positions = self._problem.positions
        is_over = outcome is not Outcome.RUNNING
        stopped = stopped_entries(answers) if is_over else ()
        at_odds: Reason | None = answers.coverage.repeated if is_over else None
        if outcome is Outcome.IMPOSSIBLE and not stopped:
            at_odds = at_odds or why_impossible(self._problem)
        return PartialFill(
            outcome=outcome,
            squares=answers.squares(),
            answers=answers.words(),
            filled=len({positions[square] for square in answers.coverage.squares_to_fill & answers.codes.keys()}),
            open=len(answers.holes),
            mean_score=answers.mean_score,
            stopped=stopped,
            rounds=self._rounds,
            at_odds=at_odds,
        )
