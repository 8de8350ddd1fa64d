"""Finding what each candidate of an entry costs, in stages: matched, propagated, placed, proved.

The results of the stages are kept on a board, row by row of the entry's table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from time import perf_counter
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Unpack

from xwtui.dataclasses import dataclass, field, replace
from xwtui.engine.budget import REPORTING_SECONDS, Budget, TimeLimit
from xwtui.engine.candidates.estimate import SURE_POWERS, CandidateEstimate, CandidateStanding
from xwtui.engine.candidates.options import is_unlisted
from xwtui.engine.candidates.rows import CandidateRows, ListedWords
from xwtui.engine.count.belief import Beliefs, believe
from xwtui.engine.count.estimator import Counter
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.kernels.network import CROSSING, PLACES, SQUARE, SYMBOLS
from xwtui.engine.kernels.propagate.propagate import NOBODY, SURVIVES, UNTRIED, try_rows
from xwtui.engine.problem.arrays import with_longer_trail
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import untried_ways
from xwtui.engine.problem.recorded_answers import puzzle_of_fill
from xwtui.engine.problem.variants import narrow
from xwtui.engine.problem.word_stock import stock_of
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.parameters import Limits, takes

with lazy_imports():
    from xwtui.engine.problem.no_fill import UntriedWays


@dataclass(eq=False)
class CandidateBoard:
    """The results of all stages, each in its own array; `estimates` combines them by word."""

    problem: Problem
    slot: int
    words: list[str] = field(init=False)
    killers: NDArray[np.int32] | None = None
    """SURVIVES, NOBODY, or the slot that is wiped out, shape (rows,); None before propagation."""
    log10: NDArray[np.float64] | None = None
    """Approximate log10 of the fills with each row, shape (rows,); -inf for none; None before the beliefs."""
    refined: dict[str, float] = field(default_factory=dict)
    """The same by word, computed with the word in place."""
    spreads: dict[str, float] = field(default_factory=dict)
    """The width of the interval of a word's figure in powers of ten, if it has one."""
    fills: dict[str, Mapping[Position, Content]] = field(default_factory=dict)
    refuted: set[str] = field(default_factory=set)
    """Words for which an exhaustive search found no fill."""
    _filled: dict[str, int] = field(default_factory=dict)
    """For a word with several answers, the row that its fill uses."""

    def __post_init__(self) -> None:
        self.words = self.problem.words(self.slot)

    @classmethod
    def of(cls, problem: Problem, slot_name: str) -> CandidateBoard:
        """Return the board of an entry by name; raises EngineError if the grid has no such entry."""
        slot = problem.slot_numbers.get(slot_name)
        if slot is None:
            raise EngineError(f"this grid has no entry {slot_name!r}")
        return cls(problem, slot)

    def propagate(self) -> None:
        """Find out from the root which rows are dead, and which crossing excludes each of them."""
        table = self.problem.tables[self.slot]
        self.killers = np.full(table.rows, NOBODY, np.int32)
        if not self.problem.root.is_possible:
            return
        state, network = self.problem.root.state, self.problem.network
        masks = np.array(self.problem.masks(state), np.uint64)
        first = int(network.slots[self.slot, PLACES])
        for index in range(table.symbols.shape[1]):
            crossing = int(network.places[first + index, CROSSING])
            if crossing >= 0:
                mask = masks[int(network.places[first + index, SQUARE])]
                is_lost = (mask >> table.symbols[:, index].astype(np.uint64)) & np.uint64(1) == 0
                self.killers[is_lost & (self.killers == NOBODY)] = crossing
        self.killers[self.problem.rows_left(state, self.slot)] = SURVIVES

    def apply_beliefs(self, beliefs: Beliefs, log10_total: float | None) -> None:
        """Compute each row's share of the given number of fills, by default the Bethe estimate."""
        shares = beliefs.row_shares(self.slot)
        log10_total = beliefs.log10_bethe if log10_total is None else log10_total
        with np.errstate(divide="ignore"):
            self.log10 = np.log10(shares) + (0.0 if log10_total is None else log10_total)

    def candidate_rows(self) -> CandidateRows:
        """Return each word once, in table order, best score first, as a snapshot."""
        _ = self._names, self._scores, self._listed, self._several, self._untried
        now = copy(self)
        del now.problem  # Not needed any more, and a list on the screen outlives the problem.
        now.killers = None if self.killers is None else self.killers.copy()
        now.log10 = None if self.log10 is None else self.log10.copy()
        now.refined, now.spreads = dict(self.refined), dict(self.spreads)
        now.fills, now.refuted, now._filled = dict(self.fills), set(self.refuted), dict(self._filled)
        rows = len(self.words)
        is_alive = np.ones(rows, np.bool_) if now.killers is None else now.killers == SURVIVES
        room = np.full(rows, np.nan)
        if now.log10 is not None:
            room = np.where(is_alive & np.isfinite(now.log10), now.log10, np.nan)
        listed = self._listed
        if self._several:
            listed = copy(listed)
            scores, answers = listed.scores.copy(), list(listed.answers)
            listed.scores, listed.answers = scores, answers
            for word, own in self._several.items():
                first, known = own[0], now.estimate(word)
                is_alive[own], room[own] = known.alive, np.nan
                room[first] = np.nan if known.log10 is None else known.log10
                scores[first] = known.score or 0
                if answers:
                    answers[first] = known.answer
        for word in now.refuted:
            is_alive[self._listed.rows[word]] = False
        for word, log10 in now.refined.items():
            room[self._listed.rows[word]] = log10
        is_unsure = np.ones(rows, np.bool_)
        for word, spread in now.spreads.items():
            is_unsure[self._listed.rows[word]] = spread > SURE_POWERS
        room[~is_alive], is_unsure[~is_alive] = np.nan, True
        return CandidateRows(listed, is_alive, room, is_unsure, now.row_estimate, self._first_rows)

    def row_estimate(self, row: int) -> CandidateEstimate:
        """Return what is known about the word of a row, which must be its first."""
        if self.words[row] in self._several:
            return self.estimate(self.words[row])
        killer = UNTRIED if self.killers is None else int(self.killers[row])
        return self._estimate(row, killer, -math.inf if self.log10 is None else float(self.log10[row]))

    def estimates(self) -> tuple[CandidateEstimate, ...]:
        """Return each word once, in table order: best score first."""
        return tuple(self.candidate_rows())

    def estimate(self, word: str) -> CandidateEstimate:
        """Return what is known about a word from all its rows; raises KeyError if it is not a candidate."""
        rows = self.rows_of(word)
        if not rows:
            raise KeyError(word)
        killers = [UNTRIED] if self.killers is None else self.killers[rows].tolist()
        log10 = [-math.inf] if self.log10 is None else self.log10[rows].tolist()
        return self._estimate(self._told_row(word), _best_killer(killers), _summed(log10))

    def _estimate(self, row: int, killer: int, log10: float) -> CandidateEstimate:
        known = self._known(self.words[row], self._scores[row], killer, log10)
        return replace(known, answer=self._answers[row]) if self._answers and self._answers[row] else known

    def take_fill(self, word: str, fill: Mapping[Position, Content]) -> None:
        """Store a fill with a word, and which of the word's answers the fill stands for."""
        self.fills[word] = fill
        if self._answers:
            answer = puzzle_of_fill(self.problem.task, fill).answers.get(self._names[self.slot])
            meant = (row for row in self.rows_of(word) if (self._answers[row] or word) == answer)
            self._filled[word] = next(meant, self._told_row(word))

    def _told_row(self, word: str) -> int:
        """Return the row whose answer is reported: its fill's row, else the best row that is still possible."""
        rows = self.rows_of(word)
        alive = (row for row in rows if self.killers is None or self.killers[row] == SURVIVES)
        return self._filled.get(word, next(alive, rows[0]))

    @cached_property
    def _answers(self) -> Sequence[str]:
        """The answer of each row, "" if it is the row's word; empty if it always is. Equal ones share a string."""
        table = self.problem.tables[self.slot]
        if table.marks is None:
            return ()
        numbers, places = np.unique(table.words, return_inverse=True)
        answers = np.array(stock_of(self.problem.task).spelled(numbers), object)[places].tolist()
        return ["" if answer == word else answer for answer, word in zip(answers, self.words, strict=True)]

    @cached_property
    def _listed(self) -> ListedWords:
        scores = self.problem.tables[self.slot].scores.astype(np.float64)
        return ListedWords(self.words, scores, self._answers)

    def _known(self, word: str, score: int | None, killer: int, log10: float) -> CandidateEstimate:
        if killer == UNTRIED:
            return CandidateEstimate(word, score, CandidateStanding.MATCHES)
        if killer != SURVIVES or word in self.refuted:
            killed_by = self._names[killer] if killer >= 0 and killer != self.slot else None
            return CandidateEstimate(word, score, CandidateStanding.DEAD, killed_by, untried=self._untried)
        fill = self.fills.get(word)
        standing = CandidateStanding.SURVIVES if fill is None else CandidateStanding.PROVED
        known = self.refined.get(word, None if log10 == -np.inf else log10)
        return CandidateEstimate(
            word, score, standing, None, known, word in self.refined, fill, self.spreads.get(word)
        )

    def row(self, word: str) -> int | None:
        """Return the likeliest row of a word that may still be possible, or None."""
        if self.killers is None:
            return None
        alive = [row for row in self.rows_of(word) if self.killers[row] == SURVIVES]
        if not alive or word in self.refuted:
            return None
        return max(alive, key=lambda row: 0.0 if self.log10 is None else float(self.log10[row]))

    def rows_of(self, word: str) -> Sequence[int]:
        """Return all rows of a word; empty if it is not a candidate."""
        row = self._listed.rows.get(word)
        return [] if row is None else self._several.get(word, [row])

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return self.problem.slot_names

    @cached_property
    def _untried(self) -> UntriedWays | None:
        return untried_ways(self.problem)

    @cached_property
    def _scores(self) -> list[int | None]:
        """The score of each row; None for an unlisted answer whose squares are all given."""
        if is_unlisted(self.problem, self.slot, self.words):
            return [None]
        return list(self.problem.tables[self.slot].scores.tolist())

    @cached_property
    def _first_rows(self) -> NDArray[np.intp] | None:
        """The first row of each word; None where they are all rows."""
        if self.problem.tables[self.slot].is_plain:
            return None
        rows = self._listed.rows
        return np.sort(np.fromiter(rows.values(), np.intp, len(rows)))

    @cached_property
    def _several(self) -> Mapping[str, list[int]]:
        """The rows of each word that has more than one. A list for every word would take megabytes."""
        several: dict[str, list[int]] = {}
        if self._first_rows is not None:
            for row, word in enumerate(self.words):
                if (first := self._listed.rows[word]) != row:
                    several.setdefault(word, [first]).append(row)
        return several


def _best_killer(killers: Iterable[int]) -> int:
    """Return a slot that excludes all rows of a word; SURVIVES if one of them survives."""
    found = list(killers)
    return SURVIVES if SURVIVES in found else max(found)


def _summed(log10: Iterable[float]) -> float:
    """Return the logarithm of a sum of powers of ten."""
    powers = list(log10)
    most = max(powers)
    return most if most == -math.inf else most + math.log10(sum(10.0 ** (power - most) for power in powers))


class Trial:
    """A row of a slot's table, placed; the problem's own root must be possible."""

    def __init__(self, problem: Problem, slot: int, row: int, *, seed: int) -> None:
        along = zip(problem.slot_squares[slot].tolist(), problem.tables[slot].symbols[row].tolist(), strict=True)
        placed = {square: 1 << symbol for square, symbol in along}
        self.problem = narrow(problem, placed)
        self.filler: Filler | None = None
        """Searches for a fill with it; takes some megabytes."""
        self.counter = Counter(self.problem, seed=seed)
        """Counts the fills with it."""

    @property
    def bytes(self) -> int:
        """Memory except for its search: its root, and the shares of symbols for its count."""
        return self.problem.root.state.block.nbytes + 8 * SYMBOLS * len(self.problem.network.places)


_Stage = Callable[[Any, str, TimeLimit], None]
"""A stage of work on a word in view."""
_Plan = tuple[tuple[_Stage, float], ...]
"""Stages, each with its time limit per word in seconds."""

_ROWS_PER_SLICE = 8
"""Words placed between two checks of the clock: some milliseconds."""
_RUNS = 4
"""Particle runs for a word in view."""
_TRIALS_BYTES = 6_000_000
"""Memory limit for words in view whose counts can be continued: sixteen on a plain grid. Room for thirty proves
them a twentieth sooner."""
_SEARCHES_BYTES = 6_000_000
"""Memory limit for their unfinished searches; beyond it, a search starts over at its next stage."""


class Steps:
    """Works on the words of a board that has been propagated and has beliefs."""

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
        """`log10_total` is a better estimate of the number of fills than the beliefs give, if there is one."""
        self.board = board
        self._correction = (
            0.0 if log10_total is None or beliefs.log10_bethe is None else log10_total - beliefs.log10_bethe
        )
        self._prove, self._threads, self._seed = prove, threads, seed
        self._state = board.problem.new_state()
        self._trials: dict[str, Trial] = {}
        self._counted = ""
        """The word whose count may have unfinished runs."""
        self._done: set[tuple[_Stage, float, str]] = set()
        self._untried: NDArray[np.int64] = (
            np.flatnonzero(board.killers == SURVIVES) if board.killers is not None else np.zeros(0, np.int64)
        )

    def step(self, in_view: Sequence[str], patience: TimeLimit) -> Collection[str] | None:
        """Do the next piece of work; return the words with possible news, or None if nothing is left.

        The words in view come first, with each stage done for all of them. Between their quick and slow stages,
        all other words are placed. For words that have left the view, only results are kept.
        """
        self._trials = {word: trial for word, trial in self._trials.items() if word in in_view}
        task = self._next(self._AT_ONCE, in_view)
        if task is None and len(self._untried):
            return self._place_some()
        task = task or self._next(self._AT_LEISURE, in_view)
        if task is None:
            return None
        stage, seconds, word = task
        stage(self, word, patience.within(seconds))
        if not patience.is_over():
            self._done.add(task)
            if self._next(self._AT_ONCE + self._AT_LEISURE, (word,)) is None:
                self._trials.pop(word, None)
        return (word,)

    def _next(self, plan: _Plan, words: Sequence[str]) -> tuple[_Stage, float, str] | None:
        for stage, seconds in plan:
            for word in words:
                is_idle = stage is Steps._prove_word and (not self._prove or word in self.board.fills)
                is_idle = is_idle or (stage, seconds, word) in self._done
                if not is_idle and self.board.row(word) is not None:
                    return stage, seconds, word
        return None

    def _place_some(self) -> Collection[str]:
        rows, self._untried = self._untried[:_ROWS_PER_SLICE], self._untried[_ROWS_PER_SLICE:]
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

    def _place_word(self, word: str, _: TimeLimit) -> None:
        self._place(np.array(self.board.rows_of(word), np.int64))

    def _trial(self, word: str) -> Trial:
        row = self.board.row(word)
        assert row is not None
        if word not in self._trials:
            self._trials[word] = trial = Trial(self.board.problem, self.board.slot, row, seed=self._seed)
            while len(self._trials) > max(_TRIALS_BYTES // trial.bytes, 1):
                del self._trials[next(iter(self._trials))]
        return self._trials[word]

    def _estimate_with_beliefs(self, word: str, limit: TimeLimit) -> None:
        estimate = self._trial(word).counter.bethe(limit.remaining)
        if estimate.log10 is not None and not limit.budget.stop():
            exact = estimate.exact is not None
            self.board.refined[word] = estimate.log10 + (0.0 if exact else self._correction)
            if exact:
                self.board.spreads[word] = 0.0

    def _prove_word(self, word: str, limit: TimeLimit) -> None:
        trial = self._trial(word)
        filler = trial.filler = trial.filler or Filler(trial.problem, seed=self._seed)
        outcome = filler.resume(None, limit.is_over)
        if outcome is Outcome.FILLED:
            self.board.take_fill(word, filler.fill())
            trial.filler = None
        elif outcome is Outcome.IMPOSSIBLE and self.board.problem.tables[self.board.slot].is_plain:
            self.board.refuted.add(word)
        others = [each for each in self._trials.values() if each.filler is not None and each is not trial]
        most = max(_SEARCHES_BYTES // self._state.block.nbytes - (trial.filler is not None), 0)
        for other in others[: max(len(others) - most, 0)]:
            other.filler = None

    def release(self) -> None:
        """Drop unfinished runs of a count, which take some ten megabytes each."""
        for trial in self._trials.values():
            trial.counter.release()

    def _count(self, word: str, limit: TimeLimit) -> None:
        if word != self._counted:
            self.release()
            self._counted = word
        estimate = self._trial(word).counter.refine(limit.remaining._replace(threads=self._threads), _RUNS)
        if estimate.log10 is not None and not estimate.rough:
            self.board.refined[word] = estimate.log10
            self.board.spreads[word] = (estimate.high or 0.0) - (estimate.low or 0.0)

    _AT_ONCE: ClassVar[_Plan] = ((_place_word, math.inf), (_estimate_with_beliefs, 0.1), (_prove_word, 0.25))
    _AT_LEISURE: ClassVar[_Plan] = (
        (_count, math.inf),
        (_prove_word, 1.0),
        (_prove_word, 4.0),
        (_prove_word, 16.0),
        (_prove_word, math.inf),
    )
    """Most words are proved instantly; one that is not must not delay the others."""


Found = Callable[[tuple[CandidateEstimate, ...]], None]
View = Callable[[], Sequence[str]]


def _nothing() -> Sequence[str]:
    return ()


@takes(Limits)
def candidates(
    problem: Problem,
    slot_name: str,
    *,
    in_view: View = _nothing,
    prove: bool = True,
    place: bool = True,
    beliefs: Beliefs | None = None,
    log10_total: float | None = None,
    found: Found = lambda _: None,
    **limits: Unpack[Limits],
) -> tuple[CandidateEstimate, ...]:
    """Return the words that match an entry, best score first, and their costs; `found` gets each better result.

    The stages are: all words that match the pattern; those that survive propagation; the approximate number of
    fills with each, from `beliefs` (computed by default) and the `log10_total` of all fills (by default the Bethe
    estimate). Then the words `in_view`, queried again for each step, are placed one by one: propagation, beliefs
    with the word in place, a fill with it if `prove` is set, and finally particles. Then all other words are
    placed and propagated. Without `place`, no word is placed. Raises EngineError if the grid has no such entry.
    """
    budget = Budget.of(limits)
    patience = TimeLimit(budget)
    board = CandidateBoard.of(problem, slot_name)
    found(board.estimates())
    if patience.is_over():
        return board.estimates()
    board.propagate()
    found(board.estimates())
    if problem.root.is_possible and not patience.is_over():
        beliefs = beliefs or believe(problem, cancelled=budget.stop)
        board.apply_beliefs(beliefs, log10_total)
        found(board.estimates())
        if not place:
            return board.estimates()
        steps = Steps(board, beliefs, log10_total, prove=prove, threads=budget.threads, seed=budget.seed)
        reported = perf_counter()
        while not patience.is_over() and steps.step(in_view(), patience) is not None:
            if perf_counter() - reported >= REPORTING_SECONDS:
                found(board.estimates())
                reported = perf_counter()
    last = board.estimates()
    found(last)
    return last
