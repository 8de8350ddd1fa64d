"""`shares` as a process: every square that a fill writes, or those that are named."""

import json
from collections.abc import Mapping
from pathlib import Path

from tests.shell.process import xwtui


def test_shares_of_all_squares_as_json(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    """With ABC given on top there is one fill: all is forced."""
    done = xwtui("shares", mini, "--words", words, "--json", environment=environment)
    assert done.returncode == 0, done.stderr
    squares = json.loads(done.stdout)["squares"]
    assert "".join(square["forced"] for square in squares.values()) == "DEFGHI"
    assert list(squares) == [f"r{row}c{column}" for row in (2, 3) for column in (1, 2, 3)]


def test_shares_of_one_square_in_words(tmp_path: Path, words: Path, environment: Mapping[str, str]) -> None:
    """The two fills have A in the corner, and B or D beside it."""
    grid = tmp_path / "grid.txt"
    grid.write_text("...\n...\n...\n")
    done = xwtui("shares", grid, "r1c1", "r1c2", "--words", words, environment=environment)
    corner, beside = done.stdout.splitlines()
    assert corner == "r1c1: A is forced"
    assert beside in ("r1c2: B 50%  D 50%", "r1c2: D 50%  B 50%")


def test_squares_without_an_answer(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    """One that is given is an error; a grid without a fill is told by the status."""
    done = xwtui("shares", mini, "r1c1", "--words", words, environment=environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert "r1c1 is given: A" in done.stderr
    mini.write_text("XXX\n...\n...\n")
    done = xwtui("shares", mini, "--words", words, environment=environment)
    assert (done.returncode, done.stdout) == (1, "nothing fits: the grid has no fill\n")
