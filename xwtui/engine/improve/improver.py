"""Improving a fill, or finding the best from scratch, until stopped.

Large-neighborhood search with branch and bound, after Shaw, Using Constraint Programming and Local Search Methods
to Solve Vehicle Routing Problems, CP 1998: free a part of the fill, keep the rest, and search the part under the
constraint that the whole improves. Parts that are searched exhaustively make the next ones larger, and parts that
are given up make them smaller. The methods of choosing parts are drawn in proportion to their success (Ropke and
Pisinger, Transportation Science 40, 2006). After a long time without improvement, a large part is refilled using
only words of high scores (`neighbourhood.py`). Minimum scores are raised by searching the whole grid (rounds.py).

Raising only the mean soon gets stuck where no region contains an improvement. Lifting the lowest entries first,
even while the mean falls, leads to better means in the end. So a second objective, the guide, takes the lead for a
while. It also leads to higher lowest scores, since low words go one by one; there it alternates with raising the
mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from xwtui.engine.budget import NO_LIMIT, Budget, run_concurrently
from xwtui.engine.events.event import Outcome
from xwtui.engine.improve.improvement import Aim, Improvement, ImproveProgress, ImproveResult, Objective
from xwtui.engine.improve.rounds import Climb, Rounds
from xwtui.engine.improve.shared_best import Admits, SharedBest, Watch, any_fill
from xwtui.engine.improve.worth import CodedFill, Worth, code_start
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import no_fill_exists, why_impossible
from xwtui.engine.problem.recorded_answers import scores_of_fill
from xwtui.engine.warmup import warm_up
from xwtui.model import Content, Position

_PATIENCE = 150
"""The guide is abandoned after this many rounds without a better fill."""
_FEW_ROUNDS = 20
"""Rounds for a plain fill, counted rather than timed: most of the gain of a second in some hundredths of it."""


class GuidingBest(SharedBest):
    """Lifts the lowest entries one by one, and also offers every fill to its goal, the shared best it guides."""

    def __init__(self, goal: SharedBest) -> None:
        worth = Worth(goal.worth.problem, Objective.lowest(), counts_lowest=True)
        super().__init__(worth, admits=goal.admits)
        self._goal = goal
        self._last = 0

    @staticmethod
    def leads_to(objective: Objective) -> bool:
        """Whether the guide helps an objective: only those about scores."""
        return objective.aim in (Aim.MEAN, Aim.FLATTENED, Aim.LOWEST)

    @property
    def is_stopped(self) -> bool:
        """Whether all threads should stop, or the guide has finished."""
        return self.stop.is_set() or self._goal.is_stopped

    def offer(self, fill: CodedFill) -> bool:
        """Accept a whole fill if it is better by either objective; return whether it was better by the guide's."""
        self._goal.offer(self._goal.worth.ranked(fill))
        if super().offer(fill):
            self._last = self._goal.rounds
            return True
        return False

    def follow(self) -> bool:
        """Turn to the goal's best fill, if better, with new patience; whether its lowest score may be beaten."""
        best = self._goal.best
        if best is not None:
            super().offer(self.worth.ranked(best))
        self._last = self._goal.rounds
        return best is None or self._goal.bound > best.rank[0]

    def _keep(self, fill: CodedFill) -> None:
        """Do nothing: the goal keeps the fills that are reported."""

    def count_round(self) -> bool:
        """Count a round of the goal; False if the goal has had enough, or after a long time without success."""
        return self._goal.rounds - self._last <= _PATIENCE and self._goal.count_round()

    def tighten(self, effort: int) -> None:
        """Lower the goal's bound."""
        self._goal.tighten(effort)

    def prove(self, fill: CodedFill | None) -> None:
        """Register a proof; that no fill or no higher lowest score exists is passed on to the goal."""
        super().prove(fill)
        if fill is None:
            self._goal.prove(None)
        elif self._goal.worth.is_by_tier:
            self._goal.limit(float(fill.rank[0]))


_NODES_PER_TIER = (500, 4_000, 16_000)
"""Node limits of the guide for each minimum score that it tries, for one sweep after another."""
_NODES = 300
"""Node limit per tier in the first sweep of a climb."""
_ROUNDS = 12
"""Refills between the first sweep and the second; they take somewhat longer than the sweep."""
_GROWTH = 2
"""Factor by which each sweep, and the refills after it, grow."""


def improve(
    problem: Problem,
    start: Mapping[Position, Content] | None,
    budget: Budget = NO_LIMIT,
    *,
    objective: Objective | None = None,
    rounds: int | None = None,
    improved: Callable[[Improvement], None] | None = None,
    progress: Callable[[ImproveProgress], None] | None = None,
    admits: Admits = any_fill,
) -> ImproveResult:
    """Improve a fill until no better one exists, or the budget or the rounds are used up.

    `start` is a fill of the problem's entries, made by the filler or the constructor. Given squares (PEN, LOCKED)
    stay whatever `start` has there. A start may be faulty: entries that are incomplete, not in the word list, or
    repeated are replaced first, changing as little else as possible; until then there is no `best`. However it is
    stopped, the best is a legal fill and never worse than a legal start. None starts from any fill that is found
    first, for the objective LOWEST.

    `improved` is called for each better fill, including the first, and `progress` about every tenth of a second,
    both in the caller's thread. With one thread, the same seed finds the same fills round by round. Only a fill
    that `admits` accepts becomes the best; this goes for the start too.
    """
    warm_up(counting=False, improving=True)
    if not problem.root.is_possible:
        return ImproveResult(Outcome.IMPOSSIBLE, None, None, (), 0.0, 0, why_impossible(problem))
    worth = Worth(problem, objective or Objective())
    shared = SharedBest(worth, rounds, admits)
    watch = Watch(shared, budget, improved, progress)
    guide = GuidingBest(shared) if GuidingBest.leads_to(worth.objective) else None
    leading = ImproveRun(guide or shared, watch, start or {})
    leading.leader.accept_start()
    first = next(iter(shared.kept), None)
    improving = leading if guide is None else ImproveRun(shared, watch, start or {})
    if guide is None:
        improving.run()
    elif worth.is_by_tier:
        climb = Climb(shared, watch)
        if start is None:
            climb.find_any()
        _climb(shared, climb, guide, leading, improving)
    else:
        climb = Climb(guide, watch)
        for nodes in _NODES_PER_TIER:  # the lowest scores first, as far as that is quick
            if shared.is_over:
                break
            climb.sweep(nodes)
            leading.run()
        improving.run()
    watch.report()
    kept = shared.kept
    best = kept[-1] if kept else None
    outcome = watch.limit.unfinished_outcome
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
    """Return a fill with the best words that a few rounds find for it, or the same fill.

    The rounds and their searches have node limits and use one thread, so that a seed gives the same result on
    every machine unless time runs out first. For ordinary 15x15 grids this takes some hundredths of a second and
    raises the lowest score from about 42 to 56. For part of a grid, the entries that cross it are improved too,
    but entries that are already full do not get worse for it.
    """
    best = improve(problem, squares, budget._replace(threads=1), rounds=_FEW_ROUNDS, admits=admits).best
    if best is None:
        return squares
    before, after = (scores_of_fill(problem.task, each).mean or 0.0 for each in (squares, best.squares))
    return squares if after < before else best.squares


def _climb(
    shared: SharedBest, climb: Climb, guide: GuidingBest, leading: ImproveRun, improving: ImproveRun
) -> None:
    """Climb to the highest lowest score, and then to the best mean with it, until both are proved or time is up.

    Alternates between the tiers, the guide and the objective itself, for longer each time.
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
    """Threads that improve one shared best; the caller's thread is the first, and checks the limits for all."""

    def __init__(self, shared: SharedBest, watch: Watch, start: Mapping[Position, Content]) -> None:
        self._shared = shared
        self._budget = watch.budget
        self.start = code_start(shared.worth.problem, start)
        """The initial fill, as far as it is possible."""
        self.leader = Rounds(shared, self.start, self._budget.seed, 0, watch.poll)
        """The work of the caller's thread."""
        self._others: list[Rounds] = []

    def run(self) -> None:
        """Improve until stopped or out of rounds; an exception in any thread stops all and is raised here."""
        for worker in range(len(self._others) + 1, self._budget.threads):
            # Followers do not check the limits: they see the flag that the leader sets.
            self._others.append(Rounds(self._shared, self.start, self._budget.seed, worker, lambda: None))
        run_concurrently(
            partial(self._follow, self.leader), [partial(self._follow, other) for other in self._others]
        )

    def _follow(self, worker: Rounds) -> None:
        """Run one worker; if it crashes, stop all."""
        try:
            worker.run()
        except BaseException:
            self._shared.stop.set()
            raise
