"""`candidates` as a process."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.shell.process import xwtui
from xwtui.formats.grid_text import grid_from_text


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    path = tmp_path / "grid.txt"
    path.write_text("...\n...\n...\n")
    return path


def test_candidates_as_json_with_their_fills(grid: Path, words: Path, environment: Mapping[str, str]) -> None:
    asked = ("candidates", grid, "1a", "--words", words, "--sort", "room", "--prove", "--json")
    done = xwtui(*asked, environment=environment)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert set(found) == {"schema", "entry", "pattern", "matches", "alive", "candidates"}
    assert (found["entry"], found["pattern"], found["alive"]) == ("1A", "???", 2)
    assert len(found["candidates"]) == found["matches"] == 9
    proved = found["candidates"][:2]
    for one in proved:
        assert set(one) == {
            "word",
            "score",
            "standing",
            "killed_by",
            "log10",
            "refined",
            "sure",
            "fill",
            "repeats",
        }
        assert one["standing"] == "proved"
        filled = grid_from_text(one["fill"])
        assert filled.answer(filled.slot("1A")) == one["word"]
        assert all(filled.answer(slot) for slot in filled.slots)
    assert {one["standing"] for one in found["candidates"][2:]} == {"dead"}


def test_candidates_in_words(grid: Path, words: Path, environment: Mapping[str, str]) -> None:
    done = xwtui("candidates", grid, "1A", "--words", words, "--limit", "3", environment=environment)
    first, *listed, more = done.stdout.splitlines()
    assert first == "1A ???: 9 match, 2 may still stand"
    assert ["≈" in line for line in listed] == [True, True, False]
    assert "dead" in listed[2]
    assert more.strip() == "and 6 more"


def test_no_word_can_stand(tmp_path: Path, words: Path, environment: Mapping[str, str]) -> None:
    grid = tmp_path / "grid.txt"
    grid.write_text("X..\n...\n...\n")
    assert xwtui("candidates", grid, "4A", "--words", words, environment=environment).returncode == 1


def test_an_entry_that_is_not_there(grid: Path, words: Path, environment: Mapping[str, str]) -> None:
    done = xwtui("candidates", grid, "99A", "--words", words, environment=environment)
    assert done.returncode == 2
    assert "99A" in done.stderr


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
