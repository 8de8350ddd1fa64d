"""What the list of candidates does: it is sorted, a word is placed, a fill through it is written."""

from dataclasses import replace

from textual import on

from xwtui.engine.candidates.estimate import CandidateOrder
from xwtui.model import Slot
from xwtui.model.edits import place_answer, write_fill
from xwtui.session.messages import CandidatesReady, EstimatesChanged, Severity
from xwtui.tui.screens.editor_parts import EditorParts
from xwtui.tui.widgets.candidate_list import CandidateList

_ON_THEIR_WAY = "the candidates of this entry are on their way"


class Choosing(EditorParts):
    """The part of the editor that asks for candidates, shows them and takes them."""

    _listed_order = CandidateOrder.SCORE
    """What those are sorted by that are shown."""

    @property
    def candidate_order(self) -> CandidateOrder:
        """What candidates are sorted by, as it was chosen last."""
        return CandidateOrder(self.session.settings.candidate_order)

    def ask_candidates(self) -> None:
        """Ask for the candidates of the current entry, if others are shown."""
        slot = self.session.cursor.slot
        if slot is None or self.session.jobs.words.lexicon is None:
            self.insight.forget_candidates()
            self.desk.show_candidates(self.session, self.insight, self.candidate_order, keep_place=False)
        elif slot.name != self.insight.candidates_for:
            self.session.jobs.candidates.start(slot.name, self.candidate_order)

    def show_candidates(self, report: CandidatesReady | EstimatesChanged) -> None:
        """Show what is told of candidates, if they are those of the current entry."""
        slot = self.session.cursor.slot
        if slot is None or slot.name != report.entry:
            return
        if isinstance(report, EstimatesChanged):
            self.desk.renew_candidates(self.session, self.insight, self._listed_order)
        else:
            is_same = report.order is self._listed_order
            self._listed_order = report.order
            self.desk.show_candidates(self.session, self.insight, report.order, keep_place=is_same)

    def action_candidates(self) -> None:
        """Put the keyboard into the list of candidates."""
        if self.session.cursor.slot is None:
            self.say("the cursor stands in no entry", Severity.WARNING)
        elif not self.desk.candidates.rows:
            self.say(f"{self.session.cursor.slot.name}: {self.desk.candidates.empty_text()}", Severity.WARNING)
        elif not self.desk.candidates.is_on_screen:
            self.say("this terminal is too narrow for the candidates; `:candidates` lists them", Severity.WARNING)
        else:
            self.set_focus(self.desk.candidates)

    def _slot_to_take(self) -> Slot | None:
        """The current entry, if the candidates that are listed are its own."""
        slot = self.session.cursor.slot
        if slot is None or self.desk.candidates.chosen is None or slot.name != self.insight.candidates_for:
            self.say(_ON_THEIR_WAY, Severity.WARNING)
            return None
        return slot

    @on(CandidateList.Chosen, "#candidates")
    def _candidate_chosen(self) -> None:
        slot, word = self._slot_to_take(), self.desk.candidates.chosen_word
        if slot is None or word is None:
            return
        self.attempt(
            lambda: self.session.edit(f"{slot.name} = {word}", lambda puzzle: place_answer(puzzle, slot, word))
        )
        self.set_focus(self.desk.grid)

    @on(CandidateList.FillWanted)
    def _fill_wanted(self) -> None:
        """Write the fill that proves a word, as one edit."""
        slot, row = self._slot_to_take(), self.desk.candidates.chosen
        if slot is None or row is None:
            return
        fill = row.fill
        if fill is None:
            why = "no fill has it" if not row.alive else "no fill through it is known yet"
            self.say(f"{slot.name} = {row.word}: {why}", Severity.WARNING)
            return
        label = f"fill through {slot.name} = {row.word}"
        if self.attempt(lambda: self.session.edit(label, lambda puzzle: write_fill(puzzle, fill))):
            self.say(f"{label}, in pencil; Ctrl+Z takes it back")
        self.set_focus(self.desk.grid)

    @on(CandidateList.SortWanted)
    def _sort_wanted(self) -> None:
        """Sort by what comes next: score, room, both."""
        orders = list(CandidateOrder)
        wanted = orders[(orders.index(self.candidate_order) + 1) % len(orders)]
        settings = replace(self.session.settings, candidate_order=wanted.value)
        slot = self.session.cursor.slot
        if slot is not None:
            self.attempt(lambda: self.session.jobs.candidates.start(slot.name, wanted))
        self.attempt(lambda: self.host.keep(settings))

    @on(CandidateList.InView)
    def _in_view(self, event: CandidateList.InView) -> None:
        self.session.jobs.candidates.look(event.words)

    @on(CandidateList.Left)
    def _candidates_left(self) -> None:
        self.set_focus(self.desk.grid)
