"""Everything that the grid shows at one moment, as a value: puzzle, tints, search, proposal."""

from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct
from rich.style import Style

from xwtui.engine.events.event import EventKind, Outcome
from xwtui.model import Content, Direction, Grid, Position, Puzzle, Slot
from xwtui.session.fill_options import Mode
from xwtui.session.jobs.question import Proposal
from xwtui.session.run_view import RunView
from xwtui.tui.themes import Palette
from xwtui.tui.widgets.painted import Fragment

_FAIR, _GOOD = 10, 20
"""How far above the puzzle's minimum score the upper two bands start."""
_UNLISTED = "?"

ScoreOf = Callable[[str], int | None]


class Band(IntEnum):
    """How good an entry is."""

    WEAK = 0
    FAIR = 1
    GOOD = 2


class Tint(NamedTuple):
    """The tint of a square's letters."""

    band: Band
    score: int | None
    """The score of its weakest entry; None if the lists do not have that answer."""

    @property
    def sign(self) -> str:
        if self.band is not Band.WEAK:
            return ""
        return _UNLISTED if self.score is None else str(self.score)

    def style(self, palette: Palette) -> Style:
        """Return the tint's color, as a style that changes nothing else."""
        return Style(color=_styles(palette)[self.band].color)


def _styles(palette: Palette) -> tuple[Style, Style, Style]:
    return palette.bad, palette.warning, palette.good


def tints(puzzle: Puzzle, score_of: ScoreOf) -> Mapping[Position, Tint]:
    """Return the tint of each square in a complete entry."""
    grid, minimum = puzzle.grid, puzzle.words.minimum_score
    found: dict[Position, Tint] = {}
    for slot in grid.entries:
        answer = puzzle.answer(slot)
        if answer is None:
            continue
        tint = _tint(score_of(answer), minimum)
        for at in slot.positions:
            found[at] = min(tint, found.get(at, tint), key=lambda one: -1 if one.score is None else one.score)
    return found


def _tint(score: int | None, minimum: int) -> Tint:
    if score is None or score < minimum + _FAIR:
        return Tint(Band.WEAK, score)
    return Tint(Band.FAIR if score < minimum + _GOOD else Band.GOOD, score)


def tint_legend(puzzle: Puzzle, palette: Palette) -> list[Fragment]:
    """Return the legend of the tints."""
    fair, good = puzzle.words.minimum_score + _FAIR, puzzle.words.minimum_score + _GOOD
    labels = (f"below {fair}, ", f"{fair} to {good - 1}, ", f"from {good} ")
    pairs: Iterable[Fragment] = zip(labels, _styles(palette), strict=True)
    return [("weakest entry: ", palette.muted), *pairs, (" ", palette.muted)]


_SETS = ("entry", "crossing", "undone", "selection", "stopped", "better", "ruled", "changed", "faults", "hinted")
"""The attributes of a picture that are sets of squares."""
_MAPPINGS = ("search", "heat", "forced", "live", "tints")


class Picture(Struct, frozen=True, dict=True):
    """A grid with its cursor, and the current state of a search.

    While `searching`, pencil is hidden, and `search` is shown instead: the squares that the filler has now. (With
    `is_ghost`, pencil stays visible where `search` has nothing.) `undone` are the squares that the last backtrack
    cleared.
    """

    grid: Grid
    cursor: Position
    direction: Direction = Direction.ACROSS
    search: Mapping[Position, Content] = {}
    undone: frozenset[Position] = frozenset()
    searching: bool = False
    selection: frozenset[Position] = frozenset()
    stopped: frozenset[Position] = frozenset()
    """The squares that a partial fill left empty."""
    better: frozenset[Position] = frozenset()
    """The squares in which the last improvement differs from the fill before."""
    ruled: frozenset[Position] = frozenset()
    """The squares whose contents a rule limits."""
    changed: frozenset[Position] = frozenset()
    """The squares that a proposal changes; the grid is as it would be after the change."""
    faults: frozenset[Position] = frozenset()
    """The squares of entries that cannot be filled together, or that are no longer words."""
    heat: Mapping[Position, float] = {}
    """How hard squares are, from 0 to 1, if shown."""
    forced: Mapping[Position, Content] = {}
    """The contents that every fill has in empty squares, where only one is possible."""
    live: Mapping[Position, Content] = {}
    """The contents of a live fill in empty squares, if shown."""
    hinted: frozenset[Position] = frozenset()
    """The empty squares in which a hint has blocks."""
    tints: Mapping[Position, Tint] = {}
    """How good the entries through each square are, if shown."""
    is_numbered: bool = False
    """Whether empty squares show their number in drawings without ruled lines."""
    is_ghost: bool = False
    """Whether `search` is the fill of a proposal rather than that of a running search."""

    @property
    def slot(self) -> Slot | None:
        """The current slot: through the cursor's square in its direction, else in the other, else None."""
        along = self.grid.slot_at(self.cursor, self.direction)
        return along or self.grid.slot_at(self.cursor, self.direction.other)

    @cached_property
    def entry(self) -> frozenset[Position]:
        """The squares of the current slot, and of those linked to it."""
        return frozenset(self.grid.entry_of(self.slot).positions if self.slot else ())

    @cached_property
    def crossing(self) -> frozenset[Position]:
        """The squares of the slot that crosses at the cursor."""
        slot = self.slot
        crossing = self.grid.slot_at(self.cursor, slot.direction.other) if slot else None
        return frozenset(crossing.positions if crossing else ())

    def forced_here(self, position: Position) -> Content | None:
        """Return the forced content of an empty square, unless a search is shown."""
        is_empty = not self.searching and self.content(position) is None
        return self.forced.get(position) if is_empty else None

    def ghost_here(self, position: Position) -> Content | None:
        """Return the forced or live-fill content of an empty square, unless a search is shown."""
        is_empty = not self.searching and self.content(position) is None
        return self.forced_here(position) or (self.live.get(position) if is_empty else None)

    def content(self, position: Position) -> Content | None:
        """Return what a square shows: given content, else the search's, else pencil."""
        square = self.grid[position]
        if square.is_given or not self.searching:
            return square.content
        return self.search.get(position, square.content if self.is_ghost else None)

    def shows_search(self, position: Position) -> bool:
        return self.searching and position in self.search and not self.grid[position].is_given

    def changed_squares(self, before: "Picture") -> set[Position] | None:
        """Return the squares that look different from before; None if all may, or if the layout has changed."""
        grid, old = self.grid, before.grid
        if self.searching != before.searching or self.is_ghost != before.is_ghost:
            return None
        if grid is not old and _shape(grid) != _shape(old):
            return None
        changed = {self.cursor, before.cursor} if self.cursor != before.cursor else set()
        for name in _SETS:
            changed |= getattr(self, name) ^ getattr(before, name)
        for name in _MAPPINGS:
            now, then = getattr(self, name), getattr(before, name)
            if now is not then:
                every = now.keys() | then.keys()
                changed |= {at for at in every if now.get(at) != then.get(at)}
        if grid is not old:
            pairs = zip(grid.positions(), grid.squares, old.squares, strict=True)
            changed |= {position for position, new_square, old_square in pairs if new_square != old_square}
        return changed


def _shape(grid: Grid) -> object:
    return grid.height, grid.width, grid.bars, [square.kind for square in grid.squares]


NOWHERE = Position(-1, -1)
"""The cursor's position in a picture without a cursor."""


def ghost_picture(puzzle: Puzzle, proposal: Proposal | None, entries: Iterable[str]) -> Picture:
    """Return a puzzle's picture with entries at fault, after a proposal if there is one.

    The fill that verifies a proposal is shown in squares that are not given then.
    """
    grid = puzzle.grid
    slots = (grid.entries_by_name.get(name) for name in entries)
    faults = frozenset(at for slot in slots if slot is not None for at in slot.positions)
    if proposal is None:
        return Picture(grid, NOWHERE, faults=faults)
    after = proposal.change(puzzle).grid
    return Picture(
        after,
        NOWHERE,
        search=proposal.fill,
        searching=bool(proposal.fill),
        is_ghost=True,
        changed=changed_squares(grid, after),
        faults=faults,
    )


def changed_squares(before: Grid, after: Grid) -> frozenset[Position]:
    """Return the squares whose content changed, or that became or ceased to be blocks."""
    pairs = zip(before.positions(), before.squares, after.squares, strict=True)
    return frozenset(at for at, old, new in pairs if (old.kind, old.content) != (new.kind, new.content))


def is_going(run: RunView | None) -> bool:
    """Whether a search is in progress: running, or paused between two steps."""
    return run is not None and (run.paused or run.outcome is Outcome.RUNNING)


def stopped_squares(grid: Grid, run: RunView | None) -> frozenset[Position]:
    """Return the empty squares of the entries that stopped a partial fill."""
    slots = [grid.entries_by_name.get(one.entry) for one in run.stopped] if run is not None else []
    return frozenset(at for slot in slots if slot is not None for at in slot.positions if grid[at].content is None)


class SearchView:
    """Tracks a search from view to view."""

    def __init__(self) -> None:
        self.squares: Mapping[Position, Content] = {}
        self.undone: frozenset[Position] = frozenset()
        """The squares that it had in the previous view, and has no longer or has changed."""
        self.better: frozenset[Position] = frozenset()
        """The squares in which the last improvement differs from the fill before."""
        self.is_on = False
        """Whether it replaces the pencil on screen: a search for a change does so only once it has found one."""

    def follow(self, run: RunView, grid: Grid) -> None:
        """Take the next view of the search; after a backtrack, the whole abandoned entry counts as undone."""
        if not is_going(run):
            self.forget()
            return
        before = self.squares
        self.is_on = run.mode is Mode.FILL or bool(run.squares)
        self.squares = run.squares
        changed = {at for at, content in before.items() if run.squares.get(at) != content}
        if run.quality is None:
            left = run.event.slot if run.event is not None and run.event.kind is EventKind.BACKTRACK else None
            slot = grid.entries_by_name.get(left or "")
            gone = (at for at in (slot.positions if slot is not None else ()) if not grid[at].is_given)
            self.undone = frozenset(changed.union(gone))
        elif changed:
            self.better = frozenset(changed)

    def forget(self) -> None:
        """Reset when the search is over: its contents are now in the grid in pencil, or gone."""
        self.squares = {}
        self.undone = self.better = frozenset()
        self.is_on = False
