"""Menus: Textual's tabs and option list laid over the screen; or one menu alone, where the mouse is."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static, Tab, Tabs
from textual.widgets.option_list import Option

from xwtui.text import printable
from xwtui.tui.catalogue import CatalogueItem

_FRAME = 2
"""Lines and columns of the frame around a menu."""
_ITEM_PADDING = 4
_SCROLL_BAR = 2
_HELP_LINES = 3
"""Lines at the foot that are left to the help of an item."""
_LONGEST_TITLE = 40


class Menu(NamedTuple):
    """A menu: its title and what it offers."""

    title: str
    items: tuple[CatalogueItem, ...]


class MenuScreen(ModalScreen[CatalogueItem | None]):
    """Ends with what was chosen, or None. Arrows walk, Enter chooses, a letter goes to the next item with it.

    No letter chooses: what was typed ahead must not decide.
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
    MenuScreen #told {
        dock: bottom; width: 100%; height: auto; max-height: 3; padding: 0 1;
        background: $panel; color: $foreground;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f9", "leave", "close"),
        Binding("left", "turn(-1)", show=False),
        Binding("right", "turn(1)", show=False),
    ]

    def __init__(self, menus: Sequence[Menu], at: Offset | None = None) -> None:
        """Several menus stand side by side in the first line; one alone opens `at` a cell of the screen."""
        super().__init__()
        self._menus = menus
        self._at = at
        self._open = 0
        """The index of the menu that is open."""
        self._width = 0
        """The cells that its items take."""

    def compose(self) -> ComposeResult:
        if len(self._menus) > 1:
            tabs = Tabs(*(Tab(menu.title, id=f"menu-{n}") for n, menu in enumerate(self._menus)))
            tabs.can_focus = False
            yield tabs
        yield OptionList()
        yield Static(id="told", markup=False)

    def on_mount(self) -> None:
        self._list.focus()
        self._show(0)

    @property
    def _list(self) -> OptionList:
        return self.query_one(OptionList)

    @property
    def _items(self) -> tuple[CatalogueItem, ...]:
        return self._menus[self._open].items

    def _show(self, index: int) -> None:
        self._open = index
        menu, options = self._menus[index], self._list
        name_width = max(len(_name(item)) for item in menu.items)
        key_width = max(len(item.key) for item in menu.items)
        rows = [
            Text.assemble(f"{_name(item):{name_width}}", (f"  {item.key:>{key_width}}", "dim"))
            for item in menu.items
        ]
        options.clear_options().add_options([Option(row) for row in rows])
        options.border_title = "" if len(self._menus) > 1 else Text(f" {printable(menu.title, _LONGEST_TITLE)} ")
        options.highlighted = 0
        self._width = name_width + 2 + key_width + _ITEM_PADDING
        self._place()

    def _place(self) -> None:
        """Put the open menu below its title or beside the mouse, where there is room for it."""
        options, room, width = self._list, self.app.size, self._width
        top = 1 if len(self._menus) > 1 else 0
        height = min(len(self._items) + _FRAME, room.height - top - _HELP_LINES)
        width = min(width + _SCROLL_BAR * (height < len(self._items) + _FRAME), room.width)
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
            self.query_one("#told", Static).update(self._items[event.option_index].help)

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
            self._show((self._open + menus) % len(self._menus))  # at once: the next key may be here already
            self.query_one(Tabs).active = f"menu-{self._open}"

    def action_leave(self) -> None:
        self.dismiss(None)


def _name(item: CatalogueItem) -> str:
    """What an item is called; dots say that it asks for words."""
    return f"{item.name} …" if item.asks else item.name
