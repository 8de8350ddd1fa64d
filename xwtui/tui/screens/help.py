"""The help, made from the declarations of keys and verbs."""

from collections.abc import Iterable
from itertools import groupby
from typing import ClassVar, NamedTuple

from rich.console import Group as Together
from rich.console import RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from xwtui.session.verbs.registry import VERBS
from xwtui.session.verbs.verb import Group, Verb
from xwtui.tui.faces import heat_sign, heat_style
from xwtui.tui.keys import CANDIDATE_KEYS, GRID_KEYS, SCREEN_KEYS, key_text
from xwtui.tui.themes import Palette

_KEYS_WIDTH = 17
_VERB_WIDTH = 12
_MOUSE = "a click goes there, a second one turns or places, the wheel scrolls"


class HelpKey(NamedTuple):
    """A line of the key table."""

    keys: str
    summary: str


def own_keys() -> list[HelpKey]:
    """The keys that are no verbs; those that do one thing together stand in one line."""
    rows = [HelpKey("A–Z, 0–9", "write into the square, and go on")]
    for summary, keys in groupby((*GRID_KEYS, *CANDIDATE_KEYS, *SCREEN_KEYS), key=lambda key: key.summary):
        rows.append(HelpKey(", ".join(key_text(key.keys) for key in keys), summary))
    return rows


def key_table() -> list[HelpKey]:
    """Every key with what it does: the grid's, the screen's, the verbs'."""
    return [*own_keys(), *(HelpKey(key_text(verb.key), verb.summary) for verb in VERBS.values() if verb.key)]


def help_text(paint: Palette) -> Together:
    """The whole help: headings, and tables whose second column is wrapped below itself."""
    verbs: list[RenderableType] = [Text("Verbs, after a colon", style=paint.heading)]
    for group, members in groupby(sorted(VERBS.values(), key=_group_order), key=lambda verb: verb.group):
        verbs.append(Text(f"  {group.value}", style=paint.heading))
        rows = [(Text(verb.name, style=paint.accent), verb.summary) for verb in members]
        verbs.append(_table(rows, _VERB_WIDTH, paint, indent=4))
    return Together(
        Text("Keys", style=paint.heading),
        _keys(paint),
        Text("\nIn the grid", style=paint.heading),
        _marks(paint),
        Text(),
        *verbs,
        Text("\n  `:help set` tells all about one of them", style=paint.muted),
    )


def _table(rows: Iterable[tuple[Text, str]], width: int, paint: Palette, *, indent: int = 2) -> Table:
    """Two columns, the first one of a fixed width."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=indent - 1)
    table.add_column(width=width)
    table.add_column(ratio=1)
    for first, summary in rows:
        table.add_row("", first, Text(summary, style=paint.text))
    return table


def _keys(paint: Palette) -> Table:
    rows = [*key_table(), HelpKey("Mouse", _MOUSE)]
    return _table(((Text(keys, style=paint.accent), summary) for keys, summary in rows), _KEYS_WIDTH, paint)


def _marks(paint: Palette) -> Table:
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
    return _table(((Text(sign, style=paint.open + style), said) for sign, style, said in marks), 3, paint)


def _heat_mark(heat: float, said: str, paint: Palette) -> tuple[str, Style, str]:
    return heat_sign(heat, paint).center(3), heat_style(heat, paint), said


def _group_order(verb: Verb) -> int:
    return list(Group).index(verb.group)


class HelpScreen(ModalScreen[None]):
    """All keys and verbs, to scroll through."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen > VerticalScroll {
        width: 84; max-width: 98%; height: 94%; padding: 1 2;
        background: $surface; border: round $primary 60%; scrollbar-size: 1 1;
        border-title-color: $accent; border-subtitle-color: $foreground 60%;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,f1,enter", "close", "close")]

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette

    def compose(self) -> ComposeResult:
        """The text, which scrolls."""
        with VerticalScroll() as box:
            box.border_title = Content(" help ")
            box.border_subtitle = Content(" arrows and pages scroll, Esc closes ")
            yield Static(help_text(self._palette), markup=False)

    def action_close(self) -> None:
        """Back to the grid."""
        self.dismiss(None)
