"""The colour themes: one TOML file each, in the folder `themes`."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.theme import Theme

from xwtui.errors import XwtuiError
from xwtui.resources import themes_folder
from xwtui.tui.palette import Palette

DEFAULT_THEME = "dark"
FEW_COLOURS_THEME = "terminal"
NO_COLOUR_THEME = "mono"


@dataclass(frozen=True)
class Look:
    """A theme as a whole: Textual's colours for its widgets, and the palette for ours."""

    name: str
    summary: str
    theme: Theme
    palette: Palette


def load_looks(folder: Path | None = None) -> Mapping[str, Look]:
    """Load all themes of a folder (the shipped ones by default), by name; raises XwtuiError for a bad file."""
    paths = sorted((folder or themes_folder()).glob("*.toml"))
    return {path.stem: _load(path) for path in paths}


def _load(path: Path) -> Look:
    try:
        with path.open("rb") as file:
            table: dict[str, Any] = tomllib.load(file)
        theme = Theme(name=path.stem, **table["theme"])
        return Look(path.stem, str(table["summary"]), theme, Palette.parse(table["palette"]))
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise XwtuiError(f"{path.name} is no theme: {error}") from None


def suitable_look(looks: Mapping[str, Look], wanted: str, colours: str | None, *, no_colour: bool) -> Look:
    """Choose the look for a terminal.

    `wanted` is the setting; `colours` is Rich's name of the terminal's colour system (`standard`
    is 16 colours, None is none). Where colours are few or unwelcome, only the plain looks serve.
    """
    if no_colour or colours is None:
        return looks[NO_COLOUR_THEME]
    if colours == "standard" and wanted != NO_COLOUR_THEME:
        return looks[FEW_COLOURS_THEME]
    return looks.get(wanted, looks[DEFAULT_THEME])


def wants_no_colour() -> bool:
    """Whether the user has asked all programs for no colour (https://no-color.org)."""
    return bool(os.environ.get("NO_COLOR"))
