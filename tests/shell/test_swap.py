"""`swap` and `reject`: other words with what they change, as lines and as JSON, and the file that is written."""

import json
from pathlib import Path

import pytest

from tests.shell.conftest import Run
from xwtui.formats.registry import read_puzzle


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A 3x3 with one of its two fills, in pen as in any text."""
    path = tmp_path / "full.txt"
    path.write_text("ABC\nDEF\nGHI\n")
    return path


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


def test_what_is_in_pen_is_not_swapped(run: Run, full: Path, words: Path) -> None:
    done = run("swap", full, "1A", "--words", words)
    assert done.returncode == 2
    assert "nothing in pencil in 1A" in done.stderr
    assert "`pencil 1A`" in done.stderr
