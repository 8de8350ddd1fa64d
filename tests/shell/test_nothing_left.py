"""What is called within a process that goes on leaves no thread of its own there."""

import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

import pytest

import xwtui as library
from tests.examples import is_deep
from tests.shell.conftest import Run
from xwtui.engine.budget import Budget
from xwtui.engine.count.estimator import Counter
from xwtui.resources import puzzles_folder
from xwtui.shell import verb_run
from xwtui.shell.progress import ProgressTeller
from xwtui.start import main

COMMANDS: Mapping[str, int] = {
    "fill mini.txt --json": 0,
    "fill mini.txt --threads 3": 0,
    "fill mini.txt --strategy sat": 0,
    "refill mini.txt": 0,
    "count mini.txt --time 0.1": 0,
    "candidates mini.txt 1D --time 0.1": 0,
    "why mini.txt --time 1": 0,
    "improve mini.txt --time 0.1 --threads 2": 0,
    "design ABC GHI --size 3x3 --count 1 --quick": 0,
    "run script.xw": 0,
    "repl": 0,
    "fill full.txt": 1,
    "fill nowhere.txt": 2,
    "fill mini.txt --words nowhere.txt": 2,
    "fill mini.txt --only 99A": 2,
    "count mini.txt --time x": 2,
}
"""Each with its status."""
DIALOGUE = "new 3\nwords words.txt\nfill\nquit --force\n"
OF_DASK = ("Dask-Offload", "Dask-Callback")
"""Threads of pools that Dask has one of for a process, and that are idle."""


@contextmanager
def nothing_left() -> Iterator[None]:
    """Within, threads may begin; all that did have ended after it."""
    before = set(threading.enumerate())
    yield
    left = set(threading.enumerate()) - before
    assert not [one.name for one in left if not one.name.startswith(OF_DASK)]


@pytest.fixture
def folder(tmp_path: Path, words: Path, mini: Path) -> Path:
    (tmp_path / "script.xw").write_text(f"new 3\nwords {words.name}\nfill --time 60\n")
    (tmp_path / "full.txt").write_text("ABC\nX..\n...\n")
    return tmp_path


def test_every_command_ends_all_that_it_began(run: Run, folder: Path, words: Path) -> None:
    takes_words = ("fill", "refill", "count", "candidates", "why", "improve", "design")
    for line, status in COMMANDS.items():
        given = line.split()
        if given[0] in takes_words and "--words" not in given:
            given += ["--words", words.name]
        with nothing_left():
            done = run(*given, folder=folder, stdin=DIALOGUE)
        assert done.returncode == status, (line, done.stderr)


def test_a_call_of_the_program_with_arguments_is_one_of_those(
    folder: Path, words: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with nothing_left(), pytest.raises(SystemExit) as ended:
        main(["why", str(folder / "mini.txt"), "--words", str(words)])
    assert ended.value.code == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize("command", ["count", "fill --best", "fill --all", "improve"])
def test_a_command_that_is_stopped_does_so_too(
    run: Run, command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is stopped while it waits for what would take ten minutes."""
    beat = ProgressTeller.beat

    def interrupted(self: ProgressTeller) -> bool:
        signal.raise_signal(signal.SIGTERM)
        return beat(self)

    name, *options = command.split()
    grid = puzzles_folder() / "templates" / "15x15-07.txt"
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    monkeypatch.setattr(verb_run, "_loaded", _then(monkeypatch, interrupted))
    with nothing_left():
        done = run(name, grid, *options, "--time", "600", folder=folder)
    signal.signal(signal.SIGTERM, before)
    assert done.returncode == 143, done.stderr


def _then(monkeypatch: pytest.MonkeyPatch, interrupted: Callable[[ProgressTeller], bool]) -> Callable[..., object]:
    """What loads words and engine, after which a signal comes with each beat."""
    load = verb_run._loaded

    def loaded(*given: object) -> object:
        times = load(*given)  # type: ignore[arg-type]
        monkeypatch.setattr(ProgressTeller, "beat", interrupted)
        return times

    return loaded


def test_calls_from_python_that_are_broken_off_end_their_threads() -> None:
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
def test_processes_beside_end_too(run: Run, folder: Path, words: Path) -> None:
    race = ("race", "mini.txt", "--time", "1", "--words", words.name)
    batch = ("batch", "fill", "mini.txt", "--db", "one.sqlite", "--workers", "1", "--words", words.name)
    for given in (race, batch):
        with nothing_left():
            done = run(*given, folder=folder)
        assert done.returncode == 0, done.stderr
