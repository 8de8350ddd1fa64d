"""Memory of the screen and the REPL under a long random load, on Linux.

    python -m bench.memory [screen|repl|keys]... [--minutes 20] [--every 60] [--seed 0]

Each face opens the sample and runs fills, counts, improvements, questions, races and edits in random order. `keys`
is the screen, driven by bursts of random keys and of the verbs' examples. The run ends at the first traceback, and
when the program no longer responds. `of its own` is memory not backed by files. `with races` includes child
processes.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from random import Random
from time import perf_counter
from typing import NamedTuple, Protocol

import click

from bench.keyboard import Keyboard
from bench.lines import random_line
from bench.random_keys import RandomKeys, random_burst
from bench.tables import table
from xwtui.resources import puzzles_folder

SAMPLE = puzzles_folder() / "heart-to-heart.ipuz"
_HEAD = ("minute", "told", "resident", "of its own", "most so far", "with races")

_STOP, _ESCAPE, _REBUS = "\x1b[17~", "\x1b", "rebus at "
_PAUSE = 0.5
_LONGEST_LINE = 12.0
"""Seconds after which the screen gets the next line in any case."""


class Memory(NamedTuple):
    """Megabytes of a process: resident, not backed by files, and resident including all descendants."""

    resident: float
    own: float
    with_children: float

    @classmethod
    def of(cls, process: int) -> "Memory":
        """Read the current memory of a process and its descendants; raises OSError if it has ended."""
        resident, own = _figures(process)
        return cls(resident, own, resident + sum(map(_resident_still, _below(process))))


def _resident_still(process: int) -> float:
    """Return the resident megabytes of a process; 0 if it has ended meanwhile."""
    try:
        return _figures(process)[0]
    except OSError:
        return 0.0


def _figures(process: int) -> tuple[float, float]:
    text = Path(f"/proc/{process}/smaps_rollup").read_text()
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in text.splitlines()[1:]}
    return kilobytes["Rss"] / 1024, kilobytes["Anonymous"] / 1024


def _below(process: int) -> Iterator[int]:
    """Yield the running descendants of a process; one that ends meanwhile is left out."""
    for child in _begun_by(process):
        if Path(f"/proc/{child}/smaps_rollup").exists():
            yield child
            yield from _below(child)


def _begun_by(process: int) -> list[int]:
    children: list[int] = []
    with suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            with suppress(OSError):
                children += map(int, (thread / "children").read_text().split())
    return children


def processor_seconds(process: int) -> float:
    """Return the processor seconds of all current threads of a process."""
    threads = Path(f"/proc/{process}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


class Face(Protocol):
    """A face under test."""

    @property
    def process(self) -> int:
        """Id of the process whose memory is measured."""

    def do(self, line: str) -> None:
        """Send a line or a burst of keys, and wait until it is done."""


class _Screen:
    def __init__(self, keyboard: Keyboard) -> None:
        self.process = keyboard.process
        self._keyboard = keyboard

    def do(self, line: str) -> None:
        """Run a line without waiting for its end: after some seconds, stop running work and leave its screen."""
        self._keyboard.play(f":{line}\r")
        self._keyboard.rest(min(_LONGEST_LINE, 2.0 + _seconds_in(line)))
        self._keyboard.play(_STOP)
        self._keyboard.rest(_PAUSE)
        self._keyboard.play(_ESCAPE)
        if _REBUS in self._keyboard.rest(_PAUSE):  # no screen was open to leave
            self._keyboard.play(_ESCAPE)
            self._keyboard.rest(_PAUSE)


class _Repl:
    def __init__(self, running: "subprocess.Popen[str]") -> None:
        self.process = running.pid
        self._running = running
        self._number = 0

    def do(self, line: str) -> None:
        """Run a line; the score of an unlisted word, printed after it, shows that the line is done."""
        assert self._running.stdin is not None
        assert self._running.stdout is not None
        self._number += 1
        asked = f"ZZDONE{self._number}"
        self._running.stdin.write(f"{line}\nscore {asked}\n")
        self._running.stdin.flush()
        for told in self._running.stdout:
            if asked in told:
                return
        raise EOFError(f"the REPL has ended at `{line}`")


def _seconds_in(line: str) -> float:
    words = line.split()
    return float(words[words.index("--time") + 1]) if "--time" in words else 1.0


@contextmanager
def _screen(puzzle: Path, own: dict[str, str]) -> Iterator[Face]:
    with Keyboard(puzzle, own) as keyboard:
        keyboard.expect("10^")
        yield _Screen(keyboard)


@contextmanager
def _repl(puzzle: Path, own: dict[str, str]) -> Iterator[Face]:
    command = [sys.executable, "-m", "xwtui", "repl", str(puzzle)]
    pipe, away = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=away, env=os.environ | own, text=True
    ) as running:
        yield _Repl(running)
        running.kill()


@contextmanager
def _keys(puzzle: Path, own: dict[str, str]) -> Iterator[Face]:
    cache = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    driven = RandomKeys(puzzle, {**own, "HOME": str(puzzle.parent), "XDG_CACHE_HOME": cache})
    yield driven
    driven.close()
    click.echo(f"opened {driven.openings} times")


class _Driven(NamedTuple):
    open: Callable[[Path, dict[str, str]], AbstractContextManager[Face]]
    next_line: Callable[[Random], str] = random_line


FACES = {"screen": _Driven(_screen), "repl": _Driven(_repl), "keys": _Driven(_keys, random_burst)}


def drive(
    face: Face, minutes: float, every: float, seed: int, next_line: Callable[[Random], str] = random_line
) -> Iterator[Sequence[str]]:
    """Send random lines for some minutes; yields a row of figures every `every` seconds."""
    chance, most, begun, told = Random(seed), 0.0, perf_counter(), -every
    count = 0
    while True:
        passed = perf_counter() - begun
        memory = Memory.of(face.process)
        most = max(most, memory.resident)
        if passed - told >= every:
            told = passed
            figures = (memory.resident, memory.own, most, memory.with_children)
            yield (f"{passed / 60:.1f}", str(count), *(f"{one:.0f} MB" for one in figures))
        if passed >= 60 * minutes:
            return
        face.do(next_line(chance))
        count += 1


@click.command()
@click.argument("faces", nargs=-1, type=click.Choice(list(FACES)))
@click.option("--minutes", default=20.0, show_default=True, help="How long each face is driven.")
@click.option("--every", default=60.0, show_default=True, help="Seconds from one row of figures to the next.")
@click.option("--seed", default=0, show_default=True, help="Another seed, other lines.")
def main(faces: tuple[str, ...], minutes: float, every: float, seed: int) -> None:
    """Drive the faces one after the other, and print their memory."""
    for name in faces or FACES:
        with tempfile.TemporaryDirectory() as folder:
            own = {f"XDG_{what}_HOME": folder for what in ("STATE", "CONFIG", "DATA")}
            puzzle = Path(folder) / SAMPLE.name
            puzzle.write_bytes(SAMPLE.read_bytes())
            rows = []
            driven = FACES[name]
            with driven.open(puzzle, own) as face:
                for row in drive(face, minutes, every, seed, driven.next_line):
                    click.echo(
                        f"{name}: " + "  ".join(f"{head} {cell}" for head, cell in zip(_HEAD, row, strict=True))
                    )
                    rows.append(row)
        click.echo("\n".join(["", f"### {name}", "", *table(_HEAD, rows), ""]))


if __name__ == "__main__":
    main()
