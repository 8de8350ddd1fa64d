"""Where a word list is that a puzzle names: beside it, in the current folder, shipped, or one of the user's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from xwtui.errors import WordListError
from xwtui.resources import default_word_list, user_lists_folder, wordlists_folder
from xwtui.text import printable

DEFAULT_LIST = "default"
"""The name of the list that ships with xwtui."""


def is_default(path: Path) -> bool:
    """Whether this is the list that ships and serves where none is named."""
    return path == default_word_list()


def find_list(name: str, folder: Path | None = None) -> Path:
    """Return the path of a list named in a puzzle: in the puzzle's folder, else a file, else one that ships.

    Raises WordListError where there is none, and tells where it was looked for.
    """
    tried = []
    for path in dict.fromkeys(_places(name, folder)):
        try:
            if path.is_file() or path.is_fifo():
                return path
            if path.exists():
                raise WordListError(f"{printable(str(path), 200)} is not an ordinary file, so not a word list")
        except (OSError, ValueError) as error:
            raise WordListError(f"'{printable(name)}' cannot be a word list's name") from error
        tried.append(printable(str(path), 200))
    if not tried:
        raise WordListError("a word list has an empty name")
    raise WordListError(f"there is no word list '{printable(name)}'; looked for {' and '.join(tried)}")


def _places(name: str, folder: Path | None) -> Iterator[Path]:
    """Where a list may be, the first choice first."""
    if not name.strip():
        return
    path = Path(name)
    if folder is not None and not path.is_absolute():
        yield folder.absolute() / path
    if name.startswith("~"):
        yield _expand_home(path)
    else:
        yield path.absolute()
    if name == DEFAULT_LIST:
        yield default_word_list()
    elif path.name == name:
        if not path.suffix:
            yield wordlists_folder() / f"{name}.dict"
        yield user_lists_folder() / name


def _expand_home(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:
        return path
