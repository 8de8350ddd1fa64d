"""What the editor does about questions: it asks them, shows what they bring, and draws the heat map."""

from collections.abc import Callable, Mapping

from xwtui.model import Position, Slot
from xwtui.session.jobs.question import HeatQuestion, Proposal, Question
from xwtui.session.messages import FindingsReady, Message, QuestionAsked, QuestionFailed, Severity
from xwtui.session.verbs.insight import NOTHING_FOUND
from xwtui.session.verbs.registry import run_line
from xwtui.tui.editing.context import EditorContext
from xwtui.tui.faces import heat_shown
from xwtui.tui.screens.findings import FindingsScreen

_NO_HEAT: Mapping[Position, float] = {}


class Questions:
    """Asks about the grid; `show_heat` draws the grid and the legend whenever the heat map is another."""

    def __init__(self, context: EditorContext, show_heat: Callable[[], None]) -> None:
        self._context = context
        self._session = context.session
        self._show_heat = show_heat
        self._findings_screen: FindingsScreen | None = None
        self._heat = _NO_HEAT
        self._heated: tuple[Slot, ...] = ()
        """The slots that the heat map is about."""
        self.is_heated = False
        """Whether the heat map is shown, or is on its way."""
        self.is_heat_stale = False
        """Whether the heat map that is shown is about the grid before its last change."""

    @property
    def heat(self) -> Mapping[Position, float]:
        """The heat map as far as the grid still has its squares; empty while none is shown."""
        return heat_shown(self._heat, self._session.puzzle.grid) if self.is_heated else _NO_HEAT

    def draw(self) -> None:
        """Draw the grid with its heat map, and write the lines about the search, anew."""
        self._show_heat()

    # Asking

    def toggle_heat(self) -> None:
        if not self.is_heated:
            self._context.attempt(lambda: run_line(self._session, "heat"))
            return
        self._cool()
        self._context.say("the heat map is off")
        self._show_heat()

    def ask_why(self) -> None:
        """Ask why the grid cannot be filled; in the list of candidates, why its word cannot stand here."""
        slot, word = self._session.cursor.entry, self._context.desk.candidates.chosen_word
        line = "why"
        if self._context.desk.candidates.has_focus and slot is not None and word is not None:
            line = f"why {slot.name} {word}"
        self._context.attempt(lambda: run_line(self._session, line))

    def show_findings(self) -> None:
        """Show once more what the last question has brought."""
        told = self._session.jobs.question.view
        if told is None:
            self._context.say(NOTHING_FOUND, Severity.WARNING)
            return
        question, findings = told
        if isinstance(question, HeatQuestion):
            self._warm(findings.heat)
        else:
            self._open(question).take(findings, is_last=not self._session.jobs.question.is_busy)

    # What the session tells

    def hears(self, report: Message) -> bool:
        """Show what is told of a question; returns False where something else is told."""
        match report:
            case QuestionAsked(question=question):
                self._show_question(question)
            case FindingsReady():
                self._show_findings(report)
            case QuestionFailed(message=text):
                self._show_failure(text)
            case _:
                return False
        return True

    def _show_question(self, question: Question) -> None:
        if isinstance(question, HeatQuestion):
            self.is_heated = self.is_heat_stale = True
            self._show_heat()
        else:
            self._open(question)

    def _show_findings(self, report: FindingsReady) -> None:
        """Show what a question has brought so far, if it is about the puzzle as it is."""
        if report.revision != self._session.revision:
            return
        if isinstance(self._session.jobs.question.question, HeatQuestion):
            self._warm(report.findings.heat)
        elif self._findings_screen is not None:
            self._findings_screen.take(report.findings, is_last=report.is_last)

    def _show_failure(self, text: str) -> None:
        if self._findings_screen is not None:
            self._findings_screen.fail(text)
        else:
            self._cool()
            self._show_heat()
            self._context.say(text, Severity.ERROR)

    def follow_change(self) -> None:
        """The puzzle is another: proposals are not for it, and the heat map is measured anew."""
        if self._findings_screen is not None:
            self._findings_screen.expire()
        if not self.is_heated:
            return
        if self._session.puzzle.grid.slots != self._heated:
            self._heat = _NO_HEAT
        self._session.jobs.question.start(HeatQuestion())

    def renew_heat(self) -> None:
        """Measure the heat anew where another job took the place of that."""
        if self.is_heated and self.is_heat_stale and not self._session.jobs.question.is_busy:
            self._session.jobs.question.start(HeatQuestion())

    def _warm(self, heat: Mapping[Position, float]) -> None:
        self._heat, self._heated = heat, self._session.puzzle.grid.slots
        self.is_heated, self.is_heat_stale = True, False
        self._show_heat()

    def _cool(self) -> None:
        self._heat = _NO_HEAT
        self.is_heated = self.is_heat_stale = False

    def _open(self, question: Question) -> FindingsScreen:
        screen = FindingsScreen(self._session, question, self._context.paint)
        self._findings_screen = screen
        self._context.host.push_screen(screen, self._findings_left)
        return screen

    def _findings_left(self, chosen: Proposal | None) -> None:
        self._findings_screen = None
        if chosen is None:
            self.renew_heat()
            return
        question = self._session.jobs.question
        if self._context.attempt(lambda: self._session.follow(question.proposal_of(chosen.key))):
            done = ": ".join(filter(None, (chosen.text, chosen.remark)))
            self._context.say(f"done: {done}; {self._context.keys.cap_of('undo')} takes it back")
