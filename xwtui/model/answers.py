"""An answer as it is written, such as `LO[CAT]IONSCOUT`, and the squares that it takes.

Answers are always measured in squares; a rebus in brackets takes one.

Names hidden along a line may have gaps of any width, and circles are drawn around their letters. Source: Bob
Copeland, "On board the rebus": "I decided having any old separation between circles was fine as long as the
components were all on the same line".
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from xwtui.errors import PuzzleError
from xwtui.lazy import lazy_pattern
from xwtui.model.grid import Grid
from xwtui.model.letters import KNOWN, capital
from xwtui.model.slots import Slot
from xwtui.model.square import Content
from xwtui.model.where import Direction, Position
from xwtui.text import listed

_PIECE = lazy_pattern(rf"\[([^\[\]]*)\]|([{KNOWN}])")
_KEPT = 4_096


@lru_cache(_KEPT)
def pieces(text: str) -> tuple[Content, ...]:
    """Split an answer such as `SWEET[HEART]S` into the contents of its squares.

    Raises PuzzleError for characters other than letters, 0-9 and bracketed rebus strings.
    """
    bare = capital(text)
    if _PIECE.sub("", bare):
        raise PuzzleError(f"{text[:40]!r} is not an answer; write letters, digits and rebus squares as [HEART]")
    return tuple(Content.parse(match[1] or match[2] or "") for match in _PIECE.finditer(bare))


def square_count(text: str) -> int:
    """Return the number of squares in an answer, 11 for `LO[CAT]IONSCOUT`; raises PuzzleError as `pieces` does."""
    return len(pieces(text))


def squares_in_words(answers: Iterable[str]) -> str:
    """Return the answers' distinct lengths in words: `11 or 13 squares`."""
    numbers = sorted({square_count(answer) for answer in answers})
    return f"{listed(list(map(str, numbers)), 'or')} square{'' if numbers == [1] else 's'}"


def contents_for(grid: Grid, slot: Slot, text: str, *, given_only: bool = False) -> tuple[Content, ...]:
    """Return the content of each square of a slot's `reading` once it holds an answer; see `laid_along` for rebus.

    All existing content is taken into account, or only that in PEN or LOCKED if `given_only`. Raises PuzzleError
    if the answer does not fit.
    """
    squares = [grid[position] for position in slot.reading]
    standing = [square.content if square.is_given or not given_only else None for square in squares]
    laid = laid_along(text, standing, slot.directions)
    if laid is None:
        pattern, answer = grid.pattern(slot), text.upper()[:60]
        if "[" in pattern:
            raise PuzzleError(f"{answer} does not fit {slot.label}, which reads {pattern}")
        raise PuzzleError(f"{answer} takes {squares_in_words([text])}; {slot.label} has {len(slot)}")
    at_squares = dict(zip(slot.reading, laid, strict=True))
    for at, content in zip(slot.reading, laid, strict=True):
        if at_squares[at] != content:
            clash = f"{content} and {at_squares[at]} would share {at}"
            raise PuzzleError(f"{text.upper()[:60]} does not fit {slot.label}: {clash}")
    return laid


def laid_along(
    text: str, standing: Sequence[Content | None], directions: Sequence[Direction]
) -> tuple[Content, ...] | None:
    """Return the content of each square that an answer takes, or None if it does not fit.

    `standing` holds the current contents, `directions` the direction in which the answer reads each square. A
    bracketed answer specifies its rebus squares. A plain answer uses the existing ones, so `SWEETHEARTS` fits
    seven squares of which the sixth holds HEART. Other contents are overwritten. Raises PuzzleError for a
    malformed answer.
    """
    answer = pieces(text)
    is_bracketed = "[" in text
    has_rebus = any(content.is_rebus and not content.is_letter_pair for content in standing if content is not None)
    if len(answer) == len(standing) and (is_bracketed or not has_rebus):
        return tuple(map(_keep_other_reading, answer, standing, directions))
    return None if is_bracketed else _along_standing_rebus(capital(text), standing, directions)


def slot_taking(grid: Grid, light: Slot, text: str) -> Slot:
    """Return the slot along which to write an answer: the light itself if it fits there, else the whole link."""
    standing = [grid[at].content for at in light.positions]
    return light if laid_along(text, standing, light.directions) is not None else grid.entry_of(light)


def _keep_other_reading(new: Content, old: Content | None, direction: Direction) -> Content:
    """Keep a slash square's reading in the other direction."""
    if old is None or new.is_schroedinger:
        return new
    if old.reading(direction) == new.reading(direction):
        return old
    return beside(new, old, direction) if old.is_letter_pair else new


def beside(one: Content, other: Content, direction: Direction) -> Content:
    """Return the content that reads as `one` in a direction, and as `other` in the other direction."""
    across, down = (one, other) if direction is Direction.ACROSS else (other, one)
    return Content(across.across, down.down)


def _along_standing_rebus(
    word: str, standing: Sequence[Content | None], directions: Sequence[Direction]
) -> tuple[Content, ...] | None:
    laid: list[Content] = []
    rest = word
    for content, direction in zip(standing, directions, strict=True):
        if content is not None and content.is_rebus:
            reading = content.reading(direction)
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


def names_along_lines(grid: Grid, name: str) -> list[tuple[Position, ...]]:
    """Return the narrowest place of a name in each row and column that has its letters in order, narrowest first.

    Each square of a place holds the next letter of the name, or, if it is a rebus square, the next few.
    """
    rows, columns = range(grid.height), range(grid.width)
    lines = [([Position(row, column) for column in columns], Direction.ACROSS) for row in rows]
    lines += [([Position(row, column) for row in rows], Direction.DOWN) for column in columns]
    found: list[tuple[Position, ...]] = []
    for line, direction in lines:
        places = (_from(grid, line[start:], direction, name) for start in range(len(line)))
        found += sorted(filter(None, places), key=lambda place: (_span(place), place))[:1]
    return sorted(found, key=lambda place: (_span(place), place))


def _from(grid: Grid, line: Sequence[Position], direction: Direction, name: str) -> tuple[Position, ...]:
    """Return the nearest squares that spell a name from the first of a line on; empty if there are none."""
    place, left = [], name
    for at in line:
        content = grid[at].content
        reading = content.reading(direction) if content is not None else ""
        if reading and left.startswith(reading):
            place.append(at)
            left = left[len(reading) :]
        elif not place:
            return ()
        if not left:
            return tuple(place)
    return ()


def _span(place: Sequence[Position]) -> int:
    return place[-1].row - place[0].row + place[-1].column - place[0].column
