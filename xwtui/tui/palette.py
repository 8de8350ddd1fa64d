"""The styles that our own widgets draw with, as a theme file gives them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from rich.errors import StyleSyntaxError
from rich.style import Style

from xwtui.errors import XwtuiError


@dataclass(frozen=True)
class Palette:
    """A Rich style for each thing that is drawn: in the grid, grounds say where, foregrounds who wrote it."""

    open: Style
    """An open square."""
    block: Style
    void: Style
    shade: Style
    """An open square with a shade."""
    entry: Style
    """The squares of the current entry: the first accent."""
    crossing: Style
    """The squares of the entry that crosses it at the cursor."""
    cursor: Style
    """The current square."""
    empty: Style
    """The dot of an empty square."""
    pencil: Style
    pen: Style
    locked: Style
    search: Style
    """What the filler has on the grid while it searches: the second accent."""
    undone: Style
    """A square that a backtrack has just emptied or changed."""
    selection: Style
    """A selected square."""
    stopped: Style
    """A square that a partial fill had to leave empty."""
    better: Style
    """A square that the last better fill has otherwise."""
    ghost: Style
    """What a proposal's fill would have in a square."""
    heat_1: Style
    """An easy square of the heat map; where it has no ground, squares are marked by digits instead."""
    heat_2: Style
    heat_3: Style
    heat_4: Style
    heat_5: Style
    """A hard one."""
    number: Style
    line: Style
    """The lines between the squares, where there is room for lines."""
    bar: Style

    text: Style
    muted: Style
    heading: Style
    accent: Style
    good: Style
    warning: Style
    bad: Style
    selected: Style
    """The chosen row of a list that has the keyboard."""
    current: Style
    """The chosen row of a list that has not."""

    @property
    def heats(self) -> tuple[Style, ...]:
        """The styles of the heat map, from easy to hard."""
        return self.heat_1, self.heat_2, self.heat_3, self.heat_4, self.heat_5

    @classmethod
    def parse(cls, table: Mapping[str, object]) -> "Palette":
        """Read a theme file's `[palette]`; raises XwtuiError for a name or a style that is missing or wrong."""
        names = {field.name for field in fields(cls)}
        if strange := sorted(set(table) ^ names):
            raise XwtuiError(
                f"a theme's palette has exactly {', '.join(sorted(names))}; look at {', '.join(strange)}"
            )
        try:
            return cls(**{name: Style.parse(str(text)) for name, text in table.items()})
        except StyleSyntaxError as error:
            raise XwtuiError(
                f"a theme's palette holds Rich styles such as 'bold #f0c24b on black': {error}"
            ) from None


PLAIN = Palette(**{field.name: Style() for field in fields(Palette)})
"""No styles at all, for what is drawn before a theme is chosen."""
