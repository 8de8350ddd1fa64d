"""`fill --strategy` and `race` from the shell."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bench.check_proof import check
from tests.shell.conftest import Run
from tests.shell.process import user_folders, xwtui
from tests.shell.pseudo_terminal import Terminal
from tests.writing import written
from xwtui.engine.events.event import EventKind
from xwtui.formats.trace import read_trace
from xwtui.strategies.registry import STRATEGIES


def test_a_fill_is_written_down_and_listed_without_words(
    run: Run, mini: Path, words: Path, tmp_path: Path
) -> None:
    trace = tmp_path / "mini.trace"
    plain = run("fill", mini, "--words", words, "--seed", "3", "--threads", "1")
    traced = run("fill", mini, "--words", words, "--seed", "3", "--trace", trace)
    assert (traced.returncode, traced.stdout) == (0, plain.stdout)
    command = ("fill", mini, "--words", words, "--seed", "3", "--trace", trace, "-o", tmp_path / "out.ipuz")
    refused = run(*command, status=2)
    assert f"{trace} already exists: choose another name, or --force overwrites it" in refused.stderr
    assert not (tmp_path / "out.ipuz").exists()
    for _ in range(2):
        assert run(*command, "--force").returncode == 0
    words.unlink()
    lines = run("watch", trace, status=0).stdout.splitlines()
    assert [int(line.split()[0]) for line in lines] == list(range(1, len(lines) + 1))
    assert "solved" in lines[-1]


def test_what_cannot_be_traced_or_watched_is_told(run: Run, mini: Path, words: Path, tmp_path: Path) -> None:
    for arguments, why in (
        (("fill", mini, "--trace", tmp_path / "a.trace", "--threads", "2"), "--trace records only one plain fill"),
        (("fill", mini, "--trace", tmp_path / "a.trace", "--best"), "--trace records only one plain fill"),
        (("fill", mini, "--words", words, "--trace", tmp_path / "no" / "a.trace"), "cannot be written"),
        (("watch", tmp_path / "none.trace"), "none.trace cannot be read"),
        (("watch", words), "not JSON"),
    ):
        done = run(*arguments, status=2)
        assert why in done.stderr
        assert len(done.stderr.splitlines()) <= 4


COMPLETE = ["xwtui", "emogic-letters", "emogic-words:walk=random", "trie:order=fewest", "sorted-index"]


def fill(grid: Path, words: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return xwtui("fill", grid, "--words", words, *arguments, environment=user_folders(grid.parent / "home"))


def fill_as_json(grid: Path, words: Path, *arguments: str) -> dict[str, Any]:
    done = fill(grid, words, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


@pytest.fixture
def blank(tmp_path: Path) -> Path:
    return written(tmp_path / "blank.txt", "...\n...\n...\n")


def test_the_list_needs_no_grid(tmp_path: Path) -> None:
    environment = user_folders(tmp_path / "home")
    told = xwtui("fill", "--strategy", "list", environment=environment, status=0)
    named = [line.partition(":")[0] for line in told.stdout.splitlines() if not line.startswith(" ")]
    assert named == list(STRATEGIES)
    as_json = xwtui("fill", "--strategy", "list", "--json", environment=environment)
    assert [one["name"] for one in json.loads(as_json.stdout)["strategies"]] == named
    assert "GRID" in xwtui("fill", "--strategy", "top-ten", environment=environment, status=2).stderr


@pytest.mark.parametrize("strategy", COMPLETE)
def test_all_fills_are_counted(blank: Path, words: Path, strategy: str) -> None:
    found = fill_as_json(blank, words, "--strategy", strategy, "--all")
    assert (found["status"], found["fills"], found["all_fills"]) == ("filled", 2, True)
    assert found["strategy"].startswith(strategy)
    assert ("placements" in found) == STRATEGIES[strategy.partition(":")[0]].places_letters
    assert found["nodes"] > 0
    assert "reason" not in found


def test_the_answer_says_where_the_proof_is(blank: Path, words: Path, tmp_path: Path) -> None:
    few, proof = tmp_path / "few.txt", tmp_path / "none.proof"
    few.write_text("ABC\nDEF\nGHI\nADG\nBEX\nCFX\n")
    told = fill(blank, few, "--proof", str(proof), "--json")
    found = json.loads(told.stdout)
    assert (told.returncode, found["status"], found["proof"]) == (1, "impossible", str(proof))
    assert check(blank.read_text(), few.read_text(), proof.read_text().splitlines()) >= 1
    proof.unlink()
    assert fill_as_json(blank, words, "--proof", str(proof))["proof"] is None
    assert not proof.exists()


def test_what_a_strategy_does_can_be_written_down(blank: Path, words: Path, tmp_path: Path) -> None:
    path = tmp_path / "search.trace"
    found = fill_as_json(blank, words, "--strategy", "emogic-letters", "--all", "--trace", str(path))
    head, events = read_trace(path)
    kinds = [event.kind for event in events]
    assert head.strategy == "emogic-letters"
    assert kinds.count(EventKind.DECIDE) == found["nodes"] == found["placements"]
    assert kinds.count(EventKind.SOLVED) == found["fills"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--strategy", "emogc-letters"], "did you mean emogic-letters?"),
        (
            ["--strategy", "emogic-letters:walk=zigzag"],
            "walk is sik-sak, straight, switch, snake, slalom or",
        ),
    ],
)
def test_wrong_use_is_told(blank: Path, words: Path, arguments: list[str], message: str) -> None:
    done = fill(blank, words, *arguments)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())


CLASSIC = "emogic-letters,trie"
ENDLESS = "\n".join(["." * 10] * 10)


def test_the_race_is_one_json_object_and_files(
    mini: Path, words: Path, tmp_path: Path, environment: Mapping[str, str]
) -> None:
    files = [tmp_path / f"race.{suffix}" for suffix in ("json", "csv", "svg")]
    outputs = [part for path in files for part in ("-o", path)]
    done = xwtui(
        *("race", mini, "--words", words, "--strategies", CLASSIC, "--seeds", "2", "--time", "600", "--json"),
        *outputs,
        environment=environment,
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


def test_without_a_fill_the_status_says_what_is_known(run: Run, words: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "none.txt", "AB.\n..Z\n...\n")
    done = run("race", path, "--words", words, "--strategies", CLASSIC, "--seeds", "3", "--time", "600", status=1)
    assert "3/3" in done.stdout
    path.write_text("...\n...\n...\n")
    refused = run(
        *("race", path, "--words", words, "--strategies", "double-trie", "--time", "0.000001", "--seeds", "1"),
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
