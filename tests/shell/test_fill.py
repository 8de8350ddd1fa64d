"""Fills from the shell: plain, improved, partial and several; `fill --strategy` and `race`."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import puz
import pytest

from bench.check_proof import check
from tests.shell.conftest import Run, Told
from tests.shell.process import PATIENCE, Terminal, command, xwtui, xwtui_process
from tests.writing import written
from xwtui.engine.budget import ALL_CORES, threads_of
from xwtui.engine.events.event import EventKind
from xwtui.formats.registry import read_puzzle
from xwtui.formats.trace import read_trace
from xwtui.model import Ink, Position
from xwtui.strategies.registry import STRATEGIES

WIDE = "BAG;50\nICE;60\nTEN;70\nBIT;55\nACE;45\nGEN;50\nCAB;90\nARE;80\nBED;90\nCAR;95\nERE;20\n"
"""Two fills of a blank 3x3: BAG ICE TEN and its transpose BIT ACE GEN."""


@pytest.fixture
def list_of_words(tmp_path: Path) -> Path:
    return written(tmp_path / "wide.txt", WIDE)


@pytest.fixture
def blank(tmp_path: Path) -> Path:
    return written(tmp_path / "blank.txt", "...\n...\n...\n")


def test_improve_repairs_an_illegal_fill_and_writes_it(
    told: Told, tmp_path: Path, list_of_words: Path, environment: Mapping[str, str]
) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.ipuz"
    source.write_text("XXX\nXXX\nXXX\n")
    words = ("--words", list_of_words, "--min-score", "0", "--time", "60", "-o", target)
    refused = xwtui("improve", str(source), *map(str, words), environment=environment, status=2)
    assert "pencil all" in refused.stderr
    assert not target.exists()
    document = told("improve", source, *words, "--do", "pencil all", "--by", "lowest")
    assert (document["status"], document["mode"], document["proved"]) == ("filled", "improve", True)
    assert (document["lowest_score"], document["value"], document["gap"]) == (45, 45, 0)
    assert document["grid"] in (["BAG", "ICE", "TEN"], ["BIT", "ACE", "GEN"])
    grid = read_puzzle(target).grid
    assert [grid.answer(slot) for slot in grid.slots[:3]] == document["grid"]


def test_several_fills_are_written_to_separate_files(
    told: Told, blank: Path, tmp_path: Path, list_of_words: Path
) -> None:
    """Only files that would be overwritten are refused, and `out.txt` is not one of them."""
    target = written(tmp_path / "out.txt", "Monday: rain.\n")
    options = ("--words", list_of_words, "--count", "3", "--differ", "40%", "-o", target)
    document = told("fill", blank, *options)
    assert (document["status"], document["wanted"], len(document["fills"])) == ("filled", 3, 2)
    assert "no other fill" in document["reason"]
    fills = [(tmp_path / f"out-{number}.txt").read_text().split() for number in (1, 2)]
    assert fills == [fill["grid"] for fill in document["fills"]]
    assert sorted(fills) == [["BAG", "ICE", "TEN"], ["BIT", "ACE", "GEN"]]
    assert not (tmp_path / "out-3.txt").exists()
    assert target.read_text() == "Monday: rain.\n"


def test_a_partial_fill_names_its_obstacle(
    told: Told, tmp_path: Path, list_of_words: Path, environment: Mapping[str, str]
) -> None:
    source, target = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text("Q..\n...\n...\n")
    options = ("--words", list_of_words, "--partial", "-o", target, "--force")
    document = told("fill", source, *options, status=1)
    assert document["status"] == "impossible"
    assert {"1A", "1D"} <= {one["entry"] for one in document["stopped"]}
    assert all(one["reason"] for one in document["stopped"])
    assert document["filled"] + document["open"] == 9
    assert target.read_text().split() == document["grid"]
    shown = xwtui("fill", str(source), *map(str, options), environment=environment)
    assert "  1A: no word fits Q??" in shown.stdout


FILLED = ["ABC", "DEF", "GHI"]


def test_reported_times_are_consistent(told: Told, mini: Path, words: Path) -> None:
    seconds = told("fill", mini, "--words", words, "--seed", "7", "--threads", "1")["seconds"]
    assert 0 <= seconds["first_fill"] + seconds["better_words"] <= seconds["search"] + 1e-5 < seconds["total"]


def test_bars_are_listed_with_the_rows(told: Told, mini: Path, words: Path) -> None:
    found = told("fill", mini, "--words", words, "--do", "bar r1c1 below", status=1)
    assert found["bars"] == [["r1c1", "r2c1"], ["r2c3", "r3c3"]]


def test_all_cores_search_by_default(told: Told, mini: Path, words: Path) -> None:
    found = told("fill", mini, "--words", words)
    assert (found["threads"], found["grid"]) == (threads_of(ALL_CORES), FILLED)


def test_a_pipe_gets_a_grid_that_xwtui_can_read(run: Run, mini: Path, words: Path) -> None:
    done = run("fill", mini, "--words", words)
    assert (done.returncode, done.stdout.split()) == (0, FILLED)
    assert done.stderr.startswith("filled: 6 entries, mean score 52.5, lowest 50")
    again = run("fill", "-", "--words", words, stdin=done.stdout)
    assert (again.returncode, again.stdout) == (0, done.stdout)


def test_rebus_squares_are_filled(told: Told, tmp_path: Path) -> None:
    words, grid = tmp_path / "words.txt", tmp_path / "grid.txt"
    words.write_text("AHEARTC\nDEF\nGHI\nADG\nHEARTEH\nCFI\n")
    grid.write_text("A[HEART].\n...\n..#\n".replace("#", "."))
    found = told("fill", grid, "--words", words)
    assert found["grid"] == ["A[HEART]C", "DEF", "GHI"]
    assert found["answers"]["1A"]["word"] == "AHEARTC"


def test_files_have_the_fill_in_pencil(run: Run, mini: Path, words: Path, tmp_path: Path) -> None:
    outputs = [tmp_path / "out.puz", tmp_path / "out.ipuz"]
    done = run("fill", mini, "--words", words, "-o", outputs[0], "-o", outputs[1], status=0)
    assert " 2 │ D  E  F │" in done.stdout
    assert "filled: 6 entries" in done.stdout
    assert puz.read(str(outputs[0])).solution == "ABCDEFGHI"
    grid = read_puzzle(outputs[1]).grid
    assert grid[Position(0, 0)].ink is Ink.PEN
    assert grid[Position(1, 0)].ink is Ink.PENCIL


def test_an_impossible_grid_exits_with_1(run: Run, tmp_path: Path, words: Path) -> None:
    grid, out = tmp_path / "grid.txt", tmp_path / "out.txt"
    grid.write_text("X..\n...\n...\n")
    assert "impossible: " in run("fill", grid, "--words", words, "-o", out, status=1).stdout
    assert not out.exists()


def test_the_deadline_exits_with_3(told: Told, tmp_path: Path, environment: Mapping[str, str]) -> None:
    grid = written(tmp_path / "grid.txt", "\n".join(["." * 10] * 10))
    found = told("fill", grid, "--time", "0.2", status=3)
    assert found["status"] == "unknown"
    done = xwtui("fill", grid, "--time", "0.2", environment=environment, status=3)
    assert (done.stdout, done.stderr.splitlines()[0][:8]) == ("", "unknown:")


LOADS_SLOWLY = """
import threading, time
late, counter, monotonic = [0.0], time.perf_counter, time.monotonic
time.perf_counter, time.monotonic = lambda: counter() + late[0], lambda: monotonic() + late[0]
from xwtui.engine import warmup
from xwtui.session.jobs.word_loader import VocabularyRequest
def slowly(work):
    def do(*given, **named):
        late[0] += 1000
        return work(*given, **named)
    return do
VocabularyRequest.load, warmup.make_ready = slowly(VocabularyRequest.load), slowly(warmup.make_ready)
from xwtui.start import main
main()
"""
"""The program with a clock on which loading the words and each part of the engine takes a thousand seconds."""


def test_the_deadline_excludes_loading_and_compiling(
    mini: Path, words: Path, environment: Mapping[str, str]
) -> None:
    """In a new process that loads everything."""
    given = [str(part) for part in ("fill", mini, "--words", words, "--time", 600, "--json")]
    done = subprocess.run(
        [sys.executable, "-c", LOADS_SLOWLY, *given],
        env=dict(environment),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    found = json.loads(done.stdout)
    assert found["status"] == "filled"
    assert found["seconds"]["load"] + found["seconds"]["compile"] > 600


def test_a_seed_is_reproducible(told: Told) -> None:
    template = Path(__file__).parents[2] / "puzzles" / "templates" / "15x15-01.txt"
    first, again, other = (
        told("fill", template, "--threads", "1", "--seed", seed)["grid"] for seed in ("1", "1", "2")
    )
    assert first == again
    assert first != other


def test_the_first_list_takes_precedence(told: Told, mini: Path, words: Path, tmp_path: Path) -> None:
    first = written(tmp_path / "first.txt", "DEF;90\n")
    found = told("fill", mini, "--words", first, "--words", words)
    assert found["answers"]["4A"]["score"] == 90


def test_bad_lines_of_a_list_are_reported_and_skipped(
    mini: Path, words: Path, environment: Mapping[str, str]
) -> None:
    with words.open("a") as file:
        file.write("жук;50\n")
    done = xwtui_process("fill", mini, "--words", words, environment=environment, status=0)
    assert "words.txt: skipped line 10: " in done.stderr


@pytest.mark.parametrize("out", ["nowhere/out.puz", "out"])
def test_an_impossible_output_is_refused_before_the_search(
    run: Run, out: str, mini: Path, words: Path, tmp_path: Path
) -> None:
    done = run("fill", mini, "--words", words, "-o", tmp_path / out)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


def test_an_unrepresentable_fill_is_an_error_but_still_printed(run: Run, words: Path, tmp_path: Path) -> None:
    grid, out = tmp_path / "grid.txt", tmp_path / "out.puz"
    grid.write_text("A[B/B]C\n...\n...\n".replace("[B/B]", "[BE/B]"))
    words.write_text("ABEC\nDEF\nGHI\nADG\nBEH\nCFI\n")
    done = run("fill", grid, "--words", words, "-o", out, status=2)
    assert "r1c2" in done.stderr
    assert "┌─" in done.stdout
    assert not out.exists()
    assert "r1c2" in run("fill", grid, "--words", words, "-o", out, "--lossy", status=0).stderr
    assert out.exists()


def test_a_closed_output_pipe_is_not_an_error(environment: Mapping[str, str]) -> None:
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


def test_a_trace_is_written_and_listed_without_words(run: Run, mini: Path, words: Path, tmp_path: Path) -> None:
    trace = tmp_path / "mini.trace"
    plain = run("fill", mini, "--words", words, "--seed", "3", "--threads", "1")
    traced = run("fill", mini, "--words", words, "--seed", "3", "--trace", trace)
    assert (traced.returncode, traced.stdout) == (0, plain.stdout)
    command = ("fill", mini, "--words", words, "--seed", "3", "--trace", trace, "-o", tmp_path / "out.ipuz")
    refused = run(*command, status=2)
    assert f"{trace} already exists: choose another name, or --force overwrites it" in refused.stderr
    assert not (tmp_path / "out.ipuz").exists()
    for _ in range(2):
        run(*command, "--force", status=0)
    words.unlink()
    lines = run("watch", trace, status=0).stdout.splitlines()
    assert [int(line.split()[0]) for line in lines] == list(range(1, len(lines) + 1))
    assert "solved" in lines[-1]


def test_an_unwritable_trace_is_reported(run: Run, mini: Path, words: Path, tmp_path: Path) -> None:
    done = run("fill", mini, "--words", words, "--trace", tmp_path / "no" / "a.trace", status=2)
    assert "cannot be written" in done.stderr


COMPLETE = ["xwtui", "emogic-letters", "emogic-words:walk=random", "trie:order=fewest", "sorted-index"]


def test_listing_strategies_needs_no_grid(run: Run) -> None:
    told = run("fill", "--strategy", "list", "--json", status=0)
    assert [one["name"] for one in json.loads(told.stdout)["strategies"]] == list(STRATEGIES)


@pytest.mark.parametrize("strategy", COMPLETE)
def test_all_fills_are_counted(told: Told, blank: Path, words: Path, strategy: str) -> None:
    found = told("fill", blank, "--words", words, "--strategy", strategy, "--all")
    assert (found["status"], found["fills"], found["all_fills"]) == ("filled", 2, True)
    assert found["strategy"].startswith(strategy)
    assert ("placements" in found) == STRATEGIES[strategy.partition(":")[0]].places_letters
    assert found["nodes"] > 0
    assert "reason" not in found


def test_the_answer_names_the_proof_file(told: Told, blank: Path, words: Path, tmp_path: Path) -> None:
    few, proof = tmp_path / "few.txt", tmp_path / "none.proof"
    few.write_text("ABC\nDEF\nGHI\nADG\nBEX\nCFX\n")
    found = told("fill", blank, "--words", few, "--proof", proof, status=1)
    assert (found["status"], found["proof"]) == ("impossible", str(proof))
    assert check(blank.read_text(), few.read_text(), proof.read_text().splitlines()) >= 1
    proof.unlink()
    assert told("fill", blank, "--words", words, "--proof", str(proof))["proof"] is None
    assert not proof.exists()


def test_a_strategys_trace_can_be_written(told: Told, blank: Path, words: Path, tmp_path: Path) -> None:
    path = tmp_path / "search.trace"
    found = told("fill", blank, "--words", words, "--strategy", "emogic-letters", "--all", "--trace", str(path))
    head, events = read_trace(path)
    kinds = [event.kind for event in events]
    assert head.strategy == "emogic-letters"
    assert kinds.count(EventKind.DECIDE) == found["nodes"] == found["placements"]
    assert kinds.count(EventKind.SOLVED) == found["fills"] == 2


CLASSIC = "emogic-letters,trie"
ENDLESS = "\n".join(["." * 10] * 10)


def test_a_race_outputs_one_json_object_and_files(mini: Path, words: Path, tmp_path: Path, run: Run) -> None:
    files = [tmp_path / f"race.{suffix}" for suffix in ("json", "csv", "svg")]
    outputs = [part for path in files for part in ("-o", path)]
    done = run(
        *("race", mini, "--words", words, "--strategies", CLASSIC, "--seeds", "2", "--time", "600", "--json"),
        *outputs,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["status"] == "filled"
    assert [one["strategy"] for one in found["strategies"]] == CLASSIC.split(",")
    assert all(one["settled"] == 2 and not one["failures"] for one in found["strategies"])
    assert all(run["grid"] == ["ABC", "DEF", "GHI"] for run in found["runs"])
    assert found["seconds"].keys() == {"load", "compile", "race", "total"}
    assert done.stderr.count("filled after") == 4
    assert json.loads(files[0].read_text()) == {
        key: one for key, one in found.items() if key not in ("schema", "seconds")
    }
    assert all(path.stat().st_size for path in files)


def test_without_a_fill_the_status_reports_what_is_known(run: Run, words: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "none.txt", "AB.\n..Z\n...\n")
    done = run("race", path, "--words", words, "--strategies", CLASSIC, "--seeds", "3", "--time", "600", status=1)
    assert "3/3" in done.stdout
    path.write_text("...\n...\n...\n")
    refused = run(
        *("race", path, "--words", words, "--strategies", "double-trie", "--time", "0.000001", "--seeds", "1")
    )
    assert refused.returncode == 3
    assert "1 out of time" in refused.stdout


def test_ctrl_c_ends_the_race_with_the_summary_so_far(tmp_path: Path, environment: Mapping[str, str]) -> None:
    path = written(tmp_path / "endless.txt", ENDLESS)
    with Terminal(
        "race", path, "--strategies", CLASSIC, "--time", "100000", "--seeds", "2", environment=environment
    ) as terminal:
        terminal.expect("running")
        terminal.interrupt()
        terminal.expect("2 stopped")
        terminal.expect("stopped by Ctrl+C: this is the race so far")
        assert terminal.end() == 130
    assert "Traceback" not in terminal.seen
    assert "KeyboardInterrupt" not in terminal.seen


def test_ctrl_c_ends_a_race_in_the_repl_with_the_summary_and_the_prompt(
    tmp_path: Path, environment: Mapping[str, str]
) -> None:
    path = written(tmp_path / "endless.txt", ENDLESS)
    with Terminal("repl", path, environment=environment) as terminal:
        terminal.expect("endless.txt>")
        terminal.press("race emogic-letters --seeds 3 --time 80000\r")
        terminal.expect("0 of 3 runs over")
        terminal.interrupt()
        terminal.expect("3 stopped")
        terminal.expect("endless.txt>")
        terminal.press("\x04")
        assert terminal.end() == 0
    assert "Traceback" not in terminal.seen
