"""The certificate of a search that there is no fill: a tree that a program can check which knows no engine.

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
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from xwtui.engine.fill.recorded import rows_of
from xwtui.engine.kernels import trace
from xwtui.engine.kernels.state import (
    EVENT_COUNT,
    EVENT_ROW,
    EVENT_SLOT,
    EVENT_SQUARE,
    KIND,
    MASK_HIGH,
    MASK_LOW,
    State,
)
from xwtui.engine.problem.task import NO_RULES, Task
from xwtui.errors import EngineError
from xwtui.model import Position

if TYPE_CHECKING:
    from xwtui.engine.problem.problem import Problem

VERSION = 1

RING = 1 << 18
"""Events that are kept between two looks at a search that is certified, and"""
NODES_A_LOOK = 250
"""nodes between them: a node makes some 30 events, and has room for a thousand."""

_LEAF = b"-\n"
_KINDS = (trace.DECIDE, trace.BACKTRACK, trace.JUMP, trace.RESTART, trace.IMPOSSIBLE)


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
        rows = rows[np.isin(rows[:, KIND], _KINDS)]
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
