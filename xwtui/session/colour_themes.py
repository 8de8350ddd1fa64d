"""The colour themes that there are: files that ship and the user's own, each with a line about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from platformdirs import user_config_path

from xwtui.own_files import OwnFileError, read_toml
from xwtui.resources import themes_folder
from xwtui.session.answers import VerbAnswer
from xwtui.session.json_shape import JsonShape
from xwtui.text import printable

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


class ThemesAnswer(VerbAnswer):
    """The colour themes: names, what they are, and which is used."""

    themes: Mapping[str, str]
    used: str
    json = JsonShape(
        lambda answer: {
            "themes": [
                {"name": name, "summary": told, "used": name == answer.used}
                for name, told in answer.themes.items()
            ]
        }
    )

    @property
    def lines(self) -> Sequence[str]:
        width = max(len(name) for name in self.themes)
        return [
            f"{'*' if name == self.used else ' '} {name:{width}}  {told}" for name, told in self.themes.items()
        ]
