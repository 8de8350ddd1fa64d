"""Making a grid whole again with few squares changed: for one answer, each other answer of an entry, or an edit.

Level by level: all fills that change one square, then two, and so on, each level searched to its end before the
next begins, so that what a level brings is proved to be the smallest change. A level has few rows (closeness.py),
and a bound on the sum of its changes. Where the levels take too long, the closest fill is looked for about what
clashes (closest.py). How few squares any fill must change is reckoned then, and the levels from there on are
searched, with far fewer rows: often that proves the fill to be the closest, or finds the one that is.
In any case the squares that change then get the best words that they can have with all others as they are.

All that is counted, not timed, so that a seed gives the same on every machine, unless the seconds are up before.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.budget import NO_LIMIT, Budget, TimeLimit, never
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler, scores_of
from xwtui.engine.fill.search_settings import NEVER, Branching, SearchSettings
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.improver import ImproveRun
from xwtui.engine.improve.rounds import SEEKING, Refill
from xwtui.engine.improve.shared_best import SharedBest, Watch
from xwtui.engine.improve.worth import NONE, CodedFill, Worth, standing_of
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import as_far_as_tried, no_fill_exists, untried, why_impossible
from xwtui.engine.problem.task import length_misfit
from xwtui.engine.repair.closeness import Closeness, Near, ReducedCosts
from xwtui.engine.repair.closest import RepairEffort, closest_fill
from xwtui.engine.warmup import warm_up
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.named_tuples import NamedTuple
from xwtui.words.kept_order import KeptOrder

with lazy_imports():
    from xwtui.engine.problem.no_fill import NoOtherWord, Reason, WordNotAllowed

PROOF_NODES = 2_000
"""Decisions that a proof that a change is the smallest may take, level by level."""
_GRID_SHARE = 0.3
"""Of these, what the levels may take where no entry was asked for: prices prove more there."""

_WORK_OF_LEVEL = 200
"""Laying out the search of a level takes about as long as so many decisions."""

_OF_GRID = RepairEffort(starts=3, each=3_000, best=10_000)
_OF_ENTRY = RepairEffort(starts=2, each=2_000, best=4_000)
"""What the search for the closest fill may take where the changes were not found by a proof."""
_ONCE_MORE = RepairEffort(starts=8, each=4_000, best=30_000)
"""What it may take once more, where that fill was not proved to be the closest: a wrong turn of the first starts
costs tens of squares, which more starts find, and more work from there does not."""
_ANOTHER_SEED = 7_919
"""How far the seed of that is from the first one."""

_STEPS_OF_PRICES = (75, 225)
"""Steps of prices, the second ones where after the first such a share of the squares is known to be needed, or the
least is near enough."""
_HOPELESS_SHARE = 0.5
_REDUCED_NODES = 8_000
"""Decisions of the levels with reduced costs, all together."""
_HOPEFUL_SHARE, _HOPEFUL_GAP = 0.75, 6
"""From this share of the squares that are known to be enough on, or within so many, the least is near enough."""
_NODES_OF_EQUALS = 1_000
"""Decisions that the other fills of the last level may take."""

_NODES_OF_WORDS = 500
"""Decisions that each search for better words in the changed squares may take."""
_MOST_BETTER = 100
_NODES_A_LOOK = 500
"""Decisions of a proof between two looks at whether to stop."""

_FILLS_AT_ONCE = 200
"""Fills that one search of a level goes through before it leaves out the words that it has found."""

_EVERY_FILL = SearchSettings(first_restart=NEVER, backjump=False, branching=Branching.ON_WORDS)
"""A search that comes to each fill once."""


@dataclass(frozen=True)
class Repair:
    """A whole fill that changes little of what stood."""

    squares: Mapping[Position, Content]
    """The content of each square of the fill, of a selection those in it."""
    changed: tuple[Position, ...]
    """The squares where something else stood, row by row; those that were empty are not among them."""
    answers: Mapping[str, str]
    """The answer of each entry, by its name."""
    mean_score: float
    lowest_score: int
    """Of the entries that are not given whole."""
    is_smallest: bool
    """Whether it is proved that no fill changes fewer squares; of an entry that was asked for, with its answer."""
    weakest: str
    """The entry with the lowest score among those that change; of several the first."""
    lowest_changed: int
    """That score; 0 where none changes."""
    word: int
    """The identity of the word that an entry has which was asked for; -1 where none was."""

    @property
    def rank(self) -> tuple[int, int, float]:
        """What comes first: fewer squares changed, then the better mean.

        Of other answers of an entry, before the mean, the higher lowest score of what changes.
        """
        return len(self.changed), 0 if self.word < 0 else -self.lowest_changed, -self.mean_score


@dataclass(frozen=True)
class RepairResult:
    """What a search for repairs came to."""

    outcome: Outcome
    """FILLED where there is a repair; IMPOSSIBLE where there is none (proved); else UNKNOWN or CANCELLED."""
    repairs: tuple[Repair, ...]
    """The best first: of other answers of an entry one each."""
    is_complete: bool
    """Whether there are no others."""
    reason: Reason | None = None
    """Why there is none, if that is proved and there is more to say of it."""


class RepairWanted(NamedTuple):
    """What a repair is to bring."""

    entry: str = ""
    """The entry that is to have another answer than it has; empty to make the grid whole, whatever changes."""
    word: str = ""
    """What it is to have; any other word, if empty."""
    most: int = 1
    """Up to so many of its answers, each with its own smallest change."""
    least_score: int = 0
    """Of that answer."""
    least_changed: int = 0
    """The least score of each answer that changes."""
    most_squares: int | None = None
    """Which may change."""
    gives_up: bool = False
    """Whether it looks no longer for a first fill than for a closer one."""
    is_enough: Callable[[], bool] = never
    """As soon as there is any fill, no closer one is looked for once this says so."""
    found: Callable[[tuple[Repair, ...]], None] | None = None
    """Told the repairs so far, the best first, in the caller's thread; where one is wanted, each that is closer
    than all before, in any thread, but one at a time."""


A_REPAIR = RepairWanted()


def repair(
    problem: Problem,
    standing: Mapping[Position, Content],
    budget: Budget = NO_LIMIT,
    wanted: RepairWanted = A_REPAIR,
) -> RepairResult:
    """Find the fill that changes fewest squares of what stands, and among those the best one (`Repair.rank`).

    Where more than 200 fills change so few, the first 200 that were found are compared. `standing` is what stood,
    given or not, whole or in part. Proofs take `PROOF_NODES` from one repair to the next, all together the seconds
    of the budget. Raises KeyError for an entry that the problem has not.
    """
    warm_up(counting=False, improving=True)
    return _RepairSearch(problem, standing, budget, wanted).run()


class _RepairSearch:
    """One search: the words of an entry that are still to be looked at, and what was found."""

    def __init__(
        self, problem: Problem, standing: Mapping[Position, Content], budget: Budget, wanted: RepairWanted
    ) -> None:
        self._wanted = wanted
        self._has_fill = False
        self._problem = problem
        self._standing = standing
        self._time = TimeLimit(budget._replace(threads=max(budget.threads, 1)))
        self._most_nodes = PROOF_NODES if wanted.entry else int(_GRID_SHARE * PROOF_NODES)
        self._nodes_left = self._most_nodes
        """Of the proof that goes on."""
        self._slot = problem.slot_numbers[wanted.entry] if wanted.entry else -1
        self._repairs: KeptOrder[Repair] = KeptOrder(lambda one: one.rank)
        """By the identity of the entry's word; one under -1 where no entry was asked for."""
        self._closeness = Closeness(problem, standing, wanted.least_changed)
        self._open: NDArray[np.bool_] | None = self._first_open() if wanted.entry else None
        """(rows,) of the entry: the words that are still to be looked at."""

    def _first_open(self) -> NDArray[np.bool_]:
        word, least_score = self._wanted.word, self._wanted.least_score
        table, entry = self._problem.tables[self._slot], self._problem.slots[self._slot]
        is_other = not word
        if is_other:
            if not all(at in self._standing for at in entry.positions):
                return table.scores >= least_score
            read = zip(entry.reading, entry.directions, strict=True)
            word = "".join(self._standing[at].reading(direction) for at, direction in read)
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
        if untried(self._problem) is not None:
            ranked = tuple(replace(one, is_smallest=False) for one in ranked)
        if ranked:
            outcome = Outcome.FILLED
        elif is_complete:
            outcome = Outcome.IMPOSSIBLE
        else:
            outcome = self._time.unproved
        proved: Reason | None = None
        if outcome is Outcome.IMPOSSIBLE:
            is_of_grid = self._slot < 0
            no_other = NoOtherWord(self._problem.task.proof_terms)
            proved = no_fill_exists(self._problem) if is_of_grid else as_far_as_tried(self._problem, no_other)
        return RepairResult(outcome, ranked[:most], is_complete, proved)

    def _is_over(self) -> bool:
        """Whether it is time to end, with a fill or without one."""
        return self._time.is_over() or (self._has_fill and self._wanted.is_enough())

    # Level by level

    def _search_levels(self) -> bool:
        """Search level after level until there are so many repairs; True where nothing is left."""
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
        """Whether nothing is left to look for."""
        return bool(self._repairs) if self._open is None else not self._open.any()

    def _search_level(self, level: int) -> bool:
        """Find all repairs of a level; False where that took too long."""
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
                if filler.advance(nodes=_NODES_A_LOOK) is Outcome.IMPOSSIBLE:
                    break
                self._nodes_left -= filler.statistics.nodes - nodes
                if filler.outcome is Outcome.FILLED:
                    fills += self._take(best, near, filler, level)
                    filler.pass_over_fill()
                if self._is_proof_over:
                    self._settle(best)
                    return False
            self._settle(best)
            if fills < _FILLS_AT_ONCE:
                return True
        return True

    def _start(self, near: Near, level: int | None) -> Problem | None:
        if self._open is None:
            return self._closeness.start(near, level)
        if not self._open[near.orders[self._slot]].any():
            return None
        return self._closeness.start(near, level, slot=self._slot, words=self._open)

    def _take(self, best: dict[int, Repair], near: Near, filler: Filler, level: int) -> bool:
        """Keep the fill of a search if it is better than the last with its word; False if a later level has it.

        Squares that read two ways may change more than their entries add up to.
        """
        made = replace(self._read(near, filler), is_smallest=True)
        if len(made.changed) > level:
            return False
        self._has_fill = True
        if made.word not in best or made.rank < best[made.word].rank:
            best[made.word] = made
        return True

    def _read(self, near: Near, filler: Filler) -> Repair:
        rows = np.full(len(filler.problem.slots), -1, np.int64)
        for slot, row in filler.problem.decided_rows(filler.state):
            rows[slot] = near.orders[slot][row]
        return self._repair(rows, filler.fill())

    def _settle(self, best: Mapping[int, Repair]) -> None:
        """Keep what was found, and look at these words no more."""
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
        changed = dict.fromkeys(sorted(at for at in squares if self._standing.get(at, squares[at]) != squares[at]))
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
        """Whether an entry reads some square that changes otherwise: it may be the other one that does."""
        entry = self._problem.slots[slot]
        return any(
            at in changed and squares[at].reading(way) != self._standing[at].reading(way)
            for at, way in zip(entry.reading, entry.directions, strict=True)
        )

    # What can be had

    def _mend(self) -> Outcome:
        """Mend what stands with any of the open words, with as few squares changed as so much work finds."""
        near = self._closeness.within(self._wanted.most_squares)
        problem = None if near is None else self._start(near, None)
        if near is None or problem is None or not problem.root.is_possible:
            return Outcome.IMPOSSIBLE
        worth = Worth(problem, Objective())
        budget = self._time.budget._replace(stop=self._is_over)
        effort, wanted = _OF_GRID if self._slot < 0 else _OF_ENTRY, self._wanted
        found, is_proved = closest_fill(worth, self._standing, effort, budget, self._told(near))
        if found is None and not is_proved and not wanted.gives_up:
            followed = follow(problem, self._standing, budget._replace(seconds=None))
            is_proved = followed.outcome is Outcome.IMPOSSIBLE
            if followed.outcome is Outcome.FILLED:
                found = worth.ranked(standing_of(worth.problem, followed.squares))
        if found is None:
            return Outcome.IMPOSSIBLE if is_proved else Outcome.UNKNOWN
        self._has_fill = True
        made = self._made(near, found, is_closest=is_proved and self._slot < 0)
        if not made.is_smallest and wanted.most == 1:
            costs = ReducedCosts(worth, near)
            made = self._closest_proved(costs, made)
            if not made.is_smallest and self._slot < 0:
                closer = self._look_again(worth, near, made, budget)
                is_news = len(closer.changed) < len(made.changed) and not closer.is_smallest
                made = self._closest_proved(costs, closer) if is_news else closer
        if wanted.most_squares is not None and len(made.changed) > wanted.most_squares:
            return Outcome.UNKNOWN
        self._settle({made.word: made})
        return Outcome.FILLED

    def _look_again(self, worth: Worth, near: Near, made: Repair, budget: Budget) -> Repair:
        """The closest fill by other chances, or the one known before."""
        known = worth.ranked(standing_of(worth.problem, made.squares))
        other = budget._replace(seed=budget.seed + _ANOTHER_SEED)
        found, is_proved = closest_fill(worth, self._standing, _ONCE_MORE, other, self._told(near), known)
        again = self._made(near, found or known, is_closest=is_proved)
        return replace(min(made, again, key=lambda one: one.rank), is_smallest=again.is_smallest)

    def _told(self, near: Near) -> Callable[[CodedFill], None]:
        """Tells of each fill of a problem of closeness that it has come closer, where a repair is waited for."""
        wanted = self._wanted

        def note(fill: CodedFill) -> None:
            self._has_fill = True
            if wanted.most == 1 and wanted.found is not None:
                wanted.found((self._made(near, fill),))

        return note

    def _made(self, near: Near, fill: CodedFill, *, is_closest: bool = False) -> Repair:
        """The repair that a fill of a problem of closeness is; the closest may be proved the smallest."""
        read = [near.orders[slot][row] if row >= 0 else -1 for slot, row in enumerate(fill.rows.tolist())]
        rows = np.array(read, np.int64)
        made = self._repair(rows, fill.squares(near.problem))
        return replace(made, is_smallest=is_closest and len(made.changed) <= self._closeness.changed(rows))

    def _closest_proved(self, costs: ReducedCosts, made: Repair) -> Repair:
        """The repair that is proved to change fewest squares; where so much work proves none, the best known."""
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
            others = self._others(near, filler, nodes)  # rounded costs may let one pass that is no closer
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

    def _others(self, near: Near, filler: Filler, nodes: int) -> Iterator[Repair]:
        """The repairs that a search comes to in so many decisions."""
        while nodes > 0 and not self._is_over():
            spent = filler.statistics.nodes
            if filler.advance(nodes=min(nodes, _NODES_A_LOOK)) is Outcome.IMPOSSIBLE:
                return
            nodes -= filler.statistics.nodes - spent + 1
            if filler.outcome is Outcome.FILLED:
                yield self._read(near, filler)
                filler.pass_over_fill()

    def _with_best_words(self, made: Repair) -> Repair:
        """The repair with the best words that its squares can have, all others and the entry's as they are."""
        own = set(self._problem.slots[self._slot].positions) if self._slot >= 0 else set[Position]()
        moved = {at for at, content in made.squares.items() if self._standing.get(at) != content} - own
        worth = self._worth
        best = standing_of(worth.problem, made.squares)
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
                settings=SEEKING,
                seed=turn,
                nodes=_NODES_OF_WORDS,
                stopped=self._is_over,
            )
            if outcome is not Outcome.FILLED:
                break
            best = refill.found()
            squares = best.squares(worth.problem)
            rows = standing_of(self._problem, squares).rows
            better = self._repair(rows, squares, is_smallest=made.is_smallest)
            if better.lowest_changed >= self._wanted.least_changed:
                made = min(made, better, key=lambda one: one.rank)
        return made

    @cached_property
    def _worth(self) -> Worth:
        return Worth(self._problem, Objective())


class Following(NamedTuple):
    """What following came to."""

    outcome: Outcome
    """FILLED; IMPOSSIBLE: there is no fill (proved); UNKNOWN: time or nodes are over, or it was cancelled."""
    squares: Mapping[Position, Content]
    """The fill; empty where there is none."""


def follow(
    problem: Problem,
    last: Mapping[Position, Content],
    budget: Budget = NO_LIMIT,
    *,
    agreed: Callable[[Mapping[Position, Content]], None] | None = None,
) -> Following:
    """Find a fill of a problem that has much of another one.

    Squares that cannot be as in `last` are freed, with entries that are no words then, and ever more about them
    until there is a fill: so it is quick where little has changed, and little moves. It gives up after so many
    nodes of each thread; with one that is alike on every machine.

    Where none is found at once, `agreed` is told in the caller's thread what of `last` may stay, for all that is
    known: each entry that it completes has a word of its own, and every other one can still have one. It is told
    again each time that less of it may.
    """
    warm_up(counting=False, improving=True)
    if not problem.root.is_possible:
        return Following(Outcome.IMPOSSIBLE, {})
    shared = SharedBest(Worth(problem, Objective()), mending_nodes=budget.nodes)
    told = shared.freed

    def is_over() -> bool:
        nonlocal told
        if agreed is not None and shared.freed != told:
            told = shared.freed
            symbols = run.start.symbols.copy()
            symbols[list(told)] = NONE
            agreed(replace(run.start, symbols=symbols).squares(problem))
        return shared.standing is not None or budget.stop()

    run = ImproveRun(shared, Watch(shared, budget._replace(stop=is_over)), last)
    if not run.leader.accept_start():
        run.run()
    if shared.standing is not None:
        return Following(Outcome.FILLED, shared.standing.squares(problem))
    return Following(Outcome.IMPOSSIBLE if shared.is_proved else Outcome.UNKNOWN, {})
