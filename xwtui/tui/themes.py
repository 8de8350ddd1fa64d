"""Color themes: one TOML file each, in the folder `themes`, with the styles that we draw with."""

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from msgspec import Struct
from rich.color import Color, ColorSystem, ColorType, blend_rgb
from rich.errors import StyleSyntaxError
from rich.style import Style
from textual.color import Color as TextualColor
from textual.color import ColorParseError
from textual.theme import Theme

from xwtui.errors import XwtuiError
from xwtui.resources import themes_folder, user_themes_folder
from xwtui.session.verbs.dialogue import DEFAULT_THEME
from xwtui.text import printable
from xwtui.user_files import UserFileError, read_toml


class Palette(Struct, frozen=True):
    """A Rich style for everything drawn; in the grid, backgrounds show the place, foregrounds who wrote it."""

    open: Style
    block: Style
    void: Style
    shade: Style
    """An open square with a shade."""
    entry: Style
    """The squares of the current entry: the first accent color."""
    crossing: Style
    """The squares of the entry that crosses it at the cursor."""
    cursor: Style
    empty: Style
    pencil: Style
    pen: Style
    locked: Style
    search: Style
    """The filler's contents while it searches: the second accent color."""
    undone: Style
    """A square that a backtrack has just emptied or changed."""
    selection: Style
    stopped: Style
    """A square that a partial fill had to leave empty."""
    better: Style
    """A square in which the last improvement differs."""
    ghost: Style
    """A square's content in a proposal's fill."""
    heat_1: Style
    """An easy square of the heat map; without a background color, squares are marked with digits instead."""
    heat_2: Style
    heat_3: Style
    heat_4: Style
    heat_5: Style
    """A hard square of the heat map."""
    number: Style
    line: Style
    """The lines between squares, in drawings that have them."""
    bar: Style

    text: Style
    muted: Style
    heading: Style
    accent: Style
    good: Style
    warning: Style
    bad: Style
    selected: Style
    """The chosen row of a list that has the focus."""
    current: Style
    """The chosen row of a list without the focus."""

    @property
    def heats(self) -> tuple[Style, ...]:
        """The styles of the heat map, from easy to hard."""
        return self.heat_1, self.heat_2, self.heat_3, self.heat_4, self.heat_5

    @classmethod
    def parse(cls, table: Mapping[str, object]) -> "Palette":
        """Parse a theme file's `[palette]`; raises XwtuiError for a missing or wrong name or style."""
        names = set(cls.__struct_fields__)
        if strange := sorted(set(table) ^ names):
            raise XwtuiError(
                f"a theme's palette has exactly {', '.join(sorted(names))}; check {', '.join(strange)}"
            )
        try:
            return cls(**{name: Style.parse(str(text)) for name, text in table.items()})
        except StyleSyntaxError as error:
            raise XwtuiError(
                f"a theme's palette holds Rich styles such as 'bold #f0c24b on black': {error}"
            ) from None


PLAIN = Palette(**dict.fromkeys(Palette.__struct_fields__, Style()))
"""No styles at all, for drawing before a theme is chosen."""

LEAST_CONTRAST = 4.5
"""Minimum for text on its background, from WCAG 2.2 (https://www.w3.org/TR/WCAG22/#contrast-minimum)."""
LEAST_CONTRAST_OF_MARKS = 3.0
"""Minimum for marks that are not text (WCAG 2.2, 1.4.11)."""
_STEPS = 8


def contrast(one: Color, other: Color) -> float:
    """Return the contrast ratio of two colors under WCAG 2, from 1 to 21."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _least_contrast(one: Color, other: Color) -> float:
    """Return their contrast, or that of their 256-color approximations if lower."""
    rough = [colour.downgrade(ColorSystem.EIGHT_BIT) for colour in (one, other)]
    return min(contrast(one, other), contrast(*rough))


def _luminance(colour: Color) -> float:
    parts = (value / 255 for value in colour.get_truecolor())
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@lru_cache(maxsize=2_000)
def legible(background: Style, text: Style, least: float = LEAST_CONTRAST) -> Style:
    """Lay a text style over a background, moving its color toward the background's own text color if needed.

    The color moves only as far as the contrast `least` requires. Colors that the terminal defines cannot be
    measured: on any but the default background, the background's own text color is used.
    """
    style, paper, own, ink = background + text, background.bgcolor, background.color, text.color
    if paper is None or own is None or ink is None or text.bgcolor is not None:
        return style
    if any(colour.type in (ColorType.DEFAULT, ColorType.STANDARD) for colour in (paper, own, ink)):
        return style if paper.is_default else style + Style(color=own)
    first, last = ink.get_truecolor(), own.get_truecolor()
    nearer = (Color.from_triplet(blend_rgb(first, last, step / _STEPS)) for step in range(_STEPS))
    return style + Style(color=next((colour for colour in nearer if _least_contrast(colour, paper) >= least), own))


FEW_COLOURS_THEME = "terminal"
NO_COLOUR_THEME = "mono"


class ColourTheme(Struct, frozen=True):
    """A complete theme: Textual's colors for its widgets, and the palette for ours."""

    name: str
    summary: str
    theme: Theme
    palette: Palette


def load_themes() -> Mapping[str, ColourTheme]:
    """Load the shipped themes, by name; raises XwtuiError for a bad file."""
    return {path.stem: _load(path, {}) for path in sorted(themes_folder().glob("*.toml"))}


def load_user_themes(
    shipped: Mapping[str, ColourTheme], folder: Path | None = None
) -> tuple[Mapping[str, ColourTheme], tuple[str, ...]]:
    """Load the user's own themes, by name, with a one-line message for each that is skipped.

    A theme with `base = "dark"` contains only its differences from that shipped theme.
    """
    themes: dict[str, ColourTheme] = {}
    problems: list[str] = []
    for path in sorted((folder or user_themes_folder()).glob("*.toml")):
        try:
            theme = _load(path, shipped)
            _check_design(theme.theme)
            themes[path.stem] = theme
        except XwtuiError as error:
            problems.append(f"theme left out: {error}")
    return themes, tuple(problems)


def _load(path: Path, bases: Mapping[str, ColourTheme]) -> ColourTheme:
    try:
        table = read_toml(path)
        own, palette = table.get("theme", {}), table.get("palette", {})
        if "base" in table:
            base = bases[table["base"]]
            theme = replace(base.theme, name=path.stem, **own)
            styles = {name: str(getattr(base.palette, name)) for name in Palette.__struct_fields__}
            return ColourTheme(
                path.stem, str(table.get("summary", "")), theme, Palette.parse({**styles, **palette})
            )
        return ColourTheme(path.stem, str(table["summary"]), Theme(name=path.stem, **own), Palette.parse(palette))
    except KeyError as error:
        raise XwtuiError(f"{path.name} is not a theme: {error} is missing, or not a theme for xwtui") from None
    except UserFileError as error:
        raise XwtuiError(f"{path.name} is not a theme: {error.fault}") from None
    except (TypeError, AttributeError) as error:
        raise XwtuiError(f"{path.name} is not a theme: {error}") from None


def _check_design(theme: Theme) -> None:
    """Raise XwtuiError if Textual cannot use a theme's colors."""
    try:
        usual = replace(theme, variables={}).to_color_system().generate()
        for name, value in theme.variables.items():
            if _is_colour(usual.get(name, "")):
                TextualColor.parse(value)
        theme.to_color_system().generate()
    except (ColorParseError, TypeError, ValueError, AttributeError) as error:
        reason = str(error).splitlines()[0]
        raise XwtuiError(
            f"{theme.name}.toml is not a theme: [theme] holds colors such as '#f0c24b': {printable(reason)}"
        ) from None


def _is_colour(text: str) -> bool:
    try:
        TextualColor.parse(text)
    except ColorParseError:
        return False
    return True


def suitable_theme(
    themes: Mapping[str, ColourTheme], wanted: str, colours: str | None, *, no_colour: bool
) -> ColourTheme:
    """Choose the theme for a terminal.

    `wanted` is the setting; `colours` is Rich's name of the terminal's color system (`standard` is 16 colors, None
    is none). With few or no colors, only the plain themes are used.
    """
    if no_colour or colours is None:
        return themes[NO_COLOUR_THEME]
    if colours == "standard" and wanted != NO_COLOUR_THEME:
        return themes[FEW_COLOURS_THEME]
    return themes.get(wanted, themes[DEFAULT_THEME])


def wants_no_colour() -> bool:
    """Whether the user wants no color in any program (https://no-color.org)."""
    return bool(os.environ.get("NO_COLOR"))
