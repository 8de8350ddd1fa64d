"""What a search goes by at a moment: what it would decide next and why, and where it failed so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from xwtui.model import Position

MOST = 5
"""How many of the best are told."""


class Rank(NamedTuple):
    """How an entry or a square stands in the choice of the next one."""

    name: str
    figures: str
    """What the choice goes by, in words, such as `12 words`."""


class LikelyWord(NamedTuple):
    """A word that may be tried next."""

    word: str
    score: int
    room: float
    """Power of ten of the crossing words that it leaves, multiplied."""


@dataclass(frozen=True)
class Thoughts:
    """The best first of both."""

    ranking: tuple[Rank, ...] = ()
    words: tuple[LikelyWord, ...] = ()
    """Of the first of the ranking."""
    blame: Mapping[Position, float] = field(default_factory=dict)
    """How much each square was to blame for dead ends, as a share of the most blamed one."""
    tried: str = ""
    """The entry or square that was decided last; its other words are told."""
    chosen: str = ""
    """What it was decided to be."""
    others: tuple[LikelyWord, ...] = ()
    """What may be tried there instead, the next one first; the figures are 0 where the search has none."""
    is_of_last: bool = False
    """Whether the ranking is that of the last decision, rather than of the next one."""
