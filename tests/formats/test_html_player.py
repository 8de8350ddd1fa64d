"""The page that is solved in a browser: by keys and by touch, in headless Chromium."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.formats.readers import NODE, NPM
from tests.formats.torture import IS_DEEP, clued, filled, template
from xwtui.formats.clues import _languages
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.registry import puzzle_bytes, read_puzzle, write_puzzle
from xwtui.model import Bar, Position, Puzzle
from xwtui.resources import puzzles_folder
from xwtui.words.alphabets import find_alphabet

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
HAS_DRIVER = (NPM / "node_modules" / "playwright-core").is_dir()
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None or NODE is None or not HAS_DRIVER,
    reason=f"needs chromium (on Debian: apt install chromium), node, and 'npm ci' in {NPM.name}/",
)

HOSTILE = "</script><script>document.title='hacked'</script><b>&amp; “é” 猫"


@pytest.fixture
def puzzle() -> Puzzle:
    """A[HEART]C / D#[X/TIMES] / EFG with a circle, shade, a bar, and clues that look like HTML."""
    grid = grid_from_text("A[HEART]C\nD#[X/TIMES]\nEFG").with_bars([Bar.between(Position(2, 0), Position(2, 1))])
    corner = replace(grid[Position(0, 0)], circle=True, shade=True)
    whole = Puzzle(grid.with_squares({Position(0, 0): corner}), title=HOSTILE, author="A", notes="Two\nlines")
    for slot in grid.slots:
        whole = whole.with_clue(slot, f"{HOSTILE} {slot.name}")
    return whole


def play(puzzle: Puzzle, folder: Path, steps: Sequence[Any], *, touch: bool = False) -> list[Any]:
    """What each look at the page saw; the page asked for nothing and no error was raised."""
    assert NODE is not None
    assert CHROMIUM is not None
    path = folder / "p.html"
    write_puzzle(path, puzzle)
    command = [NODE, str(NPM / "play.js"), CHROMIUM, str(path), *(["touch"] if touch else [])]
    done = subprocess.run(
        command, input=json.dumps(steps), capture_output=True, check=True, text=True, timeout=120
    )
    result = json.loads(done.stdout)
    assert result["asked"] == []
    assert result["errors"] == []
    seen: list[Any] = result["seen"]
    return seen


@needs_chromium
def test_a_puzzle_is_shown_as_it_is_and_solved_by_keys(puzzle: Puzzle, tmp_path: Path) -> None:
    start, typed, checked, kept, solved, late = play(
        puzzle,
        tmp_path,
        [
            ["look"],
            *[["type", "a"], ["press", "Insert"], ["type", "heart"], ["press", "Enter"], ["type", "z"], ["look"]],
            *[["select", "check", "all"], ["wait", 61], ["look"]],
            *[["reload"], ["look"]],
            # to the wrong square, then along the words that are left
            *[["tap", ".cell:nth-child(3)"], ["press", "Backspace"], ["type", "c"]],
            *[["tap", ".cell:nth-child(4)"], ["type", "de"]],
            *[
                ["tap", ".cell:nth-child(6)"],
                ["press", "Escape"],
                ["type", "times"],
                ["press", "Enter"],
                ["type", "g"],
            ],
            *[["tap", ".cell:nth-child(8)"], ["type", "f"], ["look"]],
            *[["wait", 30], ["look"]],
        ],
    )
    assert start["title"] == HOSTILE
    assert HOSTILE in start["heading"]
    assert "Two\nlines" in start["heading"]
    assert start["letters"] == ["", "", "", "", "#", "", "", "", ""]
    assert start["numbers"] == [str(puzzle.grid.numbers.get(at, "")) for at in puzzle.grid.positions()]
    assert start["clues"] == [f"{slot.number} {puzzle.printed_clue(slot)}" for slot in puzzle.grid.slots]
    assert start["clue"] == f"1A {HOSTILE} 1A"
    assert (start["here"], start["word"]) == (0, [0, 1, 2])
    marks = [set(names.split()) - {"cell", "word", "here"} for names in start["marks"]]
    assert marks == [{"circle", "shade"}, set(), set(), set(), {"block"}, set(), set(), {"left"}, set()]
    assert typed["letters"][:3] == ["A", "HEART", "Z"]
    assert typed["wrong"] == []
    assert checked["wrong"] == [2]
    minutes, _, seconds = checked["timer"].partition(":")
    assert int(minutes) * 60 + int(seconds) >= 61
    assert kept["letters"] == checked["letters"]
    assert kept["wrong"] == [2]
    assert solved["letters"] == ["A", "HEART", "C", "D", "#", "TIMES", "E", "F", "G"]
    assert solved["message"] == "Solved!"
    assert late["timer"] == solved["timer"]


@needs_chromium
@pytest.mark.skipif(not IS_DEEP, reason="the deep profile alone: another start of a browser")
def test_by_touch(puzzle: Puzzle, tmp_path: Path) -> None:
    key = "#keys button:text-is('{}')".format
    typed, erased, revealed, cleared = play(
        puzzle,
        tmp_path,
        [
            *[["tap", ".cell:nth-child(1)"], ["tap", key("A")], ["tap", key("D")], ["look"]],
            *[["tap", key("⌫")], ["look"]],
            *[["tap", "#several"], ["type", "d"], ["tap", "#rebus-done"]],
            *[["select", "reveal", "all"], ["look"], ["tap", "#restart"], ["look"]],
        ],
        touch=True,
    )
    assert [typed["letters"][index] for index in (0, 3)] == ["A", "D"]
    assert typed["here"] == 6
    assert [erased["letters"][index] for index in (0, 3)] == ["A", ""]
    assert revealed["letters"] == ["A", "HEART", "C", "D", "#", "X/TIMES", "E", "F", "G"]
    assert revealed["message"] == "Solved!"
    assert set(cleared["letters"]) == {"", "#"}


@needs_chromium
def test_what_is_printed_is_whole_and_squares_on_a_phone_can_be_hit(tmp_path: Path) -> None:
    grid = filled(template("21x21-01"), 1)
    screen, printed, both = play(
        clued(grid, "Large"),
        tmp_path,
        [
            ["look"],
            ["media", "print"],
            ["look"],
            ["media", "screen"],
            ["tap", "#solved-too"],
            ["media", "print"],
            ["look"],
        ],
        touch=True,
    )
    assert screen["square"] >= 17
    assert screen["cut"], "the lists scroll beside the grid"
    assert not printed["cut"]
    assert printed["shown"] == ["#grid", "#lists"]
    assert both["shown"] == ["#grid", "#lists", "#solution"]
    assert len(printed["clues"]) == len(grid.slots)


@needs_chromium
def test_no_empty_page_is_printed(tmp_path: Path) -> None:
    """A British daily's puzzle fills its page to within some lines."""
    [pages] = play(read_puzzle(puzzles_folder() / "british-15x15.ipuz"), tmp_path, [["pages"]])
    assert pages == 1


def document_of(puzzle: Puzzle) -> dict[str, Any]:
    page = puzzle_bytes(puzzle, ".html").data.decode()
    document: dict[str, Any] = json.loads(page.partition('id="puzzle">')[2].partition("<")[0])
    return document


def test_labels_and_keys_are_those_of_the_alphabet(puzzle: Puzzle) -> None:
    swedish = replace(puzzle, words=replace(puzzle.words, alphabet=find_alphabet("swedish")))
    document = document_of(swedish)
    assert (document["labels"]["lang"], document["labels"]["across"]) == ("sv", "Vågrätt")
    assert document["keys"] == ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM", "ÅÄÖ"]
    assert document_of(puzzle)["keys"] == ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"]
    assert "## Vågrätt" in puzzle_bytes(swedish, ".md").data.decode()
    assert len({frozenset(each) for each in _languages().values()}) == 1, "each language has all labels"


def test_the_page_is_one_file_that_asks_for_nothing(puzzle: Puzzle) -> None:
    page = puzzle_bytes(puzzle, ".html").data.decode()
    assert page.count("</script>") == 2
    assert "http" not in page.replace("http-equiv", "")
    assert "default-src 'none'" in page
