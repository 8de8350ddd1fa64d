"""The terminal is closed, or SIGTERM comes: what was found is written and kept, and the status says which."""

import json
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.interrupting import with_signals, without_signals
from tests.shell.process import PATIENCE, command, xwtui
from tests.shell.pseudo_terminal import Terminal
from xwtui.formats.registry import read_puzzle
from xwtui.model import Puzzle
from xwtui.resources import puzzles_folder
from xwtui.session.recovery import find_recoveries


@pytest.fixture
def template() -> Path:
    """A grid of which no search for the best fill comes to an end in the life of a test."""
    return puzzles_folder() / "templates" / "15x15-01.txt"


def test_a_closed_terminal_leaves_the_best_fill_in_its_file(
    template: Path, tmp_path: Path, environment: Mapping[str, str]
) -> None:
    out = tmp_path / "out.ipuz"
    with Terminal("fill", template, "--best", "--time", "0", "-o", out, environment=environment) as terminal:
        terminal.expect("lowest ")
        assert terminal.close() == 128 + signal.SIGHUP
    assert read_puzzle(out).grid.is_filled


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_json_goes_where_stdout_goes_when_the_terminal_is_closed(
    number: signal.Signals, template: Path, tmp_path: Path, environment: Mapping[str, str]
) -> None:
    told = tmp_path / "told.json"
    with (
        told.open("wb") as stdout,
        Terminal(
            "fill", template, "--best", "--time", "0", "--json", environment=environment, stdout=stdout
        ) as terminal,
    ):
        terminal.expect("lowest ")
        if number == signal.SIGHUP:
            status = terminal.close()
        else:
            terminal.process.send_signal(number)
            status = terminal.end()
    assert status == 128 + number
    assert json.loads(told.read_text())["status"] == "filled"


def started(*arguments: str | Path, environment: Mapping[str, str]) -> subprocess.Popen[str]:
    """A process on its way: wait for what it prints first."""
    return subprocess.Popen(
        with_signals(command(*arguments)),
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_sigterm_while_it_compiles_is_said_in_a_line(tmp_path: Path, environment: Mapping[str, str]) -> None:
    (tmp_path / "grid.txt").write_text("...\n...\n...\n")
    cold = {**environment, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    process = started("fill", tmp_path / "grid.txt", environment=cold)
    deadline = time.monotonic() + PATIENCE
    while not any((tmp_path / "cache").rglob("*.kernel")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.terminate()
    out, error = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (143, "")
    compiling = "compiling the fill engine, only once on this machine; all of the engine takes about half a minute"
    assert error == f"xwtui: {compiling}\nxwtui: stopped by SIGTERM\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_script_that_is_ended_keeps_its_work_and_the_better_fill(
    number: signal.Signals, template: Path, tmp_path: Path, environment: Mapping[str, str]
) -> None:
    script = tmp_path / "script"
    script.write_text(f"open {template}\ntitle Kept\nfill --best --time 1000\nexport after.txt\n")
    with Terminal("run", script, environment=environment) as terminal:
        terminal.expect("lowest ")
        terminal.process.send_signal(number)
        assert terminal.end() == 128 + number
    said = [line for line in terminal.seen.splitlines() if "stopped by" in line]
    assert len(said) == 1
    assert "line 3: stopped by " in said[0]
    assert "Traceback" not in terminal.seen
    assert unsaved(environment).grid.is_filled


def unsaved(environment: Mapping[str, str]) -> Puzzle:
    """The puzzle in the journal that was left behind."""
    recoveries = find_recoveries(Path(environment["XDG_STATE_HOME"]) / "xwtui" / "journal")
    assert len(recoveries) == 1
    return recoveries[0].puzzle


@pytest.mark.parametrize("line", ["fill --best", ""], ids=["in a fill", "at the prompt"])
def test_a_repl_whose_terminal_is_closed_keeps_its_work(
    line: str, template: Path, environment: Mapping[str, str]
) -> None:
    with Terminal("repl", template, environment=environment) as terminal:
        terminal.expect("15x15-01.txt>")
        terminal.press("title Kept\r")
        terminal.expect("15x15-01.txt*>")
        if line:
            terminal.press(f"{line}\r")
            terminal.expect("lowest ")
        assert terminal.close() == 128 + signal.SIGHUP
    kept = unsaved(environment)
    assert kept.title == "Kept"
    assert kept.grid.is_filled == bool(line)


def test_nohup_keeps_a_search_going_without_its_terminal(
    mini: Path, words: Path, tmp_path: Path, environment: Mapping[str, str]
) -> None:
    out = tmp_path / "out.ipuz"
    deaf = without_signals(command("repl"), signal.SIGHUP, signal.SIGINT)
    lines = f"open {mini}\nwords {words}\nfill\nsave {out}\n"
    with subprocess.Popen(deaf, env=dict(environment), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(f"open {mini}\nstats\n".encode())
        process.stdin.flush()
        assert process.stdout is not None
        assert process.stdout.readline()
        for number in (signal.SIGHUP, signal.SIGINT):
            process.send_signal(number)
        process.communicate(lines.encode(), timeout=PATIENCE)
    assert process.returncode == 0
    assert read_puzzle(out).grid.is_filled


def test_a_fill_is_written_though_nobody_reads_the_output(
    mini: Path, words: Path, tmp_path: Path, environment: Mapping[str, str]
) -> None:
    out = tmp_path / "out.ipuz"
    process = started("fill", mini, "--words", words, "-o", out, environment=environment)
    assert process.stdout is not None
    process.stdout.close()
    process.wait(PATIENCE)
    assert process.returncode == 141
    assert read_puzzle(out).grid.is_filled
    assert xwtui("check", out, environment=environment).stderr == ""
