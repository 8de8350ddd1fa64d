"""The heat map: which step of the scale a square is on, and its legend."""

from __future__ import annotations

from collections.abc import Mapping

from rich.style import Style

from xwtui.model import Grid, Position
from xwtui.session.wording import heat_digit
from xwtui.tui.fragments import Fragment
from xwtui.tui.palette import Palette

_STEP_WIDTH = 2


def has_colours(palette: Palette) -> bool:
    """Whether a theme shows heat by grounds; else squares are marked by digits."""
    return palette.heat_1.bgcolor is not None


def heat_style(heat: float, palette: Palette) -> Style:
    """The style of a square that is so hard."""
    steps = palette.heats
    return steps[min(int(heat * len(steps)), len(steps) - 1)]


def heat_sign(heat: float, palette: Palette) -> str:
    """The digit of a square that is so hard; empty where its ground says it."""
    return "" if has_colours(palette) else heat_digit(heat)


def heat_shown(heat: Mapping[Position, float], grid: Grid) -> dict[Position, float]:
    """The part of a heat map that is about squares which are still to be filled."""
    return {at: value for at, value in heat.items() if at in grid and grid[at].is_open and not grid[at].is_given}


def legend(palette: Palette, busy: str) -> list[Fragment]:
    """What the steps mean; `busy` stands before it while a newer map is on its way."""
    waits = [(f"{busy} ", palette.search)] if busy else []
    if not has_colours(palette):
        return [*waits, ("heat 0 easy … 9 hard ", palette.muted)]
    steps = [(" " * _STEP_WIDTH, style) for style in palette.heats]
    return [*waits, ("heat: easy ", palette.muted), *steps, (" hard ", palette.muted)]
