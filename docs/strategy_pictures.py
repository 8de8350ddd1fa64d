"""Draw docs/strategies/NAME.svg, each strategy on the watch screen: `python -m docs.strategy_pictures [NAME]...`.

Each search has seed 0 and the default list, so that the same picture can be had on any machine by the lines of its
scene: `xwtui TEMPLATE`, these verbs, then `@` for the watch screen and `c` for the colours.
"""

import asyncio
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import click
from textual.pilot import Pilot

from docs.screenshots import PATIENCE
from xwtui.resources import puzzles_folder
from xwtui.session.verbs.registry import run_line
from xwtui.strategies.registry import STRATEGIES
from xwtui.tui.app import XwtuiApp
from xwtui.tui.screens.watching import Colouring, WatchScreen

FOLDER = Path(__file__).resolve().parent / "strategies"
_SIZE = (100, 27)
_GLANCE = 0.1


@dataclass(frozen=True)
class Scene:
    """A moment of a search: the template, the verbs that lead there, and what the colours tell."""

    template: str
    lines: tuple[str, ...]
    colouring: Colouring = Colouring.DEPTH


def _scene(template: str, begin: str, *others: str, colouring: Colouring = Colouring.DEPTH) -> Scene:
    return Scene(template, (begin, *others), colouring)


_ON = ("until backtrack",)

SCENES: Mapping[str, Scene] = {
    "xwtui": _scene("square-6x6", "until backtrack --strategy xwtui", *_ON * 7),
    "emogic-letters": _scene("square-5x5", "until backtrack --strategy emogic-letters:walk=snake", *_ON * 9),
    "emogic-words": _scene("9x9-01", "until backtrack --strategy emogic-words:walk=sik-sak", *_ON * 40),
    "trie": _scene("square-6x6", "until backtrack --strategy trie", *_ON * 30),
    "fsharp-word": _scene("9x9-01", "until backtrack --strategy fsharp-word"),
    "qxw-cells": _scene("9x9-01", "step 60 --strategy qxw-cells"),
    "copeland": _scene("9x9-01", "step 12 --strategy copeland"),
    "top-ten": _scene("9x9-01", "step 12 --strategy top-ten"),
    "sorted-index": _scene("9x9-01", "step 12 --strategy sorted-index"),
    "sat": _scene("mini-5x5", "step 1 --strategy sat:conflicts=1"),
    "permuted-index": _scene("9x9-01", "until backtrack --strategy permuted-index", *_ON * 3),
}


async def draw(name: str, scene: Scene) -> Path:
    """Run the screen to the moment of a scene and take its picture; returns the path."""
    app = XwtuiApp(puzzles_folder() / "templates" / f"{scene.template}.txt", theme="dark", offers_start=False)
    async with app.run_test(size=_SIZE) as pilot:
        await asyncio.to_thread(app.session.wait_until_ready, PATIENCE)
        for line in scene.lines:
            run_line(app.session, line)
            await _still(app, pilot, line)
        await pilot.press("at")
        await pilot.pause(_GLANCE)
        screen = app.screen
        if not isinstance(screen, WatchScreen):
            raise SystemExit(f"{name}: there is nothing to watch after {scene.lines[-1]!r}")
        while screen.colouring is not scene.colouring:
            await pilot.press("c")
        await pilot.pause(0.5)
        path = FOLDER / f"{name}.svg"
        path.write_text(app.export_screenshot(title=f"xwtui: {name}"), encoding="utf-8")
    app.session.discard_changes()
    app.session.close()
    return path


async def _still(app: XwtuiApp, pilot: Pilot[int], line: str) -> None:
    """Wait until the search stands still after a line."""
    waited = 0.0
    while app.session.jobs.fill.is_running:
        if waited > PATIENCE:
            raise SystemExit(f"pictures: waited {PATIENCE:.0f} s in vain for {line!r}")
        await pilot.pause(_GLANCE)
        waited += _GLANCE
    run = app.session.jobs.fill.view
    if run is None or not run.paused:
        raise SystemExit(f"pictures: after {line!r} no search stands still")


@click.command(help=__doc__)
@click.argument("names", metavar="[NAME]...", nargs=-1, type=click.Choice(list(STRATEGIES)))
def main(names: tuple[str, ...]) -> None:
    """Draw the pictures of the strategies named, or of all."""
    for name in names or STRATEGIES:
        with tempfile.TemporaryDirectory() as folder:
            for kind in ("CONFIG", "DATA", "STATE"):
                os.environ[f"XDG_{kind}_HOME"] = str(Path(folder) / kind.lower())
            os.environ.pop("NO_COLOR", None)
            print(asyncio.run(draw(name, SCENES[name])).name)


if __name__ == "__main__":
    main()
