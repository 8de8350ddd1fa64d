"""What ipuz keeps of our own: rules and snapshots."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.formats.ipuz_documents import written
from tests.generators import puzzles
from tests.ruled import asked, ruled
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.intake import Deviation
from xwtui.formats.ipuz_extensions import RULES, SNAPSHOTS, read_rules, unread_snapshots, without_unread
from xwtui.formats.registry import puzzle_bytes, read_bytes, take_bytes
from xwtui.model import Content, Direction, Grid, Position, Puzzle, RebusPlacing, Rules
from xwtui.model.snapshots import MOST_SNAPSHOTS, returned, with_snapshot

FIRST = puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI"))
SECOND = puzzle_of_grid(grid_from_text("AB#\nDEF\nGHI"))


def again(puzzle: Puzzle) -> Puzzle:
    return read_bytes(puzzle_bytes(puzzle, ".ipuz").data, ".ipuz")


def read_with(snapshots: Any) -> Puzzle:
    return read_bytes(json.dumps(written(FIRST) | {SNAPSHOTS: snapshots}).encode(), ".ipuz")


@given(st.lists(puzzles(largest=5), min_size=2, max_size=3))
@examples(40)
def test_what_was_kept_comes_back_from_the_file(states: list[Puzzle]) -> None:
    snapshots: dict[str, Puzzle] = {}
    for number, state in enumerate(states):
        snapshots = dict(with_snapshot(state.with_snapshots(snapshots), f"v{number}").snapshots)
    puzzle = again(states[-1].with_snapshots(snapshots))
    assert puzzle == states[-1].with_snapshots(snapshots)
    for number, state in enumerate(states):
        assert returned(puzzle, f"v{number}") == state.with_snapshots(snapshots)


def test_fields_of_other_programs_are_written_once() -> None:
    read = read_bytes(json.dumps(written(FIRST) | {"com.example:big": "x" * 1000}).encode(), ".ipuz")
    kept = again(with_snapshot(read, "v1"))
    assert puzzle_bytes(kept, ".ipuz").data.count(b"x" * 1000) == 1
    assert returned(kept, "v1") == kept


@pytest.mark.parametrize(
    "fields", [17, None, "text", [], {}, {"puzzle": 3}, {"puzzle": [[1]]}, {**written(FIRST), "clues": 3}]
)
def test_a_bad_snapshot_is_kept_as_it_is_and_told(fields: Any) -> None:
    good = written(SECOND)
    puzzle = read_with({"good": good, "bad": fields})
    assert returned(puzzle, "good").grid == SECOND.grid
    assert unread_snapshots(puzzle) == ("bad",)
    assert written(puzzle)[SNAPSHOTS]["bad"] == fields
    assert again(puzzle) == puzzle
    assert not unread_snapshots(without_unread(puzzle, "bad"))


@pytest.mark.parametrize("value", [17, "text", [1, 2]])
def test_what_is_no_snapshots_at_all_is_told(value: Any) -> None:
    puzzle = read_with(value)
    assert not puzzle.snapshots
    assert unread_snapshots(puzzle) == ("damaged",)
    assert again(puzzle) == puzzle


@pytest.mark.parametrize("name", ["", "x" * 41, "a\u001b[2J", " v1"])
def test_odd_names_are_no_snapshots(name: str) -> None:
    puzzle = read_with({name: written(SECOND)})
    assert not puzzle.snapshots
    assert unread_snapshots(puzzle) == (name,)


def test_a_file_with_very_many_is_read_as_far_as_a_puzzle_keeps_them() -> None:
    puzzle = read_with({f"v{number}": written(SECOND) for number in range(MOST_SNAPSHOTS + 5)})
    assert len(puzzle.snapshots) == MOST_SNAPSHOTS
    assert len(unread_snapshots(puzzle)) == 5


def test_snapshots_in_a_snapshot_are_left() -> None:
    puzzle = read_with({"v1": written(SECOND) | {SNAPSHOTS: {"v2": written(SECOND)}}})
    assert list(puzzle.snapshots) == ["v1"]
    assert not puzzle.snapshots["v1"].snapshots


@pytest.mark.parametrize("suffix", [".puz", ".xd", ".txt"])
def test_other_formats_say_nothing_of_snapshots(suffix: str) -> None:
    assert puzzle_bytes(with_snapshot(SECOND, "v1"), suffix) == puzzle_bytes(SECOND, suffix)


GRID = Grid.blank(5, 5)
CORNER = Position(0, 0)


@given(puzzles(largest=5))
def test_rules_are_read_as_they_were_written(puzzle: Puzzle) -> None:
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data, ".ipuz").rules == puzzle.rules


def test_a_puzzle_without_rules_has_no_field() -> None:
    assert RULES not in json.loads(puzzle_bytes(Puzzle.blank(5, 5), ".ipuz").data)


def test_a_field_that_a_person_may_write() -> None:
    rules = read_rules(
        {
            "entries": [
                ["r1c1", "A", {"minimum_score": 60, "contains": ["ING"]}],
                ["r9c9", "D", {"pattern": "A*"}],
            ],
            "squares": {"r1c1": ["A", "HEART", "X/TIMES"], "r9c1": ["A"]},
            "placings": [{"contents": ["[HEART]"], "least": 1, "most": 2}],
            "of a later version": [1, 2],
        },
        GRID,
    )
    assert rules == ruled(
        entries={(CORNER, Direction.ACROSS): asked(60, contains=("ING",))},
        squares={CORNER: (Content.of("A"), Content.of("HEART"), Content("X", "TIMES"))},
        placings=(RebusPlacing((Content.of("HEART"),), 1, 2),),
    )


def test_a_rule_that_no_entry_can_have_is_told_with_its_entry() -> None:
    fields = {"entries": [["r1c1", "A", {}], ["r2c3", "D", {"pattern": "("}]]}
    with pytest.raises(PuzzleFormatError, match=r"r2c3 down: the pattern '\(' cannot be read"):
        read_rules(fields, GRID)


@pytest.mark.parametrize(
    "value",
    [
        [],
        "rules",
        {"entries": {}},
        {"entries": [["r1c1", "X", {}]]},
        {"entries": [["r0c1", "A", {}]]},
        {"entries": [["r1c1", "A", {"pattern": "("}]]},
        {"entries": [["r1c1", "A", {"pattern": "(A|AA)*B"}]]},
        {"entries": [["r1c1", "A", {"minimum_score": True}]]},
        {"entries": [["r1c1", "A", {"minimum_score": 101}]]},
        {"entries": [["r1c1", "A", {"contains": "ING"}]]},
        {"entries": [["r1c1", "A", {"word_list": 5}]]},
        {"squares": {"r1c1": "AE"}},
        {"squares": {"r1c1": ["€"]}},
        {"squares": {"here": ["A"]}},
        {"shared_substring": -3},
        {"shared_substring": 2.5},
        {"distinct_stems": 1},
        {"stem_groups": [["a b"]]},
        {"tag_limits": {"NAME": 2}},
        {"tag_limits": {"name": "2"}},
        {"wanted": ["OBOE"], "wanted_least": 2},
        {"wanted": ["x" * 41]},
        {"letters": "A A"},
        {"placings": [{"contents": ["HEART"]}]},
        {"placings": [{"contents": [], "least": 1, "most": 2}]},
        {"placings": [{"contents": ["HEART"], "least": 5, "most": 2}]},
    ],
)
def test_damaged_rules_end_in_one_clear_message(value: Any) -> None:
    document = json.loads(puzzle_bytes(Puzzle.blank(5, 5), ".ipuz").data)
    document[RULES] = value
    with pytest.raises(PuzzleFormatError, match="the rules in this file"):
        read_bytes(json.dumps(document).encode(), ".ipuz")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["r1c1", "A"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["minimum_score", "pattern", "contents", "least", "most", "r1c1"]), inner
        )
    ),
    max_leaves=8,
)
names = st.sampled_from(["entries", "squares", "stem_groups", "tag_limits", "wanted", "letters", "placings"])


@given(st.dictionaries(names, json_values, max_size=3))
def test_any_value_is_read_or_refused(value: Any) -> None:
    with suppress(PuzzleFormatError):
        assert isinstance(read_rules(value, GRID), Rules)


def test_a_rule_that_nobody_knows_here_is_told() -> None:
    """Of a package that is not installed, or a later xwtui."""
    rules = {
        "every": {"no_doubles": True},
        "entries": [["r1c1", "A", {"contains": ["A"], "odd": 1}]],
        "moons": [2],
    }
    document = {"dimensions": {"width": 3, "height": 3}, "puzzle": [[0] * 3] * 3, "net.xwtui:rules": rules}
    _, [warning] = take_bytes(json.dumps(document).encode(), ".ipuz")
    assert warning.deviation is Deviation.LEFT_OUT
    assert sorted(each.words for each in warning.deviants) == [
        "the rule 'moons'",
        "the rule 'no_doubles'",
        "the rule 'odd'",
    ]


@pytest.mark.parametrize("entries", [5, True, "entries", {"entries": 1}])
def test_entries_that_are_no_list_are_damaged(entries: object) -> None:
    document = {"dimensions": {"width": 3, "height": 3}, "puzzle": [[0] * 3] * 3, RULES: {"entries": entries}}
    with pytest.raises(PuzzleFormatError, match="damaged"):
        take_bytes(json.dumps(document).encode(), ".ipuz")
