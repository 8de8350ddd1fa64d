"""Rules as a value, edits of rules, answer patterns, and names hidden along lines."""

import pickle
import re
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import puzzles
from tests.ruled import Ruled, asked, ruled
from xwtui.engine.problem.task import obeying
from xwtui.errors import EngineError, PuzzleError
from xwtui.formats.grid_text import grid_from_text
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
from xwtui.model.answers import names_along_lines
from xwtui.model.rules import pattern as pattern_rule
from xwtui.model.rules.pattern import MOST_CHOICES, MOST_REPEATS, Pattern, check_pattern, sure_letters
from xwtui.model.rules.placing import with_placing, without_placing
from xwtui.model.rules.wanted import with_wanted, without_wanted

HEART, CLUB, STAR = Content.of("HEART"), Content.of("CLUB"), Content.of("STAR")
CORNER, CENTRE = Position(0, 0), Position(1, 1)
BLANK = Puzzle.blank(5, 5)
LONG = asked(60, "themes.dict", ".*ING", ("X",), ("Q",))


def test_rules_without_a_word_are_empty() -> None:
    assert ruled().is_empty
    assert asked().is_empty
    assert not ruled(shared_substring=4).is_empty
    assert not asked(contains=("X",)).is_empty


@pytest.mark.parametrize(
    ("contents", "least", "most", "said"),
    [
        *(((HEART,), *ends, "number of squares") for ends in ((5, 4), (0, 0), (-1, 3))),
        ((), 1, 2, "at least one content"),
        ((HEART, CLUB), 1, 1, "each at least once"),
    ],
)
def test_a_placing_needs_contents_and_a_square_for_each(
    contents: tuple[Content, ...], least: int, most: int, said: str
) -> None:
    with pytest.raises(PuzzleError, match=said):
        RebusPlacing(contents, least, most, each=len(contents) > 1)


def test_the_number_of_wanted_words_is_at_most_those_named() -> None:
    with pytest.raises(PuzzleError, match="3 words are required"):
        ruled(wanted=("OBOE", "TUBA"), wanted_least=3)


def test_rules_of_entries_and_squares_are_not_grid_rules() -> None:
    entry = (Position(0, 0), Direction.ACROSS)
    assert not ruled(entries={entry: asked(lacks=("X",))}, squares={Position(1, 1): (HEART,)}).is_about_grid
    assert ruled(letters="Q").is_about_grid


def test_rules_that_were_used_can_be_pickled() -> None:
    rules = ruled(entries={(Position(0, 0), Direction.ACROSS): asked(pattern=".*X", lacks=("Q",))})
    (entry,) = rules.entries.values()
    assert [test("QX") for test in entry.tests] == [False, True]
    assert pickle.loads(pickle.dumps(rules)) == rules


@given(puzzles(largest=5))
def test_random_rules_are_valid(puzzle: Puzzle) -> None:
    puzzle.rules.check()
    assert edits.with_rules(puzzle, Rules()).rules.is_empty


@given(puzzles(largest=5), st.data())
def test_an_empty_rule_removes_an_entrys_rule(puzzle: Puzzle, data: st.DataObject) -> None:
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


def test_a_rule_waits_for_its_entry_to_return() -> None:
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
def test_a_rule_impossible_for_its_entry_is_refused(rule: EntryRules) -> None:
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


def test_all_wanted_words_are_required_unless_a_number_is_given() -> None:
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


def test_placings_with_equal_contents_replace_each_other() -> None:
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
    """Return a puzzle with contents in pencil along its first row."""
    for column, content in enumerate(contents):
        puzzle = edits.set_square(puzzle, Position(0, column), content, Ink.PENCIL)
    return puzzle


ROW = [Position(0, column) for column in range(5)]


def test_accepted_rebus_squares_are_not_placed_again() -> None:
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


def test_missing_members_of_a_mixed_set_are_still_placed() -> None:
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
def test_impossible_rules_are_refused(parts: dict[str, Any]) -> None:
    with pytest.raises(PuzzleError):
        edits.with_rules(BLANK, ruled(**parts))
    assert BLANK.rules == ruled()


@pytest.mark.parametrize(
    ("text", "name", "places"),
    [
        ("S.AM\nASXA\n#A..\nMMSA", "SAM", ["r2c2 r3c2 r4c2", "r1c1 r1c3 r1c4", "r1c1 r2c1 r4c1"]),
        ("S.AM\nASXA\n#A..\nMMSA", "MASX", []),
        ("S.SAM\n.....\n.....", "SAM", ["r1c3 r1c4 r1c5"]),
        ("[SA]X[ME]M\n....\n....", "SAM", ["r1c1 r1c4"]),
    ],
)
def test_a_name_is_found_in_order_with_any_gaps_narrowest_first(text: str, name: str, places: list[str]) -> None:
    assert [" ".join(map(str, place)) for place in names_along_lines(grid_from_text(text), name)] == places


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        ".*ING",
        "[AEIOU]{3}.*",
        "(?!UN).*",
        "(ED|ING)?.+(S|ES)?",
        "(AB)+",
        "[^]A]*X",
        "A{2,3}[*+]+",
        ".*A.*E.*I.*O.*",
        r"(..).*\1",
        r"(.)(.).?\2\1",
        ".*" * MOST_REPEATS,
        "A?" * MOST_CHOICES,
        "A{40}",
    ],
)
def test_patterns_of_constructors_are_accepted(pattern: str) -> None:
    check_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(", "cannot be read"),
        ("[A", "cannot be read"),
        ("*A", "cannot be read"),
        ("[A--B]", "cannot be read"),
        ("[[A]", "cannot be read"),
        ("[[A", "cannot be read"),
        ("X[A||", "cannot be read"),
        (".*ing", "has 'i'"),
        (r"(A)\2", "cannot be read: invalid group reference 2"),
        (r"(A\1)", "cannot be read: cannot refer to an open group"),
        (r"(A)[\1]", "not a set of letters"),
        (r"(A)\0", r"has '\\\\'"),
        (r"(A)\d", r"has '\\\\'"),
        (r"(A*\1)*", "repeats a part|cannot be read"),
        ("€", "has '€'"),
        ("(A*)*", "repeats a part"),
        ("(A|AA)*B", "repeats a part"),
        ("(A?){30}", "repeats a part"),
        ("((.*)X)+", "repeats a part"),
        ("((A|B)C)*", "repeats a part"),
        ("A{99}", "more than 40 times"),
        ("A{99999999999}", "cannot be read|more than 40"),
        (".*" * (MOST_REPEATS + 1), "7 repeats"),
        ("A?" * (MOST_CHOICES + 1), "21 choices"),
        ("A" * 300, "200 characters"),
    ],
)
def test_invalid_or_slow_patterns_are_refused(pattern: str, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        check_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "letters"),
    [
        (".*CAT", ("CAT",)),
        ("CA?T", ("C", "T")),
        ("CAT*", ("CA",)),
        ("A{2}BC", ("BC",)),
        ("AB.CD", ("AB", "CD")),
        ("((A|B)X)CD", ("CD",)),
        ("CAT|DOG", ()),
        ("[AB]C", ("C",)),
    ],
)
def test_letters_common_to_all_matches(pattern: str, letters: tuple[str, ...]) -> None:
    assert sure_letters(pattern) == letters


@pytest.mark.filterwarnings("error::FutureWarning")
@given(st.text("AB.[]^-()|*+?{},:=!19\\", max_size=20))
def test_any_text_is_accepted_or_refused_with_a_message(pattern: str) -> None:
    with suppress(PuzzleError):
        check_pattern(pattern)
        assert re.compile(pattern)


ENDLESS = Pattern("(?:A|AA)*[01]")
"""A pattern that `check_pattern` refuses; forty letters would take it a lifetime."""


def test_an_answer_that_takes_too_long_to_match_gives_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_rule, "ANSWER_SECONDS", 0.01)
    with pytest.raises(PuzzleError, match=r"the pattern '\(\?:A\|AA\)\*\[01\]' takes too long to try on AAA"):
        ENDLESS.allows()("A" * 40)
    assert ENDLESS.broken("A" * 40) == "takes too long to match with (?:A|AA)*[01]"
    with pytest.raises(EngineError, match="takes too long to try on AAA"):
        list(obeying(["A1", "A" * 40], EntryRules(ENDLESS)))
    assert list(obeying(["A1", "BA"], EntryRules(ENDLESS))) == [True, False]
