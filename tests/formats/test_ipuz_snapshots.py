"""The snapshots of a puzzle in its file."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.formats.ipuz_documents import written
from tests.generators import puzzles
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.ipuz_extensions import SNAPSHOTS, unread_snapshots, without_unread
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model import Puzzle
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
