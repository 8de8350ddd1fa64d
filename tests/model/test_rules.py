import pytest

from xwtui.errors import PuzzleError
from xwtui.model import Content, Direction, EntryRule, Position, RebusPlacing, Rules

HEART, CLUB = Content.of("HEART"), Content.of("CLUB")


def test_rules_without_a_word_are_empty() -> None:
    assert Rules().is_empty
    assert EntryRule().is_empty
    assert not Rules(shared_substring=4).is_empty
    assert not EntryRule(contains=("X",)).is_empty


@pytest.mark.parametrize(("least", "most"), [(5, 4), (0, 0), (-1, 3)])
def test_a_placing_with_an_empty_range_is_refused(least: int, most: int) -> None:
    with pytest.raises(PuzzleError, match="number of squares"):
        RebusPlacing((HEART,), least, most)


def test_a_placing_needs_contents_and_a_square_for_each() -> None:
    with pytest.raises(PuzzleError, match="at least one content"):
        RebusPlacing((), 1, 2)
    with pytest.raises(PuzzleError, match="each at least once"):
        RebusPlacing((HEART, CLUB), 1, 1, each=True)


def test_no_more_words_can_be_asked_for_than_are_named() -> None:
    with pytest.raises(PuzzleError, match="3 words are wanted"):
        Rules(wanted=("OBOE", "TUBA"), wanted_least=3)


def test_rules_of_entries_and_squares_are_not_about_the_grid() -> None:
    entry = (Position(0, 0), Direction.ACROSS)
    assert not Rules(entries={entry: EntryRule(lacks=("X",))}, squares={Position(1, 1): (HEART,)}).is_about_grid
    assert Rules(letters="Q").is_about_grid
