"""The help screen, generated from the declarations of keys and verbs."""

from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar, NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.console import Group as Together
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from xwtui.session.keys.key_map import KeyMap
from xwtui.session.verbs.dialogue import TOPICS, HelpKey, own_keys, sought_in_help
from xwtui.session.verbs.registry import SECTIONS, VERBS
from xwtui.session.verbs.searching import VerbSearch
from xwtui.tui.square_style import heat_sign, heat_style
from xwtui.tui.themes import Palette
from xwtui.tui.typeahead import letters_ahead
from xwtui.tui.widgets.typing_lists import LineField

_KEYS_WIDTH = 19
_SIGN_WIDTH = 3
_INDENT = 2
_MOST_LIKELY = 3
"""How many of the best matches are listed first, whether or not they contain all words of the search."""
_MOUSE = "click to move the cursor, again to turn it; dragging selects; right-click for a menu"


_COLUMNS = (
    HelpKey("3s: 12", "in the title: how many entries have three letters"),
    HelpKey("mean 57.1 low 41", "in the title: the mean score of the entries, and the lowest one"),
    HelpKey("default ≥ 40", "in the title: the word list, and the lowest score of the words that fill the grid"),
    HelpKey("ENTRIES  match", "how many words match the letters in the entry"),
    HelpKey("ENTRIES  fit", "how many of them also fit the crossings and the rules, with a gauge"),
    HelpKey("CANDIDATES", "each word with its score, about how many fills have it, and whether one is known (✓)"),
    HelpKey("≈10^30.4", "about this many fills, within two powers of ten"),
    HelpKey("?10^30, ?", "a rough guess: there may be far more fills, or far fewer"),
    HelpKey("≤10^33.9", "at most this many fills: the whole grid has no more"),
    HelpKey("dead 4D", "no fill has the word, since 4D would have no word left"),
)
"""The figures in the lists around the grid."""


def key_table(keys: KeyMap) -> list[HelpKey]:
    """Return every key with its action: keys of the grid, the screen and the verbs, and keys bound to lines."""
    verbs = [HelpKey(keys.caps_of(verb.name), verb.summary) for verb in VERBS.values() if keys.keys_of(verb.name)]
    return [*own_keys(keys), *verbs, *(HelpKey(keys.caps_of(line), f"`{line}`") for line in keys.lines)]


class _CachedLayout:
    """A renderable cached per width while the help is open: typing in the search does not change it."""

    def __init__(self, what: RenderableType) -> None:
        self._what = what
        self._by_width: dict[int, list[Segment]] = {}

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        if width not in self._by_width:
            self._by_width[width] = list(console.render(self._what, options))
        yield from self._by_width[width]


class _HelpRow(NamedTuple):
    """A row of the help, and the lower-case text that a search looks through."""

    shown: _CachedLayout
    searched: str
    first: str = ""
    """The verb or keys that it is about, if it can be searched for by them."""


class HelpText:
    """The help: headings, and rows with two columns."""

    def __init__(self, paint: Palette, keys: KeyMap) -> None:
        self._paint = paint
        self._searchable = sought_in_help(keys)
        self._sections = [(self._line(heading, paint.heading), rows) for heading, rows in self._all(keys)]
        self._best = self._line("Most likely", paint.heading)
        self._nothing = self._line("Nothing matches; try fewer letters or other words.", paint.muted)
        self._hint = self._line("  `:help VERB` explains a verb", paint.muted)

    @cached_property
    def _search(self) -> VerbSearch:
        return VerbSearch([*self._searchable.values()])

    def found(self, search: str = "") -> Together:
        """Return the best-matching verbs and keys, then all rows whose text or help has the search's words."""
        words = search.lower().split()
        topics = list(self._searchable)
        is_page = not words or words in ([topic.name] for topic in TOPICS)
        best = [] if is_page else [topics[place] for place, _ in self._search.found(search)[:_MOST_LIKELY]]
        shown = {row.first: row.shown for _, rows in self._sections for row in rows}
        parts: list[RenderableType] = [self._best, *map(shown.__getitem__, best), Text()] if best else []
        for heading, rows in self._sections:
            fitting = [row for row in rows if all(word in row.searched for word in words)]
            found = [row.shown for row in fitting if row.first not in best]
            if found:
                parts += [heading, *found, Text()]
        return Together(*parts, self._hint) if parts else Together(self._nothing)

    def _all(self, keys: KeyMap) -> Iterator[tuple[str, list[_HelpRow]]]:
        rows = [*key_table(keys), HelpKey("Mouse", _MOUSE)]
        yield "Keys", [self._searchable_row(row.keys, row.summary) for row in rows]
        yield "In the grid", [self._row(sign, meaning, _SIGN_WIDTH) for sign, meaning in _marks(self._paint)]
        yield "Around the grid", [self._row(row.keys, row.summary) for row in _COLUMNS]
        for topic in TOPICS:
            lines = [self._row(", ".join(forms), meaning) for forms, meaning in topic.table]
            yield (
                f"{topic.name.capitalize()}: {topic.summary}",
                [line._replace(searched=topic.searched) for line in lines],
            )
        for heading, members in SECTIONS.items():
            yield f"Verbs: {heading}", [self._searchable_row(verb.name, verb.summary) for verb in members]

    def _searchable_row(self, first: str, meaning: str) -> _HelpRow:
        """Return a row that is found by more than its own text, if it is about a verb or other keys."""
        row, searchable = self._row(first, meaning), self._searchable.get(first)
        return row if searchable is None else row._replace(searched=searchable.text, first=first)

    def _row(self, first: str | Text, meaning: str, width: int = _KEYS_WIDTH) -> _HelpRow:
        """Return a row of two columns, the first one of fixed width; a search looks through both."""
        table = Table.grid(padding=(0, 1, 0, 0))
        table.add_column(width=_INDENT - 1)
        table.add_column(width=width)
        table.add_column(ratio=1)
        name = Text(first, style=self._paint.accent) if isinstance(first, str) else first
        table.add_row("", name, Text(meaning, style=self._paint.text))
        return _HelpRow(_CachedLayout(table), f"{name.plain} {meaning}".lower())

    def _line(self, text: str, style: Style) -> _CachedLayout:
        return _CachedLayout(Text(text, style=style))


def _marks(paint: Palette) -> list[tuple[Text, str]]:
    marks = [
        (" A ", paint.pencil, "pencil: the filler's, which the next fill may replace"),
        (" A ", paint.pen, "pen: yours, which every fill keeps"),
        (" A ", paint.locked, "locked: kept, and guarded against edits"),
        (" A ", paint.search, "what the filler is trying now"),
        (" A ", paint.undone, "what a backtrack has just removed"),
        ("HE…", paint.pen, "a rebus square; the second line shows it in full"),
        ("X/T", paint.pen, "a square that reads X across and T… down"),
        ("(A)", paint.pen, "a circle"),
        (" ◦ ", paint.empty, "a square that a rule limits to certain letters, shown in the second line"),
        ("»A«", paint.better, "what a proposal of `why` or `whatif` changes; ▒ is a block that it adds"),
        (" A ", paint.ghost, "the fill that such a proposal leads to"),
        (" A ", paint.stopped, "an entry that conflicts with others, blocks a partial fill or is not a word"),
        _heat_mark(0.0, "an easy square on the heat map", paint),
        _heat_mark(1.0, "the hardest square on the heat map", paint),
        (" E=", paint.ghost, "what an empty square must be in every fill"),
        (" § ", paint.muted, "beside a name: the entry has its own rule, shown in the second line"),
    ]
    return [(Text(sign, style=paint.open + style), meaning) for sign, style, meaning in marks]


def _heat_mark(heat: float, meaning: str, paint: Palette) -> tuple[str, Style, str]:
    return heat_sign(heat, paint).center(3), heat_style(heat, paint), meaning


class HelpScreen(ModalScreen[None]):
    """All keys and verbs, with scrolling and a search by typing."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen > Vertical {
        width: 110; max-width: 98%; height: 94%; padding: 0 2;
        background: $surface; border: round $primary 60%;
        border-title-color: $accent; border-subtitle-color: $foreground 80%;
    }
    HelpScreen Input { height: 1; border: none; padding: 0; margin-bottom: 1; background: $surface; }
    HelpScreen Input:focus { border: none; background-tint: $foreground 0%; }
    HelpScreen VerticalScroll { height: 1fr; scrollbar-size: 1 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1", "dismiss", "close"),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]

    def __init__(self, palette: Palette, keys: KeyMap) -> None:
        super().__init__()
        self._help = HelpText(palette, keys)

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = Content(" help ")
            box.border_subtitle = Content(" type to search, arrow and page keys scroll, Esc closes ")
            yield LineField(placeholder="Search keys, marks and verbs")
            with VerticalScroll(can_focus=False):
                yield Static(self._help.found(), markup=False)

    @on(Input.Changed)
    def _search(self, event: Input.Changed) -> None:
        """Show what the typed text finds, once for all letters that are waiting: drawing takes long."""
        if waiting := letters_ahead(self.app, ()):
            event.input.insert_text_at_cursor(waiting)  # which is another change
            return
        self.query_one(Static).update(self._help.found(event.value))
        self.query_one(VerticalScroll).scroll_home(animate=False)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.dismiss(None)

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_page(self, pages: int) -> None:
        box = self.query_one(VerticalScroll)
        box.scroll_relative(y=pages * max(box.size.height - 1, 1), animate=False)
