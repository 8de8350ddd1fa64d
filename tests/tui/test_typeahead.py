"""Keys typed ahead have the same effect as keys typed slowly."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from string import ascii_uppercase

import pytest
from textual.events import Key
from textual.widgets import Input

from tests.known import candidate
from tests.shell.process import Terminal
from tests.tui.conftest import OpenStage
from tests.tui.still import CHARACTERS, PATIENCE_SECONDS, Stage, StillCandidates, until
from xwtui.engine.candidates.estimate import CandidateEstimate, CandidateOrder, CandidateStanding
from xwtui.formats.registry import read_puzzle
from xwtui.model import Content, Puzzle
from xwtui.session.jobs.fills import fill_job
from xwtui.session.messages import CandidatesReady, EstimatesChanged
from xwtui.tui.app import XwtuiApp
from xwtui.tui.screens.help import HelpText

_IS_DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
KEYS, SEEDS = (2_000, 20) if _IS_DEEP else (25, 1)
"""Number of random keys sent at once, and number of repetitions."""
BURSTS = 100 if _IS_DEEP else 1
"""Number of bursts of lines, one after another."""


def _keys(text: str) -> list[str]:
    names = {character: name for name, character in CHARACTERS.items()}
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


@pytest.mark.parametrize("seed", range(10 if _IS_DEEP else 1))
async def test_a_burst_of_keys_equals_its_keys_one_by_one(stage: OpenStage, small: Puzzle, seed: int) -> None:
    rng = random.Random(seed)
    keys = [key for _ in range(15 if _IS_DEEP else 8) for key in rng.choice(_CHUNKS)]
    async with stage(small) as on:
        for key in keys:
            await on.burst(key)
        slowly = on.app.session.puzzle, on.here, len(on.app.screen_stack)
    async with stage(small) as on:
        await on.burst(*keys)
        assert (on.app.session.puzzle, on.here, len(on.app.screen_stack)) == slowly


async def test_letters_typed_ahead_of_a_reply_are_written_in_the_grid(on: Stage) -> None:
    await on.burst(*_keys(":stats\rcat"))
    assert on.grid.answer(on.grid.slot("1A")) == "CAT"


@pytest.fixture
def long_hold(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A function after which keys wait for an answer as long as a busy machine may need to send it."""
    return lambda: monkeypatch.setattr("xwtui.tui.typeahead._SHORTEST_HOLD", PATIENCE_SECONDS)


CAT_DOG = (candidate("CAT", 60, True), candidate("DOG", 50, True))


async def _found_late(on: Stage) -> None:
    """Send 1A's candidates after they are reported as loading; the typed-ahead keys choose DOG."""
    await until(on, lambda: "still finding" in on.line("message"), "what is said of the candidates")
    await on.tell(CandidatesReady(on.bench.revision, "1A", CAT_DOG))
    await on.settle()
    assert on.grid.answer(on.grid.slot("1A")) == "DOG"


async def test_keys_after_enter_wait_for_the_candidates(on: Stage, long_hold: Callable[[], None]) -> None:
    long_hold()
    on.post("right", "enter", "d", "enter")
    await _found_late(on)


async def test_keys_wait_for_candidates_after_a_quick_return_to_an_entry(
    on: Stage, long_hold: Callable[[], None]
) -> None:
    await on.tell(CandidatesReady(on.bench.revision, "1A", CAT_DOG))
    await on.burst("tab", "shift+tab")
    assert on.bench.asked[-1] == "candidates 1A"
    await on.tell(CandidatesReady(on.bench.revision, "4A", (candidate("EMU", 30, True),)))  # too late
    long_hold()
    on.post("right", "enter", "d", "enter")
    await _found_late(on)


async def test_narrowing_ends_when_the_list_is_left_for_a_verb(on: Stage) -> None:
    await on.tell(CandidatesReady(on.bench.revision, "1A", (candidate("DOG", 50, True),)))
    await on.burst("enter", "x", *_keys(":stats\r"))
    await on.burst("escape", "enter", "enter")
    assert on.grid.answer(on.grid.slot("1A")) == "DOG"


async def test_a_quick_return_to_an_entry_selects_its_top_candidate(on: Stage) -> None:
    await on.tell(CandidatesReady(on.bench.revision, "1A", CAT_DOG))
    await on.burst("enter", "down", "escape", "tab", "shift+tab")
    await on.tell(CandidatesReady(on.bench.revision, "1A", CAT_DOG))
    await on.burst("enter", "enter")
    assert on.grid.answer(on.grid.slot("1A")) == "CAT"


async def test_keys_wait_as_long_as_candidates_are_loading(
    stage: OpenStage, small: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xwtui.tui.typeahead._SHORTEST_HOLD", 0.0)
    monkeypatch.setattr(StillCandidates, "is_busy", True)
    async with stage(small) as on:
        on.post("enter", "d", "enter")
        await _found_late(on)


async def test_keys_in_the_list_wait_for_the_candidates_of_another_entry(
    on: Stage, long_hold: Callable[[], None]
) -> None:
    """The clue table has led there."""
    await on.tell(CandidatesReady(on.bench.revision, "1A", (candidate("CAT", 60, True),)))
    await on.burst("enter", "f2", "down", "f2")
    assert on.bench.asked[-1] == "candidates 5A"
    long_hold()
    await _sent(on, "a", "enter")
    await on.tell(
        CandidatesReady(on.bench.revision, "5A", (candidate("SNAIL", 50, True), candidate("ALOES", 30, True)))
    )
    await on.settle()
    assert on.grid.answer(on.grid.slot("5A")) == "ALOES"


async def test_keys_in_the_list_wait_until_it_is_sorted(on: Stage, long_hold: Callable[[], None]) -> None:
    cat, dog = candidate("CAT", 60, True), candidate("DOG", 50, True)
    await on.tell(CandidatesReady(on.bench.revision, "1A", (cat, dog)))
    await on.burst("enter")
    long_hold()
    await _sent(on, "f3", "enter")
    await on.tell(CandidatesReady(on.bench.revision, "1A", (dog, cat), CandidateOrder.ROOM))
    await on.settle()
    assert on.grid.answer(on.grid.slot("1A")) == "DOG"


async def test_the_list_can_be_left_while_candidates_are_loading(on: Stage) -> None:
    await on.tell(CandidatesReady(on.bench.revision, "1A", (candidate("CAT", 60, True),)))
    await on.burst("enter", "f2", "down", "f2", "escape")
    assert on.app.focused is on.editor.desk.grid


async def test_keys_wait_for_the_fill_that_proves_a_word(on: Stage, long_hold: Callable[[], None]) -> None:
    """The key that writes it waits briefly, and so do the keys after it."""
    cat = candidate("CAT", 60, True)
    proof = {at: Content.of(letter) for at, letter in zip(on.grid.slot("1A").positions, "CAT", strict=True)}
    proved = CandidateEstimate("CAT", 60, CandidateStanding.PROVED, fill=proof)
    await on.tell(CandidatesReady(on.bench.revision, "1A", (cat,)))
    await on.burst("enter")
    long_hold()
    await _sent(on, "plus", *_keys(":title one\r"))
    await on.tell(EstimatesChanged(on.bench.revision, "1A", (proved,)))
    await on.settle()
    assert on.grid.answer(on.grid.slot("1A")) == "CAT"
    assert on.app.session.puzzle.title == "one"


async def test_keys_do_not_wait_for_candidates_that_never_come(on: Stage) -> None:
    await on.burst("right", "enter", "d")
    assert on.grid.pattern(on.grid.slot("1A")) == "?D?"


async def _sent(on: Stage, *keys: str) -> None:
    """Send keys at once, and return while they are waiting."""
    on.post(*keys)
    for _ in range(3):
        await on.pilot.pause()
    assert not on.app.typeahead.is_idle


@contextmanager
def _busy_cores() -> Iterator[None]:
    """Run two busy processes."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def _when_written(path: Path, terminal: Terminal) -> Mapping[str, object]:
    """Return a file's JSON once it exists; it is written atomically."""
    terminal.wait_for(path.exists, f"{path.name} is there")
    found: Mapping[str, object] = json.loads(path.read_bytes())
    return found


def test_a_burst_is_fully_processed_on_busy_cores(
    small_file: Path, environment: Mapping[str, str], tmp_path: Path
) -> None:
    with Terminal(small_file, environment=environment) as terminal:
        terminal.expect("ENTRIES")
        with _busy_cores():
            for number in range(BURSTS):
                texts = {"title": f"one{number}", "author": f"two{number}", "copyright": f"three{number}"}
                saved = tmp_path / f"lines{number}.ipuz"
                lines = [*(f"{verb} {text}" for verb, text in texts.items()), "check", f"save {saved}"]
                terminal.press("".join(f":{line}\r" for line in lines))
                found = _when_written(saved, terminal)
                assert {verb: found[verb] for verb in texts} == texts
                letter, saved = ascii_uppercase[number % 26], tmp_path / f"reply{number}.ipuz"
                terminal.press(":check\r")
                if number % 2 == 0:  # otherwise the verb comes before the reply
                    terminal.expect("Esc closes")
                terminal.press(f":goto 5A\r{letter}:save {saved}\r")
                solution = _when_written(saved, terminal)["solution"]
                assert isinstance(solution, list)
                assert solution[1][0] == letter
        terminal.press("\x11")
        assert terminal.end() == 0
    assert "Traceback" not in terminal.seen


_SENT = {
    "colon": ":",
    "space": " ",
    "question_mark": "?",
    "full_stop": ".",
    "grave_accent": "`",
    "asterisk": "*",
    "equals_sign": "=",
    "shift+f8": "\x1b[19;2~",
    "slash": "/",
    "minus": "-",
    "enter": "\r",
    "tab": "\t",
    "shift+tab": "\x1b[Z",
    "backspace": "\x7f",
    "delete": "\x1b[3~",
    "insert": "\x1b[2~",
    "escape": "\x1b",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "shift+right": "\x1b[1;2C",
    "shift+down": "\x1b[1;2B",
    "ctrl+right": "\x1b[1;5C",
    "ctrl+up": "\x1b[1;5A",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "f1": "\x1bOP",
    "f2": "\x1bOQ",
    "f8": "\x1b[19~",
    **{f"ctrl+{letter}": chr(ord(letter) - ord("a") + 1) for letter in "lruyz"},
    **{letter: letter for letter in "abcdefghijklmnoprstuvwxyz1234567890"},
}
"""What a terminal sends for each key that acts immediately.

It excludes runs, `q`, and `+`, which writes a candidate's fill once the engine has found it.
"""

_LINES = (
    *("title one", "author two", "check", "goto 4D", "goto 1A", "stats", "clue 1A of old", "clue 5A t", "help"),
    *("set 4A EMU", "set 5A SNAIL", "block r5c5", "symmetry none", "circle r1c1", "rebus r2c2 CAT", "lock 1A"),
    *("unlock all", "clear 5A", "undo", "redo", "no such verb", "select row 2", "rules", "block r3c3"),
)


def random_keys(rng: random.Random, count: int) -> list[str]:
    """Return keys as constructors, and cats, type them."""
    keys: list[str] = []
    alone = [key for key in _SENT if len(key) > 1]
    while len(keys) < count:
        match rng.randrange(8):
            case 0 | 1:
                keys.append(rng.choice(alone))
            case 2:
                keys += _keys(f":{rng.choice(_LINES)}\r")
            case 3:
                keys += ["ctrl+r", *rng.choice(("cat", "x/times", "-", "")), rng.choice(("enter", "escape"))]
            case 4:
                keys += ["enter", rng.choice("acest"), rng.choice(("enter", "escape", "down"))]
            case 5:
                keys += ["f2", "enter", *"clue", rng.choice(("enter", "escape")), "escape", "escape"]
            case _:
                keys += rng.choices("abcdefghijklmnoprstuvwxyz", k=rng.randrange(1, 6))
    return ["slash" if key == "/" else "minus" if key == "-" else key for key in keys[:count]]


_END = [*["escape"] * 3, "f1", "escape", "escape"]
"""Closes whatever is open."""


async def test_a_key_still_being_processed_at_exit_is_harmless(stage: OpenStage, small: Puzzle) -> None:
    """Regression: a traceback appeared when Ctrl+Q ended a burst on a busy machine."""
    async with stage(small) as on:
        pass
    assert not on.app.screen_stack
    await on.app.typeahead.over()


async def one_by_one(path: Path, keys: list[str]) -> Puzzle:
    """Return the puzzle after these keys, waiting for all effects between them."""
    app = XwtuiApp(path, theme="dark", offers_start=False)
    async with app.run_test(size=(100, 24)):
        on = Stage(app)
        await on.pilot.pause()
        await until(on, lambda: "fills ≈" in on.line("estimate") and "…" not in on.line("estimate"), "the engine")
        for key in keys:
            character = _SENT[key] if key in _SENT and len(_SENT[key]) == 1 and _SENT[key].isprintable() else None
            app.post_message(Key(key, character))
            await until(on, lambda: app.typeahead.is_idle, "the key's work")
        puzzle = app.session.puzzle
    app.session.discard_changes()
    app.session.close()
    return puzzle


def in_one_burst(path: Path, keys: list[str], environment: Mapping[str, str], saved: Path) -> Puzzle:
    """Return the puzzle after sending all keys to a terminal at once."""
    with Terminal(path, environment=environment) as terminal:
        terminal.expect("fills ≈ 10^")
        terminal.press("".join(_SENT.get(key, key) for key in keys) + f":save {saved}\r")
        terminal.wait_for(saved.exists, "the puzzle is saved")
        terminal.press("\x11")
        assert terminal.end() == 0
    assert "Traceback" not in terminal.seen
    return read_puzzle(saved)


async def test_a_finished_fill_is_written_before_typed_ahead_keys_act(
    small_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise stepping would take over the fill, and a letter would end it without a message."""
    monkeypatch.setattr(fill_job, "BRIEF_SECONDS", 60.0)  # on a busy machine nothing ends immediately
    app = XwtuiApp(small_file, theme="dark", offers_start=False)
    async with app.run_test(size=(100, 24)):
        on = Stage(app)
        await on.pilot.pause()
        await until(on, lambda: "fills ≈" in on.line("estimate"), "the engine")
        await on.burst("f5", "f10", "ctrl+up", "q")
        grid, search = app.session.puzzle.grid, app.session.jobs.fill.recording
    app.session.discard_changes()
    app.session.close()
    assert grid.is_filled
    assert any(square.content == Content.of("Q") for square in grid.squares)
    assert search is None


@pytest.mark.parametrize("seed", range(SEEDS))
async def test_random_keys_in_a_burst_give_the_same_puzzle_as_one_by_one(
    small_file: Path, environment: Mapping[str, str], tmp_path: Path, seed: int
) -> None:
    keys = [*random_keys(random.Random(seed), KEYS), *_END]
    slowly = await one_by_one(small_file, keys)
    with _busy_cores() if _IS_DEEP else nullcontext():
        fast = in_one_burst(small_file, keys, environment, tmp_path / "saved.ipuz")
    assert fast == slowly


async def test_the_help_searches_once_for_all_letters_typed_ahead(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It draws all that it finds, which would take long for each letter on a busy machine."""
    await on.press("question_mark")
    searched: list[str] = []
    found = HelpText.found

    def noted(text: HelpText, search: str) -> object:
        searched.append(search)
        return found(text, search)

    monkeypatch.setattr(HelpText, "found", noted)
    await on.burst(*"candidates")
    assert on.app.screen.query_one(Input).value == searched[-1] == "candidates"
    assert len(searched) <= 2
