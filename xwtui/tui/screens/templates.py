"""Templates to choose from, found as one types, each with a picture; with theme answers, with these in place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical

from xwtui.errors import XwtuiError
from xwtui.grids.library import layout_library
from xwtui.grids.templates import (
    FoundTemplate,
    Template,
    TemplateWanted,
    find_templates,
    read_query,
    read_theme,
    themed_puzzle,
)
from xwtui.model import Puzzle
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.session.layout_answers import brief_lacks, design_words, refusal, size_words, theme_entries
from xwtui.text import printable, wrapped
from xwtui.tui.themes import Palette
from xwtui.tui.typeahead import PASSED_ON
from xwtui.tui.widgets.painted import Fragment, Heading, Line, TextPanel, give_paint, key_hints
from xwtui.tui.widgets.row_list import RowList
from xwtui.tui.widgets.small_grids import GridPreview
from xwtui.tui.widgets.typing_room import TypedRows, TypingRoom
from xwtui.words.normalise import folds_words, noting_folds

_WIDEST = 130
"""Cells of the whole."""
_FRAME = 5
"""Cells of its border and padding."""
_WIDE = 60
"""Cells of the list from which on its figures have their words beside them."""
_HINT = "type to find: 15x15   11,13,11   <78   <=38b   british"
_THEME_HINT = "type theme answers with commas between them; 15x15 and <78 narrow the list"


class TemplateChoice(NamedTuple):
    """A template that was chosen, and the puzzle to begin with."""

    name: str
    puzzle: Puzzle


class TemplateList(TypedRows[FoundTemplate]):
    """One row a template; what is typed here finds them."""

    passed_on: ClassVar[Collection[str]] = PASSED_ON

    def fragments(self, row: FoundTemplate, width: int, *, is_current: bool) -> Sequence[Fragment]:
        paint, template = self.paint, row.template
        words, blocks = (" words", " blocks") if width >= _WIDE else ("w", "b")
        style = paint.muted if not row.fits else paint.accent if is_current else paint.text
        return [
            (f" {template.name:<19}", style),
            (f"{template.words:>4}{words} {template.blocks:>3}{blocks}", paint.muted),
            ("" if row.fits else f"  {brief_lacks(row.lacks)}", paint.warning),
        ]


class TemplateScreen(TypingRoom[TemplateChoice | None]):
    """Lists templates while one types what they are to be, or (`is_theme`) the answers that they are to take.

    With `drawn` it lists layouts that were drawn just now, of which `keep` takes one into the library by its
    name, and says so. Answers are read in the `alphabet`.
    """

    DEFAULT_CSS = """
    TemplateScreen { align: center middle; }
    TemplateScreen > Vertical {
        width: 100%; max-width: 130; height: 100%; max-height: 36; padding: 0 1;
        background: $surface; border: round $primary 60%;
    }
    TemplateScreen Horizontal { height: 1fr; }
    TemplateScreen #template-said { display: none; }
    TemplateScreen TemplateList { width: 1fr; height: 1fr; }
    TemplateScreen #template-picture { width: 34%; min-width: 27; height: 1fr; padding-left: 2; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "back"),
        Binding("ctrl+k", "keep", "keep in the library", show=False),
    ]

    LONGEST: ClassVar[int] = 200

    def __init__(
        self,
        palette: Palette,
        *,
        query: str = "",
        is_theme: bool = False,
        drawn: Sequence[Template] = (),
        keep: Callable[[str], str] | None = None,
        alphabet: Alphabet = ENGLISH,
    ) -> None:
        super().__init__(palette, query)
        self._drawn = tuple(drawn)
        self._keep = keep
        self._is_theme = is_theme
        self.between = ", " if is_theme else " "
        self._alphabet = alphabet
        self._answers: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        with Vertical():
            heading = "THEME" if self._is_theme else "LAYOUTS" if self._drawn else "TEMPLATES"
            yield Heading(heading, id="template-heading")
            yield Line(id="template-typed")
            with Horizontal():
                yield TemplateList(id="templates")
                with Vertical(id="template-picture"):
                    yield Line(id="template-figures")
                    yield Line(id="template-entries")
                    yield GridPreview()
            yield TextPanel(id="template-said")
            yield Line(id="template-keys")

    def on_mount(self) -> None:
        give_paint(self, self._palette)
        keeps = [("Ctrl+K", "keep")] if self._keep is not None else []
        keys = [("Enter", "begin"), ("↑ ↓", "look"), ("Ctrl+U", "type anew"), *keeps, ("Esc", "back")]
        self.query_one("#template-keys", Line).left = key_hints(keys, self._palette, gap=2, lead="")
        self._list.focus()
        self.take_typed()

    @property
    def _list(self) -> TemplateList:
        return self.query_one(TemplateList)

    # What is typed

    def take_typed(self) -> None:
        hint = _THEME_HINT if self._is_theme else _HINT
        self.query_one("#template-typed", Line).left = self.typed_so_far((" ", self._palette.text), hint)
        try:
            with noting_folds() as folds:
                wanted = self._wanted()
        except XwtuiError as error:
            self._list.remark = printable(str(error), 100)
            self._show(())
            return
        if self._is_theme and not self._answers:
            self._list.remark = "templates with room for these answers appear here"
            self._show(())
            return
        self._list.remark = "no template is called so"
        found = find_templates(wanted, self._drawn or layout_library())
        folded = folds_words(folds, self._alphabet) if folds else ""
        of_size = "" if self._is_theme or self._drawn else size_words(wanted)
        said = folded, of_size or (design_words(wanted, found) if found else "")
        self._show(found, "; ".join(filter(None, said)) if found else "")

    def _wanted(self) -> TemplateWanted:
        """What is typed, read; raises XwtuiError for a theme answer that is none."""
        self._answers = ()
        if not self._is_theme:
            return read_query(self._typed)
        self._answers, wanted = read_theme(self._typed, self._alphabet)
        return wanted

    def _say(self, text: str) -> None:
        """Say one thing above the keys, whole; an empty text takes it away."""
        panel = self.query_one("#template-said", TextPanel)
        lines = wrapped(text, min(self.size.width, _WIDEST) - _FRAME) if text else []
        panel.display = bool(lines)
        panel.styles.height = len(lines)
        panel.lines = [[(f" {line}", self._palette.warning)] for line in lines]

    def _show(self, found: Sequence[FoundTemplate], said: str = "") -> None:
        self._say(said)
        fitting = sum(one.fits for one in found)
        near = "none has all of that; the nearest are" if found and not fitting else ""
        self.query_one("#template-heading", Heading).remark = near or (f"{fitting}" if found else "")
        rows = self._list
        rows.show(found, 0)
        rows.top = 0
        self._picture()

    # The one that is pointed at

    @on(RowList.Pointed, "#templates")
    def _pointed(self) -> None:
        self._picture()

    @property
    def _current(self) -> FoundTemplate | None:
        rows = self._list
        return rows.rows[rows.current] if rows.current < len(rows.rows) else None

    def _picture(self) -> None:
        found, paint = self._current, self._palette
        figures, entries = self.query_one("#template-figures", Line), self.query_one("#template-entries", Line)
        preview = self.query_one(GridPreview)
        if found is None:
            figures.left = entries.left = ()
            preview.grid_shown = None
            return
        grid = themed_puzzle(found, self._answers, self._alphabet).grid
        figures.left = [(f"{grid.height}×{grid.width}", paint.heading), (f"  {found.template.name}", paint.muted)]
        entries.left = [(theme_entries(found), paint.muted)]
        preview.grid_shown = grid

    @on(RowList.Chosen, "#templates")
    def _chosen(self) -> None:
        found = self._current
        if found is not None and self._answers and not found.fits:
            self._say(refusal(found))
        elif found is not None:
            self.dismiss(TemplateChoice(found.template.name, themed_puzzle(found, self._answers, self._alphabet)))

    def action_keep(self) -> None:
        found = self._current
        if self._keep is not None and found is not None:
            self._say(self._keep(found.template.name))
