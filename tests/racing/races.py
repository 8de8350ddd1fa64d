"""Small races for the tests."""

import random
from collections.abc import Mapping

from xwtui.engine.problem.task import Task
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.model import Grid
from xwtui.racing.task import RaceOrder, RaceTask, read_entrants
from xwtui.words.lexicon import Lexicon
from xwtui.words.sources import Vocabulary
from xwtui.words.word_list import WordList

WORDS = {"ABC": 50, "DEF": 60, "GHI": 70, "ADG": 80, "BEH": 40, "CFI": 30, "ABX": 20, "CAB": 10}
"""The only fills of a blank 3x3 with these are ABC/DEF/GHI, and the same turned over."""
BLANK = "...\n...\n..."


def endless_task() -> RaceTask:
    """A blank 12x12 with 3,800 words by chance: most likely no fill, and no search will ever say so.

    Of N words of S letters, each one of K, a fill is to be expected from N = K^(S/2) on, 4,096 here.
    """
    chance = random.Random(1)
    words = {"".join(chance.choices("ABCD", k=12)): 50 for _ in range(3800)}
    return task_of("\n".join(["." * 12] * 12), words)


def task_of(text: str = BLANK, words: Mapping[str, int] = WORDS, *, allow_repeats: bool = False) -> RaceTask:
    return task_of_grid(grid_from_text(text), words, allow_repeats=allow_repeats)


def task_of_grid(grid: Grid, words: Mapping[str, int], *, allow_repeats: bool = False) -> RaceTask:
    vocabulary = Vocabulary(Lexicon.build([WordList.from_scores("test", words)]))
    return RaceTask(puzzle_of_grid(grid), vocabulary, Task(grid, vocabulary.lexicon, allow_repeats))


def order_of(*entrants: str, seeds: int = 1, seconds: float = 600.0, cores: int = 1) -> RaceOrder:
    return RaceOrder(read_entrants(entrants), tuple(range(seeds)), seconds, cores)
