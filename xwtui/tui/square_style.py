"""How one square looks: its letters, marks, style and heat."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar, cast

from rich.segment import Segment
from rich.style import Style

from xwtui.model import Content, Grid, Ink, Kind, Position, Square
from xwtui.session.wording import heat_digit
from xwtui.tui.picture import Picture
from xwtui.tui.themes import LEAST_CONTRAST_OF_MARKS, Palette, legible
from xwtui.tui.widgets.painted import Fragment

_STEP_WIDTH = 2


def has_colours(palette: Palette) -> bool:
    """Whether a theme shows heat by background color; otherwise squares are marked with digits."""
    return palette.heat_1.bgcolor is not None


def heat_style(heat: float, palette: Palette) -> Style:
    """Return the style for a heat value."""
    steps = palette.heats
    return steps[min(int(heat * len(steps)), len(steps) - 1)]


def heat_sign(heat: float, palette: Palette) -> str:
    """Return the digit for a heat value; empty if the background shows it."""
    return "" if has_colours(palette) else heat_digit(heat)


def unfilled_heat(heat: Mapping[Position, float], grid: Grid) -> dict[Position, float]:
    """Return the part of a heat map for squares that are still to be filled."""
    return {at: value for at, value in heat.items() if at in grid and grid[at].is_open and not grid[at].is_given}


def heat_legend(palette: Palette, busy: str) -> list[Fragment]:
    """Return the legend of the heat map; `busy` precedes it while a newer map is being computed."""
    waits = [(f"{busy} ", palette.search)] if busy else []
    if not has_colours(palette):
        return [*waits, ("heat 0 easy … 9 hard ", palette.muted)]
    steps = [(" " * _STEP_WIDTH, style) for style in palette.heats]
    return [*waits, ("heat: easy ", palette.muted), *steps, (" hard ", palette.muted)]


EMPTY_DOT = "·"
SELECTED_MARKS = "‹›"
"""Drawn around a selected square's letter, if the theme has no background for it."""
STOPPED_MARK = "×"
"""Drawn in a square that a partial fill had to leave empty."""
RULED_MARK = "◦"
"""Drawn in a square that has a rule, or next to its letters."""
CHANGED_MARKS = "»«"
"""Drawn around the letter of a square that a proposal changes."""
COMING_BLOCK = "▒"
"""Fills a block that a proposal or a hint adds."""
FORCED_MARK = "="
"""Drawn next to the forced letter of an empty square."""
FAULT_MARK = "!"
"""Drawn next to the letter of a square at fault, if the theme has no background for it."""
_MORE = "…"
_LINES = 2
"""Lines of a square that hold text."""
CIRCLE_MARK = "°"
"""Marks a circle where there is no room around the letter."""
_PLAIN_FACE = Style(bold=False, italic=False, underline=False)
_PLAIN = Style()
_HEATED_ENTRY = Style(underline=True)
"""Marks the current entry while backgrounds show the heat map."""


def square_style(picture: Picture, position: Position, palette: Palette) -> Style:
    """Return a square's style: the background depends on its place, the foreground on who wrote it."""
    square = picture.grid[position]
    if position == picture.cursor:
        return palette.cursor if square.is_open else _plain(square, palette) + palette.cursor
    if not square.is_open:
        return palette.open + palette.better if position in picture.changed else _plain(square, palette)
    back, front = background(picture, position, palette), _foreground(picture, position, palette)
    is_mark = front is palette.empty
    style = legible(back, front, LEAST_CONTRAST_OF_MARKS) if is_mark else legible(back, front)
    return style + _overlay(picture, position, palette)


def _overlay(picture: Picture, position: Position, palette: Palette) -> Style:
    """Return the style to lay over a square's background and letters, with its own text color."""
    style = _PLAIN
    if _is_heated(picture, position, palette):
        style += heat_style(picture.heat[position], palette)
        style += _HEATED_ENTRY if position in picture.entry else _PLAIN
    if position in picture.undone:
        return style + palette.undone
    return style + palette.better if position in picture.better else style


def _quiet_style(picture: Picture, position: Position, palette: Palette) -> Style:
    """Return the style of marks next to a square's letters."""
    if position == picture.cursor:
        return square_style(picture, position, palette)
    back = background(picture, position, palette) + _overlay(picture, position, palette)
    return legible(back, palette.number) + _PLAIN_FACE


def _plain(square: Square, palette: Palette) -> Style:
    return palette.block if square.kind is Kind.BLOCK else palette.void


def background(picture: Picture, position: Position, palette: Palette) -> Style:
    """Return an open square's background: selected, in the current entry, in the crossing one, and so on."""
    style = palette.open
    if picture.grid[position].shade:
        style += palette.shade
    for squares, mark_style in (
        (picture.changed, palette.better),
        (picture.faults, palette.stopped),
        (picture.selection, palette.selection),
    ):
        if position in squares:
            return style + mark_style
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
    """Whether a square's background shows its heat."""
    return position in picture.heat and has_colours(palette)


def _foreground(picture: Picture, position: Position, palette: Palette) -> Style:
    if picture.shows_search(position):
        return palette.ghost if picture.is_ghost else palette.search
    square = picture.grid[position]
    if picture.content(position) is None:
        return palette.empty if picture.ghost_here(position) is None else palette.ghost
    style = {Ink.PENCIL: palette.pencil, Ink.PEN: palette.pen, Ink.LOCKED: palette.locked}[square.ink]
    tint = picture.tints.get(position)
    return style if tint is None else style + tint.style(palette)


def reading(content: Content, width: int) -> str:
    """Return a square's content in at most `width` characters: all of it, or its start and an ellipsis."""
    if not content.is_schroedinger:
        return _cut(content.across, width)
    full = f"{content.across}/{content.down}"
    return full if len(full) <= width else _cut(f"{content.across[0]}/{content.down[0]}", width)


def _cut(text: str, width: int) -> str:
    if len(text) <= width:
        return text
    return text[: width - 1] + _MORE if width > 1 else text[0]


def square_face(
    picture: Picture, position: Position, palette: Palette, width: int, height: int = 1
) -> list[list[Fragment]]:
    """Return a square's lines: its letters centered, with marks and its circle next to them.

    The second of two lines has the rest of a long content, or else the sign of a weak entry.
    """
    square = picture.grid[position]
    style = square_style(picture, position, palette)
    if not square.is_open:
        return [[((COMING_BLOCK if position in picture.changed else " ") * width, style)]] * height
    if position in picture.hinted and picture.content(position) is None:
        return [[(COMING_BLOCK * width, style + palette.ghost)]] * height
    quiet = _quiet_style(picture, position, palette)
    has_circle = square.circle and width > 1
    room = [width] * (min(height, _LINES) - 1) + [width - has_circle]
    *full, shown = _shown(picture, position, room, palette)
    left, right = _beside(shown, width, circle=has_circle)
    if position in picture.ruled and picture.content(position) is not None and left.endswith(" "):
        left = left[:-1] + RULED_MARK
    before, after = _marks(picture, position, palette)
    if left.endswith(" "):
        left = left[:-1] + before
    right = right.replace(" ", after, 1)
    lines = [[(line.center(width), style)] for line in full]
    lines.append([(left, quiet), (shown, style), (right, quiet)])
    if len(lines) < min(height, _LINES):
        tint = picture.tints.get(position)
        lines.append([((tint.sign if tint is not None else "").rjust(width), quiet)])
    above, blank = (height - 1) // 2 if height > _LINES else 0, [(" " * width, style)]
    return [*[blank] * above, *lines, *[blank] * (height - above - len(lines))]


def _marks(picture: Picture, position: Position, palette: Palette) -> tuple[str, str]:
    """Return the marks on both sides of a square's letters, one character each."""
    if position in picture.changed:
        return CHANGED_MARKS[0], CHANGED_MARKS[1]
    if position in picture.faults and palette.stopped.bgcolor is None:
        return " ", FAULT_MARK
    if position in picture.selection and palette.selection.bgcolor is None:
        return SELECTED_MARKS[0], SELECTED_MARKS[1]
    if position in picture.heat and picture.content(position) is not None:
        return " ", heat_sign(picture.heat[position], palette) or " "
    return " ", " " if picture.forced_here(position) is None else FORCED_MARK


def _shown(picture: Picture, position: Position, room: Sequence[int], palette: Palette) -> list[str]:
    """Return a square's letters, or the sign of an empty one, in as few lines as possible."""
    content = picture.content(position)
    if content is None and position in picture.heat and (sign := heat_sign(picture.heat[position], palette)):
        return [sign]
    content = content or picture.ghost_here(position)
    if content is not None:
        return readings(content, room)
    if position in picture.stopped:
        return [STOPPED_MARK]
    return [RULED_MARK if position in picture.ruled else EMPTY_DOT]


def readings(content: Content, room: Sequence[int]) -> list[str]:
    """Return a square's content in one line or two, whose widths are `room`."""
    *wider, last = room
    full = f"{content.across}/{content.down}" if content.is_schroedinger else content.across
    if len(full) <= last or not wider:
        return [reading(content, last)]
    place = len(content.across) + 1 if content.is_schroedinger else min(wider[0], len(full) - 1)
    return [_cut(full[:place], wider[0]), _cut(full[place:], last)]


def _beside(shown: str, width: int, *, circle: bool) -> tuple[str, str]:
    """Return the padding on both sides of a square's letters, with its circle."""
    spare = width - len(shown)
    before, after = spare // 2, spare - spare // 2
    if not circle:
        return " " * before, " " * after
    return ("(".rjust(before), ")".ljust(after)) if before else ("", CIRCLE_MARK.ljust(after))


class Joint(NamedTuple):
    """A piece of a line between squares."""

    text: str
    style: Callable[[Palette], Style]
    """Its style, laid over the background."""
    around: tuple[Position, ...] = ()
    """The squares around it, if all are open: it has their common background, or else that of `open`."""


PlanT = TypeVar("PlanT")


class Brush:
    """Draws the squares of a picture with a cache: for the next picture, only changed squares are drawn again.

    Everything is drawn over the style `base`. A picture with another layout needs a new brush.
    """

    def __init__(self, picture: Picture, palette: Palette, base: Style) -> None:
        self.picture = picture
        self._palette = palette
        self._base = base
        self._plan: object = None
        self._backgrounds: dict[Position, Style] = {}
        self._touching: dict[Position, list[int]] = {}
        self.faces: dict[Position, list[list[Segment]]] = {}
        """The drawn squares, line by line."""
        self.joints: dict[int, Segment] = {}
        """The drawn joints, by identity."""

    def update(self, picture: Picture, changed: Iterable[Position]) -> None:
        """Switch to a picture that differs in some squares."""
        self.picture = picture
        for position in changed:
            self._backgrounds.pop(position, None)
            self.faces.pop(position, None)
            for joint in self._touching.get(position, ()):
                self.joints.pop(joint, None)

    def plan(self, make: Callable[[Grid], PlanT]) -> PlanT:
        """Return a drawing's plan for the layout, made on first use; it keeps the cached joints alive."""
        if self._plan is None:
            self._plan = make(self.picture.grid)
        return cast(PlanT, self._plan)

    def piece(self, text: str, style: Style) -> Segment:
        return Segment(text, self._base + style)

    def number(self, text: str) -> Segment:
        return self.piece(text, legible(self._palette.open, self._palette.number))

    def bar(self, beside: Segment) -> Segment:
        """Return the bar in the last cell of a square, on its neighbor's background."""
        return Segment("┃", (beside.style or _PLAIN) + self._palette.bar)

    def face(self, position: Position, width: int, height: int = 1) -> list[list[Segment]]:
        lines = square_face(self.picture, position, self._palette, width, height)
        self.faces[position] = face = [[self.piece(text, style) for text, style in line] for line in lines]
        return face

    def joint(self, joint: Joint) -> Segment:
        style = joint.style(self._palette)
        if joint.around:
            backgrounds = {self._background(position) for position in joint.around}
            style = (backgrounds.pop() if len(backgrounds) == 1 else self._palette.open) + style
            for position in joint.around:
                self._touching.setdefault(position, []).append(id(joint))
        self.joints[id(joint)] = segment = self.piece(joint.text, style)
        return segment

    def _background(self, position: Position) -> Style:
        found = self._backgrounds.get(position)
        if found is None:
            found = self._backgrounds[position] = background(self.picture, position, self._palette)
        return found
