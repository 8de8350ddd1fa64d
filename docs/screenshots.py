"""Draw docs/*.svg by running the screen on the sample puzzle, and docs/tour/*.svg by the tour's lines.

`python docs/screenshots.py [PUZZLE]`. Words, engine and counts are the real ones; user folders are passing ones,
so that nobody's settings show.
"""

import asyncio
import html
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click
from textual.events import Paste
from textual.pilot import Pilot

from xwtui.model import Position
from xwtui.resources import puzzles_folder
from xwtui.session.verbs.registry import run_line
from xwtui.tui.app import XwtuiApp
from xwtui.tui.screens.clue_table import ClueTable
from xwtui.tui.screens.findings import FindingsScreen
from xwtui.tui.screens.layouts import LayoutList, LayoutScreen
from xwtui.tui.screens.solving import SolveScreen

FOLDER = Path(__file__).resolve().parent
SAMPLE = "heart-to-heart.ipuz"
SIZE = (100, 26)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
PATIENCE = 600.0
"""Seconds to wait for what a picture is to show before giving up: far more than it takes on a busy machine."""
_GLANCE = 0.1
_KEY_NAMES = {" ": "space", "-": "minus"}

TOUR_SIZES = ((80, 24), (120, 40), (200, 60))
_TOUR_PARTS = re.compile(r"^## (?P<title>[^\n]*)\n|^```\n(?P<lines>.*?)^```", re.MULTILINE | re.DOTALL)


def shows_designs(app: XwtuiApp) -> bool:
    """Whether the room where grids are laid out has a design."""
    return isinstance(app.screen, LayoutScreen) and any(
        row.design for row in app.screen.query_one(LayoutList).rows
    )


def shows_swaps(app: XwtuiApp) -> bool:
    """Whether all other words of an entry are listed, each with what it changes."""
    findings = app.session.jobs.question.findings
    return isinstance(app.screen, FindingsScreen) and findings is not None and findings.is_complete


def shows_suggestions(app: XwtuiApp) -> bool:
    """Whether the clue screen has what is suggested for its current entry."""
    return isinstance(app.screen, ClueTable) and not app.screen.side.is_searching


def has_no_suggestions(app: XwtuiApp) -> bool:
    """Whether nothing is suggested for the current entry of the clue screen."""
    return isinstance(app.screen, ClueTable) and not app.screen.side.suggested.rows


def is_counted(app: XwtuiApp) -> bool:
    """Whether the fills that remain are counted as exactly as they will be, and the candidates with them."""
    latest = app.session.jobs.live_counts.view
    return not latest.stale and latest.estimate is not None and not latest.estimate.rough


def shows_solving(app: XwtuiApp) -> bool:
    """Whether the puzzle is being solved."""
    return isinstance(app.screen, SolveScreen)


class Station(NamedTuple):
    """A place of the tour of which a picture is taken."""

    name: str
    keys: Sequence[str]
    """Pressed for it; an Esc for each takes them back."""
    is_shown: Callable[[XwtuiApp], bool]
    """Whether all is on the screen that the picture is about."""
    is_empty: Callable[[XwtuiApp], bool] = lambda app: False
    """Whether that is nothing, so that the next row is taken in its place."""


_STATIONS = {
    "A theme becomes a design": Station("design", ("ampersand",), shows_designs),
    "A theme answer with a rebus square": Station("theme", (), is_counted),
    "Fill and improve": Station("filled", (), lambda app: app.session.puzzle.grid.is_filled),
    "Change one word and nothing else": Station("swap", ("colon", *"swap --time 500", "enter"), shows_swaps),
    "Clues": Station("clues", ("f2",), shows_suggestions, has_no_suggestions),
    "Test-solve": Station("solve", ("colon", *"solve", "enter"), shows_solving),
}
"""The stations, by the headings of the tour."""


async def draw(sample: Path, theme: str) -> list[Path]:
    """Walk through the sample and take a picture at each station; returns their paths."""
    app = XwtuiApp(sample, theme=theme, offers_start=False)
    async with app.run_test(size=SIZE) as pilot:
        await _until(pilot, lambda: is_counted(app), "a refined count")
        pictures = [await _picture(pilot, "screen.svg")]
        app.session.jobs.fill.until("backtrack")
        await _until(pilot, lambda: not app.session.jobs.fill.is_running, "the first backtrack")
        pictures.append(await _picture(pilot, "backtrack.svg"))
        await pilot.press("f6", "f5")
        await _until(pilot, lambda: app.session.puzzle.grid.is_filled, "a fill")
        await _until(pilot, lambda: not app.session.jobs.fill.is_running, "its end")
        pictures.append(await _picture(pilot, "filled.svg"))
        pictures += await _answers(app, pilot)
        app.exit()  # what is still being told is heard no more
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


def tour_stations(page: str) -> list[tuple[str, list[str]]]:
    """The headings of the tour, each with the lines that are typed below it."""
    found: list[tuple[str, list[str]]] = []
    for part in _TOUR_PARTS.finditer(page):
        if part["title"] is not None:
            found.append((part["title"], []))
        elif found:
            found[-1][1].extend(part["lines"].splitlines())
    return found


async def draw_tour(size: tuple[int, int]) -> list[Path]:
    """Type the tour on a screen of this size; returns the paths of its pictures."""
    app = XwtuiApp(theme="dark", offers_start=False)
    pictures: list[Path] = []
    async with app.run_test(size=size) as pilot:
        await _until(pilot, lambda: app.session.jobs.engine.is_ready, "the engine")
        for title, lines in tour_stations((FOLDER / "tour.md").read_text(encoding="utf-8")):
            for line in lines:
                await _type(app, pilot, line)
            if title in _STATIONS:
                station = _STATIONS[title]
                await pilot.press(*(_KEY_NAMES.get(key, key) for key in station.keys))
                await _at_rest(app, pilot)
                await _until(pilot, partial(station.is_shown, app), f"the picture of {station.name}")
                for _ in app.session.puzzle.grid.slots:
                    if station.is_empty(app):
                        await pilot.press("down")
                        await _until(pilot, partial(station.is_shown, app), f"the next row of {station.name}")
                pictures.append(await _picture(pilot, "tour/{}x{}-{}.svg".format(*size, station.name)))
                await pilot.press(*("escape" for _ in station.keys))
        app.exit()
    app.session.discard_changes()
    app.session.close()
    return pictures


FIRST_MINUTES = {
    "design": "Theme answers become grids, each proved by a fill",
    "theme": "A theme answer with a rebus square is locked; candidates say how many fills they leave",
    "filled": "Filled",
    "swap": "Another word, and the smallest change around it",
    "clues": "Clues, with what is suggested",
    "solve": "Test-solved",
}
"""The stations of the moving picture, with what is said below each."""

_SHOWN_SECONDS = 5
_BAND = 34
"""Points below the screen for what is said of it."""

_VIEW = re.compile(r'viewBox="0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)"')


def moving_picture(size: tuple[int, int] = TOUR_SIZES[0]) -> str:
    """The pictures of the tour one after the other, as one SVG that moves by itself."""
    pictures = [
        (FOLDER / "tour" / "{}x{}-{}.svg".format(*size, name)).read_text(encoding="utf-8")
        for name in FIRST_MINUTES
    ]
    view = _VIEW.search(pictures[0])
    assert view is not None
    width, height = float(view["width"]), float(view["height"])
    count = len(pictures)
    frames = []
    for number, (picture, said) in enumerate(zip(pictures, FIRST_MINUTES.values(), strict=True)):
        inside = picture[picture.index(">") + 1 : picture.rindex("</svg>")]
        told = f'<text x="{width / 2}" y="{height + _BAND * 2 / 3}" class="told">{html.escape(said)}</text>'
        delay = f"animation-delay: {number * _SHOWN_SECONDS}s"
        frames.append(f'<g class="frame" style="{delay}">{inside}{told}</g>')
    share = 100 / count
    style = f"""<style>
.frame {{ opacity: 0; animation: frame {count * _SHOWN_SECONDS}s infinite; }}
@keyframes frame {{ 0%, {share - 0.2:.1f}% {{ opacity: 1; }} {share:.1f}%, 100% {{ opacity: 0; }} }}
@media (prefers-reduced-motion: reduce) {{ .frame {{ animation: none; }} .frame:last-of-type {{ opacity: 1; }} }}
.told {{ font: 20px sans-serif; fill: #6b7a90; text-anchor: middle; }}
</style>"""
    box = f'viewBox="0 0 {width:g} {height + _BAND:g}" xmlns="http://www.w3.org/2000/svg"'
    return "\n".join([f"<svg {box}>", style, *frames, "</svg>", ""])


async def _type(app: XwtuiApp, pilot: Pilot[int], line: str) -> None:
    """Paste a verb after a colon, and wait until all it has begun is done; a reply over the grid is closed."""
    await pilot.press("colon")
    app.post_message(Paste(line))
    await pilot.press("enter")
    await _at_rest(app, pilot)
    if len(app.screen_stack) > 1:
        await pilot.press("escape")
        await _at_rest(app, pilot)


async def _at_rest(app: XwtuiApp, pilot: Pilot[int]) -> None:
    jobs = app.session.jobs
    await _until(pilot, lambda: app.typeahead.is_idle and not jobs.scheduler.is_busy, "the end of what was typed")


async def _until(pilot: Pilot[int], arrived: Callable[[], bool], what: str) -> None:
    waited = 0.0
    await pilot.pause(_GLANCE)  # what was just pressed may have to begin first
    while not arrived():
        if waited > PATIENCE:
            raise SystemExit(f"screenshots: waited {PATIENCE:.0f} s in vain for {what}")
        await pilot.pause(_GLANCE)
        waited += _GLANCE
    await pilot.pause(_GLANCE)


async def _picture(pilot: Pilot[int], name: str) -> Path:
    await pilot.pause()  # until all is drawn
    path = FOLDER / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(pilot.app.export_screenshot(title="xwtui"), encoding="utf-8")
    return path


@click.command(help=__doc__)
@click.argument("sample", metavar="[PUZZLE]", default=puzzles_folder() / SAMPLE, type=_FILE)
def main(sample: Path) -> None:
    """Draw all pictures and name them."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("CONFIG", "DATA", "STATE"):
            os.environ[f"XDG_{name}_HOME"] = str(Path(folder) / name.lower())
        os.environ.pop("NO_COLOR", None)
        copy = Path(shutil.copy(sample, folder))
        drawn = asyncio.run(draw(copy, "dark"))
        os.chdir(folder)  # the tour saves its puzzle where it runs
        for size in TOUR_SIZES:
            drawn += asyncio.run(draw_tour(size))
    moving = FOLDER / "first-minutes.svg"
    moving.write_text(moving_picture(), encoding="utf-8")
    for path in [*drawn, moving]:
        print(path.relative_to(FOLDER.parent))


if __name__ == "__main__":
    main()
