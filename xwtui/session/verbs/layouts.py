"""Layouts: hints while drawing, random ones under a profile, and the user's library.

Designs share the options for drawing layouts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from xwtui.engine.budget import DESIGNING_SECONDS, Budget
from xwtui.errors import PuzzleError, PuzzleFormatError, VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Grid, Puzzle, Symmetry
from xwtui.parameters import DESIGN_COUNT, MAX_BLOCKS, MAX_WORDS, MIN_BLOCKS, MIN_WORDS, SECONDS, SEED, SIZE
from xwtui.parameters import PROFILE as PROFILE_PARAMETER
from xwtui.parameters import SYMMETRY as SYMMETRY_PARAMETER
from xwtui.session.answers import FilesWritten, ImmediateAnswer, JsonShape, VerbAnswer, grid_as_json
from xwtui.session.verbs import kinds
from xwtui.session.verbs.files import begin
from xwtui.session.verbs.kinds import GRID_SIZE, asked
from xwtui.session.verbs.templates import MOST_NAMED, LibraryAnswer, import_folder
from xwtui.session.verbs.verb import Answer, FromShell, Group, Needs, Writes, argument, option, options, verbs_of
from xwtui.text import counted, first_named, listed, printable

with lazy_imports():
    from fractions import Fraction

    from xwtui.engine.problem.task import Task
    from xwtui.engine.what_if.ranking import Fillability
    from xwtui.formats.registry import write_puzzle
    from xwtui.grids.breeding import BreedingRequest, BreedingWay, BreedProgress, breed
    from xwtui.grids.layouts import LayoutWanted
    from xwtui.grids.layouts import layouts as drawn
    from xwtui.grids.library import NewLayout, drop_layouts, keep_layouts, own_layouts
    from xwtui.grids.profiles import Profile, find_profile, usual_profile
    from xwtui.grids.templates import Template, TemplateWanted
    from xwtui.model.statistics import LayoutFigures
    from xwtui.session.jobs import previews
    from xwtui.session.jobs.answer_job import AnswerReporter, ProblemReporter
    from xwtui.session.messages import LayoutHint, LayoutHintsReady
    from xwtui.session.open_puzzles import sessions_of
    from xwtui.session.overwriting import numbered_free
    from xwtui.session.session import Session


verb = verbs_of(Group.GRID)

_Kind = TypeVar("_Kind", bound="VerbAnswer")
_USUAL_SIZE = (15, 15)
_MOST_LAYOUTS = 100_000
_WAYS = ("breeding", "copeland", "random")
"""The values of `grids.breeding.BreedingWay`, which takes a while to import."""


@kinds.parameter_kind("number|percent")
def THREES(text: str, session: Session) -> int | Fraction:
    """A number of entries, or a share of all of them: `12` or `20%`."""
    if text.endswith("%"):
        return Fraction(kinds.number_kind(0, 100).read(text.removesuffix("%"), session), 100)
    return kinds.number_kind(0, 1000).read(text, session)


def check_folder(path: Path) -> None:
    """Check that a folder exists or can be created; raises PuzzleFormatError if not."""
    if path.exists() and not path.is_dir():
        raise PuzzleFormatError(f"{path} is a file; -o must name a folder here")
    if not path.absolute().parent.is_dir():
        raise PuzzleFormatError(f"{path}: there is no folder {path.parent}")


seed_option = asked(SEED.with_help("a different seed gives different layouts"), usual=0)


class LayoutOptions(NamedTuple):
    """The options of all verbs that draw layouts."""

    dimensions: tuple[int, int] | None = asked(SIZE, GRID_SIZE)
    profile: Profile | None = asked(
        PROFILE_PARAMETER.with_help(
            "an outlet's requirements (default: the puzzle's, or the usual profile for the size)"
        ),
        kinds.PROFILE,
    )
    symmetry: Symmetry | None = asked(SYMMETRY_PARAMETER, kinds.SYMMETRY)
    most_words: int | None = asked(MAX_WORDS)
    fewest_words: int | None = asked(MIN_WORDS)
    most_blocks: int | None = asked(MAX_BLOCKS)

    def wanted(self) -> LayoutWanted:
        """Build the request for layouts; raises PuzzleError for options that the profile does not allow."""
        height, width = self.dimensions or _USUAL_SIZE
        chosen = self.profile or usual_profile(height, width)
        return LayoutWanted(
            height,
            width,
            chosen,
            self.symmetry or chosen.usual_symmetry(height, width),
            fewest_words=self.fewest_words,
            most_words=self.most_words,
            most_blocks=self.most_blocks,
        )

    def for_puzzle(self, puzzle: Puzzle, check: Callable[[LayoutWanted], object]) -> tuple[LayoutWanted, str]:
        """Do the same under the puzzle's profile by default; also returns the reason if that is not used.

        It is not used if it is unknown here, does not allow the options, or fails `check`, which raises
        PuzzleError.
        """
        if self.profile is not None or not puzzle.profile:
            return self.wanted(), ""
        try:
            wanted = self._replace(profile=find_profile(puzzle.profile)).wanted()
            check(wanted)
        except PuzzleError as error:
            wanted = self.wanted()
            return wanted, f"uses the profile {wanted.profile.name}, not the puzzle's: {error}"
        return wanted, ""


def _check_drawn(wanted: LayoutWanted) -> None:
    """Raise PuzzleError for a profile that allows blocks and bars, because a drawn layout has only one of them."""
    if wanted.profile.bars and wanted.profile.most_blocks != 0:
        raise PuzzleError(f"the profile {wanted.profile.name} allows bars, and layouts under it have no blocks")


layout_options = options(LayoutOptions)
FINDS_GRIDS = FromShell(
    takes_grid=False, takes_words=True, takes_long=True, writes=Writes.FOLDER, check_file=check_folder
)


def last_answer(session: Session, kind: type[_Kind]) -> _Kind | None:
    """Return the last answer of a kind, for this puzzle or else for another open one."""
    found = (one.jobs.answer.last(kind) for one in (session, *sessions_of(session)))
    return next((answer for answer in found if answer is not None), None)


_NO_HINTS = "there are no hints now; `hints on` shows some while you draw"
_ON_THEIR_WAY = "still finding hints; ask again in a moment"


@verb("hints on", "hints off", "hints")
def hints(
    session: Session, switch: bool | None = argument("on or off; lists the ways if left out", kinds.SWITCH)
) -> Answer:
    """Preview ways to complete the layout after each block.

    Blocks are previewed where the puzzle's profile and symmetry would put them, in the way that leaves the most
    fills. `hints next` shows another way; `hints take` writes the one shown.
    """
    if switch and session.puzzle.grid.bars:
        raise VerbError(previews.BARS_REFUSED)
    if switch is not None:
        session.jobs.hint(switch)
        return f"hints are {'on' if switch else 'off'}"
    if not session.jobs.layout_hints.is_on:
        return "hints are off"
    ready = session.jobs.layout_hints.view or LayoutHintsReady(session.revision)
    head = f"{counted(len(ready.hints), 'way')} to complete the layout; `hints take 1` writes the first"
    lines = [head, *(f"  {number}  {hint_words(one)}" for number, one in enumerate(ready.hints, start=1))]
    hints = JsonShape("*change *figures outlook.log10").convert(ready.hints)
    return ImmediateAnswer(lines if ready.hints else [hints_line(ready)], {"reason": ready.reason, "hints": hints})


@verb("hints next")
def hints_next(session: Session) -> Answer:
    """Show another way to complete the layout."""
    ready = _ready(session)
    session.jobs.layout_hints.show(ready.shown + 1)
    return hints_line(session.jobs.layout_hints.view)


@verb("hints take", "hints take 2")
def hints_take(
    session: Session,
    number: int | None = argument("the number of a way (default: the one shown)", kinds.number_kind(1, 99)),
) -> Answer:
    """Write the blocks of a hint; one undo removes them."""
    ready = _ready(session)
    chosen = ready.shown if number is None else number - 1
    if chosen >= len(ready.hints):
        raise VerbError(f"there is no hint {number}; there are {len(ready.hints)}")
    change = ready.hints[chosen].change
    if not change.added:
        return "the layout is already complete"
    session.edit("hints take", change.apply)
    return f"done: {change.describe()}"


def _ready(session: Session) -> LayoutHintsReady:
    ready = session.jobs.layout_hints.view
    if ready is None or not ready.hints:
        none = _ON_THEIR_WAY if ready is None and session.jobs.layout_hints.is_on else _NO_HINTS
        raise VerbError(ready.reason if ready is not None and ready.reason else none)
    return ready


class _DrawOptions(NamedTuple):
    fewest_blocks: int | None = asked(MIN_BLOCKS)
    max_threes: int | Fraction | None = option(
        "maximum number of three-letter entries, or their share: 20%", THREES
    )
    longest: int | None = option("maximum length of an entry", kinds.number_kind(3, 40))
    around: bool = option("keep the blocks, letters and marked squares of the current grid")
    number: int = option(
        "how many (default: 10)", kinds.number_kind(1, _MOST_LAYOUTS), name="--count", default="10"
    )
    keep: bool = option("add them to your library, where `templates mine` finds them")
    seed: int = seed_option

    def wanted(self, wanted: LayoutWanted, given: Grid | None) -> LayoutWanted:
        """Add these options to a request, and the given parts of a grid."""
        return replace(
            wanted,
            fewest_blocks=self.fewest_blocks,
            most_threes=self.max_threes,
            longest_entry=self.longest,
            given=given,
        )


@verb(
    "layouts 15x15 --max-words 72 --max-threes 10% --count 50",
    "layouts 5x5 --profile mini --symmetry none",
    from_shell=replace(FINDS_GRIDS, needs=Needs.NOTHING, takes_words=False),
)
def layouts(
    session: Session,
    size: tuple[int, int] | None = argument("rows and columns (default: 15x15)", GRID_SIZE),
    asked: LayoutOptions = layout_options,
    drawing: _DrawOptions = options(_DrawOptions),
) -> Answer:
    """Draw random layouts that follow a profile; no two are mirror images or rotations of each other.

    In the shell, -o names a folder for them: text files, or ipuz for grids with bars. `layouts take 1` starts a
    puzzle on the first one; `layouts keep 1` adds it to your library.
    """
    given, asked = _given(session, size, asked, around=drawing.around)
    layout, remark = asked.for_puzzle(session.puzzle, _check_drawn)
    wanted = drawing.wanted(layout, given)
    count = drawing.number

    def draw(reporter: AnswerReporter) -> VerbAnswer:
        found = list[Grid]()

        def answer() -> LayoutsAnswer:
            return LayoutsAnswer(wanted, tuple(found), count, remark=remark)

        for grid in islice(drawn(wanted, drawing.seed, reporter.is_stopped), count):
            found.append(grid)
            reporter.report_throttled(answer)
        return answer().kept() if drawing.keep else answer()

    return session.jobs.answer.start_plain(draw, drawing=True)


class _BreedOptions(NamedTuple):
    """The options of `layouts breed`, apart from those of all verbs that draw layouts."""

    around: bool = option("keep the blocks, letters and marked squares of the current grid")
    like: str = option("how new layouts are made", click.Choice(_WAYS), default=_WAYS[0])
    seconds: float = asked(SECONDS, usual=DESIGNING_SECONDS)
    number: int = asked(DESIGN_COUNT, name="--count", default="10")
    seed: int = seed_option


@verb("layouts breed 15x15 --max-words 72 --time 60", "layouts breed --like copeland", from_shell=FINDS_GRIDS)
def layouts_breed(
    session: Session,
    size: tuple[int, int] | None = argument("rows and columns (default: 15x15)", GRID_SIZE),
    asked: LayoutOptions = layout_options,
    breeding: _BreedOptions = options(_BreedOptions),
) -> Answer:
    """Evolve layouts that can be filled, with few words and blocks and well-connected sections.

    Layouts are combined and mutated. Each is scored by an estimate of its fills, and promising ones by a short
    search. `copeland` uses Bob Copeland's method; `random` only draws new layouts. The best so far are shown as
    it runs; `layouts take` and `layouts keep` work on them too.
    """
    given, asked = _given(session, size, asked, around=breeding.around)
    layout, remark = asked.for_puzzle(session.puzzle, LayoutWanted.check_blocks)
    wanted = replace(layout, given=given)
    wanted.check_blocks()

    def work(reporter: ProblemReporter) -> VerbAnswer:
        task = Task(Grid.blank(wanted.height, wanted.width), reporter.lexicon)
        budget = Budget(breeding.seconds, seed=breeding.seed, stop=reporter.is_stopped)
        request = BreedingRequest(wanted, task, budget, BreedingWay(breeding.like), breeding.number)

        def answer(so_far: BreedProgress) -> LayoutsAnswer:
            grids = tuple(one.grid for one in so_far.layouts)
            return LayoutsAnswer(wanted, grids, breeding.number, bred=so_far, remark=remark)

        return answer(breed(request, lambda so_far: reporter.report(answer(so_far))))

    return session.jobs.answer.start(work, designing=True)


def _given(
    session: Session, typed: tuple[int, int] | None, asked: LayoutOptions, *, around: bool
) -> tuple[Grid | None, LayoutOptions]:
    """Return the grid to keep, if any, and the options with the size; raises VerbError for contradicting sizes."""
    size = typed or asked.dimensions
    if asked.dimensions not in (None, size):
        raise VerbError("two different sizes are given")
    if not around:
        return None, asked._replace(dimensions=size)
    grid = session.puzzle.grid
    own = grid.height, grid.width
    if size not in (None, own):
        raise VerbError(f"--around keeps the size of the open grid, {grid.height}x{grid.width}")
    return grid, asked._replace(dimensions=own)


@verb("layouts take 1")
def layouts_take(
    session: Session,
    number: int = argument("the layout's number in the last list", kinds.number_kind(1, _MOST_LAYOUTS)),
    force: bool = option("don't ask about unsaved work"),
) -> Answer:
    """Start a puzzle on a layout that `layouts` drew."""
    answer = last_answer(session, LayoutsAnswer)
    if answer is None or number > len(answer.grids):
        raise VerbError(f"there is no layout {number}; `layouts` draws some")
    puzzle = answer.puzzle(answer.grids[number - 1])
    note = begin(session, puzzle, "layouts take", force=force, is_drawn=True)
    return "; ".join(filter(None, (f"layout {number} is open; `fill` fills it", note)))


_ALL = 0
_NUMBER = kinds.number_kind(1, 100_000)


@kinds.parameter_kind("number")
def LAYOUT_NUMBER(text: str, session: Session) -> int:
    """The number of a layout in the last list, or `all`."""
    return _ALL if text.strip().lower() == "all" else int(_NUMBER.read(text, session))


OWN_LAYOUT = kinds.ParameterKind(
    "name", lambda text, session: text.strip(), kinds.among(lambda: [one.name for one in own_layouts()])
)


@verb("layouts keep 1 3", "layouts keep all")
def layouts_keep(
    session: Session,
    numbers: tuple[int, ...] = argument("numbers from the last list, or `all`", LAYOUT_NUMBER, required=True),
) -> Answer:
    """Add layouts that `layouts` drew to your library, where `templates mine` finds them."""
    answer = last_answer(session, LayoutsAnswer)
    drawn = () if answer is None else answer.grids
    wrong = next((number for number in numbers if number > len(drawn)), None)
    if answer is None or not drawn or wrong is not None:
        raise VerbError(f"there is no layout {wrong or ''}".rstrip() + "; `layouts` draws some")
    chosen = range(1, len(drawn) + 1) if _ALL in numbers else dict.fromkeys(numbers)
    kept = keep_layouts(answer.as_new(number) for number in chosen)
    return LibraryAnswer(kept.added, kept.known)


@verb("layouts import ~/puzzles", from_shell=FromShell(needs=Needs.NOTHING, takes_grid=False, takes_long=True))
def layouts_import(
    session: Session, folder: Path = argument("a folder of puzzles, including its subfolders", kinds.file_kind())
) -> Answer:
    """Add the block patterns of your own puzzles to your library, without mirror images or rotations."""
    if not folder.is_dir():
        raise VerbError(f"there is no folder {printable(str(folder), 200)}")
    return session.jobs.answer.start_plain(partial(import_folder, folder))


@verb("layouts drop mini-5x5-2", from_shell=FromShell(needs=Needs.NOTHING, takes_grid=False))
def layouts_drop(
    session: Session, names: tuple[str, ...] = argument("names of your own layouts", OWN_LAYOUT, required=True)
) -> Answer:
    """Remove layouts from your library; those that ship stay."""
    dropped = drop_layouts(names)
    missing = [printable(name, 60) for name in names if name not in dropped]
    if missing:
        raise VerbError(f"your library has no {listed(missing, 'or')}; `templates mine` lists it")
    return f"dropped: {listed(dropped, 'and')}"


def layout_figures(figures: LayoutFigures) -> str:
    """Return the figures of a layout: `76 words, 38 blocks, 12 threes`."""
    parts = (counted(figures.words, "word"), counted(figures.blocks, "block"), counted(figures.threes, "three"))
    return ", ".join(parts)


def write_each(folder: Path, stem: str, suffix: str, puzzles: Sequence[Puzzle], *, lossy: bool) -> FilesWritten:
    """Write puzzles into a folder, numbered from 01, or after existing numbers: no file is overwritten."""
    if not puzzles:
        return FilesWritten()
    folder.mkdir(parents=True, exist_ok=True)
    targets, notes = numbered_free(lambda number: folder / f"{stem}-{number:02}{suffix}", len(puzzles))
    written = [write_puzzle(path, one, lossy=lossy) for path, one in zip(targets, puzzles, strict=True)]
    return FilesWritten(tuple(targets), [*notes, *(warning for warnings in written for warning in warnings)])


_LAYOUTS = JsonShape("profile=wanted.profile.name wanted.symmetry kept=in_library")
_BRED = JsonShape("fillability=outlook.fillability.name.lower outlook.log10 chokes score~2")


class LayoutsAnswer(VerbAnswer):
    """Layouts that were drawn or bred."""

    wanted: LayoutWanted
    grids: tuple[Grid, ...]
    asked: int
    """Number of layouts requested."""
    in_library: tuple[str, ...] = ()
    """Names of the layouts that were added to the user's library."""
    bred: BreedProgress | None = None
    """The results of breeding, best first, if they were bred."""
    remark: str = ""
    """The reason why the puzzle's own profile was not used, if so."""

    @property
    def is_found(self) -> bool | None:
        return bool(self.grids) or None

    @property
    def lines(self) -> Sequence[str]:
        first, *rest = self.report("", 0)
        return [f"{first}; `layouts take 1` starts a puzzle on the first" if self.grids else first, *rest]

    def report(self, times: str, columns: int, *, is_saved: bool = True) -> Sequence[str]:
        if not self.grids:
            none = "no layout matches all of that; try more words or blocks, or another profile"
            return [*filter(None, (none, self.remark))]
        few = f" of {self.asked} asked for" if len(self.grids) < self.asked else ""
        bred = self.bred
        how = f" of {bred.looked_at:,} bred, {bred.filled:,} with a fill" if bred is not None else few
        kept = self.in_library
        return [
            f"{counted(len(self.grids), 'layout')}{how}",
            *(f"  {number:>3}  {self._figures(number, grid)}" for number, grid in enumerate(self.grids, start=1)),
            *([f"kept in your library: {first_named(kept, MOST_NAMED)}"] if kept else []),
            *filter(None, [self.remark]),
        ]

    def _figures(self, number: int, grid: Grid) -> str:
        return ", ".join(filter(None, (layout_figures(LayoutFigures.of(grid)), self.proof(number))))

    @property
    def as_json(self) -> dict[str, Any]:
        drawn = [grid_as_json(grid) | LayoutFigures.of(grid)._asdict() for grid in self.grids]
        bred = self.bred.layouts if self.bred is not None else ()
        layouts = [one | _BRED.of(known) for one, known in zip(drawn, bred, strict=True)] if bred else drawn
        return {**_LAYOUTS.of(self), "layouts": layouts}

    def proof(self, number: int) -> str:
        """Return how far a layout, numbered from 1, is proved to be fillable; empty if unknown."""
        if self.bred is None:
            return ""
        one = self.bred.layouts[number - 1]
        return f"{counted(one.chokes, 'choke')}: {one.outlook.describe()}, score {one.score:.1f}"

    def fillability(self, number: int) -> Fillability | None:
        """Return how certain it is that a layout, numbered from 1, can be filled; None if unknown."""
        return None if self.bred is None else self.bred.layouts[number - 1].outlook.fillability

    def write(self, path: Path, *, lossy: bool) -> FilesWritten:
        size, suffix = f"{self.wanted.height}x{self.wanted.width}", ".ipuz" if self.wanted.profile.bars else ".txt"
        return write_each(path, size, suffix, [*map(self.puzzle, self.grids)], lossy=lossy)

    def kept(self) -> LayoutsAnswer:
        """Add all layouts to the user's library; raises PuzzleError if that cannot be written."""
        added = keep_layouts(map(self.as_new, range(1, len(self.grids) + 1))).added
        return replace(self, in_library=tuple(one.name for one in added))

    @property
    def query(self) -> str:
        """The request as a query for templates."""
        wanted = self.wanted
        bounds = wanted.fewest_words, wanted.most_words, wanted.fewest_blocks, wanted.most_blocks
        return TemplateWanted((wanted.height, wanted.width), *bounds).query

    def as_new(self, number: int) -> NewLayout:
        """Return a layout, numbered from 1, for the library."""
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
        """Return a puzzle on one of the layouts, under the profile for which it was drawn."""
        return Puzzle(grid, symmetry=self.wanted.symmetry, profile=self.wanted.profile.name)


def hint_words(hint: LayoutHint) -> str:
    """Describe a hint: `8 blocks more, 76 words, 38 blocks, 12 threes, ≈10^38.4, a fill found`."""
    added = f"{counted(len(hint.change.added), 'block')} more" if hint.change.added else "as it stands"
    return f"{added}, {layout_figures(hint.figures)}, {hint.outlook.describe()}"


def hints_line(ready: LayoutHintsReady | None) -> str:
    """Return a line about the hint shown, or why there is none."""
    if ready is None:
        return "hints …"
    if ready.reason:
        return f"no hints: {printable(ready.reason, 200)}"
    if not ready.hints:
        return "no way to complete this layout was found" if ready.is_complete else "hints …"
    return f"hint {ready.shown + 1} of {len(ready.hints)}: {hint_words(ready.hints[ready.shown])}"
