"""What the list of candidates does: it is sorted, a word is placed, a fill through it is written."""

from dataclasses import replace

from xwtui.engine.candidates.estimate import CandidateOrder
from xwtui.model import Slot
from xwtui.model.edits import place_answer, write_fill
from xwtui.session.messages import CandidatesReady, EstimatesChanged, Severity
from xwtui.tui.editing.context import EditorContext

_ON_THEIR_WAY = "still finding this entry's candidates"


class CandidatesPanel:
    """Asks for candidates, shows them and takes them."""

    def __init__(self, context: EditorContext) -> None:
        self._context = context
        self._session = context.session
        self._insight = context.insight
        self._asked_for = ""
        """The entry whose candidates were asked for last."""
        self._is_awaited = False
        self._has_held = False
        """Whether keys have waited for those in the list already."""
        self._is_wanted = False
        """Whether the keyboard goes into the list once they are there."""
        self._proof_wanted = ""
        """The word that is to be written with the fill that proves it, as soon as that is found."""
        self._listed_order = CandidateOrder.SCORE
        """What those are sorted by that are shown."""

    @property
    def order(self) -> CandidateOrder:
        """What candidates are sorted by, as it was chosen last."""
        return CandidateOrder(self._session.settings.candidate_order)

    def ask(self) -> None:
        """Ask for the candidates of the current entry, if others are shown or on their way."""
        slot = self._session.cursor.entry
        if slot is None or self._session.jobs.words.lexicon is None:
            self._insight.forget_candidates()
            self._is_awaited = False
            self._context.desk.show_candidates(self._session, self._insight, self.order)
        elif slot.name != self._insight.candidates_for or (self._is_awaited and slot.name != self._asked_for):
            if slot.name != self._asked_for or not self._context.desk.candidates.has_focus:
                self._context.desk.candidates.forget_place()
            self._asked_for, self._is_wanted = slot.name, False
            self._is_awaited, self._has_held = True, False
            self._session.jobs.candidates.start(slot.name, self.order)

    def show(self, report: CandidatesReady | EstimatesChanged) -> None:
        """Show what is told of candidates, if they are those of the current entry."""
        slot = self._session.cursor.entry
        if slot is None or slot.name != report.entry:
            return
        if isinstance(report, EstimatesChanged):
            self._context.desk.renew_candidates(self._session, self._insight)
            if self._proof_wanted:
                self._take_proof()
        else:
            is_new_order = report.order is not self._listed_order
            self._listed_order = report.order
            self._context.desk.show_candidates(
                self._session, self._insight, report.order, is_new_order=is_new_order
            )
            self._is_awaited = False
            if self._is_wanted and self._context.desk.grid.has_focus and self._context.screen.is_active:
                self.enter()
            self._is_wanted = False
            self._context.host.release_keys()

    def enter(self) -> None:
        """Put the keyboard into the list of candidates; while these are on their way, the next keys wait."""
        if self._session.cursor.entry is None:
            self._context.say("the cursor is not in an entry", Severity.WARNING)
        elif self._is_awaited and self._context.desk.candidates.is_on_screen:
            self._is_wanted = True
            self._context.say(f"{self._asked_for}: {_ON_THEIR_WAY}")
            self._context.host.hold_keys(lambda: self._session.jobs.candidates.is_busy)
        elif not self._context.desk.candidates.rows:
            self._context.say(
                f"{self._session.cursor.entry.name}: {self._context.desk.candidates.empty_text()}",
                Severity.WARNING,
            )
        elif not self._context.desk.candidates.is_on_screen:
            self._context.say(
                "this terminal is too narrow to show candidates; `:candidates` lists them", Severity.WARNING
            )
        else:
            self._context.say("")
            self._context.focus(self._context.desk.candidates)

    def hold_keys(self) -> None:
        """Let the next keys wait where the keyboard is in the list, and other words are on their way into it."""
        if not self._is_awaited or self._has_held or not self._context.screen.is_active:
            return
        if self._context.desk.candidates.has_focus:
            self._has_held = True
            self._context.host.hold_keys(lambda: self._session.jobs.candidates.is_busy)

    def _slot_to_take(self) -> Slot | None:
        """The current entry, if the candidates that are listed are its own."""
        slot = self._session.cursor.entry
        if (
            slot is None
            or self._context.desk.candidates.pointed is None
            or slot.name != self._insight.candidates_for
        ):
            self._context.say(_ON_THEIR_WAY, Severity.WARNING)
            return None
        return slot

    def place(self) -> None:
        slot, word = self._slot_to_take(), self._context.desk.candidates.chosen_word
        if slot is None or word is None:
            return
        self._context.attempt(
            lambda: self._session.edit(
                f"{slot.name} = {word}", lambda puzzle: place_answer(puzzle, slot, word), along=slot
            )
        )
        self._context.focus_grid()

    def write_fill(self) -> None:
        """Write the fill that proves a word, as one edit."""
        slot, row = self._slot_to_take(), self._context.desk.candidates.pointed
        if slot is None or row is None:
            return
        self._proof_wanted, fill = "", row.fill
        if fill is None:
            why = "no fill has it" if not row.alive else "no fill with it is known yet"
            self._context.say(f"{slot.name} = {row.word}: {why}", Severity.WARNING)
            if row.alive:
                self._proof_wanted = row.word
                self._context.host.hold_keys(self._still_wants_proof)
            return
        label = f"fill through {slot.name} = {row.word}"
        if self._context.attempt(lambda: self._session.edit(label, lambda puzzle: write_fill(puzzle, fill))):
            self._context.say(f"{label}, in pencil; {self._context.keys.cap_of('undo')} undoes it")
        self._context.focus_grid()

    def _still_wants_proof(self) -> bool:
        """No: what is not found within the moment for which keys wait is not waited for any more."""
        self._proof_wanted = ""
        return False

    def _take_proof(self) -> None:
        """Write the fill that was waited for, where it is there by now and the keyboard still on its word."""
        row = self._context.desk.candidates.pointed
        if row is None or row.word != self._proof_wanted or not self._context.desk.candidates.has_focus:
            self._proof_wanted = ""
        elif row.fill is None and row.alive:
            return
        else:
            self.write_fill()
        self._context.host.release_keys()

    def sort(self) -> None:
        """Sort by what comes next: score, room, both."""
        orders = list(CandidateOrder)
        wanted = orders[(orders.index(self.order) + 1) % len(orders)]
        settings = replace(self._session.settings, candidate_order=wanted.value)
        slot = self._session.cursor.entry
        if slot is not None and self._context.attempt(
            lambda: self._session.jobs.candidates.start(slot.name, wanted)
        ):
            self._asked_for, self._is_awaited, self._has_held = slot.name, True, False
        self._context.attempt(lambda: self._context.host.keep(settings))

    def look(self, words: tuple[str, ...]) -> None:
        self._session.jobs.candidates.look(words)
