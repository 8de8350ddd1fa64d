"""What all race on: one grid with its words and rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from xwtui.model import Position, Puzzle
from xwtui.words.vocabulary import Vocabulary

if TYPE_CHECKING:
    from xwtui.engine.problem.task import Task


@dataclass(frozen=True, eq=False)
class Course:
    """The same for every run; it can be sent to another process."""

    puzzle: Puzzle
    vocabulary: Vocabulary
    task: Task
    """What the puzzle asks with these words."""

    @cached_property
    def squares(self) -> frozenset[Position]:
        """The squares that entries have, which is what a fill must fill."""
        return frozenset(at for slot in self.task.grid.slots for at in slot.positions)
