"""What the screen does without until it has been seen: it is loaded after that, or when it is asked for."""

import subprocess
import sys

from tests.shell.process import PATIENCE
from xwtui.resources import puzzles_folder

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
"""Textual's own tools for tests load more than a terminal needs, but nothing of this."""

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
    "xwtui.racing.task",
    "xwtui.repl",
    "xwtui.strategies.registry",
    "xwtui.tui.screens.watching",
    "xwtui.tui.screens.clue_table",
    "xwtui.tui.screens.choosing",
    "xwtui.tui.screens.help",
    "xwtui.tui.screens.palette",
    "xwtui.tui.screens.racing",
    "xwtui.words.lexicon",
}


def test_the_first_frame_waits_for_nothing_that_it_does_not_show() -> None:
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
