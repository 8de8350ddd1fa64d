"""How commands end, for any cause; and behavior and output on a terminal."""

import errno
import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

import pytest

import xwtui as library
from tests.examples import is_deep
from tests.interrupting import handled_by, with_signals, without_signals
from tests.shell.conftest import Run
from tests.shell.process import NO_UNICODE, PATIENCE, Terminal, command, xwtui
from xwtui.engine.budget import Budget
from xwtui.engine.count.estimator import Counter
from xwtui.formats.registry import read_puzzle
from xwtui.interrupts import Exit
from xwtui.model import Puzzle
from xwtui.resources import puzzles_folder
from xwtui.session.recovery import find_recoveries
from xwtui.shell import verb_run
from xwtui.shell.progress import ProgressReporter
from xwtui.shell.root import shell
from xwtui.start import main
from xwtui.text import wrapped


@pytest.fixture
def template() -> Path:
    """A grid on which no search for the best fill finishes during a test."""
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
def test_json_is_written_to_stdout_when_the_terminal_is_closed(
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
    """Start a process and wait for its first output."""
    return subprocess.Popen(
        with_signals(command(*arguments)),
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_sigterm_during_compilation_is_reported_in_one_line(
    tmp_path: Path, environment: Mapping[str, str]
) -> None:
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
def test_a_terminated_script_keeps_its_work_and_the_better_fill(
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
    """Return the puzzle in the remaining journal."""
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


def test_a_fill_is_written_even_if_nobody_reads_the_output(
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


COMMANDS: Mapping[str, int] = {
    "fill mini.txt --json": 0,
    "fill mini.txt --threads 3": 0,
    "fill mini.txt --strategy sat": 0,
    "refill mini.txt": 0,
    "count mini.txt --time 60": 0,
    "candidates mini.txt 1D --time 0.1": 0,
    "why mini.txt --time 60": 0,
    "improve mini.txt --time 60 --threads 2": 0,
    "design ABC GHI --size 3x3 --count 1 --quick": 0,
    "run script.xw": 0,
    "repl": 0,
    "fill full.txt": 1,
    "fill nowhere.txt": 2,
    "fill mini.txt --words nowhere.txt": 2,
    "fill mini.txt --only 99A": 2,
    "count mini.txt --time x": 2,
}
"""Commands with their exit statuses."""
DIALOGUE = "new 3\nwords words.txt\nfill\nquit --force\n"
OF_DASK = ("Dask-Offload", "Dask-Callback")
"""Idle pool threads that Dask keeps per process."""


@contextmanager
def nothing_left() -> Iterator[None]:
    """Check that all threads started within have ended."""
    before = set(threading.enumerate())
    yield
    left = set(threading.enumerate()) - before
    assert not [one.name for one in left if not one.name.startswith(OF_DASK)]


@pytest.fixture
def folder(tmp_path: Path, words: Path, mini: Path) -> Path:
    (tmp_path / "script.xw").write_text(f"new 3\nwords {words.name}\nfill --time 60\n")
    (tmp_path / "full.txt").write_text("ABC\nX..\n...\n")
    return tmp_path


def test_every_command_ends_all_its_threads(run: Run, folder: Path, words: Path) -> None:
    takes_words = ("fill", "refill", "count", "candidates", "why", "improve", "design")
    for line, status in COMMANDS.items():
        given = line.split()
        if given[0] in takes_words and "--words" not in given:
            given += ["--words", words.name]
        with nothing_left():
            done = run(*given, folder=folder, stdin=DIALOGUE)
        assert done.returncode == status, (line, done.stderr)


def test_main_called_with_arguments_ends_its_threads(
    folder: Path, words: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with nothing_left(), pytest.raises(SystemExit) as ended:
        main(["why", str(folder / "mini.txt"), "--words", str(words)])
    assert ended.value.code == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize("command", ["count", "fill --best", "fill --all", "improve"])
def test_a_stopped_command_ends_its_threads(
    run: Run, command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is stopped while waiting for work that would take ten minutes."""
    beat = ProgressReporter.refresh

    def interrupted(self: ProgressReporter) -> bool:
        signal.raise_signal(signal.SIGTERM)
        return beat(self)

    name, *options = command.split()
    grid = puzzles_folder() / "templates" / "15x15-07.txt"
    monkeypatch.setattr(verb_run, "_loaded", _then(monkeypatch, interrupted))
    with handled_by(signal.SIGTERM, signal.SIG_DFL), nothing_left():
        done = run(name, grid, *options, "--time", "600", folder=folder)
    assert done.returncode == 143, done.stderr


def _then(
    monkeypatch: pytest.MonkeyPatch, interrupted: Callable[[ProgressReporter], bool]
) -> Callable[..., object]:
    """Wrap the loading of words and engine so that afterwards a signal comes with each progress message."""
    load = verb_run._loaded

    def loaded(*given: object) -> object:
        times = load(*given)  # type: ignore[arg-type]
        monkeypatch.setattr(ProgressReporter, "refresh", interrupted)
        return times

    return loaded


def test_interrupted_python_calls_end_their_threads() -> None:
    puzzle = library.open_puzzle(puzzles_folder() / "templates" / "15x15-07.txt")
    words = library.open_words()
    asked: list[int] = []

    def interrupt() -> bool:
        asked.append(1)
        if len(asked) % 3 == 0:
            raise KeyboardInterrupt
        return False

    calls: Sequence[Callable[[], object]] = (
        lambda: library.fill(puzzle, words=words, threads=3, cancelled=interrupt),
        lambda: library.improve(puzzle, words=words, threads=3, seconds=600, cancelled=interrupt),
        lambda: library.count(puzzle, words=words, threads=3, seconds=600, cancelled=interrupt),
        lambda: library.explain(puzzle, words=words, seconds=600, cancelled=interrupt),
        lambda: library.fill(puzzle, words=words, threads=3, cancelled=lambda: True),
    )
    for call in calls:
        with nothing_left(), suppress(KeyboardInterrupt):
            call()
    counter = Counter(library.problem_of(puzzle, words=words))
    with nothing_left():
        abandoned = counter.estimates(Budget(600, threads=3))
        assert len(list(islice(abandoned, 4))) == 4
        del abandoned


@pytest.mark.skipif(not is_deep(), reason="the processes take some seconds to begin")
def test_child_processes_end_too(run: Run, folder: Path, words: Path) -> None:
    race = ("race", "mini.txt", "--time", "1", "--words", words.name)
    batch = ("batch", "fill", "mini.txt", "--db", "one.sqlite", "--workers", "1", "--words", words.name)
    for given in (race, batch):
        with nothing_left():
            done = run(*given, folder=folder)
        assert done.returncode == 0, done.stderr


ENDLESS = "\n".join(["." * 10] * 10)
"""A word square of order ten, on which no search finishes during a test."""


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    path = tmp_path / "endless.txt"
    path.write_text(ENDLESS)
    return path


def test_ctrl_c_stops_a_fill_in_the_repl_and_keeps_the_prompt(
    endless: Path, environment: Mapping[str, str]
) -> None:
    with Terminal("repl", endless, environment=environment) as terminal:
        terminal.expect("endless.txt>")
        terminal.press("fill\r")
        terminal.expect(" nodes, ")
        terminal.interrupt()
        terminal.expect("stopped; the grid is unchanged")
        terminal.expect("endless.txt>")
        terminal.press("symmetry none\r")
        terminal.expect("endless.txt*>")
        terminal.press("\x04")
        terminal.expect("unsaved changes")
        terminal.expect("endless.txt*>")
        terminal.press("\x04")
        assert terminal.end() == 0


def test_a_line_typed_while_the_repl_is_busy_waits_for_the_prompt(
    endless: Path, environment: Mapping[str, str]
) -> None:
    with Terminal("repl", endless, environment=environment) as terminal:
        terminal.expect("endless.txt>")
        terminal.press("fill --time 3\r")
        terminal.expect(" nodes, ")
        terminal.press("title Ahead")
        terminal.expect("not finished")
        assert "title" not in terminal.expected
        terminal.expect("title Ahead")
        terminal.press("\r")
        terminal.expect("title: Ahead")
        terminal.press("quit --force\r")
        assert terminal.end() == 0


@pytest.mark.parametrize(
    ("line", "working", "said"),
    [
        ("fill endless.txt -o out.ipuz", "filling: ", "stopped, no file was written"),
        ("count endless.txt --time 0", "counting: ", "stopped by Ctrl+C"),
        ("run script.xwtui", " nodes, ", ""),
    ],
)
def test_ctrl_c_stops_a_command_and_a_script(
    endless: Path, environment: Mapping[str, str], line: str, working: str, said: str
) -> None:
    folder = endless.parent
    (folder / "script.xwtui").write_text("open endless.txt\nfill\nexport out.puz --lossy\n")
    with Terminal(*line.split(), environment=environment, folder=folder) as terminal:
        terminal.expect(working)
        terminal.interrupt()
        terminal.expect(said)
        assert terminal.end() == 130, terminal.seen[-3000:]
    assert not list(folder.glob("out.*"))
    assert "Traceback" not in terminal.seen


def test_a_killed_repl_offers_the_work_at_the_next_start(endless: Path, environment: Mapping[str, str]) -> None:
    before = endless.read_bytes()
    with Terminal("repl", endless, environment=environment) as terminal:
        terminal.expect("endless.txt>")
        terminal.press("set 1A ABCDEFGHIJ\r")
        terminal.expect("endless.txt*>")
        terminal.press("fill\r")
        terminal.kill()
    assert endless.read_bytes() == before
    with Terminal("repl", endless, environment={**environment, "NO_COLOR": "1"}) as terminal:
        terminal.expect("unsaved work on endless.txt")
        terminal.expect("recover it?")
        terminal.press("delete 1A\r")
        terminal.expect("recover it?")
        terminal.press("yes\r")
        terminal.expect("¹A  ²B  ³C")
        terminal.expect("endless.txt*>")
        terminal.press("quit --force\r")
        assert terminal.end() == 0


def test_the_prompt_has_a_toolbar_and_tab_completion(endless: Path, environment: Mapping[str, str]) -> None:
    with Terminal("repl", endless, environment=environment) as terminal:
        terminal.expect("endless.txt>")
        terminal.expect("0/20 entries")
        terminal.press("symm\t")
        terminal.expect("etry")
        terminal.press(" diagonal\r")
        terminal.expect("endless.txt*>")
        terminal.press("quit --force\r")
        assert terminal.end() == 0


def test_no_color_disables_colors(endless: Path, environment: Mapping[str, str]) -> None:
    with Terminal("check", endless, environment={**environment, "NO_COLOR": "1"}) as terminal:
        assert terminal.end() == 1
    assert "\x1b" not in terminal.seen


def test_the_screen_opens_and_quits(endless: Path, environment: Mapping[str, str]) -> None:
    with Terminal(endless, environment=environment) as terminal:
        terminal.expect("endless")
        terminal.press("\x11")
        assert terminal.end() == 0
    assert "\x1b[?1049l" in terminal.seen


def test_an_unreadable_puzzle_opens_no_screen(tmp_path: Path, environment: Mapping[str, str]) -> None:
    with Terminal(tmp_path / "missing.puz", environment=environment) as terminal:
        assert terminal.end() == 2
    assert "missing.puz: No such file" in terminal.seen
    assert "\x1b" not in terminal.seen


def test_a_puzzle_from_a_pipe_opens_no_screen(tmp_path: Path, environment: Mapping[str, str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(pipe, os.O_WRONLY)
    os.write(writer, b"A..\n...\n...\n")
    with Terminal(pipe, environment=environment) as terminal:
        assert terminal.end() == 2
    assert len(terminal.seen.splitlines()) == 1
    assert "is a pipe, but the screen opens only files" in terminal.seen
    os.close(writer)
    os.close(reader)


def test_the_repl_draws_in_ascii_if_necessary(endless: Path, environment: Mapping[str, str]) -> None:
    with Terminal("repl", endless, environment={**environment, **NO_UNICODE}) as terminal:
        terminal.expect("endless.txt>")
        terminal.press("quit\r")
        assert terminal.end() == 0
    assert terminal.seen.isascii()
    assert "?" not in terminal.seen.replace("\x1b[?", "")


@pytest.mark.parametrize(
    ("line", "width", "pieces"),
    [
        ("one two three", 20, ["one two three"]),
        ("one two three", 8, ["one two", "three"]),
        (
            "  --all  go on through every fill",
            18,
            ["  --all  go on", "         through", "         every", "         fill"],
        ),
        ("  1. change it to a letter", 16, ["  1. change it", "  to a letter"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("", 4, [""]),
    ],
)
def test_a_long_line_wraps_between_words_with_a_hanging_indent(line: str, width: int, pieces: list[str]) -> None:
    assert wrapped(line, width) == pieces


@pytest.mark.parametrize("number", [errno.ENOTTY, errno.EPERM, errno.EIO])
def test_errors_of_a_closed_terminal_end_with_its_signal(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its streams are not replaced, so requests for the terminal's size or keys fail."""

    def fail(*_: object, **__: object) -> None:
        try:
            signal.raise_signal(signal.SIGHUP)
        except SystemExit:
            raise OSError(number, "closed") from None

    monkeypatch.setattr("xwtui.shell.root.click.Group.main", fail)
    with handled_by(signal.SIGHUP, signal.SIG_DFL), pytest.raises(SystemExit) as ended:
        shell.main(["check"], "xwtui")
    assert ended.value.code == Exit.HUNG_UP
