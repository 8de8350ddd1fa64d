"""A process killed at any moment loses no edit that was displayed."""

import os
import random
import re
import signal
import string
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import puz
import pytest

from tests.session.saying import said
from tests.shell.process import PATIENCE, Terminal, user_folders
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.registry import read_puzzle, suffixes_to_read, write_puzzle
from xwtui.model import Ink, Puzzle
from xwtui.session.recovery import find_recoveries
from xwtui.session.session import Session

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def victim(how: str, folder: Path) -> Iterator[tuple["subprocess.Popen[str]", IO[str]]]:
    command = [sys.executable, "-m", "tests.session.victim", how, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout
        finally:
            process.kill()


def kill_after(how: str, folder: Path, last_line: str) -> list[str]:
    """Run a victim, kill it after it prints a line, and return its output."""
    said: list[str] = []
    with victim(how, folder) as (process, stdout):
        for line in stdout:
            said.append(line.strip())
            if line.strip() == last_line:
                process.send_signal(signal.SIGKILL)
                break
        said += [line.strip() for line in stdout]
    assert last_line in said
    assert process.returncode == -signal.SIGKILL
    return said


def done(said: list[str], what: str) -> int:
    """Return the last number reported as done; -1 if none."""
    return max((int(line.split()[1]) for line in said if line.startswith(f"{what} ")), default=-1)


def kept(folder: Path) -> int:
    """Return the later of the edit in the file and the edit offered for recovery; -1 if none."""
    titles = [read_puzzle(folder / "heart.ipuz").title]
    titles += [recovery.puzzle.title for recovery in find_recoveries(folder / "journals")]
    return max(int(title.removeprefix("edit ") or -1) for title in titles)


def test_after_edits(tmp_path: Path) -> None:
    kill_after("edit", tmp_path, "waiting")
    (recovery,) = find_recoveries(tmp_path / "journals")
    assert (recovery.puzzle.title, recovery.label) == ("edit 29", "edit 29")
    assert recovery.source == tmp_path / "heart.ipuz"
    assert read_puzzle(tmp_path / "heart.ipuz").title == ""


@pytest.mark.parametrize("edits", [0, 7, 100])
def test_between_edits(tmp_path: Path, edits: int) -> None:
    said = kill_after("edit-on", tmp_path, f"edited {edits}")
    assert kept(tmp_path) >= done(said, "edited")


@pytest.mark.parametrize("saves", [0, 3, 20, 50])
def test_while_saving(tmp_path: Path, saves: int) -> None:
    said = kill_after("save-on", tmp_path, f"edited {saves}")
    assert int(read_puzzle(tmp_path / "heart.ipuz").title.removeprefix("edit ") or -1) >= done(said, "saved")
    assert kept(tmp_path) >= done(said, "edited")


def test_during_a_fill(tmp_path: Path) -> None:
    kill_after("fill", tmp_path, "filling")
    (recovery,) = find_recoveries(tmp_path / "journals")
    assert recovery.label == "place"
    assert str(recovery.puzzle.grid.squares[0].content) == "S"
    assert recovery.puzzle.title == "edit 1"


def test_on_a_full_disk(tmp_path: Path) -> None:
    with victim("full-disk", tmp_path) as (process, stdout):
        said = stdout.read().splitlines()
        assert process.wait() == 0
    assert [line.split()[0] for line in said] == ["notice:", "edited", "edited", "not", "modified:"]
    assert "changes are not being backed up" in said[0]
    assert "heart.ipuz" in said[3]
    assert said[4] == "modified: True, title: edit 2"
    assert read_puzzle(tmp_path / "heart.ipuz").title == ""
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["heart.ipuz"]


MOMENTS, LONGEST = (500, 40) if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else (4, 12)
"""Number of kills, and maximum steps per story."""
FACES = ("screen", "repl")
SECONDS_A_SIGHT = 5.0
"""Seconds to wait for a refusal before the word is typed again."""

_SMALL = "...#.\n.....\n.....\n.....\n.#...\n"
_ENTRIES = ("1A", "5A", "7A", "8A", "9A", "2D", "4D")
_ACROSS = {"1A": (1, 1, 3), "5A": (2, 1, 5), "7A": (3, 1, 5), "8A": (4, 1, 5), "9A": (5, 3, 3)}
"""Row, column and length of entries whose squares are typed over."""

State = tuple[object, ...]


def written(puzzle: Puzzle) -> State:
    """Return the user's part of a puzzle, without what the filler added."""
    pen = frozenset(
        (at, str(square.content))
        for at in puzzle.grid.open_positions()
        if (square := puzzle.grid[at]).content is not None and square.ink is not Ink.PENCIL
    )
    clues = frozenset(
        (key, max((clue.text for clue in kept.clues), key=lambda text: int(text.split()[1])))
        for key, kept in puzzle.clues.items()
        if kept.clues
    )
    return puzzle.title, puzzle.author, pen, clues, tuple(sorted(puzzle.snapshots))


class Sheet:
    """One puzzle of a story: its states, and which of them were saved."""

    def __init__(self, path: Path) -> None:
        self.path = path
        write_puzzle(path, Puzzle(grid_from_text(_SMALL)))
        self._replay = Session(journal_folder=path.parent.parent / "replayed")
        self._replay.open(path)
        self.states = [written(self._replay.puzzle)]
        self.saves = [0]

    def do(self, line: str) -> None:
        said(self._replay, line)
        self.states.append(written(self._replay.puzzle))

    def close(self) -> None:
        """Close the tab it was edited in."""
        self._replay.discard_changes()
        self._replay.close()


@dataclass(frozen=True)
class Mark:
    """The minimum known state after a refused word: the last state and last save of each sheet."""

    refused: str = ""
    """Text visible then."""
    states: tuple[int, ...] = (0, 0)
    saves: tuple[int, ...] = (0, 0)


class Story:
    """Input in parts, and its expected result: two puzzles, the first of which is open."""

    def __init__(self, rng: random.Random, folder: Path, face: str) -> None:
        self.sheets = [Sheet(folder / "one.ipuz"), Sheet(folder / "two.ipuz")]
        self.parts: list[str] = []
        self.marks: dict[int, Mark] = {}
        """Marks by part number."""
        self._rng = rng
        self._folder = folder
        self._is_on_screen = face == "screen"
        self._front = 0
        self._is_other_open = False
        for number in range(rng.randrange(4, LONGEST)):
            rng.choices((self._edit, self._letters, self._other), (6, 3, 4))[0](number)
            if rng.random() < 0.6:
                self._mark(f"zq{number}")
        for sheet in self.sheets:
            sheet.close()

    def _type(self, *lines: str, then: str = "") -> None:
        lead = ":" if self._is_on_screen else ""
        self.parts.append("".join(f"{lead}{line}\r" for line in lines) + then)

    def _edit(self, number: int) -> None:
        line = self._rng.choice(
            (
                f"title edit {number}",
                f"author edit {number}",
                f"clue {self._rng.choice(_ENTRIES)} clue {number}",
                f"snapshot save shot{number}",
            )
        )
        self._type(line)
        self.sheets[self._front].do(line)

    def _letters(self, number: int) -> None:
        entry, (row, column, length) = self._rng.choice(list(_ACROSS.items()))
        word = self._rng.choices(string.ascii_uppercase, k=length)
        lines = [f"set r{row}c{column + at} {letter}" for at, letter in enumerate(word)]
        if self._is_on_screen:
            self._type(f"goto {entry}", then="".join(word).lower())
        else:
            self._type(*lines)
        for line in lines:
            self.sheets[self._front].do(line)

    def _other(self, number: int) -> None:
        match self._rng.randrange(4):
            case 0:
                self._type(self._rng.choice(("fill --time 1", "improve --time 1", "refill --time 1")))
            case 1:
                self._type("save")
                sheet = self.sheets[self._front]
                sheet.saves.append(len(sheet.states) - 1)
            case 2:
                self._type(f"export {self._folder / f'out{number % 2}.puz'} --lossy --force")
            case _:
                self._type("tab next" if self._is_other_open else f"tab open {self.sheets[1].path}")
                self._front, self._is_other_open = 1 - self._front, True

    def _mark(self, word: str) -> None:
        states = tuple(len(sheet.states) - 1 for sheet in self.sheets)
        saves = tuple(len(sheet.saves) - 1 for sheet in self.sheets)
        self.marks[len(self.parts)] = Mark(f"there is no verb '{word}'", states, saves)
        self._type(word)

    def certain(self, seen: str) -> Mark:
        """Return the last mark that was visible."""
        return [Mark(), *(mark for mark in self.marks.values() if mark.refused in seen)][-1]


def see_refused(terminal: Terminal, part: str, refused: str) -> None:
    """Wait until a typed word is visibly refused, retyping it if necessary.

    If a run ends at the same moment, its message may overwrite the refusal before it is drawn.
    """
    patience = time.monotonic() + PATIENCE
    while refused not in terminal.seen:
        assert time.monotonic() < patience, f"not {refused}: {terminal.seen[-2000:]!r}"
        again = time.monotonic() + SECONDS_A_SIGHT
        terminal.wait_for(lambda end=again: refused in terminal.seen or time.monotonic() > end, refused)  # type: ignore[misc]
        if refused not in terminal.seen:
            terminal.press(part)


def live(story: Story, rng: random.Random, face: str, environment: Mapping[str, str]) -> str:
    """Type a part of a story and kill the program; return its output."""
    first = story.sheets[0].path
    with Terminal(*(["repl"] if face == "repl" else []), first, environment=environment) as terminal:
        terminal.expect("ENTRIES" if face == "screen" else "help lists the verbs")
        patience = rng.choice((0.0, 0.4, 0.9))
        *parts, last = story.parts[: rng.randrange(1, len(story.parts) + 1)]
        for number, part in enumerate(parts):
            terminal.press(part)
            if number in story.marks and rng.random() < patience:
                see_refused(terminal, part, story.marks[number].refused)
            elif rng.random() < 0.3:
                terminal.read_for(rng.random() * 0.05)
        terminal.press(last[: rng.randrange(1, len(last) + 1)])
        terminal.read_for(rng.random() * rng.choice((0, 0.3, 0.3 if patience else 3)))
        end(terminal, rng)
        return terminal.seen


def end(terminal: Terminal, rng: random.Random) -> None:
    """Kill the program immediately, during or after a regular exit by a signal; or close its terminal."""
    way = rng.choice((signal.SIGKILL, signal.SIGHUP, signal.SIGINT, signal.SIGTERM, None))
    if way is None:
        terminal.close()
        return
    terminal.process.send_signal(way)
    terminal.read_for(rng.random() * rng.choice((0.3, 3)))
    terminal.kill()


def come_back(story: Story, rng: random.Random, environment: Mapping[str, str]) -> None:
    """Reopen the first puzzle, recover the work offered, and be killed during that."""
    with Terminal(story.sheets[0].path, environment=environment) as terminal:
        terminal.expect("unsaved work on")
        terminal.press("\r")
        terminal.read_for(rng.random() * 0.3)
        terminal.kill()


def judge(story: Story, certain: Mark, journals: Path) -> None:
    """Compare the disk with the expected result."""
    recoveries = find_recoveries(journals)
    for sheet, states, saves in zip(story.sheets, certain.states, certain.saves, strict=True):
        on_disk = written(read_puzzle(sheet.path))
        assert on_disk in [sheet.states[at] for at in sheet.saves[saves:]], f"{sheet.path.name} as it was saved"
        kept = [on_disk, *(written(one.puzzle) for one in recoveries if one.source == sheet.path)]
        assert set(kept) <= set(sheet.states), f"{sheet.path.name}: a state that never was"
        assert any(one in sheet.states[states:] for one in kept), f"{sheet.path.name}: work was lost"
    folder = story.sheets[0].path.parent
    for path in folder.iterdir():
        if path.suffix == ".puz":
            puz.read(str(path))
            read = read_puzzle(path)
            assert any((read.title, read.author) == state[:2] for sheet in story.sheets for state in sheet.states)
        elif path.suffix in suffixes_to_read():
            assert path in [sheet.path for sheet in story.sheets]
        else:
            assert re.fullmatch(r"\.xwtui-[0-9a-f]{16}\.tmp", path.name)


@pytest.mark.parametrize("seed", range(MOMENTS))
def test_displayed_edits_survive_a_kill_at_any_moment(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    face = FACES[seed % 2]
    folder = tmp_path / "puzzles"
    folder.mkdir()
    environment = user_folders(tmp_path / "home")
    journals = Path(environment["XDG_STATE_HOME"]) / "xwtui" / "journal"
    story = Story(rng, folder, face)
    certain = story.certain(live(story, rng, face, environment))
    judge(story, certain, journals)
    if any(one.source == story.sheets[0].path for one in find_recoveries(journals)) and rng.random() < 0.5:
        come_back(story, rng, environment)
        judge(story, certain, journals)
