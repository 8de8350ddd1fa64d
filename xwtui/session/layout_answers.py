"""What verbs answer that make or find layouts: layouts, designs, templates, the library, hints while one draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from xwtui.engine.events.event import Outcome
from xwtui.errors import PuzzleError, PuzzleFormatError
from xwtui.formats.grid_text import grid_to_text
from xwtui.formats.registry import files_below, read_puzzle, write_puzzle
from xwtui.grids.library import NewLayout, keep_layouts, layout_library
from xwtui.grids.templates import DAILY, FoundTemplate, Template, TemplateLacks, TemplateWanted, find_templates
from xwtui.lazy import lazy_imports
from xwtui.model import Bar, Direction, Grid, Position, Puzzle, Symmetry, WordChoice
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.statistics import LayoutFigures
from xwtui.session.answers import (
    FilesWritten,
    JsonShape,
    VerbAnswer,
    bars_as_json,
    grid_as_json,
    grid_rows,
    shared_stems_as_json,
)
from xwtui.session.jobs.answer_job import AnswerReporter
from xwtui.session.messages import LayoutHint, LayoutHintsReady
from xwtui.session.overwriting import numbered_free
from xwtui.session.own_puzzles import SUFFIXES
from xwtui.session.wording import and_more, counted, shared_words
from xwtui.text import first_named, printable

with lazy_imports():
    from xwtui.engine.what_if.ranking import Fillability
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
    if not puzzles:
        return FilesWritten()
    folder.mkdir(parents=True, exist_ok=True)
    targets, notes = numbered_free(lambda number: folder / f"{stem}-{number:02}{suffix}", len(puzzles))
    written = [write_puzzle(path, one, lossy=lossy) for path, one in zip(targets, puzzles, strict=True)]
    return FilesWritten(tuple(targets), [*notes, *(warning for warnings in written for warning in warnings)])


_LAYOUTS = JsonShape("profile=wanted.profile.name wanted.symmetry kept=in_library")
_BRED = JsonShape("fillability=outlook.fillability.name.lower outlook.log10 chokes score~2")


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
        return cls(wanted, tuple(one.grid for one in bred.layouts), asked, bred=bred)

    @property
    def verdict(self) -> Outcome:
        return Outcome.FILLED if self.grids else Outcome.UNKNOWN

    @property
    def lines(self) -> Sequence[str]:
        return self._told("; `layouts take 1` starts a puzzle on the first")

    def report(self, times: str, columns: int) -> Sequence[str]:
        return self._told("")

    def _told(self, then: str) -> Sequence[str]:
        if not self.grids:
            return ["no layout matches all of that; try more words or blocks, or another profile"]
        few = f" of {self.asked} asked for" if len(self.grids) < self.asked else ""
        bred = self.bred
        how = f" of {bred.looked_at:,} bred, {bred.filled:,} with a fill" if bred is not None else few
        kept = self.in_library
        return [
            f"{counted(len(self.grids), 'layout')}{how}{then}",
            *(
                f"  {number:>3}  {', '.join(filter(None, (_figures(LayoutFigures.of(grid)), self.proof(number))))}"
                for number, grid in enumerate(self.grids, start=1)
            ),
            *([f"kept in your library: {first_named(kept, _MOST_NAMED)}"] if kept else []),
        ]

    @property
    def as_json(self) -> dict[str, Any]:
        drawn = [grid_as_json(grid) | LayoutFigures.of(grid)._asdict() for grid in self.grids]
        bred = self.bred.layouts if self.bred is not None else ()
        layouts = [one | _BRED.of(known) for one, known in zip(drawn, bred, strict=True)] if bred else drawn
        return {**_LAYOUTS.of(self), "layouts": layouts}

    def proof(self, number: int) -> str:
        """How far the one of a number, from 1, is proved, in words; empty where nothing is known."""
        if self.bred is None:
            return ""
        one = self.bred.layouts[number - 1]
        return f"{counted(one.chokes, 'choke')}: {one.outlook.describe()}, score {one.score:.1f}"

    def fillability(self, number: int) -> Fillability | None:
        """How sure it is that the one of a number can be filled; None where nothing is known."""
        return None if self.bred is None else self.bred.layouts[number - 1].outlook.fillability

    def write(self, path: Path, *, lossy: bool) -> FilesWritten:
        size, suffix = f"{self.wanted.height}x{self.wanted.width}", ".ipuz" if self.wanted.profile.bars else ".txt"
        return _write_each(path, size, suffix, [*map(self.puzzle, self.grids)], lossy=lossy)

    def kept(self) -> LayoutsAnswer:
        """The same once all of them are in the user's library; raises PuzzleError where that cannot be written."""
        added = keep_layouts(map(self.as_new, range(1, len(self.grids) + 1))).added
        return replace(self, in_library=tuple(one.name for one in added))

    @property
    def query(self) -> str:
        """What was asked for, as a query finds templates."""
        wanted = self.wanted
        bounds = wanted.fewest_words, wanted.most_words, wanted.fewest_blocks, wanted.most_blocks
        return TemplateWanted((wanted.height, wanted.width), *bounds).query

    def as_new(self, number: int) -> NewLayout:
        """The one of a number, from 1, for the library."""
        wanted = self.wanted
        name = f"{wanted.profile.name}-{wanted.height}x{wanted.width}-01"
        return NewLayout(name, self.puzzle(self.grids[number - 1]))

    @cached_property
    def templates(self) -> tuple[Template, ...]:
        return tuple(
            Template(str(number), grid, self.wanted.symmetry, self.wanted.profile.name)
            for number, grid in enumerate(self.grids, start=1)
        )

    def puzzle(self, grid: Grid) -> Puzzle:
        """A puzzle to begin with on one of them, under the profile that it was drawn under."""
        return Puzzle(grid, symmetry=self.wanted.symmetry, profile=self.wanted.profile.name)


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
    json = JsonShape(
        "status=verdict progress.found progress.tried progress.reason unlisted",
        (
            "progress.designs",
            JsonShape(
                lambda one: {"grid": grid_rows(one.grid), "fill": grid_rows(one.filled)},
                "themers *figures mean_score lowest_score log10",
                shared_stems_as_json,
                "seconds~3",
            ),
        ),
    )

    @property
    def verdict(self) -> Outcome:
        if self.progress.designs:
            return Outcome.FILLED
        return Outcome.IMPOSSIBLE if self.progress.is_impossible else Outcome.UNKNOWN

    @property
    def seconds(self) -> float:
        return self.progress.seconds

    @property
    def lines(self) -> Sequence[str]:
        return self._told("; `design take 1` starts a puzzle on the best")

    def report(self, times: str, columns: int) -> Sequence[str]:
        return self._told("")

    def _told(self, then: str) -> Sequence[str]:
        progress = self.progress
        looked = f"{counted(progress.tried, 'layout')} tried, {progress.dead:,} without a fill"
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

    def write(self, path: Path, *, lossy: bool) -> FilesWritten:
        return _write_each(path, "design", ".ipuz", [*map(self.puzzle, self.progress.designs)], lossy=lossy)

    def puzzle(self, design: Design, *, is_filled: bool = True) -> Puzzle:
        """A puzzle to begin with on one of them, its fill in pencil or left out."""
        grid = design.filled if is_filled else design.grid
        words = WordChoice(alphabet=self.alphabet)
        return Puzzle(grid, symmetry=self.symmetry, words=words, profile=self.profile)


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
    told = f"no template fits them: the nearest, {nearest.template.name}, has {lacks_words(nearest.lacks)}"
    return f"{told}; {_DESIGN}" if nearest.lacks.is_of_theme else told


def design_words(wanted: TemplateWanted, found: Sequence[FoundTemplate], way: str = _DESIGN) -> str:
    """That a design is the way on: theme answers have no room, or in another size than the daily one alone.

    Empty where they have; the `way` is how one gets designs.
    """
    if found[0].lacks.is_of_theme:
        return f"no template fits them all; {way}"
    if wanted.size is not None or wanted.names or not (wanted.across or wanted.down) or not found[0].fits:
        return ""
    grid = found[0].template.grid
    if (grid.height, grid.width) == DAILY:
        return ""
    return f"no 15×15 template fits them, one of {grid.height}×{grid.width} does; {way}"


def size_words(wanted: TemplateWanted) -> str:
    """That a number alone is no size, where templates have as many rows and columns; empty where that is said."""
    if len(wanted.across) != 1 or replace(wanted, across=()) != TemplateWanted():
        return ""
    side = wanted.across[0]
    grids = (template.grid for template in layout_library())
    if all((grid.height, grid.width) != (side, side) for grid in grids):
        return ""
    return f"{side} is the length of a theme answer; use `{side}x{side}` for the size"


def _lengths(lengths: Sequence[int]) -> str:
    return " and ".join(map(str, lengths))


def _entries(found: FoundTemplate) -> dict[str, Any]:
    """The entries for theme answers, by their directions."""
    return {
        way.word: [{"entry": slot.name, "squares": len(slot)} for slot in found.slots if slot.direction is way]
        for way in (Direction.ACROSS, Direction.DOWN)
    }


_TEMPLATE = JsonShape(
    "template.name template.is_own template.profile? template.origin?",
    lambda found: grid_as_json(found.template.grid),
    "template.grid.height template.grid.width template.words template.blocks fits",
    _entries,
    ("lacks", JsonShape("across down order words blocks size")),
)


class TemplatesAnswer(VerbAnswer):
    """The templates that have what is wanted, or the nearest ones."""

    wanted: TemplateWanted
    limit: int
    """How many are listed."""
    found: tuple[FoundTemplate, ...]
    is_drawn: bool = False
    """Whether each has a picture below its line."""
    judged_by = "fitting"
    json = JsonShape("fitting", ("templates=listed", _TEMPLATE))

    @classmethod
    def to(cls, wanted: TemplateWanted, limit: int, *, is_drawn: bool = False) -> TemplatesAnswer:
        return cls(wanted, limit, find_templates(wanted, layout_library()), is_drawn)

    @property
    def listed(self) -> tuple[FoundTemplate, ...]:
        return self.found[: self.limit]

    @property
    def fitting(self) -> int:
        return sum(one.fits for one in self.found)

    @property
    def lines(self) -> Sequence[str]:
        if not self.found:
            return [f"no template is called {' '.join(self.wanted.names)}"]
        told = [line for found in self.listed for line in (self._line(found), *self._picture(found))]
        return [self._headline, *told, *and_more(len(self.found) - len(self.listed))]

    def _picture(self, found: FoundTemplate) -> Sequence[str]:
        return [f"    {line}" for line in small_picture(found.template.grid)] if self.is_drawn else ()

    @property
    def _headline(self) -> str:
        if self.fitting:
            size = size_words(self.wanted)
            return f"{counted(self.fitting, 'template')}; `new NAME` starts on one{f'; {size}' if size else ''}"
        design = f"; {_DESIGN}" if any(one.lacks.is_of_theme for one in self.found) else ""
        return f"no template matches all of that{design}; the nearest are"

    def _line(self, found: FoundTemplate) -> str:
        own = "yours" if found.template.is_own else ""
        remark = "; ".join(filter(None, (own, theme_entries(found), lacks_words(found.lacks))))
        return f"  {found.template.name:<20}  {template_figures(found)}{f'; {remark}' if remark else ''}"


class ThemeAnswer(VerbAnswer):
    """A puzzle that was begun with theme answers in the entries of a template."""

    found: FoundTemplate
    puzzle: Puzzle
    others: tuple[str, ...]
    """The names of the other templates that have room for them."""
    other_size: str = ""
    """That none of the daily size has, where that is so."""
    makes = "puzzle"
    json = JsonShape(
        "template=found.template.name",
        lambda answer: {"grid": grid_to_text(answer.puzzle.grid), **bars_as_json(answer.puzzle.grid)},
        lambda answer: {"theme": [{"entry": name, "answer": word} for name, word in answer.placed.items()]},
        "others",
    )

    @property
    def placed(self) -> dict[str, str]:
        """The theme answers by their entries, from top to bottom, rebus squares in brackets."""
        grid = self.puzzle.grid
        return {slot.name: grid.pattern(slot) for slot in self.found.slots if grid.answer(slot) is not None}

    @property
    def lines(self) -> Sequence[str]:
        told = ", ".join(f"{name} {answer}" for name, answer in self.placed.items())
        more = f"; {counted(len(self.others), 'other template')} that fit them" if self.others else ""
        begun = f"{self.found.template.name}, {template_figures(self.found)}: {told}, locked{more}"
        return [*filter(None, [self.other_size]), begun]


_FILES_A_REPORT = 50


class LibraryAnswer(VerbAnswer):
    """Layouts that were taken into the library, from the puzzles of a folder or as they were drawn."""

    added: tuple[Template, ...] = ()
    known: int = 0
    """Those that are alike another one, up to mirror and turn."""
    looked_at: int | None = None
    """Files that were looked at, where they come from a folder."""
    unread: tuple[str, ...] = ()
    """The names of files that could not be read."""
    json = JsonShape(lambda answer: {"added": [one.name for one in answer.added]}, "known files=looked_at unread")

    @property
    def lines(self) -> Sequence[str]:
        files = "" if self.looked_at is None else f" from {counted(self.looked_at, 'file')}"
        told = [f"{counted(len(self.added), 'layout')} added to your library{files}"]
        if self.added:
            names = first_named([one.name for one in self.added], _MOST_NAMED)
            told[0] += f": {names}; `templates mine` finds them"
        if self.known:
            told.append(f"{counted(self.known, 'other')} already in it, perhaps mirrored or rotated")
        if self.unread:
            told.append(
                f"{counted(len(self.unread), 'file')} could not be read: {first_named(self.unread, _MOST_NAMED)}"
            )
        return told


def import_folder(folder: Path, reporter: AnswerReporter) -> LibraryAnswer:
    """Take the patterns of the puzzles in and below a folder into the library; once stopped, of those read so far.

    Raises PuzzleError where the folder cannot be read, or the library cannot be written.
    """
    try:
        files = sorted(files_below(folder, SUFFIXES | {".txt"}))
    except OSError as error:
        raise PuzzleError(f"the folder {folder} cannot be read: {error.strerror or error}") from error
    found: list[NewLayout] = []
    unread: list[str] = []
    for number, path in enumerate(files, start=1):
        if reporter.is_stopped():
            break
        try:
            found.append(NewLayout(path.stem, read_puzzle(path), path.name))
        except PuzzleFormatError:
            unread.append(printable(path.name, 60))
        if number % _FILES_A_REPORT == 0:
            reporter.tell(LibraryAnswer(looked_at=number))
    kept = keep_layouts(found)
    return LibraryAnswer(kept.added, kept.known, looked_at=len(found) + len(unread), unread=tuple(unread))


def hint_words(hint: LayoutHint) -> str:
    """`8 blocks more, 76 words, 38 blocks, 12 threes, ≈10^38.4, a fill found`."""
    figures = hint.figures
    added = f"{counted(len(hint.change.added), 'block')} more" if hint.change.added else "as it stands"
    counts = ((figures.words, "word"), (figures.blocks, "block"), (figures.threes, "three"))
    return ", ".join([added, *(counted(number, noun) for number, noun in counts), hint.outlook.describe()])


def hints_line(ready: LayoutHintsReady | None) -> str:
    """The one that is shown, in a line, or why there is none."""
    if ready is None:
        return "hints …"
    if ready.reason:
        return f"no hints: {printable(ready.reason, 200)}"
    if not ready.hints:
        return "no way to complete this layout was found" if ready.is_complete else "hints …"
    return f"hint {ready.shown + 1} of {len(ready.hints)}: {hint_words(ready.hints[ready.shown])}"


class HintsAnswer(VerbAnswer):
    """The hints for the layout as it is."""

    ready: LayoutHintsReady
    json = JsonShape("ready.reason", ("ready.hints", JsonShape("*change *figures outlook.log10")))

    @property
    def verdict(self) -> Outcome:
        return Outcome.FILLED if self.ready.hints else Outcome.UNKNOWN

    @property
    def lines(self) -> Sequence[str]:
        if not self.ready.hints:
            return [hints_line(self.ready)]
        head = f"{counted(len(self.ready.hints), 'way')} to complete the layout; `hints take 1` writes the first"
        return [head, *(f"  {number}  {hint_words(one)}" for number, one in enumerate(self.ready.hints, start=1))]
