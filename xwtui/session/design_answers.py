"""What is told of layouts and designs: each with its figures, as pictures in files, and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xwtui.engine.events.event import Outcome
from xwtui.formats.grid_text import grid_to_text
from xwtui.grids.designs import Design, DesignProgress
from xwtui.grids.layouts import LayoutWanted
from xwtui.model import Grid, Kind, Puzzle, Symmetry
from xwtui.session.answers import VerbAnswer, grid_rows
from xwtui.session.wording import counted


def _figures(grid: Grid) -> str:
    """`76 words, 38 blocks, 12 threes`."""
    threes = sum(len(slot) == 3 for slot in grid.slots)
    blocks = sum(square.kind is Kind.BLOCK for square in grid.squares)
    return f"{counted(len(grid.slots), 'word')}, {counted(blocks, 'block')}, {counted(threes, 'three')}"


def _numbered(folder: Path, stem: str, number: int, suffix: str) -> Path:
    return folder / f"{stem}-{number:02}{suffix}"


@dataclass(frozen=True)
class LayoutsAnswer(VerbAnswer):
    """Layouts that were drawn."""

    wanted: LayoutWanted
    grids: tuple[Grid, ...]
    asked: int
    """How many were asked for."""

    @property
    def verdict(self) -> Outcome:
        """Whether there is any."""
        return Outcome.FILLED if self.grids else Outcome.UNKNOWN

    @property
    def lines(self) -> Sequence[str]:
        """How many there are, and the figures of each."""
        if not self.grids:
            return ["no layout has all of that; ask for more words or blocks, or another profile"]
        few = f" of {self.asked} asked for" if len(self.grids) < self.asked else ""
        head = f"{counted(len(self.grids), 'layout')}{few}; `layouts take 1` begins on the first"
        return [head, *(f"  {number:>3}  {_figures(grid)}" for number, grid in enumerate(self.grids, start=1))]

    @property
    def as_json(self) -> dict[str, Any]:
        """Each layout, row by row, with its figures."""
        return {
            "profile": self.wanted.profile.name,
            "symmetry": self.wanted.symmetry.value,
            "layouts": [
                {
                    "grid": grid_rows(grid),
                    "words": len(grid.slots),
                    "blocks": sum(square.kind is Kind.BLOCK for square in grid.squares),
                    "threes": sum(len(slot) == 3 for slot in grid.slots),
                    "cheaters": len(grid.cheaters),
                }
                for grid in self.grids
            ],
        }

    def write(self, path: Path, *, lossy: bool) -> Sequence[str]:
        """Write each as grid text into a folder."""
        path.mkdir(parents=True, exist_ok=True)
        for number, grid in enumerate(self.grids, start=1):
            size = f"{grid.height}x{grid.width}"
            _numbered(path, size, number, ".txt").write_text(grid_to_text(grid), encoding="utf-8")
        return ()


@dataclass(frozen=True)
class DesignsAnswer(VerbAnswer):
    """Designs around theme answers, the best first, while they are looked for or at the end."""

    progress: DesignProgress
    symmetry: Symmetry
    work = "design"
    stopped = "these are the designs so far"

    @property
    def verdict(self) -> Outcome:
        """Whether there is a design, or none can be."""
        if self.progress.designs:
            return Outcome.FILLED
        return Outcome.IMPOSSIBLE if self.progress.is_impossible else Outcome.UNKNOWN

    @property
    def seconds(self) -> float:
        """How long was looked."""
        return self.progress.seconds

    @property
    def lines(self) -> Sequence[str]:
        """How many there are, and of each its scores, its figures, and where the theme answers stand."""
        progress = self.progress
        looked = f"{counted(progress.tried, 'layout')} tried, {progress.dead:,} of them without a fill"
        if not progress.designs:
            told = progress.reason or "no design yet"
            return [told if progress.is_impossible else f"{told}; {looked}, {progress.seconds:.0f} s"]
        found = f"{counted(progress.found, 'design')} found"
        head = f"{found}, {looked}, {progress.seconds:.0f} s; `design take 1` begins on the best"
        return [head, *(self._line(number, one) for number, one in enumerate(progress.designs, start=1))]

    @staticmethod
    def _line(number: int, one: Design) -> str:
        places = ", ".join(f"{entry} {answer}" for entry, answer in one.themers.items())
        scores = f"mean {one.mean_score:.1f}, lowest {one.lowest_score}"
        return f"  {number:>3}  {scores}, {_figures(one.grid)}: {places}"

    @property
    def as_json(self) -> dict[str, Any]:
        """Each design with its grid, its fill, and its figures."""
        return {
            "status": self.verdict.value,
            "found": self.progress.found,
            "tried": self.progress.tried,
            "reason": self.progress.reason,
            "designs": [
                {
                    "grid": grid_rows(one.grid),
                    "fill": grid_rows(one.filled),
                    "themers": dict(one.themers),
                    "words": one.words,
                    "blocks": one.blocks,
                    "threes": one.threes,
                    "cheaters": len(one.grid.cheaters),
                    "mean_score": one.mean_score,
                    "lowest_score": one.lowest_score,
                    "log10": one.log10,
                    "seconds": round(one.seconds, 3),
                }
                for one in self.progress.designs
            ],
        }

    def write(self, path: Path, *, lossy: bool) -> Sequence[str]:
        """Write each as a puzzle, with its fill in pencil, into a folder."""
        from xwtui.formats.registry import write_puzzle  # noqa: PLC0415  (loads the formats)

        path.mkdir(parents=True, exist_ok=True)
        warnings: list[str] = []
        for number, one in enumerate(self.progress.designs, start=1):
            puzzle = Puzzle(one.filled, symmetry=self.symmetry)
            warnings += write_puzzle(_numbered(path, "design", number, ".ipuz"), puzzle, lossy=lossy)
        return warnings
