"""The design room: a theme, and grids designed around it as they are found, each a picture with its fill."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.reactive import reactive

from xwtui.errors import XwtuiError
from xwtui.grids.designs import Design
from xwtui.session import messages
from xwtui.session.layout_answers import DesignsAnswer
from xwtui.session.session import Session
from xwtui.session.theme_list import ThemeList, ThemeRow
from xwtui.session.verbs.layouts import last_answer
from xwtui.session.verbs.registry import run_line
from xwtui.session.wording import counted
from xwtui.text import printable
from xwtui.tui.picture import NOWHERE, Picture
from xwtui.tui.themes import Palette
from xwtui.tui.widgets.painted import Fragment, Heading, KeyLine, Line, give_paint
from xwtui.tui.widgets.row_list import RowList
from xwtui.tui.widgets.small_grids import GridPanes, Pane
from xwtui.tui.widgets.typing_room import TypedRows, TypingRoom
from xwtui.words.normalise import folds_words, noting_folds


class TypedList(TypedRows[ThemeRow | Design]):
    """A list of the room: what is typed is the room's."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.enter", "add or open", show=False),
        Binding("tab,shift+tab", "screen.turn", "the other list", show=False),
        Binding("delete", "screen.drop", "drop the answer", show=False),
    ]


class ThemeRows(TypedList):
    """One row an answer: its squares, its place, and which it pairs with."""

    remark: reactive[str] = reactive("no answers yet")

    def fragments(self, row: ThemeRow | Design, width: int, *, is_current: bool) -> Sequence[Fragment]:
        if not isinstance(row, ThemeRow):
            return ()
        paint = self.paint
        squares = "file" if row.squares is None else str(row.squares)
        marks = [row.place, "last" if row.is_last else "", "" if row.partner is None else f"↔{row.partner}"]
        told = " ".join(filter(None, marks))
        number = 1 + next(index for index, one in enumerate(self.rows) if one is row)
        room = max(width - len(told) - 9, 1)
        return [
            (f"{number:2} ", paint.muted),
            (f"{printable(row.answer, room):<{room}}", paint.accent if is_current else paint.text),
            (f" {squares:>4} ", paint.muted),
            (told, paint.good),
        ]


class DesignRows(TypedList):
    """One row a design: its number, mean and lowest score, entries and blocks."""

    remark: reactive[str] = reactive("none yet")
    """What stands where there are none: also what they wait for."""

    def fragments(self, row: ThemeRow | Design, width: int, *, is_current: bool) -> Sequence[Fragment]:
        if not isinstance(row, Design):
            return ()
        paint, figures = self.paint, row.figures
        number = 1 + next(index for index, one in enumerate(self.rows) if one is row)
        return [
            (f"{number:3}", paint.accent if is_current else paint.muted),
            (f"{row.mean_score:7.1f}{row.lowest_score:5}", paint.text),
            (f"{figures.words:5}{figures.blocks:5}", paint.muted),
        ]


_MOST_PANES = 12
_LIST_WIDTH = 30
_LINES_AROUND = 4
"""Lines that are not the pictures': heading, what is typed, what is said, keys."""
_MOST_ANSWERS = 8
"""Rows of the theme that are seen at once."""
_HINT = "type a theme answer, Enter adds it   17A= its place   ! last   21x21   <76   --rebus CAT"
_HERE = "▸"
_KEYS = (("Enter", "add, open"), ("Tab", "theme, designs"), ("Del", "drop"), ("F5", "others"), ("F6", "stop"))


class DesignChoice(NamedTuple):
    """A design to begin a puzzle on, and where it was found."""

    design: Design
    answer: DesignsAnswer


class DesignScreen(TypingRoom[DesignChoice | None]):
    """Designs grids around the theme that is typed; ends with the design to begin on, or None.

    What was found stays with the session.
    """

    DEFAULT_CSS = """
    DesignScreen { background: $background; }
    DesignScreen > Vertical { width: 100%; height: 100%; }
    DesignScreen Horizontal { height: 1fr; }
    DesignScreen #design-lists { width: 30; height: 100%; }
    DesignScreen ThemeRows { height: 1; }
    DesignScreen DesignRows { height: 1fr; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "back"),
        Binding("f5", "again", "look for others"),
        Binding("f6,ctrl+c", "stop", "stop"),
    ]

    def __init__(
        self,
        session: Session,
        palette: Palette,
        theme: ThemeList,
        keep: Callable[[ThemeList], None],
        *,
        is_begun: bool = False,
    ) -> None:
        """`keep` takes the theme whenever it is another; it `is_begun` where designs are looked for already."""
        super().__init__(palette)
        self.theme = theme
        self._keep = keep
        self._session = session
        self._is_looking = is_begun
        self._seed = 0
        self._answer = None if is_begun else last_answer(session, DesignsAnswer)

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Heading("DESIGN ROOM", id="design-heading")
            yield Line(id="design-typed")
            with Horizontal():
                with Vertical(id="design-lists"):
                    yield ThemeRows(id="design-theme")
                    yield Heading(" #   mean  low    w    b", id="design-columns")
                    yield DesignRows(id="design-rows")
                yield GridPanes(_MOST_PANES, is_large=True)
            yield Line(id="design-said")
            yield KeyLine(id="design-keys")

    def on_mount(self) -> None:
        give_paint(self, self._palette)
        self.query_one("#design-keys", KeyLine).keys = (*_KEYS, ("Esc", "back"))
        self._theme_rows.focus()
        self._show_typed()
        self._show_theme()
        self._show_designs()

    def on_descendant_focus(self) -> None:
        self._show_typed()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_panes)

    @property
    def _theme_rows(self) -> ThemeRows:
        return self.query_one(ThemeRows)

    @property
    def _design_rows(self) -> DesignRows:
        return self.query_one(DesignRows)

    @property
    def _designs(self) -> tuple[Design, ...]:
        return self._answer.progress.designs if self._answer is not None else ()

    # What the session tells

    def hear(self, report: messages.Message) -> None:
        """Show designs as they come in, and what is loaded before the first."""
        match report:
            case messages.AnswerReady(answer=DesignsAnswer() as answer, is_last=is_last):
                self._answer = answer
                self._is_looking = not is_last
                self._show_designs()
            case messages.EngineState() if self._is_looking:
                self._show_progress()
            case messages.JobFailed(message=text) | messages.LexiconFailed(message=text):
                self._is_looking = False
                self._say(text)
                self._show_progress()

    # Showing

    def _show_typed(self) -> None:
        paint, line = self._palette, self.query_one("#design-typed", Line)
        is_here = not self._design_rows.has_focus or bool(self._typed.strip())
        self.query_one("#design-columns", Heading).sign = " " if is_here else _HERE
        sign = (_HERE if is_here else " ", paint.accent)
        line.left = self.typed_so_far(sign, _HINT)

    def _show_theme(self) -> None:
        rows = self.theme.rows
        listed = self._theme_rows
        listed.styles.height = min(max(len(rows), 1), _MOST_ANSWERS)
        listed.show(rows)
        self._show_progress()

    def _show_progress(self) -> None:
        heading = self.query_one("#design-heading", Heading)
        options = f"{' '.join(self.theme.options)}   " if self.theme.options else ""
        engine, waits = self._session.jobs.engine.view, ""
        if self._answer is not None:
            progress = self._answer.progress
            state = "looking" if self._is_looking else "done"
            told = (
                f"{state}: {counted(progress.found, 'design')} found, {counted(progress.tried, 'layout')} tried, "
                f"{progress.seconds:.0f} s"
            )
        elif self._is_looking:
            is_loading = engine.step is not None or engine.phase is not messages.EnginePhase.READY
            told = engine.text if engine.step is None else engine.step.brief
            if is_loading and engine.phase is not messages.EnginePhase.FAILED:
                waits = "compiled" if engine.is_compiling else "loaded"
            told = told if is_loading else "looking: no design yet"
        else:
            told = "what is typed is designed around at once"
        heading.remark = f"{options}{told}"
        self._design_rows.remark = f"once the engine is {waits}" if waits else "none yet"

    def _show_designs(self) -> None:
        """Show the designs; the one that is pointed at stays so where it is not the first."""
        rows, designs = self._design_rows, self._designs
        pointed = rows.rows[rows.current] if 0 < rows.current < len(rows.rows) else None
        squares = pointed.grid if isinstance(pointed, Design) else None
        places = (place for place, one in enumerate(designs) if one.grid == squares)
        rows.show(designs, next(places, min(max(rows.current, 0), max(len(designs) - 1, 0)) if pointed else 0))
        if self._answer is not None and not designs and not self._is_looking:
            self._say(self._answer.lines[0])
        self._show_progress()
        self._show_panes()

    def _show_panes(self) -> None:
        room = self.size - Size(_LIST_WIDTH, _LINES_AROUND)
        self.query_one(GridPanes).show(len(self._designs), self._design_rows.current, self._pane, room)

    def _pane(self, index: int) -> Pane:
        """A design with its theme answers, and its fill as ghosts."""
        design, figures = self._designs[index], self._designs[index].figures
        scores = f"{design.mean_score:.1f} low {design.lowest_score}"
        picture = Picture(design.grid, NOWHERE, live=design.fill)
        return Pane(picture, f"{index + 1}  {scores}  {figures.words}w {figures.blocks}b")

    def _say(self, text: str) -> None:
        self.query_one("#design-said", Line).left = [(f" {printable(text, 200)}", self._palette.warning)]

    # What is typed

    between = ", "

    def take_typed(self) -> None:
        self._say("")
        self._show_typed()

    def action_enter(self) -> None:
        """Take in what is typed; else open the design that is pointed at, or go to those that there are."""
        if self._typed.strip():
            alphabet = self._session.puzzle.alphabet
            try:
                with noting_folds() as folds:
                    theme = self.theme.typed(self._typed.strip(), self._theme_rows.current, alphabet)
            except XwtuiError as error:
                self._say(str(error))
            else:
                self.type("")
                self._change(theme)
                if folds:
                    self._say(folds_words(folds, alphabet))
        elif self._design_rows.has_focus:
            self._open()
        elif self._designs:
            self.action_turn()
            self._say("Enter opens the design that is pointed at; F5 looks for others")
        elif self._is_looking:
            self._say("designs are being looked for; F5 begins anew, F6 stops")
        else:
            self.action_again()

    @on(RowList.Chosen)
    def _chosen(self) -> None:
        if self._design_rows.has_focus:
            self._open()

    def _open(self) -> None:
        current = self._design_rows.current
        if self._answer is not None and current < len(self._designs):
            self.dismiss(DesignChoice(self._designs[current], self._answer))

    # The theme

    def action_drop(self) -> None:
        current = self._theme_rows.current
        if self._theme_rows.has_focus and 0 <= current < len(self.theme.answers):
            self._change(self.theme.without(current))

    def action_turn(self) -> None:
        (self._theme_rows if self._design_rows.has_focus else self._design_rows).focus()

    def action_again(self) -> None:
        """Look for other designs around the same theme; those found stay until better ones push them out."""
        self._seed += bool(self._designs)
        self._look()

    def action_stop(self) -> None:
        self._session.jobs.answer.stop()

    def _change(self, theme: ThemeList) -> None:
        self.theme, self._seed = theme, 0
        self._keep(theme)
        self._answer, self._is_looking = None, False
        if theme.answers:
            self._look()
        else:
            self._session.jobs.answer.stop()
        self._show_theme()
        self._show_designs()

    def _look(self) -> None:
        """Look for designs around the theme, beside those found around it so far."""
        seed = f" --seed {self._seed}" if self._seed and "--seed" not in self.theme.options else ""
        try:
            run_line(self._session, f"{self.theme.line}{seed}{' --more' if self._designs else ''}")
        except XwtuiError as error:
            self._say(str(error))
        else:
            self._say("")
            self._is_looking = True
            self._show_progress()

    @on(RowList.Pointed, "#design-rows")
    def _pointed(self) -> None:
        self._show_panes()
