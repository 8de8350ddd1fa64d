"""The menus of the editor: all that can be done, by group, and what can be done with an entry."""

from collections.abc import Iterator
from itertools import groupby
from typing import cast

from textual.geometry import Offset

from xwtui.model import Position, Slot
from xwtui.session.verbs.registry import VERBS
from xwtui.session.verbs.verb import Group
from xwtui.tui.catalogue import Acting, CatalogueItem, brief_help, catalogue
from xwtui.tui.editing.context import EditorContext
from xwtui.tui.entry_rows import is_locked
from xwtui.tui.keys import brief_cap_of
from xwtui.tui.screens.menu import Menu, MenuScreen

_TITLES = {Group.CLUES.value: "Clues", Group.SOLVE.value: "Solve"}
"""Titles that are shorter in the row of menus."""


class Menus:
    """Opens menus; what is chosen there is done as its key would do it."""

    def __init__(self, context: EditorContext) -> None:
        self._context = context
        self._session = context.session

    def show_all(self) -> None:
        """Open the row of menus, the first of them open."""
        items = catalogue(self._context.keys)
        menus = [
            Menu(_TITLES.get(group, group), tuple(members))
            for group, members in groupby(items, key=lambda item: item.group)
        ]
        self._push(MenuScreen(menus))

    def show_square(self, position: Position, at: Offset) -> None:
        """Go to a square, and open the menu of its entry in the direction of the cursor, or the other."""
        if self._context.attempt(lambda: self._session.cursor.move_to(position)):
            self.show_entry(at)

    def show_entry(self, at: Offset | None = None) -> None:
        """Open the menu of the current entry, at a cell of the screen or below the cursor."""
        self._context.focus_grid()
        slot = self._session.cursor.entry
        place = at if at is not None else self._context.desk.grid.cursor_region().bottom_left
        title = f"{slot.label}  {self._session.puzzle.grid.pattern(slot)}" if slot is not None else "square"
        self._push(MenuScreen([Menu(title, tuple(self._of_place(slot)))], place))

    def _push(self, screen: MenuScreen) -> None:
        def chosen(item: CatalogueItem | None) -> None:
            if item is not None:
                item.act(cast(Acting, self._context.screen))

        self._context.host.push_screen(screen, chosen)

    def _of_place(self, slot: Slot | None) -> Iterator[CatalogueItem]:
        if slot is not None:
            yield from self._of_entry(slot)
        yield self._item("rebus", "write a rebus", "rebus")
        yield self._item("block", "block", "block")
        yield self._item("circle", "circle", "circle")

    def _of_entry(self, slot: Slot) -> Iterator[CatalogueItem]:
        grid, name, squares = self._session.puzzle.grid, slot.name, slot.label
        answer = grid.answer(slot)
        yield self._item("fill", "fill this entry", f"fill --only {squares}")._replace(key="")
        keys = self._context.keys
        told = "Choose among the words that fit."
        yield CatalogueItem("", "candidates", brief_cap_of(keys, "candidate list"), told, told, "candidate list")
        yield self._item("swap", "swap for another word", f"swap {name}")
        yield self._item("why", "why", f"why {name} {answer}" if answer else "why")
        locks = "unlock" if is_locked(grid, slot) else "lock"
        yield self._item(locks, locks, f"{locks} {squares}")
        yield self._item("clue", "clue", f"clue {name}", asks=True)
        yield self._item("reject", "reject this word", f"reject {name}")
        yield self._item("clear", "clear", f"clear {squares}")

    def _item(self, verb: str, name: str, target: str, *, asks: bool = False) -> CatalogueItem:
        told = brief_help(VERBS[verb])
        return CatalogueItem("", name, brief_cap_of(self._context.keys, verb), told, told, target, asks)
