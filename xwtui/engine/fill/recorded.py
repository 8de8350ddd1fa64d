"""What a search tells of itself: the events that its kernels wrote, and what it would decide next, and why.

Of them is made the certificate that there is no fill: a tree that a program can check which knows no engine.
It is text. The head names what was searched, the rest is the tree from its root, a node a line. `r3c5 E` or `17A
WORD` parts what is left in two: first comes the proof where that is so, then the proof where it is not. `-` ends a
branch: here propagation leaves a square or an entry nothing. It is made of what the kernel records of itself:

- A decision is a node. Where it is undone as a dead end its proof is complete, and the other half comes next.
- A jump undoes a decision that the dead end does not depend on: its node goes, and its proof stands in its place.
  Of a square's letters those tried before go, too; what was denied to an entry stays, for it has been propagated.
- A restart drops all but what the root has lost, which it has for good.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterator, Mapping
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.events.event import MOST, Event, EventKind, LikelyWord, Rank, Thoughts
from xwtui.engine.kernels import trace
from xwtui.engine.kernels.network import CROSSING, INDEX, PLACES, SQUARE, Longs
from xwtui.engine.kernels.search.decisions import (
    BACKTRACKS,
    BY_SQUARES,
    CONFLICT,
    LOYALTY,
    SCORE_PATIENCE,
    SCORE_WEIGHT,
    UNIT,
)
from xwtui.engine.kernels.state import (
    AFTER,
    BEFORE,
    EVENT_CONSTRAINT,
    EVENT_COUNT,
    EVENT_DEPTH,
    EVENT_ROW,
    EVENT_SLOT,
    EVENT_SQUARE,
    KIND,
    MASK_HIGH,
    MASK_LOW,
    OTHER_SLOT,
    State,
)
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import constraint_asked
from xwtui.engine.problem.task import NO_RULES, Task
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Grid, Position

with lazy_imports():
    from xwtui.engine.events.timeline import RecordedDecision, Standing, decision_of
    from xwtui.engine.fill.filler import Filler

_CODES = {
    EventKind.DECIDE: trace.DECIDE,
    EventKind.PRUNE: trace.PRUNE,
    EventKind.CLAIM: trace.CLAIM,
    EventKind.CONSTRAINT: trace.CONSTRAINT,
    EventKind.WIPE_OUT: trace.WIPE_OUT,
    EventKind.BACKTRACK: trace.BACKTRACK,
    EventKind.RESTART: trace.RESTART,
    EventKind.SOLVED: trace.SOLVED,
    EventKind.IMPOSSIBLE: trace.IMPOSSIBLE,
    EventKind.JUMP: trace.JUMP,
}
_KINDS = {code: kind for kind, code in _CODES.items()}

ENGINE_KINDS = tuple(_CODES)
"""The kinds of events that the kernels write."""


def kind_code(kind: EventKind) -> int:
    """A kind of event as the kernels write it."""
    return _CODES[kind]


def unread_events(state: State, first: int) -> range:
    """The numbers of the events from `first` on, counted since the start, that the ring still has."""
    count = int(state.control[EVENT_COUNT])
    return range(max(first, count - len(state.events)), count)


def event_key(state: State, number: int) -> tuple[int, int]:
    """The code of an event's kind, and its slot or -1: enough to see whether it is asked for."""
    event = state.events[number % len(state.events)]
    return int(event[KIND]), int(event[EVENT_SLOT])


def rows_of(state: State, numbers: range) -> Longs:
    """A copy of the rows of events that the ring still has."""
    return state.events[np.arange(numbers.start, numbers.stop) % len(state.events)]


def read_event(problem: Problem, state: State, number: int) -> Event:
    """Read an event that the ring still has."""
    return event_of(problem, state.events[number % len(state.events)].tolist())


def event_of(problem: Problem, row: list[int]) -> Event:
    """The event that a row of the ring tells."""
    slot, square, other = row[EVENT_SLOT], row[EVENT_SQUARE], row[OTHER_SLOT]
    wanted = row[MASK_LOW] | row[MASK_HIGH] << 32
    return Event(
        kind=_KINDS[row[KIND]],
        depth=row[EVENT_DEPTH],
        slot=problem.slots[slot].name if slot >= 0 else None,
        word=problem.word(slot, row[EVENT_ROW]) if row[EVENT_ROW] >= 0 else None,
        crossing=problem.positions[square] if square >= 0 else None,
        before=max(row[BEFORE], 0),
        after=max(row[AFTER], 0),
        other=_subject_name(problem, row[KIND], other),
        wanted=tuple(str(content) for content in problem.symbols.in_mask(wanted)),
        constraint=constraint_asked(problem, row[EVENT_CONSTRAINT]) if row[EVENT_CONSTRAINT] >= 0 else "",
    )


def _subject_name(problem: Problem, kind: int, code: int) -> str | None:
    """The name of a slot or, of what a backtrack goes back to, of a square."""
    if code >= 0:
        return problem.slots[code].name
    if kind == trace.BACKTRACK and code != trace.START:
        return str(problem.positions[~code])
    return None


_DECIDE, _RESTART = kind_code(EventKind.DECIDE), kind_code(EventKind.RESTART)
_BACKTRACK = kind_code(EventKind.BACKTRACK)


class RecordedEvents:
    """Events of the engine in order, before which `missed` others were lost."""

    def __init__(self, problem: Problem, rows: NDArray[np.int64], missed: int = 0) -> None:
        """Take rows of a trace, as `engine.kernels.state` lays them out."""
        self._problem = problem
        self._rows = rows
        self.missed = missed

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> Event:
        return event_of(self._problem, self._rows[index].tolist())

    def moved(self, depth: int, start: str | None) -> RecordedEvents:
        """The events as those of a search that begins so much deeper, where `start` was decided last."""
        rows = self._rows.copy()
        rows[:, EVENT_DEPTH] += depth
        restarts = rows[:, KIND] == _RESTART
        rows[restarts, BEFORE] += depth
        rows[restarts, AFTER] += depth
        if start is not None:
            to_start = (rows[:, KIND] == _BACKTRACK) & (rows[:, OTHER_SLOT] == trace.START)
            rows[to_start, OTHER_SLOT] = _subject_code(self._problem, start)
        return RecordedEvents(self._problem, rows, self.missed)

    def but_last(self) -> RecordedEvents:
        return RecordedEvents(self._problem, self._rows[:-1], self.missed)

    def latest(self, most: int) -> list[Event]:
        """The last ones, at most so many."""
        return [event_of(self._problem, row) for row in self._rows[-most:].tolist()] if most > 0 else []

    def depth(self, index: int) -> int:
        return int(self._rows[index, EVENT_DEPTH])

    def about(self, kinds: Collection[EventKind], entry: str | None) -> list[int]:
        wanted = np.isin(self._rows[:, KIND], [kind_code(kind) for kind in kinds if kind in ENGINE_KINDS])
        number = self._problem.slot_numbers.get(entry) if entry is not None else None
        if number is not None:
            wanted |= self._rows[:, EVENT_SLOT] == number
        found: list[int] = np.flatnonzero(wanted).tolist()
        return found

    def after(self, standing: Standing, number: int, count: int, grid: Grid) -> Standing:
        """The decisions in force after its first `count` events, the first of which has this number.

        Of each depth that is in force it is the last decision that was made there.
        """
        rows = self._rows[:count]
        if len(rows) == 0:
            return standing
        depth = int(rows[-1, AFTER if rows[-1, KIND] == _RESTART else EVENT_DEPTH])
        decided = np.flatnonzero(rows[:, KIND] == _DECIDE)
        latest = np.full(depth + 1, -1)
        for index, made in zip(decided.tolist(), rows[decided, EVENT_DEPTH].tolist(), strict=True):
            if made <= depth:
                latest[made] = index
        before = {decision.depth: decision for decision in standing}
        made_here: list[RecordedDecision | None] = [
            before.get(level)
            if latest[level] < 0
            else decision_of(self[int(latest[level])], number + int(latest[level]), grid)
            for level in range(1, depth + 1)
        ]
        return tuple(decision for decision in made_here if decision is not None)


def _subject_code(problem: Problem, name: str) -> int:
    """An entry, or a square, as a backtrack goes back to it."""
    if name in problem.slot_numbers:
        return problem.slot_numbers[name]
    at = Position.parse(name)
    return ~problem.positions.index(at) if at in problem.positions else trace.START


_NO_CROSSING = 1e-6
"""As in kernels/search/decisions.py."""
_SYMBOLS = 64


class _Standing(NamedTuple):
    """A slot or a square in the choice: the least value is next."""

    value: float
    name: str
    options: int
    weight: float
    slot: int
    loyalty: float = 1.0
    """How many times it counts because it has just failed."""

    @property
    def figures(self) -> str:
        if self.loyalty == 1.0:
            return f"{self.options:,} / {self.weight:.1f} = {self.value:,.1f}"
        return f"{self.options:,} / ({self.weight:.1f} × {self.loyalty:g}) = {self.value:,.1f}"


def thoughts_of(filler: Filler) -> Thoughts:
    """How the engine stands before its next decision; nothing where no fill exists, or all is decided.

    Where rules for the whole grid ask for something, that may come first: the ranking is of what comes otherwise.
    """
    if filler.outcome.is_final:
        return Thoughts(blame=blame_of(filler))
    by_squares = bool(filler.search.progress[BY_SQUARES])
    standing = _squares(filler) if by_squares else _slots(filler)
    ranked = sorted(standing, key=attrgetter("value"))[:MOST]
    ranking = tuple(Rank(one.name, one.figures) for one in ranked)
    words = _likely(filler, ranked[0].slot) if ranked and not by_squares else ()
    return Thoughts(ranking, words, blame_of(filler))


def likely_words(filler: Filler, entry: str, most: int = MOST) -> tuple[LikelyWord, ...]:
    """The words that an entry can still take, those first that it would take first if chance had no say."""
    return _likely(filler, filler.problem.slot_numbers[entry], most)


def blame_of(filler: Filler) -> Mapping[Position, float]:
    """How much each square was to blame for dead ends so far, as a share of the most blamed one, 0 to 1."""
    weights = filler.square_weights - 1.0
    most = float(weights.max(initial=0.0))
    shares = np.clip(weights / most, 0.0, 1.0) if most > 0 else np.zeros(len(weights))
    return dict(zip(filler.problem.positions, shares.tolist(), strict=True))


def _slots(filler: Filler) -> Iterator[_Standing]:
    """The undecided slots: their words by the blame of open crossings (kernels/search/decisions.py)."""
    problem, network = filler.problem, filler.problem.network
    sizes, weights = problem.domain_sizes(filler.state), filler.square_weights.tolist()
    crossings, squares = network.places[:, CROSSING].tolist(), network.places[:, SQUARE].tolist()
    starts = network.slots[:, PLACES].tolist()
    conflict, loyalty = int(filler.search.progress[CONFLICT]), filler.search.settings[LOYALTY] / UNIT
    for slot, size in enumerate(sizes):
        if size > 1 and problem.is_required[slot]:
            places = range(starts[slot], starts[slot + 1])
            open_places = (place for place in places if crossings[place] >= 0 and sizes[crossings[place]] > 1)
            weight = _NO_CROSSING + sum(weights[squares[place]] for place in open_places)
            times = loyalty if slot == conflict else 1.0
            yield _Standing(size / weight / times, problem.slots[slot].name, size, weight, slot, times)


def _squares(filler: Filler) -> Iterator[_Standing]:
    """The open squares: their letters by their blame."""
    problem, weights = filler.problem, filler.square_weights.tolist()
    for square, mask in enumerate(problem.masks(filler.state)):
        if mask.bit_count() > 1:
            value = mask.bit_count() / weights[square]
            yield _Standing(value, str(problem.positions[square]), mask.bit_count(), weights[square], -1)


def _likely(filler: Filler, slot: int, most: int = MOST) -> tuple[LikelyWord, ...]:
    """The words that a slot would take first but for chance, by room and appeal (kernels/search/choose.py)."""
    problem, table = filler.problem, filler.problem.tables[slot]
    rows = problem.rows_left(filler.state, slot)
    room = _room(filler, slot)
    settings = filler.search.settings
    patience = int(settings[SCORE_PATIENCE])
    point = int(settings[SCORE_WEIGHT]) * patience // (patience + int(filler.search.progress[BACKTRACKS]))
    roomy = room[np.arange(room.shape[0]), table.symbols[rows]].sum(axis=1)
    weights = roomy + point * table.appeals[rows].astype(np.int64)
    best = np.argsort(-weights, kind="stable")[:most].tolist()
    return tuple(
        LikelyWord(
            problem.word(slot, int(rows[place])),
            problem.score(slot, int(rows[place])),
            float(roomy[place]) / (UNIT * math.log(10)),
        )
        for place in best
    )


def _room(filler: Filler, slot: int) -> NDArray[np.int64]:
    """For each place of a slot and symbol, the logarithm, fixed-point, of the crossing words with it there."""
    problem, network = filler.problem, filler.problem.network
    first, last = network.slots[slot : slot + 2, PLACES].tolist()
    masks, sizes = problem.masks(filler.state), problem.domain_sizes(filler.state)
    room = np.zeros((last - first, _SYMBOLS), np.int64)
    for place in range(first, last):
        other = int(network.places[place, CROSSING])
        is_open = masks[int(network.places[place, SQUARE])].bit_count() > 1
        if other >= 0 and is_open and sizes[other] > 1:
            index = int(network.places[place, INDEX])
            symbols = problem.tables[other].symbols[problem.rows_left(filler.state, other), index]
            counts = np.maximum(np.bincount(symbols, minlength=_SYMBOLS), 1)
            room[place - first] = np.rint(np.log(counts) * UNIT)
    return room


VERSION = 1

RING = 1 << 18
"""Events that are kept between two looks at a search that is certified, and"""
NODES_A_LOOK = 250
"""nodes between them: a node makes some 30 events, and has room for a thousand."""

_LEAF = b"-\n"
_PROVING = (trace.DECIDE, trace.BACKTRACK, trace.JUMP, trace.RESTART, trace.IMPOSSIBLE)


class _Decision(NamedTuple):
    """A decision in force, whose half of the proof is being written."""

    start: int
    """Where its node begins."""
    end: int
    """Where its node ends, and the proof of its half begins."""
    chain: int
    """Where the first node begins that was decided on this depth since the decision above."""
    is_letter: bool


class Certificate:
    """The tree of one search, as far as it is known; takes some 10 bytes a node."""

    def __init__(self, problem: Problem) -> None:
        """Of a search at its beginning; raises EngineError for what the checker does not know."""
        why = why_uncheckable(problem.task)
        if why:
            raise EngineError(f"a proof that can be checked knows no {why}: fill without --proof")
        self._problem = problem
        self._places = [str(position) for position in problem.positions]
        self._steps = bytearray()
        self._decisions: list[_Decision] = []
        self._is_closed = not problem.root.is_possible
        """Whether what is left has its proof already, in what was written last."""
        if self._is_closed:
            self._steps += _LEAF
        self._taken = 0

    def take(self, state: State) -> None:
        """Take what the search has recorded since the last call; raises EngineError where some is lost."""
        first, self._taken = self._taken, int(state.control[EVENT_COUNT])
        if self._taken - first > len(state.events):
            raise EngineError("the search went on too fast to be proved")
        rows = rows_of(state, range(first, self._taken))
        rows = rows[np.isin(rows[:, KIND], _PROVING)]
        columns = [KIND, EVENT_SLOT, EVENT_ROW, EVENT_SQUARE, MASK_LOW, MASK_HIGH]
        for kind, slot, row, square, low, high in rows[:, columns].tolist():
            if kind == trace.DECIDE and slot >= 0:
                self._decide(
                    f"{self._problem.slots[slot].name} {self._problem.word(slot, row)}\n", is_letter=False
                )
            elif kind == trace.DECIDE:
                letter = self._problem.symbols.contents[(low | high << 32).bit_length() - 1]
                self._decide(f"{self._places[square]} {letter}\n", is_letter=True)
            elif kind == trace.BACKTRACK:
                self._close()
                self._decisions.pop()
                self._is_closed = False
            elif kind == trace.JUMP:
                self._jump()
            elif kind == trace.RESTART:
                self._restart()
            else:
                self._close()

    def _decide(self, node: str, *, is_letter: bool) -> None:
        start = len(self._steps)
        self._steps += node.encode()
        above = self._decisions[-1].end if self._decisions else 0
        self._decisions.append(_Decision(start, len(self._steps), above, is_letter))
        self._is_closed = False

    def _close(self) -> None:
        if not self._is_closed:
            self._steps += _LEAF
        self._is_closed = True

    def _jump(self) -> None:
        self._close()
        decision = self._decisions.pop()
        # The first square's letters are denied one by one, with all that follows; see `_refute` in the kernel.
        drops_others = decision.is_letter and bool(self._decisions)
        del self._steps[decision.chain if drops_others else decision.start : decision.end]

    def _restart(self) -> None:
        if self._decisions:
            del self._steps[self._decisions[0].start :]
        self._decisions.clear()
        self._is_closed = False

    def text(self, settings: str) -> str:
        """The whole certificate of a search that has ended without a fill; `settings` tell how it searched."""
        task = self._problem.task
        lengths = {len(slot) for slot in self._problem.slots}
        words = sorted(word for length in lengths for word in task.lexicon.table(length).words())
        head = [
            f"xwtui proof {VERSION}",
            f"by {settings}",
            f"lowest {task.lexicon.minimum_score}",
            f"repeats {'yes' if task.allow_repeats else 'no'}",
            f"words {len(words)} sha256 {hashlib.sha256(' '.join(words).encode()).hexdigest()}",
            "grid",
            *(_row(task, row) for row in range(task.grid.height)),
            "steps",
        ]
        return "\n".join([*head, self._steps.decode()])


def why_uncheckable(task: Task) -> str:
    """What a task has that the checker of certificates knows nothing of; empty where there is nothing such."""
    found = {
        "rules": task.rules != NO_RULES,
        "part of a grid (--only, --around)": task.selection is not None,
        "bars": bool(task.grid.bars),
        "rebus squares": any(content.is_rebus for content in task.given.values()),
        "squares of two letters, as this alphabet has them": bool(task.lexicon.alphabet.digraphs),
        "assumptions": bool(task.holes) or not task.assumptions.is_empty,
    }
    return next((what for what, is_there in found.items() if is_there), "")


def _row(task: Task, row: int) -> str:
    """A row of the grid: `.` open, `#` block or void, what is given as it is."""
    grid = task.grid
    places = [Position(row, column) for column in range(grid.width)]
    return "".join(str(task.given.get(at, ".")) if grid[at].is_open else "#" for at in places)
