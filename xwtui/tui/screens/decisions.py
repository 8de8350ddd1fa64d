"""One question about several things at once: each has its answer, and all are given together."""

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from xwtui.text import printable
from xwtui.tui.fragments import Fragment
from xwtui.tui.screens.overlays import ShortAnswer
from xwtui.tui.themes import Palette
from xwtui.tui.widgets.painted import Line, give_paint
from xwtui.tui.widgets.row_list import RowList

_MOST_IN_VIEW = 10
_LONGEST_ABOUT = 200
_NAME_WIDTH = 26
_ALL, _MIXED = "all", "each as below"


class Case(NamedTuple):
    """One of the things that are asked about: its name, a line about it, its answers; the first one stands."""

    name: str
    about: str
    answers: Sequence[ShortAnswer]


class _Row(NamedTuple):
    name: str
    answer: str


class DecisionList(RowList[_Row]):
    """One row a case, with its answer between arrows; the first row is for all."""

    def fragments(self, row: _Row, width: int, *, is_current: bool) -> Sequence[Fragment]:
        before, after = ("‹ ", " ›") if is_current else ("  ", "")
        return [
            (" ▸ " if is_current else "   ", self.paint.accent),
            (printable(row.name, _NAME_WIDTH).ljust(_NAME_WIDTH + 1), self.paint.text),
            (f"{before}{row.answer}{after}", self.paint.accent if is_current else self.paint.muted),
        ]


class DecisionScreen(ModalScreen[tuple[str, ...] | None]):
    """Asks about several cases; ends with the name of each one's answer, or None where Esc left all open.

    Arrows go to a case and change its answer, Enter gives all answers, and no letter does: what was typed ahead
    must not decide. The first answer of each case is one that loses nothing.
    """

    DEFAULT_CSS = """
    DecisionScreen { align: center middle; }
    DecisionScreen > Vertical {
        width: 72; max-width: 96%; height: auto; padding: 1 2;
        background: $surface; border: round $primary 60%;
    }
    DecisionScreen #question { margin-bottom: 1; }
    DecisionScreen #about { height: 2; margin: 1 0; color: $foreground 60%; }
    DecisionScreen #keys { color: $foreground 60%; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "not now"),
        Binding("left", "turn(-1)", show=False),
        Binding("right", "turn(1)", show=False),
    ]

    def __init__(
        self, question: str, cases: Sequence[Case], doing: Callable[[Sequence[str]], str], palette: Palette
    ) -> None:
        """`doing` says in words what Enter does with the answers that are shown."""
        super().__init__()
        self._question = question
        self._cases = cases
        self._doing = doing
        self._palette = palette
        self._chosen = [0] * len(cases)
        """For each case the index of its answer."""

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Content(self._question), id="question")
            yield DecisionList(id="cases")
            yield Static(id="about", markup=False)
            yield Line(id="doing")
            yield Static(Content("↑ ↓ which   ← → what   Enter   Esc: not now"), id="keys")

    def on_mount(self) -> None:
        give_paint(self, self._palette)
        self._list.styles.height = min(len(self._cases) + 1, _MOST_IN_VIEW)
        self._list.focus()
        self._show()

    @property
    def _list(self) -> DecisionList:
        return self.query_one(DecisionList)

    @property
    def _answers(self) -> list[ShortAnswer]:
        return [case.answers[index] for case, index in zip(self._cases, self._chosen, strict=True)]

    def _show(self) -> None:
        answers = self._answers
        common = {answer.name for answer in answers}
        shown = min((answer.text for answer in answers), key=len) if len(common) == 1 else _MIXED
        rows = [_Row(case.name, answer.text) for case, answer in zip(self._cases, answers, strict=True)]
        self._list.show([_Row(_ALL, shown), *rows])
        doing = self._doing([answer.name for answer in answers])
        self.query_one("#doing", Line).left = [("Enter ", self._palette.accent), (doing, self._palette.text)]
        self._tell()

    def _tell(self) -> None:
        here = self._list.current
        about = f"one answer for all {len(self._cases)}" if not here else self._cases[here - 1].about
        self.query_one("#about", Static).update(printable(about, _LONGEST_ABOUT))

    @on(RowList.Pointed, "#cases")
    def _pointed(self) -> None:
        self._tell()

    @on(RowList.Chosen, "#cases")
    def _done(self) -> None:
        self.dismiss(tuple(answer.name for answer in self._answers))

    def action_turn(self, by: int) -> None:
        here = self._list.current
        if here:
            self._chosen[here - 1] = (self._chosen[here - 1] + by) % len(self._cases[here - 1].answers)
        else:
            names = [answer.name for answer in self._cases[0].answers]
            is_mixed = len({answer.name for answer in self._answers}) > 1
            index = 0 if is_mixed else (self._chosen[0] + by) % len(names)
            self._chosen = [
                next((n for n, answer in enumerate(case.answers) if answer.name == names[index]), chosen)
                for case, chosen in zip(self._cases, self._chosen, strict=True)
            ]
        self._show()

    def action_leave(self) -> None:
        self.dismiss(None)
