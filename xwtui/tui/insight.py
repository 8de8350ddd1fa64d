"""Figures shown along with the puzzle: the latest of each kind, and whether each is stale."""

from __future__ import annotations

from collections.abc import Mapping

from xwtui.dataclasses import replace
from xwtui.engine.candidates.estimate import CandidateOrder
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Position
from xwtui.session.messages import (
    NOTHING_COUNTED,
    CandidatesReady,
    CountEnded,
    EnginePhase,
    EngineState,
    EstimateReady,
    EstimatesChanged,
    LayoutHintsReady,
    LettersReady,
    LexiconReady,
    LiveFillReady,
    LookAhead,
    Message,
    OptionsReady,
)

with lazy_imports():
    from xwtui.engine.candidates.rows import CandidateRows
    from xwtui.engine.count.estimate import Estimate
    from xwtui.session.session import Session

_FIGURES = (
    OptionsReady,
    EstimateReady,
    CountEnded,
    LettersReady,
    CandidatesReady,
    EstimatesChanged,
    LiveFillReady,
    LayoutHintsReady,
)
"""Messages about one revision of the puzzle."""


class Insight:
    """The latest figure of each kind; late ones, for a puzzle that has changed since, are dropped."""

    def __init__(self) -> None:
        self.engine: EngineState | None = None
        """The engine's state; None until its first message."""
        self.words: int | None = None
        """How many words may be used; None while the lists load."""
        self.entries = NOTHING_COUNTED
        """Each entry's number of options, or why no fill exists; old ones stay until new ones arrive."""
        self.estimate: Estimate | None = None
        """The estimate of how many fills remain."""
        self.look_ahead: LookAhead | None = None
        """Copeland's estimate, if the last count included it."""
        self.candidates: CandidateRows | None = None
        """The candidates of the entry `candidates_for`; None if unknown."""
        self.candidates_for = ""
        self.letters: LettersReady | None = None
        """What squares can still hold; the old table stays until a new one arrives."""
        self.live: LiveFillReady | None = None
        """A fill that agrees with the grid; the parts of an old one that still agree stay until a new one arrives.
        """
        self.hints: LayoutHintsReady | None = None
        """Ways to complete the layout; old ones stay until new ones arrive."""
        self.order = CandidateOrder.SCORE
        """The sort order of the candidates."""
        self._estimate_revision = -1
        self._grid: Grid | None = None

    def receive(self, report: Message, revision: int) -> bool:
        """Take a message, given the puzzle's revision; returns whether it was relevant and not late."""
        if isinstance(report, _FIGURES) and report.revision < revision:
            return False
        match report:
            case EngineState():
                self.engine = report
            case LexiconReady(words=words):
                self.words = words
            case OptionsReady():
                self.entries = report
                if report.reason:
                    self._estimate_revision = report.revision
            case EstimateReady() | CountEnded():
                self._take_estimate(report)
            case LettersReady():
                self.letters = report
            case LiveFillReady():
                self.live = report
            case LayoutHintsReady():
                self.hints = report
            case _:
                return self._take_candidates(report)
        return True

    def _take_estimate(self, report: EstimateReady | CountEnded) -> None:
        """Take an estimate; Copeland's estimate stays until the puzzle changes."""
        if isinstance(report, CountEnded):
            self.look_ahead = report.look_ahead
        elif report.revision > self._estimate_revision:
            self.look_ahead = None
        self.estimate, self._estimate_revision = report.estimate, report.revision

    def _take_candidates(self, report: Message) -> bool:
        """Take the candidates of an entry, or new estimates for the present ones."""
        match report:
            case CandidatesReady(entry=entry, candidates=candidates, order=order):
                self.candidates, self.candidates_for, self.order = CandidateRows.of(candidates), entry, order
            case EstimatesChanged(entry=entry, estimates=estimates) if entry == self.candidates_for:
                if self.candidates is not None:
                    self.candidates = self.candidates.updated(estimates).in_order(self.order)
            case _:
                return False
        return True

    def forget_candidates(self) -> None:
        self.candidates, self.candidates_for = None, ""

    def puzzle_changed(self, grid: Grid, revision: int) -> None:
        """Note a change of the puzzle: if its slots have changed, counts by name are no longer valid.

        Of the last live fill, entries that now have other letters are dropped.
        """
        if self._grid is None or grid.slots != self._grid.slots:
            self.entries, self.estimate, self.look_ahead = NOTHING_COUNTED, None, None
            self.letters = self.live = None
        elif self.live is not None and self.live.revision < revision:
            self.live = replace(self.live, squares=_uncontradicted(self.live.squares, self._grid, grid))
        self._grid = grid
        self.candidates_for = ""

    def faulty_squares(self, session: Session) -> frozenset[Position]:
        """Return the squares of entries that rule out every fill, or that are no longer words."""
        by_name = session.puzzle.grid.entries_by_name
        dead = (by_name.get(name) for name in self.entries.culprits)
        found = [*(slot for slot in dead if slot is not None), *(one.slot for one in session.unlisted_crossings)]
        return frozenset(at for slot in found for at in slot.positions)

    def are_options_unsettled(self, revision: int) -> bool:
        """Whether the entries' counts are from an older puzzle, or only pattern matches."""
        return not self.entries.propagated or self.entries.revision < revision

    def is_stale(self, revision: int) -> bool:
        """Whether the estimate is from before the puzzle's last change."""
        return self._estimate_revision < revision

    def most_fills(self, revision: int) -> float | None:
        """Return the upper estimate of the number of fills as a base-10 logarithm, or None if unknown."""
        estimate = None if self.is_stale(revision) else self.estimate
        return None if estimate is None else estimate.log10 if estimate.high is None else estimate.high

    @property
    def is_loading(self) -> bool:
        """Whether the engine or the word list is not ready yet."""
        settled = (EnginePhase.READY, EnginePhase.FAILED)
        if self.words is None or self.engine is None or self.engine.phase not in settled:
            return True
        return self.engine.is_compiling


def _uncontradicted(ghosts: Mapping[Position, Content], before: Grid, now: Grid) -> Mapping[Position, Content]:
    """Return the earlier grid's ghosts, except those in entries that now have a new, different letter."""
    others = {
        at
        for slot in now.slots
        for at in slot.positions
        if now[at].content not in (None, before[at].content or ghosts.get(at))
    }
    gone = {at for slot in now.slots if not others.isdisjoint(slot.positions) for at in slot.positions}
    return {at: content for at, content in ghosts.items() if at not in gone}
