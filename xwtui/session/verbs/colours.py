"""The color themes of the screen: those that ship and the user's own, and which is worn."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.own_files import OwnFileError, read_toml
from xwtui.resources import themes_folder
from xwtui.session.answers import ToldAnswer
from xwtui.session.verbs.kinds import parameter_kind
from xwtui.session.verbs.verb import WITHOUT_GRID, Answer, Group, argument, choices_told, verbs_of
from xwtui.text import listed, printable

with lazy_imports():
    from platformdirs import user_config_path

    from xwtui.session.session import Session
    from xwtui.session.settings import load_settings

verb = verbs_of(Group.SESSION)

DEFAULT_THEME = "dark"


def user_themes_folder() -> Path:
    """Where the user's own themes lie."""
    return user_config_path("xwtui", appauthor=False) / "themes"


def colour_themes() -> Mapping[str, str]:
    """What each theme is, by its name, those that ship first; a file that cannot be read is left out."""
    files = [*sorted(themes_folder().glob("*.toml")), *sorted(user_themes_folder().glob("*.toml"))]
    return {path.stem: summary for path in files if (summary := _summary(path)) is not None}


def _summary(path: Path) -> str | None:
    try:
        return printable(str(read_toml(path).get("summary", "")))
    except OwnFileError:
        return None


@parameter_kind("theme", names=colour_themes)
def COLOUR_THEME(text: str, session: Session) -> str:
    """The name of a colour theme, one that ships or the user's own."""
    names, name = colour_themes(), text.strip().lower()
    if name not in names:
        raise VerbError(f"there is no color theme {printable(text, 30)!r}; choose from {listed(names, 'and')}")
    return name


@verb(examples=("colours list",), aliases="theme list, colors list", from_shell=WITHOUT_GRID)
def colours_list(session: Session) -> Answer:
    """List the screen's color themes, with a star at the one in use.

    Theme files of your own go in the `themes` folder next to your settings.
    """
    lines, themes = choices_told(colour_themes(), load_settings().theme or DEFAULT_THEME)
    return ToldAnswer(lines, {"themes": themes})


@verb(
    examples=("colours use light", "colours use colour-blind"),
    aliases="theme use, colors use",
    from_shell=WITHOUT_GRID,
)
def colours_use(
    session: Session, theme: str = argument("a color theme; `colours list` shows their names", COLOUR_THEME)
) -> Answer:
    """Choose the screen's color theme; the choice is remembered."""
    session.remember(theme=theme)
    return f"the colors are those of {theme}"
