"""The symmetries, against the naive twin and by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.model import naive_orbit
from xwtui.errors import PuzzleError
from xwtui.model import Position, Symmetry

SQUARE_ONLY = [Symmetry.ROTATION_90, Symmetry.DIAGONAL, Symmetry.ANTIDIAGONAL]


@given(st.sampled_from(Symmetry), st.integers(3, 9), st.integers(3, 9), st.data())
def test_orbits_are_those_of_the_naive_twin(
    symmetry: Symmetry, height: int, width: int, data: st.DataObject
) -> None:
    if symmetry in SQUARE_ONLY:
        width = height
    place = (data.draw(st.integers(0, height - 1)), data.draw(st.integers(0, width - 1)))
    assert symmetry.orbit(Position(*place), height, width) == naive_orbit(symmetry, place, height, width)


@given(st.sampled_from(Symmetry), st.integers(3, 9), st.data())
def test_every_square_of_an_orbit_has_the_same_orbit(symmetry: Symmetry, side: int, data: st.DataObject) -> None:
    position = Position(data.draw(st.integers(0, side - 1)), data.draw(st.integers(0, side - 1)))
    orbit = symmetry.orbit(position, side, side)
    assert position in orbit
    assert all(symmetry.orbit(image, side, side) == orbit for image in orbit)


@pytest.mark.parametrize(
    ("symmetry", "others"),
    [
        (Symmetry.NONE, set()),
        (Symmetry.ROTATION_180, {(14, 11)}),
        (Symmetry.ROTATION_90, {(3, 14), (14, 11), (11, 0)}),
        (Symmetry.LEFT_RIGHT, {(0, 11)}),
        (Symmetry.UP_DOWN, {(14, 3)}),
        (Symmetry.DIAGONAL, {(3, 0)}),
        (Symmetry.ANTIDIAGONAL, {(11, 14)}),
    ],
)
def test_images_of_the_fourth_square_of_a_daily(symmetry: Symmetry, others: set[tuple[int, int]]) -> None:
    assert symmetry.orbit(Position(0, 3), 15, 15) == {(0, 3)} | others


@pytest.mark.parametrize("symmetry", SQUARE_ONLY)
def test_some_symmetries_need_a_square_grid(symmetry: Symmetry) -> None:
    assert symmetry.needs_square_grid
    with pytest.raises(
        PuzzleError, match=f"{symmetry.value} symmetry needs a square grid; this one has 3 rows of 5"
    ):
        symmetry.orbit(Position(0, 0), 3, 5)


@pytest.mark.parametrize("symmetry", [each for each in Symmetry if each not in SQUARE_ONLY])
def test_the_others_fit_any_grid(symmetry: Symmetry) -> None:
    symmetry.check_fits(3, 40)


@pytest.mark.parametrize("symmetry", Symmetry)
def test_a_symmetry_is_read_by_its_name(symmetry: Symmetry) -> None:
    assert Symmetry.parse(f" {symmetry.value.upper()} ") is symmetry


def test_no_symmetry_is_told_in_words() -> None:
    assert [Symmetry.NONE.words, Symmetry.NONE.brief] == ["no symmetry"] * 2
    assert [Symmetry.ROTATION_180.words, Symmetry.ROTATION_180.brief] == ["rot180 symmetry", "rot180"]


def test_an_unknown_symmetry_names_those_there_are() -> None:
    with pytest.raises(PuzzleError, match="'spiral' is no symmetry; there are none, rot180, rot90"):
        Symmetry.parse("spiral")
