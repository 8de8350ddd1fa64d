"""Paths of the files that ship with xwtui, such as themes and word lists, and of the user's files.

A wheel contains them inside the package; a checkout has them at its root, next to the package.
"""

from functools import partial
from pathlib import Path

from xwtui.lazy import lazy_imports

with lazy_imports():
    from platformdirs import user_config_path, user_data_path, user_state_path

_PACKAGE = Path(__file__).resolve().parent


def _shipped(folder: str, *names: str) -> Path:
    inside_wheel = _PACKAGE / "_data" / folder
    return (inside_wheel if inside_wheel.is_dir() else _PACKAGE.parent / folder).joinpath(*names)


def _own(name: str) -> Path:
    return user_config_path("xwtui", appauthor=False) / name


def _data(name: str) -> Path:
    return user_data_path("xwtui", appauthor=False) / name


def _state(name: str) -> Path:
    return user_state_path("xwtui", appauthor=False) / name


themes_folder = partial(_shipped, "themes")
key_maps_folder = partial(_shipped, "keymaps")
fonts_folder = partial(_shipped, "fonts")
profiles_folder = partial(_shipped, "profiles")
wordlists_folder = partial(_shipped, "wordlists")
alphabets_folder = partial(_shipped, "alphabets")
puzzles_folder = partial(_shipped, "puzzles")
"""The folder of sample puzzles and templates."""

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
    """Whether a file is one of our samples or templates, in this installation or in any checkout.

    xwtui may be installed apart from the checkout whose sample is opened. Any other file next to the samples
    belongs to the user.
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
"""Definitions from WordNet."""

settings_path = partial(_own, "settings.toml")
personal_list_path = partial(_own, "mine.dict")
"""The user's own word scores, which apply to every puzzle."""

user_lists_folder = partial(_own, "lists")
"""The folder whose word lists become layers."""

user_alphabets_folder = partial(_own, "alphabets")
trusted_lists_path = partial(_own, "trusted-lists.txt")
"""Paths of other word lists that puzzles may name, one per line."""

list_settings_path = partial(_own, "lists.toml")
"""The user's settings for these layers: order, which are off, how scores are read."""

user_themes_folder = partial(_own, "themes")
user_profiles_folder = partial(_own, "profiles")
user_key_file = partial(_own, "keys.toml")

clue_book_file = partial(_data, "clues.sqlite")
own_layouts_file = partial(_data, "layouts.jsonl")

journal_folder = partial(_state, "journal")
repl_history_file = partial(_state, "repl_history")
recent_puzzles_file = partial(_state, "recent.json")
exports_file = partial(_state, "exports.json")
"""The exported files, each with its state on disk after the export."""
export_kinds_file = partial(_state, "export-kinds.json")
reported_lists_file = partial(_state, "told-of-lists.json")
"""What the last start reported about word lists."""
verb_uses_file = partial(_state, "verb-uses.json")
