"""Templates from the shell: found by what they are, or the nearest ones with what they lack."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.shell.process import xwtui
from xwtui.formats.registry import read_puzzle
from xwtui.interrupts import Exit
from xwtui.model import Ink


def test_templates_with_room_for_theme_answers(environment: Mapping[str, str]) -> None:
    answers = "LO[CAT]IONSCOUT,DOGCATCHERS,11,11"
    asked = ("--size", "15x15", "--max-words", "76", "--blocks", "36", "--across", answers)
    done = xwtui("templates", *asked, "--json", environment=environment)
    assert done.returncode == Exit.OK
    document = json.loads(done.stdout)
    assert document["schema"] == 1
    assert document["fitting"] == len(document["templates"]) > 0
    for one in document["templates"]:
        assert (one["height"], one["width"], one["fits"]) == (15, 15, True)
        assert [entry["squares"] for entry in one["across"]] == [11] * 4
        assert one["words"] <= 76
        assert one["blocks"] <= 36
    told = xwtui("templates", "15x15", "11,11,11,11", "<=76", "<=36b", environment=environment)
    assert told.stdout.splitlines()[0].startswith(f"{document['fitting']} template")


def test_the_nearest_templates_say_what_they_lack(environment: Mapping[str, str]) -> None:
    done = xwtui("templates", "15x15", "11,11,14", "--limit", "2", environment=environment)
    assert done.returncode == Exit.IMPOSSIBLE
    assert "the nearest are" in done.stdout
    assert "no symmetric entry for 14 across" in done.stdout
    assert "`design …` makes grids around them" in done.stdout.splitlines()[0]
    done = xwtui("templates", "15x15", "<60", "--limit", "1", environment=environment)
    assert "design" not in done.stdout, "that is about words alone"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--size", "99"), "grids are 3x3 to 40x40"),
        (("--size", "large"), "is no size"),
        (("--across", "1,11"), "2 to 40 squares"),
        (("--across", "A[B"), "no answer"),
    ],
)
def test_what_is_no_template_is_refused(asked: tuple[str, ...], said: str, environment: Mapping[str, str]) -> None:
    done = xwtui("templates", *asked, environment=environment)
    assert done.returncode == Exit.BAD_INPUT
    assert said in done.stderr


def test_theme_answers_are_placed_and_locked(environment: Mapping[str, str], tmp_path: Path) -> None:
    out = tmp_path / "theme.ipuz"
    line = ("theme", "answers", "LO[CAT]ION SCOUT, DOGCATCHERS, 15x15")
    document = json.loads(xwtui(*line, "--json", "-o", out, environment=environment).stdout)
    assert {one["answer"] for one in document["theme"]} == {"LO[CAT]IONSCOUT", "DOGCATCHERS"}
    grid = read_puzzle(out).grid
    for one in document["theme"]:
        slot = grid.slot(one["entry"])
        assert grid.answer(slot) == one["answer"].replace("[", "").replace("]", "")
        assert all(grid[at].ink is Ink.LOCKED for at in slot.positions)
    other = document["others"][0]
    told = xwtui(*line, "--template", other, environment=environment)
    assert f"{other}, 15×15" in told.stderr


def test_theme_answers_are_of_the_alphabet_that_is_named(environment: Mapping[str, str], tmp_path: Path) -> None:
    out = tmp_path / "theme.ipuz"
    line = ("theme", "answers", "ångströmsenhets 15x15", "--alphabet", "swedish", "-o", out)
    done = xwtui(*line, environment=environment)
    assert (done.returncode, done.stderr) == (Exit.OK, "")
    puzzle = read_puzzle(out)
    assert puzzle.alphabet.name == "swedish"
    assert "ÅNGSTRÖMSENHETS" in {puzzle.grid.answer(slot) for slot in puzzle.grid.slots}


def test_another_size_than_the_daily_one_is_told_first(environment: Mapping[str, str]) -> None:
    answers = "BRAVEHEART, HEARTTHROB, KINDRED"
    done = xwtui("theme", "answers", answers, environment=environment)
    assert done.returncode == Exit.OK
    first = done.stderr.splitlines()[0]
    assert first == "no template of 15×15 takes them, one of 19×19 does; `design …` makes grids around them"
    done = xwtui("theme", "answers", f"{answers} 15x15", environment=environment)
    assert done.returncode == Exit.BAD_INPUT
    done = xwtui("theme", "answers", f"{answers} 19x19", environment=environment)
    assert "design" not in done.stderr, "that size was asked for"


@pytest.mark.parametrize(("asked", "is_said"), [("21", True), ("14", False), ("21,21", False), ("21x21", False)])
def test_a_number_alone_is_told_from_a_size(environment: Mapping[str, str], asked: str, is_said: bool) -> None:
    first = xwtui("templates", asked, environment=environment).stdout.splitlines()[0]
    assert ("21 is the length of a theme answer; `21x21` is the size" in first) is is_said


def test_bars_of_a_template_with_theme_answers(environment: Mapping[str, str]) -> None:
    asked = ("theme", "answers", "HEART, LATIN", "--template", "barred-12x12-01", "--json")
    found = json.loads(xwtui(*asked, environment=environment).stdout)
    assert found["grid"].startswith("HEART")
    assert found["bars"][0] == ["r1c3", "r2c3"]


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ("15x15", "name theme answers"),
        ("BRAVEHEART, SWEETHEARTS", "no template takes them"),
        ("BRAVEHEART, SWEETHEARTS", "`design …` makes grids around them"),
        ("BRAVEHEART --template xyz", "no template is called xyz"),
    ],
)
def test_theme_answers_without_a_template_are_refused(
    environment: Mapping[str, str], answers: str, said: str
) -> None:
    words, *template = answers.split(" --template ")
    options = ["--template", *template] if template else []
    done = xwtui("theme", "answers", f"{words}, 15x15", *options, environment=environment)
    assert done.returncode == Exit.BAD_INPUT
    assert said in done.stderr
