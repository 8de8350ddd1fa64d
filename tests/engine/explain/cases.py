"""Small grids with much chosen in them, so that many cannot be filled, for the engine and its naive twin alike."""

from random import Random

from tests.engine.problem.rule_cases import LETTERS, PATTERNS, REBUSES, random_words
from tests.naive.rules import Case, fills
from tests.ruled import asked, ruled
from xwtui.engine.problem.task import Task
from xwtui.model import BLOCK, OPEN, Content, Grid, Ink, Square
from xwtui.model.rules import RebusPlacing, Rules
from xwtui.words.lexicon import ALSO_ALLOWED, Lexicon
from xwtui.words.word_list import WordList


def chosen_case(seed: int) -> Case:
    """A grid of 3x3 to 4x4 with given squares, a lowest score, bans, and rules of all sorts now and then."""
    rng = Random(seed)
    height, width = rng.choice([(3, 3), (3, 3), (3, 4)])
    blocks, given = rng.choice([0.1, 0.3]), rng.choice([0.1, 0.3])
    squares = [
        BLOCK if rng.random() < blocks else _square(rng) if rng.random() < given else OPEN
        for _ in range(height * width)
    ]
    grid = Grid(height, width, tuple(squares))
    words = random_words(rng, rng.choice([20, 50]))
    return Case(
        grid,
        words,
        minimum=rng.choice([0, 20, 50]),
        banned=frozenset(rng.sample(sorted(words), k=rng.choice([0, 3]))),
        rules=_rules(rng, grid, words),
    )


def _square(rng: Random) -> Square:
    content = rng.choice([*map(Content.of, LETTERS * 3), *REBUSES])
    return Square(content=content, ink=rng.choice([Ink.PENCIL, Ink.PEN, Ink.LOCKED]))


def _rules(rng: Random, grid: Grid, words: dict[str, int]) -> Rules:
    keys = [(slot.start, slot.direction) for slot in grid.slots]
    entries = {}
    if keys and rng.random() < 0.3:
        entries[rng.choice(keys)] = asked(pattern=rng.choice(PATTERNS))
    wanted = tuple(rng.sample(sorted(words), k=1)) if rng.random() < 0.15 else ()
    placing = RebusPlacing((REBUSES[0],), 1, 2)
    return ruled(
        entries=entries,
        wanted=wanted,
        wanted_least=len(wanted),
        letters="B" if rng.random() < 0.15 else "",
        shared_substring=3 if rng.random() < 0.15 else 0,
        placings=(placing,) if rng.random() < 0.1 else (),
    )


def task_of(case: Case) -> Task:
    """The engine's task of a case."""
    words = WordList.from_scores("words", case.words)
    lexicon = Lexicon.build([words], minimum_score=case.minimum, banned=case.banned)
    return Task(case.grid, lexicon, rules=case.rules)


def case_of(task: Task, words: dict[str, int]) -> Case:
    """The naive twin's case of a task over these words, and those that the task also allows."""
    lexicon = task.lexicon
    for layer in lexicon.layers:
        if layer.name == ALSO_ALLOWED:
            words = {**words, **dict(layer)}
    return Case(
        task.grid,
        words,
        minimum=lexicon.minimum_score,
        banned=lexicon.banned,
        rules=task.rules,
        allow_repeats=task.allow_repeats,
    )


def is_fillable(task: Task, words: dict[str, int]) -> bool:
    """Whether a task has a fill, by plain backtracking."""
    return any(True for _ in fills(case_of(task, words), most_tries=20_000))
