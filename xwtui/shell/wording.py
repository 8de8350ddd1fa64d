"""What the shell prints of an answer: one JSON object, or words.

For people the grid is drawn, with the figures below. For another program stdout carries the grid as text that
xwtui reads again, and the figures go to stderr, so that commands can be piped together.
"""

from __future__ import annotations

import shutil
import sys
import time
from dataclasses import dataclass, replace
from typing import Any

from xwtui.formats.grid_text import grid_to_text
from xwtui.model import Grid
from xwtui.printing import draw_grid, paint, wants_colours
from xwtui.session.answers import VerbAnswer
from xwtui.shell.root import SCHEMA

_COLUMNS = 80
"""Where no terminal tells how many there are."""


@dataclass(frozen=True)
class Times:
    """Seconds: `started` as `perf_counter` has it; reading puzzle and words; the engine; the work itself."""

    started: float
    load: float
    compile: float
    search: float = 0.0
    total: float = 0.0

    def ended(self, answer: VerbAnswer) -> Times:
        """The same at the end."""
        return replace(self, search=answer.seconds, total=time.perf_counter() - self.started)

    def named(self, work: str) -> dict[str, float]:
        """Each by its name, rounded; the work is a `search` or a `race`."""
        times = {"load": self.load, "compile": self.compile, work: self.search, "total": self.total}
        return {name: round(seconds, 6) for name, seconds in times.items()}

    @property
    def words(self) -> str:
        """All but the total."""
        return f"load {self.load:.2f} s, compile {self.compile:.2f} s, search {self.search:.2f} s"


def as_json(answer: VerbAnswer, times: Times) -> dict[str, Any]:
    """The object of `--json`: what the answer has, after the version of its form."""
    document = {"schema": SCHEMA, **answer.as_json}
    if answer.work:
        document["seconds"] = times.named(answer.work)
    return document


def print_answer(answer: VerbAnswer, times: Times, *, is_piped: bool) -> None:
    """Print an answer in words, after the puzzles that it has made."""
    made = answer.puzzles
    for puzzle in made or ():
        _print_grid(puzzle.grid, is_piped=is_piped)
        if made is not None and len(made) > 1:
            print()
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else _COLUMNS
    is_beside = made is not None and is_piped
    print("\n".join(answer.report(times.words, columns - 1)), file=sys.stderr if is_beside else sys.stdout)


def _print_grid(grid: Grid, *, is_piped: bool) -> None:
    if is_piped:
        print(grid_to_text(grid))
        return
    colours = wants_colours(sys.stdout)
    for line in draw_grid(grid):
        print(paint(line, colours=colours, tells_pencil=False))
