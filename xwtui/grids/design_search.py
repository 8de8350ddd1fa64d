"""The search for designs: layouts around theme answers, each proved by a fill.

Theme answers are placed at random such that their crossings can be words (`placements`). Blocks are annealed
around them so that every run has words that fit (`layouts`). The engine propagates and fills the result.
Placements are tried in the order of the cost of their first layout, and variations of the best ones are added.
Failures guide the search: an unsuccessful placement is tried less often, and the runs with the fewest words near a
dead grid's wipe-out cost more in later layouts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from random import Random
from threading import Lock
from time import perf_counter

import numpy as np

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.annealing import Annealer, Walls, free_orbits, layout_key
from xwtui.engine.budget import NO_LIMIT, Budget
from xwtui.engine.count.estimator import Counter as FillCounter
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.improver import improve
from xwtui.engine.improve.plain_fill import shared_stems, with_stem_rule, with_stems_apart
from xwtui.engine.kernels.layouts import FORBIDDEN, WORDS
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import culprits
from xwtui.engine.problem.task import Task
from xwtui.engine.warmup import warm_up
from xwtui.errors import EngineError
from xwtui.grids.designs import Design, DesignProgress, DesignWanted, DesignWords, answer_scores, best_first
from xwtui.grids.layouts import layout_grid
from xwtui.grids.placements import Placement, Placer, RunWords, Themer
from xwtui.model import Content, Direction, Position, Slot
from xwtui.words.kept_order import KeptOrder
from xwtui.words.lexicon import Lexicon

_NUMBERED_DRAWS = 12
"""Number of layouts drawn to find one that gives the answers their requested numbers."""
_MISSED_COST = 1.5
"""Penalty of a placement for each unit by which the answers missed their numbers in the nearest layout."""
_DRAWS, _WORDS_LESS = 5, 2
"""Number of draws for one layout, each with this many fewer words allowed, if no minimum was requested."""
_NO_LAYOUT_COST = 100.0
"""The assumed cost of a placement for which the first draws find no layout."""
_BLAME = 1.5
"""Extra cost of a run each time the engine blames it for a dead grid."""
_MOST_BLAME = FORBIDDEN / 2
_FEW_WORDS, _MOST_BLAMED = 100, 3
"""Only entries with fewer words than this are blamed first, and at most this many of them."""


@dataclass
class TriedPlacement:
    """A placement with the results of trying it."""

    placement: Placement
    wanted: DesignWanted
    words: RunWords
    cost: float = 0.0
    """Cost of its first layout, which predicts fillability far better than the lower bounds of its lines do."""
    put_off: float = 0.0
    """Penalty, in units of cost, that delays further tries."""
    _waiting: Walls | None = None
    """The first layout, until it is tried."""

    @property
    def order(self) -> float:
        """Priority: the placement with the lowest value is tried next."""
        return self.cost + self.put_off

    def look(self, random: Random) -> None:
        """Draw the first layout to learn the placement's cost."""
        self._waiting, self.cost = self._draw_any(random)
        if self._waiting is None:
            self.cost = _NO_LAYOUT_COST

    @cached_property
    def _annealer(self) -> Annealer:
        layout, placement = self.wanted.layout, self.placement
        height, width = layout.height, layout.width
        walls = np.zeros(height * width, np.uint8)
        for at, is_wall in placement.walls.items():
            walls[at.row * width + at.column] = is_wall
        orbits = free_orbits(height, width, layout.symmetry, frozenset(placement.walls))
        return Annealer(height, width, orbits, placement.costs(self.words), self.wanted.limits.copy(), walls)

    def draw(self, random: Random) -> Walls | None:
        """Return a layout that gives the answers their requested numbers, or None if none is found."""
        nearest: int | None = None
        for _ in range(_NUMBERED_DRAWS if self.placement.is_numbered else 1):
            walls, self._waiting = self._waiting, None
            if walls is None:
                walls, _ = self._draw_any(random)
            missed = self.placement.missed_numbers(walls) if walls is not None else None
            if missed == 0:
                return walls
            nearest = missed if nearest is None else min(nearest, missed or nearest)
        self.put_off += _MISSED_COST * (nearest or 0)
        return None

    def _draw_any(self, random: Random) -> tuple[Walls | None, float]:
        """Return a layout and its cost; permanently lowers the minimum number of words if none is found."""
        limits, fewest = self._annealer.limits, self.wanted.layout.fewest_words
        for _ in range(_DRAWS):
            walls, cost = self._annealer.draw_priced(random.getrandbits(64))
            if walls is not None or fewest is not None:
                return walls, cost
            limits[WORDS, 0] = max(0, limits[WORDS, 0] - _WORDS_LESS)
        return None, math.inf

    def blame(self, problem: Problem) -> None:
        """Raise the cost of the runs blamed for a dead grid in later layouts."""
        costs = self._annealer.costs
        for slot in blamed(problem):
            run = (0 if slot.direction is Direction.ACROSS else 1, *slot.start.along(slot.direction), len(slot))
            if 0 < costs[run] < _MOST_BLAME:
                costs[run] += _BLAME


def blamed(problem: Problem) -> tuple[Slot, ...]:
    """Return the entries to blame for a dead grid.

    These are the entries with the fewest words among the one that was wiped out and its crossings. The entry that
    was wiped out often has thousands of words, none of which fits the few words of a crossing entry. If all have
    many words, the wiped-out entry is blamed. Theme answers never are.
    """
    grid = problem.task.grid
    emptied = tuple(grid.slot(name) for name in culprits(problem))
    crossing = (grid.slot_at(at, slot.direction.other) for slot in emptied for at in slot.positions)
    near = {slot.name: slot for slot in (*emptied, *crossing) if slot is not None and "?" in grid.pattern(slot)}
    words = {name: table.rows for name, table in zip(problem.slot_names, problem.tables, strict=True)}
    few = sorted((name for name in near if words[name] < _FEW_WORDS), key=lambda name: words[name])
    return tuple(near[name] for name in few[:_MOST_BLAMED]) or emptied


_NODES_A_SQUARE = 2
"""Maximum number of decisions in a first search for a fill, per square."""
_MORE_NODES = 20
"""Maximum factor for that limit, which grows with the number of unfilled layouts while none was filled."""
_FIRST_PLACEMENTS = 40
_TRIES_A_PLACEMENT = 2
"""Number of tries after which one more placement is drawn."""
_CHANGED = 0.5
"""Probability that the next placement is a variation of the best one."""
_NO_LAYOUT, _DEAD, _UNFILLED, _FOUND = 1.0, 0.25, 0.5, 3.0
"""Penalty of a placement after a try, in units of its first layout's cost."""
_DRY_TRIES = 600
"""Number of placements drawn without a live one before all placements are enumerated."""
_TURN_SHARE, _TURN_SECONDS = 0.3, 20.0
"""Fraction of the time limit, capped in seconds, after which answers may also have other directions."""
_APART_SECONDS = 0.5
_IMPROVE_SECONDS = 1.0
_IMPROVED_SHARE, _EARLY_SHARE = 0.5, 0.15
"""Fraction of the time spent on improving fills, once there are enough designs and before."""
_CHOSEN_KEPT = 400


def design(
    wanted: DesignWanted,
    lexicon: Lexicon,
    budget: Budget = NO_LIMIT,
    *,
    found: Callable[[DesignProgress], None] | None = None,
    clock: Callable[[], float] = perf_counter,
) -> DesignProgress:
    """Look for designs, better and better, until time runs out or it is proved that there are none.

    No word of a fill repeats a theme answer. `found` is called from any of the threads: whenever the best designs
    change, and several times a second otherwise. Without a time limit the search runs until it is stopped. `clock`
    measures the seconds.
    """
    placers = [
        Placer(wanted.kind, wanted.themers, ways) for ways in (wanted.directions, *wanted.fallback_directions)
    ]
    unplaceable = placers[-1].unplaceable(wanted.themers)
    needed = [one for one in unplaceable if wanted.needs(one)]
    standing = tuple(one for one in wanted.themers if one not in unplaceable)
    if needed or len(standing) < min(wanted.choose or 0, len(wanted.themers)):
        return DesignProgress(is_impossible=True, reason=_without_place((needed or unplaceable)[0], wanted))
    if reason := wanted.uncrossable(lexicon):
        return DesignProgress(is_impossible=True, reason=reason)
    wanted = replace(wanted, themers=standing)
    warm_up(improving=True, drawing=True)
    run = _Run(wanted, lexicon, budget, found, clock)
    designers = [_Designer(run, placers, budget.seed * 1_000 + number) for number in range(max(budget.threads, 1))]
    with ThreadPoolExecutor(len(designers), thread_name_prefix="design") as pool:
        working = [pool.submit(designer.work) for designer in designers]
        try:
            for one in working:
                one.result()
        finally:
            run.end()
    return run.progress()


def _without_place(themer: Themer, wanted: DesignWanted) -> str:
    """Return the message that an answer does not fit, with only the requirements that cause this."""
    layout, squares, lengths = wanted.layout, themer.squares, wanted.layout.entry_lengths
    told = f"{themer.answer} ({squares} square{'s' * (squares != 1)}) does not fit"
    size = f"in a grid of {layout.height}x{layout.width}"
    if squares > max(layout.height, layout.width):
        return f"{told} {size}"
    if squares not in lengths:
        told += f" {size}: entries have {lengths.start} to {lengths.stop - 1} squares"
        return f"{told} under the profile {layout.profile.name}"
    return f"{told}{wanted.told_place(themer)} {size} with {wanted.demands}"


class _Run:
    """State shared by the threads of a run: the designs, the clock and the counts."""

    def __init__(
        self,
        wanted: DesignWanted,
        lexicon: Lexicon,
        budget: Budget,
        found: Callable[[DesignProgress], None] | None,
        clock: Callable[[], float],
    ) -> None:
        self.clock = clock
        self._begin = self._told = clock()
        self.wanted = wanted
        self.fill_words = DesignWords.of(wanted, lexicon)
        self.lexicon = self.fill_words.lexicon
        self.words = RunWords(self.lexicon, wanted.layout.entry_lengths)
        self._seconds = math.inf if budget.seconds is None else budget.seconds
        self.turn_seconds = min(_TURN_SECONDS, _TURN_SHARE * self._seconds)
        """Seconds without a design after which answers may also have other directions."""
        self._is_stopped = budget.stop
        self._found = found
        self._lock = Lock()
        self._designs: KeptOrder[Design] = KeptOrder(best_first, wanted.count)
        self._known: set[object] = set()
        self._improving: set[object] = set()
        self._is_ended = False
        self._found_keys: set[object] = set()
        self.tried = self.dead = 0
        self.reason = ""
        """Why no design exists, if that is proved."""

    @property
    def seconds(self) -> float:
        return self.clock() - self._begin

    @property
    def seconds_left(self) -> float:
        return self._seconds - self.seconds

    def end(self) -> None:
        self._is_ended = True

    def is_over(self) -> bool:
        """Whether to stop; also reports progress from time to time."""
        has_all = self.wanted.is_quick and self.has_enough
        if self._is_ended or has_all or self.seconds_left <= 0 or self._is_stopped():
            self._is_ended = True
        elif self._found is not None and self.clock() - self._told > 0.25:
            self._tell()
        return self._is_ended

    def is_over_by(self, seconds: float) -> bool:
        return self.is_over() or self.seconds > seconds

    def is_new(self, key: object) -> bool:
        """Whether a layout has not been tried before; marks it as tried."""
        with self._lock:
            is_new = key not in self._known
            self._known.add(key)
            self.tried += is_new
        return is_new

    @property
    def has_any(self) -> bool:
        return bool(self._found_keys)

    @property
    def has_enough(self) -> bool:
        return len(self._designs) >= self.wanted.count

    def take(self, key: object, design: Design) -> None:
        """Keep a design if it is among the best."""
        with self._lock:
            self._found_keys.add(key)
            if not self._designs.offer(key, design):
                return
        self._tell()

    def to_improve(self) -> tuple[object, Design] | None:
        """Claim the best design that has not been improved, or return None."""
        with self._lock:
            for key, one in self._designs.items():
                if not one.is_improved and key not in self._improving:
                    self._improving.add(key)
                    return key, one
            return None

    def progress(self) -> DesignProgress:
        with self._lock:
            best = tuple(self._designs)
        return DesignProgress(
            best,
            len(self._found_keys),
            self.tried,
            self.dead,
            self.seconds,
            is_impossible=bool(self.reason) and not best,
            reason="" if best else self.reason or self.wanted.unpaired_message,
        )

    def _tell(self) -> None:
        self._told = self.clock()
        if self._found is not None:
            self._found(self.progress())


class _Designer:
    """One thread of a run, with its own placements; deterministic for a seed except for time limits."""

    def __init__(self, run: _Run, placers: Sequence[Placer], seed: int) -> None:
        self._run = run
        self._random = Random(seed)
        self._placers = list(placers)
        self._tried: list[TriedPlacement] = []
        self._known: set[object] = set()
        self._dry = 0
        """Number of placements drawn while none was live."""
        self._tries = 0
        self._unfilled = 0
        """Number of layouts, not proved dead, for which no fill was found."""
        self._improved_seconds = self._searched_seconds = 0.0

    def work(self) -> None:
        """Search for designs, and improve existing ones in its share of the time, until the run is over."""
        clock = self._run.clock
        while not self._run.is_over():
            begin = clock()
            if self._is_time_to_improve() and self._improve():
                self._improved_seconds += clock() - begin
                continue
            if not self._search():
                self._run.end()
                return
            self._searched_seconds += clock() - begin

    def _is_time_to_improve(self) -> bool:
        run = self._run
        if run.wanted.is_quick:
            return False
        is_late = run.has_enough or run.seconds_left <= 3 * _IMPROVE_SECONDS
        total = self._improved_seconds + self._searched_seconds
        return self._improved_seconds <= (_IMPROVED_SHARE if is_late else _EARLY_SHARE) * total

    def _add_placements(self, number: int) -> None:
        for _ in range(number):
            best = min(self._tried, key=lambda one: one.order).placement if self._tried else None
            near = best if self._random.random() < _CHANGED else None
            themers = self._random.choice(self._run.wanted.choices)
            placement = self._placers[0].place(themers, self._random, near)
            if placement is not None:
                self._add(placement)
            if self._run.is_over():
                return

    def _add(self, placement: Placement) -> None:
        """Keep a placement for trying, unless it is known or dead."""
        if placement.key not in self._known:
            self._known.add(placement.key)
            if placement.least_cost(self._run.words) < math.inf:
                tried = TriedPlacement(placement, self._run.wanted, self._run.words)
                tried.look(self._random)
                self._tried.append(tried)

    def _search(self) -> bool:
        """Try the most promising placement once; returns False if there is none and the run is over."""
        run = self._run
        if len(self._placers) > 1 and not run.has_any and run.seconds > run.turn_seconds:
            del self._placers[0]
        self._tries += 1
        if not self._tried:
            self._add_placements(_FIRST_PLACEMENTS)
        elif self._tries % _TRIES_A_PLACEMENT == 0:
            self._add_placements(1)
        if not self._tried:
            self._dry += _FIRST_PLACEMENTS
            return self._dry < _DRY_TRIES or self._go_through()
        tried = min(self._tried, key=lambda one: one.order)
        tried.put_off += self._try(tried)
        if len(self._tried) > _CHOSEN_KEPT:
            self._tried.sort(key=lambda one: one.order)
            del self._tried[_CHOSEN_KEPT // 2 :]
        return True

    def _go_through(self) -> bool:
        """Enumerate all placements until a live one is found; returns False if this proves that there is none."""
        run = self._run
        for themers in run.wanted.choices:
            for placement in self._placers[0].every(themers):
                self._add(placement)
                if self._tried or run.is_over():
                    return True
        if len(self._placers) > 1:
            del self._placers[0]
            self._dry = 0
            return True
        run.reason = run.wanted.unplaceable
        return False

    def _try(self, tried: TriedPlacement) -> float:
        """Draw and fill a layout; returns the placement's penalty."""
        run, placement = self._run, tried.placement
        wanted = run.wanted.layout
        walls = tried.draw(self._random)
        if walls is None:
            return _NO_LAYOUT
        key = layout_key(walls, wanted.height, wanted.width)
        if not run.is_new((key, placement.key)):
            return _NO_LAYOUT
        grid = placement.on(layout_grid(walls, wanted.height, wanted.width))
        if not wanted.takes(grid):
            return _DEAD
        problem = Problem.of(Task(grid, run.lexicon))
        if not problem.root.is_possible:
            run.dead += 1
            tried.blame(problem)
            return _DEAD
        patience = 1 if run.has_any else min(1 + self._unfilled, _MORE_NODES)
        fill = self._fill(problem, patience * _NODES_A_SQUARE * wanted.height * wanted.width)
        if fill is None or not run.fill_words.take(grid, fill):
            self._unfilled += 1
            return _UNFILLED
        apart = with_stems_apart(problem, fill, Budget(_APART_SECONDS, stop=run.is_over))
        fill = apart if run.fill_words.take(grid, apart) else fill
        run.take(key, self._design(problem, placement, fill))
        return _FOUND

    def _fill(self, problem: Problem, nodes: int) -> Mapping[Position, Content] | None:
        filler = Filler(problem, seed=0)
        while not filler.outcome.is_final and filler.statistics.nodes < nodes and not self._run.is_over():
            filler.advance(nodes - filler.statistics.nodes, 0.02)
        if filler.outcome is Outcome.IMPOSSIBLE:
            self._run.dead += 1
        return filler.fill() if filler.outcome is Outcome.FILLED else None

    def _design(self, problem: Problem, placement: Placement, fill: Mapping[Position, Content]) -> Design:
        grid = problem.task.grid
        mean, lowest = answer_scores(grid, fill, self._run.lexicon)
        themers = {
            slot.name: grid.pattern(slot)
            for one in placement.themers
            if (slot := grid.slot_at(one.start, one.direction)) is not None
        }
        log10, shared = FillCounter(problem).quick().log10, shared_stems(problem.task, fill)
        return Design(grid, fill, themers, mean, lowest, log10, self._run.seconds, shared_stems=shared)

    def _improve(self) -> bool:
        """Improve the best design that has not been improved; returns False if there is none."""
        run = self._run
        chosen = run.to_improve()
        if chosen is None:
            return False
        key, one = chosen
        seconds = min(_IMPROVE_SECONDS, max(0.1, run.seconds_left))
        best = one.fill
        try:
            plain = Problem.of(Task(one.grid, run.lexicon))
            problem = (None if one.shared_stems else with_stem_rule(plain)) or plain
            for objective in (Objective.lowest(), Objective()):
                budget = Budget(stop=partial(run.is_over_by, run.seconds + seconds / 2))
                result = improve(problem, best, budget, objective=objective)
                best = result.best.squares if result.best is not None else best
                if not run.fill_words.take(one.grid, best):
                    break
                mean, lowest = answer_scores(one.grid, best, run.lexicon)
                shared = shared_stems(plain.task, best)
                better = replace(one, fill=best, mean_score=mean, lowest_score=lowest, shared_stems=shared)
                one = max(one, better, key=lambda each: each.rank)
        except EngineError:
            pass
        run.take(key, replace(one, is_improved=True))
        return True
