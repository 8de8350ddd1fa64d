"""Answers about a problem, from Python: how many fills there are.

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
"""

from xwtui.engine.counting.exact import ExactCount, ExactProgress, exact_count
from xwtui.engine.counting.summed_options import summed_options

__all__ = ["ExactCount", "ExactProgress", "exact_count", "summed_options"]
