"""What the screen knows beside the puzzle: the newest figures, with those for an older puzzle told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xwtui.dataclasses import replace
from xwtui.engine.candidates.estimate import CandidateEstimate, CandidateOrder
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Position
from xwtui.session.messages import (
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
    from xwtui.engine.candidates.options import LetterTable, SlotOptions
    from xwtui.engine.candidates.rows import CandidateRows, RoomOrder
    from xwtui.engine.count.estimate import Estimate
    from xwtui.engine.problem.no_fill import Untried
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
"""What is told of one revision of the puzzle."""


class Insight:
    """The newest of each kind of figure; what comes late, for a puzzle that has changed since, is dropped."""

    def __init__(self) -> None:
        self.engine: EngineState | None = None
        """How far the engine has come; None until it tells."""
        self.words: int | None = None
        """How many words may be used; None while the lists load."""
        self.options: Mapping[str, SlotOptions] = {}
        """The counts of each entry by name; those of the last puzzle stand until new ones come."""
        self.estimate: Estimate | None = None
        """How many fills remain, as far as is known."""
        self.look_ahead: LookAhead | None = None
        """Copeland's estimate, where the last count had it beside its own."""
        self.reason = ""
        """Why no fill exists, where that is proved."""
        self.untried: Untried | None = None
        """What that proof is not about."""
        self.culprits: tuple[str, ...] = ()
        self.candidates: CandidateRows | None = None
        """The words that fit the entry `candidates_for`; None where none are known."""
        self.candidates_for = ""
        self.letters: LetterTable | None = None
        """What squares can still hold; that of the last puzzle stands until a new one comes."""
        self.live: LiveFillReady | None = None
        """A fill that agrees with what stands; what agrees of the last puzzle's stands until a new one comes."""
        self.hints: LayoutHintsReady | None = None
        """Ways to complete the layout; those of the last puzzle stand until new ones come."""
        self._letters_revision = self._settled_revision = -1
        self.order = CandidateOrder.SCORE
        """What they are sorted by."""
        self._by_room: RoomOrder | None = None
        """Where each candidate stands, where they are sorted by what may change; None until that is needed."""
        self._estimate_revision = -1
        self._grid: Grid | None = None

    def take(self, report: Message, revision: int) -> bool:
        """Take a report in, given the revision of the puzzle; returns whether it was news and not late."""
        if isinstance(report, _FIGURES) and report.revision < revision:
            return False
        match report:
            case EngineState():
                self.engine = report
            case LexiconReady(words=words):
                self.words = words
            case OptionsReady(options=options, reason=reason, culprits=culprits):
                self._settled_revision = report.revision if report.propagated else -1
                self.options, self.reason, self.culprits = options, reason, culprits
                self.untried = report.untried
                if reason:
                    self._estimate_revision = report.revision
            case EstimateReady() | CountEnded():
                self._take_estimate(report)
            case LettersReady(letters=letters):
                self.letters, self._letters_revision = letters, report.revision
            case LiveFillReady():
                self.live = report
            case LayoutHintsReady():
                self.hints = report
            case _:
                return self._take_candidates(report)
        return True

    def _take_estimate(self, report: EstimateReady | CountEnded) -> None:
        """Take how many fills there are; what stood beside an earlier figure stays while the puzzle does."""
        if isinstance(report, CountEnded):
            self.look_ahead = report.look_ahead
        elif report.revision > self._estimate_revision:
            self.look_ahead = None
        self.estimate, self._estimate_revision = report.estimate, report.revision

    def _take_candidates(self, report: Message) -> bool:
        """Take the candidates of an entry, or what more is known of those that there are."""
        match report:
            case CandidatesReady(entry=entry, candidates=candidates, order=order):
                self.candidates, self.candidates_for, self.order = CandidateRows.of(candidates), entry, order
                self._by_room = None
            case EstimatesChanged(entry=entry, estimates=estimates) if entry == self.candidates_for:
                self._renew(estimates)
            case _:
                return False
        return True

    def _renew(self, estimates: Sequence[CandidateEstimate]) -> None:
        """Put what is known now in the place of what was known; dead words go last, and by room all move."""
        if self.candidates is None:
            return
        if self.order is CandidateOrder.SCORE:
            self.candidates = self.candidates.renewed(estimates).in_order(self.order)
            return
        if self._by_room is None:
            self._by_room = RoomOrder(self.candidates, self.order)
        self.candidates = self._by_room.renewed(estimates)

    def forget_candidates(self) -> None:
        self.candidates, self.candidates_for = None, ""

    def puzzle_changed(self, grid: Grid, revision: int) -> None:
        """The puzzle is another one: where its slots are others too, counts by name mean nothing any more.

        Of the last live fill, entries go that have other letters now.
        """
        if self._grid is None or grid.slots != self._grid.slots:
            self.options, self.estimate, self.reason, self.culprits = {}, None, "", ()
            self.look_ahead = None
            self.letters = self.live = None
        elif self.live is not None and self.live.revision < revision:
            self.live = replace(self.live, squares=_uncontradicted(self.live.squares, self._grid, grid))
        self._grid = grid
        self.candidates_for = ""

    def faulty_squares(self, session: Session) -> frozenset[Position]:
        """The squares of the entries that stop every fill or have become no words."""
        by_name = session.puzzle.grid.entries_by_name
        dead = (by_name.get(name) for name in self.culprits)
        found = [*(slot for slot in dead if slot is not None), *(one.slot for one in session.nonsense_entries)]
        return frozenset(at for slot in found for at in slot.positions)

    def are_options_unsettled(self, revision: int) -> bool:
        """Whether the counts of entries are of an older puzzle, or of the patterns alone."""
        return self._settled_revision < revision

    def are_letters_stale(self, revision: int) -> bool:
        """Whether the letters are about the puzzle as it was before its last change."""
        return self._letters_revision < revision

    def is_stale(self, revision: int) -> bool:
        """Whether the estimate is about the puzzle as it was before its last change."""
        return self._estimate_revision < revision

    def most_fills(self, revision: int) -> float | None:
        """How many fills there are at most as far as is told, as a power of ten; None where that is not known."""
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
    """The ghosts of a grid as it was before, but for those in entries that have a letter now that they had not."""
    others = {
        at
        for slot in now.slots
        for at in slot.positions
        if now[at].content not in (None, before[at].content or ghosts.get(at))
    }
    gone = {at for slot in now.slots if not others.isdisjoint(slot.positions) for at in slot.positions}
    return {at: content for at, content in ghosts.items() if at not in gone}
