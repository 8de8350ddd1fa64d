"""Root propagation against the naive fixpoint, and the tables that it works on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import problem_of, small_grids, word_lists
from tests.examples import examples
from tests.naive.engine import naive_propagation, slot_words
from xwtui.engine.candidates.options import Candidate, candidates, slot_options
from xwtui.engine.problem.problem import Problem
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Ink, Position, Square


@examples(300)
@given(small_grids(), word_lists(), st.booleans())
def test_what_survives_is_the_naive_fixpoint(grid: Grid, words: dict[str, int], allow_repeats: bool) -> None:
    problem = problem_of(grid, words, allow_repeats=allow_repeats)
    expected = naive_propagation(grid, words, allow_repeats=allow_repeats)
    options = slot_options(problem)
    assert problem.root.is_possible == (expected is not None)
    for slot in grid.slots:
        assert options[slot.name].pattern_matches == len(slot_words(grid, slot, words))
        listed = candidates(problem, slot.name)
        alive = {candidate.word for candidate in listed if candidate.alive}
        assert alive == (expected[slot.name] if expected else set())
        assert options[slot.name].after_propagation == len(alive)


@given(small_grids(), word_lists())
def test_candidates_are_the_words_that_match_best_first(grid: Grid, words: dict[str, int]) -> None:
    problem = problem_of(grid, words)
    for slot in grid.slots:
        listed = candidates(problem, slot.name)
        assert {candidate.word for candidate in listed} == set(slot_words(grid, slot, words))
        scores = [candidate.score or 0 for candidate in listed]
        assert scores == sorted(scores, reverse=True)
        assert all(candidate.score == words.get(candidate.word) for candidate in listed)


def test_a_word_list_wider_than_one_word_of_bits() -> None:
    words = {a + b + c: 50 for a in "ABCDEFGH" for b in "ABCDEFGH" for c in "ABCDEFGH" if (a, b, c) != ("A",) * 3}
    grid = grid_from_text("A..\n.#.\n..H\n")
    problem = problem_of(grid, words)
    expected = naive_propagation(grid, words)
    assert expected is not None
    assert {name: options.after_propagation for name, options in slot_options(problem).items()} == {
        name: len(left) for name, left in expected.items()
    }


def test_digits_and_28_rebus_squares_are_taken_and_29_are_not() -> None:
    contents = [Content.of(f"X{number:02}") for number in range(29)]
    blank = Grid.blank(3, 40)

    def with_rebuses(count: int) -> Grid:
        return blank.with_squares(
            {
                Position(0, column): Square(content=content, ink=Ink.PEN)
                for column, content in enumerate(contents[:count])
            }
        )

    words = {f"X{number:02}A1": 1 for number in range(29)} | {"A1": 1}
    assert problem_of(with_rebuses(28), words).symbols.contents[-1] == contents[27]
    with pytest.raises(EngineError, match=r"29 different rebus squares.*28.*X28"):
        problem_of(with_rebuses(29), words)


def test_pencil_is_not_looked_at() -> None:
    square = Square(content=Content.of("Q"), ink=Ink.PENCIL)
    grid = Grid.blank(3, 3).with_squares({Position(0, 0): square})
    problem = problem_of(grid, {"CAT": 1})
    assert slot_options(problem)["1A"].pattern_matches == 1


def test_an_unknown_entry_is_named() -> None:
    problem: Problem = problem_of(Grid.blank(3, 3), {"CAT": 1})
    with pytest.raises(EngineError, match="'99A'"):
        candidates(problem, "99A")


def test_an_unlisted_answer_that_is_given_has_no_score() -> None:
    problem = problem_of(grid_from_text("XYZ\n###\n...\n"), {"CAT": 0})
    assert candidates(problem, "1A") == (Candidate("XYZ", None, True),)
    assert candidates(problem, "2A") == (Candidate("CAT", 0, True),)
