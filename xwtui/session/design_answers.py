"""What is told of layouts and designs: each with its figures, as pictures in files, and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xwtui.engine.events.event import Outcome
from xwtui.grids.library import NewLayout, keep_layouts
from xwtui.grids.templates import Template
from xwtui.model import Grid, Puzzle, Symmetry, WordChoice
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.statistics import LayoutFigures
from xwtui.session.answers import FilesWritten, VerbAnswer
from xwtui.session.grid_json import grid_as_json, grid_rows
from xwtui.session.overwriting import numbered_free
from xwtui.session.wording import counted, shared_words
from xwtui.text import first_named

if TYPE_CHECKING:
    from xwtui.grids.breeding import BreedProgress
    from xwtui.grids.designs import Design, DesignProgress, DesignWanted
    from xwtui.grids.layouts import LayoutWanted

_MOST_NAMED = 8


def _figures(figures: LayoutFigures) -> str:
    """`76 words, 38 blocks, 12 threes`."""
    told = (counted(figures.words, "word"), counted(figures.blocks, "block"), counted(figures.threes, "three"))
    return ", ".join(told)


def _write_each(folder: Path, stem: str, suffix: str, puzzles: Sequence[Puzzle], *, lossy: bool) -> FilesWritten:
    """Write puzzles into a folder, numbered from 01, or on behind those that are there: none is written over."""
    from xwtui.formats.registry import write_puzzle  # noqa: PLC0415  (loads the formats)

    if not puzzles:
        return FilesWritten()
    folder.mkdir(parents=True, exist_ok=True)
    targets, notes = numbered_free(lambda number: folder / f"{stem}-{number:02}{suffix}", len(puzzles))
    written = [write_puzzle(path, one, lossy=lossy) for path, one in zip(targets, puzzles, strict=True)]
    return FilesWritten(tuple(targets), [*notes, *(warning for warnings in written for warning in warnings)])


@dataclass(frozen=True)
class LayoutsAnswer(VerbAnswer):
    """Layouts that were drawn."""

    wanted: LayoutWanted
    grids: tuple[Grid, ...]
    asked: int
    """How many were asked for."""
    in_library: tuple[str, ...] = ()
    """What those are called that were kept in the user's library."""
    bred: BreedProgress | None = None
    """What is known of them where they were bred, the best first."""

    @classmethod
    def of_bred(cls, wanted: LayoutWanted, asked: int, bred: BreedProgress) -> LayoutsAnswer:
        """Layouts that were bred, the best first."""
        return cls(wanted, tuple(one.grid for one in bred.layouts), asked, bred=bred)

    @property
    def verdict(self) -> Outcome:
        """Whether there is any."""
        return Outcome.FILLED if self.grids else Outcome.UNKNOWN

    @property
    def lines(self) -> Sequence[str]:
        """How many there are, and the figures of each."""
        return self._told("; `layouts take 1` begins on the first")

    def report(self, times: str, columns: int) -> Sequence[str]:
        """The same for one who cannot go on with `layouts take`."""
        return self._told("")

    def _told(self, then: str) -> Sequence[str]:
        if not self.grids:
            return ["no layout was found that has all of that; ask for more words or blocks, or another profile"]
        few = f" of {self.asked} asked for" if len(self.grids) < self.asked else ""
        bred = self.bred
        how = f" of {bred.looked_at:,} bred, {bred.filled:,} with a fill" if bred is not None else few
        kept = self.in_library
        return [
            f"{counted(len(self.grids), 'layout')}{how}{then}",
            *(
                f"  {number:>3}  {_figures(LayoutFigures.of(grid))}{self._fills(number)}"
                for number, grid in enumerate(self.grids, start=1)
            ),
            *([f"kept in your library: {first_named(kept, _MOST_NAMED)}"] if kept else []),
        ]

    @property
    def as_json(self) -> dict[str, Any]:
        """Each layout, row by row, with its bars and its figures."""
        return {
            "profile": self.wanted.profile.name,
            "symmetry": self.wanted.symmetry.value,
            "kept": list(self.in_library),
            "layouts": [
                {
                    **grid_as_json(grid),
                    **LayoutFigures.of(grid)._asdict(),
                    **self._bred_as_json(number),
                }
                for number, grid in enumerate(self.grids, start=1)
            ],
        }

    def _fills(self, number: int) -> str:
        """What is known of the fills of a layout that was bred."""
        if self.bred is None:
            return ""
        one = self.bred.layouts[number - 1]
        return f", {counted(one.chokes, 'choke')}: {one.outlook.describe()}, score {one.score:.1f}"

    def _bred_as_json(self, number: int) -> dict[str, Any]:
        if self.bred is None:
            return {}
        one = self.bred.layouts[number - 1]
        outlook = one.outlook
        known = {"fillability": outlook.fillability.name.lower(), "log10": outlook.log10}
        return {**known, "chokes": one.chokes, "score": round(one.score, 2)}

    def write(self, path: Path, *, lossy: bool) -> FilesWritten:
        """Write each as grid text into a folder, those with bars as ipuz."""
        size, suffix = f"{self.wanted.height}x{self.wanted.width}", ".ipuz" if self.wanted.profile.bars else ".txt"
        return _write_each(path, size, suffix, [*map(self.puzzle, self.grids)], lossy=lossy)

    def kept(self) -> LayoutsAnswer:
        """The same once all of them are in the user's library; raises PuzzleError where that cannot be written."""
        added = keep_layouts(map(self.as_new, range(1, len(self.grids) + 1))).added
        return replace(self, in_library=tuple(one.name for one in added))

    def as_new(self, number: int) -> NewLayout:
        """The one of a number, from 1, for the library."""
        wanted = self.wanted
        name = f"{wanted.profile.name}-{wanted.height}x{wanted.width}-01"
        return NewLayout(name, self.puzzle(self.grids[number - 1]))

    @property
    def templates(self) -> tuple[Template, ...]:
        """Them as templates, called by their numbers."""
        return tuple(
            Template(str(number), grid, self.wanted.symmetry, self.wanted.profile.name)
            for number, grid in enumerate(self.grids, start=1)
        )

    def puzzle(self, grid: Grid) -> Puzzle:
        """A puzzle to begin with on one of them, under the profile that it was drawn under."""
        return Puzzle(grid, symmetry=self.wanted.symmetry, profile=self.wanted.profile.name)


@dataclass(frozen=True)
class DesignsAnswer(VerbAnswer):
    """Designs around theme answers, the best first, while they are looked for or at the end."""

    progress: DesignProgress
    symmetry: Symmetry
    profile: str = ""
    """The name of the one that they are designed under."""
    alphabet: Alphabet = ENGLISH
    """That of the theme answers and the words."""
    wanted: DesignWanted | None = None
    """What was asked for, where that is known."""
    unlisted: tuple[str, ...] = ()
    """The theme answers that no list has, in which a slip of the pen may be."""
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
        return self._told("; `design take 1` begins on the best")

    def report(self, times: str, columns: int) -> Sequence[str]:
        """The same for one who cannot go on with `design take`."""
        return self._told("")

    def _told(self, then: str) -> Sequence[str]:
        progress = self.progress
        looked = f"{counted(progress.tried, 'layout')} tried, {progress.dead:,} of them without a fill"
        if not progress.designs:
            told = progress.reason or "no design yet"
            told = told if progress.is_impossible else f"{told}; {looked}, {progress.seconds:.0f} s"
            return [told, *self._unlisted_lines]
        found = f"{counted(progress.found, 'design')} found"
        head = f"{found}, {looked}, {progress.seconds:.0f} s{then}"
        each = (self._line(number, one) for number, one in enumerate(progress.designs, start=1))
        return [head, *each, *self._unlisted_lines]

    @property
    def _unlisted_lines(self) -> Sequence[str]:
        return [f"in no list: {first_named(self.unlisted, _MOST_NAMED)}"] if self.unlisted else []

    @staticmethod
    def _line(number: int, one: Design) -> str:
        places = ", ".join(f"{entry} {answer}" for entry, answer in one.themers.items())
        scores = f"mean {one.mean_score:.1f}, lowest {one.lowest_score}"
        told = f"; {shared}" if (shared := shared_words(one.shared_stems)) else ""
        return f"  {number:>3}  {scores}, {_figures(one.figures)}: {places}{told}"

    @property
    def as_json(self) -> dict[str, Any]:
        """Each design with its grid, its fill, and its figures."""
        return {
            "status": self.verdict.value,
            "found": self.progress.found,
            "tried": self.progress.tried,
            "reason": self.progress.reason,
            "unlisted": list(self.unlisted),
            "designs": [
                {
                    "grid": grid_rows(one.grid),
                    "fill": grid_rows(one.filled),
                    "themers": dict(one.themers),
                    **one.figures._asdict(),
                    "mean_score": one.mean_score,
                    "lowest_score": one.lowest_score,
                    "log10": one.log10,
                    **(
                        {"shared_stems": [list(map(list, two)) for two in one.shared_stems]}
                        if one.shared_stems
                        else {}
                    ),
                    "seconds": round(one.seconds, 3),
                }
                for one in self.progress.designs
            ],
        }

    def write(self, path: Path, *, lossy: bool) -> FilesWritten:
        """Write each as a puzzle, with its fill in pencil, into a folder."""
        return _write_each(path, "design", ".ipuz", [*map(self.puzzle, self.progress.designs)], lossy=lossy)

    def puzzle(self, design: Design, *, is_filled: bool = True) -> Puzzle:
        """A puzzle to begin with on one of them, its fill in pencil or left out."""
        grid = design.filled if is_filled else design.grid
        words = WordChoice(alphabet=self.alphabet)
        return Puzzle(grid, symmetry=self.symmetry, words=words, profile=self.profile)
