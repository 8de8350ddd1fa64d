"""Atomic file writes; traces that read back unchanged, and damaged ones that are refused."""

import errno
import json
import os
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import HARD_GRID, HARD_WORDS, problem_of
from xwtui.engine.events.event import Event, EventKind
from xwtui.engine.fill.filler import Filler
from xwtui.errors import EngineError, PuzzleFormatError
from xwtui.formats.base import write_atomically
from xwtui.formats.grid_text import grid_to_text
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.formats.trace import Head, TraceWriter, read_trace
from xwtui.model import Position, Puzzle

OLD, NEW = b"the old content", b"the new content, which is longer"


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "puzzle.ipuz"
    path.write_bytes(OLD)
    yield path
    leftovers = [each for each in tmp_path.rglob("*") if each.suffix == ".tmp"]
    assert leftovers == []


def full_disk(*_: object) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_new_file_has_default_permissions(tmp_path: Path) -> None:
    ordinary, ours = tmp_path / "ordinary", tmp_path / "ours"
    ordinary.write_bytes(b"")
    write_atomically(ours, NEW)
    assert ours.read_bytes() == NEW
    assert ours.stat().st_mode == ordinary.stat().st_mode


def test_an_old_file_keeps_its_permissions(file: Path) -> None:
    file.chmod(0o640)
    write_atomically(file, NEW)
    assert file.read_bytes() == NEW
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_a_link_keeps_its_target(file: Path) -> None:
    link = file.with_name("link.ipuz")
    link.symlink_to(file.name)
    write_atomically(link, NEW)
    assert link.is_symlink()
    assert file.read_bytes() == NEW


def test_a_dangling_link_creates_its_target(file: Path) -> None:
    link = file.with_name("link.ipuz")
    link.symlink_to("elsewhere.ipuz")
    write_atomically(link, NEW)
    assert file.with_name("elsewhere.ipuz").read_bytes() == NEW


@pytest.mark.parametrize("call", ["write", "fsync", "open"])
def test_a_full_disk_keeps_the_old_file(file: Path, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, call, full_disk)
    with pytest.raises(PuzzleFormatError, match=r"cannot write .*puzzle\.ipuz: No space left on device"):
        write_atomically(file, NEW)
    monkeypatch.undo()
    assert file.read_bytes() == OLD


def test_a_write_that_stops_halfway_keeps_the_old_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, calls = os.write, iter([True])

    def first_half_only(descriptor: int, data: memoryview) -> int:
        return write(descriptor, data[:5]) if next(calls, False) else full_disk()

    monkeypatch.setattr(os, "write", first_half_only)
    with pytest.raises(PuzzleFormatError, match="No space left"):
        write_atomically(file, NEW)
    monkeypatch.undo()
    assert file.read_bytes() == OLD


def test_short_writes_are_continued(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:3]))
    write_atomically(file, NEW)
    assert file.read_bytes() == NEW


def test_an_interrupt_keeps_the_old_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(file, NEW)
    monkeypatch.undo()
    assert file.read_bytes() == OLD


def test_content_is_synced_before_the_rename(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def noted_fsync(descriptor: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        fsync(descriptor)

    def noted_replace(self: Path, target: Path) -> Path:
        done.append("rename")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    write_atomically(file, NEW)
    assert done == ["file", "rename", "folder"]


def test_unwritable_folders_are_reported(tmp_path: Path, file: Path) -> None:
    with pytest.raises(PuzzleFormatError, match=r"cannot write .*there is no folder"):
        write_atomically(tmp_path / "missing" / "p.ipuz", NEW)
    with pytest.raises(PuzzleFormatError, match="cannot write"):
        write_atomically(file / "p.ipuz", NEW)
    with pytest.raises(PuzzleFormatError, match=r"cannot write .*Is a directory"):
        write_atomically(tmp_path, NEW)


def test_a_link_loop_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(PuzzleFormatError, match="cannot write"):
        write_atomically(tmp_path / "a", NEW)


def test_a_read_only_file_is_respected(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(PuzzleFormatError, match="it is read-only"):
        write_atomically(file, NEW)
    assert file.read_bytes() == OLD


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_atomically(pipe, NEW)
    reader.join(timeout=300)
    assert read == [NEW]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_puzzle_that_cannot_be_written_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "p.puz"
    path.write_bytes(OLD)
    with pytest.raises(PuzzleFormatError, match="empty squares"):
        write_puzzle(path, Puzzle.blank(3, 3))
    assert path.read_bytes() == OLD


KILLED_WHILE_SAVING = """
import sys
from pathlib import Path
from xwtui.formats.registry import write_puzzle
from xwtui.model import Puzzle
while True:
    for side in (15, 21):
        write_puzzle(Path(sys.argv[1]), Puzzle.blank(side, side))
"""


def test_a_kill_leaves_one_of_the_complete_files(tmp_path: Path) -> None:
    path = tmp_path / "p.ipuz"
    for number in range(4):
        with subprocess.Popen([sys.executable, "-c", KILLED_WHILE_SAVING, str(path)]) as saving:
            while not path.exists():
                time.sleep(0.01)
            time.sleep(0.01 * number)
            saving.kill()
        assert read_puzzle(path) in (Puzzle.blank(15, 15), Puzzle.blank(21, 21))
        path.unlink()


def test_repeated_saves_work(tmp_path: Path) -> None:
    path = tmp_path / "p.ipuz"
    for side in (3, 15, 4):
        assert write_puzzle(path, Puzzle.blank(side, side)) == ()
        assert read_puzzle(path) == Puzzle.blank(side, side)


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
def test_a_written_trace_reads_back(tmp_path_factory: pytest.TempPathFactory, told: list[Event]) -> None:
    """Event by event, with the header."""
    path = tmp_path_factory.mktemp("traces") / "trace.jsonl"
    writer = TraceWriter(path, HEAD)
    writer.write(told)
    writer.close()
    head, read = read_trace(path)
    assert head == HEAD
    assert list(read) == told


def test_a_real_search_reads_back(tmp_path: Path) -> None:
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


def test_a_truncated_last_line_is_skipped(tmp_path: Path) -> None:
    """A killed search still leaves a usable trace."""
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
def test_files_that_are_no_trace_are_refused(tmp_path: Path, text: str, said: str) -> None:
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
def test_an_invalid_event_is_reported_with_its_line_number(tmp_path: Path, line: dict[str, object]) -> None:
    """So that its author can find it."""
    path = tmp_path / "trace.jsonl"
    TraceWriter(path, HEAD).close()
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")
    with pytest.raises(EngineError, match=r"line 2 of this trace is not an event: [^$]+$"):
        list(read_trace(path)[1])


def test_invalid_json_is_reported_once_with_its_line_number(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    TraceWriter(path, HEAD).close()
    with path.open("a") as file:
        file.write("nonsense\n" + json.dumps({"kind": "restart", "depth": 0}) + "\n")
    with pytest.raises(EngineError, match=r"^line 2 of this trace is not JSON$"):
        list(read_trace(path)[1])


def test_an_unwritable_path_is_reported(tmp_path: Path) -> None:
    """So is a missing file."""
    with pytest.raises(EngineError, match="cannot be written"):
        TraceWriter(tmp_path / "missing" / "trace.jsonl", HEAD)
    with pytest.raises(EngineError, match="cannot be read"):
        read_trace(tmp_path / "missing.jsonl")
