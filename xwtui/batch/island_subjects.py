"""Layouts that an island begins with, and those that it ends with, as the text that tasks are about: JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from xwtui.batch.design_subjects import layout_values, read_layout
from xwtui.batch.subjects import puzzle_text, read_puzzle_text
from xwtui.batch.tasks import canonical
from xwtui.engine.annealing import Walls
from xwtui.engine.what_if.ranking import Fillability, Outlook
from xwtui.formats.grid_text import contents_in, grid_from_text, grid_to_text
from xwtui.grids.breeding import BredLayout, bare
from xwtui.grids.layouts import LayoutWanted
from xwtui.model import Puzzle


class AskedIsland(NamedTuple):
    """What an island does in a round."""

    wanted: LayoutWanted
    population: tuple[BredLayout, ...]


def asked_of_layouts(wanted: LayoutWanted) -> str:
    """The layouts that are wanted, around a grid where one is given."""
    given = "" if wanted.given is None else puzzle_text(Puzzle(wanted.given))
    return canonical({**layout_values(wanted), "given": given})


def read_layouts(text: str) -> LayoutWanted:
    """What `asked_of_layouts` wrote."""
    values = json.loads(text)
    given = read_puzzle_text(values["given"]).grid if values["given"] else None
    return replace(read_layout(values), given=given)


def read_island(asked: str) -> AskedIsland:
    """What `islands.asked_of_island` wrote."""
    values = json.loads(asked)
    wanted = read_layouts(values["wanted"])
    return AskedIsland(wanted, tuple(read_bred(wanted, one) for one in values["population"]))


def bred_values(one: BredLayout) -> Mapping[str, Any]:
    """A layout, and what is known of its fills, as plain data."""
    outlook = one.outlook
    return {
        "rows": filled_rows(one),
        "fillability": outlook.fillability.name,
        "log10": outlook.log10,
        "blamed": list(one.blamed),
    }


def read_bred(wanted: LayoutWanted, values: Mapping[str, Any]) -> BredLayout:
    """What `bred_values` wrote; raises PuzzleFormatError for rows that are no grid."""
    is_filled = (fillability := Fillability[values["fillability"]]) is Fillability.FILLED
    fill = contents_in(values["rows"]) if is_filled else {}
    outlook = Outlook(fillability, values["log10"], fill=fill)
    return replace(bare(wanted, walls_in(values["rows"])), outlook=outlook, blamed=tuple(values["blamed"]))


def filled_rows(one: BredLayout) -> tuple[str, ...]:
    """The rows of a layout, with its fill where one was found."""
    fill = one.outlook.fill
    filled = one.grid.with_squares({at: replace(one.grid[at], content=fill[at]) for at in fill})
    return tuple(grid_to_text(filled).splitlines())


def walls_in(rows: Sequence[str]) -> Walls:
    """Where the blocks are in the rows of a grid; raises PuzzleFormatError where it is none."""
    grid = grid_from_text("\n".join(rows))
    return np.array([not grid[at].is_open for at in grid.positions()], np.uint8)
