"""The screen's keys: bindings made from a key map, and the one-line footer that shows them.

Textual's own footer has a widget per key, and rebuilds all of them whenever the focus moves.
"""

import enum
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingsMap
from textual.dom import DOMNode
from textual.reactive import reactive
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from xwtui.session.keys.actions import BY_NAME, KeyPlace
from xwtui.session.keys.key_map import KeyMap
from xwtui.session.keys.names import brief_key_cap, key_cap


def no_key_words(event: events.Key, remedy: str) -> str:
    """Return the message for a key that does nothing, with what to press instead."""
    named = event.character if event.is_printable and event.character else key_cap(event.key)
    return f"{named} does nothing here; {remedy}"


class NextSteps(enum.Enum):
    """What the footer shows in each situation, in order: verbs and actions of the screen."""

    BUILDING = ("fill", "step", "lock", "rebus", "block", "hardest", "palette", "help")
    RUNNING = ("stop", "palette", "help")
    RECORDED = ("step", "back", "next backtrack", "watch screen", "stop", "palette", "help")
    REPLAYED = ("back", "watch screen", "accept", "stop", "fill", "palette", "help")
    STEPPING = ("step", "back", "continue", "next backtrack", "watch screen", "accept", "stop", "help")
    FILLED = ("improve", "swap", "fills", "clue table", "save", "export", "palette", "help")
    BROKEN = ("fill", "undo", "improve", "swap", "fills", "save", "palette", "help")
    """A full grid in which pencil is part of an answer that no list has."""
    DEAD = ("why", "hardest", "whatif blocks", "undo", "palette", "help")


_STAYING = ("palette", "help")
FOOTER = frozenset(name for steps in NextSteps for name in steps.value)


def brief_cap_of(keys: KeyMap, target: str) -> str:
    """Return the key to show for an action or a verb, abbreviated; empty if it has none."""
    found = keys.keys_of(target)
    return brief_key_cap(found[0]) if found else ""


def bindings(keys: KeyMap, *places: KeyPlace) -> list[Binding]:
    """Return the bindings of the keys of some places."""
    return [
        Binding(
            one.key,
            f"screen.act({one.target!r})",
            BY_NAME[one.target].footer or one.target if one.target in BY_NAME else one.target,
            show=one.target in FOOTER or one.place is KeyPlace.CANDIDATES,
            key_display=brief_cap_of(keys, one.target),
            id=one.target if one.target in FOOTER else None,
        )
        for one in keys.bindings
        if one.place in places
    ]


def has_own_key(part: DOMNode, key: str) -> bool:
    """Whether a part of the screen binds a key itself."""
    return key in part._bindings.key_to_bindings


def rebind(part: DOMNode, own: Iterable[Binding]) -> None:
    """Give a part of the screen its own bindings, before those that its class declares.

    Textual's own key maps only move existing bindings, and can neither remove a key nor bind one to a verb. The
    bindings of an instance and of its class are private attributes there.
    """
    declared = type(part)._merged_bindings or BindingsMap()
    part._bindings = BindingsMap.merge([BindingsMap(own), declared])


class FooterEntry(NamedTuple):
    """A key in the footer: Textual's name, the label of the key, and its description."""

    key: str
    cap: str
    does: str
    stays: bool = False
    """Whether it is shown no matter how little room there is, since it leads to all others."""

    @property
    def width(self) -> int:
        return cell_len(self.cap) + cell_len(self.does) + 2


class KeyFooter(Widget):
    """Shows the active keys, as many as fit; a click presses one."""

    COMPONENT_CLASSES = {"key-footer--key", "key-footer--does"}  # noqa: RUF012  (declared this way by Textual)
    DEFAULT_CSS = """
    KeyFooter {
        dock: bottom; height: 1;
        color: $footer-foreground; background: $footer-background;
        .key-footer--key { color: $footer-key-foreground; background: $footer-key-background; text-style: bold; }
        .key-footer--does { color: $footer-description-foreground; background: $footer-description-background; }
    }
    """
    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[FooterEntry, ...] = ()

    steps: reactive[tuple[str, ...]] = reactive(())
    """The names of the screen's own keys to show, in order; all if empty."""

    def watch_steps(self) -> None:
        if self.is_mounted:
            self._bindings_changed(self.screen)

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def _bindings_changed(self, screen: Screen[object]) -> None:
        entries = tuple(self._shown())
        if entries != self._entries:
            self._entries = entries
            self.refresh()

    def _shown(self) -> Iterator[FooterEntry]:
        done: set[str] = set()
        bindings = [binding for _, binding, _, _ in self.screen.active_bindings.values() if binding.show]
        if self.screen.has_class("-asking"):  # typed text goes into a line, not to keys
            bindings = [one for one in bindings if one.id not in FOOTER]
        elif self.steps:
            places = {name: place for place, name in enumerate(self.steps)}
            bindings = [one for one in bindings if one.id not in FOOTER or one.id in places]
            bindings.sort(key=lambda one: places.get(one.id or "", -1))
        for binding in bindings:
            if binding.action not in done:
                done.add(binding.action)
                cap = self.app.get_key_display(binding)
                yield FooterEntry(binding.key, cap, binding.description, binding.id in _STAYING)

    def render_line(self, y: int) -> Strip:
        plain = self.rich_style
        cap = plain + self.get_component_rich_style("key-footer--key")
        does = plain + self.get_component_rich_style("key-footer--does")
        segments = [Segment(" ", plain)]
        for entry, _ in self._placed():
            segments += [Segment(entry.cap, cap), Segment(f" {entry.does}", does), Segment(" ", plain)]
        return Strip(segments).adjust_cell_length(self.size.width, plain)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        for entry, left in self._placed():
            if left <= event.x < left + entry.width - 1:
                event.stop()
                self.app.simulate_key(entry.key)

    def _placed(self) -> Iterator[tuple[FooterEntry, int]]:
        """Yield the keys that fit, leaving room for those that always stay, each with its first cell."""
        left, room = 1, self.size.width - sum(entry.width for entry in self._entries if entry.stays)
        for entry in self._entries:
            if entry.stays or left + entry.width - 1 <= room:
                yield entry, left
                left += entry.width
                room += entry.width * entry.stays
