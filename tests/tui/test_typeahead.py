"""Keys that come faster than they are done do what they would have done slowly."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from textual.events import Key

from tests.shell.process import user_folders
from tests.shell.pseudo_terminal import Terminal
from tests.tui.conftest import SMALL, OpenStage
from tests.tui.still import Stage
from xwtui.model import Puzzle

_CHARACTERS = {"colon": ":", "space": " ", "question_mark": "?", "full_stop": ".", "enter": "\r"}


def _keys(text: str) -> list[str]:
    names = {character: name for name, character in _CHARACTERS.items()}
    return [names.get(character, character) for character in text]


_CHUNKS: tuple[list[str], ...] = (
    *(_keys(f":{line}\r") for line in ("title one", "author two", "stats", "check", "goto 4D", "goto 1A")),
    *(_keys(f":{line}\r") for line in ("clue 1A of old", "set 4A EMU", "block r5c5", "symmetry none", "help")),
    *([key] for key in ("escape", "enter", "space", "down", "right", "backspace", "ctrl+z", "f1", "f2", "a")),
    _keys("cat"),
    [*_keys(":titl"), "escape"],
    [*_keys(":symm"), "tab", "enter"],
)
"""What constructors type in one go."""


@pytest.mark.parametrize("seed", range(3))
async def test_a_burst_of_keys_does_what_they_do_one_by_one(stage: OpenStage, small: Puzzle, seed: int) -> None:
    rng = random.Random(seed)
    keys = [key for _ in range(15) for key in rng.choice(_CHUNKS)]
    async with stage(small) as on:
        for key in keys:
            await _type(on, key)
        slowly = on.app.session.puzzle, on.here, len(on.app.screen_stack)
    async with stage(small) as on:
        await _type(on, *keys)
        assert (on.app.session.puzzle, on.here, len(on.app.screen_stack)) == slowly


async def test_letters_typed_ahead_of_a_reply_are_written_into_the_grid(stage: OpenStage, small: Puzzle) -> None:
    async with stage(small) as on:
        await _type(on, *_keys(":stats\rcat"))
        assert on.grid.answer(on.grid.slot("1A")) == "CAT"


async def _type(on: Stage, *keys: str) -> None:
    """Let keys come at once, and wait until all of them are done."""
    for key in keys:
        on.app.post_message(Key(key, _CHARACTERS.get(key, key if len(key) == 1 else None)))
    await on.pilot.pause()
    while not on.app.typeahead.is_idle:
        await on.pilot.pause()


@contextmanager
def _busy_cores() -> Iterator[None]:
    """Two processes that reckon all the time."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


@pytest.fixture
def puzzle(tmp_path: Path) -> Path:
    path = tmp_path / "small.txt"
    path.write_text(SMALL)
    return path


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    return user_folders(tmp_path / "home")


def _when_written(path: Path, terminal: Terminal) -> Mapping[str, object]:
    """What a file holds, once it is there: it is written whole or not at all."""
    terminal.wait_for(path.exists, f"{path.name} is there")
    found: Mapping[str, object] = json.loads(path.read_bytes())
    return found


def test_lines_sent_in_one_burst_land_whole_on_busy_cores(
    puzzle: Path, environment: Mapping[str, str], tmp_path: Path
) -> None:
    with _busy_cores(), Terminal(puzzle, environment=environment) as terminal:
        terminal.expect("ENTRIES")
        for number in range(10):
            texts = {"title": f"one{number}", "author": f"two{number}", "copyright": f"three{number}"}
            saved = tmp_path / f"saved{number}.ipuz"
            lines = [*(f"{verb} {text}" for verb, text in texts.items()), "check", f"save {saved}"]
            terminal.press("".join(f":{line}\r" for line in lines))
            found = _when_written(saved, terminal)
            assert {verb: found[verb] for verb in texts} == texts
        terminal.press("\x11")
        assert terminal.end() == 0


def test_a_verb_typed_over_a_long_reply_is_done(
    puzzle: Path, environment: Mapping[str, str], tmp_path: Path
) -> None:
    with Terminal(puzzle, environment=environment) as terminal:
        terminal.expect("ENTRIES")
        terminal.press(":check\r")
        terminal.expect("Esc closes")
        terminal.press(f":goto 5A\rx:save {tmp_path}/saved.ipuz\r")
        solution = _when_written(tmp_path / "saved.ipuz", terminal)["solution"]
        assert isinstance(solution, list)
        assert solution[1][0] == "X"
        terminal.press("\x11")
        assert terminal.end() == 0
    assert "Traceback" not in terminal.seen
