"""Making a fill better, or finding the best from nothing, until told to stop.

Large-neighbourhood search with branch and bound, after Shaw, Using Constraint Programming and Local Search Methods
to Solve Vehicle Routing Problems, CP 1998: free a part of the fill, keep all else, and search that part under the
constraint that the whole be better. Parts that are searched to their end let the next ones be larger, parts that
are given up let them be smaller, and the ways of choosing them are drawn as often as they succeed (Ropke and
Pisinger, Transportation Science 40, 2006). Where nothing better comes for long, a large part is filled anew with
words of high scores alone (neighbourhood.py). Minimum scores are climbed by searching the whole grid (rounds.py).

Raising the mean alone soon ends where no region holds a better one. Lifting the lowest entries first, even
where the mean falls for a while, leads on to better means: so another order leads the way for a while. It leads to
higher lowest scores, too, where one low word after the other goes, and takes turns with what raises the mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from xwtui.engine.budget import NO_LIMIT, Budget, side_by_side
from xwtui.engine.events.event import Outcome
from xwtui.engine.improve.improvement import Aim, Improvement, ImproveProgress, ImproveResult, Objective
from xwtui.engine.improve.rounds import Climb, Rounds, Tier
from xwtui.engine.improve.shared_best import Admits, SharedBest, Watch, any_fill
from xwtui.engine.improve.worth import CodedFill, Worth, standing_of
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import no_fill_exists, why_impossible
from xwtui.engine.problem.told_answers import scores_of_fill
from xwtui.engine.warmup import warm_up
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.named_tuples import NamedTuple

with lazy_imports():
    from xwtui.engine.problem.no_fill import Reason

_PATIENCE = 150
"""Rounds without a better fill after which the guide is left."""
_FEW_ROUNDS = 20
"""What a plain fill gets, counted, not timed: most of what the first second brings, in some hundredths of it."""


class GuidingBest(SharedBest):
    """Lifts the lowest entries, one after the other, and offers every fill to its goal as well."""

    def __init__(self, goal: SharedBest) -> None:
        worth = Worth(goal.worth.problem, Objective.lowest(), counts_lowest=True)
        super().__init__(worth, admits=goal.admits)
        self._goal = goal
        self._last = 0

    @staticmethod
    def leads_to(objective: Objective) -> bool:
        """Whether an objective is better reached this way: those of scores alone."""
        return objective.aim in (Aim.MEAN, Aim.FLATTENED, Aim.LOWEST)

    @property
    def is_stopped(self) -> bool:
        """Whether all are to end, or the guide has come to its end."""
        return self.stop.is_set() or self._goal.is_stopped

    def offer(self, standing: CodedFill) -> bool:
        """Take a whole fill if it is better by either objective; tell whether it was by the guide's."""
        self._goal.offer(self._goal.worth.ranked(standing))
        if super().offer(standing):
            self._last = self._goal.rounds
            return True
        return False

    def follow(self) -> bool:
        """Go on from the best fill of the goal, where that is better, with new patience.

        Returns whether some fill may have a higher lowest score than that.
        """
        best = self._goal.standing
        if best is not None:
            super().offer(self.worth.ranked(best))
        self._last = self._goal.rounds
        return best is None or self._goal.bound > best.rank[0]

    def _keep(self, standing: CodedFill) -> None:
        """The goal keeps what is reported."""

    def count_round(self) -> bool:
        """Count a round of the goal; False where it has had enough, or has gone without success for long."""
        return self._goal.rounds - self._last <= _PATIENCE and self._goal.count_round()

    def tighten(self, effort: int) -> None:
        """Take the goal's bound down."""
        self._goal.tighten(effort)

    def prove(self, standing: CodedFill | None) -> None:
        """Take note of a proof; that there is no fill, or no higher lowest score, goes for the goal, too."""
        super().prove(standing)
        if standing is None:
            self._goal.prove(None)
        elif self._goal.worth.is_by_tier:
            self._goal.limit(float(standing.rank[0]))


_NODES_A_TIER = (500, 4_000, 16_000)
"""Decisions that the guide may take for each minimum score that it tries, in one sweep after the other."""
_NODES = 300
"""Decisions that the first sweep of a climb may take for each tier."""
_ROUNDS = 12
"""Refills between the first sweep and the second; they take somewhat longer than the sweep."""
_GROWTH = 2
"""How much longer each sweep, and what follows it, is than the last."""


def improve(
    problem: Problem,
    start: Mapping[Position, Content],
    budget: Budget = NO_LIMIT,
    *,
    objective: Objective | None = None,
    rounds: int | None = None,
    improved: Callable[[Improvement], None] | None = None,
    progress: Callable[[ImproveProgress], None] | None = None,
    admits: Admits = any_fill,
) -> ImproveResult:
    """Make a fill better, until nothing better exists or the budget or the rounds are over.

    `start` is a fill of the problem's entries, the filler's or the constructor's. What is given (PEN,
    LOCKED) stays whatever `start` has there. A start may be faulty: entries that are incomplete,
    that the word list does not allow, or that repeat an answer are replaced first, with as
    little else as can be; until that is done there is no `best`. However it is stopped, the best
    is a legal fill and never worse than a legal start.

    `improved` is called for each better fill, the first included, and `progress` every tenth of a second or
    so, both in the caller's thread. With one thread the same seed finds the same fills round by round. Only what
    it `admits` becomes the best fill, the start as well.
    """
    warm_up(counting=False, improving=True)
    if not problem.root.is_possible:
        return ImproveResult(Outcome.IMPOSSIBLE, None, None, (), 0.0, 0, why_impossible(problem))
    worth = Worth(problem, objective or Objective())
    shared = SharedBest(worth, rounds, admits)
    watch = Watch(shared, budget, improved, progress)
    guide = GuidingBest(shared) if GuidingBest.leads_to(worth.objective) else None
    leading = ImproveRun(guide or shared, watch, start)
    leading.leader.accept_start()
    first = next(iter(shared.kept), None)
    improving = leading if guide is None else ImproveRun(shared, watch, start)
    if guide is None:
        improving.run()
    elif worth.is_by_tier:
        _climb(shared, Climb(shared, watch), guide, leading, improving)
    else:
        climb = Climb(guide, watch)
        for nodes in _NODES_A_TIER:  # the lowest scores first, as far as that is quickly done
            if shared.is_over:
                break
            climb.sweep(nodes)
            leading.run()
        improving.run()
    watch.tell()
    kept = shared.kept
    best = kept[-1] if kept else None
    outcome = watch.limit.unproved
    if shared.is_proved:
        outcome = Outcome.IMPOSSIBLE if best is None else Outcome.FILLED
    bound = best.value if best is not None and shared.is_proved else shared.bound
    reason = no_fill_exists(problem) if outcome is Outcome.IMPOSSIBLE else None
    return ImproveResult(outcome, first, best, kept, bound, shared.rounds, reason)


def with_better_words(
    problem: Problem,
    squares: Mapping[Position, Content],
    budget: Budget = NO_LIMIT,
    admits: Admits = any_fill,
) -> Mapping[Position, Content]:
    """A fill with the best words that a few rounds find for it, or the same.

    The rounds and what each may search are counted, in one thread, so that a seed gives the same on every machine,
    unless the seconds are up before. In ordinary 15x15 grids that takes some hundredths of a second and lifts the
    lowest score from about 42 to 56. Of a part of the grid, the entries that cross it have a say, but full ones
    get no worse for it.
    """
    best = improve(problem, squares, budget._replace(threads=1), rounds=_FEW_ROUNDS, admits=admits).best
    if best is None:
        return squares
    before, after = (scores_of_fill(problem.task, each).mean or 0.0 for each in (squares, best.squares))
    return squares if after < before else best.squares


def _climb(
    shared: SharedBest, climb: Climb, guide: GuidingBest, leading: ImproveRun, improving: ImproveRun
) -> None:
    """Climb to the highest lowest score, and to the best mean with it, until both are proved or all is over.

    By turns, and for longer each time: through the tiers, by the guide's way, and by the objective's own.
    """
    nodes, rounds = 0, _ROUNDS
    while not shared.is_over:
        climb.sweep(nodes)
        shared.allow(rounds)
        if guide.follow():
            leading.run()
        shared.allow(rounds)
        improving.run()
        nodes, rounds = _GROWTH * nodes or _NODES, _GROWTH * rounds


class ImproveRun:
    """Threads that improve one shared best; the caller's is the first and looks up for all."""

    def __init__(self, shared: SharedBest, watch: Watch, start: Mapping[Position, Content]) -> None:
        self._shared = shared
        self._budget = watch.budget
        self.start = standing_of(shared.worth.problem, start)
        """What it begins with, as far as that is possible."""
        self.leader = Rounds(shared, self.start, self._budget.seed, 0, watch.look)
        """What the caller's thread does."""
        self._others: list[Rounds] = []

    def run(self) -> None:
        """Improve until told to stop or out of rounds; an exception of any thread ends all and is raised here."""
        for worker in range(len(self._others) + 1, self._budget.threads):
            # Followers do not look up: they see the flag that the leader sets.
            self._others.append(Rounds(self._shared, self.start, self._budget.seed, worker, lambda: None))
        side_by_side(partial(self._follow, self.leader), [partial(self._follow, other) for other in self._others])

    def _follow(self, worker: Rounds) -> None:
        """Run one worker; where it dies, all end."""
        try:
            worker.run()
        except BaseException:
            self._shared.stop.set()
            raise


class BestResult(NamedTuple):
    """What `fill_best` came to."""

    outcome: Outcome
    """FILLED where there is a fill; IMPOSSIBLE (proved), UNKNOWN or CANCELLED where there is none."""
    improvement: Improvement | None = None
    """The best fill, its value the lowest score, counted with the constructor's preferences."""
    highest_possible: int = 0
    """No fill has a higher lowest score than this; equal to the best one's where that is proved the highest."""
    is_best: bool = False
    """Whether it is proved that no better fill exists, the mean included."""
    tiers: tuple[Tier, ...] = ()
    """The tiers that were tried, the lowest first."""
    kept: tuple[Improvement, ...] = ()
    """Every fill that was better than all before it, in order."""
    reason: Reason | None = None
    """Why no fill exists, if that is proved."""


def fill_best(
    problem: Problem,
    budget: Budget,
    *,
    improved: Callable[[Improvement], None] | None = None,
    progress: Callable[[ImproveProgress], None] | None = None,
) -> BestResult:
    """Fill a grid as well as the time allows: the highest lowest score, then the best mean.

    First any fill; then, by turns and longer each time, ever higher tiers of minimum scores by
    bisection, and `improve`. The callbacks are as there. With one thread the same seed finds the same
    fills, one after the other, on every machine: time only cuts them off.
    """
    warm_up(counting=False, improving=True)
    if not problem.root.is_possible:
        return BestResult(Outcome.IMPOSSIBLE, reason=why_impossible(problem))
    shared = SharedBest(Worth(problem, Objective.lowest()))
    watch = Watch(shared, budget, improved, progress)
    climb = Climb(shared, watch)
    if climb.find_any() is Outcome.IMPOSSIBLE:
        return BestResult(Outcome.IMPOSSIBLE, tiers=climb.tiers, reason=no_fill_exists(problem))
    guide = GuidingBest(shared)
    leading, improving = (ImproveRun(each, watch, {}) for each in (guide, shared))
    _climb(shared, climb, guide, leading, improving)
    watch.tell()
    best = shared.kept[-1] if shared.kept else None
    return BestResult(
        outcome=watch.limit.unproved if best is None else Outcome.FILLED,
        improvement=best,
        highest_possible=int(best.value if best is not None and shared.is_proved else shared.bound),
        is_best=shared.is_proved,
        tiers=climb.tiers,
        kept=shared.kept,
    )
