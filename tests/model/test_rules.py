"""Rules as a value, and edits of them."""

import pickle
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import puzzles
from tests.ruled import Ruled, asked, ruled
from xwtui.errors import PuzzleError
from xwtui.model import (
    Content,
    Direction,
    EntryRules,
    Ink,
    Kind,
    Position,
    Puzzle,
    RebusPlacing,
    Rules,
    edits,
)
from xwtui.model.rules.placing import with_placing, without_placing
from xwtui.model.rules.wanted import with_wanted, without_wanted

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
    with pytest.raises(PuzzleError, match="3 words are required"):
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


HEART, CLUB, STAR = Content.of("HEART"), Content.of("CLUB"), Content.of("STAR")
CORNER, CENTRE = Position(0, 0), Position(1, 1)
BLANK = Puzzle.blank(5, 5)
LONG = asked(60, "themes.dict", ".*ING", ("X",), ("Q",))


@given(puzzles(largest=5))
def test_random_rules_are_rules_that_a_puzzle_can_have(puzzle: Puzzle) -> None:
    puzzle.rules.check()
    assert edits.without_rules(puzzle).rules.is_empty


@given(puzzles(largest=5), st.data())
def test_an_empty_rule_takes_the_rule_of_an_entry_away(puzzle: Puzzle, data: st.DataObject) -> None:
    slots = puzzle.grid.slots
    if not slots:
        return
    slot = data.draw(st.sampled_from(slots))
    key = (slot.start, slot.direction)
    ruled = edits.with_entry_rules(puzzle, slot, LONG)
    assert edits.entry_rules(ruled, slot) == LONG
    freed = edits.with_entry_rules(ruled, slot, asked())
    assert key not in freed.rules.entries
    assert dict(freed.rules.entries) == {k: v for k, v in puzzle.rules.entries.items() if k != key}


def test_a_rule_waits_for_its_entry_to_come_back() -> None:
    slot = BLANK.grid.slot("1A")
    ruled = edits.with_entry_rules(replace(BLANK, symmetry=BLANK.symmetry), slot, LONG)
    blocked = edits.set_kind(ruled, CORNER, Kind.BLOCK)
    assert edits.idle_entry_rules(blocked) == ((CORNER, Direction.ACROSS),)
    assert edits.idle_entry_rules(edits.set_kind(blocked, CORNER, Kind.OPEN)) == ()
    assert blocked.rules == ruled.rules


@pytest.mark.parametrize(
    "rule",
    [
        asked(101),
        asked(pattern="("),
        asked(contains=("é",)),
        asked(lacks=("",)),
        asked(contains=("A",) * 21),
    ],
)
def test_a_rule_that_no_entry_can_have_is_refused(rule: EntryRules) -> None:
    with pytest.raises(PuzzleError):
        edits.with_entry_rules(BLANK, BLANK.grid.slot("1A"), rule)


def test_squares_are_restricted_and_freed() -> None:
    ruled = edits.with_allowed_contents(BLANK, [CORNER, CENTRE], [HEART, CLUB, HEART])
    assert ruled.rules.squares == {CORNER: (HEART, CLUB), CENTRE: (HEART, CLUB)}
    assert edits.with_allowed_contents(ruled, [CORNER], []).rules.squares == {CENTRE: (HEART, CLUB)}


def test_only_open_squares_are_restricted() -> None:
    blocked = edits.set_kind(BLANK, CORNER, Kind.BLOCK)
    with pytest.raises(PuzzleError, match="r1c1 is a block"):
        edits.with_allowed_contents(blocked, [CORNER], [HEART])


def test_wanted_words_are_all_wanted_unless_a_number_is_said() -> None:
    two = with_wanted(Rules(), ["OBOE", "TUBA", "OBOE"])
    assert two == ruled(wanted=("OBOE", "TUBA"), wanted_least=2)
    three = with_wanted(two, ["HARP"])
    assert Ruled.of(three).wanted_least == 3
    one = with_wanted(three, [], 1)
    assert Ruled.of(with_wanted(one, ["DRUM"])).wanted_least == 1
    assert without_wanted(three, ["TUBA"]) == ruled(wanted=("OBOE", "HARP"), wanted_least=2)
    with pytest.raises(PuzzleError, match="not wanted: DRUM"):
        without_wanted(three, ["DRUM"])
    with pytest.raises(PuzzleError, match="4 words are required"):
        with_wanted(three, [], 4)


def test_new_squares_with_the_same_contents_replace_each_other() -> None:
    one = with_placing(Rules(), RebusPlacing((HEART,), 1, 2))
    two = with_placing(one, RebusPlacing((STAR,), 1, 1))
    again = with_placing(two, RebusPlacing((HEART,), 4, 6, symmetric=True))
    assert again.grid == (RebusPlacing((STAR,), 1, 1), RebusPlacing((HEART,), 4, 6, symmetric=True))
    assert without_placing(again, [STAR]).grid == (RebusPlacing((HEART,), 4, 6, symmetric=True),)
    with pytest.raises(PuzzleError, match="there is no rule for new squares"):
        without_placing(again, [CLUB])


def asking_for(placing: RebusPlacing) -> Puzzle:
    return replace(BLANK, rules=Rules(grid=(placing,)))


def penciled(puzzle: Puzzle, *contents: Content) -> Puzzle:
    """A puzzle with contents in pencil along its first row."""
    for column, content in enumerate(contents):
        puzzle = edits.set_square(puzzle, Position(0, column), content, Ink.PENCIL)
    return puzzle


ROW = [Position(0, column) for column in range(5)]


def test_what_the_filler_placed_and_the_constructor_took_is_not_asked_for_again() -> None:
    asking = asking_for(RebusPlacing((HEART,), 2, 3))
    found = penciled(asking, HEART, STAR, HEART)
    assert found.rules == asking.rules
    part = edits.set_ink(found, ROW[:2], Ink.PEN)
    assert part.rules.grid == (RebusPlacing((HEART,), 1, 2),)
    locked_too = edits.set_ink(part, ROW[:2], Ink.LOCKED)
    assert locked_too.rules == part.rules
    assert edits.set_ink(part, ROW, Ink.PEN).rules.grid == (RebusPlacing((HEART,), 0, 1),)
    all_three = edits.set_ink(penciled(asking, HEART, HEART, HEART), ROW, Ink.PEN)
    assert all_three.rules.grid == ()


def test_of_a_mixed_set_the_missing_ones_stay_asked_for() -> None:
    asking = asking_for(RebusPlacing((HEART, CLUB, STAR), 3, 4, each=True))
    part = edits.set_ink(penciled(asking, CLUB), ROW, Ink.PEN)
    assert part.rules.grid == (RebusPlacing((HEART, STAR), 2, 3, each=True),)
    done = edits.set_ink(penciled(asking, CLUB, HEART, STAR), ROW, Ink.PEN)
    assert done.rules.grid == (RebusPlacing((HEART, CLUB, STAR), 0, 1),)


@pytest.mark.parametrize(
    "parts",
    [
        {"shared_substring": 1},
        {"shared_substring": 41},
        {"tag_limits": {"Not a tag": 2}},
        {"tag_limits": {"name": -1}},
        {"wanted": ("OBOE", "OBOE")},
        {"wanted": ("OBOE",), "wanted_least": -1},
        {"letters": "AA"},
        {"letters": "é"},
        {"stem_groups": (frozenset({"a b"}),)},
        {"placings": (RebusPlacing((HEART, HEART), 1, 2),)},
        {"placings": (RebusPlacing((HEART,), 1, 2),) * 9},
        {"wanted": tuple(f"W{n}" for n in range(1001))},
    ],
)
def test_rules_that_no_puzzle_can_have_are_refused(parts: dict[str, Any]) -> None:
    with pytest.raises(PuzzleError):
        edits.with_rules(BLANK, ruled(**parts))
    assert BLANK.rules == ruled()
