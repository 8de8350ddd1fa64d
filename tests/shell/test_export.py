"""The verb `export`: one format, all of them, and what each cannot hold."""

import json
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.shell.process import xwtui
from xwtui.errors import VerbError
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.registry import formats_to_write, read_puzzle, suffixes, write_puzzle
from xwtui.model import Bar, Position, Puzzle
from xwtui.session.export_answer import export_all, preview


@pytest.fixture
def puzzle() -> Puzzle:
    """A puzzle with a bar, a void, a rebus, two answers in a square, and a clue with an emoji."""
    grid = grid_from_text("A[HEART]C\nD[X/O]_\nEFG").with_bars([Bar.between(Position(2, 0), Position(2, 1))])
    whole = Puzzle(grid, title="T")
    for slot in grid.slots:
        whole = whole.with_clue(slot, f"🎉 {slot.name}")
    return whole


def test_every_format_is_written_and_read_again(puzzle: Puzzle, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    answer = export_all(folder, "p", puzzle)
    assert {path.name for path in folder.iterdir()} == {f"p{suffix}" for _, suffix in formats_to_write()}
    lost = {each.suffix: each.lost for each in answer.formats}
    assert lost[".svg"] == ("SVG has no place for the clues",)
    assert lost[".ipuz"] == lost[".jpz"] == lost[".html"] == lost[".md"] == ()
    assert [what.partition(" at ")[0] for what in lost[".puz"]] == [
        ".puz cannot hold bars",
        ".puz cannot hold the clues",
        ".puz cannot hold voids",
        ".puz cannot hold two answers in a square",
        lost[".puz"][-1],
    ]
    assert lost[".puz"][-1].startswith(".puz cannot hold these characters, spelled out: the clue of 1A (🎉), ")
    for suffix in suffixes():
        if suffix not in (".json", ".xml"):
            assert read_puzzle(folder / f"p{suffix}").grid.height == 3
    assert answer.missing == ()


def test_a_preview_says_the_same_and_writes_nothing(puzzle: Puzzle, tmp_path: Path) -> None:
    written = export_all(tmp_path, "p", puzzle)
    looked_at = preview(puzzle)
    assert looked_at.formats == tuple(replace(each, path=None) for each in written.formats)
    assert [each.suffix for each in preview(puzzle, ".puz").formats] == [".puz"]
    assert ".jpz: holds all of it" in looked_at.lines
    with pytest.raises(VerbError, match="no format has the suffix"):
        preview(puzzle, ".doc")


def test_a_format_that_cannot_be_written_at_all_is_said(tmp_path: Path) -> None:
    rows = "\n".join("".join(f"[{first}{second}]" for second in "ABCDEFG") for first in "TUVWXYZ")
    answer = export_all(tmp_path, "p", Puzzle(grid_from_text(rows)))
    refused = {each.suffix: each.refusal for each in answer.formats if each.refusal}
    assert refused == {".al.txt": "Across Lite text cannot hold more than 21 different rebus strings"}
    assert not (tmp_path / "p.al.txt").exists()


def test_from_the_shell(puzzle: Puzzle, tmp_path: Path, environment: Mapping[str, str]) -> None:
    path = tmp_path / "p.ipuz"
    write_puzzle(path, puzzle)

    def call(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return xwtui("export", path, *arguments, environment=environment)

    looked_at = json.loads(call("--preview", "--json").stdout)
    assert {each["suffix"] for each in looked_at["formats"]} == {suffix for _, suffix in formats_to_write()}
    assert all(each["file"] is None and each["refused"] is None for each in looked_at["formats"])
    done = call("--all", tmp_path / "out")
    assert done.returncode == 0
    assert f"exported: {tmp_path / 'out' / 'p.html'}" in done.stdout
    refused = call(tmp_path / "q.puz")
    assert refused.returncode != 0
    assert "cannot hold bars" in refused.stderr
    assert call(tmp_path / "q.jpz").returncode == 0
    assert read_puzzle(tmp_path / "q.jpz").grid.bars == puzzle.grid.bars
