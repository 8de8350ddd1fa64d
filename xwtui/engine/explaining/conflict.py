"""What an explanation comes to: conflicts, and how sure they are."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from xwtui.engine.explaining.choices import Choice
from xwtui.engine.explaining.judge import Finding
from xwtui.engine.explaining.remedies import Remedy
from xwtui.model import Content, Position
from xwtui.text import listed

_MOST_NAMED = 8


class Certainty(enum.Enum):
    """How it is known that choices cannot go together."""

    BY_PROPAGATION = Finding.REFUTED.value
    PROVED = Finding.PROVED.value
    """The complete search ended without a fill."""
    SUSPECTED = Finding.OPEN.value
    """The search met its dead ends there, and has not ended."""


@dataclass(frozen=True)
class Conflict:
    """Choices that cannot stand together, whatever the rest of the grid holds."""

    choices: tuple[Choice, ...]
    certainty: Certainty
    is_smallest: bool
    """Whether a fill was found without each of them: then none can be left out."""
    entries: tuple[str, ...] = ()
    """Few entries that cannot be filled together; empty where it takes rules for the whole grid."""
    reason: str = ""
    """What runs empty where only these choices are kept, in a constructor's words."""

    def describe(self) -> str:
        """The conflict in a sentence."""
        told = listed((choice.describe() for choice in self.choices), "and")
        told = told[0].upper() + told[1:]
        verb = "cannot stand" if len(self.choices) == 1 else "cannot stand together"
        sure = {
            Certainty.BY_PROPAGATION: "by propagation",
            Certainty.PROVED: "proved by search",
            Certainty.SUSPECTED: "suspected",
        }
        return f"{told} {verb} ({sure[self.certainty]})"

    def describe_entries(self) -> str:
        """The entries that cannot be filled together: `at 5D, 17A and 20A`; empty if none are known."""
        rest = len(self.entries) - _MOST_NAMED
        named = [*self.entries[:_MOST_NAMED], *([f"{rest} more"] if rest > 0 else [])]
        return f"at {listed(named, 'and')}" if named else ""


class Answer(enum.Enum):
    """What the question why came to."""

    FILLABLE = "fillable"
    """There is a fill: nothing to explain."""
    IMPOSSIBLE = "impossible"
    """There is none, and here is why."""
    UNKNOWN = "unknown"
    """Neither a fill nor a proof was found in the time."""
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Explanation:
    """Why a grid, or a word at an entry, cannot be filled; grows better as it is worked out."""

    answer: Answer
    conflicts: tuple[Conflict, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    """Each was verified by a fill; those that settle all conflicts come first."""
    seconds: float = 0.0
    fill: Mapping[Position, Content] = field(default_factory=dict)
    """A fill, where there is one."""
    is_complete: bool = False
    """Whether nothing more is being looked for."""
