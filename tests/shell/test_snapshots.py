"""Snapshots from the shell."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.shell.process import xwtui
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.registry import read_puzzle, write_puzzle


@pytest.fixture
def puzzle(tmp_path: Path) -> Path:
    path = tmp_path / "a.ipuz"
    write_puzzle(path, puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI")))
    return path


def test_snapshots_are_saved_compared_and_returned_to(puzzle: Path, environment: Mapping[str, str]) -> None:
    first = read_puzzle(puzzle)
    assert xwtui("snapshot", puzzle, "save", "v1", "-o", puzzle, environment=environment).returncode == 0
    changed = xwtui("snapshot", puzzle, "save", "v2", "--do", "set 1A XYZ", "-o", puzzle, environment=environment)
    assert changed.returncode == 0, changed.stderr
    compared = xwtui("snapshot", puzzle, "compare", "v1", "--json", environment=environment)
    assert json.loads(compared.stdout)["entries"][0] == {"entry": "1A", "then": "ABC", "now": "XYZ"}
    told = xwtui("snapshot", puzzle, "list", environment=environment)
    assert told.stdout.splitlines() == ["v1 → now: 3 squares and 4 entries", "v2 and now: no difference"]
    back = xwtui("snapshot", puzzle, "return", "v1", "-o", puzzle, environment=environment)
    assert back.returncode == 0, back.stderr
    assert read_puzzle(puzzle).with_snapshots({}) == first


def test_one_that_is_not_there_is_bad_input(puzzle: Path, environment: Mapping[str, str]) -> None:
    done = xwtui("snapshot", puzzle, "show", "v1", environment=environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "xwtui: there is no snapshot v1; there are none yet\n"
