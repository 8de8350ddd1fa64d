"""Draw docs/*.svg by running the screen on the sample puzzle: `python docs/screenshots.py [PUZZLE]`.

Words, engine and counts are the real ones; user folders are passing ones, so that nobody's settings show.
"""

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from textual.pilot import Pilot

from xwtui.model import Position
from xwtui.resources import puzzles_folder
from xwtui.session.verbs.registry import run_line
from xwtui.tui.app import XwtuiApp

FOLDER = Path(__file__).resolve().parent
SAMPLE = "heart-to-heart.ipuz"
SIZE = (100, 26)
PATIENCE = 180.0
"""Seconds to wait for the engine, which may have to compile, before giving up."""
_GLANCE = 0.1


async def draw(sample: Path, theme: str) -> list[Path]:
    """Walk through the sample and take a picture at each station; returns their paths."""
    app = XwtuiApp(sample, theme=theme, offers_start=False)
    async with app.run_test(size=SIZE) as pilot:
        await _until(pilot, lambda: _is_counted(app), "a refined count")
        pictures = [await _picture(pilot, "screen.svg")]
        app.session.jobs.fill.until("backtrack")
        await _until(pilot, lambda: not app.session.jobs.fill.is_running, "the first backtrack")
        pictures.append(await _picture(pilot, "backtrack.svg"))
        if not app.session.puzzle.grid.is_filled:
            app.session.jobs.fill.resume()
        await _until(pilot, lambda: app.session.puzzle.grid.is_filled, "a fill")
        await _until(pilot, lambda: not app.session.jobs.fill.is_running, "its end")
        pictures.append(await _picture(pilot, "filled.svg"))
        pictures += await _answers(app, pilot)
    app.session.discard_changes()
    app.session.close()
    return pictures


async def _answers(app: XwtuiApp, pilot: Pilot[int]) -> list[Path]:
    """Where the unfilled grid is hard, and why a Q in its corner does not go with the rest."""
    bench = app.session
    bench.undo()
    asked = bench.jobs.question
    bench.cursor.move_to(Position(4, 4))
    await pilot.press("percent_sign")
    await _until(pilot, lambda: asked.findings is not None and not asked.is_busy, "the heat map")
    pictures = [await _picture(pilot, "heat.svg")]
    await pilot.press("percent_sign")
    run_line(bench, "set r1c1 Q")
    await pilot.press("ctrl+w")
    await _until(
        pilot,
        lambda: asked.findings is not None and not asked.is_busy,
        "the conflicts",
    )
    return [*pictures, await _picture(pilot, "why.svg")]


def _is_counted(app: XwtuiApp) -> bool:
    latest = app.session.jobs.live_counts.view
    return not latest.stale and latest.estimate is not None and not latest.estimate.rough


async def _until(pilot: Pilot[int], arrived: Callable[[], bool], what: str) -> None:
    waited = 0.0
    while not arrived():
        if waited > PATIENCE:
            raise SystemExit(f"screenshots: waited {PATIENCE:.0f} s in vain for {what}")
        await pilot.pause(_GLANCE)
        waited += _GLANCE
    await pilot.pause(_GLANCE)


async def _picture(pilot: Pilot[int], name: str) -> Path:
    await pilot.pause(0.5)
    path = FOLDER / name
    path.write_text(pilot.app.export_screenshot(title="xwtui"), encoding="utf-8")
    return path


def main() -> None:
    """Draw all pictures and name them."""
    sample = Path(sys.argv[1]) if len(sys.argv) > 1 else puzzles_folder() / SAMPLE
    with tempfile.TemporaryDirectory() as folder:
        for name in ("CONFIG", "DATA", "STATE"):
            os.environ[f"XDG_{name}_HOME"] = str(Path(folder) / name.lower())
        os.environ.pop("NO_COLOR", None)
        copy = Path(shutil.copy(sample, folder))
        for path in asyncio.run(draw(copy, "dark")):
            print(path.relative_to(FOLDER.parent))


if __name__ == "__main__":
    main()
