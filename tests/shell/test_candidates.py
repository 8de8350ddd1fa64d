"""`candidates` as a process."""

import json
from collections.abc import Mapping
from pathlib import Path

from tests.shell.process import xwtui


def test_what_a_candidate_repeats_is_named(tmp_path: Path, environment: Mapping[str, str]) -> None:
    """With the rebus squares of the other answer; the entry's own answer is no other."""
    grid, words = tmp_path / "grid.txt", tmp_path / "words.txt"
    grid.write_text("LO[CAT]ION\n######\n......\n######\nSTONES\n")
    words.write_text("LOCATE;60\nSTONED;50\nPLANET;40\nSTONES;50\n")
    asked = ("candidates", grid, "2A", "--words", words)
    done = xwtui(*asked, "--json", environment=environment)
    repeats = {one["word"]: one["repeats"] for one in json.loads(done.stdout)["candidates"]}
    assert repeats["LOCATE"] == [{"entry": "1A", "answer": "LO[CAT]ION"}]
    assert repeats["STONED"] == [{"entry": "3A", "answer": "STONES"}]
    assert repeats["PLANET"] == []
    told = xwtui(*asked, environment=environment).stdout
    assert "repeats 1A LO[CAT]ION" in told
