"""What a command was asked to do, as plain values: the declarations make them, the work takes them."""

from dataclasses import dataclass, field
from pathlib import Path

from xwtui.model import Grid, Position
from xwtui.model.selection import around, squares_named
from xwtui.session.fill_options import Aim, Mode


@dataclass(frozen=True)
class WordRequest:
    """Which words to use; what is None or empty is left to the puzzle."""

    lists: tuple[str, ...]
    minimum_score: int | None


@dataclass(frozen=True)
class SearchRequest:
    """A search over a grid: `seconds` of search at most (None: no limit), `threads` at least 1.

    `lines` are verbs to do first; `started` is when the command was called, as `perf_counter` tells it.
    """

    started: float
    grid: str
    words: WordRequest
    seed: int
    seconds: float | None
    threads: int
    allow_repeats: bool
    lines: tuple[str, ...]
    json: bool


@dataclass(frozen=True)
class Part:
    """The squares that a fill is bounded to, as the constructor names them; empty texts for all of them."""

    only: str = ""
    around: str = ""

    def squares(self, grid: Grid) -> frozenset[Position] | None:
        """The squares, or None for the whole grid; raises PuzzleError for what the grid does not have."""
        if not self.only and not self.around:
            return None
        near = around(grid, grid.slot(self.around)) if self.around else frozenset()
        return near | (squares_named(grid, self.only) if self.only else frozenset())


@dataclass(frozen=True)
class FillRequest:
    """A search for a fill, better ones or several, and the files that they go to."""

    search: SearchRequest
    outputs: tuple[Path, ...]
    lossy: bool
    part: Part = Part()
    mode: Mode = Mode.FILL
    count: int = 1
    difference: float = 0.0
    aim: Aim = field(default_factory=Aim)
    trace: Path | None = None
    """The file that all that the search does is written to."""
    strategy: str = ""
    """The strategy as it is named; empty for the engine."""
    wants_all: bool = False
    """Whether to go on through every fill."""
