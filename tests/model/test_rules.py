import pickle

import pytest

from tests.ruled import asked, ruled
from xwtui.errors import PuzzleError
from xwtui.model import Content, Direction, Position, RebusPlacing

HEART, CLUB = Content.of("HEART"), Content.of("CLUB")


def test_rules_without_a_word_are_empty() -> None:
    assert ruled().is_empty
    assert asked().is_empty
    assert not ruled(shared_substring=4).is_empty
    assert not asked(contains=("X",)).is_empty


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
        ruled(wanted=("OBOE", "TUBA"), wanted_least=3)


def test_rules_of_entries_and_squares_are_not_about_the_grid() -> None:
    entry = (Position(0, 0), Direction.ACROSS)
    assert not ruled(entries={entry: asked(lacks=("X",))}, squares={Position(1, 1): (HEART,)}).is_about_grid
    assert ruled(letters="Q").is_about_grid


def test_rules_that_were_used_can_be_pickled() -> None:
    rules = ruled(entries={(Position(0, 0), Direction.ACROSS): asked(pattern=".*X", lacks=("Q",))})
    (entry,) = rules.entries.values()
    assert [test("QX") for test in entry.tests] == [False, True]
    assert pickle.loads(pickle.dumps(rules)) == rules
