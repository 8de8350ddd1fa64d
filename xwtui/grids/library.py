"""The layout library: shipped layouts and the user's own, which are distinct up to reflection and rotation.

The user's layouts are in a file in the data folder with one line of JSON each: name, rows as grid text, bars,
symmetry, profile, and the puzzle that the layout was taken from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from xwtui.errors import PuzzleError, XwtuiError, failing_as
from xwtui.formats.grid_text import found_symmetry, grid_from_text, grid_to_text
from xwtui.grids.templates import Template, template_library
from xwtui.lazy import lazy_pattern
from xwtui.model import Grid, Kind, Position, Puzzle, Symmetry
from xwtui.model.grid import Bar
from xwtui.model.review import has_symmetry
from xwtui.model.square import BLOCK, OPEN, VOID
from xwtui.reading import DiskMark, changing_alone, read_at_most, write_whole
from xwtui.resources import own_layouts_file
from xwtui.text import printable

MOST_OWN = 10_000
"""Maximum number of layouts in the user's library."""
_MOST_BYTES = 64 << 20
_LONGEST_NAME = 60
_LONGEST_ORIGIN = 200
_NO_NAME = lazy_pattern(r"[^a-z0-9]+")
_ONLY_SIZE = lazy_pattern(r"\d+(x\d+)?")
_NUMBERED = lazy_pattern(r"-\d+$")
_PLAIN = {Kind.OPEN: OPEN, Kind.BLOCK: BLOCK, Kind.VOID: VOID}


def layout_library() -> tuple[Template, ...]:
    """Return all layouts, shipped ones first."""
    return (*template_library(), *own_layouts())


def bare(grid: Grid) -> Grid:
    """Return a grid reduced to its blocks, voids and bars."""
    return Grid(grid.height, grid.width, tuple(_PLAIN[square.kind] for square in grid.squares), bars=grid.bars)


class _Form(NamedTuple):
    """One orientation of a pattern: its rows as text, and the ends of its bars."""

    rows: tuple[str, ...]
    bars: tuple[tuple[Position, ...], ...]

    def turned(self) -> _Form:
        last = len(self.rows) - 1
        rows = tuple("".join(column) for column in zip(*self.rows[::-1], strict=True))
        return _Form(rows, self._moved(lambda at: Position(at.column, last - at.row)))

    def mirrored(self) -> _Form:
        last = len(self.rows[0]) - 1
        rows = tuple(row[::-1] for row in self.rows)
        return _Form(rows, self._moved(lambda at: Position(at.row, last - at.column)))

    def _moved(self, move: Callable[[Position], Position]) -> tuple[tuple[Position, ...], ...]:
        return tuple(sorted(tuple(sorted(map(move, bar))) for bar in self.bars))


def pattern_key(grid: Grid) -> _Form:
    """Return a canonical key: equal for grids whose blocks, voids and bars match up to reflection and rotation."""
    form = _Form(tuple(grid_to_text(bare(grid)).splitlines()), tuple(sorted(map(tuple, grid.bars))))
    forms = []
    for _ in range(4):
        forms += [form, form.mirrored()]
        form = form.turned()
    return min(forms)


_lock = Lock()
_read: list[tuple[tuple[Path, DiskMark | None], tuple[Template, ...]]] = []
"""The file read last and its layouts."""


def own_layouts() -> tuple[Template, ...]:
    """Return the user's layouts in order of arrival, except damaged lines; raises PuzzleError if unreadable."""
    path = own_layouts_file()
    mark = path, DiskMark.of(path)
    with _lock:
        if not _read or _read[0][0] != mark:
            with failing_as(PuzzleError, f"{printable(str(path), 200)} cannot be read"):
                data = read_at_most(path, _MOST_BYTES) if mark[1] is not None else b""
            found: dict[str, Template] = {}
            for line in data.decode("utf-8", "replace").splitlines()[:MOST_OWN]:
                if (template := _template(line)) is not None:
                    found.setdefault(template.name, template)
            _read[:] = [(mark, tuple(found.values()))]
        return _read[0][1]


def _template(line: str) -> Template | None:
    """Return the layout in a line, or None if the line is damaged."""
    try:
        told = json.loads(line)
        grid = grid_from_text("\n".join(told["rows"]))
        bars = [Bar.between(*map(Position.parse, pair)) for pair in told.get("bars", ())]
        return Template(
            _slug(str(told["name"])),
            bare(grid.with_bars(frozenset(bars))),
            symmetry=Symmetry.parse(str(told["symmetry"])),
            profile=printable(str(told.get("profile", "")), _LONGEST_NAME),
            origin=printable(str(told.get("origin", "")), _LONGEST_ORIGIN),
            is_own=True,
        )
    except (XwtuiError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _line(template: Template) -> str:
    fields: dict[str, Any] = {
        "name": template.name,
        "rows": grid_to_text(template.grid).splitlines(),
        "symmetry": template.symmetry.value,
    }
    if template.grid.bars:
        fields["bars"] = [[str(bar.first), str(bar.second)] for bar in sorted(template.grid.bars)]
    fields |= {name: text for name in ("profile", "origin") if (text := getattr(template, name))}
    return json.dumps(fields)


class NewLayout(NamedTuple):
    """A layout to add to the user's library."""

    name: str
    """The requested name; a number is appended if it is taken."""
    puzzle: Puzzle
    origin: str = ""
    """The puzzle that it was taken from."""


class Kept(NamedTuple):
    """The result of adding layouts."""

    added: tuple[Template, ...]
    known: int
    """Number of layouts skipped as duplicates of the library or of each other."""


def keep_layouts(layouts: Iterable[NewLayout]) -> Kept:
    """Add layouts to the user's library, except duplicates up to reflection and rotation.

    Raises PuzzleError if the file cannot be written or the library would be too large.
    """
    with _changing() as path:
        own = list(own_layouts())
        keys = {pattern_key(one.grid) for one in own} | _shipped_keys()
        names = {one.name for one in (*template_library(), *own)}
        added: list[Template] = []
        known = 0
        for layout in layouts:
            grid = bare(layout.puzzle.grid)
            key = pattern_key(grid)
            if key in keys:
                known += 1
                continue
            keys.add(key)
            name = _slug(layout.name)
            numbered = (f"{_NUMBERED.sub('', name)}-{number:02}" for number in range(2, MOST_OWN * 2))
            name = name if name not in names else next(one for one in numbered if one not in names)
            names.add(name)
            symmetry = layout.puzzle.symmetry
            if symmetry is Symmetry.NONE or not has_symmetry(grid, symmetry):
                symmetry = found_symmetry(grid)
            added.append(Template(name, grid, symmetry, layout.puzzle.profile, layout.origin, is_own=True))
        _write(path, [*own, *added])
    return Kept(tuple(added), known)


def drop_layouts(names: Collection[str]) -> tuple[str, ...]:
    """Remove layouts from the user's library; returns the names that existed."""
    with _changing() as path:
        own = own_layouts()
        dropped = tuple(one.name for one in own if one.name in names)
        if dropped:
            _write(path, [one for one in own if one.name not in names])
    return dropped


@contextmanager
def _changing() -> Iterator[Path]:
    path = own_layouts_file()
    with failing_as(PuzzleError, f"{printable(str(path), 200)} cannot be written"), changing_alone(path):
        yield path


def _write(path: Path, layouts: Sequence[Template]) -> None:
    if len(layouts) > MOST_OWN:
        raise PuzzleError(f"your library can hold at most {MOST_OWN:,} layouts")
    write_whole(path, "".join(f"{_line(one)}\n" for one in layouts))


@cache
def _shipped_keys() -> frozenset[_Form]:
    return frozenset(pattern_key(one.grid) for one in template_library())


def _slug(text: str) -> str:
    """Return a name that can be typed as one word and does not look like a size."""
    name = _NO_NAME.sub("-", text.lower()).strip("-")[:_LONGEST_NAME] or "layout"
    return f"own-{name}" if _ONLY_SIZE.fullmatch(name) else name
