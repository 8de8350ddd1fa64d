"""Making a grid legal again with few changed squares: in general, or for a new answer in one entry.

The search goes level by level: all fills that change one square, then two, and so on. Each level is searched
exhaustively before the next, so whatever a level finds is proved to be a smallest change. A level has few rows
(closeness.py) and a bound on the sum of its changes. If the levels take too long, the closest fill is sought
around the clashes (closest.py). Then a lower bound on the changes of any fill is computed, and the levels from
there on are searched with far fewer rows, which often proves that fill to be closest, or finds the one that is. In
any case, the changed squares then get the best words that are possible with all other squares unchanged.

All work is counted rather than timed, so that a seed gives the same result on every machine unless time runs out.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.budget import NO_LIMIT, Budget, TimeLimit, never
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler, scores_of
from xwtui.engine.fill.search_settings import NEVER, Branching, SearchSettings
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.improver import ImproveRun
from xwtui.engine.improve.rounds import Refill
from xwtui.engine.improve.shared_best import SharedBest, Watch
from xwtui.engine.improve.worth import NONE, CodedFill, Worth, code_start
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import limited_reason, no_fill_exists, untried_ways, why_impossible
from xwtui.engine.problem.task import length_misfit
from xwtui.engine.repair.closeness import Closeness, NearProblem, ReducedCosts, with_bounded_root
from xwtui.engine.repair.closest import RepairEffort, closest_fill
from xwtui.engine.warmup import warm_up
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.words.kept_order import KeptOrder

with lazy_imports():
    from xwtui.engine.problem.no_fill import NoOtherWord, Reason, WordNotAllowed

PROOF_NODES = 2_000
"""Decision limit of a proof, level by level, that a change is smallest."""
_GRID_SHARE = 0.3
"""Share of these decisions for the levels if no entry was specified, because prices prove more in that case."""

_WORK_OF_LEVEL = 200
"""Setting up the search of a level takes about as long as this many decisions."""

_OF_GRID = RepairEffort(starts=3, each=3_000, best=10_000)
_OF_ENTRY = RepairEffort(starts=2, each=2_000, best=4_000)
"""Work limits of the search for the closest fill, if the changes were not found by a proof."""
_ONCE_MORE = RepairEffort(starts=8, each=4_000, best=30_000)
"""Its limits in a second run, if that fill was not proved closest.

A wrong turn of the first starts costs tens of squares. More starts make up for it; more work from there does not.
"""
_ANOTHER_SEED = 7_919
"""Distance of the second run's seed from the first."""

_STEPS_OF_PRICES = (75, 225)
"""Price steps in the first and second round.

The second round needs a promising lower bound: a sufficient share of the squares, or near enough.
"""
_HOPELESS_SHARE = 0.5
_REDUCED_NODES = 8_000
"""Decision limit of all levels with reduced costs together."""
_HOPEFUL_SHARE, _HOPEFUL_GAP = 0.75, 6
"""From this share of the squares known to suffice, or within this distance, the lower bound is near enough."""
_NODES_OF_EQUALS = 1_000
"""Decision limit for the other fills of the last level."""

_NODES_OF_WORDS = 500
"""Decision limit of each search for better words in the changed squares."""
_MOST_BETTER = 100
_NODES_PER_CHECK = 500
"""Decisions of a proof between two checks whether to stop."""

_FILLS_AT_ONCE = 200
"""Fills that one search of a level visits before the words found are excluded."""

_EVERY_FILL = SearchSettings(first_restart=NEVER, backjump=False, branching=Branching.ON_WORDS)
"""A search that visits each fill once."""


@dataclass(frozen=True)
class Repair:
    """A whole fill that changes little of the grid's contents."""

    squares: Mapping[Position, Content]
    """The content of each square of the fill; with a selection, of those inside it."""
    changed: tuple[Position, ...]
    """The squares whose content was replaced, row by row; not those that were empty."""
    answers: Mapping[str, str]
    """The answer of each entry, by the entry's name."""
    mean_score: float
    lowest_score: int
    """Of the entries that are not completely given."""
    is_smallest: bool
    """Whether it is proved that no fill (with an entry specified, none with its answer) changes fewer squares."""
    weakest: str
    """The entry with the lowest score among those that change; the first of several."""
    lowest_changed: int
    """That score; 0 if none changes."""
    word: int
    """The id of the specified entry's word; -1 if no entry was specified."""

    @property
    def rank(self) -> tuple[int, int, float]:
        """The sort key: fewer changed squares; for other answers a higher lowest changed score; a better mean."""
        return len(self.changed), 0 if self.word < 0 else -self.lowest_changed, -self.mean_score


@dataclass(frozen=True)
class RepairResult:
    """The result of a search for repairs."""

    outcome: Outcome
    """FILLED if there is a repair; IMPOSSIBLE if proved that there is none; else UNKNOWN or CANCELLED."""
    repairs: tuple[Repair, ...]
    """Best first; for other answers of an entry, one each."""
    is_complete: bool
    """Whether there are no others."""
    reason: Reason | None = None
    """Why there is no repair, if that is proved and there is a reason to report."""


class RepairWanted(NamedTuple):
    """The requirements for a repair."""

    entry: str = ""
    """The entry that needs an answer other than its present one; empty to repair the grid in any way."""
    word: str = ""
    """Its new answer; empty for any other word."""
    most: int = 1
    """The maximum number of its answers to find, each with its own smallest change."""
    least_score: int = 0
    """The minimum score of that answer."""
    least_changed: int = 0
    """The minimum score of each answer that changes."""
    most_squares: int | None = None
    """The maximum number of squares that may change."""
    gives_up: bool = False
    """Whether to search no longer for a first fill than for a closer one."""
    is_enough: Callable[[], bool] = never
    """Once there is any fill, the search for a closer one ends as soon as this returns True."""
    found: Callable[[tuple[Repair, ...]], None] | None = None
    """Called with the repairs so far, best first, in the caller's thread.

    If only one repair is wanted, it is called with each that is closer than all before, in any thread but one at a
    time.
    """


ANY_REPAIR = RepairWanted()


def repair(
    problem: Problem,
    current: Mapping[Position, Content],
    budget: Budget = NO_LIMIT,
    wanted: RepairWanted = ANY_REPAIR,
) -> RepairResult:
    """Find the fill that changes the fewest squares, and among those the best one (`Repair.rank`).

    If more than 200 fills change so few squares, the first 200 found are compared. `current` is the grid's
    contents, given or not, complete or in part. Proofs take `PROOF_NODES` from one repair to the next, and all
    together at most the seconds of the budget. Raises KeyError for an entry that the problem does not have.
    """
    warm_up(counting=False, improving=True)
    return _RepairSearch(problem, current, budget, wanted).run()


class _RepairSearch:
    """One search: the candidate words of the entry that have not been examined, and the repairs found."""

    def __init__(
        self, problem: Problem, current: Mapping[Position, Content], budget: Budget, wanted: RepairWanted
    ) -> None:
        self._wanted = wanted
        self._has_fill = False
        self._problem = problem
        self._current = current
        self._time = TimeLimit(budget._replace(threads=max(budget.threads, 1)))
        self._most_nodes = PROOF_NODES if wanted.entry else int(_GRID_SHARE * PROOF_NODES)
        self._nodes_left = self._most_nodes
        """Nodes left for the current proof."""
        self._slot = problem.slot_numbers[wanted.entry] if wanted.entry else -1
        self._repairs: KeptOrder[Repair] = KeptOrder(lambda one: one.rank)
        """By the id of the entry's word; under -1 if no entry was specified."""
        self._closeness = Closeness(problem, current, wanted.least_changed)
        self._open: NDArray[np.bool_] | None = self._first_open() if wanted.entry else None
        """Shape (rows of the entry,): the words that have not been examined."""

    def _first_open(self) -> NDArray[np.bool_]:
        word, least_score = self._wanted.word, self._wanted.least_score
        table, entry = self._problem.tables[self._slot], self._problem.slots[self._slot]
        is_other = not word
        if is_other:
            if not all(at in self._current for at in entry.positions):
                return table.scores >= least_score
            read = zip(entry.reading, entry.directions, strict=True)
            word = "".join(self._current[at].reading(direction) for at, direction in read)
        is_it = np.array([one == word for one in self._problem.words(self._slot)], np.bool_)
        is_open = ~np.isin(table.words, table.words[is_it]) if is_other else is_it
        return is_open & (table.scores >= least_score)

    def run(self) -> RepairResult:
        entry, word, most = self._wanted[:3]
        if not self._problem.root.is_possible:
            return RepairResult(Outcome.IMPOSSIBLE, (), is_complete=True, reason=why_impossible(self._problem))
        if word and self._open is not None and not self._open.any():
            task = self._problem.task
            reason = length_misfit(task, task.grid.entry(entry), word) or WordNotAllowed(word, entry)
            return RepairResult(Outcome.IMPOSSIBLE, (), is_complete=True, reason=reason)
        is_complete = self._search_levels()
        while not is_complete and len(self._repairs) < most and not self._is_over():
            outcome = self._mend()
            if outcome is not Outcome.FILLED:
                is_complete = outcome is Outcome.IMPOSSIBLE
                break
        ranked = tuple(self._repairs)
        if untried_ways(self._problem) is not None:
            ranked = tuple(replace(one, is_smallest=False) for one in ranked)
        if ranked:
            outcome = Outcome.FILLED
        elif is_complete:
            outcome = Outcome.IMPOSSIBLE
        else:
            outcome = self._time.unfinished_outcome
        proved: Reason | None = None
        if outcome is Outcome.IMPOSSIBLE:
            is_of_grid = self._slot < 0
            no_other = NoOtherWord(self._problem.task.proof_terms)
            proved = no_fill_exists(self._problem) if is_of_grid else limited_reason(self._problem, no_other)
        return RepairResult(outcome, ranked[:most], is_complete, proved)

    def _is_over(self) -> bool:
        """Whether it is time to stop, with or without a fill."""
        return self._time.is_over() or (self._has_fill and self._wanted.is_enough())

    # Level by level

    def _search_levels(self) -> bool:
        """Search level after level until there are enough repairs; True if nothing is left."""
        highest, most = int((self._closeness.targets != -1).sum()), self._wanted.most_squares
        highest = highest if most is None else min(highest, most)
        before, level = len(self._repairs), -1
        while not self._is_settled and not self._is_proof_over:
            least = self._closeness.least_costs
            open_costs = least if self._open is None else [least[self._slot][self._open]]
            fewest = max((int(costs.min()) for costs in open_costs if len(costs)), default=0)
            level = max(level + 1, (fewest + 1) // 2)
            if level > highest:
                return True
            if not self._search_level(level) or len(self._repairs) >= self._wanted.most:
                break
            if len(self._repairs) > before:
                before = len(self._repairs)
                self._nodes_left = self._most_nodes
        return self._is_settled

    @property
    def _is_proof_over(self) -> bool:
        """Whether the proof has taken long enough."""
        return self._nodes_left <= 0 or self._is_over()

    @property
    def _is_settled(self) -> bool:
        """Whether nothing is left to search for."""
        return bool(self._repairs) if self._open is None else not self._open.any()

    def _search_level(self, level: int) -> bool:
        """Find all repairs of a level; False if that took too long."""
        near = self._closeness.within(level)
        if near is None:
            return True
        while not self._is_settled:
            problem = self._start(near, level)
            if problem is None or not problem.root.is_possible:
                return True
            filler = Filler(problem, settings=_EVERY_FILL)
            fills, best = 0, dict[int, Repair]()
            self._nodes_left -= _WORK_OF_LEVEL
            while fills < _FILLS_AT_ONCE:
                nodes = filler.statistics.nodes
                if filler.advance(nodes=_NODES_PER_CHECK) is Outcome.IMPOSSIBLE:
                    break
                self._nodes_left -= filler.statistics.nodes - nodes
                if filler.outcome is Outcome.FILLED:
                    fills += self._take(best, near, filler, level)
                    filler.reject_fill()
                if self._is_proof_over:
                    self._settle(best)
                    return False
            self._settle(best)
            if fills < _FILLS_AT_ONCE:
                return True
        return True

    def _start(self, near: NearProblem, level: int | None) -> Problem | None:
        stays = None if self._open is None else (self._slot, self._open[near.orders[self._slot]])
        if stays is not None and not stays[1].any():
            return None
        return with_bounded_root(near.problem, None if level is None else 2 * level, stays)

    def _take(self, best: dict[int, Repair], near: NearProblem, filler: Filler, level: int) -> bool:
        """Keep a search's fill if it beats the last one with its word; False if it belongs to a later level.

        Squares that read two ways may change more than their entries add up to.
        """
        made = replace(self._read(near, filler), is_smallest=True)
        if len(made.changed) > level:
            return False
        self._has_fill = True
        if made.word not in best or made.rank < best[made.word].rank:
            best[made.word] = made
        return True

    def _read(self, near: NearProblem, filler: Filler) -> Repair:
        rows = np.full(len(filler.problem.slots), -1, np.int64)
        for slot, row in filler.problem.decided_rows(filler.state):
            rows[slot] = near.orders[slot][row]
        return self._repair(rows, filler.fill())

    def _settle(self, best: Mapping[int, Repair]) -> None:
        """Store what was found, and mark these words as examined."""
        if not best:
            return
        for word, made in best.items():
            self._repairs.put(word, self._with_best_words(made))
        if self._open is not None:
            self._open = self._open & ~np.isin(self._problem.tables[self._slot].words, list(best))
        if self._wanted.found is not None:
            self._wanted.found(tuple(self._repairs))

    def _repair(
        self, rows: NDArray[np.int64], squares: Mapping[Position, Content], *, is_smallest: bool = False
    ) -> Repair:
        problem = self._problem
        decided = {slot: row for slot, row in enumerate(rows.tolist()) if row >= 0 and problem.is_required[slot]}
        scores = scores_of(problem, decided)
        changed = dict.fromkeys(sorted(at for at in squares if self._current.get(at, squares[at]) != squares[at]))
        moved = [
            (problem.score(slot, row), slot)
            for slot, row in decided.items()
            if slot == self._slot or self._reads_otherwise(slot, squares, changed)
        ]
        lowest_changed, weakest = min(moved, default=(0, -1))
        return Repair(
            squares,
            tuple(changed),
            {problem.slots[slot].name: problem.word(slot, row) for slot, row in decided.items()},
            sum(scores) / len(scores) if scores else 0.0,
            min(scores, default=0),
            is_smallest,
            problem.slots[weakest].name if weakest >= 0 else "",
            lowest_changed,
            -1 if self._slot < 0 else int(problem.tables[self._slot].words[rows[self._slot]]),
        )

    def _reads_otherwise(
        self, slot: int, squares: Mapping[Position, Content], changed: Container[Position]
    ) -> bool:
        """Whether an entry reads a changed square differently; perhaps only the other entry does."""
        entry = self._problem.slots[slot]
        return any(
            at in changed and squares[at].reading(way) != self._current[at].reading(way)
            for at, way in zip(entry.reading, entry.directions, strict=True)
        )

    # Beyond the levels

    def _mend(self) -> Outcome:
        """Repair the contents with any remaining word, changing as few squares as the work limit allows."""
        near = self._closeness.within(self._wanted.most_squares)
        problem = None if near is None else self._start(near, None)
        if near is None or problem is None or not problem.root.is_possible:
            return Outcome.IMPOSSIBLE
        worth = Worth(problem, Objective())
        budget = self._time.budget._replace(stop=self._is_over)
        effort, wanted = _OF_GRID if self._slot < 0 else _OF_ENTRY, self._wanted
        found, is_proved = closest_fill(worth, self._current, effort, budget, self._callback(near))
        if found is None and not is_proved and not wanted.gives_up:
            followed = follow(problem, self._current, budget._replace(seconds=None))
            is_proved = followed.outcome is Outcome.IMPOSSIBLE
            if followed.outcome is Outcome.FILLED:
                found = worth.ranked(code_start(worth.problem, followed.squares))
        if found is None:
            return Outcome.IMPOSSIBLE if is_proved else Outcome.UNKNOWN
        self._has_fill = True
        made = self._made(near, found, is_closest=is_proved and self._slot < 0)
        if not made.is_smallest and wanted.most == 1:
            costs = ReducedCosts(worth, near)
            made = self._closest_proved(costs, made)
            if not made.is_smallest and self._slot < 0:
                closer = self._search_again(worth, near, made, budget)
                is_news = len(closer.changed) < len(made.changed) and not closer.is_smallest
                made = self._closest_proved(costs, closer) if is_news else closer
        if wanted.most_squares is not None and len(made.changed) > wanted.most_squares:
            return Outcome.UNKNOWN
        self._settle({made.word: made})
        return Outcome.FILLED

    def _search_again(self, worth: Worth, near: NearProblem, made: Repair, budget: Budget) -> Repair:
        """Return the closest fill from other random numbers, or the one known before."""
        known = worth.ranked(code_start(worth.problem, made.squares))
        other = budget._replace(seed=budget.seed + _ANOTHER_SEED)
        found, is_proved = closest_fill(worth, self._current, _ONCE_MORE, other, self._callback(near), known)
        again = self._made(near, found or known, is_closest=is_proved)
        return replace(min(made, again, key=lambda one: one.rank), is_smallest=again.is_smallest)

    def _callback(self, near: NearProblem) -> Callable[[CodedFill], None]:
        """Return a callback that reports each closer fill of a closeness problem as a repair."""
        wanted = self._wanted

        def note(fill: CodedFill) -> None:
            self._has_fill = True
            if wanted.most == 1 and wanted.found is not None:
                wanted.found((self._made(near, fill),))

        return note

    def _made(self, near: NearProblem, fill: CodedFill, *, is_closest: bool = False) -> Repair:
        """Return the repair for a fill of a closeness problem; the closest one may be proved smallest."""
        read = [near.orders[slot][row] if row >= 0 else -1 for slot, row in enumerate(fill.rows.tolist())]
        rows = np.array(read, np.int64)
        made = self._repair(rows, fill.squares(near.problem))
        return replace(made, is_smallest=is_closest and len(made.changed) <= self._closeness.changed(rows))

    def _closest_proved(self, costs: ReducedCosts, made: Repair) -> Repair:
        """Return the repair that is proved to change the fewest squares, or the best known if none is proved."""
        enough = len(made.changed)
        for steps in _STEPS_OF_PRICES:
            costs.tighten(enough, steps, self._is_over)
            if costs.least < min(_HOPELESS_SHARE * enough, enough - _HOPEFUL_GAP):
                return made
        is_near = costs.least >= min(_HOPEFUL_SHARE * enough, enough - _HOPEFUL_GAP)
        nodes = _REDUCED_NODES if is_near else 0
        while costs.least < len(made.changed):
            near = costs.within(len(made.changed) - 1)
            if near is None or not near.problem.root.is_possible:
                break
            filler = Filler(near.problem, seed=self._time.budget.seed)
            others = self._others(near, filler, nodes)  # rounded costs may admit one that is no closer
            closer = next((one for one in others if len(one.changed) < len(made.changed)), None)
            nodes -= filler.statistics.nodes
            if closer is not None:
                made = closer
            elif filler.outcome is Outcome.IMPOSSIBLE:
                break
            else:
                return made
        near = costs.within(len(made.changed))
        if near is not None:
            others = self._others(near, Filler(near.problem, settings=_EVERY_FILL), _NODES_OF_EQUALS)
            made = min([made, *others], key=lambda one: one.rank)
        return replace(made, is_smallest=True)

    def _others(self, near: NearProblem, filler: Filler, nodes: int) -> Iterator[Repair]:
        """Yield the repairs that a search finds within this many decisions."""
        while nodes > 0 and not self._is_over():
            spent = filler.statistics.nodes
            if filler.advance(nodes=min(nodes, _NODES_PER_CHECK)) is Outcome.IMPOSSIBLE:
                return
            nodes -= filler.statistics.nodes - spent + 1
            if filler.outcome is Outcome.FILLED:
                yield self._read(near, filler)
                filler.reject_fill()

    def _with_best_words(self, made: Repair) -> Repair:
        """Return the repair with the best words for its changed squares; all others and the entry are kept."""
        own = set(self._problem.slots[self._slot].positions) if self._slot >= 0 else set[Position]()
        moved = {at for at, content in made.squares.items() if self._current.get(at) != content} - own
        worth = self._worth
        best = code_start(worth.problem, made.squares)
        if not moved or best.faults(worth.problem):
            return made
        best = worth.ranked(best)
        free = np.array([at in moved for at in worth.problem.positions], np.bool_)
        refill = Refill(worth.problem, worth)
        for turn in range(_MOST_BETTER):
            outcome = refill.run(
                best,
                free,
                worth.better_than(best.rank),
                seed=turn,
                nodes=_NODES_OF_WORDS,
                stopped=self._is_over,
            )
            if outcome is not Outcome.FILLED:
                break
            best = refill.found()
            squares = best.squares(worth.problem)
            rows = code_start(self._problem, squares).rows
            better = self._repair(rows, squares, is_smallest=made.is_smallest)
            if better.lowest_changed >= self._wanted.least_changed:
                made = min(made, better, key=lambda one: one.rank)
        return made

    @cached_property
    def _worth(self) -> Worth:
        return Worth(self._problem, Objective())


class FollowResult(NamedTuple):
    """The result of `follow`."""

    outcome: Outcome
    """FILLED; IMPOSSIBLE: proved that there is no fill; UNKNOWN: time or nodes used up, or cancelled."""
    squares: Mapping[Position, Content]
    """The fill; empty if there is none."""


def follow(
    problem: Problem,
    last: Mapping[Position, Content],
    budget: Budget = NO_LIMIT,
    *,
    agreed: Callable[[Mapping[Position, Content]], None] | None = None,
) -> FollowResult:
    """Find a fill of a problem that keeps much of another fill.

    Squares that cannot stay as in `last` are freed, together with entries that are no longer words, and then more
    and more around them until there is a fill. So it is fast if little has changed, and changes little. It gives
    up after the budget's nodes in each thread; with one thread, the result is the same on every machine.

    If no fill is found at once, `agreed` is called in the caller's thread with what can be kept of `last` as far
    as is known: each entry that it completes has its own word, and every other entry can still have one. It is
    called again each time that less of `last` can be kept.
    """
    warm_up(counting=False, improving=True)
    if not problem.root.is_possible:
        return FollowResult(Outcome.IMPOSSIBLE, {})
    shared = SharedBest(Worth(problem, Objective()), mending_nodes=budget.nodes)
    freed = shared.freed

    def is_over() -> bool:
        nonlocal freed
        if agreed is not None and shared.freed != freed:
            freed = shared.freed
            symbols = run.start.symbols.copy()
            symbols[list(freed)] = NONE
            agreed(replace(run.start, symbols=symbols).squares(problem))
        return shared.best is not None or budget.stop()

    run = ImproveRun(shared, Watch(shared, budget._replace(stop=is_over)), last)
    if not run.leader.accept_start():
        run.run()
    if shared.best is not None:
        return FollowResult(Outcome.FILLED, shared.best.squares(problem))
    return FollowResult(Outcome.IMPOSSIBLE if shared.is_proved else Outcome.UNKNOWN, {})
