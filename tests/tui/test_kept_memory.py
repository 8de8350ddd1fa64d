"""Lazy loading, and memory freed during long sessions and at exit."""

import gc
import subprocess
import sys
import weakref
from functools import cache

import pytest

from tests.shell.process import PATIENCE
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage, until
from xwtui.engine.loading_step import EnginePart, LoadingStage, LoadingStep
from xwtui.memory import Garbage, drop_unused, kept_while_used
from xwtui.model import Puzzle
from xwtui.resources import puzzles_folder
from xwtui.session.messages import EnginePhase, EngineState, LexiconReady, PuzzleChanged
from xwtui.tui.app import XwtuiApp
from xwtui.tui.editors import clear_styles_cache
from xwtui.tui.screens.editor import Reported


async def test_objects_of_late_loads_are_still_garbage_collected(
    stage: OpenStage, small: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    frozen: list[None] = []
    monkeypatch.setattr("xwtui.memory.gc.freeze", lambda: frozen.append(None))
    async with stage(small) as on:
        on.app._garbage = Garbage(on.app.puzzles.has_closed)
        compiling = [LoadingStep(EnginePart.DRAWING, LoadingStage.COMPILING, seconds=passed) for passed in (1, 2)]
        for step in (None, *compiling, None):
            for phase in (EnginePhase.LOADING, EnginePhase.READY):
                on.app.post_message(Reported(EngineState(phase, step), on.bench))
        await on.pilot.pause()
        assert len(frozen) == 1


async def test_lines_of_a_closed_screen_are_freed(on: Stage) -> None:
    await on.verb("help fill")
    drawn = weakref.ref(on.app.screen.query("*").last()._styles_cache)
    assert drawn() is not None
    await on.press("escape")
    assert on.app.screen is on.editor
    clear_styles_cache()
    gc.collect()
    assert drawn() is None


async def test_a_closed_puzzle_is_freed_even_if_it_was_open_at_startup(on: Stage) -> None:
    on.app._garbage = Garbage(lambda: True)  # on a busy machine its screen may close after the check
    gone = weakref.ref(on.app.session)
    gc.freeze()
    await on.verb("set 5A SNAIL")
    await on.verb("new 5")
    await on.verb("tab previous")
    await on.verb("tab close --force")
    assert len(on.app.puzzles.sessions) == 1
    closing = on.app.puzzles._closing
    await until(on, lambda: not any(thread.is_alive() for thread in closing), "the end of its threads")
    assert gone() is not None

    def is_freed() -> bool:
        on.app._drop_caches()
        return gone() is None

    await until(on, is_freed, "its memory")


async def test_freed_memory_is_returned_to_the_system_within_seconds(
    stage: OpenStage, small: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even during a count or search, whose thread returns memory only when it rests."""
    trimmed: list[None] = []
    monkeypatch.setattr("xwtui.tui.app.trim", lambda: trimmed.append(None))
    async with stage(small) as on:
        await until(on, lambda: bool(trimmed), "the return of memory")


async def test_messages_during_teardown_are_ignored(
    stage: OpenStage, small: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If `exit` was not what ended the app, the editor is still mounted without its children."""
    close_all = XwtuiApp._close_all

    async def tell_last(app: XwtuiApp) -> None:
        await close_all(app)
        app.post_message(Reported(PuzzleChanged("late"), app.session))

    monkeypatch.setattr(XwtuiApp, "_close_all", tell_last)
    async with stage(small) as on:
        await on.pilot.pause()


async def test_replaced_words_are_freed(on: Stage) -> None:
    on.app._garbage = garbage = Garbage(lambda: False)
    gone = _HoldsItself()
    reference = weakref.ref(gone)
    del gone
    garbage.has_loaded()
    garbage.collect()
    assert reference() is not None
    await on.tell(LexiconReady(10, 0.0))
    garbage.collect()
    assert reference() is None


class _HoldsItself:
    def __init__(self) -> None:
        self.me = self
        self.much = [str(number) for number in range(200_000)]


def test_large_reference_cycles_are_freed_before_the_collector_is_due() -> None:
    garbage = Garbage(lambda: False)
    garbage.has_loaded()
    gc.disable()
    try:
        gone = weakref.ref(_HoldsItself())
        garbage.collect()
        assert gone() is None
    finally:
        gc.enable()
        gc.unfreeze()


def test_garbage_among_exempt_objects_is_freed_once_there_may_be_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xwtui.memory._MUCH_OLD_GARBAGE", 100_000)
    garbage = Garbage(lambda: False)
    garbage.has_loaded()
    gone, more = _HoldsItself(), _HoldsItself()
    gc.freeze()
    reference = weakref.ref(gone)
    del gone
    for _ in range(2):
        assert reference() is not None
        garbage.collect()
    assert reference() is None
    assert more.much
    gc.unfreeze()


def test_what_is_kept_while_used_goes_once_it_was_not_used_between_two_looks() -> None:
    made: list[int] = []

    @kept_while_used
    @cache
    def numbered() -> int:
        made.append(len(made))
        return len(made)

    for _ in range(2):
        assert numbered() == 1
        drop_unused()
    drop_unused()
    assert numbered() == 2


def test_memory_of_a_tab_closed_while_another_closes_is_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[None] = []
    monkeypatch.setattr("xwtui.memory.gc.unfreeze", lambda: looks.append(None))
    closings = [True, True, False, True, False, False]
    garbage = Garbage(lambda: closings.pop(0))
    counts = []
    for _ in range(6):
        garbage.collect()
        counts.append(len(looks))
    assert counts == [0, 1, 2, 2, 3, 3], "each time a turn later"


def test_new_words_do_not_postpone_a_requested_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[None] = []
    monkeypatch.setattr("xwtui.memory.gc.unfreeze", lambda: looks.append(None))
    closings = [True, False]
    garbage = Garbage(lambda: closings.pop(0))
    garbage.collect()
    garbage.has_replaced()
    garbage.collect()
    assert len(looks) == 1


_PROBE = """
import asyncio, sys
from pathlib import Path
from xwtui.session.session import Session
from xwtui.tui.app import XwtuiApp

class Late(Session):
    def start(self):
        app.exit(0)

app = XwtuiApp(Path(sys.argv[1]), session=Late)

async def see():
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()

asyncio.run(see())
assert app.return_code == 0
print("LOADED", *sys.modules)
"""
"""Textual's test tools load more modules than a terminal needs, but none of these."""

NOT_NEEDED = {
    "llvmlite",
    "markdown_it",
    "multiprocessing",
    "numba",
    "numpy",
    "prompt_toolkit",
    "puz",
    "pygments",
    "regex",
    "rich.markdown",
    "sqlite3",
    "xwtui.engine.kernels",
    "xwtui.formats.puz",
    "xwtui.batch.races.task",
    "xwtui.repl",
    "xwtui.strategies.registry",
    "xwtui.tui.screens.watching",
    "xwtui.tui.screens.clue_table",
    "xwtui.tui.screens.choosing",
    "xwtui.tui.screens.help",
    "xwtui.tui.screens.racing",
    "xwtui.words.lexicon",
}


def test_the_first_frame_waits_only_for_what_it_shows() -> None:
    sample = puzzles_folder() / "heart-to-heart.ipuz"
    done = subprocess.run(
        [sys.executable, "-c", _PROBE, str(sample)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.splitlines()[-1].split()[1:])
    assert {"textual.app", "xwtui.tui.screens.editor"} <= loaded
    assert sorted(NOT_NEEDED & loaded) == []
