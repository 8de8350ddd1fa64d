"""Naive twins of the model: slots, crossings, symmetries and regions, found the long way round."""

import re
from collections.abc import Mapping

from xwtui.model import Bar, Grid, Kind, Position, Symmetry

Place = tuple[int, int]


def naive_slots(grid: Grid) -> dict[str, tuple[Place, ...]]:
    """The squares of each slot by name, found by splitting lines of text at blocks, voids and bars."""
    rows = [[(row, column) for column in range(grid.width)] for row in range(grid.height)]
    columns = [[(row, column) for row in range(grid.height)] for column in range(grid.width)]
    across = [run for line in rows for run in _runs(grid, line)]
    down = [run for line in columns for run in _runs(grid, line)]
    starts = sorted({run[0] for run in across + down})
    number = {start: index for index, start in enumerate(starts, start=1)}
    named = {f"{number[run[0]]}A": run for run in sorted(across)}
    return named | {f"{number[run[0]]}D": run for run in sorted(down)}


def _runs(grid: Grid, line: list[Place]) -> list[tuple[Place, ...]]:
    text = ""
    places: list[Place | None] = []
    for index, place in enumerate(line):
        if index and Bar(Position(*line[index - 1]), Position(*place)) in grid.bars:
            text += "|"
            places.append(None)
        text += "o" if grid[Position(*place)].kind is Kind.OPEN else "#"
        places.append(place)
    found = re.finditer("oo+", text)
    return [tuple(place for place in places[match.start() : match.end()] if place) for match in found]


def naive_checked(grid: Grid) -> set[Place]:
    """Every square that an across and a down slot share."""
    slots = naive_slots(grid)
    across, down = ({at for name in slots if name.endswith(way) for at in slots[name]} for way in "AD")
    return across & down


def naive_orbit(symmetry: Symmetry, place: Place, height: int, width: int) -> set[Place]:
    """The place with its images, found by turning or mirroring a whole table of places until nothing is new."""
    table = [[(row, column) for column in range(width)] for row in range(height)]
    moved = _moved(symmetry, table)
    orbit = {place}
    while True:
        grown = orbit | {moved[row][column] for row, column in orbit}
        if grown == orbit:
            return orbit
        orbit = grown


def _moved(symmetry: Symmetry, table: list[list[Place]]) -> list[list[Place]]:
    upside_down = table[::-1]
    match symmetry:
        case Symmetry.NONE:
            return table
        case Symmetry.ROTATION_180:
            return [row[::-1] for row in upside_down]
        case Symmetry.ROTATION_90:
            return [list(row) for row in zip(*upside_down, strict=True)]
        case Symmetry.LEFT_RIGHT:
            return [row[::-1] for row in table]
        case Symmetry.UP_DOWN:
            return upside_down
        case Symmetry.DIAGONAL:
            return [list(row) for row in zip(*table, strict=True)]
        case Symmetry.ANTIDIAGONAL:
            return [list(row) for row in zip(*[row[::-1] for row in upside_down], strict=True)]


def naive_regions(grid: Grid) -> list[set[Place]]:
    """The parts that hang together: squares start with labels of their own, then neighbours agree on the lower."""
    label: dict[Place, int] = {(at.row, at.column): index for index, at in enumerate(grid.open_positions())}
    while _agree(grid, label):
        pass
    parts: dict[int, set[Place]] = {}
    for place, mark in label.items():
        parts.setdefault(mark, set()).add(place)
    return list(parts.values())


def _agree(grid: Grid, label: dict[Place, int]) -> bool:
    changed = False
    for row, column in list(label):
        for neighbour in ((row, column + 1), (row + 1, column)):
            bar = Bar(Position(row, column), Position(*neighbour))
            if neighbour not in label or bar in grid.bars:
                continue
            lower = min(label[row, column], label[neighbour])
            changed |= label[row, column] != label[neighbour]
            label[row, column] = label[neighbour] = lower
    return changed


def naive_answers(grid: Grid) -> Mapping[str, str]:
    """The finished entries, read off square by square."""
    answers = {}
    for name, places in naive_slots(grid).items():
        contents = [grid[Position(*place)].content for place in places]
        texts = [content and (content.across if name.endswith("A") else content.down) for content in contents]
        if all(texts):
            answers[name] = "".join(text or "" for text in texts)
    return answers
