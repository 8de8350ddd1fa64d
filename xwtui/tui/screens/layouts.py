"""The screen for laying out a grid: one query and its results, each with a picture and proof state.

A size, bounds and parts of names find templates while typing. Theme answers are placed in templates with room for
them; once Enter adds them, designs around them are searched for. Without theme answers, layouts are drawn.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple, cast

from rich.cells import cell_len
from textual import getters, on
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.reactive import reactive

from xwtui.engine.what_if.ranking import Fillability
from xwtui.errors import XwtuiError
from xwtui.grids.designs import Design
from xwtui.grids.library import layout_library
from xwtui.grids.templates import FoundTemplate, Template, TemplateWanted, find_templates, themed_puzzle
from xwtui.model import Grid, Puzzle
from xwtui.model.answers import square_count
from xwtui.session import messages
from xwtui.session.session import Session
from xwtui.session.theme_list import LayoutQuery, ThemeList, ThemeRow
from xwtui.session.verbs.designs import DesignsAnswer
from xwtui.session.verbs.layouts import LayoutsAnswer
from xwtui.session.verbs.registry import run_line
from xwtui.session.verbs.templates import brief_lacks, design_words, lacks_words, size_words, theme_entries
from xwtui.text import counted, printable, wrapped
from xwtui.tui.editing.context import Host
from xwtui.tui.picture import NOWHERE, Picture
from xwtui.tui.screens.findings import DEAD_SIGN, FILLED_SIGN, OPEN_SIGN
from xwtui.tui.screens.overlays import ReplyScreen
from xwtui.tui.widgets.painted import Fragment, Heading, KeyLine, Line, TextPanel
from xwtui.tui.widgets.row_list import RowList
from xwtui.tui.widgets.small_grids import GridPanes, GridPreview, Pane
from xwtui.tui.widgets.typing_lists import TypingList, TypingScreen
from xwtui.words.normalise import folds_words, recording_folds


class LayoutRow(NamedTuple):
    """A result: a design, or a layout without a fill, either drawn (if it has a number) or a template."""

    design: Design | None = None
    found: FoundTemplate | None = None
    drawn: int = 0
    fillability: Fillability | None = None
    """How far its fillability is known; None if nothing was tried."""
    fill_status: str = ""
    """The same in words, if known."""
    themed: Puzzle | None = None
    """The puzzle to start with, if theme answers have been placed in it."""

    @property
    def key(self) -> object:
        """Identity of the row: it stays the same when others are inserted before it."""
        return self.design.grid if self.design is not None else (self.drawn, self._template.name)

    @property
    def _template(self) -> Template:
        assert self.found is not None
        return self.found.template

    @property
    def grid(self) -> Grid:
        return self.design.grid if self.design is not None else self._template.grid

    @property
    def figures(self) -> tuple[int, int]:
        """The numbers of words and blocks."""
        if self.design is not None:
            return self.design.figures.words, self.design.figures.blocks
        return self._template.words, self._template.blocks

    @property
    def is_wanted(self) -> bool:
        return self.found is None or self.found.fits

    @property
    def name(self) -> str:
        if self.design is not None:
            return f"{self.design.mean_score:.1f} low {self.design.lowest_score}"
        return f"drawn {self.drawn}" if self.drawn else self._template.name

    @property
    def proof(self) -> str:
        """How far it is proved, in words."""
        if self.design is not None:
            shown = f"mean {self.design.mean_score:.1f}, lowest {self.design.lowest_score}"
            return f"proved by the fill shown: {shown}"
        assert self.found is not None
        if not self.is_wanted:
            return lacks_words(self.found.lacks)
        room = f"your answers fit at {entries}; " if (entries := theme_entries(self.found)) else ""
        return f"{room}{self.fill_status or 'no fill attempted yet'}"


class LayoutList(TypingList[LayoutRow]):
    """One row per result: name, words and blocks, and a mark for its proof state."""

    remark: reactive[str] = reactive("no grids to show")
    is_signed: reactive[bool] = reactive(False)
    """Whether the current row has the mark of what Enter opens."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab,shift+tab", "screen.turn", "the answers", show=False),
        Binding("enter", "screen.enter", "add or open", show=False),
    ]

    def fragments(self, row: LayoutRow, width: int, *, is_current: bool) -> Sequence[Fragment]:
        here = _HERE if is_current and self.is_signed and self.has_focus else " "
        paint, (words, blocks) = self.paint, row.figures
        sign, style = OPEN_SIGN, paint.muted
        if row.fillability is Fillability.FILLED:
            sign, style = FILLED_SIGN, paint.good
        elif row.fillability is Fillability.IMPOSSIBLE:
            sign, style = DEAD_SIGN, paint.bad
        name = paint.accent if is_current else paint.text if row.is_wanted else paint.muted
        figures = f"{words}/{blocks}".rjust(8) if row.is_wanted or row.found is None else ""
        lacks = "" if figures or row.found is None else brief_lacks(row.found.lacks)
        room = max(width - 4 - len(figures) - len(lacks), 2)
        return [
            (here, paint.accent),
            (f"{sign} ", style),
            (f"{printable(row.name, room - 1):<{room}}", name),
            (figures, paint.muted),
            (lacks, paint.warning),
        ]


class ThemeAnswerList(TypingList[ThemeRow]):
    """One row per theme answer: its squares, its place, and its partner."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab,shift+tab", "screen.turn", "results", show=False),
        Binding("enter", "screen.enter", "add or open", show=False),
        Binding("delete", "screen.drop", "remove the answer", show=False),
    ]

    def action_point(self, rows: int) -> None:
        """Move; past the last answer, go to the results."""
        if rows > 0 and self.current >= len(self.rows) - 1:
            self.screen.query_one(LayoutList).focus()
        else:
            super().action_point(rows)

    def fragments(self, row: ThemeRow, width: int, *, is_current: bool) -> Sequence[Fragment]:
        paint = self.paint
        squares = "file" if row.squares is None else str(row.squares)
        marks = [row.place, "last" if row.is_last else "", "" if row.partner is None else f"with {row.partner}"]
        details = " ".join(filter(None, marks))
        number = 1 + next(index for index, one in enumerate(self.rows) if one is row)
        room = max(width - len(details) - 9, 1)
        return [
            (f"{number:2} ", paint.muted),
            (f"{printable(row.answer, room):<{room}}", paint.accent if is_current else paint.text),
            (f" {squares:>4} ", paint.muted),
            (details, paint.good),
        ]


_MOST_PANES = 12
_LIST_WIDTH = 32
_LINES_AROUND = 3
"""Lines other than the pictures: heading, input, keys; messages take more."""
_MOST_ANSWERS = 8
"""Rows of the theme visible at once."""
_HINT = "Type a theme answer and press Enter, or describe a grid: 15x15 70 words"
_HERE = "▸"
_COLUMNS = f"{FILLED_SIGN} filled {OPEN_SIGN} empty words/blocks"
_KEYS = (
    ("Tab", "other list"),
    ("Del", "remove"),
    ("F5", "more"),
    ("F6", "stop"),
    ("Esc", "back"),
    ("F1", "help"),
)
_HELP = (
    "letters    a size, bounds and names find templates (15x15 70 words british); answers get designs",
    ', ""       separate answers: HEART TO HEART is one, HEART, TO HEART or "HEART" "TO HEART" are two',
    "Enter      add what you typed; or else go to the results, and open one there",
    "17A= !     set the current answer's place; put it last",
    "--rebus    letters that share one square: --rebus CAT",
    "with 2     beside an answer: it mirrors answer 2, which is equally long",
    "Tab        switch between the answers and the results",
    "Del        in the list of answers: remove the current one",
    "F5 F6      look for more, stop",
    "Ctrl+K     keep a drawn layout in the library",
    "Ctrl+U     clear the input",
    "Esc        back",
)


_OPTIONS = {
    "--size": "{}",
    "--min-words": "at least {} words",
    "--max-words": "at most {} words",
    "--min-blocks": "at least {} blocks",
    "--max-blocks": "at most {} blocks",
}
"""Wording of options; the others use their names."""


def _option_words(options: Sequence[str]) -> str:
    """Return the options of `design` in words: `15x15, at most 76 words, rebus HEART`."""
    parts: list[str] = []
    for word in options:
        if word.startswith("--"):
            parts.append(_OPTIONS.get(word, f"{word.removeprefix('--').replace('-', ' ')} {{}}"))
        else:
            parts[-1:] = [parts[-1].replace("{}", printable(word, 40))] if parts else [word]
    return ", ".join(one.replace("{}", "").strip() for one in parts)


def _wanted_words(query: LayoutQuery) -> str:
    """Return a query's requirements besides theme answers: `15x15, 70 words, at most 38 blocks, british`."""
    wanted = query.wanted
    lengths = () if query.is_theme else (*wanted.across, *wanted.down)
    parts = ["" if wanted.size is None else f"{wanted.size[0]}x{wanted.size[1]}"]
    parts.append(f"an answer of {lengths[0]} letters" if len(lengths) == 1 else "")
    parts.append(f"answers of {', '.join(map(str, lengths))}" if len(lengths) > 1 else "")
    for noun, fewest, most in (
        ("words", wanted.fewest_words, wanted.most_words),
        ("blocks", wanted.fewest_blocks, wanted.most_blocks),
    ):
        if fewest is not None and most is not None:
            parts.append(f"{most} {noun}" if fewest == most else f"{fewest} to {most} {noun}")
            continue
        parts.append("" if fewest is None else f"at least {fewest} {noun}")
        parts.append("" if most is None else f"at most {most} {noun}")
    return ", ".join(filter(None, (*parts, *wanted.names)))


class LayoutScreen(TypingScreen[LayoutRow | None]):
    """Finds, draws and designs grids for the typed query; returns the one to start with, or None."""

    DEFAULT_CSS = """
    LayoutScreen { background: $background; }
    LayoutScreen > Vertical { width: 100%; height: 100%; }
    LayoutScreen Horizontal { height: 1fr; }
    LayoutScreen #layout-lists { width: 32; height: 100%; }
    LayoutScreen ThemeAnswerList { height: 1; }
    LayoutScreen LayoutList { height: 1fr; }
    LayoutScreen GridPreview { margin-left: 2; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "back"),
        Binding("f1", "help", show=False),
        Binding("f5", "again", "look for more"),
        Binding("f6,ctrl+c", "stop", "stop"),
        Binding("ctrl+k", "keep", "keep in the library", show=False),
    ]
    between = ", "

    _theme_rows = getters.query_one(ThemeAnswerList)
    _rows = getters.query_one(LayoutList)

    def __init__(
        self,
        session: Session,
        theme: ThemeList,
        *,
        query: str = "",
        drawn: LayoutsAnswer | None = None,
        designed: DesignsAnswer | None = None,
        is_begun: bool = False,
    ) -> None:
        """`is_begun` if a search for designs is already running."""
        super().__init__(query)
        self.theme = theme
        self._session = session
        self._is_searching = is_begun
        self._seed = 0
        self._drawn = drawn
        self._designed = designed
        self._query = LayoutQuery(TemplateWanted())
        self._templates: tuple[FoundTemplate, ...] = ()
        """The templates that match the query, listed after designs and drawn layouts."""
        self._message = ""
        self._misread = False
        """Whether the typed text cannot be parsed."""

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Heading("LAY OUT", id="layout-heading")
            yield Line(id="layout-typed")
            with Horizontal():
                with Vertical(id="layout-lists"):
                    yield ThemeAnswerList(id="layout-theme")
                    yield Heading(_COLUMNS, id="layout-columns")
                    yield LayoutList(id="layout-rows")
                yield GridPanes(_MOST_PANES, is_large=True)
                yield GridPreview()
            yield TextPanel(id="layout-message")
            yield KeyLine(id="layout-keys")

    def on_mount(self) -> None:
        (self._theme_rows if self.theme.answers else self._rows).focus()
        self._show_theme()
        self.take_typed()

    def on_descendant_focus(self) -> None:
        self._show_typed()
        self._show_keys()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_pointed)

    @property
    def _designs(self) -> tuple[Design, ...]:
        return self._designed.progress.designs if self._designed is not None else ()

    # Messages from the session

    def receive(self, report: messages.Message) -> None:
        """Show designs and layouts as they arrive, and the loading state before the first."""
        remark = ""
        match report:
            case messages.AnswerReady(answer=DesignsAnswer() as designed, is_last=is_last):
                remark = designed.remark if is_last or self._designed is None else ""
                self._designed, self._is_searching = designed, not is_last
                remark = designed.lines[0] if is_last and not self._designs else remark
            case messages.AnswerReady(answer=LayoutsAnswer() as drawn, is_last=is_last):
                self._drawn, self._is_searching, remark = drawn, not is_last, drawn.remark
            case messages.JobFailed(headline=text) | messages.LexiconFailed(message=text):
                self._is_searching, remark = False, text
            case messages.EngineState() if self._is_searching and self.is_mounted:
                self._show_progress()
                return
            case _:
                return
        if self.is_mounted:  # mounting shows earlier ones
            self._show_found()
            if remark:
                self._show_message(remark)

    # Drawing

    def action_help(self) -> None:
        self.app.push_screen(ReplyScreen("the keys of the room", _HELP))

    def _show_typed(self) -> None:
        paint, line = self._palette, self.query_one("#layout-typed", Line)
        is_here = not self._theme_rows.display or not self._rows.has_focus or bool(self._typed.strip())
        self._rows.is_signed = not is_here or not self._theme_rows.display
        line.left = self.typed_so_far((_HERE if is_here else " ", paint.accent), _HINT)
        room = self.size.width - sum(cell_len(text) for text, _ in line.left)
        reading = next((one for one in self._readings() if len(one) + 3 <= room), "")
        line.right = [(f"  {reading} ", paint.muted)] if reading else ()

    def _readings(self) -> Iterator[str]:
        """Yield interpretations of the typed text, in ever shorter forms."""
        if not self._typed.strip() or self._misread:
            return
        bounds, answers = _wanted_words(self._query), self._query.typed
        if not answers:
            yield f"read as {bounds}" if bounds else ""
            return
        sizes = ", ".join(f"{one} {square_count(one)}" for one in answers)
        behind = f"  {bounds}" if bounds else ""
        number = counted(len(answers), "answer")
        readings = (
            f"{number}: {sizes}{behind}",
            f"{number}: {', '.join(str(square_count(one)) for one in answers)} squares{behind}",
            number,
        )
        if len(answers) == 1 and len(self._typed.split()) > 1:
            yield from (f"{one}; a comma starts another" for one in readings)
        yield from readings

    def _show_theme(self) -> None:
        rows, listed = self.theme.rows, self._theme_rows
        listed.display = bool(rows)
        listed.styles.height = min(len(rows), _MOST_ANSWERS)
        listed.show(rows)
        if not rows:
            self._rows.focus()

    def _show_keys(self) -> None:
        has_answers = bool(self.theme.rows)
        serves = {"Tab": has_answers, "F6": self._is_searching, "Del": has_answers and self._theme_rows.has_focus}
        keys = [("Enter", self._enter_does), *(one for one in _KEYS if serves.get(one[0], True))]
        keeps = [("Ctrl+K", "keep")] if self._drawn is not None else []
        clears = [("Ctrl+U", "clear")] if self._typed else []
        self.query_one("#layout-keys", KeyLine).keys = [*keys, *keeps, *clears]

    @property
    def _adds(self) -> bool:
        """Whether Enter adds the typed text to the theme."""
        is_theme = self._query.is_theme or (bool(self.theme.answers) and self._query.is_bounds)
        return bool(self._typed.strip()) and is_theme

    @property
    def _opens(self) -> bool:
        """Whether Enter opens the current grid, if it adds nothing."""
        return self._rows.has_focus or not self.theme.answers

    @property
    def _enter_does(self) -> str:
        """What Enter does here, in words."""
        if self._adds:
            return "add"
        if self._opens:
            return "open"
        return "to grids" if self._rows.rows or self._is_searching else "search again"

    def _show_progress(self) -> None:
        self._show_keys()
        engine, waits = self._session.jobs.engine.view, ""
        self._rows.remark = "looking for grids" if self._is_searching else "no grids to show"
        if self._designed is not None:
            progress = self._designed.progress
            state = "looking" if self._is_searching else "done"
            status = (
                f"{state}: {self._designed.found_words}, {counted(progress.tried, 'layout')} tried, "
                f"{progress.seconds:.0f} s"
            )
        elif self._is_searching:
            is_loading = engine.step is not None or engine.phase is not messages.EnginePhase.READY
            status = engine.text if engine.step is None else engine.step.brief()
            if is_loading and engine.phase is not messages.EnginePhase.FAILED:
                once = "this happens once, then designs start"
                waits = once if engine.is_compiling else "designs start when it is loaded"
                self._rows.remark = "getting ready, see above"
            status = status if is_loading else "looking: no design yet"
            status += f"; {waits}" if waits else ""
        else:
            found = [row for row in self._rows.rows if row.is_wanted]
            drawn = sum(bool(row.drawn) for row in found)
            counts = ((drawn, "layout", " drawn"), (len(found) - drawn, "template", ""))
            status = ", ".join(f"{counted(number, noun)}{how}" for number, noun, how in counts if number)
            status = status or ("no template matches all of that; the nearest are" if self._rows.rows else "")
        self.query_one("#layout-heading", Heading).remark = "   ".join(
            filter(None, (status, _option_words(self.theme.options)))
        )

    def _show_found(self) -> None:
        """Show the query's results; the current one stays current unless it is the first."""
        rows = self._rows
        pointed = rows.pointed.key if rows.pointed is not None and rows.current else None
        found = self._all_found()
        places = (place for place, one in enumerate(found) if one.key == pointed)
        rows.show(found, next(places, min(max(rows.current, 0), max(len(found) - 1, 0)) if pointed else 0))
        self._show_progress()
        self._show_pointed()

    def _all_found(self) -> list[LayoutRow]:
        """Return designs, then drawn layouts, then templates; with a theme, only those with room for it."""
        wanted = self._query.wanted
        found = [LayoutRow(one, fillability=Fillability.FILLED) for one in self._designs]
        if self._drawn is not None:
            for one in find_templates(wanted, self._drawn.templates):
                number = int(one.template.name)
                found.append(
                    LayoutRow(None, one, number, self._drawn.fillability(number), self._drawn.proof(number))
                )
        found += [LayoutRow(found=one) for one in self._templates]
        if self.theme.answers or any(row.is_wanted for row in found):
            return [row for row in found if row.is_wanted]
        return found

    def _show_pointed(self) -> None:
        """Draw the current grid and, if they have the same size, those after it."""
        rows, panes, preview = self._rows, self.query_one(GridPanes), self.query_one(GridPreview)
        row = self._rows.pointed
        message = self._message or ("" if row is None else row.proof)
        lines = wrapped(printable(message, 400), max(self.size.width - 2, 10)) if message else [""]
        style = self._palette.warning if self._message else self._palette.muted
        panel = self.query_one("#layout-message", TextPanel)
        panel.styles.height = len(lines)
        panel.lines = [[(f" {line}", style)] for line in lines]
        room = self.size - Size(_LIST_WIDTH, _LINES_AROUND + len(lines))
        shape = None if row is None else (row.grid.height, row.grid.width)
        shown = [one for one in rows.rows if (one.grid.height, one.grid.width) == shape]
        panes.display = not shown or GridPanes.fits(shown[0].grid, room, self.size)
        preview.display = not panes.display
        preview.grid_shown = self._drawn_grid(row) if row is not None and preview.display else None
        place = 0 if row is None else shown.index(row)
        panes.show(len(shown) if panes.display else 0, place, lambda index: self._pane(shown[index]), room)

    def _drawn_grid(self, row: LayoutRow) -> Grid:
        """Return the grid with the theme answers that have a place in it."""
        if row.found is None:
            return row.grid
        return themed_puzzle(row.found, self._query.answers, self._session.puzzle.alphabet).grid

    def _pane(self, row: LayoutRow) -> Pane:
        """Return a grid with its theme answers, and its proving fill as ghosts."""
        number = 1 + next(index for index, one in enumerate(self._rows.rows) if one is row)
        picture = Picture(self._drawn_grid(row), NOWHERE, live=row.design.fill if row.design is not None else {})
        return Pane(picture, f"{number}  {row.name}  {row.figures[0]}w {row.figures[1]}b")

    def _show_message(self, text: str) -> None:
        self._message = text
        self._show_pointed()

    # Typing

    def take_typed(self) -> None:
        self._message, self._misread = "", False
        try:
            with recording_folds() as folds:
                self._query = self.theme.query(self._typed, self._session.puzzle.alphabet)
        except XwtuiError as error:
            self._misread = True
            self._show_typed()
            self._rows.show((), 0)
            self._show_progress()
            self._show_message(str(error))
            return
        self._show_typed()
        self._templates = find_templates(self._query.wanted, layout_library())
        self._rows.current = self._rows.top = 0
        self._show_found()
        folded = folds_words(folds, self._session.puzzle.alphabet) if folds else ""
        self._show_message("; ".join(filter(None, (folded, self._query.remark or self._advice()))))

    def _advice(self) -> str:
        """Return an alternative interpretation of the query, or how to get more results."""
        if not self._typed.strip():
            return self.theme.remark
        if not self._rows.rows:
            return ""
        if not self._query.is_theme:
            return size_words(self._query.wanted)
        found = [row.found for row in self._rows.rows if row.found is not None and not row.drawn]
        return design_words(self._query.wanted, found, "Enter designs grids around them") if found else ""

    def action_enter(self) -> None:
        """Add the typed text to the theme if it belongs there; else open the current result, or focus the list."""
        if self._adds:
            self._take()
        elif self._opens:
            self._open()
        elif self._rows.rows:
            self._rows.focus()
            self._show_message("Enter opens the selected grid; F5 looks for more")
        elif self._is_searching:
            self._show_message("looking for designs; F5 starts over, F6 stops")
        else:
            self.action_again()

    def _take(self) -> None:
        """Add the typed text to the theme, and search for designs."""

        def take() -> None:
            alphabet = self._session.puzzle.alphabet
            with recording_folds() as folds:
                theme = self.theme.typed(self._typed.strip(), self._theme_rows.current, alphabet)
            self._change(theme)
            self._theme_rows.focus()
            if folds:
                self._show_message(folds_words(folds, alphabet))

        self._attempt(take)

    @on(RowList.Chosen)
    def _chosen(self) -> None:
        self._open()

    def _open(self) -> None:
        row = self._rows.pointed
        if row is not None and self._query.answers and not row.is_wanted:
            self._show_message(f"{row.name} has {row.proof}; to design around an answer, add it with Enter")
        elif row is not None:
            if row.found is not None and self._query.answers:
                puzzle = themed_puzzle(row.found, self._query.answers, self._session.puzzle.alphabet)
                row = row._replace(themed=puzzle)
            self.dismiss(row)

    # Theme

    def action_drop(self) -> None:
        current = self._theme_rows.current
        if self._theme_rows.has_focus and 0 <= current < len(self.theme.answers):
            self._change(self.theme.without(current))

    def action_turn(self) -> None:
        (self._theme_rows if self._rows.has_focus and self.theme.answers else self._rows).focus()

    def action_again(self) -> None:
        """Search for more designs, keeping those found until better ones replace them; or else draw layouts."""
        if self._misread and not self.theme.answers:
            return
        if not self.theme.answers:
            self._seed += self._drawn is not None
            self._run(f"{self._query.drawing_line} --seed {self._seed}")
            return
        self._seed += bool(self._designs)
        self._search()

    def action_stop(self) -> None:
        self._session.jobs.answer.stop()

    def dismiss(self, result: LayoutRow | None = None) -> AwaitComplete:
        """Stop the search as well: nothing continues unseen, and the results stay."""
        if self._is_searching:
            self.action_stop()
        return super().dismiss(result)

    def action_keep(self) -> None:
        row = self._rows.pointed
        if row is not None and row.drawn:
            keeping = f"layouts keep {row.drawn}"
            self._attempt(lambda: self._show_message("; ".join(run_line(self._session, keeping).lines)))

    def _change(self, theme: ThemeList) -> None:
        self.theme = cast(Host, self.app).theme_list = theme
        self._seed = 0
        self._designed, self._is_searching = None, False
        self._show_theme()
        self.type("")
        if theme.answers:
            self._search()
        else:
            self._session.jobs.answer.stop()

    def _search(self) -> None:
        """Search for designs around the theme, in addition to those already found."""
        seed = f" --seed {self._seed}" if self._seed and "--seed" not in self.theme.options else ""
        self._run(f"{self.theme.line}{seed}{' --more' if self._designs else ''}")

    def _run(self, line: str) -> None:
        if self._attempt(lambda: run_line(self._session, line)):
            self._message, self._is_searching = self.theme.remark, True
            self._show_progress()
            self._show_pointed()

    @on(RowList.Pointed, "#layout-rows")
    def _walked(self) -> None:
        self._message = ""
        self._show_pointed()
