"""Enumerations from the shell: written, listed, taken for all answers."""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from tests.shell.process import xwtui
from xwtui.formats.registry import read_puzzle


def test_they_are_written_listed_and_taken(tmp_path: Path, environment: Mapping[str, str]) -> None:
    grid, words, made = (tmp_path / name for name in ("grid.txt", "mine.txt", "made.ipuz"))
    grid.write_text("AXLEBOLT\n........\n........\n", encoding="utf-8")
    words.write_text("AXLE-BOLT\nAXLE\n", encoding="utf-8")
    run = partial(xwtui, environment=environment)
    assert run("enumeration", grid, "1A", "4,4", "--words", words).returncode == 2, "nothing would be kept"
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
