"""Edits from the shell: snapshots, enumerations, and what is done first."""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from tests.shell.conftest import Run
from tests.shell.process import xwtui
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.model import Puzzle


@pytest.fixture
def puzzle(tmp_path: Path) -> Path:
    path = tmp_path / "a.ipuz"
    write_puzzle(path, puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI")))
    return path


def test_snapshots_are_saved_compared_and_returned_to(run: Run, puzzle: Path) -> None:
    first = read_puzzle(puzzle)
    assert run("snapshot", puzzle, "save", "v1", "-o", puzzle).returncode == 0
    changed = run("snapshot", puzzle, "save", "v2", "--do", "set 1A XYZ", "-o", puzzle)
    assert changed.returncode == 0, changed.stderr
    compared = run("snapshot", puzzle, "compare", "v1", "--json")
    assert json.loads(compared.stdout)["entries"][0] == {"entry": "1A", "then": "ABC", "now": "XYZ"}
    told = run("snapshot", puzzle, "list")
    assert told.stdout.splitlines() == ["v1 → now: 3 squares and 4 entries", "v2 and now: no difference"]
    back = run("snapshot", puzzle, "return", "v1", "-o", puzzle)
    assert back.returncode == 0, back.stderr
    assert read_puzzle(puzzle).with_snapshots({}) == first


def test_one_that_is_not_there_is_bad_input(run: Run, puzzle: Path) -> None:
    done = run("snapshot", puzzle, "show", "v1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "xwtui: there is no snapshot v1; there are none yet\n"


def test_they_are_written_listed_and_taken(tmp_path: Path, environment: Mapping[str, str]) -> None:
    grid, words, made = (tmp_path / name for name in ("grid.txt", "mine.txt", "made.ipuz"))
    grid.write_text("AXLEBOLT\n........\n........\n", encoding="utf-8")
    words.write_text("AXLE-BOLT\nAXLE\n", encoding="utf-8")
    run = partial(xwtui, environment=environment)
    assert run("enumeration", grid, "1A", "4,4", "--words", words).returncode == 2, "nothing would be saved"
    assert run("enumeration", grid, "1A", "4,4", "--words", words, "-o", made).returncode == 0
    puzzle = read_puzzle(made)
    assert str(puzzle.enumeration(puzzle.grid.slot("1A"))) == "4,4"
    told = json.loads(run("enumerations", grid, "--words", words, "--json").stdout)
    assert told["entries"][0] == {
        "entry": "1A",
        "answer": "AXLEBOLT",
        "letters": 8,
        "enumeration": None,
        "suggested": [{"enumeration": "4-4", "from": "word lists"}],
    }
    taken = run("enumerate", grid, "--words", words, "-o", tmp_path / "all.puz", "--lossy")
    assert taken.returncode == 0, taken.stderr
    assert b"(4-4)" in (tmp_path / "all.puz").read_bytes()


def test_a_count_obeys_it_too(run: Run, mini: Path, words: Path) -> None:
    done = run("count", mini, "--words", words, "--do", "letters r2c2 XY")
    assert done.returncode == 0, done.stderr
    assert "no fill (proved)" in done.stdout


def test_only_edits_are_done(run: Run, mini: Path, words: Path) -> None:
    for line, told in (("fill", "only verbs of these groups"), ("rul 1A", "did you mean"), ("rule 9A", "9A")):
        done = run("fill", mini, "--words", words, "--do", line)
        assert done.returncode == 2
        assert told in done.stderr
        assert done.stderr.count("\n") == 1


def test_what_is_odd_about_its_rules_is_told(run: Run, mini: Path, words: Path) -> None:
    lines = ("clear all", "want XYZ", "ban XYZ", "limit nonsense 0")
    done = run("fill", mini, "--words", words, *(part for line in lines for part in ("--do", line)), "--json")
    assert "xwtui: wanted XYZ is banned, so no fill uses it; `allow XYZ` allows it\n" in done.stderr
    assert "xwtui: no word in the lists has the tag nonsense; the lists have no tags\n" in done.stderr


def test_lists_are_sought_beside_the_puzzle(run: Run, tmp_path: Path, words: Path) -> None:
    source = tmp_path / "mini.ipuz"
    write_puzzle(source, Puzzle.blank(3, 3))
    (tmp_path / "own.txt").write_text("ADG\n")
    asked = ("--do", "rule 1A --list own.txt", "--do", "")
    done = run("fill", source, "--words", words, *asked)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == "ADG"
    assert read_puzzle(source).rules.is_empty
