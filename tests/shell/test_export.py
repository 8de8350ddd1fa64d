"""The verb `export`: one format, all of them, and what each cannot hold."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.shell.conftest import Run
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.registry import (
    formats_to_write,
    puzzle_bytes,
    read_puzzle,
    suffixes,
    suffixes_to_write,
    write_puzzle,
)
from xwtui.model import Bar, Position, Puzzle
from xwtui.session.verbs.export import ExportForm, export_all, export_to, look_at


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
    answer = export_all(folder, "p", puzzle, ExportForm(lossy=True))
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


def test_an_option_for_the_file_is_told_where_that_goes(run: Run) -> None:
    result = run("export", "a.ipuz", "-o", "a.puz", status=2)
    assert "Name the file after the puzzle: xwtui export GRID FILE" in result.stderr
    assert "Name the file" not in run("watch", "a.search", "-o", "a.puz").stderr
    assert "Name the file" not in run("clues", "a.ipuz", "export", "-o", "a.csv").stderr


def test_a_preview_says_the_same_and_writes_nothing(puzzle: Puzzle, tmp_path: Path) -> None:
    written = export_all(tmp_path, "p", puzzle, ExportForm(lossy=True))
    looked_at = look_at(puzzle)
    assert looked_at.formats == tuple(replace(each, path=None) for each in written.formats)
    assert [each.suffix for each in look_at(puzzle, ".puz").formats] == [".puz"]
    assert ".jpz: keeps everything" in looked_at.lines
    with pytest.raises(PuzzleFormatError, match=r"xwtui writes \.ipuz, .*, not '\.doc'"):
        look_at(puzzle, ".doc")


def test_a_format_that_cannot_be_written_at_all_is_said(tmp_path: Path) -> None:
    rows = "\n".join("".join(f"[{first}{second}]" for second in "ABCDEFG") for first in "TUVWXYZ")
    answer = export_all(tmp_path, "p", Puzzle(grid_from_text(rows)), ExportForm(lossy=True))
    refused = {each.suffix: each.refusal for each in answer.formats if each.refusal}
    assert refused == {".al.txt": "Across Lite text cannot hold more than 21 different rebus strings"}
    assert not (tmp_path / "p.al.txt").exists()


@pytest.mark.parametrize(
    ("name", "stem"), [("heart.al.txt", "heart"), ("x.key.ipuz", "x.key"), ("x.solution.ipuz", "x.solution")]
)
def test_names_with_two_dots_get_a_file_of_each_format(run: Run, name: str, stem: str, tmp_path: Path) -> None:
    """Each in its own format, whatever else the end of its name could say."""
    path = tmp_path / name
    filled = Puzzle(grid_from_text("ABC\nDEF\nGHI"), title="T")
    write_puzzle(path, filled)
    assert run("export", path, "--all", tmp_path / "out").returncode == 0
    out = tmp_path / "out"
    assert {each.name for each in out.iterdir()} == {f"{stem}{suffix}" for _, suffix in formats_to_write()}
    for suffix in (".txt", ".al.txt", ".pdf", ".key.pdf", ".svg", ".solution.svg", ".png", ".solution.png"):
        assert (out / f"{stem}{suffix}").read_bytes() == puzzle_bytes(filled, suffix, lossy=True).data


def written(path: Path) -> tuple[int, int, bytes]:
    """What changes when a file is written: which it is, when it was, and what is in it."""
    return path.stat().st_ino, path.stat().st_mtime_ns, path.read_bytes()


@pytest.mark.parametrize("name", ["p.ipuz", "p.puz", "p.al.txt"])
def test_the_puzzles_own_file_is_left_as_it_is(
    run: Run, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is exported over it, and the answer says so."""
    path = tmp_path / name
    write_puzzle(path, Puzzle(grid_from_text("ABC\nDEF\nGHI"), title="T"))
    before = written(path)
    monkeypatch.chdir(tmp_path)
    done = run("export", name, "--all", ".", "--json", status=0)
    assert written(path) == before
    refused = {each["suffix"]: each["refused"] for each in json.loads(done.stdout)["formats"] if each["refused"]}
    assert refused == {name.removeprefix("p"): f"{name} is the puzzle's own file and was left unchanged"}
    assert len(list(tmp_path.glob("p.*"))) == len(formats_to_write())


def test_the_own_file_is_known_by_another_name_too(puzzle: Puzzle, tmp_path: Path) -> None:
    """Through a link to its folder."""
    own = tmp_path / "p.ipuz"
    write_puzzle(own, puzzle)
    before = written(own)
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    answer = export_all(tmp_path / "link", "p", puzzle, ExportForm(lossy=True), own)
    assert [each.suffix for each in answer.formats if each.refusal] == [".ipuz"]
    assert written(own) == before


@pytest.mark.parametrize("suffix", suffixes_to_write())
def test_each_suffix_that_is_written_can_be_looked_at(suffix: str, tmp_path: Path) -> None:
    filled = Puzzle(grid_from_text("ABC\nDEF\nGHI"), title="T")
    (looked_at,) = look_at(filled, suffix).formats
    (written,) = export_to(tmp_path / f"p{suffix}", filled, ExportForm(lossy=True)).formats
    assert looked_at == replace(written, path=None)


def test_from_the_shell(run: Run, puzzle: Puzzle, tmp_path: Path) -> None:
    path = tmp_path / "p.ipuz"
    write_puzzle(path, puzzle)

    def call(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return run("export", path, *arguments)

    looked_at = json.loads(call("--preview", "--json").stdout)
    assert {each["suffix"] for each in looked_at["formats"]} == {suffix for _, suffix in formats_to_write()}
    assert all(each["file"] is None and each["refused"] is None for each in looked_at["formats"])
    for_one = json.loads(call("--preview", "--for", "crosshare", "--json").stdout)
    assert [each["suffix"] for each in for_one["formats"]] == [".ipuz", ".puz"]
    assert "--for excludes --with-work" in call("q.ipuz", "--for", "puzzmo", "--with-work").stderr
    done = call("--all", tmp_path / "out")
    assert done.returncode == 0
    assert f"exported: {tmp_path / 'out' / 'p.html'}" in done.stdout
    refused = call(tmp_path / "q.puz")
    assert refused.returncode != 0
    assert "cannot hold bars" in refused.stderr
    assert call(tmp_path / "q.jpz").returncode == 0
    assert read_puzzle(tmp_path / "q.jpz").grid.bars == puzzle.grid.bars
