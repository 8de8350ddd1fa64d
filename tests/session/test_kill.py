"""Killed at any moment, or on a full disk, the program loses neither the file nor the work."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from xwtui.formats.registry import read_puzzle
from xwtui.session.recovery import find_recoveries

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def victim(how: str, folder: Path) -> Iterator[tuple["subprocess.Popen[str]", IO[str]]]:
    command = [sys.executable, "-m", "tests.session.victim", how, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout
        finally:
            process.kill()


def kill_after(how: str, folder: Path, last_line: str) -> list[str]:
    """Run a victim, kill it once it has said a line, and return all that it said."""
    said: list[str] = []
    with victim(how, folder) as (process, stdout):
        for line in stdout:
            said.append(line.strip())
            if line.strip() == last_line:
                process.send_signal(signal.SIGKILL)
                break
        said += [line.strip() for line in stdout]
    assert last_line in said
    assert process.returncode == -signal.SIGKILL
    return said


def done(said: list[str], what: str) -> int:
    """The last number of which something was said to be done; -1 for none."""
    return max((int(line.split()[1]) for line in said if line.startswith(f"{what} ")), default=-1)


def kept(folder: Path) -> int:
    """The edit that is in the file or offered, whichever is later; -1 for none."""
    titles = [read_puzzle(folder / "heart.ipuz").title]
    titles += [recovery.puzzle.title for recovery in find_recoveries(folder / "journals")]
    return max(int(title.removeprefix("edit ") or -1) for title in titles)


def test_after_edits(tmp_path: Path) -> None:
    kill_after("edit", tmp_path, "waiting")
    (recovery,) = find_recoveries(tmp_path / "journals")
    assert (recovery.puzzle.title, recovery.label) == ("edit 29", "edit 29")
    assert recovery.source == tmp_path / "heart.ipuz"
    assert read_puzzle(tmp_path / "heart.ipuz").title == ""


@pytest.mark.parametrize("edits", [0, 7, 100])
def test_between_edits(tmp_path: Path, edits: int) -> None:
    said = kill_after("edit-on", tmp_path, f"edited {edits}")
    assert kept(tmp_path) >= done(said, "edited")


@pytest.mark.parametrize("saves", [0, 3, 20, 50])
def test_while_saving(tmp_path: Path, saves: int) -> None:
    said = kill_after("save-on", tmp_path, f"edited {saves}")
    assert int(read_puzzle(tmp_path / "heart.ipuz").title.removeprefix("edit ") or -1) >= done(said, "saved")
    assert kept(tmp_path) >= done(said, "edited")


def test_during_a_fill(tmp_path: Path) -> None:
    kill_after("fill", tmp_path, "filling")
    (recovery,) = find_recoveries(tmp_path / "journals")
    assert recovery.label == "place"
    assert str(recovery.puzzle.grid.squares[0].content) == "S"
    assert recovery.puzzle.title == "edit 1"


def test_on_a_full_disk(tmp_path: Path) -> None:
    with victim("full-disk", tmp_path) as (process, stdout):
        said = stdout.read().splitlines()
        assert process.wait() == 0
    assert [line.split()[0] for line in said] == ["notice:", "edited", "edited", "not", "modified:"]
    assert "changes are not kept safe" in said[0]
    assert "heart.ipuz" in said[3]
    assert said[4] == "modified: True, title: edit 2"
    assert read_puzzle(tmp_path / "heart.ipuz").title == ""
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["heart.ipuz"]
