"""`xwtui race` as a process: what it prints and writes, how it ends, and Ctrl+C."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.shell.conftest import Run
from tests.shell.process import xwtui
from tests.shell.pseudo_terminal import Terminal

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
    path = tmp_path / "none.txt"
    path.write_text("AB.\n..Z\n...\n")
    done = run("race", path, "--words", words, "--strategies", CLASSIC, "--seeds", "3", "--time", "600")
    assert done.returncode == 1, done.stderr
    assert "3/3" in done.stdout
    path.write_text("...\n...\n...\n")
    refused = run(
        *("race", path, "--words", words, "--strategies", "double-trie", "--time", "0.000001", "--seeds", "1"),
    )
    assert refused.returncode == 3
    assert "1 out of time" in refused.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--time", "0"], "a race needs a time limit"),
        (["--strategies", "topten"], "did you mean top-ten"),
        (["-o", "race.txt"], "a race is saved as .json, .csv, .svg"),
        (["--seed", "4294967295", "--seeds", "2"], "use a smaller --seed"),
        (["--seeds", "0"], "--seeds"),
    ],
)
def test_wrong_use_is_told_before_anything_runs(
    run: Run, mini: Path, words: Path, arguments: list[str], said: str
) -> None:
    done = run("race", mini, "--words", words, *arguments)
    assert done.returncode == 2
    assert said in done.stderr


def test_ctrl_c_ends_the_race_with_the_summary_so_far(tmp_path: Path, environment: Mapping[str, str]) -> None:
    path = tmp_path / "endless.txt"
    path.write_text(ENDLESS)
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
    path = tmp_path / "endless.txt"
    path.write_text(ENDLESS)
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
