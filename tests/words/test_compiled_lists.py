"""Lists kept compiled and shared."""

import gc
import os
import stat
import tempfile
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier, Event

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.examples import examples
from xwtui.errors import WordListError
from xwtui.words import compiled_lists, reader
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.reader import ReadResult, read_word_list
from xwtui.words.sharing import Shared


class Thing:
    """Something large."""


def test_those_who_ask_at_once_get_one() -> None:
    shared: Shared[str, Thing] = Shared()
    made: list[int] = []
    barrier = Barrier(4)

    def make() -> Thing:
        made.append(1)
        return Thing()

    def ask() -> Thing:
        barrier.wait()
        return shared.get("a", make)

    with ThreadPoolExecutor(4) as pool:
        found = [future.result() for future in [pool.submit(ask) for _ in range(4)]]
    assert len(set(map(id, found))) == len(made) == 1
    found.clear()
    gc.collect()
    assert shared.in_use() == ()


def test_another_key_does_not_wait() -> None:
    shared: Shared[str, Thing] = Shared()
    begun, may_end = Event(), Event()

    def slowly() -> Thing:
        begun.set()
        may_end.wait()
        return Thing()

    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(shared.get, "slow", slowly)
        begun.wait()
        assert shared.get("quick", Thing) is not None
        may_end.set()
        assert slow.result() is not None


def test_what_could_not_be_made_is_made_next_time() -> None:
    shared: Shared[str, Thing] = Shared()

    def fails() -> Thing:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        shared.get("a", fails)
    assert shared.get("a", Thing) is not None


LIST = b"".join(b"WORD%d;%d\n" % (number, number % 101) for number in range(7000)) + b"AXLE;200\nB;50\n"


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "words"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "mine.dict"
    path.write_bytes(LIST)
    return path


def assert_same(result: ReadResult, data: bytes = LIST) -> None:
    expected = read_word_list(data, "mine.dict")
    assert result.word_list.name == "mine.dict"
    assert dict(result.word_list) == dict(expected.word_list)
    assert result.word_list.fingerprint == expected.word_list.fingerprint
    assert result.bad_lines == expected.bad_lines
    assert result.bad_count == expected.bad_count


def never(*_: object) -> ReadResult:
    raise AssertionError("the list was read again")


def test_a_list_is_read_once(path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_same(open_word_list(path, cache))
    monkeypatch.setattr(compiled_lists, "read_word_list", never)
    assert_same(open_word_list(path, cache))
    renamed = path.rename(path.with_name("other.dict"))
    assert open_word_list(renamed, cache).word_list.name == "other.dict"


def test_a_list_in_use_is_shared(path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_word_list(path, cache)
    monkeypatch.setattr(compiled_lists, "_opened", never)
    again = open_word_list(path, cache)
    assert again.word_list is first.word_list
    assert_same(again)
    monkeypatch.undo()
    del first, again
    assert not any(name == path.name for name, _ in compiled_lists._lists.in_use())
    assert_same(open_word_list(path, cache))


def test_a_compiled_list_cannot_be_changed(path: Path, cache: Path) -> None:
    open_word_list(path, cache)
    table = open_word_list(path, cache).word_list.table(7)
    with pytest.raises(ValueError, match="read-only"):
        table.letters[0, 0] = 1


def test_an_edited_list_is_read_anew(path: Path, cache: Path) -> None:
    open_word_list(path, cache)
    path.write_bytes(LIST + b"OREO;40\n")
    assert_same(open_word_list(path, cache), LIST + b"OREO;40\n")
    assert len(list(cache.iterdir())) == 2


def test_the_users_cache_folder_is_the_default(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled_lists, "cache_folder", lambda: tmp_path / "users")
    open_word_list(path)
    assert [file.name.startswith("v") for file in (tmp_path / "users").iterdir()] == [True]


def test_a_small_list_is_not_compiled(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "small.txt"
    path.write_bytes(b"OREO;40\n")
    assert dict(open_word_list(path, cache).word_list) == {"OREO": 40}
    assert not cache.exists()


@given(data=st.data())
@examples(30, HealthCheck.function_scoped_fixture)
def test_a_damaged_compiled_list_is_made_again(data: st.DataObject, path: Path, cache: Path) -> None:
    open_word_list(path, cache)
    (compiled,) = cache.iterdir()
    good = compiled.read_bytes()
    where = data.draw(st.integers(0, len(good) - 1))
    damaged = data.draw(
        st.sampled_from(
            [
                b"",
                good[:where],
                good[:where] + bytes([good[where] ^ 1]) + good[where + 1 :],
                good + b"\0",
                good[:where] + b"\0" + good[where:],
                bytes(len(good)),
                b"PK\x03\x04",
            ]
        )
    )
    compiled.write_bytes(damaged)
    assert_same(open_word_list(path, cache))
    assert compiled.read_bytes()[:16] == good[:16]


def test_a_folder_where_the_compiled_list_should_be_is_tolerated(path: Path, cache: Path) -> None:
    open_word_list(path, cache)
    (compiled,) = cache.iterdir()
    compiled.unlink()
    compiled.mkdir()
    assert_same(open_word_list(path, cache))
    assert list(cache.iterdir()) == [compiled]


def test_a_file_where_the_cache_folder_should_be_is_tolerated(path: Path, cache: Path) -> None:
    cache.parent.mkdir()
    cache.write_text("in the way")
    assert_same(open_word_list(path, cache))
    assert cache.read_text() == "in the way"


def test_a_cache_folder_that_cannot_be_written_is_tolerated(
    path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.mkdir(parents=True)
    cache.chmod(stat.S_IRUSR | stat.S_IXUSR)

    def refuse(*_: object, **__: object) -> tuple[int, str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    assert_same(open_word_list(path, cache))
    cache.chmod(stat.S_IRWXU)
    assert list(cache.iterdir()) == []


def test_a_full_disk_leaves_nothing_behind(path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert_same(open_word_list(path, cache))
    assert list(cache.iterdir()) == []


def test_old_compiled_lists_are_removed(path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_lists, "MAX_COMPILED_LISTS", 2)
    for age in range(4):
        path.write_bytes(LIST + b"OREO;%d\n" % age)
        before = set(cache.glob("*"))
        open_word_list(path, cache)
        for new in set(cache.glob("*")) - before:
            os.utime(new, (1_000_000 + age, 1_000_000 + age))
    assert sorted(file.stat().st_mtime for file in cache.iterdir()) == [1_000_002, 1_000_003]


def open_often(path: Path, cache: Path) -> str:
    fingerprints = set()
    for _ in range(10):
        for compiled in cache.glob("v*"):
            compiled.unlink(missing_ok=True)
        fingerprints.add(open_word_list(path, cache).word_list.fingerprint)
    (fingerprint,) = fingerprints
    return fingerprint


def test_writers_at_the_same_time_do_not_disturb_each_other(path: Path, cache: Path) -> None:
    expected = read_word_list(LIST, "mine").word_list.fingerprint
    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(open_often, [path] * 4, [cache] * 4)) == {expected}
    with get_context("spawn").Pool(2) as processes:
        assert set(processes.starmap(open_often, [(path, cache)] * 2)) == {expected}
    assert all(file.name.startswith("v") for file in cache.iterdir())
    assert_same(open_word_list(path, cache))


@pytest.mark.parametrize(
    ("name", "message"), [("gone.dict", "no word list .*gone.dict"), (".", "not a file"), ("a\x1bb", r"a\\x1bb")]
)
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(WordListError, match=message) as caught:
        open_word_list(tmp_path / name)
    assert str(caught.value).isprintable()


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(WordListError, match="nothing is writing to this pipe"):
        open_word_list(tmp_path / "pipe")


def test_a_failing_disk_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", fail)
    with pytest.raises(WordListError, match=r"cannot be read: Permission denied"):
        open_word_list(path)


def test_a_file_beyond_all_bounds_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (compiled_lists, reader):
        monkeypatch.setattr(module, "MAX_LIST_BYTES", 1000)
    with pytest.raises(WordListError, match="too large"):
        open_word_list(path)
