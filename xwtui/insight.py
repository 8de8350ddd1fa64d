r"""Analyses of a fill problem from Python: counts, candidate costs, explanations and what-if rankings.

Every function takes a `Problem`, changes nothing, and returns frozen results. Long-running functions take the
keywords of `Limits` and end within 100 ms once `cancelled` returns True.

    >>> from xwtui.engine.problem.problem import Problem
    >>> from xwtui.model import Grid
    >>> from xwtui.words.lexicon import Lexicon
    >>> from xwtui.words.word_list import WordList
    >>> words = ["BAT", "ARE", "TEN", "BAR", "ATE", "REN", "TAR"]
    >>> lexicon = Lexicon.build([WordList.from_scores("mine", dict.fromkeys(words, 50))])
    >>> problem = Problem.build(Grid.blank(3, 3), lexicon, allow_repeats=True)
    >>> counted = exact_count(problem)
    >>> counted.count, counted.is_complete
    (10, True)
    >>> estimate(problem, seconds=1).describe()
    'exactly 10 fills (proved)'
    >>> costs = candidates(problem, "1A", in_view=lambda: ["BAT", "TEN"])
    >>> [(one.word, one.standing.value) for one in costs if one.word in ("BAT", "TEN")]
    [('BAT', 'proved'), ('TEN', 'dead')]

Why there is no fill, and what would help:

    >>> from xwtui.formats.grid_text import grid_from_text
    >>> stuck = Problem.build(grid_from_text("Q..\n...\n..."), lexicon, allow_repeats=True)
    >>> explanation = explain(stuck, seconds=10)
    >>> explanation.answer.value, [conflict.describe() for conflict in explanation.conflicts]
    ('impossible', ['Q at r1c1 cannot work (from the crossings alone)'])
    >>> [remedy.describe() for remedy in explanation.remedies]
    ['change Q at r1c1 to B or T']

What if the grid were different, and where it is hard to fill:

    >>> placed = what_if(problem, Themers(("BAT", "TEN")), seconds=10)
    >>> [(one.what.describe(), one.outlook.fillability.name) for one in placed.items[:2]]
    [('1A BAT, 5A TEN', 'FILLED'), ('1A TEN, 5A BAT', 'IMPOSSIBLE')]
    >>> what_if(problem, Blocks(), seconds=10).items
    ()
    >>> 0 <= min(heat(problem).heat.values()) <= max(heat(problem).heat.values()) <= 1
    True

Grids around theme answers, each proved by a fill, or the reason why there is none:

    >>> found = design(["ABCDEFGHIJKLMNOP"], lexicon, seconds=1)
    >>> found.is_impossible, found.reason
    (True, 'ABCDEFGHIJKLMNOP (16 squares) does not fit in a grid of 15x15')
"""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Annotated, Generic, TypeAlias, TypeVar

from typing_extensions import Unpack

from xwtui import parameters
from xwtui.dataclasses import dataclass, replace
from xwtui.engine.budget import COUNTING_SECONDS, DESIGNING_SECONDS, Budget
from xwtui.engine.candidates.estimate import CandidateEstimate, CandidateOrder, CandidateStanding, sort_candidates
from xwtui.engine.candidates.find import candidates
from xwtui.engine.candidates.options import LetterTable, letter_table, summed_options
from xwtui.engine.count.belief import Beliefs, believe
from xwtui.engine.count.estimate import Estimate, Instrument
from xwtui.engine.count.estimator import Counter
from xwtui.engine.count.exact import ExactCount, ExactProgress, exact_count
from xwtui.engine.explain.explain import explain as explain_task
from xwtui.engine.explain.explanation import Answer, Certainty, Conflict, Explanation, Remedy
from xwtui.engine.problem.problem import Problem
from xwtui.engine.what_if.ranking import (
    Arrangement,
    Fillability,
    Heat,
    Outlook,
    Ranked,
    Ranking,
    block_changes,
    heat,
    theme_arrangements,
    theme_candidates,
)
from xwtui.grids.design_search import design as design_wanted
from xwtui.grids.designs import Design, DesignProgress, DesignWanted
from xwtui.grids.layouts import LayoutWanted
from xwtui.grids.placements import Themer
from xwtui.grids.profiles import Profile, find_profile, usual_profile
from xwtui.model import Direction, Symmetry
from xwtui.model.block_changes import NO_LIMITS, BlockChange, BlockLimits
from xwtui.parameters import Limits, Parameter, takes
from xwtui.words.lexicon import Lexicon

Change = TypeVar("Change")

__all__ = [
    "Answer",
    "Arrangement",
    "Beliefs",
    "BlockChange",
    "BlockLimits",
    "Blocks",
    "CandidateEstimate",
    "CandidateOrder",
    "CandidateStanding",
    "Certainty",
    "Conflict",
    "Design",
    "DesignKeywords",
    "DesignProgress",
    "Estimate",
    "ExactCount",
    "ExactProgress",
    "Explanation",
    "Fillability",
    "Heat",
    "Instrument",
    "LetterTable",
    "Limits",
    "Outlook",
    "Ranked",
    "Ranking",
    "Remedy",
    "Themer",
    "Themers",
    "WhatIf",
    "believe",
    "candidates",
    "design",
    "estimate",
    "exact_count",
    "explain",
    "heat",
    "letter_table",
    "sort_candidates",
    "summed_options",
    "what_if",
]


@takes(Limits, seconds=COUNTING_SECONDS)
def estimate(
    problem: Problem,
    *,
    better: Callable[[Estimate], None] = lambda _: None,
    **limits: Unpack[Limits],
) -> Estimate:
    """Estimate the number of fills: `log10` with its 95 % interval from `low` to `high`, or `exact`.

    `better` receives each estimate on the way, from an immediate pairwise one to that of independent particle
    runs; `Estimate.instrument` names the method of each. If no interval is known after `seconds`, it takes up to
    four times as long. Without a limit it runs until the count is exact or `cancelled` returns True.
    """
    budget = Budget.of(limits)
    counter = Counter(problem, seed=budget.seed)
    last = counter.quick()
    for last in counter.estimates(budget):
        better(last)
    return last


@takes(Limits)
def explain(
    problem: Problem,
    *,
    trying: tuple[str, str] | None = None,
    better: Callable[[Explanation], None] | None = None,
    **limits: Unpack[Limits],
) -> Explanation:
    """Explain why there is no fill: smallest conflicts among the givens, and remedies verified by a fill.

    With `trying`, the name of an entry and a word, it explains why that word cannot go there. `better` receives
    each better explanation on the way. `Explanation.seconds` is the time it took, and `is_complete` whether the
    search was finished. Raises EngineError for a word that cannot be tried.
    """
    return explain_task(problem.task, Budget.of(limits), trying=trying, found=better)


ProgressCallback: TypeAlias = Callable[[Ranking[Change]], None] | None
"""Callback that receives the ranking so far."""


class WhatIf(Generic[Change]):
    """A kind of change to the grid: `Blocks` or `Themers`."""

    def ranked(self, problem: Problem, budget: Budget, found: ProgressCallback[Change] = None) -> Ranking[Change]:
        """Return all changes of this kind, ranked."""
        raise NotImplementedError


@dataclass(frozen=True)
class Blocks(WhatIf[BlockChange]):
    """Add, remove or move a block, together with its mirror images."""

    symmetry: Symmetry = Symmetry.ROTATION_180
    limits: BlockLimits = NO_LIMITS

    def ranked(
        self, problem: Problem, budget: Budget, found: ProgressCallback[BlockChange] = None
    ) -> Ranking[BlockChange]:
        return block_changes(problem.task, self.symmetry, budget, limits=self.limits, found=found)


@dataclass(frozen=True)
class Themers(WhatIf[Arrangement]):
    """Place these answers in the grid: all together in symmetric across entries, or each by itself."""

    answers: tuple[str, ...]
    together: bool = True
    size: int | None = None
    """How many of them to place together; None for all."""
    symmetry: Symmetry = Symmetry.ROTATION_180

    def ranked(
        self, problem: Problem, budget: Budget, found: ProgressCallback[Arrangement] = None
    ) -> Ranking[Arrangement]:
        if not self.together:
            return theme_candidates(problem.task, self.answers, budget, found=found)
        return theme_arrangements(problem.task, self.answers, self.symmetry, budget, size=self.size, found=found)


@takes(Limits)
def what_if(
    problem: Problem,
    change: WhatIf[Change],
    *,
    better: Callable[[Ranking[Change]], None] | None = None,
    **limits: Unpack[Limits],
) -> Ranking[Change]:
    """Rank all changes of a kind: first those that a search has filled, then by the fills that they may leave.

    `better` receives the growing ranking several times a second. Each change's `Outlook` has its fillability and
    an estimate of how many fills it leaves, as a base-10 logarithm.
    """
    return change.ranked(problem, Budget.of(limits), better)


class DesignKeywords(Limits, total=False):
    """Keywords of `design`; all are optional."""

    size: Annotated[tuple[int, int], parameters.SIZE]
    profile: Annotated[Profile | str | None, parameters.PROFILE]
    symmetry: Annotated[
        Symmetry | None,
        parameters.SYMMETRY.with_help(
            "symmetry of the blocks (default: the profile's, or left-right where that alone suits the answers)"
        ),
    ]
    most_words: Annotated[
        int | None, parameters.MAX_WORDS.with_help(f"{parameters.MAX_WORDS.help} (default: the profile's)")
    ]
    most_blocks: Annotated[
        int | None, parameters.MAX_BLOCKS.with_help(f"{parameters.MAX_BLOCKS.help} (default: the profile's)")
    ]
    revealer: Annotated[str | None, parameters.REVEALER]
    choose: Annotated[int | None, parameters.CHOOSE]
    directions: Annotated[tuple[Direction, ...] | None, parameters.DIRECTION]
    count: Annotated[int, parameters.DESIGN_COUNT]
    is_quick: Annotated[bool, parameters.QUICK]
    clock: Annotated[Callable[[], float], Parameter("whose seconds count")]


@takes(DesignKeywords, seconds=DESIGNING_SECONDS)
def design(
    answers: Sequence[str | Themer],
    lexicon: Lexicon,
    *,
    better: Callable[[DesignProgress], None] | None = None,
    **keywords: Unpack[DesignKeywords],
) -> DesignProgress:
    """Design grids around theme answers, each proved by a fill: `designs` has the `count` best, best first.

    Answers are strings, with rebus squares in brackets, or `Themer`s that specify where they go. `better` receives
    the best designs so far, from any thread. Raises PuzzleError for a profile that does not allow the size, and
    WordListError for an invalid answer.
    """
    height, width = keywords.get("size", (15, 15))
    profile, symmetry, directions = keywords.get("profile"), keywords.get("symmetry"), keywords.get("directions")
    chosen = find_profile(profile) if isinstance(profile, str) else profile or usual_profile(height, width)
    themers = [one if isinstance(one, Themer) else Themer.of(one, lexicon.alphabet) for one in answers]
    if (revealer := keywords.get("revealer")) is not None:
        themers.append(replace(Themer.of(revealer, lexicon.alphabet), is_last=True))
    wanted = DesignWanted(
        tuple(themers),
        LayoutWanted(
            height,
            width,
            chosen,
            symmetry or chosen.usual_symmetry(height, width),
            most_words=keywords.get("most_words"),
            most_blocks=keywords.get("most_blocks"),
        ),
        choose=keywords.get("choose"),
        directions=directions or (Direction.ACROSS,),
        fallback_directions=((Direction.ACROSS, Direction.DOWN),) if directions is None else (),
        count=keywords.get("count", 10),
        is_quick=keywords.get("is_quick", False),
    )
    return design_wanted(
        wanted.suited() if symmetry is None else wanted,
        lexicon,
        Budget.of(keywords),
        found=better,
        clock=keywords.get("clock", perf_counter),
    )
