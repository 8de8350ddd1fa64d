"""The recent puzzles: newest first, bounded, and never in the way."""

import json
from pathlib import Path

import pytest

from xwtui.session.recent import MOST_RECENT, RecentPuzzles, in_short


def made(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("...")
    return path


def test_the_newest_comes_first_and_each_is_there_once(tmp_path: Path) -> None:
    recent = RecentPuzzles(tmp_path / "state" / "recent.json")
    one, other = made(tmp_path, "one.ipuz"), made(tmp_path, "other.ipuz")
    for path in (one, other, None, one):
        recent.note(path)
    assert RecentPuzzles(tmp_path / "state" / "recent.json").files == (one, other)


def test_it_is_bounded_and_forgets_what_is_gone(tmp_path: Path) -> None:
    recent = RecentPuzzles(tmp_path / "recent.json")
    paths = [made(tmp_path, f"{number}.ipuz") for number in range(MOST_RECENT + 5)]
    for path in paths:
        recent.note(path)
    assert recent.files == tuple(reversed(paths))[:MOST_RECENT]
    paths[-1].unlink()
    assert recent.files[0] == paths[-2]


BROKEN = {
    "empty": "",
    "cut": "{",
    "other": "{}",
    "no names": "[1, null]",
    "no paths": '["relative.ipuz", "a\\u0000b"]',
    "deep": "[" * 10_000,
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=list(BROKEN))
def test_a_broken_list_is_as_good_as_empty(tmp_path: Path, text: str) -> None:
    path = tmp_path / "recent.json"
    path.write_text(text)
    assert RecentPuzzles(path).files == ()
    one = made(tmp_path, "one.ipuz")
    RecentPuzzles(path).note(one)
    assert RecentPuzzles(path).files == (one,)
    assert json.loads(path.read_text()) == [str(one)]


def test_where_it_cannot_be_written_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    recent = RecentPuzzles(tmp_path / "file" / "recent.json")
    recent.note(made(tmp_path, "one.ipuz"))
    assert recent.files == ()


def test_a_file_is_named_as_one_would_type_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (home / "here").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home / "here")
    paths = {"a.ipuz": home / "here" / "a.ipuz", "~/b.ipuz": home / "b.ipuz", str(tmp_path / "c"): tmp_path / "c"}
    assert {in_short(path): path for path in paths.values()} == paths
    assert [Path(name).expanduser().absolute() for name in paths] == list(paths.values())
