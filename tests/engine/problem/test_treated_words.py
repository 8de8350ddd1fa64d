"""Entries that enter something else than their answers, against their naive twin."""

from collections import Counter
from itertools import islice
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.naive import entering as naive
from xwtui.engine.count.exact import FillEnumeration
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.engine.problem.told_answers import with_fill
from xwtui.engine.problem.treated_words import row_numbers
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Direction, Grid, Puzzle
from xwtui.model.entering import Entering, Treatment
from xwtui.model.rules import Rules
from xwtui.model.rules.constraints import LightGroup, LightsEntered
from xwtui.model.rules.latent import EnteredOtherwise
from xwtui.model.rules.review import breaches, rule_lines
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

MOST_FILLS = 100
"""Fills of a case that the naive twin lists; of more, the engine finds one at least."""

GRIDS = ["...\n...\n...", "..#\n...\n#..", ".#.\n...\n.#.", "...\n.#.\n...", "....\n.##.\n...."]


def random_words(rng: Random, most: int) -> dict[str, int]:
    """Some words of 2 to 6 letters with scores of their own, so that one is the best."""
    words = {"".join(rng.choices(naive.LETTERS, k=rng.randint(2, 6))) for _ in range(most)}
    return dict(zip(sorted(words), rng.sample(range(101), len(words)), strict=True))


def random_rule(rng: Random) -> LightsEntered:
    """A treatment of some lights, of each, of some of them, or such that their letters spell something."""
    how = rng.choice(list(Entering))
    where: LightGroup = rng.choice([None, None, Direction.ACROSS, Direction.DOWN])
    treatment = Treatment(how, rng.choice(["A", "AB", "CC"]) if how is Entering.REMOVE else "")
    letters = rng.choice([naive.LETTERS, naive.LETTERS, "A", "BC"]) if how.has_letter else ""
    if how.has_letter and rng.random() < 0.4:
        return LightsEntered(treatment, where, None, "", "".join(rng.choices(naive.LETTERS, k=rng.randint(1, 6))))
    return LightsEntered(treatment, where, rng.choice([None, None, 0, 1, 2, 3]), letters)


def task_of(grid: Grid, words: dict[str, int], asked: LightsEntered) -> Task:
    """The task of filling a grid so."""
    lexicon = Lexicon.build([WordList.from_scores("words", words)])
    return Task(grid, lexicon, rules=Rules(grid=(EnteredOtherwise(asked),)))


def check_case(grid: Grid, words: dict[str, int], asked: LightsEntered) -> None:
    """The verdict, that the fill is one of the naive twin's, and how many there are."""
    task = task_of(grid, words, asked)
    lights = sum(map(asked.is_about, grid.slots))
    if len(asked.message) > lights:
        return
    expected = list(islice(naive.fills(grid, words, asked), MOST_FILLS))
    filler = Filler(Problem.of(task), seed=1)
    outcome = filler.advance(nodes=100_000)
    assert outcome is (Outcome.FILLED if expected else Outcome.IMPOSSIBLE), (filler.reason, asked)
    if not expected:
        assert filler.reason
        return
    told = with_fill(task, Puzzle(grid, rules=task.rules), filler.fill())
    assert not list(breaches(told))
    answers = list(told.answers.values())
    assert len(set(answers)) == len(answers) == len(grid.slots)
    entered = {slot: told.grid.answer(slot) for slot in grid.slots}
    assert (
        any(entered == {slot: read[0] for slot, read in fill.items()} for fill in expected) or len(expected) == 400
    )
    if len(expected) < MOST_FILLS:
        enumeration = FillEnumeration(filler.problem)
        assert enumeration.advance(nodes=1_000_000)
        assert enumeration.fills == len(expected)


@examples(60)
@given(st.integers(0, 1 << 32))
def test_fills_obey(seed: int) -> None:
    rng = Random(seed)
    grid = grid_from_text(rng.choice(GRIDS))
    check_case(grid, random_words(rng, rng.randint(4, 20)), random_rule(rng))


@pytest.mark.parametrize("how", Entering)
def test_words_enter_what_the_naive_twin_says(how: Entering) -> None:
    rng = Random(how.value)
    words = random_words(rng, 60)
    grid = grid_from_text("...\n...\n...")
    letters = naive.LETTERS if how.has_letter else ""
    asked = LightsEntered(Treatment(how, "A" if how is Entering.REMOVE else ""), None, 2, letters)
    table = Problem.of(task_of(grid, words, asked)).tables[0]
    lexicon = Lexicon.build([WordList.from_scores("words", words)])
    assert table.marks is not None
    found = Counter(
        ("".join("ABC"[code] for code in row), int(score), bool(mark))
        for row, score, mark in zip(table.symbols.tolist(), table.scores, table.marks, strict=True)
    )
    reads = (read for read in naive.readings(asked, words, is_in=True) if len(read[0]) == 3)
    assert found == Counter((entered, lexicon.score(answer), bool(letter)) for entered, answer, letter in reads)


def test_rows_have_numbers_of_their_own() -> None:
    rng = Random(5)
    for high in (3, 200):
        rows = np.array([[rng.randrange(high) % 200 for _ in range(23)] for _ in range(300)] * 2, np.uint8)
        numbers = row_numbers(rows)
        assert len(set(numbers.tolist())) == len({row.tobytes() for row in rows})


def test_a_rule_reads_as_it_is_meant() -> None:
    asked = LightsEntered(Treatment(Entering.DROP), Direction.DOWN, None, "", "AB")
    puzzle = Puzzle(Grid.blank(3, 3), rules=Rules(grid=(EnteredOtherwise(asked),)))
    assert rule_lines(puzzle) == [
        "latent: exactly 2 of the down entries entered with a letter dropped, these letters spell AB"
    ]
