"""The verbs for the colours of the screen: which themes there are, and which is worn."""

from __future__ import annotations

from collections.abc import Mapping

from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.session.verbs.kinds import Choices, among, parameter_kind
from xwtui.session.verbs.verb import WITHOUT_GRID, Answer, Group, answered, argument, verbs_of
from xwtui.text import listed, printable

with lazy_imports():
    from xwtui.session import colour_themes
    from xwtui.session.session import Session
    from xwtui.session.settings import load_settings

verb = verbs_of(Group.SESSION)


def _colour_themes() -> Mapping[str, str]:
    return colour_themes.colour_themes()


@parameter_kind("theme", among(_colour_themes), choices=Choices(_colour_themes))
def COLOUR_THEME(text: str, session: Session) -> str:
    """The name of a colour theme, one that ships or the user's own."""
    names, name = _colour_themes(), text.strip().lower()
    if name not in names:
        raise VerbError(f"there is no color theme {printable(text, 30)!r}; choose from {listed(names, 'and')}")
    return name


@verb(examples=("colours list",), aliases="theme list, colors list", from_shell=WITHOUT_GRID)
def colours_list(session: Session) -> Answer:
    """List the screen's color themes, with a star at the one in use.

    Theme files of your own go in the `themes` folder next to your settings.
    """
    worn = load_settings().theme or colour_themes.DEFAULT_THEME
    return answered(colour_themes.ThemesAnswer(_colour_themes(), worn))


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
