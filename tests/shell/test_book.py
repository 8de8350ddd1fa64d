"""The clue book from the shell: filled, asked, emptied; suggestions for an entry, and what words mean."""

import json
from pathlib import Path

import pytest

from tests.shell.process import user_folders, xwtui
from xwtui.interrupts import Exit
from xwtui.resources import puzzles_folder

SAMPLE = puzzles_folder() / "finished-match-made-in-heaven.ipuz"


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return user_folders(tmp_path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "lists"
    folder.mkdir()
    (folder / "emogic.txt").write_text("SPURS|Cowboy's pair\nAXLE|Shaft\n")
    (folder / "bad.puz").write_bytes(b"?")
    return folder


def test_the_name_of_a_file_is_no_command_to_the_terminal(home: dict[str, str], folder: Path) -> None:
    (folder / "bad.puz").rename(folder / "bad\x1b[2J.puz")
    strange = folder / "\x1b[7m"
    strange.mkdir()
    (folder / "emogic.txt").rename(strange / "emogic.txt")
    assert "bad\\x1b[2J.puz: this is no .puz file" in xwtui("book", "import", folder, environment=home).stdout
    assert "\\x1b[7m: 1 file, 2 clues" in xwtui("book", environment=home).stdout


def test_words_of_lists_are_read_in_the_alphabet_that_is_named(home: dict[str, str], folder: Path) -> None:
    (folder / "emogic.txt").write_text("Måne|Lyser\nNiño|Barn\n")
    document = json.loads(xwtui("book", "import", folder, "--json", environment=home).stdout)
    assert document["folded"] == {"Å": "A", "Ñ": "N"}
    swedish = ("--alphabet", "swedish")
    assert "\nSwedish lacks Ñ, written N\n" in xwtui("book", "import", folder, *swedish, environment=home).stdout
    assert "Lyser" in xwtui("book", "show", "måne", *swedish, environment=home).stdout
    assert xwtui("book", "show", "mane", environment=home).returncode == Exit.IMPOSSIBLE


def test_a_book_is_filled_and_asked(home: dict[str, str], folder: Path) -> None:
    done = xwtui("book", "import", folder, "--json", environment=home)
    assert done.returncode == Exit.OK
    document = json.loads(done.stdout)
    assert (document["files"], document["new_clues"], document["complete"]) == (2, 2, True)
    assert [Path(one["file"]).name for one in document["skipped"]] == ["bad.puz"]
    assert xwtui("book", environment=home).stdout.startswith("2 clues of 2 answers from 1 source")
    assert json.loads(xwtui("book", "--json", environment=home).stdout)["sources"][0]["title"] == "emogic"
    assert xwtui("book", "search", "cowboy's", "pa", environment=home).stdout == "SPURS  Cowboy's pair  (emogic)\n"
    assert xwtui("book", "show", "axle", environment=home).returncode == Exit.OK
    assert xwtui("book", "show", "oboe", environment=home).returncode == Exit.IMPOSSIBLE
    assert xwtui("book", "forget", folder, environment=home).stdout == f"2 clues from {folder} forgotten\n"
    assert xwtui("book", "forget", folder, environment=home).returncode == Exit.BAD_INPUT


def test_an_import_tells_how_far_it_is(home: dict[str, str], folder: Path) -> None:
    done = xwtui("book", "import", folder, environment=home)
    assert done.stdout.splitlines()[0] == "2 new clues from 2 files; 1 file skipped"
    missing = xwtui("book", "import", folder / "nowhere", environment=home)
    assert missing.returncode == Exit.BAD_INPUT
    assert "there is no folder or file" in missing.stderr


def test_suggestions_for_an_entry(home: dict[str, str], folder: Path) -> None:
    xwtui("book", "import", folder, environment=home)
    done = xwtui("clue", SAMPLE, "suggest", "1A", "--json", environment=home)
    assert done.returncode == Exit.OK
    document = json.loads(done.stdout)
    assert (document["entry"], document["answer"]) == ("1A", "SPURS")
    first, *glosses = document["suggestions"]
    assert (first["text"], first["kind"], first["title"]) == ("Cowboy's pair", "imported", "emogic")
    assert glosses
    assert {(one["kind"], one["form"], one["base"]) for one in glosses} >= {("gloss", "plural", "SPUR")}


def test_meanings(home: dict[str, str]) -> None:
    told = xwtui("define", "axles", environment=home)
    assert told.stdout == "AXLES: plural of AXLE\n  1  noun: a shaft on which a wheel rotates\n"
    document = json.loads(xwtui("define", "AXLES", "--json", environment=home).stdout)
    assert document["word"] == "AXLES"
    assert document["definitions"][0]["base"] == "AXLE"
    assert xwtui("define", "XQZW", environment=home).returncode == Exit.IMPOSSIBLE
