"""The help, made from the declarations of keys and verbs."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import ClassVar, NamedTuple

from rich.console import Group as Together
from rich.console import RenderableType
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

from xwtui.session.keys.actions import ACTIONS, KeyPlace
from xwtui.session.keys.key_map import KeyMap
from xwtui.session.verbs.registry import VERBS
from xwtui.session.verbs.verb import Group, Verb
from xwtui.tui.faces import heat_sign, heat_style
from xwtui.tui.themes import Palette

_PLACES = (KeyPlace.GRID, KeyPlace.CANDIDATES, KeyPlace.SCREEN)
_KEYS_WIDTH = 17
_VERB_WIDTH = 12
_MOUSE = "a click goes there, a second one turns or places; drawing selects, the right button opens a menu"


class HelpKey(NamedTuple):
    """A line of the key table."""

    keys: str
    summary: str


def own_keys(keys: KeyMap) -> list[HelpKey]:
    """The keys that are no verb's; those that do one thing together stand in one line."""
    rows = [HelpKey("A–Z, 0–9", "write into the square, and go on, to the end of the entry")]
    by_place = sorted(ACTIONS, key=lambda action: _PLACES.index(action.place))
    for summary, actions in groupby(by_place, key=lambda action: action.summary):
        caps = ", ".join(filter(None, (keys.caps_of(action.name) for action in actions)))
        if caps:
            rows.append(HelpKey(caps, summary))
    return rows


def key_table(keys: KeyMap) -> list[HelpKey]:
    """Every key with what it does: the grid's, the screen's, the verbs', and lines of verbs."""
    verbs = [HelpKey(keys.caps_of(verb.name), verb.summary) for verb in VERBS.values() if keys.keys_of(verb.name)]
    return [*own_keys(keys), *verbs, *(HelpKey(keys.caps_of(line), f"`{line}`") for line in keys.lines)]


_Rows = list[tuple[Text, str]]


def help_text(paint: Palette, keys: KeyMap, search: str = "") -> Together:
    """The help: headings, and tables whose second column is wrapped below itself.

    With words to `search` for, the rows that have all of them, the help of verbs looked through as well.
    """
    words = search.lower().split()
    parts: list[RenderableType] = []
    for heading, rows, width, indent in _sections(paint, keys, words):
        if rows:
            parts += [Text(heading, style=paint.heading), _table(rows, width, paint, indent=indent), Text()]
    nothing = Text("Nothing here has these words; fewer letters find more.", style=paint.muted)
    hint = Text("  `:help set` tells all about one of them", style=paint.muted)
    return Together(*parts, hint) if parts else Together(nothing)


def _sections(paint: Palette, keys: KeyMap, words: list[str]) -> Iterator[tuple[str, _Rows, int, int]]:
    """Heading, rows, width of the first column, and indent of each table."""

    def found(rows: Iterable[tuple[Text, str]]) -> _Rows:
        return [(first, told) for first, told in rows if _has(f"{first.plain} {told}", words)]

    table = [*key_table(keys), HelpKey("Mouse", _MOUSE)]
    yield "Keys", found((Text(one.keys, style=paint.accent), one.summary) for one in table), _KEYS_WIDTH, 2
    yield "In the grid", found(_marks(paint)), 3, 2
    for group, members in groupby(sorted(VERBS.values(), key=_group_order), key=lambda verb: verb.group):
        fitting = [verb for verb in members if _has(f"{group.value} {verb.name} {verb.command.help}", words)]
        rows = [(Text(verb.name, style=paint.accent), verb.summary) for verb in fitting]
        yield f"Verbs, after a colon: {group.value}", rows, _VERB_WIDTH, 2


def _has(text: str, words: list[str]) -> bool:
    found = text.lower()
    return all(word in found for word in words)


def _table(rows: Iterable[tuple[Text, str]], width: int, paint: Palette, *, indent: int = 2) -> Table:
    """Two columns, the first one of a fixed width."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=indent - 1)
    table.add_column(width=width)
    table.add_column(ratio=1)
    for first, summary in rows:
        table.add_row("", first, Text(summary, style=paint.text))
    return table


def _marks(paint: Palette) -> _Rows:
    marks = [
        (" A ", paint.pencil, "pencil: the filler's, which the next fill may replace"),
        (" A ", paint.pen, "pen: yours, which every fill keeps"),
        (" A ", paint.locked, "locked: kept, and guarded against edits"),
        (" A ", paint.search, "what the filler tries at this moment"),
        (" A ", paint.undone, "what a backtrack has just taken back"),
        ("HE…", paint.pen, "a rebus square; in full at the right of the second line"),
        ("X/T", paint.pen, "a square that reads X across and T… down"),
        ("(A)", paint.pen, "a circle"),
        (" ◦ ", paint.empty, "a square that a rule keeps to some letters; the second line says which"),
        ("»A«", paint.better, "what a proposal of `why` or `whatif` changes; ▒ is a block that it adds"),
        (" A ", paint.ghost, "the fill that such a proposal leads to"),
        (" A ", paint.stopped, "an entry that cannot be filled with others, stops a partial fill or is no word"),
        _heat_mark(0.0, "an easy square on the heat map", paint),
        _heat_mark(1.0, "the hardest square on the heat map", paint),
        (" E=", paint.ghost, "what an empty square is forced to: every fill has it there"),
        (" § ", paint.muted, "beside a name: the entry has a rule of its own, which the second line tells"),
    ]
    return [(Text(sign, style=paint.open + style), said) for sign, style, said in marks]


def _heat_mark(heat: float, said: str, paint: Palette) -> tuple[str, Style, str]:
    return heat_sign(heat, paint).center(3), heat_style(heat, paint), said


def _group_order(verb: Verb) -> int:
    return list(Group).index(verb.group)


class HelpScreen(ModalScreen[None]):
    """All keys and verbs, to scroll through, and to search: what is typed narrows them."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen > Vertical {
        width: 84; max-width: 98%; height: 94%; padding: 0 2;
        background: $surface; border: round $primary 60%;
        border-title-color: $accent; border-subtitle-color: $foreground 60%;
    }
    HelpScreen Input { height: 1; border: none; padding: 0; margin-bottom: 1; background: $surface; }
    HelpScreen Input:focus { border: none; background-tint: $foreground 0%; }
    HelpScreen VerticalScroll { height: 1fr; scrollbar-size: 1 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1", "close", "close"),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]

    def __init__(self, palette: Palette, keys: KeyMap) -> None:
        super().__init__()
        self._palette = palette
        self._keys = keys

    def compose(self) -> ComposeResult:
        """The field, and the text, which scrolls."""
        with Vertical() as box:
            box.border_title = Content(" help ")
            box.border_subtitle = Content(" type to search, arrows and pages scroll, Esc closes ")
            yield Input(placeholder="Search keys, marks and verbs")
            with VerticalScroll(can_focus=False):
                yield Static(help_text(self._palette, self._keys), markup=False)

    @on(Input.Changed)
    def _search(self, event: Input.Changed) -> None:
        self.query_one(Static).update(help_text(self._palette, self._keys, event.value))
        self.query_one(VerticalScroll).scroll_home(animate=False)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.action_close()

    def action_scroll(self, lines: int) -> None:
        """Scroll by lines."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_page(self, pages: int) -> None:
        """Scroll by pages."""
        box = self.query_one(VerticalScroll)
        box.scroll_relative(y=pages * max(box.size.height - 1, 1), animate=False)

    def action_close(self) -> None:
        """Back to the grid."""
        self.dismiss(None)
