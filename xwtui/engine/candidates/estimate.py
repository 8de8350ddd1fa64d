"""What is known of a candidate: whether it stands, what kills it, how many fills it leaves, a fill through it."""

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

    from xwtui.engine.problem.no_fill import Untried


SURE_POWERS = 2.0
"""An interval of so many powers of ten at most makes a figure sure; an unsure one is told no closer than this."""


class CandidateStanding(enum.Enum):
    """How far a candidate has come."""

    MATCHES = "matches"
    """It fits the entry's given squares and its rule; nothing else has been looked at."""
    SURVIVES = "survives"
    """Propagation does not rule it out."""
    DEAD = "dead"
    """No fill has it; proved by propagation, or by a search that came to its end."""
    PROVED = "proved"
    """A fill has it, and is at hand."""


@dataclass(frozen=True, slots=True)
class CandidateEstimate:
    """One candidate of an entry, as far as is known."""

    word: str
    score: int | None
    """0 to 100; None for the answer of an entry that is given whole and that no list has."""
    standing: CandidateStanding
    killed_by: str | None = None
    """The entry that a dead candidate leaves without a word; None where no single one is to blame."""
    log10: float | None = None
    """About how many fills have it, as a logarithm to base 10; None while unknown and where it is dead."""
    is_refined: bool = False
    """Whether `log10` was reckoned with the word in place, and not as its share of all fills."""
    fill: Mapping[Position, Content] | None = None
    """Every square of a fill that has it, where one is proved."""
    spread: float | None = None
    """The powers of ten that the 95 % interval of `log10` spans; None where it has none."""
    answer: str = ""
    """The best answer that enters it, where that is another word."""
    untried: Untried | None = None
    """Of a dead one, what was not tried."""

    @property
    def told(self) -> str:
        """The word as it is shown: `PLANTS -> PANTS`."""
        return told_word(self.answer, self.word)

    @property
    def is_sure(self) -> bool:
        """Whether its figure has an interval of two powers of ten at most; a mere share of all fills has none."""
        return self.spread is not None and self.spread <= SURE_POWERS

    @property
    def alive(self) -> bool:
        """Whether it may still stand."""
        return self.standing is not CandidateStanding.DEAD


def told_word(answer: str, word: str) -> str:
    """A candidate as it is shown, with the answer that enters it, where that is another one."""
    return str(EnteredAnswer(answer, word)) if answer else word


class CandidateOrder(enum.Enum):
    """How candidates are sorted; dead ones come last."""

    SCORE = "score"
    """Best score first, of equal ones the one that leaves most fills."""
    ROOM = "room"
    """The one that leaves most fills first, as far as is told: of unsure figures told alike, the best score."""
    BOTH = "both"
    """By score, ten points taken off for each power of ten of fills lost against the roomiest."""


_POINTS_A_POWER = 10.0

Figures = TypeVar("Figures", float, "NDArray[np.float64]")


def told_room(room: Figures, is_unsure: Figures) -> Figures:
    """How many fills are left as that is told: to the nearest two powers of ten where `is_unsure` is 1, not 0."""
    nearest = room + SURE_POWERS / 2
    return room + (nearest - nearest % SURE_POWERS - room) * is_unsure


def first_rank(room: Figures, score: Figures, most: float, order: CandidateOrder, is_unsure: Figures) -> Figures:
    """What candidates are sorted by before all else where room counts, greatest first.

    `most` is the most room; `is_unsure` is 1 where room is not sure, and 0 where it is. Nothing counts but what is
    told, so that the list reads sorted.
    """
    told = told_room(room, is_unsure)
    return told if order is CandidateOrder.ROOM else score + _POINTS_A_POWER * (told - most)


def sort_candidates(candidates: Iterable[CandidateEstimate], order: CandidateOrder) -> list[CandidateEstimate]:
    """Sort candidates; those of unknown room count as leaving less than any other of these."""
    listed = list(candidates)
    known = [one.log10 for one in listed if one.log10 is not None]
    most, least = max(known, default=0.0), min(known, default=0.0)

    def rank(candidate: CandidateEstimate) -> tuple[bool, float, float, str]:
        room = least - SURE_POWERS if candidate.log10 is None else candidate.log10
        score = float(candidate.score or 0)
        if order is CandidateOrder.SCORE:
            return not candidate.alive, -score, -room, candidate.word
        first = first_rank(room, score, most, order, float(not candidate.is_sure))
        return not candidate.alive, -first, -score, candidate.word

    return sorted(listed, key=rank)
