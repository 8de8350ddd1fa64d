"""What a run of the filler shows of itself, and what it makes of the puzzle."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from xwtui.dataclasses import dataclass, field, replace
from xwtui.engine.events.event import Event, Outcome, Thoughts
from xwtui.engine.improve.improvement import Aim
from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Ink, Position, Puzzle, SlotKey, edits
from xwtui.model.entering import EnteredAnswer
from xwtui.model.statistics import ListedScores
from xwtui.named_tuples import NamedTuple
from xwtui.session.fill_options import GOOD_SCORE, FillOptions, Mode
from xwtui.session.kept_out import KeptOut, admitting, barring

with lazy_imports():
    from xwtui.engine.events.timeline import Moment
    from xwtui.engine.improve.plain_fill import SharedStem
    from xwtui.engine.problem.no_fill import Untried
    from xwtui.engine.problem.task import Task
    from xwtui.engine.problem.told_answers import puzzle_of_fill
    from xwtui.session.goals import SearchArgument
    from xwtui.strategies.protocol import Strategy


class FoundFill(NamedTuple):
    """A fill that a run has found: its squares, and the scores of its answers as the review has them."""

    squares: Mapping[Position, Content]
    mean_score: float
    lowest_score: int
    note: str = ""
    """What there is to say of it, such as `the start`."""
    kept_out: KeptOut | None = None
    """The word that a rejection keeps out of its entry once it is taken."""
    let_in: KeptOut | None = None
    """The word that a swap lets into its entry again then."""
    entered: Mapping[SlotKey, EnteredAnswer] = {}
    """The answers that it means by what entries enter otherwise."""

    def taken(self, puzzle: Puzzle) -> Puzzle:
        """The puzzle with the fill in pencil, and what it keeps out or lets in."""
        after = edits.write_fill(puzzle, self.squares)
        if self.kept_out is not None:
            slot, word = puzzle.grid.slot(self.kept_out.entry), self.kept_out.word
            told = puzzle.entered_answer(slot)
            after = barring(after, slot, told.answer if told is not None and told.entered == word else word)
        elif self.let_in is not None:
            after = admitting(after, puzzle.grid.slot(self.let_in.entry), self.let_in.word)
        return after

    @classmethod
    def of(cls, task: Task, squares: Mapping[Position, Content], note: str = "") -> FoundFill:
        """A fill of a task; its scores count all answers that a list has, those that were given among them."""
        puzzle = puzzle_of_fill(task, squares)
        scores = ListedScores.of(puzzle.answers, task.lexicon.score)
        return cls(squares, scores.mean or 0.0, scores.lowest or 0, note, entered=puzzle.entered)

    def fits(self, grid: Grid) -> bool:
        """Whether it is a fill of this grid still: it has all that is given in the entries there."""
        given = (at for slot in grid.slots for at in slot.positions if grid[at].is_given)
        return all(self.squares.get(at) == grid[at].content for at in given)

    def stands_on(self, grid: Grid) -> bool:
        return all(grid[at].content == content for at, content in self.squares.items())

    def share_unlike(self, other: FoundFill) -> float:
        """The share of its squares, 0 to 1, that another fill has otherwise."""
        if not self.squares:
            return 0.0
        unlike = sum(other.squares.get(at) != content for at, content in self.squares.items())
        return unlike / len(self.squares)


class Quality(NamedTuple):
    """How good the best fill is that a run has found so far.

    The scores are those of the whole grid, as its review has them. `value` is what the run makes better, in
    `unit`: of `counted` entries, those that are not given, where these are not all, and with the constructor's
    preferences where it `has_preferences`. `first` is the value that it began with; `bound` is what none exceeds,
    and `gap` how far the value is below it (None while unknown). `better` counts the fills that each were the best
    in their turn; `is_proved` tells that nothing better exists. Unless it `may_be_proved`, that can be known only
    of a value that reaches the bound.
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


class Stopped(NamedTuple):
    """An entry that a partial fill had to leave unfinished, and why."""

    entry: str
    reason: str


class ProofFile(NamedTuple):
    """The file that was asked for the proof that there is no fill."""

    path: Path
    is_written: bool = False
    """False where there is a fill, or the search is not over; then no file is made."""


class PenIn(NamedTuple):
    """The squares in pen of an entry that other words were looked for: they stay."""

    entry: str
    squares: tuple[Position, ...]

    @classmethod
    def of(cls, grid: Grid, entry: str) -> PenIn:
        squares = grid.entry(entry).positions
        return cls(entry, tuple(at for at in squares if grid[at].content is not None and grid[at].ink is Ink.PEN))


class EntryChange(NamedTuple):
    """An entry whose letters a fill has replaced, as patterns: what was empty is `?`, a rebus square `[HEART]`."""

    entry: str
    before: str
    after: str


def entry_changes(grid: Grid, squares: Mapping[Position, Content]) -> tuple[EntryChange, ...]:
    """The entries of a grid that come to read otherwise in squares which were not empty.

    Where the across letter of a slash square stays, the entry across does.
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
    """The lowest score of a grid that was whole before, and the lower one that a change leaves it."""

    before: int
    after: int
    word: str = ""
    """The entry that has it and its answer, `27D SORB`, where that has changed."""

    @property
    def missed(self) -> int:
        """The score that it fails to reach, 50 or as much as before; 0 where it reaches that."""
        good = min(GOOD_SCORE, self.before)
        return good if self.after < good else 0

    @classmethod
    def of(cls, before: int | None, after: int, word: str = "") -> LoweredScore | None:
        """None where it is as high as before, or was none."""
        return cls(before, after, word) if before is not None and after < before else None


class PassedOver(NamedTuple):
    """A word with which fewer squares would change than with the one that came, and its lower score."""

    word: str
    score: int
    squares: int


@dataclass(frozen=True)
class DeadEnd:
    """How a search ran into a dead end and got out of it."""

    failure: Event
    """The entry, or the constraint, that could not be any more."""
    emptied_by: tuple[Event, ...]
    """What was pruned from that entry since the last decision, in order."""
    undone: tuple[Event, ...]
    """The decisions taken back on the way; the last one is refuted if it is a backtrack."""


@dataclass(frozen=True)
class Story:
    """What belongs to one event."""

    pruned: tuple[Event, ...] = ()
    """What was pruned since the last decision, in order; without the dead end's entry."""
    dead_end: DeadEnd | None = None


@dataclass(frozen=True)
class RunView:
    """A search as it stands.

    `squares` is what the search has on the grid now, or the best fill that it has found; `event`
    the latest event, `recent` the last few, oldest first; `depth_history` the depth at about 40
    moments, for a sparkline. A `paused` search stays where it is until it goes on, is accepted or
    is stopped. `reason` tells why there is no fill.

    `quality` belongs to runs that look for good fills; `found` of `wanted` counts fills, or the squares
    of a partial one, and `stopped` the entries that it leaves. `changes` are the entries of which it has replaced
    something that stood; `is_smallest` tells that no fill that they are looked for among replaces fewer squares:
    of a rejection, none whose words score as it asks.

    Events have numbers from 0 on: `event` that of `event_number`, and what is recorded goes from
    `first_event` to `last_event`; `moment` tells the decisions in force after `event`. In the past
    `squares` is what these put there. Where it stands still it tells the `story` of the event and, at its end,
    its `thoughts`.
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
    """What laying the problem out took, which is no part of `seconds`."""
    better_words_seconds: float = 0.0
    """What of `seconds` went, after the first fill, into better words."""
    paused: bool = False
    domain_sizes: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""
    depth_history: tuple[int, ...] = ()
    seed: int = 0
    threads: int = 1
    mode: Mode = Mode.FILL
    quality: Quality | None = None
    lowered: LoweredScore | None = None
    """What becomes of the lowest score of the grid, where that is a lower one than before."""
    found: int = 0
    wanted: int = 0
    stopped: tuple[Stopped, ...] = ()
    changes: tuple[EntryChange, ...] = ()
    is_smallest: bool = True
    offered: FoundFill | None = None
    """A fill that replaces so much of the pencil that it is not written before it is taken."""
    outscored: LoweredScore | None = None
    """The score of the word refused, and the lower one of the word that came."""
    passed_over: PassedOver | None = None
    pen: PenIn | None = None
    """What of an entry stays for which no other word was found."""
    means: tuple[float, float] | None = None
    """The mean score before and after a change of a grid that was whole."""
    moment: Moment | None = None
    event_number: int = -1
    first_event: int = 0
    last_event: int = -1
    story: Story | None = None
    thoughts: Thoughts | None = None
    kept_out: KeptOut | None = None
    """The word that a rejection keeps out of its entry from now on."""
    arguments: tuple[SearchArgument, ...] = ()
    """What the constructor has argued in this search, the first one first."""
    confined_to: int = 0
    """The squares that the run was confined to; 0 where it was about the whole grid."""
    part: str = ""
    """What these are called: `the selection`, `17A and its crossings`."""
    filled_there: int = 0
    """How many of them it has filled: the others stood, and stay."""
    is_for_all: bool = True
    """Whether it was about the whole grid with the puzzle's own words."""
    lookups: tuple[int, int, float] | None = None
    """Look-ups that a strategy has asked for, those that it made, and their seconds; None where unknown."""
    placements: int | None = None
    """Letters placed, of a search through all fills that goes letter by letter."""
    proof: ProofFile | None = None
    shared_stems: tuple[SharedStem, ...] = ()
    """The entries that share a stem, where they were to be kept apart and no fill was found that does."""
    is_as_found: bool = False
    """Whether it is a first fill as it was found, repeats and all, for the improver is not compiled yet."""
    untried: Untried | None = None
    """What nothing that it has proved is about."""

    @property
    def is_mending(self) -> bool:
        """Whether it looks for the smallest change of what stands, rather than for a fill of what is empty."""
        return self.mode.is_of_entry or (self.mode is Mode.FILL and bool(self.squares) and not self.nodes)

    @property
    def doing(self) -> str:
        return "mending" if self.is_mending and self.mode is Mode.FILL else self.mode.doing

    @property
    def is_recorded(self) -> bool:
        """Whether it is stepped or watched, and events of it are kept."""
        return self.last_event >= 0

    @property
    def is_as_seen(self) -> bool:
        """Whether it was stepped, watched or argued with: it ends with the fill that was seen, repeats and all."""
        return self.is_recorded or bool(self.arguments)

    @property
    def proves_no_fill(self) -> bool:
        is_of_grid = self.mode in (Mode.FILL, Mode.IMPROVE, Mode.BEST)
        return is_of_grid and self.outcome is Outcome.IMPOSSIBLE and self.is_for_all and self.untried is None

    @property
    def verdict(self) -> Outcome:
        """FILLED where there is what was asked for, or as good a fill as time allowed.

        A partial fill says whether a whole one could be; of all fills, whether these are all.
        """
        is_done = self.mode in (Mode.BEST, Mode.IMPROVE) and self.quality is not None
        is_done = is_done or (self.mode is Mode.DIVERSE and self.found > 0)
        return Outcome.FILLED if is_done and self.outcome is not Outcome.CANCELLED else self.outcome

    @property
    def is_past(self) -> bool:
        return self.event_number < self.last_event

    @property
    def to_write(self) -> Mapping[Position, Content]:
        """What belongs on the grid when it ends so: a plain fill must be whole, several are chosen from."""
        is_whole = self.outcome is Outcome.FILLED
        if self.offered is not None or self.mode.leaves_a_choice or (self.mode is Mode.FILL and not is_whole):
            return {}
        return self.squares


def files_written(options: FillOptions, view: RunView) -> tuple[Path, ...]:
    """The files that a run with such options has written by its end; of a proof none where there is none."""
    is_proved = view.proof is not None and view.proof.is_written
    return options.files if is_proved else replace(options, proof=None).files


def edit_of_run(puzzle: Puzzle, options: FillOptions, view: RunView) -> tuple[Puzzle, str]:
    """The puzzle with what a run has found, and what the history calls that.

    A partial fill takes away the pencil of the squares that it leaves; a rejection bars its word from the entry.
    """
    wanted, label = options.selection, f"{view.mode.value} {options.entry}".strip()
    if view.offered is not None:
        return puzzle, label
    if view.mode is Mode.PARTIAL and view.to_write:
        puzzle = edits.clear_pencil(puzzle, wanted)
    squares = {at: content for at, content in view.to_write.items() if wanted is None or at in wanted}
    let_in = KeptOut(options.entry, options.word) if options.word and squares else None
    return FoundFill(squares, 0.0, 0, kept_out=view.kept_out, let_in=let_in).taken(puzzle), label


def decided_squares(view: RunView) -> Mapping[Position, Content]:
    """What a search that stands still has decided so far; raises VerbError where that is nothing."""
    decided = view.moment.decisions if view.moment is not None else ()
    if not decided:
        raise VerbError("nothing is decided here yet")
    return {at: content for one in decided for at, content in one.squares}


def accepted(
    puzzle: Puzzle, shown: Mapping[Position, Content] | None, squares: Collection[Position] | None
) -> Puzzle:
    """The puzzle with what is shown (None: what stands there) in pen, in some squares or in all."""
    found = shown
    if found is None:
        found = {at: content for at in puzzle.grid.positions() if (content := puzzle.grid[at].content)}
    taken_squares = {at: content for at, content in found.items() if squares is None or at in squares}
    filled = edits.write_fill(puzzle, taken_squares)
    return edits.set_ink(filled, [at for at in taken_squares if filled.grid[at].ink is Ink.PENCIL], Ink.PEN)


def with_locked(puzzle: Puzzle, standing: Mapping[Position, Content]) -> Puzzle:
    """The puzzle with some squares written and locked; those that were given already stay as they are."""
    free = {at: content for at, content in standing.items() if not puzzle.grid[at].is_given}
    return edits.set_ink(edits.write_fill(puzzle, free), free, Ink.LOCKED)


class BestShown:
    """A puzzle with the best fill of a run in it, made once for each."""

    def __init__(self) -> None:
        self._last: tuple[Puzzle, RunView, Puzzle] | None = None

    def __call__(self, puzzle: Puzzle, run: RunView) -> Puzzle:
        if self._last is None or self._last[0] is not puzzle or self._last[1] is not run:
            self._last = puzzle, run, edits.write_fill(puzzle, run.squares)
        return self._last[2]


def view_of(search: Strategy) -> RunView:
    """A search as it stands, but for events and time."""
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
