"""Layouts, templates and designs from the shell."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.shell.conftest import Run
from tests.shell.process import xwtui
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.interrupts import Exit
from xwtui.model import Ink, Puzzle


def test_layouts_go_to_a_folder(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "layouts"
    done = run("layouts", "--size", "7x7", "--count", "3", "--json", "-o", out, status=Exit.OK)
    assert "two different sizes" in run("layouts", "7x7", "--size", "5x5").stderr
    document = json.loads(done.stdout)
    assert document["profile"] == "mini"
    grids = [read_puzzle(path).grid for path in sorted(out.iterdir())]
    assert [len(grid.slots) for grid in grids] == [one["words"] for one in document["layouts"]]


def test_a_folder_that_is_there_gets_new_files_and_keeps_its_own(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "layouts"
    out.mkdir()
    asked = ("layouts", "7x7", "--count", "2")
    told = run(*asked).stdout
    assert "-o FOLDER" in told
    assert "layouts take" not in told, "the shell has none"
    done = run(*asked, "-o", f"{out}/", status=Exit.OK)
    assert done.stdout.splitlines()[-1] == f"2 files written to {out}: 7x7-01.txt, 7x7-02.txt"
    before = {path: path.read_bytes() for path in out.iterdir()}
    (out / "7x7-03.txt").write_text("of somebody else")
    more = run(*asked, "--seed", "5", "-o", out, "--json")
    assert json.loads(more.stdout)["files"] == [str(out / "7x7-04.txt"), str(out / "7x7-05.txt")]
    assert {path: path.read_bytes() for path in before} == before
    assert len(list(out.iterdir())) == 5


def test_barred_layouts_keep_their_bars_in_files_and_for_programs(run: Run, tmp_path: Path) -> None:
    asked = ("layouts", "10x10", "--profile", "barred", "--count", "1", "--json", "-o", tmp_path / "out")
    (told,) = json.loads(run(*asked, status=Exit.OK).stdout)["layouts"]
    puzzle = read_puzzle(tmp_path / "out" / "10x10-01.ipuz")
    assert [[str(bar.first), str(bar.second)] for bar in sorted(puzzle.grid.bars)] == told["bars"]
    assert (puzzle.profile, len(puzzle.grid.slots)) == ("barred", told["words"])
    for refused in (("layouts", "breed", "12x12"), ("design", "--size", "12x12", "HEART")):
        assert "has bars" in run(*refused, "--profile", "barred").stderr


def test_designs_go_to_a_folder(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "designs"
    asked = ("BRAVEHEART", "KINDRED", "HEARTTHROB", "--count", "1", "--quick", "--time", "0", "--threads", "1")
    document = json.loads(run("design", *asked, "--json", "-o", out, status=Exit.OK).stdout)
    assert document["files"] == [str(out / "design-01.ipuz")]
    one = document["designs"][0]
    grid = read_puzzle(out / "design-01.ipuz").grid
    assert grid.is_filled
    assert {name: grid.answer(grid.slot(name)) for name in one["themers"]} == one["themers"]


def test_the_status_tells_that_none_can_be(run: Run, tmp_path: Path) -> None:
    assert run("design", "A" * 16).returncode == Exit.IMPOSSIBLE
    swedish = run("design", "Å" * 16, "--alphabet", "swedish", status=Exit.IMPOSSIBLE)
    assert "lacks" not in swedish.stderr
    assert "Å" * 16 in swedish.stdout
    assert "English lacks Å, written A" in run("design", "Å" * 16).stderr
    (tmp_path / "file").touch()
    assert "must name a folder" in run("layouts", "-o", tmp_path / "file", status=Exit.BAD_INPUT).stderr


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


def test_templates_with_room_for_theme_answers(run: Run) -> None:
    answers = "LO[CAT]IONSCOUT,DOGCATCHERS,11,11"
    asked = ("--size", "15x15", "--max-words", "76", "--blocks", "36", "--across", answers)
    document = json.loads(run("templates", *asked, "--json", status=Exit.OK).stdout)
    assert document["schema"] == 1
    assert document["fitting"] == len(document["templates"]) > 0
    for one in document["templates"]:
        assert (one["height"], one["width"], one["fits"]) == (15, 15, True)
        assert [entry["squares"] for entry in one["across"]] == [11] * 4
        assert one["words"] <= 76
        assert one["blocks"] <= 36
    told = run("templates", "15x15", "11,11,11,11", "<=76", "<=36b")
    assert told.stdout.splitlines()[0].startswith(f"{document['fitting']} template")


def test_the_nearest_templates_say_what_they_lack(run: Run) -> None:
    done = run("templates", "15x15", "11,11,14", "--limit", "2", status=Exit.IMPOSSIBLE)
    assert "the nearest are" in done.stdout
    assert "no symmetric entry for 14 across" in done.stdout
    assert "`design …` makes grids around them" in done.stdout.splitlines()[0]
    assert "design" not in run("templates", "15x15", "<60", "--limit", "1").stdout, "that is about words alone"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--size", "99"), "grids are 3x3 to 40x40"),
        (("--size", "large"), "is not a size"),
        (("--across", "1,11"), "2 to 40 squares"),
        (("--across", "A[B"), "not an answer"),
    ],
)
def test_what_is_no_template_is_refused(run: Run, asked: tuple[str, ...], said: str) -> None:
    done = run("templates", *asked, status=Exit.BAD_INPUT)
    assert said in done.stderr


def test_theme_answers_are_placed_and_locked(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "theme.ipuz"
    line = ("theme", "answers", "LO[CAT]ION SCOUT, DOGCATCHERS, 15x15")
    document = json.loads(run(*line, "--json", "-o", out).stdout)
    assert {one["answer"] for one in document["theme"]} == {"LO[CAT]IONSCOUT", "DOGCATCHERS"}
    grid = read_puzzle(out).grid
    for one in document["theme"]:
        slot = grid.slot(one["entry"])
        assert grid.answer(slot) == one["answer"].replace("[", "").replace("]", "")
        assert all(grid[at].ink is Ink.LOCKED for at in slot.positions)
    other = document["others"][0]
    told = run(*line, "--template", other)
    assert f"{other}, 15×15" in told.stderr


def test_theme_answers_are_of_the_alphabet_that_is_named(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "theme.ipuz"
    line = ("theme", "answers", "ångströmsenhets 15x15", "--alphabet", "swedish", "-o", out)
    done = run(*line)
    assert (done.returncode, done.stderr) == (Exit.OK, "")
    puzzle = read_puzzle(out)
    assert puzzle.alphabet.name == "swedish"
    assert "ÅNGSTRÖMSENHETS" in {puzzle.grid.answer(slot) for slot in puzzle.grid.slots}


def test_another_size_than_the_daily_one_is_told_first(run: Run) -> None:
    answers = "BRAVEHEART, HEARTTHROB, KINDRED"
    first = run("theme", "answers", answers, status=Exit.OK).stderr.splitlines()[0]
    assert first == "no 15×15 template fits them, one of 19×19 does; `design …` makes grids around them"
    run("theme", "answers", f"{answers} 15x15", status=Exit.BAD_INPUT)
    assert "design" not in run("theme", "answers", f"{answers} 19x19").stderr, "that size was asked for"


@pytest.mark.parametrize(
    ("asked", "is_said"), [("21", True), ("21 <72", True), ("14", False), ("21,21", False), ("21x21", False)]
)
def test_a_number_alone_is_told_from_a_size(run: Run, asked: str, is_said: bool) -> None:
    first = run("templates", *asked.split()).stdout.splitlines()[0]
    assert ("21 is the length of a theme answer; use `21x21` for the size" in first) is is_said


def test_bars_of_a_template_with_theme_answers(run: Run) -> None:
    asked = ("theme", "answers", "HEART, LATIN", "--template", "barred-12x12-01", "--json")
    found = json.loads(run(*asked).stdout)
    assert found["grid"].startswith("HEART")
    assert found["bars"][0] == ["r1c3", "r2c3"]


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ("15x15", "name theme answers"),
        ("BRAVEHEART, SWEETHEARTS", "no template fits them"),
        ("BRAVEHEART, SWEETHEARTS", "`design …` makes grids around them"),
        ("BRAVEHEART --template xyz", "no template is called xyz"),
    ],
)
def test_theme_answers_without_a_template_are_refused(run: Run, answers: str, said: str) -> None:
    words, *template = answers.split(" --template ")
    options = ["--template", *template] if template else []
    done = run("theme", "answers", f"{words}, 15x15", *options, status=Exit.BAD_INPUT)
    assert said in done.stderr
