"""When the new content of a list's file counts: not before it has come to rest."""

import os
from pathlib import Path

import pytest

from tests.known import known
from xwtui.words.list_files import QUIET_SECONDS, SHRUNK_SECONDS, ListFiles


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def files(clock: Clock) -> ListFiles:
    return ListFiles(clock)


def test_a_file_counts_when_first_seen_and_again_once_it_is_at_rest(
    files: ListFiles, clock: Clock, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("AXLE;50\n")
    first = known(files.mark(path))
    path.write_text("AXLE;50\nOREO;50\n")
    assert files.mark(path) == first
    clock.now += QUIET_SECONDS / 2
    path.write_text("AXLE;50\nOREO;50\nETUI;50\n")
    assert files.mark(path) == first
    clock.now += QUIET_SECONDS * 0.9
    assert files.mark(path) == first
    clock.now += QUIET_SECONDS
    second = files.mark(path)
    assert second != first
    assert files.mark(path) == second


def test_what_has_lost_much_is_waited_for(files: ListFiles, clock: Clock, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("AXLE;50\n" * 100)
    first = files.mark(path)
    path.write_text("AX")
    assert files.mark(path) == first
    clock.now += SHRUNK_SECONDS - 0.1
    assert files.mark(path) == first
    path.write_text("AXLE;50\n" * 101)
    clock.now += 0.2
    assert files.mark(path) == first
    clock.now += QUIET_SECONDS
    assert files.mark(path) != first


def test_what_has_gone_counts_for_a_while_and_comes_back_at_once(
    files: ListFiles, clock: Clock, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    assert files.mark(path) is None
    path.write_text("AXLE;50\n")
    first = known(files.mark(path))
    path.unlink()
    assert files.mark(path) == first
    assert files.files_in(tmp_path) == (path,)
    clock.now += SHRUNK_SECONDS
    assert files.mark(path) is None
    assert files.files_in(tmp_path) == ()
    path.write_text("OREO;50\n")
    assert files.mark(path) is not None


def test_what_the_program_has_written_counts_at_once(files: ListFiles, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("AXLE;50\n" * 100)
    first = files.mark(path)
    path.write_text("OREO;50\n")
    files.take(path)
    assert files.mark(path) not in (first, None)


def test_only_ordinary_files_have_marks(files: ListFiles, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert files.mark(tmp_path / "pipe") is None
    assert files.mark(tmp_path) is None
    assert files.mark(tmp_path / "no\0where") is None
