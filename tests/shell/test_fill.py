"""Fills from the shell: plain, better, partial and several."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import puz
import pytest

from tests.shell.conftest import Run
from tests.shell.process import PATIENCE, command, xwtui, xwtui_process
from tests.writing import written
from xwtui.engine.budget import ALL_CORES, threads_of
from xwtui.formats.registry import read_puzzle
from xwtui.model import Ink, Position

WIDE = (
    "BAG;50",
    "ICE;60",
    "TEN;70",
    "BIT;55",
    "ACE;45",
    "GEN;50",
    "CAB;90",
    "ARE;80",
    "BED;90",
    "CAR;95",
    "ERE;20",
)
"""Two fills of a blank 3x3: BAG ICE TEN and BIT ACE GEN are one turned over."""


@pytest.fixture
def list_of_words(tmp_path: Path) -> Path:
    return written(tmp_path / "wide.txt", "\n".join(WIDE) + "\n")


@pytest.fixture
def blank(tmp_path: Path) -> Path:
    return written(tmp_path / "blank.txt", "...\n...\n...\n")


def found(environment: Mapping[str, str], *arguments: str | Path, status: int = 0) -> dict[str, Any]:
    """The one line of JSON that a command answers."""
    done = xwtui(*arguments, "--json", environment=environment, status=status)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1
    document = json.loads(done.stdout)
    assert isinstance(document, dict)
    return document


def test_improve_makes_a_faulty_fill_good_and_writes_it(
    tmp_path: Path, list_of_words: Path, environment: Mapping[str, str]
) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.ipuz"
    source.write_text("XXX\nXXX\nXXX\n")
    words = ("--words", list_of_words, "--min-score", "0", "--time", "60", "-o", target)
    refused = xwtui("improve", str(source), *map(str, words), environment=environment, status=2)
    assert "pencil all" in refused.stderr
    assert not target.exists()
    document = found(environment, "improve", source, *words, "--do", "pencil all", "--by", "lowest")
    assert (document["status"], document["mode"], document["proved"]) == ("filled", "improve", True)
    assert (document["lowest_score"], document["value"], document["gap"]) == (45, 45, 0)
    assert document["grid"] in (["BAG", "ICE", "TEN"], ["BIT", "ACE", "GEN"])
    grid = read_puzzle(target).grid
    assert [grid.answer(slot) for slot in grid.slots[:3]] == document["grid"]


def test_several_fills_go_to_files_of_their_own(
    blank: Path, tmp_path: Path, list_of_words: Path, environment: Mapping[str, str]
) -> None:
    """Only a file that would be written over is refused, and `out.txt` is none."""
    target = written(tmp_path / "out.txt", "Monday: rain.\n")
    options = ("--words", list_of_words, "--count", "3", "--differ", "40%", "-o", target)
    document = found(environment, "fill", blank, *options)
    assert (document["status"], document["wanted"], len(document["fills"])) == ("filled", 3, 2)
    assert "no other fill" in document["reason"]
    fills = [(tmp_path / f"out-{number}.txt").read_text().split() for number in (1, 2)]
    assert fills == [fill["grid"] for fill in document["fills"]]
    assert sorted(fills) == [["BAG", "ICE", "TEN"], ["BIT", "ACE", "GEN"]]
    assert not (tmp_path / "out-3.txt").exists()
    assert target.read_text() == "Monday: rain.\n"


def test_a_partial_fill_names_what_stopped_it(
    tmp_path: Path, list_of_words: Path, environment: Mapping[str, str]
) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text("Q..\n...\n...\n")
    options = ("--words", list_of_words, "--partial", "-o", target, "--force")
    document = found(environment, "fill", source, *options, status=1)
    assert document["status"] == "impossible"
    assert {"1A", "1D"} <= {one["entry"] for one in document["stopped"]}
    assert all(one["reason"] for one in document["stopped"])
    assert document["filled"] + document["open"] == 9
    assert target.read_text().split() == document["grid"]
    shown = xwtui("fill", str(source), *map(str, options), environment=environment)
    assert "  1A: no word fits Q??" in shown.stdout


FILLED = ["ABC", "DEF", "GHI"]


def fill_as_json(environment: Mapping[str, str], *arguments: str | Path, status: int = 0) -> dict[str, Any]:
    return found(environment, "fill", *arguments, status=status)


def test_the_times_are_parts_of_each_other(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    seconds = fill_as_json(environment, mini, "--words", words, "--seed", "7", "--threads", "1")["seconds"]
    assert 0 <= seconds["first_fill"] + seconds["better_words"] <= seconds["search"] + 1e-5 < seconds["total"]


def test_bars_are_told_beside_the_rows(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    found = fill_as_json(environment, mini, "--words", words, "--do", "bar r1c1 below", status=1)
    assert found["bars"] == [["r1c1", "r2c1"], ["r2c3", "r3c3"]]


def test_all_cores_search_unless_told_otherwise(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    found = fill_as_json(environment, mini, "--words", words)
    assert (found["threads"], found["grid"]) == (threads_of(ALL_CORES), FILLED)


def test_a_pipe_gets_a_grid_that_xwtui_reads_again(run: Run, mini: Path, words: Path) -> None:
    done = run("fill", mini, "--words", words)
    assert (done.returncode, done.stdout.split()) == (0, FILLED)
    assert done.stderr.startswith("filled: 6 entries, mean score 52.5, lowest 50")
    again = run("fill", "-", "--words", words, stdin=done.stdout)
    assert (again.returncode, again.stdout) == (0, done.stdout)


def test_rebus_squares_take_part(tmp_path: Path, environment: Mapping[str, str]) -> None:
    words, grid = tmp_path / "words.txt", tmp_path / "grid.txt"
    words.write_text("AHEARTC\nDEF\nGHI\nADG\nHEARTEH\nCFI\n")
    grid.write_text("A[HEART].\n...\n..#\n".replace("#", "."))
    found = fill_as_json(environment, grid, "--words", words)
    assert found["grid"] == ["A[HEART]C", "DEF", "GHI"]
    assert found["answers"]["1A"]["word"] == "AHEARTC"


def test_files_are_written_with_the_fill_in_pencil(run: Run, mini: Path, words: Path, tmp_path: Path) -> None:
    outputs = [tmp_path / "out.puz", tmp_path / "out.ipuz"]
    done = run("fill", mini, "--words", words, "-o", outputs[0], "-o", outputs[1], status=0)
    assert " 2 │ D  E  F │" in done.stdout
    assert "filled: 6 entries" in done.stdout
    assert puz.read(str(outputs[0])).solution == "ABCDEFGHI"
    grid = read_puzzle(outputs[1]).grid
    assert grid[Position(0, 0)].ink is Ink.PEN
    assert grid[Position(1, 0)].ink is Ink.PENCIL


def test_an_impossible_grid_is_status_1(run: Run, tmp_path: Path, words: Path) -> None:
    grid, out = tmp_path / "grid.txt", tmp_path / "out.txt"
    grid.write_text("X..\n...\n...\n")
    assert "impossible: " in run("fill", grid, "--words", words, "-o", out, status=1).stdout
    assert not out.exists()


def test_the_deadline_is_status_3(tmp_path: Path, environment: Mapping[str, str]) -> None:
    grid = written(tmp_path / "grid.txt", "\n".join(["." * 10] * 10))
    found = fill_as_json(environment, grid, "--time", "0.2", status=3)
    assert found["status"] == "unknown"
    done = xwtui("fill", grid, "--time", "0.2", environment=environment, status=3)
    assert (done.stdout, done.stderr.splitlines()[0][:8]) == ("", "unknown:")


def test_the_deadline_counts_neither_loading_nor_compiling(
    mini: Path, words: Path, environment: Mapping[str, str]
) -> None:
    """In a process that loads all anew."""
    done = xwtui_process("fill", mini, "--words", words, "--time", "0.02", "--json", environment=environment)
    found = json.loads(done.stdout)
    assert found["status"] == "filled"
    assert found["seconds"]["load"] + found["seconds"]["compile"] > 0.02


def test_one_seed_gives_one_fill(environment: Mapping[str, str]) -> None:
    template = Path(__file__).parents[2] / "puzzles" / "templates" / "15x15-01.txt"
    first, again, other = (
        fill_as_json(environment, template, "--threads", "1", "--seed", seed)["grid"] for seed in ("1", "1", "2")
    )
    assert first == again
    assert first != other


def test_layers_the_first_list_decides(
    mini: Path, words: Path, tmp_path: Path, environment: Mapping[str, str]
) -> None:
    first = written(tmp_path / "first.txt", "DEF;90\n")
    found = fill_as_json(environment, mini, "--words", first, "--words", words)
    assert found["answers"]["4A"]["score"] == 90


def test_bad_lines_of_a_list_are_told_and_skipped(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    with words.open("a") as file:
        file.write("жук;50\n")
    done = xwtui_process("fill", mini, "--words", words.name, environment=environment, folder=words.parent)
    assert done.returncode == 0
    assert "words.txt: skipped line 10: " in done.stderr


@pytest.mark.parametrize("out", ["nowhere/out.puz", "out"])
def test_an_output_that_cannot_be_is_told_before_the_search(
    run: Run, out: str, mini: Path, words: Path, tmp_path: Path
) -> None:
    done = run("fill", mini, "--words", words, "-o", tmp_path / out)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


def test_what_a_format_cannot_hold_is_an_error_and_the_fill_is_shown_all_the_same(
    run: Run, words: Path, tmp_path: Path
) -> None:
    grid, out = tmp_path / "grid.txt", tmp_path / "out.puz"
    grid.write_text("A[B/B]C\n...\n...\n".replace("[B/B]", "[BE/B]"))
    words.write_text("ABEC\nDEF\nGHI\nADG\nBEH\nCFI\n")
    done = run("fill", grid, "--words", words, "-o", out, status=2)
    assert "r1c2" in done.stderr
    assert "┌─" in done.stdout
    assert not out.exists()
    assert "r1c2" in run("fill", grid, "--words", words, "-o", out, "--lossy", status=0).stderr
    assert out.exists()


def test_a_reader_that_goes_away_is_no_error(environment: Mapping[str, str]) -> None:
    template = Path(__file__).parents[2] / "puzzles" / "templates" / "15x15-01.txt"
    process = subprocess.Popen(
        command("fill", template), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(environment)
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    complaints = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(PATIENCE) == 141
    assert "Traceback" not in complaints
    assert "Broken pipe" not in complaints
    assert "Exception ignored" not in complaints
