"""What one can begin with: blank grids, templates and samples."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from xwtui.formats.registry import read_puzzle
from xwtui.model import Puzzle
from xwtui.model.statistics import grid_statistics
from xwtui.resources import puzzles_folder

_BLANK_SIDES = (15, 21, 13, 5)


class Beginning(NamedTuple):
    """Something to begin with: its kind, its name, and how to come by the puzzle."""

    kind: str
    name: str
    load: Callable[[], Puzzle]

    def describe(self) -> str:
        """Its figures in a line; raises XwtuiError where it cannot be read."""
        figures = grid_statistics(self.load().grid, lambda word: None)
        return f"{figures.height}×{figures.width}, {figures.entries} words, {figures.blocks} blocks"


def beginnings(folder: Path | None = None) -> list[Beginning]:
    """All of them: samples first, then blank grids, then templates."""
    where = folder or puzzles_folder()
    blanks = [Beginning("blank", f"{side}×{side}", partial(Puzzle.blank, side, side)) for side in _BLANK_SIDES]
    return [*_files(where, "sample", "*.ipuz"), *blanks, *_files(where / "templates", "template", "*.txt")]


def _files(folder: Path, kind: str, pattern: str) -> Iterator[Beginning]:
    for path in sorted(folder.glob(pattern)):
        yield Beginning(kind, path.stem.replace("-", " "), partial(read_puzzle, path))
