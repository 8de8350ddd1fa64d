"""The worth of a fill under an objective, as integers that include the constructor's preferences.

A preferred word counts as more than its score, and a recently used one as less (`Preferences` in
words/lexicon.py). Every objective, lowest entries or mean, ranks fills by these adjusted scores. The listed scores
are kept for reports. Worths are integers that the kernels can add up. The improver represents a fill as rows,
symbols and a rank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.improve.improvement import ALPHABET, HIGHEST, Aim, Objective
from xwtui.engine.kernels.network import DOMAIN, PLACES, SQUARE, SUPPORTS, SYMBOL_COUNT, TABLE, WIDTH
from xwtui.engine.kernels.propagate.bound import (
    BETTER_THAN,
    IS_ACTIVE,
    LETTER_WORTH,
    SCORE_WORTH,
    SCORES,
    SYMBOL_LETTERS,
    SYMBOL_WORTH,
    SYMBOLS_COUNT,
    WANTED_LETTERS,
    WORTH_SIZE,
)
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.tables import Table
from xwtui.model import Content, Position
from xwtui.model.letters import DIGITS

NONE = -1
"""An unknown symbol of a square, or row of a slot."""


@dataclass(frozen=True, eq=False)
class CodedFill:
    """A fill, possibly with holes. Immutable."""

    symbols: NDArray[np.int64]
    """Shape (squares,): the symbol of each square of `problem.positions`, or NONE."""
    rows: NDArray[np.int64]
    """Shape (slots,): the row of each slot, or NONE."""
    rank: tuple[int, int]
    """The quality of the fill: higher is better; see worth.py. Meaningless if there are holes."""

    def faults(self, problem: Problem) -> list[int]:
        """Return the slots that must be decided but have no row."""
        required = problem.is_required
        return [slot for slot, row in enumerate(self.rows.tolist()) if row == NONE and required[slot]]

    def squares(self, problem: Problem) -> dict[Position, Content]:
        """Return the content of each known square that a fill writes."""
        contents = problem.symbols.contents
        return problem.written(None if symbol == NONE else contents[symbol] for symbol in self.symbols.tolist())

    def answers(self, problem: Problem) -> dict[str, str]:
        """Return the answer of each slot that has a row."""
        rows = enumerate(self.rows.tolist())
        return {problem.slots[slot].name: problem.word(slot, row) for slot, row in rows if row != NONE}


def code_start(problem: Problem, start: Mapping[Position, Content]) -> CodedFill:
    """Convert a start to rows and symbols; given squares override it.

    A slot has no row if a square is missing, if its word is not allowed there, or if another slot has the same
    word. Its squares are still known where `start` has them. Squares through which no required slot passes are
    never known.
    """
    masks = problem.masks(problem.root.state)
    codes = {content: code for code, content in enumerate(problem.symbols.contents)}
    symbols = np.full(len(masks), NONE, np.int64)
    for square, (content, mask) in enumerate(zip(problem.squares.split_contents(start), masks, strict=True)):
        code = NONE if content is None else codes.get(content, NONE)
        if mask & (mask - 1) == 0:  # it has at most one symbol
            symbols[square] = mask.bit_length() - 1
        elif code != NONE and mask >> code & 1:
            symbols[square] = code
    symbols[~problem.required_squares] = NONE
    rows = np.full(len(problem.slots), NONE, np.int64)
    taken: set[int] = set()
    for slot, squares in enumerate(problem.slot_squares):
        row = _row(problem, slot, symbols[squares])
        word = NONE if row == NONE else int(problem.tables[slot].words[row])
        if row != NONE and (problem.task.allow_repeats or word not in taken):
            rows[slot] = row
            taken.add(word)
    return CodedFill(symbols, rows, (0, 0))


def _row(problem: Problem, slot: int, symbols: NDArray[np.int64]) -> int:
    """Return the row of a slot with these symbols that is in its domain at the root, or NONE."""
    network = problem.network
    table, domain = network.slots[slot, [TABLE, DOMAIN]].tolist()
    count, width = network.tables[table, [SYMBOL_COUNT, WIDTH]].tolist()
    if (symbols == NONE).any() or (symbols >= count).any():
        return NONE
    starts = network.tables[table, SUPPORTS] + (np.arange(len(symbols)) * count + symbols) * width
    rows = problem.root.state.memory[domain : domain + width].copy()
    for start in starts.tolist():
        rows &= network.supports[start : start + width]
    words = np.flatnonzero(rows)
    if not len(words):
        return NONE
    lowest = int(rows[words[0]])
    return 64 * int(words[0]) + (lowest & -lowest).bit_length() - 1


Orders = Sequence[NDArray[np.intp]]


def _by_appeal(problem: Problem) -> tuple[Problem, list[NDArray[np.uint8]]]:
    """Return a problem to rank fills by, and the listed score of each row of its tables.

    Its tables use appeals, 0 to 150, as scores and sort their rows by them. It is the same problem if the
    constructor has no preferences.
    """
    tables = {id(table): table for table in problem.tables}
    if not any((table.appeals != table.scores).any() for table in tables.values()):
        return problem, [table.scores for table in problem.tables]
    orders = {key: np.argsort(-table.appeals.astype(np.int64), kind="stable") for key, table in tables.items()}
    made = {key: in_order(table, orders[key], table.appeals[orders[key]]) for key, table in tables.items()}
    keys = [id(table) for table in problem.tables]
    found = with_tables(problem, tuple(made[key] for key in keys), [orders[key] for key in keys])
    return found, [table.scores[orders[key]] for key, table in zip(keys, problem.tables, strict=True)]


def in_order(table: Table, order: NDArray[np.intp], scores: NDArray[np.uint8]) -> Table:
    """Return rows of a table in another order with other scores, shape (rows in the new order,)."""
    return Table.of_rows(
        table.symbols[order], table.words[order], scores, table.lengths, scores, is_plain=table.is_plain
    )


def with_tables(problem: Problem, tables: tuple[Table, ...], orders: Orders) -> Problem:
    """Return the problem with these tables, whose rows are the old ones selected by these orders."""
    return problem.rebuilt_with(problem.constraints.with_rows(orders), tables)


_FINENESS = 100_000
"""Integer worth of one point of a flattened score."""

Rank = tuple[int, int]
"""The lowest score (for LOWEST, else 0), then the worth that the kernels add up."""


class Cut(NamedTuple):
    """A constraint that rules out fills that are not good enough: row limits, and a worth to exceed."""

    row_limits: NDArray[np.int64]
    """Shape (slots,): how many rows, from the best on, a slot may take."""
    objective_table: NDArray[np.int64] | None = None
    """The table of `kernels/propagate/bound.py` with the worth to exceed; None for any fill."""


class Worth:
    """An objective compiled for a problem. Immutable."""

    def __init__(self, problem: Problem, objective: Objective, *, counts_lowest: bool = False) -> None:
        """Compile the objective.

        With `counts_lowest`, LOWEST prefers fewer entries with the lowest score to a better mean. That is not the
        objective itself but a way toward it: a fill improves with each low word that goes.
        """
        problem, self._listed_scores = _by_appeal(problem)
        self.problem = problem
        """The problem whose tables are sorted by appeal; rows refer to its tables."""
        self.objective = objective
        self._counts_lowest = counts_lowest
        self.is_by_tier = objective.aim is Aim.LOWEST and not counts_lowest
        """Whether `better_than` requires only a better mean with no score lower.

        A fill with a higher lowest score and a lower mean is better too, but is searched for by tier.
        """
        given, needed = problem.task.given.keys(), zip(problem.slots, problem.is_required, strict=True)
        self.chosen = np.array([need and not given >= set(slot.positions) for slot, need in needed], np.bool_)
        """Shape (slots,): whether a slot must be decided and has a square that is not given. Only these count."""
        self._required = np.array(problem.is_required, np.bool_)
        self._row_scores = [table.scores for table in problem.tables]
        self._heavy = SCORES * len(problem.slots) + 1
        """More than all scores together: the weight of an objective's first criterion."""
        self._objective_tables: dict[int, NDArray[np.int64]] = {}
        """Cached tables by the lowest score, and below them cached row limits."""
        self._row_limits: dict[int, NDArray[np.int64]] = {}

    def scores(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the score of each slot that counts, adjusted by the constructor's preferences."""
        return self._scores_of(rows.tolist())[self.chosen]

    def listed_scores(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the listed score of each slot that counts."""
        listed = [scores[row] for scores, row in zip(self._listed_scores, rows.tolist(), strict=True)]
        return np.array(listed, np.int64)[self.chosen]

    def _scores_of(self, rows: Sequence[int]) -> NDArray[np.int64]:
        return np.array([scores[row] for scores, row in zip(self._row_scores, rows, strict=True)], np.int64)

    def rank(self, rows: NDArray[np.int64], symbols: NDArray[np.int64]) -> Rank:
        """Return the rank of a whole fill; higher is better."""
        lowest = lowest_of(self.scores(rows)) if self.objective.aim is Aim.LOWEST else 0
        objective_table = self.objective_table(lowest)
        scores = self._scores_of(rows.tolist())[self._required]
        symbols = symbols[symbols != NONE]
        worth = int(objective_table[SCORE_WORTH + scores].sum()) + int(
            objective_table[SYMBOL_WORTH + symbols].sum()
        )
        letters = int(np.bitwise_or.reduce(objective_table[SYMBOL_LETTERS + symbols], initial=0)) & int(
            objective_table[WANTED_LETTERS]
        )
        return lowest, worth + letters.bit_count() * int(objective_table[LETTER_WORTH])

    def ranked(self, fill: CodedFill) -> CodedFill:
        """Return a whole fill with its rank under this objective."""
        return replace(fill, rank=self.rank(fill.rows, fill.symbols))

    def objective_table(self, lowest: int) -> NDArray[np.int64]:
        """Return the table of kernels/propagate/bound.py for fills with this lowest score; it is read only."""
        if lowest in self._objective_tables:
            return self._objective_tables[lowest]
        objective_table = np.zeros(WORTH_SIZE, np.int64)
        objective_table[IS_ACTIVE] = 1
        objective_table[SCORE_WORTH : SCORE_WORTH + SCORES] = self._score_worths(lowest)
        contents = self.problem.symbols.contents
        for code, content in enumerate(contents):
            objective_table[SYMBOL_LETTERS + code] = self.problem.symbols.letters_mask(_shown(content))
        if self.objective.aim is Aim.FRESH:
            objective_table[LETTER_WORTH] = self._heavy
            objective_table[WANTED_LETTERS] = self.problem.symbols.letters_mask(self._fresh_letters)
        if self.objective.aim is Aim.AVOID:
            objective_table[SYMBOLS_COUNT] = 1
            for code, content in enumerate(contents):
                unwanted = bool(set(_shown(content)) & set(self.objective.letters))
                objective_table[SYMBOL_WORTH + code] = -self._heavy * unwanted
        self._objective_tables[lowest] = objective_table
        return objective_table

    def _score_worths(self, lowest: int) -> NDArray[np.int64]:
        scores = np.arange(SCORES)
        match self.objective.aim:
            case Aim.LOWEST if self._counts_lowest:
                return scores - self._heavy * (scores <= lowest)
            case Aim.FEWER_BELOW:
                return scores - self._heavy * (scores < self.objective.mark)
            case Aim.FLATTENED:
                flat = HIGHEST * (scores / HIGHEST) ** self.objective.exponent
                return np.rint(flat * _FINENESS).astype(np.int64)
            case _:
                return scores

    @property
    def summands(self) -> NDArray[np.int64]:
        """The amount that an entry adds to the value, by score, as integers; see `value_of_sum`."""
        if self.objective.aim is Aim.FEWER_BELOW:
            return -(np.arange(SCORES) < self.objective.mark).astype(np.int64)
        return self._score_worths(0)

    def sum_of(self, rows: NDArray[np.int64]) -> int:
        """Return the sum over the entries of a fill."""
        return int(self.summands[self.scores(rows)].sum())

    def value_of_sum(self, total: int) -> float:
        """Return the value of a fill whose entries have this sum; not for LOWEST, FRESH and AVOID."""
        if self.objective.aim is Aim.FEWER_BELOW:
            return float(-total)
        unit = _FINENESS if self.objective.aim is Aim.FLATTENED else 1
        return total / unit / max(int(self.chosen.sum()), 1)

    def better_than(self, rank: Rank) -> Cut:
        """Return the constraint to be better than this rank; with `is_by_tier`, only by a higher worth."""
        lowest, worth = rank
        objective_table = self.objective_table(lowest).copy()
        objective_table[BETTER_THAN] = worth
        return Cut(self.row_limits(lowest), objective_table)

    def row_limits(self, lowest: int) -> NDArray[np.int64]:
        """Return how many rows of each slot have at least this score: the first ones, or all if it is given."""
        if lowest not in self._row_limits:
            limits = [
                np.count_nonzero(scores >= lowest) if chosen else len(scores)
                for scores, chosen in zip(self._row_scores, self.chosen, strict=True)
            ]
            self._row_limits[lowest] = np.array(limits, np.int64)
        return self._row_limits[lowest]

    def value(self, scores: NDArray[np.int64], masks: Sequence[int]) -> float:
        """Return the value in the objective's unit (a score, or a number of entries, letters or squares).

        `scores` are of the slots that count; `masks` are of each square, 0 for squares to ignore. For best scores
        and masks with several symbols, this is the best value that they allow.
        """
        objective = self.objective
        match objective.aim:
            case Aim.LOWEST:
                return float(lowest_of(scores))
            case Aim.FLATTENED:
                return mean(self._score_worths(0)[scores]) / _FINENESS
            case Aim.FEWER_BELOW:
                return float((scores < objective.mark).sum())
            case Aim.FRESH:
                every = reduce(or_, masks, 0)
                letters = {letter for content in self.problem.symbols.in_mask(every) for letter in _shown(content)}
                return float(len(letters & self._fresh_letters))
            case Aim.AVOID:
                unwanted, contents = set(objective.letters), self.problem.symbols.in_mask
                squares = zip(self.problem.positions, masks, strict=True)
                full = ((at, contents(mask)) for at, mask in squares if mask)
                return float(len({at for at, held in full if all(unwanted & set(_shown(one)) for one in held)}))
            case _:
                return mean(scores)

    @cached_property
    def is_summed(self) -> bool:
        """Whether the sum in the kernels ranks fills in the same order as their value."""
        return is_summed(self.problem, self.objective)

    @cached_property
    def _fresh_letters(self) -> frozenset[str]:
        """FRESH: the wanted letters; if all are wanted, those of the problem's alphabet."""
        alphabet, letters = self.problem.symbols.alphabet, self.objective.letters
        return frozenset(letters) if letters != ALPHABET else frozenset(alphabet.symbols) - set(DIGITS)

    @cached_property
    def best_scores(self) -> NDArray[np.int64]:
        """Shape (slots,): the best score of each slot at the root."""
        return self._scores_of(self.problem.first_rows(self.problem.root.state))

    def bound(self) -> float:
        """Return a bound on the value of all fills, from each slot's best word and each square's best symbol."""
        problem = self.problem
        squares = zip(problem.masks(problem.root.state), problem.required_squares.tolist(), strict=True)
        return self.value(self.best_scores[self.chosen], [mask * is_required for mask, is_required in squares])

    def possible_gains(self, fill: CodedFill) -> list[float]:
        """Return the possible gain at each square, 0 to 1, from its slots or its own symbol; shape (squares,)."""
        objective_table = self.objective_table(fill.rank[0])
        worths = objective_table[SCORE_WORTH:SYMBOL_WORTH]
        gains = self._required * (worths[self.best_scores] - worths[self._scores_of(fill.rows.tolist())])
        places, starts = self.problem.network.places, self.problem.network.slots[:, PLACES]
        possible = np.zeros(len(self.problem.positions))
        np.maximum.at(possible, places[:, SQUARE], np.repeat(gains, np.diff(starts)))
        unwanted = -objective_table[SYMBOL_WORTH + fill.symbols] * (fill.symbols != NONE)
        possible = np.maximum(possible, unwanted)
        most = possible.max(initial=0)
        shares: list[float] = (possible / max(most, 1)).tolist()
        return shares


def is_summed(problem: Problem, objective: Objective) -> bool:
    """Whether the sum in the kernels ranks fills like their value, so that a fill can be proved optimal.

    Where two entries may read a square differently, the kernels count an unwanted letter once for each entry.
    """
    given, positions = problem.task.given, problem.positions
    halved = any(positions[one] not in given for one, _ in problem.squares.opposites)
    return objective.aim is not Aim.AVOID or not halved


def mean(scores: NDArray[np.int64]) -> float:
    """Return the mean score; 0 if there are none."""
    return float(scores.mean()) if len(scores) else 0.0


def lowest_of(scores: NDArray[np.int64]) -> int:
    """Return the lowest score; 100 if there are none."""
    return int(scores.min()) if len(scores) else HIGHEST


def _shown(content: Content) -> str:
    """Return the letters that a square shows, in either direction."""
    return content.across + content.down
