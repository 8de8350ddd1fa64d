"""What is assumed of a fill for the sake of an argument: squares that stand, and what is ruled out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from xwtui.model import Content, Position


@dataclass(frozen=True, eq=False)
class Assumptions:
    """A part of all fills of a task; unlike what is given, it never makes an entry of a word that is none."""

    standing: Mapping[Position, Content] = field(default_factory=dict)
    """Squares with what they hold."""
    entries: Mapping[str, frozenset[tuple[Content, ...]]] = field(default_factory=dict)
    """For entries by name, what they must not be, square by square."""
    squares: Mapping[Position, frozenset[Content]] = field(default_factory=dict)
    """What squares must not hold."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is assumed."""
        return not (self.standing or self.entries or self.squares)


NO_ASSUMPTIONS = Assumptions()
