"""The options left for each entry and square: counts of words, and shares of letters.

An entry has the words that match its pattern, some of which survive propagation. The sum of survivors over all
entries is what Bob Copeland's filler shows next to a grid
(https://bobcopeland.com/blog/2020/07/crosswords-redux/). It distinguishes two edits at a glance, but is not a
number of fills: a grid with a large sum may have none.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, field
from xwtui.engine.budget import NO_LIMIT, Budget, TimeLimit
from xwtui.engine.count.belief import Beliefs
from xwtui.engine.count.estimator import FEWEST_RUNS, PARTICLES, student_t_quantile
from xwtui.engine.count.exact import FillEnumeration
from xwtui.engine.count.particles import Populations
from xwtui.engine.problem.no_fill import UntriedWays
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import untried_ways
from xwtui.model import Content, Position


@dataclass(frozen=True, slots=True)
class SlotOptions:
    """The number of words that an entry could take."""

    pattern_matches: int
    """Words that match its given squares."""
    after_propagation: int
    """Words that survive propagation over the whole grid; 0 for all entries if no fill exists."""


def slot_options(problem: Problem) -> Mapping[str, SlotOptions]:
    """Return both counts for each entry, by name; a word counts once, however it is divided into squares."""
    left = problem.domain_sizes(problem.root.state)
    return {
        name: SlotOptions(problem.word_count(number), _words_left(problem, number, left[number]))
        for number, name in enumerate(problem.slot_names)
    }


def _words_left(problem: Problem, slot: int, rows: int) -> int:
    if rows == 0 or problem.tables[slot].is_plain:
        return rows
    return problem.word_count(slot, problem.rows_left(problem.root.state, slot))


def is_unlisted(problem: Problem, slot: int, words: list[str]) -> bool:
    """Whether all squares of a slot are given and no list has its answer."""
    is_given = problem.task.given_answer(problem.slots[slot]) is not None
    return is_given and problem.task.lexicon.score(words[0]) is None


def summed_options(problem: Problem) -> int:
    """Return the sum over the entries of the words left after propagation; 0 if an entry has none."""
    return sum(options.after_propagation for options in slot_options(problem).values())


class ShareInterval(NamedTuple):
    """The ends of the 95 % interval of a share, both within 0 and 1."""

    low: float
    high: float


@dataclass(frozen=True)
class LetterTable:
    """The letters still possible in squares that are not given; empty if provably no fill exists."""

    shares: Mapping[Position, Mapping[Content, float]]
    """The share of all fills, 0 to 1, with each content in a square, greatest first.

    Where across and down may differ, estimates are of letters: the mean over both entries.
    """
    forced: Mapping[Position, Content]
    """The squares known to have a single content, which every fill has there."""
    fills: int | None = None
    """The number of fills if all were enumerated; otherwise the shares are estimates."""
    intervals: Mapping[Position, Mapping[Content, ShareInterval]] = field(default_factory=dict)
    """The 95 % interval of each estimated share, by square, if fills were sampled."""
    untried: UntriedWays | None = None
    """What the shares and proofs do not cover; None if nothing."""

    @property
    def is_exact(self) -> bool:
        """Whether the shares are those of all fills; with estimates, only what is forced is proved."""
        return self.fills is not None


def letter_table(beliefs: Beliefs) -> LetterTable:
    """Return the letters of all squares by belief propagation; takes some 20 microseconds per square."""
    problem = beliefs.problem
    if not problem.root.is_possible:
        return LetterTable({}, {}, fills=0, untried=untried_ways(problem))
    given, forced = problem.task.given, problem.decided_squares(problem.root.state)
    shares = {at: beliefs.square_shares(square) for square, at in enumerate(problem.positions) if at not in given}
    for one, other in problem.squares.opposites:
        at = problem.positions[one]
        if at in shares:
            both = Counter(beliefs.square_shares(one))
            both.update(beliefs.square_shares(other))
            shares[at] = {letter: share / 2 for letter, share in both.most_common()}
    return LetterTable(
        shares=shares,
        forced={at: content for at, content in forced.items() if at not in given},
        untried=untried_ways(problem),
    )


def exact_letter_table(problem: Problem, budget: Budget = NO_LIMIT) -> LetterTable | None:
    """Return the letters of all squares by enumerating all fills; None if time runs out first."""
    if not problem.root.is_possible:
        return LetterTable({}, {}, fills=0, untried=untried_ways(problem))
    enumeration = FillEnumeration(problem, tallies=True)
    limit = TimeLimit(budget)
    while not enumeration.advance_slice():
        if limit.is_over():
            return None
    shares: dict[Position, Mapping[Content, float]] = {}
    for at, counts in enumeration.tally:
        if at not in problem.task.given and counts:
            shares[at] = {content: count / enumeration.fills for content, count in counts.most_common()}
    forced = {at: next(iter(each)) for at, each in shares.items() if len(each) == 1}
    return LetterTable(shares, forced, enumeration.fills, untried=untried_ways(problem))


_BELIEVED = 16.0
"""The weight of belief propagation's shares in a sample, as a number of independent fills."""

_OVERTIME = 4.0
"""Sampling may take this multiple of its time if there are too few runs for an interval."""


def sampled_letter_table(beliefs: Beliefs, budget: Budget = NO_LIMIT, runs: int | None = None) -> LetterTable:
    """Return the letters of all squares by runs of the particle method, each share with its 95 % interval.

    The runs are combined, each weighted by the number of fills that it represents. The variance is that of a ratio
    of sums (Cochran, Sampling Techniques, 2.11). It is zero if the runs agree by chance, as on a letter that none
    of them has. There the interval is Wilson's, for the number of independent fills that would scatter like the
    runs. Belief propagation's shares are added with the weight of a few fills, because samples of a large grid are
    small. Give a time limit or `runs`. Returns belief propagation's shares, without intervals, if fewer than three
    runs have fills, or if pairs of squares may differ, which runs do not support.
    """
    problem, table = beliefs.problem, letter_table(beliefs)
    if not problem.root.is_possible or problem.constraints.pairs or beliefs.messages is None:
        return table
    populations = Populations(problem, beliefs, PARTICLES, seed=budget.seed, keeps_shares=True)
    limit = TimeLimit(budget)

    def is_over() -> bool:
        has_enough = sum(one is not None for one in populations.log10_fills) >= FEWEST_RUNS
        return limit.is_over(1.0 if has_enough else _OVERTIME)

    populations.advance(budget.threads, math.inf if runs is None else runs, is_over)
    ends = populations.log10_fills
    fertile = [number for number, end in enumerate(ends) if end is not None]
    if len(fertile) < FEWEST_RUNS:
        return table
    highest = max(end for end in ends if end is not None)
    weights = np.array([10 ** (end - highest) if end is not None else 0.0 for end in ends])
    sample = _share_intervals(weights, np.stack(populations.shares).astype(np.float64))
    shares, intervals = dict(table.shares), dict[Position, Mapping[Content, ShareInterval]]()
    codes = {content: code for code, content in enumerate(problem.symbols.contents)}
    for square, at in enumerate(problem.positions):
        if at not in shares or at in table.forced:
            continue
        pooled = {
            content: float(sample.size * sample.means[square, codes[content]] + _BELIEVED * believed)
            / (sample.size + _BELIEVED)
            for content, believed in shares[at].items()
        }
        shares[at] = dict(sorted(pooled.items(), key=lambda held: -held[1]))
        intervals[at] = {
            content: ShareInterval(
                min(float(sample.low[square, codes[content]]), share),
                max(float(sample.high[square, codes[content]]), share),
            )
            for content, share in shares[at].items()
        }
    return LetterTable(shares, table.forced, intervals=intervals, untried=table.untried)


class _Sample(NamedTuple):
    """Mean shares and the ends of their intervals, each (squares, symbols), and the equivalent number of fills."""

    means: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    size: float


def _share_intervals(weights: NDArray[np.float64], shares: NDArray[np.float64]) -> _Sample:
    """Combine the shares of weighted runs, shape (runs, squares, symbols)."""
    runs, total = len(weights), float(weights.sum())
    means = np.tensordot(weights, shares, 1) / total
    variances = np.tensordot(weights**2, (shares - means) ** 2, 1) / total**2 * runs / (runs - 1)
    scatter = float(variances.sum())
    kish = total**2 / float(weights @ weights)
    sampled = (
        kish * PARTICLES if not scatter else min(float((means * (1 - means)).sum()) / scatter, kish * PARTICLES)
    )
    reach = student_t_quantile(runs - 1)
    sampled = max(sampled, 1.0)
    middle, spread = _wilson(means, sampled, reach)
    plain = reach * np.sqrt(variances)
    low = np.clip(np.minimum(middle - spread, means - plain), 0.0, 1.0)
    high = np.clip(np.maximum(middle + spread, means + plain), 0.0, 1.0)
    return _Sample(means, low, high, sampled)


def _wilson(
    means: NDArray[np.float64], sampled: float, reach: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the middle and half the length of Wilson's score interval (JASA 22, 1927) for independent draws."""
    scale = 1 + reach**2 / sampled
    middle = (means + reach**2 / (2 * sampled)) / scale
    spread = reach / scale * np.sqrt(means * (1 - means) / sampled + reach**2 / (4 * sampled**2))
    return middle, spread
