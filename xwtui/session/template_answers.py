"""What is told of templates: how many fit, each with its figures, and what the nearest ones lack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from xwtui.engine.events.event import Outcome
from xwtui.formats.grid_text import grid_to_text
from xwtui.grids.library import layout_library
from xwtui.grids.templates import DAILY, FoundTemplate, TemplateLacks, TemplateWanted, find_templates
from xwtui.model import Bar, Direction, Grid, Position, Puzzle, Slot
from xwtui.session.answers import VerbAnswer
from xwtui.session.grid_json import bars_as_json, grid_as_json
from xwtui.session.wording import counted

_DESIGN = "`design …` makes grids around them"


_HALVES = {(False, False): "█", (True, False): "▄", (False, True): "▀", (True, True): " "}
"""What stands for two squares, the upper and the lower, by whether each is open."""


def small_picture(grid: Grid) -> list[str]:
    """A grid in lines of text, two rows a line, its blocks filled; a row a line where it has bars."""
    if grid.bars:
        return _barred_picture(grid)
    rows = [[square.is_open for square in row] for row in grid.rows()]
    rows += [[True] * grid.width] * (len(rows) % 2)
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return [f"▕{''.join(_HALVES[pair] for pair in zip(*lines, strict=True))}▏" for lines in pairs]


def _barred_picture(grid: Grid) -> list[str]:
    """Two cells a square: a line at its foot and one at its end where bars are."""

    def cells(at: Position) -> str:
        below, right = (Bar(at, at.step(way)) in grid.bars for way in (Direction.DOWN, Direction.ACROSS))
        return f"{'_' if below else ' '}{'│' if right else ' '}" if grid[at].is_open else "██"

    rows = ("".join(cells(Position(row, column)) for column in range(grid.width)) for row in range(grid.height))
    return [f"▕{row}▏" for row in rows]


def template_figures(found: FoundTemplate) -> str:
    """`15×15, 76 words, 38 blocks`."""
    grid = found.template.grid
    words, blocks = counted(found.template.words, "word"), counted(found.template.blocks, "block")
    return f"{grid.height}×{grid.width}, {words}, {blocks}"


def theme_entries(found: FoundTemplate) -> str:
    """Its entries for theme answers, each with its squares: `20A 11, 53A 11`; empty where there are none."""
    return ", ".join(f"{slot.name} {len(slot)}" for slot in found.slots)


def lacks_words(lacks: TemplateLacks) -> str:
    """What a template has not of what is wanted; empty where it fits."""
    told = [
        f"no symmetric entry for {_lengths(lengths)} {direction.word}"
        for direction, lengths in ((Direction.ACROSS, lacks.across), (Direction.DOWN, lacks.down))
        if lengths
    ]
    told += ["entries in another order"] * lacks.order
    for number, noun in ((lacks.words, "word"), (lacks.blocks, "block")):
        if number:
            told.append(f"{counted(abs(number), noun)} too {'many' if number > 0 else 'few'}")
    return ", ".join([*told, *(["another size"] if lacks.size else [])])


def brief_lacks(lacks: TemplateLacks) -> str:
    """The same in few cells: `no 12 14, +2 words`."""
    missing = " ".join(map(str, (*lacks.across, *lacks.down)))
    told = [f"no {missing}"] if missing else []
    told += ["order"] * lacks.order
    told += [f"{number:+} {noun}" for number, noun in ((lacks.words, "words"), (lacks.blocks, "blocks")) if number]
    return ", ".join([*told, *(["size"] if lacks.size else [])])


def refusal(nearest: FoundTemplate) -> str:
    """Why theme answers cannot be begun with on a template that has not all that is wanted."""
    told = f"no template takes them: the nearest, {nearest.template.name}, has {lacks_words(nearest.lacks)}"
    return f"{told}; {_DESIGN}" if nearest.lacks.is_of_theme else told


def design_words(wanted: TemplateWanted, found: Sequence[FoundTemplate]) -> str:
    """That a design is the way on: theme answers have no room, or in another size than the daily one alone.

    Empty where they have.
    """
    if found[0].lacks.is_of_theme:
        return f"no template takes them all; {_DESIGN}"
    if wanted.size is not None or wanted.names or not (wanted.across or wanted.down) or not found[0].fits:
        return ""
    grid = found[0].template.grid
    if (grid.height, grid.width) == DAILY:
        return ""
    return f"no template of 15×15 takes them, one of {grid.height}×{grid.width} does; {_DESIGN}"


def size_words(wanted: TemplateWanted) -> str:
    """That a number alone is no size, where templates have as many rows and columns; empty where that is said."""
    if len(wanted.across) != 1 or replace(wanted, across=()) != TemplateWanted():
        return ""
    side = wanted.across[0]
    grids = (template.grid for template in layout_library())
    if all((grid.height, grid.width) != (side, side) for grid in grids):
        return ""
    return f"{side} is the length of a theme answer; `{side}x{side}` is the size"


def _lengths(lengths: Sequence[int]) -> str:
    return " and ".join(map(str, lengths))


@dataclass(frozen=True)
class TemplatesAnswer(VerbAnswer):
    """The templates that have what is wanted, or the nearest ones."""

    wanted: TemplateWanted
    limit: int
    """How many are listed."""
    found: tuple[FoundTemplate, ...]
    is_drawn: bool = False
    """Whether each has a picture below its line."""

    @classmethod
    def to(cls, wanted: TemplateWanted, limit: int, *, is_drawn: bool = False) -> TemplatesAnswer:
        """Look in the library."""
        return cls(wanted, limit, find_templates(wanted, layout_library()), is_drawn)

    @property
    def fitting(self) -> int:
        """How many have all that is wanted."""
        return sum(one.fits for one in self.found)

    @property
    def verdict(self) -> Outcome:
        """IMPOSSIBLE where no template has it."""
        return Outcome.FILLED if self.fitting else Outcome.IMPOSSIBLE

    @property
    def lines(self) -> Sequence[str]:
        """How many there are, and a line for each that is listed."""
        if not self.found:
            return [f"no template is called {' '.join(self.wanted.names)}"]
        listed = self.found[: self.limit]
        left = len(self.found) - len(listed)
        more = [f"  and {left} more"] if left else []
        told = [line for found in listed for line in (self._line(found), *self._picture(found))]
        return [self._headline, *told, *more]

    def _picture(self, found: FoundTemplate) -> Sequence[str]:
        return [f"    {line}" for line in small_picture(found.template.grid)] if self.is_drawn else ()

    @property
    def _headline(self) -> str:
        if self.fitting:
            size = size_words(self.wanted)
            return f"{counted(self.fitting, 'template')}; `new NAME` begins on one{f'; {size}' if size else ''}"
        design = f"; {_DESIGN}" if any(one.lacks.is_of_theme for one in self.found) else ""
        return f"no template has all of that{design}; the nearest are"

    def _line(self, found: FoundTemplate) -> str:
        own = "yours" if found.template.is_own else ""
        remark = "; ".join(filter(None, (own, theme_entries(found), lacks_words(found.lacks))))
        return f"  {found.template.name:<20}  {template_figures(found)}{f'; {remark}' if remark else ''}"

    @property
    def as_json(self) -> dict[str, Any]:
        """How many fit, and those that are listed, each with its entries for theme answers and what it lacks."""
        return {"fitting": self.fitting, "templates": [self._one(found) for found in self.found[: self.limit]]}

    def _one(self, found: FoundTemplate) -> dict[str, Any]:
        grid, lacks = found.template.grid, found.lacks
        slots = found.slots
        return {
            "name": found.template.name,
            "own": found.template.is_own,
            "profile": found.template.profile or None,
            "origin": found.template.origin or None,
            **grid_as_json(grid),
            "height": grid.height,
            "width": grid.width,
            "words": found.template.words,
            "blocks": found.template.blocks,
            "fits": found.fits,
            "across": _entries(slots, Direction.ACROSS),
            "down": _entries(slots, Direction.DOWN),
            "lacks": {
                "across": list(lacks.across),
                "down": list(lacks.down),
                "order": lacks.order,
                "words": lacks.words,
                "blocks": lacks.blocks,
                "size": lacks.size,
            },
        }


def _entries(slots: Sequence[Slot], direction: Direction) -> list[dict[str, Any]]:
    return [{"entry": slot.name, "squares": len(slot)} for slot in slots if slot.direction is direction]


@dataclass(frozen=True)
class ThemeAnswer(VerbAnswer):
    """A puzzle that was begun with theme answers in the entries of a template."""

    found: FoundTemplate
    puzzle: Puzzle
    others: tuple[str, ...]
    """The names of the other templates that have room for them."""
    other_size: str = ""
    """That none of the daily size has, where that is so."""

    @property
    def puzzles(self) -> tuple[Puzzle, ...]:
        """The puzzle."""
        return (self.puzzle,)

    @property
    def placed(self) -> dict[str, str]:
        """The theme answers by their entries, from top to bottom, rebus squares in brackets."""
        grid = self.puzzle.grid
        return {slot.name: grid.pattern(slot) for slot in self.found.slots if grid.answer(slot) is not None}

    @property
    def lines(self) -> Sequence[str]:
        """The template, where each answer stands, how many others there are; first, that it is no daily one."""
        told = ", ".join(f"{name} {answer}" for name, answer in self.placed.items())
        more = f"; {counted(len(self.others), 'other template')} with room for them" if self.others else ""
        begun = f"{self.found.template.name}, {template_figures(self.found)}: {told}, locked{more}"
        return [*filter(None, [self.other_size]), begun]

    @property
    def as_json(self) -> dict[str, Any]:
        """The template, its grid with the answers, where each stands, and the other templates."""
        return {
            "template": self.found.template.name,
            "grid": grid_to_text(self.puzzle.grid),
            **bars_as_json(self.puzzle.grid),
            "theme": [{"entry": name, "answer": answer} for name, answer in self.placed.items()],
            "others": list(self.others),
        }
