"""Overlays: a question, several questions at once, a reply of several lines."""

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple, TypeVar

from rich.text import Text
from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Static

from xwtui.text import printable, shortened, wrapped
from xwtui.tui.typeahead import pass_on
from xwtui.tui.widgets.painted import Fragment, InPalette, Line
from xwtui.tui.widgets.row_list import RowList

AnswerT = TypeVar("AnswerT")

_LONGEST_QUESTION = 300
_MOST_IN_VIEW = 10


def unless_left(take: Callable[[AnswerT], object]) -> Callable[[AnswerT | None], None]:
    """Return a callback that calls `take` with a screen's answer, or does nothing if there is none."""

    def answered(answer: AnswerT | None) -> None:
        if answer is not None:
            take(answer)

    return answered


class ShortAnswer(NamedTuple):
    """An answer: its text, and its name in the program."""

    text: str
    name: str


class ChoiceList(RowList[ShortAnswer]):
    """One row per answer."""

    def fragments(self, row: ShortAnswer, width: int, *, is_current: bool) -> Sequence[Fragment]:
        return [(" ▸ " if is_current else "   ", self.paint.accent), (row.text, self.paint.text)]


class ChoiceScreen(ModalScreen[str | None]):
    """Asks a question; returns the name of the answer, or None after Esc.

    Arrow keys and Enter answer, but no letter does: typeahead must not decide. The first answer must lose nothing.
    """

    DEFAULT_CSS = """
    ChoiceScreen { align: center middle; }
    ChoiceScreen > Vertical {
        width: 64; max-width: 90%; height: auto; padding: 1 2;
        background: $surface; border: round $primary 60%;
    }
    ChoiceScreen Static { margin-bottom: 1; }
    ChoiceScreen #keys { margin: 1 0 0 0; color: $foreground 80%; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "not now")]

    def __init__(self, question: str, choices: Sequence[ShortAnswer]) -> None:
        super().__init__()
        self._question = question
        self._choices = choices

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Content(printable(self._question, _LONGEST_QUESTION)))
            yield ChoiceList(id="choices")
            yield Static(Content("↑ ↓ Enter   Esc: not now"), id="keys")

    def on_mount(self) -> None:
        rows = self.query_one("#choices", ChoiceList)
        rows.styles.height = min(len(self._choices), _MOST_IN_VIEW)
        rows.show(self._choices)
        rows.focus()

    @on(RowList.Chosen, "#choices")
    def _chosen(self, event: ChoiceList.Chosen) -> None:
        self.dismiss(self._choices[event.index].name)


_LONGEST_LINE = 1_000
_FRAME = 3
"""Columns around the lines: the padding and the scroll bar."""
_KEPT = frozenset(("up", "down", "left", "right", "home", "end", "pageup", "pagedown", "tab", "shift+tab"))
"""Keys that do not close the reply: they scroll, or look as if they did."""


class ReplyScreen(ModalScreen[None]):
    """Shows a verb's reply.

    Keys that scroll are handled here. Any other key closes the reply and is passed on to the screen below, so that
    one can type on while reading, and no key is lost.
    """

    DEFAULT_CSS = """
    ReplyScreen { align: left bottom; background: $background 35%; }
    ReplyScreen > VerticalScroll {
        height: auto; max-height: 75%; width: 100%;
        background: $surface; border-top: solid $primary 60%; padding: 0 1;
        border-title-color: $accent;
        scrollbar-size: 1 1;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter", "dismiss", "close"),
    ]

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        with VerticalScroll() as box:
            box.border_title = Text(f" {printable(self._title, 60)}   Esc closes")
            yield Static(self._text(), markup=False)

    def _text(self) -> Text:
        width = self.app.size.width - _FRAME
        return Text(
            "\n".join(piece for line in self._lines for piece in wrapped(printable(line, _LONGEST_LINE), width))
        )

    def on_resize(self) -> None:
        self.query_one(Static).update(self._text())

    def on_key(self, event: Key) -> None:
        if event.key not in _KEPT and event.key not in ("escape", "enter"):
            event.stop()
            pass_on(self.app, event)
            self.dismiss(None)


_ABOUT_LINES = 2
_AROUND_ANSWER = 8
"""Width of a row apart from its name and its answer."""
_ALL, _MIXED = "all", "each as below"


class Case(NamedTuple):
    """One item of a question: its name, a line about it, and its answers, the first being the default."""

    name: str
    about: str
    answers: Sequence[ShortAnswer]


class _Row(NamedTuple):
    name: str
    answer: str


class DecisionList(RowList[_Row]):
    """One row per case, with its answer between arrows; the first row is for all."""

    longest_answer = 0
    """Length of the longest possible answer, so that the names keep their width."""

    def fragments(self, row: _Row, width: int, *, is_current: bool) -> Sequence[Fragment]:
        before, after = ("‹ ", " ›") if is_current else ("  ", "")
        room = max(width - _AROUND_ANSWER - self.longest_answer, 1)
        name_width = min(room, max(len(one.name) for one in self.rows))
        return [
            (" ▸ " if is_current else "   ", self.paint.accent),
            (printable(row.name, room).ljust(name_width + 1), self.paint.text),
            (f"{before}{row.answer}{after}", self.paint.accent if is_current else self.paint.muted),
        ]


class DecisionScreen(InPalette, ModalScreen[tuple[str, ...] | None]):
    """Asks about several cases; returns the name of each answer, or None after Esc.

    Arrow keys select a case and change its answer, Enter confirms all, and no letter does: typeahead must not
    decide. The first answer of each case must lose nothing.
    """

    DEFAULT_CSS = """
    DecisionScreen { align: center middle; }
    DecisionScreen > Vertical {
        width: 72; max-width: 96%; height: auto; padding: 1 2;
        background: $surface; border: round $primary 60%;
    }
    DecisionScreen #question { margin-bottom: 1; }
    DecisionScreen #about { height: 2; margin: 1 0; color: $foreground 80%; }
    DecisionScreen #keys { color: $foreground 80%; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "not now"),
        Binding("left", "turn(-1)", show=False),
        Binding("right", "turn(1)", show=False),
    ]

    _list = getters.query_one(DecisionList)

    def __init__(self, question: str, cases: Sequence[Case], describe: Callable[[Sequence[str]], str]) -> None:
        """`describe` returns in words what Enter will do with the present answers."""
        super().__init__()
        self._question = question
        self._cases = cases
        self._describe = describe
        self._chosen = [0] * len(cases)
        """The index of each case's answer."""

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Content(self._question), id="question")
            yield DecisionList(id="cases")
            yield Static(id="about", markup=False)
            yield Line(id="effect")
            yield Static(Content("↑ ↓ which   ← → what   Esc: not now"), id="keys")

    def on_mount(self) -> None:
        self._list.styles.height = min(len(self._cases) + 1, _MOST_IN_VIEW)
        texts = [_MIXED, *(answer.text for case in self._cases for answer in case.answers)]
        self._list.longest_answer = max(map(len, texts))
        self._list.focus()
        self._show()

    @property
    def _answers(self) -> list[ShortAnswer]:
        return [case.answers[index] for case, index in zip(self._cases, self._chosen, strict=True)]

    def _show(self) -> None:
        answers = self._answers
        common = {answer.name for answer in answers}
        shown = min((answer.text for answer in answers), key=len) if len(common) == 1 else _MIXED
        rows = [_Row(case.name, answer.text) for case, answer in zip(self._cases, answers, strict=True)]
        self._list.show([_Row(_ALL, shown), *rows])
        effect = self._describe([answer.name for answer in answers])
        self.query_one("#effect", Line).left = [("Enter ", self._palette.accent), (effect, self._palette.text)]
        self._show_details()

    def _show_details(self) -> None:
        """Show what the case is about in two lines, cut in the middle: a path ends with the file's name."""
        here, shown = self._list.current, self.query_one("#about", Static)
        about = "one answer for all of them" if not here else self._cases[here - 1].about
        if width := shown.size.width:
            size = _ABOUT_LINES * width
            while len(pieces := wrapped(shortened(about, size), width)) > _ABOUT_LINES:
                size -= 1
            shown.update("\n".join(pieces))

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_details)

    @on(RowList.Pointed, "#cases")
    def _pointed(self) -> None:
        self._show_details()

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
