"""The state of a filler run as faces show it, and the edit of the puzzle that a run leads to."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from xwtui.dataclasses import dataclass, field, replace
from xwtui.engine.events.event import DecisionReport, Event, Outcome
from xwtui.engine.improve.improvement import Aim
from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Ink, Position, Puzzle, SlotKey, edits
from xwtui.model.entering import EnteredAnswer
from xwtui.model.statistics import ListedScores
from xwtui.session.exclusions import Exclusion, allowing, excluding
from xwtui.session.fill_options import GOOD_SCORE, FillOptions, Mode

with lazy_imports():
    from xwtui.engine.events.timeline import Moment
    from xwtui.engine.fill.partial import StoppedEntry
    from xwtui.engine.improve.plain_fill import SharedStem
    from xwtui.engine.problem.no_fill import UntriedWays
    from xwtui.engine.problem.recorded_answers import puzzle_of_fill
    from xwtui.engine.problem.task import Task
    from xwtui.session.goals import SearchArgument
    from xwtui.strategies.protocol import Strategy


class FoundFill(NamedTuple):
    """A fill found by a run: its squares, and the scores of its answers as the review counts them."""

    squares: Mapping[Position, Content]
    mean_score: float
    lowest_score: int
    note: str = ""
    """A remark, such as `the start`."""
    excluded: Exclusion | None = None
    """The word that a rejection excludes from its entry when this fill is accepted."""
    allowed: Exclusion | None = None
    """The word that a swap allows at its entry again when this fill is accepted."""
    entered: Mapping[SlotKey, EnteredAnswer] = {}
    """The answers of entries whose squares hold something other than the answer."""

    def taken(self, puzzle: Puzzle) -> Puzzle:
        """Return the puzzle with the fill in pencil, and with its word excluded or allowed."""
        after = edits.write_fill(puzzle, self.squares)
        if self.excluded is not None:
            slot, word = puzzle.grid.slot(self.excluded.entry), self.excluded.word
            entered = puzzle.entered_answer(slot)
            after = excluding(
                after, slot, entered.answer if entered is not None and entered.entered == word else word
            )
        elif self.allowed is not None:
            after = allowing(after, puzzle.grid.slot(self.allowed.entry), self.allowed.word)
        return after

    @classmethod
    def of(cls, task: Task, squares: Mapping[Position, Content], note: str = "") -> FoundFill:
        """Create the fill of a task; its scores include all listed answers, given ones too."""
        puzzle = puzzle_of_fill(task, squares)
        scores = ListedScores.of(puzzle.answers, task.lexicon.score)
        return cls(squares, scores.mean or 0.0, scores.lowest or 0, note, entered=puzzle.entered)

    def fits(self, grid: Grid) -> bool:
        """Whether it still is a fill of this grid: it agrees with all given squares of the entries."""
        given = (at for slot in grid.slots for at in slot.positions if grid[at].is_given)
        return all(self.squares.get(at) == grid[at].content for at in given)

    def is_in(self, grid: Grid) -> bool:
        return all(grid[at].content == content for at, content in self.squares.items())

    def share_unlike(self, other: FoundFill) -> float:
        """Return the share of its squares, 0 to 1, that differ in another fill."""
        if not self.squares:
            return 0.0
        unlike = sum(other.squares.get(at) != content for at, content in self.squares.items())
        return unlike / len(self.squares)


class Quality(NamedTuple):
    """How good the best fill is that a run has found so far.

    `mean_score` and `lowest_score` are those of the whole grid, as its review counts them. `value` is the
    objective, in `unit`. It covers the `counted` entries, those that are not given, if these are not all entries,
    and includes the constructor's preferences if `has_preferences`. `first` is its value at the start, `bound` is
    the value that no fill exceeds, and `gap` is the difference between it and `value` (both None while unknown).
    `better` counts the successive incumbents. `is_proved` means that no better fill exists. If `may_be_proved` is
    False, that can only be established by reaching the bound.
    """

    mean_score: float
    lowest_score: int
    aim: Aim = Aim.MEAN
    unit: str = Aim.MEAN.value
    value: float = 0.0
    first: float = 0.0
    bound: float | None = None
    gap: float | None = None
    rounds: int = 0
    better: int = 0
    is_proved: bool = False
    counted: int | None = None
    has_preferences: bool = False
    may_be_proved: bool = True


class ProofFile(NamedTuple):
    """The file requested for the proof that there is no fill."""

    path: Path
    is_written: bool = False
    """False if there is a fill or the search has not ended; then no file is created."""


class PenIn(NamedTuple):
    """The pen squares of an entry for which other words were sought; those squares stay."""

    entry: str
    squares: tuple[Position, ...]

    @classmethod
    def of(cls, grid: Grid, entry: str) -> PenIn:
        squares = grid.entry(entry).positions
        return cls(entry, tuple(at for at in squares if grid[at].content is not None and grid[at].ink is Ink.PEN))


class EntryChange(NamedTuple):
    """An entry in which a fill replaced letters, as patterns: `?` is an empty square, `[HEART]` a rebus square."""

    entry: str
    before: str
    after: str


def entry_changes(grid: Grid, squares: Mapping[Position, Content]) -> tuple[EntryChange, ...]:
    """Return the entries whose patterns change in squares that were not empty.

    If the across letter of a slash square stays, the across entry counts as unchanged.
    """
    written = {at: replace(grid[at], content=content) for at, content in squares.items()}
    replaced = {at: square for at, square in written.items() if grid[at].content is not None}
    after, without_new = grid.with_squares(written), grid.with_squares(replaced)
    return tuple(
        EntryChange(slot.name, before, after.pattern(slot))
        for slot in grid.entries
        if (before := grid.pattern(slot)) != without_new.pattern(slot)
    )


class LoweredScore(NamedTuple):
    """The lowest score of a grid that was full before, and the lower one after a change."""

    before: int
    after: int
    word: str = ""
    """The entry that has the lower score, and its answer (`27D SORB`), if that entry has changed."""

    @property
    def missed(self) -> int:
        """The score that it should have reached (50, or the former score if lower); 0 if it does reach that."""
        good = min(GOOD_SCORE, self.before)
        return good if self.after < good else 0

    @classmethod
    def of(cls, before: int | None, after: int, word: str = "") -> LoweredScore | None:
        """Create it; None if the score has not dropped, or if there was none before."""
        return cls(before, after, word) if before is not None and after < before else None


class PassedOver(NamedTuple):
    """A word that would have changed fewer squares than the chosen one, and its lower score."""

    word: str
    score: int
    squares: int


@dataclass(frozen=True)
class DeadEnd:
    """How a search ran into a dead end and left it."""

    failure: Event
    """The wipe-out of an entry, or the violation of a constraint."""
    emptied_by: tuple[Event, ...]
    """The prunings of that entry since the last decision, in order."""
    undone: tuple[Event, ...]
    """The decisions undone; those of backtracks are refuted."""


@dataclass(frozen=True)
class EventContext:
    """The explanation of one event."""

    pruned: tuple[Event, ...] = ()
    """The prunings since the last decision, in order, except those of the dead end's entry."""
    dead_end: DeadEnd | None = None


@dataclass(frozen=True)
class RunView:
    """The current state of a search.

    `squares` is what the search has on the grid now, or the best fill found. `event` is the latest event, and
    `recent` the last few, oldest first. `depth_history` is the depth at about 40 moments, for a sparkline. A
    `paused` search keeps its state until it is resumed, accepted or stopped. `reason` says why there is no fill.

    `quality` belongs to optimizing runs. `found` and `wanted` count fills, or the squares of a partial fill, and
    `stopped` lists the entries that a partial fill leaves. `changes` lists the entries in which existing contents
    were replaced. `is_smallest` means that no eligible fill replaces fewer squares; for a rejection, only fills
    whose words have the required scores are eligible.

    Events are numbered from 0. `event_number` is the number of `event`, and the recording goes from `first_event`
    to `last_event`. `moment` holds the decisions in force after `event`; in the past, `squares` is what these put
    on the grid. A paused search also reports the `context` of the event and, at its end, its `decision_report`:
    its ranking of the next decisions.
    """

    outcome: Outcome
    squares: Mapping[Position, Content] = field(default_factory=dict)
    event: Event | None = None
    recent: tuple[Event, ...] = ()
    nodes: int = 0
    backtracks: int = 0
    restarts: int = 0
    depth: int = 0
    deepest: int = 0
    seconds: float = 0.0
    layout_seconds: float = 0.0
    """Time to set up the problem, not included in `seconds`."""
    better_words_seconds: float = 0.0
    """The part of `seconds` spent, after the first fill, on better words."""
    paused: bool = False
    domain_sizes: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""
    depth_history: tuple[int, ...] = ()
    seed: int = 0
    threads: int = 1
    mode: Mode = Mode.FILL
    quality: Quality | None = None
    lowered: LoweredScore | None = None
    """The drop of the grid's lowest score, if it has dropped."""
    found: int = 0
    wanted: int = 0
    stopped: tuple[StoppedEntry, ...] = ()
    changes: tuple[EntryChange, ...] = ()
    is_smallest: bool = True
    offered: FoundFill | None = None
    """A fill that replaces so much of the pencil that the user must accept it before it is written."""
    outscored: LoweredScore | None = None
    """The score of the rejected word, and the lower one of its replacement."""
    passed_over: PassedOver | None = None
    pen: PenIn | None = None
    """The pen squares of the entry for which no other word was found."""
    means: tuple[float, float] | None = None
    """The mean score before and after a change of a full grid."""
    moment: Moment | None = None
    event_number: int = -1
    first_event: int = 0
    last_event: int = -1
    context: EventContext | None = None
    decision_report: DecisionReport | None = None
    excluded: Exclusion | None = None
    """The word that a rejection excludes from its entry from now on."""
    arguments: tuple[SearchArgument, ...] = ()
    """The constructor's arguments in this search, oldest first."""
    confined_to: int = 0
    """Number of squares to which the run was confined; 0 for the whole grid."""
    part: str = ""
    """Name of these squares: `the selection`, `17A and its crossings`."""
    filled_there: int = 0
    """Number of them that it has filled; the rest had contents, which stay."""
    is_for_all: bool = True
    """Whether it covered the whole grid with the puzzle's own words."""
    lookups: tuple[int, int, float] | None = None
    """A strategy's look-ups: requested, performed (not cached), and their seconds; None if unknown."""
    placements: int | None = None
    """Number of letters placed by a search for all fills that proceeds letter by letter."""
    proof: ProofFile | None = None
    shared_stems: tuple[SharedStem, ...] = ()
    """Entries that share a stem, if they should not, but no fill was found that avoids it."""
    is_as_found: bool = False
    """Whether this is a first fill, repeats included, because the improver is not compiled yet."""
    untried: UntriedWays | None = None
    """What its proofs do not cover."""

    @property
    def is_mending(self) -> bool:
        """Whether it seeks the smallest change of present contents, rather than a fill of empty squares."""
        return self.mode.is_of_entry or (self.mode is Mode.FILL and bool(self.squares) and not self.nodes)

    @property
    def doing(self) -> str:
        return "mending" if self.is_mending and self.mode is Mode.FILL else self.mode.doing

    @property
    def is_recorded(self) -> bool:
        """Whether it is stepped or watched, so that its events are stored."""
        return self.last_event >= 0

    @property
    def is_as_seen(self) -> bool:
        """Whether it was stepped, watched or argued with; it then ends with the fill shown, repeats included."""
        return self.is_recorded or bool(self.arguments)

    @property
    def proves_no_fill(self) -> bool:
        is_of_grid = self.mode in (Mode.FILL, Mode.IMPROVE, Mode.BEST)
        return is_of_grid and self.outcome is Outcome.IMPOSSIBLE and self.is_for_all and self.untried is None

    @property
    def verdict(self) -> Outcome:
        """FILLED if it found what was requested, or as good a fill as the time allowed.

        For a partial fill, it is the outcome for a complete one; for all fills, whether the search was exhaustive.
        """
        is_done = self.mode in (Mode.BEST, Mode.IMPROVE) and self.quality is not None
        is_done = is_done or (self.mode is Mode.DIVERSE and self.found > 0)
        return Outcome.FILLED if is_done and self.outcome is not Outcome.CANCELLED else self.outcome

    @property
    def is_past(self) -> bool:
        return self.event_number < self.last_event

    @property
    def to_write(self) -> Mapping[Position, Content]:
        """The squares to write at the end; none for an incomplete plain fill or if there is a choice of fills."""
        is_whole = self.outcome is Outcome.FILLED
        if self.offered is not None or self.mode.leaves_a_choice or (self.mode is Mode.FILL and not is_whole):
            return {}
        return self.squares


def files_written(options: FillOptions, view: RunView) -> tuple[Path, ...]:
    """Return the files that a run with these options has written; a proof only if there is one."""
    is_proved = view.proof is not None and view.proof.is_written
    return options.files if is_proved else replace(options, proof=None).files


def edit_of_run(puzzle: Puzzle, options: FillOptions, view: RunView) -> tuple[Puzzle, str]:
    """Return the puzzle with the run's result, and the label for the history.

    A partial fill clears the pencil in squares that it leaves empty. A rejection excludes its word from the entry.
    """
    wanted, label = options.selection, f"{view.mode.value} {options.entry}".strip()
    if view.offered is not None:
        return puzzle, label
    if view.mode is Mode.PARTIAL and view.to_write:
        puzzle = edits.clear_pencil(puzzle, wanted)
    squares = {at: content for at, content in view.to_write.items() if wanted is None or at in wanted}
    allowed = Exclusion(options.entry, options.word) if options.word and squares else None
    return FoundFill(squares, 0.0, 0, excluded=view.excluded, allowed=allowed).taken(puzzle), label


def decided_squares(view: RunView) -> Mapping[Position, Content]:
    """Return the squares that a paused search has decided; raises VerbError if there are none."""
    decided = view.moment.decisions if view.moment is not None else ()
    if not decided:
        raise VerbError("nothing is decided here yet")
    return {at: content for one in decided for at, content in one.squares}


def accepted(
    puzzle: Puzzle, shown: Mapping[Position, Content] | None, squares: Collection[Position] | None
) -> Puzzle:
    """Put `shown` (None: the present contents) into pen, in some squares or in all."""
    found = puzzle.grid.contents if shown is None else shown
    taken_squares = {at: content for at, content in found.items() if squares is None or at in squares}
    filled = edits.write_fill(puzzle, taken_squares)
    return edits.set_ink(filled, [at for at in taken_squares if filled.grid[at].ink is Ink.PENCIL], Ink.PEN)


def with_locked(puzzle: Puzzle, contents: Mapping[Position, Content]) -> Puzzle:
    """Write and lock some squares; those that were already given stay unchanged."""
    free = {at: content for at, content in contents.items() if not puzzle.grid[at].is_given}
    return edits.set_ink(edits.write_fill(puzzle, free), free, Ink.LOCKED)


def view_of(search: Strategy) -> RunView:
    """Return a view of a search, without its events and times."""
    counters = search.counters
    return RunView(
        outcome=search.outcome,
        squares=dict(search.squares),
        nodes=counters.nodes,
        backtracks=counters.backtracks,
        restarts=counters.restarts,
        depth=search.depth,
        deepest=counters.deepest,
        domain_sizes=dict(search.domain_sizes),
        reason=search.reason,
        placements=counters.placements if search.places_letters else None,
        lookups=search.lookups,
    )
