"""Answers about a problem, from Python: how many fills there are, and what a word costs.

Every function takes a `Problem`, changes nothing, and returns frozen results. What takes long takes
`seconds` (None: no limit), `threads`, and `cancelled`, which is asked often: after True it ends within
100 ms with what it has.

    >>> from xwtui.engine.problem import Problem
    >>> from xwtui.model import Grid
    >>> from xwtui.words.lexicon import Lexicon
    >>> from xwtui.words.word_list import WordList
    >>> words = ["BAT", "ARE", "TEN", "BAR", "ATE", "REN", "TAR"]
    >>> lexicon = Lexicon.build([WordList.from_scores("mine", dict.fromkeys(words, 50))])
    >>> problem = Problem.build(Grid.blank(3, 3), lexicon, allow_repeats=True)
    >>> counted = exact_count(problem, threads=2)
    >>> counted.count, counted.is_complete
    (10, True)
    >>> estimate(problem, seconds=1).describe()
    '10 fills, exactly'
    >>> costs = candidates(problem, "1A", in_view=lambda: ["BAT", "TEN"])
    >>> [(one.word, one.standing.value) for one in costs if one.word in ("BAT", "TEN")]
    [('BAT', 'proved'), ('TEN', 'dead')]
"""

from collections.abc import Callable

from xwtui.engine.counting.belief import Beliefs, believe
from xwtui.engine.counting.estimate import Estimate, Instrument
from xwtui.engine.counting.estimator import Counter
from xwtui.engine.counting.exact import ExactCount, ExactProgress, exact_count
from xwtui.engine.counting.summed_options import summed_options
from xwtui.engine.crew import never
from xwtui.engine.problem import Problem
from xwtui.engine.prospects.candidates import candidates
from xwtui.engine.prospects.prospect import Order, Prospect, Standing, sort_prospects

__all__ = [
    "Beliefs",
    "Estimate",
    "ExactCount",
    "ExactProgress",
    "Instrument",
    "Order",
    "Prospect",
    "Standing",
    "believe",
    "candidates",
    "estimate",
    "exact_count",
    "sort_prospects",
    "summed_options",
]


def estimate(
    problem: Problem,
    *,
    seconds: float = 5.0,
    threads: int = 1,
    seed: int = 0,
    cancelled: Callable[[], bool] = never,
    better: Callable[[Estimate], None] = lambda _: None,
) -> Estimate:
    """About how many fills there are: `log10` with the ends `low` and `high` of its 95 % interval, or `exact`.

    `better` gets each estimate on the way, from the pairwise one at once to that of independent particle runs;
    `Estimate.instrument` tells what each was made with. Where no interval is known after so many
    seconds, up to four times as long is taken.
    """
    counter = Counter(problem, seed=seed)
    last = counter.quick()
    for last in counter.estimates(seconds, threads=threads, cancelled=cancelled):
        better(last)
    return last
