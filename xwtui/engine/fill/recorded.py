"""Decoding of the events that the kernels record, and certificates made from them.

A certificate shows that there is no fill: it is a search tree that an independent program can check. It is text.
The head describes what was searched; the rest is the tree from its root, one node per line. `r3c5 E` or `17A WORD`
branches: first comes the proof for the case that it holds, then the proof for the case that it does not. `-`
closes a branch: there, propagation wipes out a square or an entry. The tree is built from the kernel's events:

- A decision is a node. When it is undone as a dead end, its proof is complete, and the other case comes next.
- A jump undoes a decision that the dead end does not depend on. The node is removed, and its proof takes its
  place. For a square, the letters tried before are removed too. Words refuted for an entry stay, since they were
  propagated.
- A restart discards everything except what the root has lost, which it has lost for good.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.events.event import Event, EventKind
from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.network import Longs
from xwtui.engine.kernels.state import State
from xwtui.engine.problem.problem import Legend, Problem
from xwtui.engine.problem.reasons import constraint_requirement
from xwtui.engine.problem.task import NO_RULES, Task
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Grid, Position

with lazy_imports():
    from xwtui.engine.events.timeline import Decisions, RecordedDecision, decision_of

CODES: Mapping[EventKind, int] = {
    kind: getattr(states, kind.name) for kind in EventKind if hasattr(states, kind.name)
}
"""The kinds of events that the kernels record, each with its code."""
_KINDS = {code: kind for kind, code in CODES.items()}


def unread_events(state: State, first: int) -> range:
    """Return the numbers of the events from `first` on that the ring buffer still has, counted from the start."""
    count = int(state.control[states.EVENT_COUNT])
    return range(max(first, count - len(state.events)), count)


def rows_of(state: State, numbers: range) -> Longs:
    """Return a copy of the rows of events that the ring buffer still has."""
    return state.events[np.arange(numbers.start, numbers.stop) % len(state.events)]


def event_of(legend: Legend, row: list[int]) -> Event:
    """Decode a row of the ring buffer."""
    slot, square, other = row[states.EVENT_SLOT], row[states.EVENT_SQUARE], row[states.OTHER_SLOT]
    wanted, constraint = row[states.MASK_LOW] | row[states.MASK_HIGH] << 32, row[states.EVENT_CONSTRAINT]
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
        constraint=constraint_requirement(legend, constraint) if constraint >= 0 else "",
    )


class RecordedEvents:
    """Recorded events in order; `missed` is how many before them were lost."""

    def __init__(self, legend: Legend, rows: NDArray[np.int64], missed: int = 0) -> None:
        """Wrap rows of a trace, laid out as in `engine.kernels.state`."""
        self._legend = legend
        self._rows = rows
        self.missed = missed

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> Event:
        return event_of(self._legend, self._rows[index].tolist())

    def moved(self, depth: int, start: str | None) -> RecordedEvents:
        """Return the events shifted to start at a greater depth, where `start` was the last decision."""
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

    def without_last(self) -> RecordedEvents:
        return RecordedEvents(self._legend, self._rows[:-1], self.missed)

    def latest(self, most: int) -> list[Event]:
        """Return at most this many of the last events."""
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

    def after(self, decisions: Decisions, number: int, count: int, grid: Grid) -> Decisions:
        """Return the decisions in force after its first `count` events: at each depth, the last one made."""
        rows = self._rows[:count]
        if len(rows) == 0:
            return decisions
        depth = int(rows[-1, states.AFTER if rows[-1, states.KIND] == states.RESTART else states.EVENT_DEPTH])
        decided = np.flatnonzero(rows[:, states.KIND] == states.DECIDE)
        latest = np.full(depth + 1, -1)
        for index, made in zip(decided.tolist(), rows[decided, states.EVENT_DEPTH].tolist(), strict=True):
            if made <= depth:
                latest[made] = index
        before = {decision.depth: decision for decision in decisions}
        made_here: list[RecordedDecision | None] = [
            before.get(level)
            if latest[level] < 0
            else decision_of(self[int(latest[level])], number + int(latest[level]), grid)
            for level in range(1, depth + 1)
        ]
        return tuple(decision for decision in made_here if decision is not None)


VERSION = 1

RING = 1 << 18
"""Size of the ring buffer for a certified search."""
NODES_PER_CHECK = 250
"""Nodes between two reads of the ring buffer: a node records some 30 events, and there is space for a thousand."""

_LEAF = b"-\n"
_PROVING = (states.DECIDE, states.BACKTRACK, states.JUMP, states.RESTART, states.IMPOSSIBLE)


class _Decision(NamedTuple):
    """A decision in force whose proof is being written."""

    start: int
    """Where its node starts."""
    end: int
    """Where its node ends and its proof starts."""
    chain: int
    """Where the first node decided at this depth, since the decision above, starts."""
    is_letter: bool


class Certificate:
    """The proof tree of one search so far; takes about 10 bytes per node."""

    def __init__(self, problem: Problem) -> None:
        """Start a certificate; raises EngineError for features that the checker does not support."""
        why = why_uncheckable(problem.task)
        if why:
            raise EngineError(f"a checkable proof cannot cover {why}: fill without --proof")
        self._problem = problem
        self._places = [str(position) for position in problem.positions]
        self._steps = bytearray()
        self._decisions: list[_Decision] = []
        self._is_closed = not problem.root.is_possible
        """Whether the current branch is already closed by what was last written."""
        if self._is_closed:
            self._steps += _LEAF
        self._taken = 0

    def take(self, state: State) -> None:
        """Process the events since the last call; raises EngineError if some were lost."""
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
                # The first square's letters are denied one by one and propagated each time: `_refute` in kernels.
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
        """Return the certificate of a search that ended without a fill; `settings` describes how it searched."""
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
    """Return a feature of the task that the certificate checker does not support, or an empty string."""
    found = {
        "rules": task.rules != NO_RULES,
        "part of a grid (--only, --around)": task.selection is not None,
        "bars": bool(task.grid.bars),
        "rebus squares": any(content.is_rebus for content in task.given.values()),
        "this alphabet's squares of two letters": bool(task.lexicon.alphabet.digraphs),
        "assumptions": bool(task.holes) or not task.assumptions.is_empty,
    }
    return next((what for what, is_there in found.items() if is_there), "")
