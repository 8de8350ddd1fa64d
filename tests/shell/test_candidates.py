"""`candidates` as a process."""

import json
from pathlib import Path

from tests.shell.conftest import Run


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
