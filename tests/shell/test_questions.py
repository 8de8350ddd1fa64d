"""`why` and `whatif`: answers, statuses, JSON, and what wrong use is told."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.shell.process import xwtui
from tests.shell.pseudo_terminal import Terminal

TEMPLATE = Path(__file__).parents[2] / "puzzles" / "templates" / "15x15-01.txt"


@pytest.fixture
def stuck(tmp_path: Path) -> Path:
    """A 3x3 with an X where the list has no word with one."""
    path = tmp_path / "stuck.txt"
    path.write_text("X..\n...\n...\n")
    return path


def test_why_names_the_conflict_and_a_remedy(stuck: Path, words: Path, environment: Mapping[str, str]) -> None:
    done = xwtui("why", stuck, "--words", words, environment=environment)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0] == "the grid cannot be filled: 1 conflict"
    assert lines[1].startswith("  1. X at r1c1 cannot stand (by propagation), at 1")
    assert "   1. change X at r1c1 to A  (a fill was found)" in lines


def test_why_as_json(stuck: Path, words: Path, environment: Mapping[str, str]) -> None:
    done = xwtui("why", stuck, "--words", words, "--json", environment=environment)
    found = json.loads(done.stdout)
    assert set(found) == {"schema", "answer", "complete", "seconds", "conflicts", "remedies"}
    assert (found["answer"], found["complete"]) == ("impossible", True)
    (conflict,) = found["conflicts"]
    assert conflict["choices"] == [{"kind": "letter", "text": "X at r1c1"}]
    assert (conflict["certainty"], conflict["smallest"]) == ("by propagation", True)
    assert found["remedies"][0]["kind"] == "change square"
    assert found["remedies"][0]["settles_all"] is True
    assert found["remedies"][0]["answers"]["1A"] in ("ABC", "ADG")


def test_a_grid_with_a_fill_needs_no_reason(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    done = xwtui("why", mini, "--words", words, environment=environment)
    assert (done.returncode, done.stdout) == (0, "the grid can be filled\n")


def test_why_a_word_cannot_stand(tmp_path: Path, words: Path, environment: Mapping[str, str]) -> None:
    grid = tmp_path / "grid.txt"
    grid.write_text("...\n...\n...\n")
    done = xwtui("why", grid, "1a", "abx", "--words", words, "--do", "ban CAB", environment=environment)
    assert done.returncode == 1
    assert done.stdout.startswith("ABX at 1A cannot be filled")


def test_whatif_blocks(environment: Mapping[str, str], tmp_path: Path) -> None:
    grid = Path(__file__).parents[2] / "puzzles" / "templates" / "9x9-01.txt"
    done = xwtui("whatif", grid, "blocks", "--time", "0", "--json", environment=environment)
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert set(found) == {"schema", "complete", "seconds", "changes"}
    best = found["changes"][0]
    assert best["fillability"] == "filled"
    assert best["added"] or best["removed"]
    assert best["log10"] > 0
    told = xwtui("whatif", grid, "blocks", "--max-words", "20", "--time", "0", environment=environment)
    assert " possible: " in told.stdout.splitlines()[0]


def test_whatif_themers(tmp_path: Path, words: Path, environment: Mapping[str, str]) -> None:
    grid = tmp_path / "grid.txt"
    grid.write_text("...\n...\n...\n")
    done = xwtui("whatif", grid, "themers", "ghi", "abc", "--words", words, "--json", environment=environment)
    best, worst = (json.loads(done.stdout)["changes"][number] for number in (0, -1))
    assert done.returncode == 0
    assert (best["answers"], best["fillability"]) == ({"1A": "ABC", "5A": "GHI"}, "filled")
    assert (worst["answers"], worst["fillability"]) == ({"1A": "GHI", "5A": "ABC"}, "impossible")
    none = xwtui("whatif", grid, "themers", "ABX", "--each", "--words", words, environment=environment)
    assert none.returncode == 1
    assert "1 possible: 0 with a fill found, 1 with none at all" in none.stdout
    listed = tmp_path / "themers.txt"
    listed.write_text("GHI\nCAB\nABC\n")
    chosen = ("themers", listed, "--choose", "2", "--words", words, "--json")
    found = json.loads(xwtui("whatif", grid, *chosen, environment=environment).stdout)
    assert found["changes"][0]["answers"] == {"1A": "ABC", "5A": "GHI"}


def test_whatif_heat(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    done = xwtui("whatif", mini, "heat", "--words", words, "--json", environment=environment)
    found = json.loads(done.stdout)
    assert (done.returncode, found["complete"]) == (0, True)
    assert set(found["squares"]) == {f"r{row}c{column}" for row in (2, 3) for column in (1, 2, 3)}
    assert all(0 <= square["heat"] <= 1 for square in found["squares"].values())
    drawn = xwtui("whatif", mini, "heat", "--words", words, environment=environment).stdout
    assert "    · · ·" in drawn.splitlines()
    assert drawn.splitlines()[-1] == "    0 easy … 9 hard, █ block, · given"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("why", TEMPLATE, "1A"), "which word at this entry"),
        (("why", TEMPLATE, "99A", "TEN"), "no entry '99A'"),
        (("whatif", TEMPLATE), "whatif needs to know what"),
        (("new", "15"), "as a verb, `new` is typed in `xwtui repl`"),
        (("snapshot", TEMPLATE, "save", "one"), "nothing would be kept: -o FILE"),
        (("whatif", TEMPLATE, "themers"), "Missing argument"),
        (("whatif", TEMPLATE, "themers", "ABC", "ABCDE"), "no symmetric entries across"),
        (("why", "nowhere.txt"), "nowhere.txt"),
    ],
)
def test_wrong_use_is_told(arguments: tuple[str | Path, ...], said: str, environment: Mapping[str, str]) -> None:
    done = xwtui(*arguments, environment=environment)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_ctrl_c_gives_what_there_is(environment: Mapping[str, str]) -> None:
    """Six answers of four letters go into the grid in more ways than anybody waits for."""
    answers = ("AREA", "IDEA", "OREO", "ALOE", "EASE", "IRIS")
    with Terminal("whatif", TEMPLATE, "themers", *answers, "--time", "0", environment=environment) as terminal:
        terminal.expect("looked at so far")
        terminal.interrupt()
        terminal.expect("   1. ")
        terminal.expect("not finished after")
        terminal.expect("stopped by Ctrl+C")
        assert terminal.end() == 130
    assert "Traceback" not in terminal.seen


def test_a_script_waits_for_its_questions(tmp_path: Path, words: Path, environment: Mapping[str, str]) -> None:
    script = tmp_path / "script.txt"
    script.write_text(
        f"new 3 3\nwords {words}\nset r1c1 X\nwhy\nfollow 1\nheat\nfindings\nwhatif blocks\nset 1A\n"
    )
    done = xwtui("run", script, environment=environment)
    told = done.stdout.splitlines()
    assert "the grid cannot be filled: 1 conflict" in told
    assert "done: change X at r1c1 to A" in told
    assert sum(line.startswith("hardest: ") for line in told) == 2
    assert "no block can be changed" in told
