"""Lines of styled pieces of text, the stuff that our line-drawing widgets are made of."""

from collections.abc import Iterable

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

Fragment = tuple[str, Style]
"""A piece of text with its style; text of users and files is made `printable` before it gets here."""


def line_strip(fragments: Iterable[Fragment], width: int, base: Style, right: Iterable[Fragment] = ()) -> Strip:
    """Lay fragments out as one line of `width` cells, with those of `right` at its right end.

    Each style is laid over `base`. Where there is no room for both, the left ones are cut.
    """
    tail = Strip([Segment(text, base + style) for text, style in right])
    head = Strip([Segment(text, base + style) for text, style in fragments])
    room = max(width - tail.cell_length, 0)
    return Strip.join([_cut(head, room, base), tail.adjust_cell_length(min(tail.cell_length, width), base)])


def _cut(strip: Strip, width: int, base: Style) -> Strip:
    if strip.cell_length <= width:
        return strip.extend_cell_length(width, base)
    return Strip([*strip.crop(0, max(width - 1, 0)), Segment("…", base)]).adjust_cell_length(width, base)
