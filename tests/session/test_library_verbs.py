"""Library verbs: store generated layouts, import patterns of puzzles, find, start from and drop them."""

from pathlib import Path

import pytest

from tests.session.saying import found, found_as, refuses, said
from xwtui.formats.grid_text import grid_to_text
from xwtui.formats.registry import write_puzzle
from xwtui.grids.library import own_layouts
from xwtui.grids.templates import template_library
from xwtui.model import Puzzle
from xwtui.session.session import Session
from xwtui.session.verbs.templates import LibraryAnswer


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def test_generated_layouts_are_stored_found_and_started_from(bench: Session) -> None:
    refuses(bench, "layouts keep all", "there is no layout; `layouts` draws some")
    found(bench, "layouts 7x7 --profile mini --count 3 --seed 4")
    assert "2 layouts added to your library: mini-7x7-01, mini-7x7-02" in said(bench, "layouts keep 1 3")
    assert said(bench, "layouts keep all").splitlines()[1].startswith("2 others already in it, perhaps")
    refuses(bench, "layouts keep 4", "there is no layout 4")
    told = said(bench, "templates mine --draw").splitlines()
    assert told[0].startswith("3 templates")
    assert "mini-7x7-01" in told[1]
    assert "yours" in told[1]
    assert len(told) == 1 + 3 * (1 + 4), "four lines draw seven rows"
    shown = found(bench, "templates mine").as_json["templates"][0]
    assert (shown["own"], shown["profile"]) == (True, "mini")
    said(bench, "new mini-7x7-02 --force")
    assert bench.puzzle.profile == "mini"
    assert grid_to_text(bench.puzzle.grid) == grid_to_text(own_layouts()[1].grid)
    assert said(bench, "layouts drop mini-7x7-02") == "dropped: mini-7x7-02"
    refuses(bench, "layouts drop mini-7x7-02", "your library has no mini-7x7-02")


def test_layouts_can_be_stored_while_generated(bench: Session) -> None:
    answer = found(bench, "layouts 7x7 --profile mini --count 2 --keep")
    assert answer.as_json["kept"] == ["mini-7x7-01", "mini-7x7-02"]
    assert len(own_layouts()) == 2


def test_the_patterns_of_puzzles_in_a_folder_are_imported(bench: Session, tmp_path: Path) -> None:
    folder = tmp_path / "puzzles"
    (folder / "old").mkdir(parents=True)
    first, second = Puzzle.blank(8, 9), Puzzle.blank(8, 10)
    write_puzzle(folder / "Eight.ipuz", first)
    write_puzzle(folder / "old" / "same.ipuz", Puzzle.blank(9, 8))
    write_puzzle(folder / "old" / "ten.ipuz", second)
    write_puzzle(folder / "ours.ipuz", template_library()[0].puzzle)
    (folder / "broken.puz").write_text("?")
    answer = found_as(LibraryAnswer, bench, f"layouts import {folder}")
    assert answer.as_json == {"added": ["eight", "ten"], "known": 2, "files": 5, "unread": ["broken.puz"]}
    assert [one.origin for one in own_layouts()] == ["Eight.ipuz", "ten.ipuz"]
    assert found(bench, f"layouts import {folder}").as_json["known"] == 4
    refuses(bench, f"layouts import {folder / 'none'}", "there is no folder")
