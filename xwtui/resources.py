"""Where files that ship with xwtui are, such as themes, profiles, word lists, samples, and where the user's lie.

A wheel carries them inside the package; a checkout has them at its top, beside the package.
"""

from pathlib import Path

from platformdirs import user_config_path, user_data_path

_PACKAGE = Path(__file__).resolve().parent


def _resource_folder(name: str) -> Path:
    inside_wheel = _PACKAGE / "_data" / name
    return inside_wheel if inside_wheel.is_dir() else _PACKAGE.parent / name


def themes_folder() -> Path:
    """Return the folder of the colour themes (`*.toml`)."""
    return _resource_folder("themes")


def key_maps_folder() -> Path:
    """Return the folder of the maps of keys (`*.toml`)."""
    return _resource_folder("keymaps")


def fonts_folder() -> Path:
    """Return the folder of the fonts that exports are drawn with."""
    return _resource_folder("fonts")


def profiles_folder() -> Path:
    """Return the folder of the profiles of grids (`*.toml`)."""
    return _resource_folder("profiles")


def wordlists_folder() -> Path:
    """Return the folder of the word lists that ship with xwtui."""
    return _resource_folder("wordlists")


def alphabets_folder() -> Path:
    """Return the folder of the alphabets (`*.toml`)."""
    return _resource_folder("alphabets")


def puzzles_folder() -> Path:
    """Return the folder of the sample puzzles and templates."""
    return _resource_folder("puzzles")


def default_word_list() -> Path:
    """Return the path of the default word list."""
    return wordlists_folder() / "default.dict"


def glosses_file() -> Path:
    """Return the path of WordNet's glosses."""
    return wordlists_folder() / "glosses.zip"


def clue_book_file() -> Path:
    """The user's clue book, in the folder of data."""
    return user_data_path("xwtui", appauthor=False) / "clues.sqlite"


def settings_path() -> Path:
    """The user's settings file."""
    return user_config_path("xwtui", appauthor=False) / "settings.toml"


def personal_list_path() -> Path:
    """The file of the user's own scores for every puzzle."""
    return user_config_path("xwtui", appauthor=False) / "mine.dict"


def user_lists_folder() -> Path:
    """The folder whose word lists become layers."""
    return user_config_path("xwtui", appauthor=False) / "lists"


def user_alphabets_folder() -> Path:
    """The folder of the user's own alphabets."""
    return user_config_path("xwtui", appauthor=False) / "alphabets"


def trusted_lists_path() -> Path:
    """The word lists elsewhere that puzzles may name, a path a line."""
    return user_config_path("xwtui", appauthor=False) / "trusted-lists.txt"


def list_settings_path() -> Path:
    """What the user has chosen for these layers: their order, which are off, how their scores are read."""
    return user_config_path("xwtui", appauthor=False) / "lists.toml"
