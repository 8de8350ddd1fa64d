"""What a search tells of itself: the events that its kernels wrote.

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
from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.events.event import Event, EventKind
from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.network import Longs
from xwtui.engine.kernels.state import State
from xwtui.engine.problem.problem import Legend, Problem
from xwtui.engine.problem.reasons import constraint_asked
from xwtui.engine.problem.task import NO_RULES, Task
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Grid, Position
from xwtui.named_tuples import NamedTuple

with lazy_imports():
    from xwtui.engine.events.timeline import RecordedDecision, Standing, decision_of

CODES: Mapping[EventKind, int] = {
    kind: getattr(states, kind.name) for kind in EventKind if hasattr(states, kind.name)
}
"""The kinds of events that the kernels write, each as they write it."""
_KINDS = {code: kind for kind, code in CODES.items()}


def unread_events(state: State, first: int) -> range:
    """The numbers of the events from `first` on, counted since the start, that the ring still has."""
    count = int(state.control[states.EVENT_COUNT])
    return range(max(first, count - len(state.events)), count)


def rows_of(state: State, numbers: range) -> Longs:
    """A copy of the rows of events that the ring still has."""
    return state.events[np.arange(numbers.start, numbers.stop) % len(state.events)]


def event_of(legend: Legend, row: list[int]) -> Event:
    """The event that a row of the ring tells."""
    slot, square, other = row[states.EVENT_SLOT], row[states.EVENT_SQUARE], row[states.OTHER_SLOT]
    wanted, asked = row[states.MASK_LOW] | row[states.MASK_HIGH] << 32, row[states.EVENT_CONSTRAINT]
    back_to = legend.slots[other].name if other >= 0 else None
    if row[states.KIND] == states.BACKTRACK and other < 0 and other != states.START:
        back_to = str(legend.positions[~other])
    return Event(
        kind=_KINDS[row[states.KIND]],
        depth=row[states.EVENT_DEPTH],
        slot=legend.slots[slot].name if slot >= 0 else None,
        word=legend.word(slot, row[states.EVENT_ROW]) if row[states.EVENT_ROW] >= 0 else None,
        crossing=legend.positions[square] if square >= 0 else None,
        before=max(row[states.BEFORE], 0),
        after=max(row[states.AFTER], 0),
        other=back_to,
        wanted=tuple(str(content) for content in legend.symbols.in_mask(wanted)),
        constraint=constraint_asked(legend, asked) if asked >= 0 else "",
    )


class RecordedEvents:
    """Events of the engine in order, before which `missed` others were lost."""

    def __init__(self, legend: Legend, rows: NDArray[np.int64], missed: int = 0) -> None:
        """Take rows of a trace, as `engine.kernels.state` lays them out."""
        self._legend = legend
        self._rows = rows
        self.missed = missed

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> Event:
        return event_of(self._legend, self._rows[index].tolist())

    def moved(self, depth: int, start: str | None) -> RecordedEvents:
        """The events as those of a search that begins so much deeper, where `start` was decided last."""
        rows = self._rows.copy()
        rows[:, states.EVENT_DEPTH] += depth
        restarts = rows[:, states.KIND] == states.RESTART
        rows[restarts, states.BEFORE] += depth
        rows[restarts, states.AFTER] += depth
        if start is not None:
            code = self._legend.slot_numbers.get(start)
            if code is None:  # it names a square
                places, at = self._legend.positions, Position.parse(start)
                code = ~places.index(at) if at in places else states.START
            to_start = (rows[:, states.KIND] == states.BACKTRACK) & (rows[:, states.OTHER_SLOT] == states.START)
            rows[to_start, states.OTHER_SLOT] = code
        return RecordedEvents(self._legend, rows, self.missed)

    def but_last(self) -> RecordedEvents:
        return RecordedEvents(self._legend, self._rows[:-1], self.missed)

    def latest(self, most: int) -> list[Event]:
        """The last ones, at most so many."""
        return [event_of(self._legend, row) for row in self._rows[-most:].tolist()] if most > 0 else []

    def depth(self, index: int) -> int:
        return int(self._rows[index, states.EVENT_DEPTH])

    def about(self, kinds: Collection[EventKind], entry: str | None) -> list[int]:
        wanted = np.isin(self._rows[:, states.KIND], [CODES[kind] for kind in kinds if kind in CODES])
        number = self._legend.slot_numbers.get(entry) if entry is not None else None
        if number is not None:
            wanted |= self._rows[:, states.EVENT_SLOT] == number
        found: list[int] = np.flatnonzero(wanted).tolist()
        return found

    def after(self, standing: Standing, number: int, count: int, grid: Grid) -> Standing:
        """The decisions in force after its first `count` events, the first of which has this number.

        Of each depth that is in force it is the last decision that was made there.
        """
        rows = self._rows[:count]
        if len(rows) == 0:
            return standing
        depth = int(rows[-1, states.AFTER if rows[-1, states.KIND] == states.RESTART else states.EVENT_DEPTH])
        decided = np.flatnonzero(rows[:, states.KIND] == states.DECIDE)
        latest = np.full(depth + 1, -1)
        for index, made in zip(decided.tolist(), rows[decided, states.EVENT_DEPTH].tolist(), strict=True):
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


VERSION = 1

RING = 1 << 18
"""Events that are kept between two looks at a search that is certified, and"""
NODES_A_LOOK = 250
"""nodes between them: a node makes some 30 events, and has room for a thousand."""

_LEAF = b"-\n"
_PROVING = (states.DECIDE, states.BACKTRACK, states.JUMP, states.RESTART, states.IMPOSSIBLE)


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
            raise EngineError(f"a checkable proof cannot cover {why}: fill without --proof")
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
        first, self._taken = self._taken, int(state.control[states.EVENT_COUNT])
        if self._taken - first > len(state.events):
            raise EngineError("the search was too fast to record a proof")
        rows = rows_of(state, range(first, self._taken))
        rows = rows[np.isin(rows[:, states.KIND], _PROVING)]
        columns = [
            states.KIND,
            states.EVENT_SLOT,
            states.EVENT_ROW,
            states.EVENT_SQUARE,
            states.MASK_LOW,
            states.MASK_HIGH,
        ]
        for kind, slot, row, square, low, high in rows[:, columns].tolist():
            if kind == states.DECIDE and slot >= 0:
                self._decide(
                    f"{self._problem.slots[slot].name} {self._problem.word(slot, row)}\n", is_letter=False
                )
            elif kind == states.DECIDE:
                letter = self._problem.symbols.contents[(low | high << 32).bit_length() - 1]
                self._decide(f"{self._places[square]} {letter}\n", is_letter=True)
            elif kind == states.BACKTRACK:
                self._close()
                self._decisions.pop()
                self._is_closed = False
            elif kind == states.JUMP:
                self._close()
                decision = self._decisions.pop()
                # The first square's letters are denied one by one, with all that follows: `_refute` in kernels.
                drops_others = decision.is_letter and bool(self._decisions)
                del self._steps[decision.chain if drops_others else decision.start : decision.end]
            elif kind == states.RESTART:
                if self._decisions:
                    del self._steps[self._decisions[0].start :]
                self._decisions.clear()
                self._is_closed = False
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

    def text(self, settings: str) -> str:
        """The whole certificate of a search that has ended without a fill; `settings` tell how it searched."""
        task, grid = self._problem.task, self._problem.task.grid
        lengths = {len(slot) for slot in self._problem.slots}
        words = sorted(word for length in lengths for word in task.lexicon.table(length).words())
        rows = ([Position(row, column) for column in range(grid.width)] for row in range(grid.height))
        head = [
            f"xwtui proof {VERSION}",
            f"by {settings}",
            f"lowest {task.lexicon.minimum_score}",
            f"repeats {'yes' if task.allow_repeats else 'no'}",
            f"words {len(words)} sha256 {hashlib.sha256(' '.join(words).encode()).hexdigest()}",
            "grid",
            *("".join(str(task.given.get(at, ".")) if grid[at].is_open else "#" for at in row) for row in rows),
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
        "this alphabet's squares of two letters": bool(task.lexicon.alphabet.digraphs),
        "assumptions": bool(task.holes) or not task.assumptions.is_empty,
    }
    return next((what for what, is_there in found.items() if is_there), "")
