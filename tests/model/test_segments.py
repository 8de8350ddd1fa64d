"""How answers are laid into squares, rebus squares above all."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import contents
from xwtui.errors import PuzzleError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Ink
from xwtui.model.answers import contents_for, pieces, squares_taken, squares_told


def laid(standing: str, answer: str) -> str:
    grid = grid_from_text("\n".join([standing, *["." * _squares(standing)] * 2]))
    return "".join(str(content) for content in contents_for(grid, grid.slot("1A"), answer))


def laid_down(standing: list[str], answer: str) -> str:
    grid = grid_from_text("\n".join(f"{square}.." for square in standing))
    return "".join(str(content) for content in contents_for(grid, grid.slot("1D"), answer))


def _squares(standing: str) -> int:
    return len(pieces(standing.replace(".", "X")))


@given(st.lists(contents(), min_size=1, max_size=8))
def test_pieces_are_read_as_they_are_written(squares: list[Content]) -> None:
    assert list(pieces("".join(str(content) for content in squares))) == squares


@pytest.mark.parametrize("text", ["SWEET HEART", "€", "A[HEART", "A]B", "[[A]]", "A?B", "\x1b[31m"])
def test_other_text_is_no_answer(text: str) -> None:
    with pytest.raises(PuzzleError):
        pieces(text)


@pytest.mark.parametrize(
    ("standing", "answer", "expected"),
    [
        ("...", "cat", "CAT"),
        ("DOG", "CAT", "CAT"),
        (".......", "SWEET[HEART]S", "SWEET[HEART]S"),
        (".....[HEART].", "SWEETHEARTS", "SWEET[HEART]S"),
        (".....[HEART].", "SWEET[HEART]S", "SWEET[HEART]S"),
        (".....[HEART].", "SWEET[LOVE]S", "SWEET[LOVE]S"),
        ("[HEART]..", "HEARTED", "[HEART]ED"),
        ("..[HEART]", "ATHEART", "AT[HEART]"),
        ("[AB][AB].", "ABABA", "[AB][AB]A"),
        ("[AB]..", "AB[X/TIMES]", "AB[X/TIMES]"),
        ("[X/TIMES]..", "XAB", "[X/TIMES]AB"),
        ("[X/TIMES]..", "[X/CROSS]AB", "[X/CROSS]AB"),
        ("[HEART/LOVE]..", "[HEART]ED", "[HEART/LOVE]ED"),
        ("...", "A1B", "A1B"),
    ],
)
def test_answers_through_standing_squares(standing: str, answer: str, expected: str) -> None:
    assert laid(standing, answer) == expected


def test_a_down_answer_takes_the_down_reading() -> None:
    assert laid_down(["[X/TIMES]", ".", "."], "TIMESUP") == "[X/TIMES]UP"
    with pytest.raises(PuzzleError, match=r"XUP does not fit 1D, which reads \[TIMES\]"):
        laid_down(["[X/TIMES]", ".", "."], "XUP")


@pytest.mark.parametrize(
    ("standing", "answer", "message"),
    [
        ("...", "CATS", "CATS takes 4 squares; 1A has 3"),
        ("...", "AT", "AT takes 2 squares; 1A has 3"),
        (".....", "[HE]ART", r"\[HE\]ART takes 4 squares; 1A has 5"),
        ("[HEART]..", "SOUL", r"SOUL does not fit 1A, which reads \[HEART\]\?\?"),
        ("[HEART]..", "HEART", "HEART does not fit 1A"),
        ("[HEART]..", "HEARTENED", "HEARTENED does not fit 1A"),
    ],
)
def test_an_answer_that_does_not_fit_says_why(standing: str, answer: str, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        laid(standing, answer)


@pytest.mark.parametrize(
    ("answer", "squares"), [("LO[CAT]IONSCOUT", 11), ("lo[cat]ionscout", 11), ("[X/TIMES]UP", 3), ("CAT", 3)]
)
def test_answers_are_measured_in_squares(answer: str, squares: int) -> None:
    assert squares_taken(answer) == squares


def test_squares_are_told_each_number_once() -> None:
    assert squares_told(["LO[CAT]E", "LOVE", "A"]) == "1 or 4 squares"
    assert squares_told(["A"]) == "1 square"


def test_pencil_is_no_rebus_to_lay_an_answer_along_where_only_given_squares_count() -> None:
    grid = grid_from_text("[HEART]..\n...\n...")
    at = grid.slot("1A").start
    grid = grid.with_squares({at: replace(grid[at], ink=Ink.PENCIL)})
    assert len(contents_for(grid, grid.slot("1A"), "ATE", given_only=True)) == 3
    with pytest.raises(PuzzleError):
        contents_for(grid, grid.slot("1A"), "ATE")
