"""Eight puzzles that stress formats: every kind of square and text, from 5x5 to 23x23."""

import random
from dataclasses import replace

from tests.examples import examples
from xwtui.formats.grid_text import found_symmetry, grid_from_text
from xwtui.formats.registry import read_puzzle
from xwtui.model import Bar, Content, Grid, Ink, Position, Puzzle
from xwtui.model.clues import unsettled
from xwtui.model.markup import as_markup
from xwtui.resources import puzzles_folder

LONG = "Łódź’s “café”, naïve façade — ½ of it… " + "and so on, " * 51 + "& the end"
"""A clue of about 600 characters."""

HTML = "<b>Bold</b> & <i>R&D</i> &amp; 1 < 2 > 0 *x* _y_ [z] \\ ~ #"


def filled(grid: Grid, seed: int) -> Grid:
    """The grid with letters in its empty squares."""
    letters = random.Random(seed)
    return grid.with_squares(
        {
            at: replace(grid[at], content=Content.of(letters.choice("ETAOINSHRDLU")), ink=Ink.PEN)
            for at in grid.open_positions()
            if grid[at].content is None
        }
    )


def marked(grid: Grid, *, circles: tuple[Position, ...] = (), shades: tuple[Position, ...] = ()) -> Grid:
    return grid.with_squares(
        {at: replace(grid[at], circle=at in circles, shade=at in shades) for at in {*circles, *shades}}
    )


def clued(grid: Grid, title: str, text: str = "", **titles: str) -> Puzzle:
    """Return a puzzle with a distinct clue for every entry."""
    clues = {(slot.start, slot.direction): as_markup(f"{text or 'Clue of'} {slot.name}") for slot in grid.slots}
    return Puzzle(grid, unsettled(clues), title=title, symmetry=found_symmetry(grid), **titles)  # type: ignore[arg-type]


def template(name: str) -> Grid:
    """Return a shipped template's grid."""
    return read_puzzle(puzzles_folder() / "templates" / f"{name}.txt").grid


def _diagonal(grid: Grid) -> tuple[Position, ...]:
    return tuple(at for at in grid.open_positions() if at.row == at.column)


def _column(grid: Grid) -> tuple[Position, ...]:
    return tuple(at for at in grid.open_positions() if at.column == 2)


def _puzzles() -> dict[str, Puzzle]:
    mini = filled(template("mini-5x5"), 1)
    rebus = filled(
        grid_from_text("AC[HEART]E#..\n...#...\n.[DIAMOND].....\n#..[CLUB]..#\n.....[SPADE].\n...#...\n..#...."), 2
    )
    crosses = filled(grid_from_text(".....\n.[X/TIMES].[O/ZERO].\n.....\n.[A/B].[IN/OUT].\n....."), 3)
    shaded = filled(template("9x9-01"), 4)
    barred = filled(Grid.blank(7, 7), 5).with_bars(
        [Bar(Position(row, 3), Position(row, 4)) for row in range(0, 7, 2)]
        + [Bar(Position(3, column), Position(4, column)) for column in range(1, 7, 2)]
    )
    voids = filled(grid_from_text("__...__\n_....._\n.......\n...#...\n.......\n_....._\n__...__"), 6)
    return {
        "5x5 with accents": clued(
            mini, "Œuvre à Łódź", author="Ann Ö. Nymous", copyright="© 2026", notes="Ça\nva?"
        ),
        "rebus": clued(rebus, "Four suits"),
        "two answers in a square": clued(crosses, "X times"),
        "circles with shade": clued(
            marked(shaded, circles=_diagonal(shaded), shades=_column(shaded)), "Marks", HTML
        ),
        "bars": clued(barred, "Bars"),
        "voids": clued(voids, "Voids"),
        "long clues": clued(filled(template("15x15-01"), 7), "Long", LONG, notes="n" * 3_000),
        "23x23": clued(filled(template("23x23-01"), 8), "Large", "“Quoted” – it’s"),
    }


TORTURE = _puzzles()

IS_DEEP = examples(100).max_examples >= 100
NAMES = list(TORTURE) if IS_DEEP else ["5x5 with accents", "rebus", "circles with shade", "bars", "voids"]
"""The puzzles to test: all in the deep profile, otherwise only small ones."""
