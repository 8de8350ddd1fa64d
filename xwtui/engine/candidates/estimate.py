"""What is known about a candidate: whether it is possible, what excludes it, how many fills it leaves."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import TypeVar

from xwtui.dataclasses import dataclass
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.model.entering import EnteredAnswer

with lazy_imports():
    import numpy as np
    from numpy.typing import NDArray

    from xwtui.engine.problem.no_fill import UntriedWays


SURE_POWERS = 2.0
"""Up to this width of its interval, in powers of ten, a figure is sure; an unsure one is rounded to this."""


class CandidateStanding(enum.Enum):
    """The state of knowledge about a candidate."""

    MATCHES = "matches"
    """It fits the entry's given squares and rules; nothing else has been checked."""
    SURVIVES = "survives"
    """Propagation does not rule it out."""
    DEAD = "dead"
    """No fill contains it, as proved by propagation or by an exhaustive search."""
    PROVED = "proved"
    """A fill contains it, and is available."""


@dataclass(frozen=True, slots=True)
class CandidateEstimate:
    """What is known about one candidate of an entry."""

    word: str
    score: int | None
    """From 0 to 100; None for an unlisted answer of an entry whose squares are all given."""
    standing: CandidateStanding
    killed_by: str | None = None
    """The entry that a dead candidate leaves without a word; None if no single entry is to blame."""
    log10: float | None = None
    """Approximate number of fills with it, log base 10; None if unknown or dead."""
    is_refined: bool = False
    """Whether `log10` was computed with the word in place, not as its share of all fills."""
    fill: Mapping[Position, Content] | None = None
    """All squares of a fill with it, once proved."""
    spread: float | None = None
    """Width of the 95 % interval of `log10`, in powers of ten; None if there is no interval."""
    answer: str = ""
    """The best answer that is entered as this word, if it is another word."""
    untried: UntriedWays | None = None
    """For a dead candidate, what was not tried."""

    @property
    def shown(self) -> str:
        """The word as displayed: `PLANTS -> PANTS`."""
        return shown_word(self.answer, self.word)

    @property
    def is_sure(self) -> bool:
        """Whether its figure has an interval of at most two powers of ten; a mere share of all fills has none."""
        return self.spread is not None and self.spread <= SURE_POWERS

    @property
    def alive(self) -> bool:
        """Whether it may still be possible."""
        return self.standing is not CandidateStanding.DEAD


def shown_word(answer: str, word: str) -> str:
    """Return a candidate as displayed, with the answer that is entered as it, if that is another word."""
    return str(EnteredAnswer(answer, word)) if answer else word


class CandidateOrder(enum.Enum):
    """Sort orders of candidates; dead ones come last."""

    SCORE = "score"
    """Best score first; among equal scores, most fills first."""
    ROOM = "room"
    """Most fills first, as displayed; among equally displayed unsure figures, best score first."""
    BOTH = "both"
    """By score, minus ten points for each power of ten of fills lost against the roomiest candidate."""


_POINTS_PER_POWER = 10.0

Figures = TypeVar("Figures", float, "NDArray[np.float64]")


def shown_room(room: Figures, is_unsure: Figures) -> Figures:
    """Return the number of fills as displayed: rounded to two powers of ten where `is_unsure` is 1, not 0."""
    nearest = room + SURE_POWERS / 2
    return room + (nearest - nearest % SURE_POWERS - room) * is_unsure


def primary_key(room: Figures, score: Figures, most: float, order: CandidateOrder, is_unsure: Figures) -> Figures:
    """Return the primary sort key for the orders that depend on room; greatest first.

    `most` is the greatest room; `is_unsure` is 1 where room is unsure, else 0. Only displayed values count, so
    that the list looks sorted.
    """
    shown = shown_room(room, is_unsure)
    return shown if order is CandidateOrder.ROOM else score + _POINTS_PER_POWER * (shown - most)


def sort_candidates(candidates: Iterable[CandidateEstimate], order: CandidateOrder) -> list[CandidateEstimate]:
    """Sort candidates; unknown room counts as less than any other."""
    listed = list(candidates)
    known = [one.log10 for one in listed if one.log10 is not None]
    most, least = max(known, default=0.0), min(known, default=0.0)

    def rank(candidate: CandidateEstimate) -> tuple[bool, float, float, str]:
        room = least - SURE_POWERS if candidate.log10 is None else candidate.log10
        score = float(candidate.score or 0)
        if order is CandidateOrder.SCORE:
            return not candidate.alive, -score, -room, candidate.word
        first = primary_key(room, score, most, order, float(not candidate.is_sure))
        return not candidate.alive, -first, -score, candidate.word

    return sorted(listed, key=rank)
