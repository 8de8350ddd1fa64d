"""Questions about the grid: the screen with answer and proposals, the heat map, and their controller."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from time import monotonic
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from xwtui.dataclasses import replace
from xwtui.model import Content, Position, Puzzle, Slot
from xwtui.session import messages
from xwtui.session.jobs.question import Findings, HeatQuestion, Proposal, Question, WhyQuestion
from xwtui.session.messages import FindingsReady, QuestionAsked, QuestionFailed, Severity
from xwtui.session.session import Session
from xwtui.session.verbs.questions import NOTHING_FOUND
from xwtui.session.verbs.registry import run_line
from xwtui.text import counted, printable
from xwtui.tui.editing.context import EditorContext
from xwtui.tui.picture import Picture, ghost_picture
from xwtui.tui.square_style import unfilled_heat
from xwtui.tui.widgets.grid_view import GridView
from xwtui.tui.widgets.painted import Fragment, Heading, InPalette, spinner
from xwtui.tui.widgets.row_list import RowList
from xwtui.tui.widgets.typing_lists import ListAndDetail, NarrowedRows

FILLED_SIGN, DEAD_SIGN, OPEN_SIGN = "●", "×", "○"
_NUMBER_WIDTH = 4
_LONGEST_TEXT = 200


class ProposalList(NarrowedRows[Proposal]):
    """One row per proposal; typing narrows the list to proposals with the typed text."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._all: Sequence[Proposal] = ()
        self._numbers: dict[Hashable, int] = {}
        self._longest = 0

    def offer(self, proposals: Sequence[Proposal]) -> None:
        """Show better proposals; the list stays on the current one, unless that is the first row."""
        pointed = self.pointed.key if self.pointed is not None and self.current > 0 else None
        self._all = proposals
        self._longest = max((len(one.text) for one in proposals), default=0)
        self._numbers = {proposal.key: number for number, proposal in enumerate(proposals, 1)}
        self.narrow(pointed)

    def narrow(self, here: Hashable = None) -> None:
        rows = [one for one in self._all if self.typed in one.text.upper()]
        self.show(rows, next((index for index, one in enumerate(rows) if one.key == here), 0))
        self.reveal()
        self.post_message(self.Narrowed())

    def takes(self, character: str) -> bool:
        return character.isalnum() or character == " "

    def fragments(self, row: Proposal, width: int, *, is_current: bool) -> Sequence[Fragment]:
        paint = self.paint
        sign, style = (OPEN_SIGN, paint.muted)
        if row.is_dead:
            sign, style = DEAD_SIGN, paint.bad
        elif row.fill:
            sign, style = FILLED_SIGN, paint.good
        figure = f" {row.figure} " if row.figure else ""
        room = max(width - _NUMBER_WIDTH - 2, 1)
        brief = row.brief or row.text
        if len(brief) > room - len(figure):  # the current row's figure is shown below anyway
            figure, brief = "", brief if len(brief) <= room else brief.replace(" → ", "→")
        room -= len(figure)
        is_whole = max(self._longest, len(row.text)) <= room  # either all rows are in full, or none
        text = printable(row.text if is_whole else brief, _LONGEST_TEXT)
        text = text if len(text) <= room else text[: room - 1] + "…"
        number = f"{self._numbers.get(row.key, 0):{_NUMBER_WIDTH - 1}} "
        return [
            (number, paint.accent if is_current else paint.muted),
            (f"{sign} ", style),
            (text.ljust(room), paint.muted if row.is_dead else paint.text),
            (figure, paint.muted),
        ]

    def empty_text(self) -> str:
        return f"none has {self.typed}" if self.typed and self._all else self.remark


_SIDE_BY_SIDE = 80
"""Width next to the grid above which answer and proposals are side by side."""
_NARROW = 56
"""Width below which the grid is not shown."""
_TICK = 0.1
_LONGEST_LINE = 600
_LONGER = 4
"""Factor on the time limit for looking longer."""


class FindingsScreen(InPalette, ModalScreen[Proposal | None]):
    """Shows the answer to a question as it comes in; returns the proposal to make, or None.

    Leaving stops the job. What was found stays in the session, for the verbs `findings` and `follow`.
    """

    DEFAULT_CSS = """
    FindingsScreen #findings-side { width: 1fr; height: 100%; margin-left: 1; }
    FindingsScreen #findings-report { height: auto; max-height: 60%; scrollbar-size: 1 1; }
    FindingsScreen #findings-report Static { padding: 0 1; }
    FindingsScreen #findings-proposals { height: 1fr; }
    FindingsScreen ProposalList { height: 1fr; }
    FindingsScreen.-wide #findings-side { layout: horizontal; }
    FindingsScreen.-wide #findings-report { width: 1fr; height: 100%; max-height: 100%; }
    FindingsScreen.-wide #findings-proposals { width: 1fr; height: 100%; }
    FindingsScreen.-narrow GridView { display: none; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "leave"),
        Binding("f6,ctrl+c", "stop", "stop"),
        Binding("plus", "search_longer", "look longer", show=False),
        Binding("tab", "scroll_report(1)", "scroll the answer", show=False),
        Binding("shift+tab", "scroll_report(-1)", "scroll the answer back", show=False),
    ]

    def __init__(self, session: Session, question: Question) -> None:
        super().__init__()
        self.question = question
        self._session = session
        self._puzzle: Puzzle = session.puzzle
        self._findings = Findings(question.title)
        self._is_working = True
        self._failure = ""
        self._begin = monotonic()
        self._tick = 0
        self._shown = Text()
        self._report, self._list = Static(markup=False), ProposalList(id="proposals")
        self._answer = VerticalScroll(self._report, id="findings-report")
        self._proposals = Heading("PROPOSALS")
        side = Vertical(
            self._answer, Vertical(self._proposals, self._list, id="findings-proposals"), id="findings-side"
        )
        self._screen = ListAndDetail(printable(question.title, 60).upper(), GridView(), side)
        self._ghost: tuple[Proposal | None, tuple[str, ...]] | None = None
        self._unconfirmed: tuple[Hashable, Mapping[Position, Content]] | None = None
        """A proposal that would replace much of the pencil, which is made if Enter is pressed again."""

    def compose(self) -> ComposeResult:
        yield self._screen

    def on_mount(self) -> None:
        self._answer.can_focus = False
        self._clock = self.set_interval(_TICK, self._spin)
        self._list.focus()
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """Give the grid what the panel can spare; if wide enough, put answer and proposals side by side."""
        self.set_class(self.size.width < _NARROW, "-narrow")
        self.set_class(self.size.width - self._screen.fit().width > _SIDE_BY_SIDE, "-wide")
        self._show_ghost()

    # Updates

    def receive(self, report: messages.Message) -> None:
        """Show the answer as it comes in, and that proposals cannot be made once the puzzle has changed."""
        match report:
            case FindingsReady(findings=findings, is_last=is_last) if report.revision == self._session.revision:
                if not isinstance(self._session.jobs.question.question, HeatQuestion):
                    self.show_findings(findings, is_last=is_last)
            case QuestionFailed(message=text):
                self._fail(text)
            case messages.PuzzleChanged() if self._session.puzzle != self._puzzle:
                self._fail("the grid has changed since you asked: press Esc and ask again")

    def show_findings(self, findings: Findings, *, is_last: bool) -> None:
        self._findings = findings
        if is_last:
            self._is_working = False
        if self.is_mounted:
            self._show()

    def _fail(self, message: str) -> None:
        self._failure = message
        self._is_working = False
        self._show()

    # Drawing

    def _show(self) -> None:
        findings = self._findings
        report = self._report_text()
        if report != self._shown:  # a new text causes a full layout
            self._shown = report
            self._report.update(report)
        is_settled = findings.is_possible is True and not findings.lines and isinstance(self.question, WhyQuestion)
        remark = "no change is needed" if is_settled else "nothing to propose"
        if isinstance(self.question, WhyQuestion) and not (findings.is_complete or self._failure):
            remark = "not finished: `why --time 60` looks longer"
        self._list.remark = "" if self._is_working else remark
        self._list.offer(findings.proposals)
        self._show_keys()
        self._show_progress()
        self._show_pointed()

    def _report_text(self) -> Text:
        paint, findings = self._palette, self._findings
        text = Text()
        if self._failure:
            text.append(f"{printable(self._failure, _LONGEST_LINE)}\n", paint.bad)
        if findings.answer:
            text.append(f"{printable(findings.answer, _LONGEST_LINE)}\n", paint.heading)
        for line in findings.lines:
            text.append(f"{printable(line, _LONGEST_LINE)}\n", paint.text)
        return text

    def _show_progress(self) -> None:
        heading = self._screen.heading
        heading.heading = printable(self._findings.title, 60).upper()
        heading.remark = self._progress()
        found = len(self._findings.proposals)
        remark = f"{found}  {FILLED_SIGN} fill  {DEAD_SIGN} none" if found else ""
        if self._list.typed:
            remark = f"{len(self._list.rows)} of {found} with {self._list.typed}"
        self._proposals.remark = remark

    def _progress(self) -> str:
        findings = self._findings
        if self._is_working:
            doing = findings.progress or self._waiting()
            return f"{spinner(self._tick)} {monotonic() - self._begin:.1f} s  {doing}"
        if self._failure or findings.is_complete:
            return f"{findings.seconds:.1f} s" if findings.seconds else ""
        return findings.unfinished

    def _waiting(self) -> str:
        """Return what the job is waiting for before its first message."""
        if self._session.jobs.words.lexicon is None:
            return "loading the word list"
        step = self._session.jobs.engine.view.step
        return "looking" if step is None else printable(str(step), 50)

    def _show_keys(self) -> None:
        is_fill = self._list.pointed is not None and self._list.pointed.found is not None
        does = "write this fill" if is_fill and isinstance(self.question, WhyQuestion) else "do it"
        keys = [("Enter", does)] if self._list.rows else []
        keys = [("Enter", "take it")] if self._unconfirmed is not None else keys
        keys.append(("Esc", "leave the grid unchanged"))
        keys += [("F6", "stop")] if self._is_working else []
        keys += [("+", "look longer")] if self._can_search_longer else []
        hints = [("↑ ↓", "move"), ("letters", "filter")] if self._findings.proposals else []
        self._screen.show_keys(*keys, *hints)

    def _show_pointed(self) -> None:
        """Show the current proposal: in full below, and as a preview in the grid."""
        pointed, paint = self._list.pointed, self._palette
        if self._unconfirmed is not None:
            if pointed is not None and self._unconfirmed == (pointed.key, pointed.fill):
                return
            self._unconfirmed = self._ghost = None
            self._show_keys()
        is_drawn = (pointed, self._findings.entries) == self._ghost and self._screen.grid.picture is not None
        if is_drawn and pointed is not None:
            return
        self._ghost = pointed, self._findings.entries
        picture = self._show_ghost()
        if pointed is None:
            none = f"no proposal has {self._list.typed}: Backspace takes a letter back"
            self._screen.show_detail((none if self._findings.proposals else "", paint.warning))
        else:
            remark = f"  {printable(pointed.remark, _LONGEST_LINE)}" if pointed.remark else ""
            is_more = any(picture.grid[at].content != content for at, content in pointed.fill.items())
            if is_more and isinstance(self.question, WhyQuestion):
                remark += "; Enter makes this change alone; the other changes are only shown"
            self._screen.show_detail((printable(pointed.text, _LONGEST_LINE), paint.accent), (remark, paint.text))

    def _show_ghost(self) -> Picture:
        picture = ghost_picture(self._puzzle, self._list.pointed, self._findings.entries)
        self._screen.draw(picture, picture.changed or picture.faults)
        return picture

    def _spin(self) -> None:
        if self._is_working:
            self._tick += 1
            self._show_progress()

    # Keys

    @on(RowList.Pointed, "#proposals")
    def _pointed(self) -> None:
        self._show_pointed()

    @on(ProposalList.Narrowed)
    def _narrowed(self) -> None:
        self._show_keys()
        self._show_progress()
        self._show_pointed()

    @on(RowList.Chosen, "#proposals")
    def _chosen(self) -> None:
        """Take the current proposal; if it replaces much of the pencil, ask for confirmation first."""
        pointed = self._list.pointed
        if pointed is None or self._failure:
            return
        if self._unconfirmed != (pointed.key, pointed.fill) and self._session.needs_confirmation(pointed):
            self._unconfirmed = pointed.key, pointed.fill
            size = counted(pointed.replaces(self._puzzle.grid), "square")
            question = f"{pointed.text} would replace {size} of pencil: press Enter again to take it"
            paint = self._palette
            self._screen.show_detail((question, paint.warning), (f"  {pointed.remark}", paint.text))
            self._show_keys()
        else:
            self._session.jobs.question.stop()
            self.dismiss(pointed)

    async def action_dismiss(self, result: Proposal | None = None) -> None:
        self._session.jobs.question.stop()
        self.dismiss(None)

    def action_stop(self) -> None:
        if self._is_working:
            self._session.jobs.question.stop()
            self._is_working = False
            self._show()

    @property
    def _can_search_longer(self) -> bool:
        return not (self._is_working or self._failure or self._findings.is_complete)

    def action_search_longer(self) -> None:
        """Ask the question again with more time; what was found stays until there is more."""
        if self._can_search_longer:
            self.question = replace(self.question, seconds=_LONGER * self.question.seconds)
            self._is_working, self._begin = True, monotonic()
            self._session.jobs.question.start(self.question)
            self._show()

    def action_scroll_report(self, pages: int) -> None:
        """Scroll the answer, if it is longer than its pane."""
        self._answer.scroll_relative(y=pages * max(self._answer.size.height - 1, 1), animate=False)


_NO_HEAT: Mapping[Position, float] = {}


class Questions:
    """Asks questions about the grid; `show_heat` redraws whenever the heat map changes."""

    def __init__(self, context: EditorContext, show_heat: Callable[[], None]) -> None:
        self._context = context
        self._session = context.session
        self.show_heat = show_heat
        self._heat = _NO_HEAT
        self._heat_slots: tuple[Slot, ...] = ()
        """The slots for which the heat map was made."""
        self.is_heated = False
        """Whether the heat map is shown, or being computed."""
        self.is_heat_stale = False
        """Whether the heat map shown is from before the grid's last change."""

    @property
    def heat(self) -> Mapping[Position, float]:
        """The heat map for squares still in the grid; empty if it is off."""
        return unfilled_heat(self._heat, self._session.puzzle.grid) if self.is_heated else _NO_HEAT

    # Asking

    def toggle_heat(self) -> None:
        if not self.is_heated:
            self._context.attempt(lambda: run_line(self._session, "heat"))
            return
        self._clear_heat()
        self._context.show_message("the heat map is off")
        self.show_heat()

    def ask_why(self) -> None:
        """Ask why the grid cannot be filled or, in the list of candidates, why the current word cannot go here."""
        slot, word = self._session.cursor.entry, self._context.desk.candidates.chosen_word
        line = "why"
        if self._context.desk.candidates.has_focus and slot is not None and word is not None:
            line = f"why {slot.name} {word}"
        self._context.attempt(lambda: run_line(self._session, line))

    def show_findings(self) -> None:
        """Show the answer to the last question again."""
        last = self._session.jobs.question.result
        if last is None:
            self._context.show_message(NOTHING_FOUND, Severity.WARNING)
            return
        question, findings = last
        if isinstance(question, HeatQuestion):
            self._set_heat(findings.heat)
        else:
            self._open(question).show_findings(findings, is_last=not self._session.jobs.question.is_busy)

    # Messages from the session

    def receive(self, report: messages.Message) -> bool:
        """Show messages about a question; returns False for others."""
        match report:
            case QuestionAsked(question=HeatQuestion()):
                self.is_heated = self.is_heat_stale = True
                self.show_heat()
            case QuestionAsked(question=question):
                if all(screen.question != question for screen in self._answers):
                    self._open(question)
            case FindingsReady(findings=findings) if report.revision == self._session.revision:
                if isinstance(self._session.jobs.question.question, HeatQuestion):
                    self._set_heat(findings.heat)
            case QuestionFailed(message=text) if not self._answers:
                self._clear_heat()
                self.show_heat()
                self._context.show_message(text, Severity.ERROR)
            case FindingsReady() | QuestionFailed():
                pass  # about an older puzzle, or for the screen with the answer
            case _:
                return False
        return True

    @property
    def _answers(self) -> list[FindingsScreen]:
        """The screens with an answer that are open: one, or none."""
        screens = self._context.screen.app.screen_stack
        return [screen for screen in screens if isinstance(screen, FindingsScreen)]

    def follow_change(self) -> None:
        """Note a change of the puzzle: the heat map is measured again."""
        if not self.is_heated:
            return
        if self._session.puzzle.grid.slots != self._heat_slots:
            self._heat = _NO_HEAT
        self._session.jobs.question.start(HeatQuestion())

    def renew_heat(self) -> None:
        """Measure the heat again if another job displaced the measurement."""
        if self.is_heated and self.is_heat_stale and not self._session.jobs.question.is_busy:
            self._session.jobs.question.start(HeatQuestion())

    def _set_heat(self, heat: Mapping[Position, float]) -> None:
        self._heat, self._heat_slots = heat, self._session.puzzle.grid.slots
        self.is_heated, self.is_heat_stale = True, False
        self.show_heat()

    def _clear_heat(self) -> None:
        self._heat = _NO_HEAT
        self.is_heated = self.is_heat_stale = False

    def _open(self, question: Question) -> FindingsScreen:
        screen = FindingsScreen(self._session, question)
        self._context.host.push_screen(screen, self._findings_left)
        return screen

    def _findings_left(self, chosen: Proposal | None) -> None:
        if chosen is None:
            self.show_heat()
            self.renew_heat()
            return
        question = self._session.jobs.question
        if self._context.attempt(lambda: self._session.follow(question.proposal_of(chosen.key))):
            done = ": ".join(filter(None, (chosen.text, chosen.remark)))
            self._context.show_message(f"done: {done}; {self._context.keys.cap_of('undo')} undoes it")
