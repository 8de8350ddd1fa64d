"""What single verbs answer as commands: questions, candidates, swaps, edits."""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from tests.shell.conftest import Run
from tests.shell.process import xwtui
from tests.shell.pseudo_terminal import Terminal
from tests.writing import written
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.model import Puzzle

TEMPLATE = Path(__file__).parents[2] / "puzzles" / "templates" / "15x15-01.txt"


def test_whatif_blocks(run: Run, tmp_path: Path) -> None:
    grid = Path(__file__).parents[2] / "puzzles" / "templates" / "9x9-01.txt"
    found = json.loads(run("whatif", grid, "blocks", "--time", "0", "--json", status=0).stdout)
    assert set(found) == {"schema", "complete", "seconds", "changes"}
    best = found["changes"][0]
    assert best["fillability"] == "filled"
    assert best["added"] or best["removed"]
    assert best["log10"] > 0
    told = run("whatif", grid, "blocks", "--max-words", "20", "--time", "0")
    assert " possible: " in told.stdout.splitlines()[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("why", TEMPLATE, "99A", "TEN"), "no entry '99A'"),
        (("new", "15"), "`new` is a verb for the screen"),
        (
            ("snapshot", TEMPLATE, "save", "one"),
            "nothing would be saved: name the puzzle file to write with -o FILE",
        ),
        (("whatif", TEMPLATE, "themers"), "Missing argument"),
        (("why", "nowhere.txt"), "nowhere.txt"),
    ],
)
def test_wrong_use_is_told(run: Run, arguments: tuple[str | Path, ...], said: str) -> None:
    done = run(*arguments, status=2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_ctrl_c_gives_what_there_is(environment: Mapping[str, str]) -> None:
    """Six answers of four letters go into the grid in more ways than anybody waits for."""
    answers = ("AREA", "IDEA", "OREO", "ALOE", "EASE", "IRIS")
    with Terminal("whatif", TEMPLATE, "themers", *answers, "--time", "0", environment=environment) as terminal:
        terminal.expect("tried so far")
        terminal.interrupt()
        terminal.expect("   1. ")
        terminal.expect("not finished after")
        terminal.expect("stopped by Ctrl+C")
        assert terminal.end() == 130
    assert "Traceback" not in terminal.seen


def test_a_script_waits_for_its_questions(run: Run, tmp_path: Path, words: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text(
        f"new 3 3\nwords {words}\nset r1c1 X\nwhy\nfollow 1\nheat\nfindings\nwhatif blocks\nset 1A\n"
    )
    told = run("run", script).stdout.splitlines()
    assert "the grid cannot be filled: 1 conflict" in told
    assert "done: change X at r1c1 to A" in told
    assert sum(line.startswith("hardest: ") for line in told) == 2
    assert "no block can change" in told


def test_what_a_candidate_repeats_is_named(run: Run, tmp_path: Path) -> None:
    """With the rebus squares of the other answer; the entry's own answer is no other."""
    grid, words = tmp_path / "grid.txt", tmp_path / "words.txt"
    grid.write_text("LO[CAT]ION\n######\n......\n######\nSTONES\n")
    words.write_text("LOCATE;60\nSTONED;50\nPLANET;40\nSTONES;50\n")
    asked = ("candidates", grid, "2A", "--words", words)
    done = run(*asked, "--json")
    repeats = {one["word"]: one["repeats"] for one in json.loads(done.stdout)["candidates"]}
    assert repeats["LOCATE"] == [{"entry": "1A", "answer": "LO[CAT]ION"}]
    assert repeats["STONED"] == [{"entry": "3A", "answer": "STONES"}]
    assert repeats["PLANET"] == []
    told = run(*asked).stdout
    assert "repeats 1A LO[CAT]ION" in told


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A 3x3 with one of its two fills, in pen as in any text."""
    return written(tmp_path / "full.txt", "ABC\nDEF\nGHI\n")


def test_swaps_as_json(run: Run, full: Path, words: Path) -> None:
    asked = ("swap", full, "1A", "--words", words, "--do", "pencil all", "--json")
    found = json.loads(run(*asked).stdout)
    assert (found["entry"], found["complete"]) == ("1A", True)
    (swap,) = found["swaps"]
    assert (swap["word"], len(swap["squares"]), swap["smallest"]) == ("ADG", 6, True)
    assert swap["changed"][0] == {"entry": "1A", "from": "ABC", "to": "ADG"}


@pytest.mark.parametrize("call", [("swap", "1A", "ADG"), ("reject", "1A")])
def test_one_is_taken_and_written(
    run: Run, full: Path, words: Path, tmp_path: Path, call: tuple[str, ...]
) -> None:
    verb, *arguments = call
    out = tmp_path / "out.ipuz"
    options = ("--words", words, "--do", "pencil all", "--json", "-o", out)
    done = run(verb, full, *arguments, *options)
    found = json.loads(done.stdout)
    assert (done.returncode, found["status"], found["mode"]) == (0, "filled", verb)
    assert (found["grid"], found["squares_changed"], found["smallest"]) == (["ADG", "BEH", "CFI"], 6, True)
    assert found["changed"][0] == {"entry": "1A", "from": "ABC", "to": "ADG"}
    grid = read_puzzle(out).grid
    assert grid.answer(grid.slot("1A")) == "ADG"


@pytest.fixture
def puzzle(tmp_path: Path) -> Path:
    path = tmp_path / "a.ipuz"
    write_puzzle(path, puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI")))
    return path


def test_snapshots_are_saved_compared_and_returned_to(run: Run, puzzle: Path) -> None:
    first = read_puzzle(puzzle)
    assert run("snapshot", puzzle, "save", "v1", "-o", puzzle).returncode == 0
    run("snapshot", puzzle, "save", "v2", "--do", "set 1A XYZ", "-o", puzzle, status=0)
    compared = run("snapshot", puzzle, "compare", "v1", "--json")
    assert json.loads(compared.stdout)["entries"][0] == {"entry": "1A", "then": "ABC", "now": "XYZ"}
    told = run("snapshot", puzzle, "list")
    assert told.stdout.splitlines() == ["v1 → now: 3 squares and 4 entries", "v2 and now: no difference"]
    run("snapshot", puzzle, "return", "v1", "-o", puzzle, status=0)
    assert read_puzzle(puzzle).with_snapshots({}) == first


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
    run("enumerate", grid, "--words", words, "-o", tmp_path / "all.puz", "--lossy", status=0)
    assert b"(4-4)" in (tmp_path / "all.puz").read_bytes()


def test_only_edits_are_done(run: Run, mini: Path, words: Path) -> None:
    for line, told in (("fill", "only verbs of these groups"), ("rul 1A", "did you mean"), ("rule 9A", "9A")):
        done = run("fill", mini, "--words", words, "--do", line, status=2)
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
    assert run("fill", source, "--words", words, *asked, status=0).stdout.split()[0] == "ADG"
    assert read_puzzle(source).rules.is_empty
