"""Where files that ship with xwtui are, such as themes, profiles, word lists, samples, and where the user's lie.

A wheel carries them inside the package; a checkout has them at its top, beside the package.
"""

from functools import partial
from pathlib import Path

from xwtui.lazy import lazy_imports

with lazy_imports():
    from platformdirs import user_config_path, user_data_path

_PACKAGE = Path(__file__).resolve().parent


def _shipped(folder: str, *names: str) -> Path:
    inside_wheel = _PACKAGE / "_data" / folder
    return (inside_wheel if inside_wheel.is_dir() else _PACKAGE.parent / folder).joinpath(*names)


def _own(name: str) -> Path:
    return user_config_path("xwtui", appauthor=False) / name


themes_folder = partial(_shipped, "themes")
key_maps_folder = partial(_shipped, "keymaps")
fonts_folder = partial(_shipped, "fonts")
profiles_folder = partial(_shipped, "profiles")
wordlists_folder = partial(_shipped, "wordlists")
alphabets_folder = partial(_shipped, "alphabets")
puzzles_folder = partial(_shipped, "puzzles")
"""The sample puzzles and templates."""

SAMPLES = (
    "british-15x15.ipuz",
    "finished-match-made-in-heaven.ipuz",
    "finished-match-made-in-heaven.puz",
    "finished-mini-casual-friday.ipuz",
    "heart-to-heart.ipuz",
    "latent-12x12.ipuz",
    "spanish-11x11.ipuz",
    "swedish-11x11.ipuz",
)


def is_shipped_puzzle(file: Path) -> bool:
    """Whether it is one of our samples and templates: of this installation, or of any checkout.

    xwtui may be installed apart from the checkout whose sample is opened. What lies beside the samples under
    another name is the user's.
    """
    path = file.resolve()
    if path.match("puzzles/templates/*"):
        folder = path.parents[1]
    elif path.match("puzzles/*") and path.name in SAMPLES:
        folder = path.parent
    else:
        return False
    return folder == puzzles_folder() or (folder.parent / _PACKAGE.name / Path(__file__).name).is_file()


default_word_list = partial(_shipped, "wordlists", "default.dict")
glosses_file = partial(_shipped, "wordlists", "glosses.zip")
"""WordNet's glosses."""

settings_path = partial(_own, "settings.toml")
personal_list_path = partial(_own, "mine.dict")
"""The user's own scores for every puzzle."""

user_lists_folder = partial(_own, "lists")
"""The folder whose word lists become layers."""

user_alphabets_folder = partial(_own, "alphabets")
trusted_lists_path = partial(_own, "trusted-lists.txt")
"""The word lists elsewhere that puzzles may name, a path a line."""

list_settings_path = partial(_own, "lists.toml")
"""What the user has chosen for these layers: their order, which are off, how their scores are read."""


def clue_book_file() -> Path:
    """The user's clue book, in the folder of data."""
    return user_data_path("xwtui", appauthor=False) / "clues.sqlite"
