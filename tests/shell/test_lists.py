"""`xwtui lists` and the commands whose names begin with it."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.shell.process import xwtui
from xwtui.formats.registry import write_puzzle
from xwtui.model import Puzzle
from xwtui.model.edits import place_answer


@pytest.fixture
def lists(environment: Mapping[str, str]) -> Path:
    """The folder of the user's lists, with one of them."""
    folder = Path(environment["XDG_CONFIG_HOME"]) / "xwtui" / "lists"
    folder.mkdir(parents=True)
    (folder / "cities.txt").write_text("OSLO;50\nROME;40\nPARIS;30\n", encoding="utf-8")
    return folder


def test_the_layers_are_shown_and_chosen(environment: Mapping[str, str], lists: Path) -> None:
    shown = json.loads(xwtui("lists", "--json", environment=environment).stdout)
    assert [layer["name"] for layer in shown["layers"]] == ["mine", "cities", "default"]
    assert shown["folder"] == str(lists)
    chosen = json.loads(xwtui("lists", "scale", "cities", "=60", "--json", environment=environment).stdout)
    assert chosen["layers"][1]["scale"] == {"rule": "=60", "words": "60 for all words", "guessed": False}
    off = xwtui("lists", "off", "cities", environment=environment)
    assert off.returncode == 0
    assert off.stdout.splitlines()[3].startswith(" - cities ")
    refused = xwtui("lists", "off", "rivers", environment=environment)
    assert refused.returncode == 2
    assert "there is no layer rivers; there are mine, cities and default" in refused.stderr


def test_a_fill_takes_the_words_of_the_layers(environment: Mapping[str, str], lists: Path, tmp_path: Path) -> None:
    (lists / "cities.txt").write_text("# scores: 0-100\nBAG;99\nQQZ;98\nQZQ;97\n", encoding="utf-8")
    (lists.parent / "mine.dict").write_text("ZZZ;96\nQQZ;0\n", encoding="utf-8")
    xwtui("lists", "off", "default", environment=environment)
    (tmp_path / "row.txt").write_text("...\n###\n...\n", encoding="utf-8")
    told = xwtui("fill", tmp_path / "row.txt", "--json", environment=environment)
    first, _, last = json.loads(told.stdout)["grid"]
    assert first != last
    assert {first, last} < {"BAG", "QZQ", "ZZZ"}


def test_a_layer_is_learned(environment: Mapping[str, str], lists: Path, tmp_path: Path) -> None:
    (tmp_path / "published").mkdir()
    blank = Puzzle.blank(3, 3)
    write_puzzle(tmp_path / "published" / "a.ipuz", place_answer(blank, blank.grid.slot("1A"), "BAG"))
    told = xwtui("lists", "learn", tmp_path / "published", environment=environment)
    assert told.stdout == f"1 word of 1 puzzle, in {lists / 'learned-published.dict'}\n"
    assert (lists / "learned-published.dict").read_text(encoding="utf-8").endswith("\nBAG;20;;1;0;;\n")


def test_lists_without_scores_are_graded(environment: Mapping[str, str], tmp_path: Path) -> None:
    grid, one, two = (tmp_path / name for name in ("grid.txt", "one.txt", "two.txt"))
    grid.write_text("AXLE\n....\n....\nOXEN\n", encoding="utf-8")
    one.write_text("AXLE\nOXEN\n", encoding="utf-8")
    two.write_text("AXLE\n", encoding="utf-8")
    command = ("check", grid, "--words", one, "--words", two)
    assert "scores: mean 50.0, lowest 50" in xwtui(*command, environment=environment).stdout
    assert "scores: mean 47.0, lowest 32" in xwtui(*command, "--scale", environment=environment).stdout
