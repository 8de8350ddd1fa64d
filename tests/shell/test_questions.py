"""`why` and `whatif`: answers, statuses, JSON, and what wrong use is told."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.shell.conftest import Run
from tests.shell.pseudo_terminal import Terminal

TEMPLATE = Path(__file__).parents[2] / "puzzles" / "templates" / "15x15-01.txt"


def test_whatif_blocks(run: Run, tmp_path: Path) -> None:
    grid = Path(__file__).parents[2] / "puzzles" / "templates" / "9x9-01.txt"
    done = run("whatif", grid, "blocks", "--time", "0", "--json")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert set(found) == {"schema", "complete", "seconds", "changes"}
    best = found["changes"][0]
    assert best["fillability"] == "filled"
    assert best["added"] or best["removed"]
    assert best["log10"] > 0
    told = run("whatif", grid, "blocks", "--max-words", "20", "--time", "0")
    assert " possible: " in told.stdout.splitlines()[0]


def test_the_best_of_listed_themers(run: Run, tmp_path: Path, words: Path) -> None:
    grid = tmp_path / "grid.txt"
    grid.write_text("...\n...\n...\n")
    listed = tmp_path / "themers.txt"
    listed.write_text("GHI\nCAB\nABC\n")
    chosen = ("themers", listed, "--choose", "2", "--words", words, "--json")
    found = json.loads(run("whatif", grid, *chosen).stdout)
    assert found["changes"][0]["answers"] == {"1A": "ABC", "5A": "GHI"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("why", TEMPLATE, "99A", "TEN"), "no entry '99A'"),
        (("whatif", TEMPLATE), "whatif needs more"),
        (("new", "15"), "`new` is a verb for the screen"),
        (
            ("snapshot", TEMPLATE, "save", "one"),
            "nothing would be saved: name the puzzle file to write with -o FILE",
        ),
        (("whatif", TEMPLATE, "themers"), "Missing argument"),
        (("whatif", TEMPLATE, "themers", "ABC", "ABCDE"), "no symmetric entries across"),
        (("why", "nowhere.txt"), "nowhere.txt"),
    ],
)
def test_wrong_use_is_told(run: Run, arguments: tuple[str | Path, ...], said: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
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
    done = run("run", script)
    told = done.stdout.splitlines()
    assert "the grid cannot be filled: 1 conflict" in told
    assert "done: change X at r1c1 to A" in told
    assert sum(line.startswith("hardest: ") for line in told) == 2
    assert "no block can change" in told
