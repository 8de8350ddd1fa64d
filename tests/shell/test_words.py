"""Words found, lists chosen and the clue book, from the shell."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.shell.conftest import Run, Told
from tests.shell.process import xwtui_process
from tests.writing import written
from xwtui.formats.registry import write_puzzle
from xwtui.interrupts import Exit
from xwtui.model import Puzzle
from xwtui.model.edits import place_answer
from xwtui.resources import puzzles_folder


def test_words_are_found_without_a_grid(run: Run, tmp_path: Path) -> None:
    (tmp_path / "own.dict").write_text("CATALOG;60\nLOCATE;70\nDOG;50\n", encoding="ascii")
    asked = ("--contains", "cat", "--words", str(tmp_path / "own.dict"))
    told = run("find", *asked)
    assert (told.returncode, told.stdout) == (Exit.OK, "2 words\n   70  LOCATE\n   60  CATALOG\n")
    document = json.loads(run("find", *asked, "--squares", "4-5", "--json").stdout)
    assert (document["schema"], document["content"], document["matches"]) == (1, "CAT", 2)
    assert document["sections"][0] == {
        "direction": None,
        "squares": 4,
        "matches": 1,
        "answers": [{"answer": "LO[CAT]E", "word": "LOCATE", "score": 70, "rebus_squares": [3]}],
    }
    none = run("find", "ZZZ", "--words", str(tmp_path / "own.dict"))
    assert (none.returncode, none.stdout) == (Exit.IMPOSSIBLE, "no word matches\n")


def test_a_folder_is_searched(run: Run, tmp_path: Path) -> None:
    done = run("find", "CAT", "--in", str(tmp_path), "--json", status=Exit.IMPOSSIBLE)
    assert json.loads(done.stdout) == {"schema": 1, "matches": 0, "puzzles": 0, "unread": [], "places": []}


@pytest.fixture
def lists(environment: Mapping[str, str]) -> Path:
    """The folder of user lists, with one list."""
    folder = Path(environment["XDG_CONFIG_HOME"]) / "xwtui" / "lists"
    folder.mkdir(parents=True)
    (folder / "cities.txt").write_text("OSLO;50\nROME;40\nPARIS;30\n", encoding="utf-8")
    return folder


def test_a_bad_line_is_reported_once_per_change_of_its_file(
    environment: Mapping[str, str], lists: Path, mini: Path
) -> None:
    bad = written(lists / "bad.txt", "AXLE;60\nFLOW;abc\n")

    def is_told() -> bool:
        done = xwtui_process("check", mini, environment=environment)
        return "bad: skipped line 2: 'abc' is not a score" in done.stderr

    assert [is_told(), is_told()] == [True, False]
    bad.write_text("AXLE;60\nFLOW;abc\nBOAT;50\n")
    assert [is_told(), is_told()] == [True, False]


def test_layers_are_shown_and_chosen(run: Run, lists: Path) -> None:
    shown = json.loads(run("lists", "--json").stdout)
    assert [layer["name"] for layer in shown["layers"]] == ["mine", "cities", "default"]
    assert shown["folder"] == str(lists)
    chosen = json.loads(run("lists", "scale", "cities", "=60", "--json").stdout)
    assert chosen["layers"][1]["scale"] == {"rule": "=60", "words": "60 for all words", "guessed": False}
    assert run("lists", "off", "cities", status=0).stdout.splitlines()[3].startswith(" - cities ")
    refused = run("lists", "off", "rivers", status=2)
    assert "there is no word list rivers; there are mine, cities and default" in refused.stderr


def test_a_fill_uses_the_layers(run: Run, lists: Path, tmp_path: Path) -> None:
    (lists / "cities.txt").write_text("# scores: 0-100\nBAG;99\nQQZ;98\nQZQ;97\n", encoding="utf-8")
    (lists.parent / "mine.dict").write_text("ZZZ;96\nQQZ;0\n", encoding="utf-8")
    run("lists", "off", "default")
    (tmp_path / "row.txt").write_text("...\n###\n...\n", encoding="utf-8")
    first, _, last = json.loads(run("fill", tmp_path / "row.txt", "--json").stdout)["grid"]
    assert first != last
    assert {first, last} < {"BAG", "QZQ", "ZZZ"}


def test_a_layer_can_be_learned(run: Run, lists: Path, tmp_path: Path) -> None:
    (tmp_path / "published").mkdir()
    blank = Puzzle.blank(3, 3)
    write_puzzle(tmp_path / "published" / "a.ipuz", place_answer(blank, blank.grid.slot("1A"), "BAG"))
    told = run("lists", "learn", tmp_path / "published")
    assert told.stdout == f"1 word of 1 puzzle, in {lists / 'learned-published.dict'}\n"
    assert (lists / "learned-published.dict").read_text(encoding="utf-8").endswith("\nBAG;20;;1;0;;\n")


def test_lists_without_scores_are_graded(run: Run, tmp_path: Path) -> None:
    grid, one, two = (tmp_path / name for name in ("grid.txt", "one.txt", "two.txt"))
    grid.write_text("AXLE\n....\n....\nOXEN\n", encoding="utf-8")
    one.write_text("AXLE\nOXEN\n", encoding="utf-8")
    two.write_text("AXLE\n", encoding="utf-8")
    command = ("check", grid, "--words", one, "--words", two)
    assert "scores: mean 50.0, lowest 50" in run(*command).stdout
    assert "scores: mean 47.0, lowest 32" in run(*command, "--scale").stdout


SAMPLE = puzzles_folder() / "finished-match-made-in-heaven.ipuz"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "lists"
    folder.mkdir()
    (folder / "emogic.txt").write_text("SPURS|Cowboy's pair\nAXLE|Shaft\n")
    (folder / "bad.puz").write_bytes(b"?")
    return folder


def test_file_names_cannot_send_terminal_commands(run: Run, folder: Path) -> None:
    (folder / "bad.puz").rename(folder / "bad\x1b[2J.puz")
    strange = folder / "\x1b[7m"
    strange.mkdir()
    (folder / "emogic.txt").rename(strange / "emogic.txt")
    assert "bad\\x1b[2J.puz: this is not a .puz file" in run("book", "import", folder).stdout
    assert "\\x1b[7m: 1 file, 2 clues" in run("book").stdout


def test_words_of_lists_are_parsed_in_the_given_alphabet(run: Run, folder: Path) -> None:
    (folder / "emogic.txt").write_text("Måne|Lyser\nNiño|Barn\n")
    document = json.loads(run("book", "import", folder, "--json").stdout)
    assert document["folded"] == {"Å": "A", "Ñ": "N"}
    swedish = ("--alphabet", "swedish")
    assert "\nSwedish lacks Ñ, written N\n" in run("book", "import", folder, *swedish).stdout
    assert "Lyser" in run("book", "show", "måne", *swedish).stdout
    run("book", "show", "mane", status=Exit.IMPOSSIBLE)


def test_a_book_is_filled_and_queried(run: Run, folder: Path) -> None:
    document = json.loads(run("book", "import", folder, "--json", status=Exit.OK).stdout)
    assert (document["files"], document["new_clues"], document["complete"]) == (2, 2, True)
    assert [Path(one["file"]).name for one in document["skipped"]] == ["bad.puz"]
    assert run("book").stdout.startswith("2 clues of 2 answers from 1 source")
    assert json.loads(run("book", "--json").stdout)["sources"][0]["title"] == "emogic"
    assert run("book", "search", "cowboy's", "pa").stdout == "SPURS  Cowboy's pair  (emogic)\n"
    run("book", "show", "axle", status=Exit.OK)
    assert run("book", "show", "oboe").returncode == Exit.IMPOSSIBLE
    assert run("book", "forget", folder).stdout == f"2 clues from {folder} forgotten\n"
    run("book", "forget", folder, status=Exit.BAD_INPUT)


def test_suggestions_for_an_entry(run: Run, told: Told, folder: Path) -> None:
    run("book", "import", folder)
    document = told("clue", SAMPLE, "suggest", "1A")
    assert (document["entry"], document["answer"]) == ("1A", "SPURS")
    first, *glosses = document["suggestions"]
    assert (first["text"], first["kind"], first["title"]) == ("Cowboy's pair", "imported", "emogic")
    assert glosses
    assert {(one["kind"], one["form"], one["base"]) for one in glosses} >= {("gloss", "plural", "SPUR")}


def test_meanings(run: Run) -> None:
    told = run("define", "axles")
    assert told.stdout == "AXLES: plural of AXLE\n  1  noun: a shaft on which a wheel rotates\n"
    document = json.loads(run("define", "AXLES", "--json").stdout)
    assert document["word"] == "AXLES"
    assert document["definitions"][0]["base"] == "AXLE"
    run("define", "XQZW", status=Exit.IMPOSSIBLE)
