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
from xwtui.engine.problem import reasons, treated_words
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.engine.problem.told_answers import with_fill
from xwtui.engine.problem.treated_words import row_numbers
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Direction, Grid, Position, Puzzle
from xwtui.model.edits import set_square
from xwtui.model.entering import Entering, Treatment
from xwtui.model.review import breaches, rule_lines
from xwtui.model.rules import Rules
from xwtui.model.rules.constraints import EntryGroup, TreatedEntries
from xwtui.model.rules.latent import EnteredOtherwise
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

MOST_FILLS = 100
"""Fills of a case that the naive twin lists; of more, the engine finds one at least."""

GRIDS = ["...\n...\n...", "..#\n...\n#..", ".#.\n...\n.#.", "...\n.#.\n...", "....\n.##.\n...."]


def random_words(rng: Random, most: int) -> dict[str, int]:
    """Some words of 2 to 6 letters with scores of their own, so that one is the best."""
    words = {"".join(rng.choices(naive.LETTERS, k=rng.randint(2, 6))) for _ in range(most)}
    return dict(zip(sorted(words), rng.sample(range(101), len(words)), strict=True))


def random_rule(rng: Random) -> TreatedEntries:
    """A treatment of some lights, of each, of some of them, or such that their letters spell something."""
    how = rng.choice(list(Entering))
    where: EntryGroup = rng.choice([None, None, Direction.ACROSS, Direction.DOWN])
    treatment = Treatment(how, rng.choice(["A", "AB", "CC"]) if how is Entering.REMOVE else "")
    letters = rng.choice([naive.LETTERS, naive.LETTERS, "A", "BC"]) if how.has_letter else ""
    if how.has_letter and rng.random() < 0.4:
        return TreatedEntries(treatment, where, None, "", "".join(rng.choices(naive.LETTERS, k=rng.randint(1, 6))))
    return TreatedEntries(treatment, where, rng.choice([None, None, 0, 1, 2, 3]), letters)


def task_of(grid: Grid, words: dict[str, int], asked: TreatedEntries) -> Task:
    lexicon = Lexicon.build([WordList.from_scores("words", words)])
    return Task(grid, lexicon, rules=Rules(grid=(EnteredOtherwise(asked),)))


def check_case(grid: Grid, words: dict[str, int], asked: TreatedEntries) -> None:
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
    is_listed = any(entered == {slot: read[0] for slot, read in fill.items()} for fill in expected)
    assert is_listed or len(expected) == MOST_FILLS
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
    asked = TreatedEntries(Treatment(how, "A" if how is Entering.REMOVE else ""), None, 2, letters)
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
    asked = TreatedEntries(Treatment(Entering.DROP), Direction.DOWN, None, "", "AB")
    puzzle = Puzzle(Grid.blank(3, 3), rules=Rules(grid=(EnteredOtherwise(asked),)))
    assert rule_lines(puzzle) == [
        "latent: exactly 2 of the down entries entered with a letter dropped, these letters spell AB"
    ]


CORNER = grid_from_text("...\n.##\n.##")


def added_to(words: dict[str, int], monkeypatch: pytest.MonkeyPatch, ways: int) -> Problem:
    """The problem of two entries with a letter added, where so many ways to enter an answer are tried."""
    monkeypatch.setattr(treated_words, "MOST_WAYS", ways)
    return Problem.of(task_of(CORNER, words, TreatedEntries(Treatment(Entering.ADD), None, None, "A")))


def test_answers_for_which_there_is_no_room_are_those_of_low_scores_and_of_no_one_letter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = {f"{first}X": 50 for first in "BCDEFGHIJKLM"} | {"ZY": 60, "NY": 40}
    problem = added_to(words, monkeypatch, ways=3 * 5)
    answers = {problem.answer(0, row) for row in range(problem.tables[0].rows)}
    assert answers == {"ZY", "BX", "EX", "HX", "KX"}


def test_a_proof_names_the_entries_of_which_not_every_way_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    words = {f"{first}Q": 50 for first in "BCDEFGHIJKLM"}
    grid = set_square(Puzzle(CORNER), Position(0, 0), Content.of("Z")).grid
    asked = TreatedEntries(Treatment(Entering.ADD), None, None, "A")
    left = "; only the 15 best ways to alter an answer were tried, in 1A, 1D"
    for ways, told in ((15, left), (300_000, "")):
        monkeypatch.setattr(treated_words, "MOST_WAYS", ways)
        monkeypatch.setattr(reasons, "MOST_WAYS", ways)
        filler = Filler(Problem.of(task_of(grid, words | {"RQ": ways % 100}, asked)))
        assert filler.advance(nodes=100) is Outcome.IMPOSSIBLE
        assert str(filler.reason) == f"1A: no word fits Z??{told}"


def test_orders_of_letters_are_left_out_where_there_is_no_room_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = TreatedEntries(Treatment(Entering.JUMBLE), None, None, "")
    for ways, is_whole in ((17, False), (18, True)):
        monkeypatch.setattr(treated_words, "MOST_WAYS", ways)
        problem = Problem.of(task_of(CORNER, {"BAT": 50, "TAM": 40, "ODD": ways}, asked))
        assert all(table.is_whole is is_whole for table in problem.tables)
