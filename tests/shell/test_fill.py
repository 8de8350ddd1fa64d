"""`xwtui fill` as a process: statuses, JSON, files, pipes."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import puz
import pytest

from tests.shell.process import PATIENCE, command, xwtui, xwtui_process
from xwtui.engine.budget import ALL_CORES, threads_of
from xwtui.formats.registry import read_puzzle
from xwtui.model import Ink, Position

KEYS = {
    "schema",
    "status",
    "grid",
    "answers",
    "seconds",
    "nodes",
    "backtracks",
    "restarts",
    "mean_score",
    "lowest_score",
    "seed",
    "threads",
}
FILLED = ["ABC", "DEF", "GHI"]


def fill_as_json(environment: Mapping[str, str], *arguments: str | Path, status: int = 0) -> dict[str, Any]:
    done = xwtui("fill", *arguments, "--json", environment=environment)
    assert done.returncode == status, done.stderr
    assert done.stdout.count("\n") == 1
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def test_json_is_one_object_with_the_agreed_keys(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    found = fill_as_json(environment, mini, "--words", words, "--seed", "7", "--threads", "1")
    assert set(found) == KEYS
    assert (found["status"], found["grid"]) == ("filled", FILLED)
    assert found["answers"]["4A"] == {"word": "DEF", "score": 51}
    assert set(found["answers"]) == {"1A", "4A", "5A", "1D", "2D", "3D"}
    seconds = found["seconds"]
    assert set(seconds) == {"load", "compile", "layout", "search", "first_fill", "better_words", "total"}
    assert 0 <= seconds["first_fill"] + seconds["better_words"] <= seconds["search"] + 1e-5 < seconds["total"]
    assert (found["mean_score"], found["lowest_score"]) == (52.5, 50)
    assert (found["seed"], found["threads"]) == (7, 1)


def test_bars_are_told_beside_the_rows(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    found = fill_as_json(environment, mini, "--words", words, "--do", "bar r1c1 below", status=1)
    assert found["bars"] == [["r1c1", "r2c1"], ["r2c3", "r3c3"]]


def test_all_cores_search_unless_told_otherwise(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    found = fill_as_json(environment, mini, "--words", words)
    assert (found["threads"], found["grid"]) == (threads_of(ALL_CORES), FILLED)


def test_progress_stays_off_what_is_no_terminal(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    done = xwtui("fill", mini, "--words", words, "--json", environment=environment)
    assert done.stderr == ""


def test_a_pipe_gets_a_grid_that_xwtui_reads_again(
    mini: Path, words: Path, environment: Mapping[str, str]
) -> None:
    done = xwtui("fill", mini, "--words", words, environment=environment)
    assert (done.returncode, done.stdout.split()) == (0, FILLED)
    assert done.stderr.startswith("filled: 6 entries, mean score 52.5, lowest 50")
    again = xwtui("fill", "-", "--words", words, environment=environment, stdin=done.stdout)
    assert (again.returncode, again.stdout) == (0, done.stdout)


def test_rebus_squares_take_part(tmp_path: Path, environment: Mapping[str, str]) -> None:
    words, grid = tmp_path / "words.txt", tmp_path / "grid.txt"
    words.write_text("AHEARTC\nDEF\nGHI\nADG\nHEARTEH\nCFI\n")
    grid.write_text("A[HEART].\n...\n..#\n".replace("#", "."))
    found = fill_as_json(environment, grid, "--words", words)
    assert found["grid"] == ["A[HEART]C", "DEF", "GHI"]
    assert found["answers"]["1A"]["word"] == "AHEARTC"


def test_files_are_written_with_the_fill_in_pencil(
    mini: Path, words: Path, tmp_path: Path, environment: Mapping[str, str]
) -> None:
    outputs = [tmp_path / "out.puz", tmp_path / "out.ipuz"]
    done = xwtui("fill", mini, "--words", words, "-o", outputs[0], "-o", outputs[1], environment=environment)
    assert done.returncode == 0, done.stderr
    assert " 2 │ D  E  F │" in done.stdout
    assert "filled: 6 entries" in done.stdout
    assert puz.read(str(outputs[0])).solution == "ABCDEFGHI"
    grid = read_puzzle(outputs[1]).grid
    assert grid[Position(0, 0)].ink is Ink.PEN
    assert grid[Position(1, 0)].ink is Ink.PENCIL


def test_an_impossible_grid_is_status_1(tmp_path: Path, words: Path, environment: Mapping[str, str]) -> None:
    grid, out = tmp_path / "grid.txt", tmp_path / "out.txt"
    grid.write_text("X..\n...\n...\n")
    done = xwtui("fill", grid, "--words", words, "-o", out, environment=environment)
    assert done.returncode == 1
    assert "impossible: " in done.stdout
    assert not out.exists()
    found = fill_as_json(environment, grid, "--words", words, status=1)
    assert set(found) == KEYS | {"reason"}
    assert (found["status"], found["grid"]) == ("impossible", ["X..", "...", "..."])


def test_the_deadline_is_status_3(tmp_path: Path, environment: Mapping[str, str]) -> None:
    grid = tmp_path / "grid.txt"
    grid.write_text("\n".join(["." * 10] * 10))
    found = fill_as_json(environment, grid, "--time", "0.2", status=3)
    assert found["status"] == "unknown"
    done = xwtui("fill", grid, "--time", "0.2", environment=environment)
    assert done.returncode == 3
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


def test_the_lowest_score_is_kept(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    found = fill_as_json(environment, mini, "--words", words, "--min-score", "52", status=1)
    assert found["status"] == "impossible"


def test_layers_the_first_list_decides(
    mini: Path, words: Path, tmp_path: Path, environment: Mapping[str, str]
) -> None:
    first = tmp_path / "first.txt"
    first.write_text("DEF;90\n")
    found = fill_as_json(environment, mini, "--words", first, "--words", words)
    assert found["answers"]["4A"]["score"] == 90


def test_repeats_are_refused_unless_allowed(tmp_path: Path, environment: Mapping[str, str]) -> None:
    words, grid = tmp_path / "words.txt", tmp_path / "grid.txt"
    words.write_text("AAA\n")
    grid.write_text("...\n...\n...\n")
    assert fill_as_json(environment, grid, "--words", words, status=1)["status"] == "impossible"
    found = fill_as_json(environment, grid, "--words", words, "--allow-repeats")
    assert found["grid"] == ["AAA", "AAA", "AAA"]


def test_bad_lines_of_a_list_are_told_and_skipped(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    with words.open("a") as file:
        file.write("жук;50\n")
    done = xwtui_process("fill", mini, "--words", words.name, environment=environment, folder=words.parent)
    assert done.returncode == 0
    assert "words.txt: skipped line 10: " in done.stderr


@pytest.mark.parametrize("out", ["nowhere/out.puz", "out"])
def test_an_output_that_cannot_be_is_told_before_the_search(
    out: str, mini: Path, words: Path, tmp_path: Path, environment: Mapping[str, str]
) -> None:
    done = xwtui("fill", mini, "--words", words, "-o", tmp_path / out, environment=environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


def test_what_a_format_cannot_hold_is_an_error_and_the_fill_is_shown_all_the_same(
    words: Path, tmp_path: Path, environment: Mapping[str, str]
) -> None:
    grid, out = tmp_path / "grid.txt", tmp_path / "out.puz"
    grid.write_text("A[B/B]C\n...\n...\n".replace("[B/B]", "[BE/B]"))
    words.write_text("ABEC\nDEF\nGHI\nADG\nBEH\nCFI\n")
    done = xwtui("fill", grid, "--words", words, "-o", out, environment=environment)
    assert done.returncode == 2
    assert "r1c2" in done.stderr
    assert "┌─" in done.stdout
    assert not out.exists()
    lossy = xwtui("fill", grid, "--words", words, "-o", out, "--lossy", environment=environment)
    assert lossy.returncode == 0
    assert "r1c2" in lossy.stderr
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
