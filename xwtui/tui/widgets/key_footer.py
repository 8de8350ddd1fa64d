"""The keys at the foot of a screen, as one line.

Textual's own footer has a widget for each key, and makes all of them anew whenever the focus moves.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.reactive import reactive
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from xwtui.tui.keys import FOOTER


class FooterEntry(NamedTuple):
    """A key that is shown: Textual's name of it, how it is written, and what it does."""

    key: str
    cap: str
    does: str

    @property
    def width(self) -> int:
        return cell_len(self.cap) + cell_len(self.does) + 2


class KeyFooter(Widget):
    """Shows the keys of what has the focus, as many as there is room for; a click presses one."""

    COMPONENT_CLASSES = {"key-footer--key", "key-footer--does"}  # noqa: RUF012  (Textual declares it so)
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
    """The names of the screen's own keys that are shown, in their order; all of them where none is named."""

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
        if self.screen.has_class("-asking"):  # what is typed is a line, and no key
            bindings = [one for one in bindings if one.id not in FOOTER]
        elif self.steps:
            places = {name: place for place, name in enumerate(self.steps)}
            bindings = [one for one in bindings if one.id not in FOOTER or one.id in places]
            bindings.sort(key=lambda one: places.get(one.id or "", -1))
        for binding in bindings:
            if binding.action not in done:
                done.add(binding.action)
                yield FooterEntry(binding.key, self.app.get_key_display(binding), binding.description)

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
        """The keys that have room as a whole, each with the cell where it begins."""
        left = 1
        for entry in self._entries:
            if left + entry.width - 1 > self.size.width:
                return
            yield entry, left
            left += entry.width
