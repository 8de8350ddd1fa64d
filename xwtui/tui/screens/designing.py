"""The design room: a theme, and grids designed around it as they are found, each a picture with its fill."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid as Panes
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen

from xwtui.errors import XwtuiError
from xwtui.grids.designs import Design
from xwtui.session import messages
from xwtui.session.layout_answers import DesignsAnswer
from xwtui.session.session import Session
from xwtui.session.theme_list import ThemeList
from xwtui.session.verbs.layouts import last_answer
from xwtui.session.verbs.registry import run_line
from xwtui.session.wording import counted
from xwtui.text import printable, typed
from xwtui.tui.drawings import Drawing, drawings_for
from xwtui.tui.themes import Palette
from xwtui.tui.typeahead import leaves_for
from xwtui.tui.widgets.design_rows import DesignPane, DesignRows, ThemeRows
from xwtui.tui.widgets.painted import Heading, KeyLine, Line, give_paint
from xwtui.tui.widgets.row_list import RowList
from xwtui.words.normalise import folds_words, noting_folds

_MOST_PANES = 12
_LIST_WIDTH = 30
_GAP = 2
_LINES_AROUND = 4
"""Lines that are not the pictures': heading, what is typed, what is said, keys."""
_MOST_ANSWERS = 8
"""Rows of the theme that are seen at once."""
_LONGEST_TYPED = 300
_HINT = "type a theme answer, Enter adds it   17A= its place   ! last   21x21   <76   --rebus CAT"
_HERE = "▸"
"""Stands before what has the keyboard."""
_KEYS = (("Enter", "add, open"), ("Tab", "theme, designs"), ("Del", "drop"), ("F5", "others"), ("F6", "stop"))


class DesignChoice(NamedTuple):
    """A design to begin a puzzle on, and where it was found."""

    design: Design
    answer: DesignsAnswer


class DesignScreen(ModalScreen[DesignChoice | None]):
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
    DesignScreen Grid {
        width: 1fr; height: 100%; grid-rows: auto; grid-columns: auto; overflow: hidden hidden;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "back"),
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
        super().__init__()
        self.theme = theme
        self._keep = keep
        self._session = session
        self._palette = palette
        self._is_looking = is_begun
        self._typed = ""
        self._seed = 0
        self._answer = None if is_begun else last_answer(session, DesignsAnswer)

    def compose(self) -> ComposeResult:
        """What is typed, the theme, the designs, their pictures, what is said, the keys."""
        with Vertical():
            yield Heading("DESIGN ROOM", id="design-heading")
            yield Line(id="design-typed")
            with Horizontal():
                with Vertical(id="design-lists"):
                    yield ThemeRows(id="design-theme")
                    yield Heading(" #   mean  low    w    b", id="design-columns")
                    yield DesignRows(id="design-rows")
                with Panes(id="panes"):
                    for _ in range(_MOST_PANES):
                        yield DesignPane()
            yield Line(id="design-said")
            yield KeyLine(id="design-keys")

    def on_mount(self) -> None:
        """Show the theme, and what was found."""
        give_paint(self, self._palette)
        self.query_one("#design-keys", KeyLine).keys = (*_KEYS, ("Esc", "back"))
        self._theme_rows.focus()
        self._show_typed()
        self._show_theme()
        self._show_designs()

    def on_descendant_focus(self) -> None:
        """Show where the keyboard is."""
        self._show_typed()

    def on_resize(self) -> None:
        """Show as many pictures as there is room for."""
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
        so_far = [sign, (printable(self._typed, _LONGEST_TYPED), paint.text), ("▏", paint.accent)]
        line.left = so_far if self._typed else [*so_far, (_HINT, paint.muted)]

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
        """The current design and those after it, or before it at the end of the list."""
        panes, designs = list(self.query(DesignPane)), self._designs
        drawing, columns, rows = self._arranged(designs, len(panes))
        self.query_one("#panes", Panes).styles.grid_size_columns = columns
        room = min(columns * rows, len(panes), len(designs))
        current = self._design_rows.current
        start = max(min(current, len(designs) - room), 0)
        for place, pane in enumerate(panes):
            pane.display = place < room
            if place < room:
                number = start + place
                pane.show(number + 1, designs[number], drawing, is_current=number == current)

    def _arranged(self, designs: Sequence[Design], panes: int) -> tuple[Drawing, int, int]:
        """The roomiest drawing with which as many designs are seen as can be; how many in a row, and rows."""
        drawings = drawings_for(self.size)
        if not designs:
            return drawings[-1], 1, 1
        width, height = self.size.width - _LIST_WIDTH, self.size.height - _LINES_AROUND
        arranged = [
            (drawing, width // (size.width + _GAP), height // (size.height + 1))
            for drawing in drawings
            for size in (drawing.size(designs[0].grid),)
        ]
        most = min(max(columns * rows for _, columns, rows in arranged), panes, len(designs))
        return next((one for one in arranged if one[1] * one[2] >= max(most, 1)), (arranged[-1][0], 1, 1))

    def _say(self, text: str) -> None:
        self.query_one("#design-said", Line).left = [(f" {printable(text, 200)}", self._palette.warning)]

    # What is typed

    def on_key(self, event: events.Key) -> None:
        """Take a character in, or leave the room where a verb is asked for."""
        if not leaves_for(self, event) and event.character is not None and event.character.isprintable():
            event.stop()
            self._type(self._typed + event.character)

    def on_paste(self, event: events.Paste) -> None:
        """Take pasted text in as if it were typed, its lines with commas between them."""
        event.stop()
        self._type(self._typed + ", ".join(filter(None, map(typed, event.text.splitlines()))))

    def action_narrow(self) -> None:
        """Take the last character back."""
        self._type(self._typed[:-1])

    def action_forget(self) -> None:
        """Type anew."""
        self._type("")

    def _type(self, text: str) -> None:
        self._typed = text[:_LONGEST_TYPED]
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
                self._type("")
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
        """Drop the answer that is pointed at."""
        current = self._theme_rows.current
        if self._theme_rows.has_focus and 0 <= current < len(self.theme.answers):
            self._change(self.theme.without(current))

    def action_turn(self) -> None:
        """Give the keyboard to the other list."""
        (self._theme_rows if self._design_rows.has_focus else self._design_rows).focus()

    def action_again(self) -> None:
        """Look for other designs around the same theme; those found stay until better ones push them out."""
        self._seed += bool(self._designs)
        self._look()

    def action_stop(self) -> None:
        """Look no further; what was found stays."""
        self._session.jobs.inquiry.stop()

    def _change(self, theme: ThemeList) -> None:
        self.theme, self._seed = theme, 0
        self._keep(theme)
        self._answer, self._is_looking = None, False
        if theme.answers:
            self._look()
        else:
            self._session.jobs.inquiry.stop()
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

    def action_leave(self) -> None:
        """Leave what was found, and the theme, for the next time."""
        self.dismiss(None)
