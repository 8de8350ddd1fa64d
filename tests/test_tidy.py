"""What earlier runs left behind goes, once it is clearly stale, and nothing else does."""

import os
import time
from pathlib import Path

import pytest

from xwtui.engine.warmup import tend_cache
from xwtui.formats.base import write_atomically
from xwtui.reading import DAY, HOUR, remove_stale
from xwtui.words import compiled_lists

DIGITS = "0123456789abcdef"


def left_behind(path: Path, age: float) -> Path:
    """A file, or a folder where the name says so, that was last touched so many seconds ago."""
    if path.name.startswith("kernels-"):
        path.mkdir(parents=True)
        (path / "kernel.nbc").write_text("code")
    else:
        path.write_text("half")
    then = time.time() - age
    os.utime(path, (then, then))
    return path


def test_only_the_stale_and_matching_go(tmp_path: Path) -> None:
    old, new = left_behind(tmp_path / "a.tmp", 2 * DAY), left_behind(tmp_path / "b.tmp", HOUR)
    other = left_behind(tmp_path / "a.txt", 2 * DAY)
    (tmp_path / "link.tmp").symlink_to(other)
    remove_stale(tmp_path, "*.tmp", DAY)
    assert not old.exists()
    assert new.exists()
    assert other.exists()
    assert (tmp_path / "link.tmp").is_symlink()
    remove_stale(tmp_path / "missing", "*", 0)


def test_a_save_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    old = left_behind(tmp_path / f".xwtui-{DIGITS}.tmp", 2 * DAY)
    new = left_behind(tmp_path / f".xwtui-{DIGITS[::-1]}.tmp", HOUR)
    own = left_behind(tmp_path / ".xwtui-mine.tmp", 2 * DAY)
    write_atomically(tmp_path / "puzzle.ipuz", b"{}")
    assert [path.exists() for path in (old, new, own)] == [False, True, True]


def test_a_new_compiled_list_removes_what_a_killed_one_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    old, new = left_behind(cache / "new-abc", 2 * HOUR), left_behind(cache / "new-def", 60)
    monkeypatch.setattr(compiled_lists, "SMALLEST_COMPILED", 1)
    (tmp_path / "list.txt").write_text("OREO;50\n")
    compiled_lists.open_word_list(tmp_path / "list.txt", cache)
    assert [path.exists() for path in (old, new)] == [False, True]


def test_kernels_not_used_for_a_month_go_when_new_ones_are_made(tmp_path: Path) -> None:
    old = left_behind(tmp_path / f"kernels-{DIGITS}", 31 * DAY)
    used = left_behind(tmp_path / f"kernels-{DIGITS[::-1]}", 29 * DAY)
    mine = left_behind(tmp_path / "kernels-a0a0a0a0a0a0a0a0", 40 * DAY)
    words = left_behind(tmp_path / "kernels-of-wisdom", 40 * DAY)
    tend_cache(mine, is_new=False)
    assert old.exists()
    tend_cache(mine, is_new=True)
    assert [path.exists() for path in (old, used, mine, words)] == [False, True, True, True]
