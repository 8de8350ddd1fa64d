"""How one square looks: its letters in a cell or three, and its style."""

from rich.style import Style

from xwtui.model import Content, Ink, Kind, Position, Square
from xwtui.tui.fragments import Fragment
from xwtui.tui.heat import has_colours, heat_sign, heat_style
from xwtui.tui.palette import Palette
from xwtui.tui.picture import Picture

EMPTY_DOT = "·"
SELECTED_MARKS = "‹›"
"""What stands beside a selected square's letter where a theme has no ground for it."""
STOPPED_MARK = "×"
"""What stands in a square that a partial fill had to leave empty."""
RULED_MARK = "◦"
"""What stands in, or beside the letters of, a square that has a rule."""
CHANGED_MARKS = "»«"
"""What stands beside the letter of a square that a proposal changes."""
COMING_BLOCK = "▒"
"""What a block that a proposal adds is drawn with."""
FORCED_MARK = "="
"""What stands beside the letter that an empty square is forced to."""
FAULT_MARK = "!"
"""What stands beside the letter of a square at fault where a theme has no ground for it."""
_MORE = "…"
_CIRCLE_MARK = "°"
_PLAIN_FACE = Style(bold=False, italic=False, underline=False)
_PLAIN = Style()
_HEATED_ENTRY = Style(underline=True)
"""What tells the current entry where the grounds are those of the heat map."""


def square_style(picture: Picture, position: Position, palette: Palette) -> Style:
    """The style of a square: its background says where it is, its foreground who wrote what stands there."""
    square = picture.grid[position]
    if position == picture.cursor:
        return palette.cursor if square.is_open else _plain(square, palette) + palette.cursor
    if not square.is_open:
        return palette.open + palette.better if position in picture.changed else _plain(square, palette)
    style = ground(picture, position, palette) + _hand(picture, position, palette)
    if _is_heated(picture, position, palette):
        style += heat_style(picture.heat[position], palette)
        style += _HEATED_ENTRY if position in picture.entry else _PLAIN
    if position in picture.undone:
        return style + palette.undone
    return style + palette.better if position in picture.better else style


def _plain(square: Square, palette: Palette) -> Style:
    return palette.block if square.kind is Kind.BLOCK else palette.void


def ground(picture: Picture, position: Position, palette: Palette) -> Style:
    """The style that tells where an open square is: selected, in the current entry, in the crossing one."""
    style = palette.open
    if picture.grid[position].shade:
        style += palette.shade
    for squares, told in (
        (picture.changed, palette.better),
        (picture.faults, palette.stopped),
        (picture.selection, palette.selection),
    ):
        if position in squares:
            return style + told
    if _is_heated(picture, position, palette):
        return style + heat_style(picture.heat[position], palette)
    if position in picture.entry:
        return style + palette.entry
    if position in picture.stopped:
        return style + palette.stopped
    if position in picture.crossing:
        return style + palette.crossing
    return style


def _is_heated(picture: Picture, position: Position, palette: Palette) -> bool:
    """Whether the ground of a square tells its heat."""
    return position in picture.heat and has_colours(palette)


def _hand(picture: Picture, position: Position, palette: Palette) -> Style:
    if picture.shows_search(position):
        return palette.ghost if picture.is_ghost else palette.search
    square = picture.grid[position]
    if picture.content(position) is None:
        return palette.empty if picture.forced_here(position) is None else palette.ghost
    return {Ink.PENCIL: palette.pencil, Ink.PEN: palette.pen, Ink.LOCKED: palette.locked}[square.ink]


def reading(content: Content, width: int) -> str:
    """A square's content in `width` characters at most: all of it, or its beginning and an ellipsis."""
    if content.is_schroedinger:
        return _both_readings(content, width)
    return _cut(content.across, width)


def _both_readings(content: Content, width: int) -> str:
    full = f"{content.across}/{content.down}"
    brief = f"{content.across[0]}/{content.down[0]}"
    return full if len(full) <= width else _cut(brief, width)


def _cut(text: str, width: int) -> str:
    if len(text) <= width:
        return text
    return text[: width - 1] + _MORE if width > 1 else text[0]


def square_face(picture: Picture, position: Position, palette: Palette, width: int) -> list[Fragment]:
    """A square in one line of two or three cells: its letters, with its circle beside them."""
    square = picture.grid[position]
    style = square_style(picture, position, palette)
    if not square.is_open:
        return [((COMING_BLOCK if position in picture.changed else " ") * width, style)]
    quiet = style if position == picture.cursor else style + palette.number + _PLAIN_FACE
    has_circle = square.circle and width > 1
    shown = _shown(picture, position, width - 1 if has_circle else width, palette)
    left, right = _beside(shown, width, circle=has_circle)
    if position in picture.ruled and picture.content(position) is not None and left == " ":
        left = RULED_MARK
    before, after = _marks(picture, position, palette)
    left, right = left.replace(" ", before), right.replace(" ", after)
    return [(left, quiet), (shown, style), (right, quiet)]


def _marks(picture: Picture, position: Position, palette: Palette) -> tuple[str, str]:
    """What fills the room at both sides of a square's letters, a character each."""
    if position in picture.changed:
        return CHANGED_MARKS[0], CHANGED_MARKS[1]
    if position in picture.faults and palette.stopped.bgcolor is None:
        return " ", FAULT_MARK
    if position in picture.selection and palette.selection.bgcolor is None:
        return SELECTED_MARKS[0], SELECTED_MARKS[1]
    if position in picture.heat and picture.content(position) is not None:
        return " ", heat_sign(picture.heat[position], palette) or " "
    return " ", " " if picture.forced_here(position) is None else FORCED_MARK


def _shown(picture: Picture, position: Position, width: int, palette: Palette) -> str:
    """The letters of a square, or what tells that it is empty."""
    content = picture.content(position)
    if content is not None:
        return reading(content, width)
    if position in picture.heat and (sign := heat_sign(picture.heat[position], palette)):
        return sign
    forced = picture.forced_here(position)
    if forced is not None:
        return reading(forced, width)
    if position in picture.stopped:
        return STOPPED_MARK
    return RULED_MARK if position in picture.ruled else EMPTY_DOT


def _beside(shown: str, width: int, *, circle: bool) -> tuple[str, str]:
    """What stands at both sides of a square's letters."""
    spare = width - len(shown)
    if not circle:
        return " " * (spare // 2), " " * (spare - spare // 2)
    return ("(", ")") if spare == 2 else ("", _CIRCLE_MARK.ljust(spare))
