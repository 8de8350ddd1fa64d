"""User files that are damaged, endless or stale: one error with the path, and stale files are removed."""

import os
import socket
import threading
import time
from pathlib import Path

import pytest

from xwtui.engine.warmup import clean_cache
from xwtui.errors import PuzzleError, WordListError, XwtuiError
from xwtui.formats.base import write_atomically
from xwtui.grids.profiles import read_profile
from xwtui.reading import DAY, HOUR, check_is_file, is_file, read_at_most, remove_stale, write_whole
from xwtui.session.keys.key_map import read_key_file
from xwtui.session.presence import Holder, _read
from xwtui.session.recent import RecentPuzzles, VerbUses
from xwtui.session.settings import load_settings
from xwtui.user_files import MissingUserFileError, UserFileError, read_json, read_toml
from xwtui.words import compiled_lists
from xwtui.words.layers import read_choices

DAMAGES = {
    "nested": b"a = " + b"[" * 5_000,
    "a deep table": b"a = " + b"{a = " * 5_000,
    "a long key": b"a" + b".a" * 20_000 + b" = 1",
    "no UTF-8": b"# fine\n# \xff\xfe\n",
    "NUL": b"\0",
    "a long number": b"a = " + b"9" * 5_000,
    "too large": b"#" * (1 << 20) + b"\n",
}
READERS = {
    "settings": (load_settings, UserFileError),
    "profile": (read_profile, PuzzleError),
    "keys": (read_key_file, UserFileError),
    "lists": (read_choices, WordListError),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_raises_one_error_with_its_path(tmp_path: Path, damage: str, reader: str) -> None:
    read, kind = READERS[reader]
    path = tmp_path / "own.toml"
    path.write_bytes(DAMAGES[damage])
    with pytest.raises(kind, match=r"own\.toml: .") as caught:
        read(path)  # type: ignore[operator]
    assert isinstance(caught.value, XwtuiError)
    assert str(caught.value).isprintable()


def test_errors_name_the_line(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(DAMAGES["no UTF-8"])
    with pytest.raises(UserFileError, match="line 2 is not UTF-8 text"):
        read_toml(path)
    with pytest.raises(UserFileError, match="this is a folder"):
        read_toml(tmp_path)
    with pytest.raises(MissingUserFileError, match="no such file"):
        read_toml(tmp_path / "none.toml")


@pytest.mark.parametrize(
    "data", [b"1e999", b"-Infinity", b"NaN", b"[" * 5_000, b'{"a":' * 60, b"\xff", b"9" * 5_000]
)
def test_json_is_finite_and_shallow(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "own.json"
    path.write_bytes(data)
    with pytest.raises(UserFileError, match=r"own\.json: ."):
        read_json(path)
    assert _read(path) == Holder()
    assert VerbUses(path).of("fill") == 0
    assert RecentPuzzles(path).files == ()


def test_recent_files_with_impossible_names_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "recent.json"
    path.write_text(f'["/{"x" * 5_000}", "{tmp_path / "here"}"]')
    (tmp_path / "here").touch()
    assert RecentPuzzles(path).files == (tmp_path / "here",)
    assert not is_file(Path("a\0b"))


DIGITS = "0123456789abcdef"


def left_behind(path: Path, age: float) -> Path:
    """Create a file, or a folder if the name says so, that was last modified `age` seconds ago."""
    if path.name.startswith("kernels-"):
        path.mkdir(parents=True)
        (path / "kernel.nbc").write_text("code")
    else:
        path.write_text("half")
    then = time.time() - age
    os.utime(path, (then, then))
    return path


def test_only_stale_and_matching_files_are_removed(tmp_path: Path) -> None:
    old, new = left_behind(tmp_path / "a.tmp", 2 * DAY), left_behind(tmp_path / "b.tmp", HOUR)
    other = left_behind(tmp_path / "a.txt", 2 * DAY)
    (tmp_path / "link.tmp").symlink_to(other)
    remove_stale(tmp_path, "*.tmp", DAY)
    assert not old.exists()
    assert new.exists()
    assert other.exists()
    assert (tmp_path / "link.tmp").is_symlink()
    remove_stale(tmp_path / "missing", "*", 0)


def test_a_save_removes_temporary_files_of_a_killed_one(tmp_path: Path) -> None:
    old = left_behind(tmp_path / f".xwtui-{DIGITS}.tmp", 2 * DAY)
    new = left_behind(tmp_path / f".xwtui-{DIGITS[::-1]}.tmp", HOUR)
    own = left_behind(tmp_path / ".xwtui-mine.tmp", 2 * DAY)
    write_atomically(tmp_path / "puzzle.ipuz", b"{}")
    assert [path.exists() for path in (old, new, own)] == [False, True, True]


def test_compiling_a_list_removes_temporary_files_of_a_killed_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    old, new = left_behind(cache / "v1-a.words-abc", 2 * HOUR), left_behind(cache / "v1-a.words-def", 60)
    monkeypatch.setattr(compiled_lists, "SMALLEST_COMPILED", 1)
    monkeypatch.setattr(compiled_lists, "cache_folder", lambda: cache)
    (tmp_path / "list.txt").write_text("OREO;50\n")
    compiled_lists.open_word_list(tmp_path / "list.txt")
    assert [path.exists() for path in (old, new)] == [False, True]


def test_kernels_unused_for_a_month_are_removed_when_new_ones_are_compiled(tmp_path: Path) -> None:
    old = left_behind(tmp_path / f"kernels-{DIGITS}", 31 * DAY)
    used = left_behind(tmp_path / f"kernels-{DIGITS[::-1]}", 29 * DAY)
    mine = left_behind(tmp_path / "kernels-a0a0a0a0a0a0a0a0", 40 * DAY)
    words = left_behind(tmp_path / "kernels-of-wisdom", 40 * DAY)
    clean_cache(mine, is_new=False)
    assert old.exists()
    clean_cache(mine, is_new=True)
    assert [path.exists() for path in (old, used, mine, words)] == [False, True, True, True]


def test_files_are_read_up_to_a_size_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    assert read_at_most(path, 100) == b"0123456789"
    assert read_at_most(path, 4) == b"0123"


def test_a_pipe_without_a_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(OSError, match="nothing is writing to this pipe"):
        read_at_most(path, 100)
    with pytest.raises(OSError, match="a pipe, not a file"):
        check_is_file(path)


def test_a_pipe_with_a_writer_is_read_to_its_end_or_the_size_limit() -> None:
    for size, expected in ((100, b"one two"), (5, b"one t")):
        reader, writer = os.pipe()
        is_read = threading.Event()

        def write(writer: int = writer, is_read: threading.Event = is_read) -> None:
            os.write(writer, b"one ")
            os.write(writer, b"two")
            os.close(writer)
            is_read.set()

        thread = threading.Thread(target=write)
        thread.start()
        is_read.wait()
        assert read_at_most(Path(f"/dev/fd/{reader}"), size) == expected
        thread.join()
        os.close(reader)


def test_a_pipe_waits_for_its_first_data(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    set_blocking = os.set_blocking

    def write_late(file: int, blocking: bool) -> None:
        """Write after the first poll, which found nothing."""
        os.write(writer, b"late")
        os.close(writer)
        set_blocking(file, blocking)

    monkeypatch.setattr(os, "set_blocking", write_late)
    assert read_at_most(Path(f"/dev/fd/{reader}"), 100) == b"late"
    os.close(reader)


def test_non_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        for place, reason in ((path, "a socket"), (tmp_path, "a folder"), (Path("/dev/zero"), "a device")):
            with pytest.raises(OSError, match=reason):
                read_at_most(place, 100)
            with pytest.raises(OSError, match=reason):
                check_is_file(place)


def test_a_failed_write_keeps_the_old_file_and_no_temporary_file(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    write_whole(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "new \ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
