"""Traces are written, read back the same, and refused where they are damaged."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import HARD_GRID, HARD_WORDS, problem_of
from xwtui.engine.events.event import Event, EventKind
from xwtui.engine.fill.filler import Filler
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_to_text
from xwtui.formats.trace import Head, TraceWriter, read_trace
from xwtui.model import Position

HEAD = Head(("...", ".#.", "..."), "emogic-words", 7)

texts = st.none() | st.text(max_size=8)
events = st.builds(
    Event,
    st.sampled_from(EventKind),
    depth=st.integers(0, 200),
    slot=texts,
    word=texts,
    crossing=st.none() | st.builds(Position, st.integers(0, 39), st.integers(0, 39)),
    before=st.integers(0, 10**6),
    after=st.integers(0, 10**6),
    other=texts,
    wanted=st.lists(st.text(min_size=1, max_size=4), max_size=4).map(tuple),
    constraint=st.text(max_size=20),
)


@given(st.lists(events, max_size=20))
def test_what_was_written_is_read(tmp_path_factory: pytest.TempPathFactory, told: list[Event]) -> None:
    """Event by event, and the head."""
    path = tmp_path_factory.mktemp("traces") / "trace.jsonl"
    writer = TraceWriter(path, HEAD)
    writer.write(told)
    writer.close()
    head, read = read_trace(path)
    assert head == HEAD
    assert list(read) == told


def test_a_search_is_kept(tmp_path: Path) -> None:
    """All events of a real search."""
    filler = Filler(problem_of(HARD_GRID, HARD_WORDS), seed=1)
    told = []
    while (event := filler.step()) is not None:
        told.append(event)
    path = tmp_path / "trace.jsonl"
    writer = TraceWriter(path, Head(tuple(grid_to_text(HARD_GRID).split())))
    writer.write(told)
    writer.close()
    assert list(read_trace(path)[1]) == told


def test_a_last_line_that_is_cut_off_is_left_out(tmp_path: Path) -> None:
    """A search that was killed leaves a trace all the same."""
    path = tmp_path / "trace.jsonl"
    writer = TraceWriter(path, HEAD)
    writer.write([Event(EventKind.RESTART, 0), Event(EventKind.SOLVED, 3)])
    writer.close()
    path.write_bytes(path.read_bytes()[:-9])
    assert [event.kind for event in read_trace(path)[1]] == [EventKind.RESTART]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not a trace"),
        ("nonsense\n", "line 1 of this trace is not JSON"),
        ("[1]\n", "not a JSON object"),
        ('{"xwtui": "puzzle"}\n', "not a trace"),
        ('{"xwtui": "trace", "version": 9}\n', "version 9"),
        ('{"xwtui": "trace", "version": 1, "grid": "..."}\n', "damaged"),
        ("x" * 200_000 + "\n", "longer than"),
    ],
)
def test_what_is_no_trace_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_text(text)
    with pytest.raises(EngineError, match=said):
        read_trace(path)


@pytest.mark.parametrize(
    "line",
    [
        {"kind": "decide"},
        {"kind": "dance", "depth": 1},
        {"kind": "decide", "depth": "deep"},
        {"kind": "decide", "depth": 1, "slot": 5},
        {"kind": "prune", "depth": 1, "crossing": "r0c0"},
        {"kind": "prune", "depth": 1, "wanted": [1]},
        {"kind": "prune", "depth": 1, "wanted": 4},
        {"kind": "prune", "depth": 1, "wanted": "ABC"},
        {"kind": "prune", "depth": 1, "crossing": 5},
        {"kind": "prune", "depth": 1, "crossing": ""},
        *({"kind": "prune", "depth": 1, name: None} for name in ("slot", "word", "other", "crossing", "demand")),
    ],
)
def test_a_line_that_is_no_event_is_told_with_its_number(tmp_path: Path, line: dict[str, object]) -> None:
    """So that whoever wrote it can find it."""
    path = tmp_path / "trace.jsonl"
    TraceWriter(path, HEAD).close()
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")
    with pytest.raises(EngineError, match=r"line 2 of this trace is not an event: [^$]+$"):
        list(read_trace(path)[1])


def test_a_line_that_is_no_json_is_told_once_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    TraceWriter(path, HEAD).close()
    with path.open("a") as file:
        file.write("nonsense\n" + json.dumps({"kind": "restart", "depth": 0}) + "\n")
    with pytest.raises(EngineError, match=r"^line 2 of this trace is not JSON$"):
        list(read_trace(path)[1])


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """And a file that is not there."""
    with pytest.raises(EngineError, match="cannot be written"):
        TraceWriter(tmp_path / "missing" / "trace.jsonl", HEAD)
    with pytest.raises(EngineError, match="cannot be read"):
        read_trace(tmp_path / "missing.jsonl")
