"""Crash test: ends the screen and the REPL by a signal at a random moment, and checks what is left.

    python -m bench.signals [screen|repl]... [--runs 200] [--seed 0] [--load 0] [--signals INT,TERM,HUP]

Each run opens a puzzle, edits it, begins to fill, export, save or quit, and is ended after a random time. KILL and
CLOSED (the terminal closes) may also be named. It also measures how long the end takes. Failures are a traceback,
a terminal that is not restored, a damaged file, an acknowledged edit that is neither in its file nor offered for
recovery at the next start, and an unexpected exit status.
"""

import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import NamedTuple

import click

from bench.tables import table
from tests.shell.process import Terminal, user_folders
from xwtui.errors import XwtuiError
from xwtui.formats.registry import read_puzzle
from xwtui.session.recovery import find_recoveries

FACES = ("screen", "repl")
CLOSED, KILL = "CLOSED", "KILL"
SIGNALS = ("INT", "TERM", "HUP")
MOMENTS = ("start", "edit", "fill", "export", "save", "quit")
LONGEST_END = 3.0
"""Maximum seconds from SIGTERM or SIGHUP to the end of a face."""

_GRID = "...#.\n.....\n.....\n.....\n.#...\n"
_TITLE = "kept"
_LONGEST_START, _LONGEST_DELAY = 2.5, 0.5
_HOLDS, _GIVES_BACK = "\x1b[?1049h", "\x1b[?1049l"
_QUIT = "\x11"
_CUT = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Ending(NamedTuple):
    """How one run ended."""

    face: str
    moment: str
    signal: str
    seconds: float
    """From the signal to the end of the process."""
    failure: str
    """What went wrong; empty if nothing did."""


def run_once(
    chance: Random, folder: Path, faces: Sequence[str] = FACES, signals: Sequence[str] = SIGNALS
) -> Ending:
    """Open a face in an empty folder, end it at a random moment, and check what is left."""
    face, moment, name = chance.choice(faces), chance.choice(MOMENTS), chance.choice(signals)
    puzzle = folder / "puzzle.ipuz"
    puzzle.with_suffix(".txt").write_text(_GRID)
    environment = user_folders(folder / "home")
    arguments = [puzzle.with_suffix(".txt")] if face == "screen" else ["repl", puzzle.with_suffix(".txt")]
    with Terminal(*arguments, environment=environment) as terminal:
        is_answered = _come_to(moment, face, terminal, puzzle, chance)
        begun = monotonic()
        status = terminal.close() if name == CLOSED else _ended_by(signal.Signals[f"SIG{name}"], terminal, face)
        seconds = monotonic() - begun
        is_ended_well = _is_before_main(terminal.seen, moment, name)
        failure = "" if is_ended_well else _fault_in(terminal.seen, name) or _fault_of(status, face, moment, name)
        failure = failure or _loss(puzzle, environment, is_answered=is_answered)
        shown = _CUT.sub("", terminal.seen)[-3_000:] if failure else ""
    return Ending(face, moment, name, seconds, f"{failure}\n{shown}" if failure else "")


def _ended_by(number: signal.Signals, terminal: Terminal, face: str) -> int:
    """Send a signal and return the exit status. Ctrl+C only cancels a REPL line, so SIGTERM follows there."""
    terminal.process.send_signal(number)
    if number is signal.SIGINT and face == "repl":
        terminal.read_for(_LONGEST_DELAY)
        terminal.process.send_signal(signal.SIGTERM)
    return terminal.end()


def _come_to(moment: str, face: str, terminal: Terminal, puzzle: Path, chance: Random) -> bool:
    """Bring a face to a moment, and return whether it has acknowledged an edit."""
    if moment == "start":
        _wait_for_program(terminal)
        terminal.read_for(chance.uniform(0, _LONGEST_START))
        return False
    prefix = ":" if face == "screen" else ""
    terminal.expect("ENTRIES" if face == "screen" else "puzzle.txt>")
    terminal.press(f"{prefix}title {_TITLE}\r")
    terminal.expect(_TITLE if face == "screen" else "puzzle.txt*>")
    if face == "screen":
        terminal.read_for(0.3)
    line = {
        "edit": f"{prefix}set 5A SNAIL\r",
        "fill": f"{prefix}fill\r",
        "export": f"{prefix}export {puzzle.with_suffix('.pdf')}\r",
        "save": f"{prefix}save {puzzle}\r",
        "quit": _QUIT if face == "screen" else "quit --force\r",
    }[moment]
    terminal.press(line)
    terminal.read_for(chance.uniform(0, _LONGEST_DELAY))
    return not (moment == "quit" and face == "repl")


def _wait_for_program(terminal: Terminal) -> None:
    """Wait until the start helper that resets signals ignored by `nohup` has exec'd the program (needs /proc)."""
    command = Path(f"/proc/{terminal.process.pid}/cmdline")
    while command.exists() and b"\0-I\0" in command.read_bytes():
        sleep(0.001)


def _is_before_main(seen: str, moment: str, name: str) -> bool:
    """Whether Ctrl+C came while Python itself was starting, before the program could handle it."""
    return (moment, name) == ("start", "INT") and "KeyboardInterrupt" in seen and ", in main" not in seen


def _fault_in(seen: str, name: str) -> str:
    if "Traceback" in seen or "NoMatches" in seen or "Exception ignored" in seen:
        return "a traceback"
    if name not in (CLOSED, KILL) and seen.count(_HOLDS) > seen.count(_GIVES_BACK):
        return "the terminal is not given back"
    return ""


def _fault_of(status: int, face: str, moment: str, name: str) -> str:
    numbers = [signal.SIGHUP if name == CLOSED else signal.Signals[f"SIG{name}"]]
    if (face, name) == ("repl", "INT"):
        numbers.append(signal.SIGTERM)
    expected = {*(128 + number for number in numbers), *(-number for number in numbers)}
    if moment == "quit":
        expected.add(0)
    return "" if status in expected else f"ended with {status}"


def _loss(puzzle: Path, environment: Mapping[str, str], *, is_answered: bool) -> str:
    """Describe what is damaged or lost; empty if nothing is."""
    found = []
    for path in (puzzle, puzzle.with_suffix(".txt")):
        if path.exists():
            try:
                found.append(read_puzzle(path))
            except XwtuiError as error:
                return f"{path.name} is damaged: {error}"
    offered = [one.puzzle for one in find_recoveries(Path(environment["XDG_STATE_HOME"]) / "xwtui" / "journal")]
    if is_answered and not any(one.title == _TITLE for one in (*found, *offered)):
        return "an edit is lost"
    return ""


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep processors busy with processes in separate sessions, since Linux divides time between sessions."""
    command = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(command, start_new_session=True) for _ in range(processes)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def report(endings: Sequence[Ending]) -> str:
    """Return a table of the runs by face and moment, with the longest end."""
    rows = []
    for face, moment in sorted({(one.face, one.moment) for one in endings}):
        these = [one for one in endings if (one.face, one.moment) == (face, moment)]
        failures = Counter(one.failure.partition("\n")[0] for one in these if one.failure)
        told = ", ".join(f"{count}x {what}" for what, count in failures.items()) or "none"
        longest = max(one.seconds for one in these if one.signal != KILL) if these else 0.0
        rows.append([face, moment, str(len(these)), f"{longest:.2f} s", told])
    return "\n".join(table(("face", "moment", "runs", "longest end", "failures"), rows))


@click.command()
@click.argument("faces", nargs=-1, type=click.Choice(FACES))
@click.option("--runs", default=200)
@click.option("--seed", default=0)
@click.option("--load", default=0, help="Processes that reckon meanwhile.")
@click.option("--signals", default=",".join(SIGNALS))
def main(faces: tuple[str, ...], runs: int, seed: int, load: int, signals: str) -> None:
    """Run, print each failure as it occurs, and print a table."""
    endings = []
    with busy(load):
        for number in range(seed, seed + runs):
            with tempfile.TemporaryDirectory(prefix="xwtui-signals-") as folder:
                ending = run_once(Random(number), Path(folder), faces or FACES, signals.split(","))
            endings.append(ending)
            if ending.failure or ending.seconds > LONGEST_END:
                print(number, *ending, flush=True)
    print(report(endings))
    sys.exit(any(one.failure for one in endings))


if __name__ == "__main__":
    main()
