"""Layouts and designs from the shell, without a grid, into a folder."""

import json
from collections.abc import Mapping
from pathlib import Path

from tests.shell.process import xwtui
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.interrupts import Exit
from xwtui.model import Puzzle


def test_layouts_go_to_a_folder(environment: Mapping[str, str], tmp_path: Path) -> None:
    out = tmp_path / "layouts"
    done = xwtui("layouts", "--size", "7x7", "--count", "3", "--json", "-o", out, environment=environment)
    assert done.returncode == Exit.OK
    assert "told twice" in xwtui("layouts", "7x7", "--size", "5x5", environment=environment).stderr
    document = json.loads(done.stdout)
    assert document["profile"] == "mini"
    grids = [read_puzzle(path).grid for path in sorted(out.iterdir())]
    assert [len(grid.slots) for grid in grids] == [one["words"] for one in document["layouts"]]


def test_a_folder_that_is_there_gets_new_files_and_keeps_its_own(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "layouts"
    out.mkdir()
    asked = ("layouts", "7x7", "--count", "2")
    told = xwtui(*asked, environment=environment).stdout
    assert "-o FOLDER" in told
    assert "layouts take" not in told, "the shell has none"
    done = xwtui(*asked, "-o", f"{out}/", environment=environment)
    assert done.returncode == Exit.OK, done.stderr
    assert done.stdout.splitlines()[-1] == f"2 files written to {out}: 7x7-01.txt, 7x7-02.txt"
    before = {path: path.read_bytes() for path in out.iterdir()}
    (out / "7x7-03.txt").write_text("of somebody else")
    more = xwtui(*asked, "--seed", "5", "-o", out, "--json", environment=environment)
    assert json.loads(more.stdout)["files"] == [str(out / "7x7-04.txt"), str(out / "7x7-05.txt")]
    assert {path: path.read_bytes() for path in before} == before
    assert len(list(out.iterdir())) == 5


def test_barred_layouts_keep_their_bars_in_files_and_for_programs(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    asked = ("layouts", "10x10", "--profile", "barred", "--count", "1", "--json", "-o", tmp_path / "out")
    done = xwtui(*asked, environment=environment)
    assert done.returncode == Exit.OK, done.stderr
    (told,) = json.loads(done.stdout)["layouts"]
    puzzle = read_puzzle(tmp_path / "out" / "10x10-01.ipuz")
    assert [[str(bar.first), str(bar.second)] for bar in sorted(puzzle.grid.bars)] == told["bars"]
    assert (puzzle.profile, len(puzzle.grid.slots)) == ("barred", told["words"])
    for refused in (("layouts", "breed", "12x12"), ("design", "--size", "12x12", "HEART")):
        assert "has bars" in xwtui(*refused, "--profile", "barred", environment=environment).stderr


def test_designs_go_to_a_folder(environment: Mapping[str, str], tmp_path: Path) -> None:
    out = tmp_path / "designs"
    asked = ("BRAVEHEART", "KINDRED", "HEARTTHROB", "--count", "1", "--quick", "--time", "0", "--threads", "1")
    done = xwtui("design", *asked, "--json", "-o", out, environment=environment)
    assert done.returncode == Exit.OK
    document = json.loads(done.stdout)
    assert document["files"] == [str(out / "design-01.ipuz")]
    one = document["designs"][0]
    grid = read_puzzle(out / "design-01.ipuz").grid
    assert grid.is_filled
    assert {name: grid.answer(grid.slot(name)) for name in one["themers"]} == one["themers"]


def test_the_status_tells_that_none_can_be(environment: Mapping[str, str], tmp_path: Path) -> None:
    assert xwtui("design", "A" * 16, environment=environment).returncode == Exit.IMPOSSIBLE
    swedish = xwtui("design", "Å" * 16, "--alphabet", "swedish", environment=environment)
    assert swedish.returncode == Exit.IMPOSSIBLE
    assert "lacks" not in swedish.stderr
    assert "Å" * 16 in swedish.stdout
    assert "English lacks Å, written A" in xwtui("design", "Å" * 16, environment=environment).stderr
    (tmp_path / "file").touch()
    done = xwtui("layouts", "-o", tmp_path / "file", environment=environment)
    assert done.returncode == Exit.BAD_INPUT
    assert "names a folder" in done.stderr


def test_a_command_that_is_the_first_word_of_others_takes_options_of_its_own(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    here = {**environment, "XDG_DATA_HOME": str(tmp_path / "data")}
    drawn = xwtui("layouts", "7x7", "--profile", "mini", "--count", "2", "--keep", "--json", environment=here)
    assert json.loads(drawn.stdout)["kept"] == ["mini-7x7-01", "mini-7x7-02"]
    folder = tmp_path / "puzzles"
    folder.mkdir()
    write_puzzle(folder / "eight.ipuz", Puzzle.blank(8, 9))
    taken = xwtui("layouts", "import", str(folder), "--json", environment=here)
    assert json.loads(taken.stdout)["added"] == ["eight"]
    assert "import" in xwtui("layouts", "--help", environment=here).stdout
    assert xwtui("layouts", "drop", "nothing", environment=here).returncode == Exit.BAD_INPUT
    listed = json.loads(xwtui("templates", "mine", "--json", environment=here).stdout)["templates"]
    assert {one["name"] for one in listed} == {"mini-7x7-01", "mini-7x7-02", "eight"}
