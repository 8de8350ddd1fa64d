"""How an answer is laid into the squares of a slot: one character a square, or a rebus string."""

import re
from collections.abc import Sequence

from xwtui.errors import PuzzleError
from xwtui.model.grid import Grid
from xwtui.model.slots import Slot
from xwtui.model.square import Content

_PIECE = re.compile(r"\[([^\[\]]*)\]|([A-Z0-9])")


def pieces(text: str) -> tuple[Content, ...]:
    """Cut an answer such as `SWEET[HEART]S` into the contents of its squares.

    Raises PuzzleError for characters other than A-Z, 0-9 and bracketed rebus strings.
    """
    bare = text.upper()
    if _PIECE.sub("", bare):
        raise PuzzleError(f"{text[:40]!r} is no answer; write letters and digits, a rebus square as [HEART]")
    return tuple(Content.parse(match[1] or match[2] or "") for match in _PIECE.finditer(bare))


def contents_for(grid: Grid, slot: Slot, text: str) -> tuple[Content, ...]:
    """The content of each square of a slot when it holds an answer.

    A bracketed answer says which squares are rebus; a plain one takes its rebus squares from those
    that stand on the grid, so `SWEETHEARTS` fits seven squares of which the sixth holds HEART.
    Raises PuzzleError where the answer does not fit.
    """
    answer = pieces(text)
    standing = [grid[position].content for position in slot.positions]
    is_bracketed = "[" in text
    if len(answer) == len(slot) and (is_bracketed or not any(_is_rebus(content) for content in standing)):
        return tuple(_keep_other_reading(new, old, slot) for new, old in zip(answer, standing, strict=True))
    laid = None if is_bracketed else _along_standing_rebus(text.upper(), standing, slot)
    if laid is None:
        raise PuzzleError(_misfit(grid, slot, text, len(answer)))
    return laid


def _is_rebus(content: Content | None) -> bool:
    return content is not None and content.is_rebus


def _keep_other_reading(new: Content, old: Content | None, slot: Slot) -> Content:
    """Keep a slash square whose reading in this direction is already the one wanted."""
    if old is not None and not new.is_schroedinger and old.reading(slot.direction) == new.reading(slot.direction):
        return old
    return new


def _along_standing_rebus(word: str, standing: Sequence[Content | None], slot: Slot) -> tuple[Content, ...] | None:
    laid: list[Content] = []
    rest = word
    for content in standing:
        if content is not None and content.is_rebus:
            reading = content.reading(slot.direction)
            if not rest.startswith(reading):
                return None
            laid.append(content)
            rest = rest[len(reading) :]
        elif rest:
            laid.append(Content.of(rest[0]))
            rest = rest[1:]
        else:
            return None
    return tuple(laid) if not rest else None


def _misfit(grid: Grid, slot: Slot, text: str, squares: int) -> str:
    pattern = grid.pattern(slot)
    if "[" in pattern:
        return f"{text.upper()[:60]} does not fit {slot.name}, which reads {pattern}"
    return f"{text.upper()[:60]} takes {squares} squares; {slot.name} has {len(slot)}"
