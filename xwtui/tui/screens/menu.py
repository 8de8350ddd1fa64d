"""A catalogue of all commands by group, and what shows it: the palette, a menu bar, or a single popup menu."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, partial
from textwrap import wrap
from typing import ClassVar, NamedTuple, Protocol, cast

from rich.text import Text
from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider, SearchIcon
from textual.content import Content
from textual.geometry import Offset
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static, Tab, Tabs
from textual.widgets.option_list import Option

from xwtui.model import Position, Slot
from xwtui.session.keys.actions import ACTIONS, Action, KeyPlace
from xwtui.session.keys.key_map import KeyMap, own_map
from xwtui.session.verbs.registry import BY_TASK, MAIN_SET, SECTIONS, VERBS
from xwtui.session.verbs.searching import Sought, VerbSearch, phrases_for, sought_verb
from xwtui.session.verbs.verb import Verb
from xwtui.text import clauses_within, printable
from xwtui.tui.editing.context import EditorContext, Host
from xwtui.tui.keys import brief_cap_of
from xwtui.tui.screens.overlays import unless_left
from xwtui.tui.widgets.entry_list import is_locked

_LONGEST_HELP = 1_000
_NOT_OFFERED = frozenset(("palette", "menu", "cancel", "cancel or rebus"))
"""Commands that only make sense as keys."""
_ASKS_BY_ITSELF = frozenset(("templates", "theme answers", "design", "watch"))
"""Verbs with arguments that do something useful without any, or open a screen to enter them."""


class Acting(Protocol):
    """The interface of the editor used here."""

    def action_act(self, target: str) -> None:
        """Act like a key: run an action of the screen, a verb's key or a line."""

    def action_ask(self, line: str) -> None:
        """Open the command line with an initial text."""


class CatalogueItem(NamedTuple):
    """A command: its name, its key as in the footer, a one-sentence summary, and a longer `help`.

    `target` is what a key would be bound to or, with `asks`, the start of a line that needs more words. `choices`
    are the values that its argument can take.
    """

    name: str
    key: str
    summary: str
    target: str
    asks: bool = False
    choices: tuple[str, ...] = ()
    help: str = ""

    @property
    def searchable(self) -> Sought:
        """The item as searched by the palette."""
        if verb := VERBS.get(self.name):
            return sought_verb(verb, matters=verb in MAIN_SET)
        return Sought(self.name.lower(), phrases_for(self.name), self.summary, self.help or self.summary)

    def chosen_by(self, query: str) -> "CatalogueItem":
        """Return the item with the searched text as its argument, if that is one of its choices."""
        chosen = query.strip().lower().removeprefix(f"{self.name} ")
        return self._replace(target=f"{self.target} {chosen}", asks=True) if chosen in self.choices else self

    def act(self, editor: Acting) -> None:
        if self.asks:
            editor.action_ask(f"{self.target} ")
        else:
            editor.action_act(self.target)


def catalogue(keys: KeyMap, entry: str = "1A") -> Iterator[CatalogueItem]:
    """Yield all commands, main verbs first; one of the lines often sought asks about a word in `entry`."""
    yield from (_of_verb(verb, keys) for members in SECTIONS.values() for verb in members)
    summary = f"Explain why a word cannot go in {entry}, or show that it can"
    yield CatalogueItem(f"why {entry} WORD", "", summary, f"why {entry}", asks=True)
    summary = "Clear what is in pencil; pen and locked squares stay"
    yield CatalogueItem("clear pencil", "", summary, "clear pencil")
    summary = "open xwtui in a web browser: run `xwtui serve FILE` in a shell"
    yield CatalogueItem("serve", "", summary, "help serve")
    yield from (_of_action(action, keys) for action in ACTIONS if _is_offered(action))


def _is_offered(action: Action) -> bool:
    """Whether an action is offered: cursor movement is not."""
    is_travel = action.place is KeyPlace.GRID and any(
        word in action.name.split() for word in ("left", "right", "up", "down", "start", "end", "top", "foot")
    )
    return not is_travel and action.place is not KeyPlace.CANDIDATES and action.name not in _NOT_OFFERED


def brief_help(verb: Verb) -> str:
    """Return a verb's help in one line."""
    return printable(" ".join((verb.command.help or verb.summary).split()), _LONGEST_HELP)


def _of_verb(verb: Verb, keys: KeyMap) -> CatalogueItem:
    """Return a verb's item: it acts like its key or, without one, runs the verb or asks for arguments."""
    help = brief_help(verb)
    asks = not own_map().keys_of(verb.name) and bool(verb.arguments) and verb.name not in _ASKS_BY_ITSELF
    key = brief_cap_of(keys, verb.name)
    return CatalogueItem(verb.name, key, verb.summary, verb.name, asks, verb.choices, help)


def _of_action(action: Action, keys: KeyMap) -> CatalogueItem:
    key = brief_cap_of(keys, action.name)
    help = f"{action.summary[:1].upper()}{action.summary[1:]}."
    return CatalogueItem(action.name, key, action.summary, action.name, help=help)


_KEY_WIDTH, _NAME_WIDTH = 9, 17
_AROUND = 9
"""Width around a row's text: the frame of the list, and the gaps between its columns."""


@cache
def _search() -> VerbSearch:
    """Return the search index over the catalogue, in its order, which does not depend on the keys."""
    return VerbSearch([item.searchable for item in catalogue(own_map())])


class CommandProvider(Provider):
    """Offers all commands, and finds them by name, group or help."""

    @cached_property
    def _items(self) -> tuple[CatalogueItem, ...]:
        """The catalogue, cached as long as the palette is open: it is used for each letter typed."""
        host = cast(Host, self.app)
        slot = host.session.cursor.entry
        return tuple(catalogue(host.keys, slot.name if slot is not None else "1A"))

    async def discover(self) -> Hits:
        for item in self._items:
            yield DiscoveryHit(self._row(item, Content(item.name)), self._act(item), item.name)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for place, score in _search().found(query):
            item = self._items[place]
            name = matcher.highlight(item.name) if matcher.match(item.name) else Content(item.name)
            yield Hit(score, self._row(item, name), self._act(item.chosen_by(query)), item.name)

    def _act(self, item: CatalogueItem) -> partial[None]:
        return partial(item.act, cast(Acting, self.screen))

    def _row(self, item: CatalogueItem, name: Content) -> Content:
        """Return a row: the key, the name with the match highlighted, and as much of the summary as fits."""
        summary = clauses_within(item.summary, room_for_summary(item, self.app.size.width))
        gap = " " * (max(_NAME_WIDTH - len(item.name), 0) + 1)
        return Content.assemble((f"{item.key:>{_KEY_WIDTH}}  ", "not bold"), name, gap, (summary, "not bold"))


def room_for_summary(item: CatalogueItem, width: int) -> int:
    """Return the width for an item's summary, on a screen of this width."""
    return width - _AROUND - _KEY_WIDTH - max(_NAME_WIDTH, len(item.name))


class CommandListPalette(CommandPalette):
    """Textual's palette with our commands, one line for each, whose end is cut with an ellipsis if needed."""

    DEFAULT_CSS = "CommandListPalette CommandList { text-wrap: nowrap; text-overflow: ellipsis; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+u", "forget", show=False, priority=True)]

    def __init__(self) -> None:
        super().__init__([CommandProvider], placeholder="Search commands by name or description")

    def on_mount(self) -> None:
        """Use a search icon that every font has, one cell wide in every terminal."""
        self.query_one(SearchIcon).icon = "›"

    def action_forget(self) -> None:
        self.query_one(Input).value = ""


_FRAME = 2
"""Lines, and columns, of a menu's frame."""
_ITEM_PADDING = 4
_SCROLL_BAR = 2
_HELP_LINES = 3
"""Lines at the bottom reserved for an item's help."""
_LONGEST_TITLE = 40


class Menu(NamedTuple):
    """A menu: its title and its items, in sections separated by lines."""

    title: str
    sections: tuple[tuple[CatalogueItem, ...], ...]

    @property
    def items(self) -> tuple[CatalogueItem, ...]:
        return tuple(item for section in self.sections for item in section)


def task_menus(keys: KeyMap) -> list[Menu]:
    """Return all commands as menus, one per task, the last of which also has the screen's own actions."""
    menus = [
        Menu(task, tuple(tuple(_of_verb(verb, keys) for verb in section) for section in sections))
        for task, sections in BY_TASK.items()
    ]
    own = tuple(_of_action(action, keys) for action in ACTIONS if _is_offered(action))
    return [*menus[:-1], menus[-1]._replace(sections=(*menus[-1].sections, own))]


def whole_sentences(text: str, width: int, lines: int) -> str:
    """Return as many whole sentences as fit in `lines`, but at least the first."""
    sentences = re.split(r"(?<=[.;]) (?=[A-Z`])", text)
    shown = sentences[0]
    for more in range(2, len(sentences) + 1):
        longer = " ".join(sentences[:more])
        if len(wrap(longer, width)) > lines:
            break
        shown = longer
    return shown


class MenuScreen(ModalScreen[CatalogueItem | None]):
    """Shows menus; returns the chosen item, or None. A letter moves to the next item that starts with it.

    Arrow keys move and Enter chooses. No letter chooses: typeahead must not decide.
    """

    DEFAULT_CSS = """
    MenuScreen { background: $background 0%; layers: base menu; }
    MenuScreen Tabs { dock: top; height: 1; background: $panel; }
    MenuScreen Tabs Underline { display: none; }
    MenuScreen Tab { height: 1; padding: 0 1; }
    MenuScreen Tab.-active { background: $primary 40%; text-style: bold; }
    MenuScreen OptionList, MenuScreen OptionList:focus {
        layer: menu; padding: 0 1; scrollbar-size: 1 1; text-wrap: nowrap; text-overflow: ellipsis;
        background: $surface; border: round $primary 60%; border-title-color: $accent;
    }
    MenuScreen #help {
        dock: bottom; width: 100%; height: auto; max-height: 3; padding: 0 1;
        background: $panel; color: $foreground;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f9", "dismiss", "close"),
        Binding("left", "turn(-1)", show=False),
        Binding("right", "turn(1)", show=False),
    ]

    _list = getters.query_one(OptionList)

    def __init__(self, menus: Sequence[Menu], at: Offset | None = None) -> None:
        """Several menus form a menu bar; a single one opens at the screen offset `at`."""
        super().__init__()
        self._menus = menus
        self._at = at
        self._open = 0
        self._width = 0

    def compose(self) -> ComposeResult:
        if len(self._menus) > 1:
            tabs = Tabs(*(Tab(menu.title, id=f"menu-{n}") for n, menu in enumerate(self._menus)))
            tabs.can_focus = False
            yield tabs
        yield OptionList()
        yield Static(id="help", markup=False)

    def on_mount(self) -> None:
        self._list.focus()
        self._show(0)

    @property
    def _items(self) -> tuple[CatalogueItem, ...]:
        return self._menus[self._open].items

    def _show(self, index: int) -> None:
        self._open = index
        menu, options = self._menus[index], self._list
        name_width = max(len(_name(item)) for item in menu.items)
        key_width = max(len(item.key) for item in menu.items)
        options.clear_options()
        for number, section in enumerate(menu.sections):
            rows = [Text(f"{_name(item):{name_width}}  {item.key:>{key_width}}") for item in section]
            options.add_options([*([None] if number else []), *(Option(row) for row in rows)])
        options.border_title = "" if len(self._menus) > 1 else Text(f" {printable(menu.title, _LONGEST_TITLE)} ")
        options.highlighted = 0
        self._width = name_width + 2 + key_width + _ITEM_PADDING
        self._place()

    def _place(self) -> None:
        """Place the open menu below its title or at the mouse, within the screen."""
        options, room, width = self._list, self.app.size, self._width
        top = 1 if len(self._menus) > 1 else 0
        lines = len(self._items) + len(self._menus[self._open].sections) - 1 + _FRAME
        height = min(lines, room.height - top - _HELP_LINES)
        width = min(width + _SCROLL_BAR * (height < lines), room.width)
        left = self._at.x if self._at is not None else self.query_one(f"#menu-{self._open}", Tab).region.x
        line = self._at.y if self._at is not None else top
        options.styles.width, options.styles.height = width, height
        options.styles.offset = max(min(left, room.width - width), 0), max(min(line, room.height - height), top)

    def on_resize(self) -> None:
        self.call_after_refresh(self._place)

    @on(Tabs.TabActivated)
    def _tab_chosen(self, event: Tabs.TabActivated) -> None:
        index = int(str(event.tab.id).rpartition("-")[2])
        if index != self._open:
            self._show(index)

    @on(OptionList.OptionHighlighted)
    def _pointed(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_index < len(self._items):
            item = self._items[event.option_index]
            help = whole_sentences(item.help or item.summary, self.size.width - 2, _HELP_LINES)
            self.query_one("#help", Static).update(help)

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._items[event.option_index])

    def on_key(self, event: events.Key) -> None:
        letter = event.character
        if letter is None or not letter.isalnum():
            return
        event.stop()
        here = self._list.highlighted or 0
        places = [*range(here + 1, len(self._items)), *range(here + 1)]
        found = next((n for n in places if self._items[n].name.lower().startswith(letter.lower())), here)
        self._list.highlighted = found

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(None)

    def action_turn(self, menus: int) -> None:
        if len(self._menus) > 1:
            self._show((self._open + menus) % len(self._menus))  # at once, as the next key may already be waiting
            self.query_one(Tabs).active = f"menu-{self._open}"


def _name(item: CatalogueItem) -> str:
    """Return an item's label; an ellipsis shows that it asks for arguments."""
    return f"{item.name} …" if item.asks else item.name


class Menus:
    """Opens menus, and runs the chosen items like their keys."""

    def __init__(self, context: EditorContext) -> None:
        self._context = context
        self._session = context.session

    def show_all(self) -> None:
        """Open the menu bar, with its first menu open."""
        self._push(MenuScreen(task_menus(self._context.keys)))

    def show_square(self, position: Position, at: Offset) -> None:
        """Go to a square, and open the menu of its entry, preferably in the cursor's direction."""
        if self._context.attempt(lambda: self._session.cursor.move_to(position)):
            self.show_entry(at)

    def show_entry(self, at: Offset | None = None) -> None:
        """Open the menu of the current entry, at a screen offset or below the cursor."""
        self._context.focus_grid()
        slot = self._session.cursor.entry
        place = at if at is not None else self._context.desk.grid.cursor_region().bottom_left
        title = f"{slot.label}  {self._session.puzzle.grid.pattern(slot)}" if slot is not None else "square"
        of_entry = [tuple(self._of_entry(slot))] if slot is not None else []
        names = {"rebus": "write a rebus", "block": "block", "circle": "circle"}
        of_square = tuple(self._item(verb, name, verb) for verb, name in names.items())
        self._push(MenuScreen([Menu(title, (*of_entry, of_square))], place))

    def _push(self, screen: MenuScreen) -> None:
        editor = cast(Acting, self._context.screen)
        self._context.host.push_screen(screen, unless_left(lambda item: item.act(editor)))

    def _of_entry(self, slot: Slot) -> Iterator[CatalogueItem]:
        grid, name, squares = self._session.puzzle.grid, slot.name, slot.label
        answer = grid.answer(slot)
        yield self._item("fill", "fill this entry", f"fill --only {squares}")._replace(key="")
        key = brief_cap_of(self._context.keys, "candidate list")
        yield CatalogueItem("candidates", key, "Choose among the words that fit.", "candidate list")
        yield self._item("swap", "swap for another word", f"swap {name}")
        yield self._item("why", "why", f"why {name} {answer}" if answer else "why")
        locks = "unlock" if is_locked(grid, slot) else "lock"
        yield self._item(locks, locks, f"{locks} {squares}")
        yield self._item("clue", "clue", f"clue {name}", asks=True)
        yield self._item("reject", "reject this word", f"reject {name}")
        yield self._item("clear", "clear", f"clear {squares}")

    def _item(self, verb: str, name: str, target: str, *, asks: bool = False) -> CatalogueItem:
        return CatalogueItem(name, brief_cap_of(self._context.keys, verb), brief_help(VERBS[verb]), target, asks)
