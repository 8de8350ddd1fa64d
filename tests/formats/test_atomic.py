"""A file is written whole or not at all, and stays whose it was."""

import errno
import os
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import write_atomically
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.model import Puzzle

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


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
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


def test_a_link_still_points_where_it_did(file: Path) -> None:
    link = file.with_name("link.ipuz")
    link.symlink_to(file.name)
    write_atomically(link, NEW)
    assert link.is_symlink()
    assert file.read_bytes() == NEW


def test_a_link_to_nothing_makes_what_it_points_to(file: Path) -> None:
    link = file.with_name("link.ipuz")
    link.symlink_to("elsewhere.ipuz")
    write_atomically(link, NEW)
    assert file.with_name("elsewhere.ipuz").read_bytes() == NEW


@pytest.mark.parametrize("call", ["write", "fsync", "open"])
def test_a_full_disk_leaves_the_old_file(file: Path, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, call, full_disk)
    with pytest.raises(PuzzleFormatError, match=r"cannot write .*puzzle\.ipuz: No space left on device"):
        write_atomically(file, NEW)
    monkeypatch.undo()
    assert file.read_bytes() == OLD


def test_a_write_that_stops_half_way(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_an_interrupt_leaves_the_old_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(file, NEW)
    monkeypatch.undo()
    assert file.read_bytes() == OLD


def test_the_content_reaches_the_disk_before_the_name_does(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_folders_that_cannot_be_written_to(tmp_path: Path, file: Path) -> None:
    with pytest.raises(PuzzleFormatError, match=r"cannot write .*there is no folder"):
        write_atomically(tmp_path / "missing" / "p.ipuz", NEW)
    with pytest.raises(PuzzleFormatError, match="cannot write"):
        write_atomically(file / "p.ipuz", NEW)
    with pytest.raises(PuzzleFormatError, match=r"cannot write .*Is a directory"):
        write_atomically(tmp_path, NEW)


def test_a_loop_of_links(tmp_path: Path) -> None:
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
    reader.join(timeout=10)
    assert read == [NEW]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_puzzle_that_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
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


def test_a_kill_leaves_one_of_the_saved_files(tmp_path: Path) -> None:
    path = tmp_path / "p.ipuz"
    for number in range(4):
        with subprocess.Popen([sys.executable, "-c", KILLED_WHILE_SAVING, str(path)]) as saving:
            while not path.exists():
                time.sleep(0.01)
            time.sleep(0.01 * number)
            saving.kill()
        assert read_puzzle(path) in (Puzzle.blank(15, 15), Puzzle.blank(21, 21))
        path.unlink()


def test_saving_over_and_over(tmp_path: Path) -> None:
    path = tmp_path / "p.ipuz"
    for side in (3, 15, 4):
        assert write_puzzle(path, Puzzle.blank(side, side)) == ()
        assert read_puzzle(path) == Puzzle.blank(side, side)
