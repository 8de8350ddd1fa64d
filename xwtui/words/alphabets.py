"""Alphabets from files: the user's, which take precedence, and the shipped ones."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from xwtui.errors import PuzzleError, WordListError
from xwtui.model.alphabet import ENGLISH, Alphabet, alphabet_of
from xwtui.reading import DiskMark
from xwtui.resources import alphabets_folder, user_alphabets_folder
from xwtui.text import listed, printable
from xwtui.user_files import UserFileError, read_toml

_SUFFIX = ".toml"
_MOST_BYTES = 64 << 10


def alphabet_names() -> tuple[str, ...]:
    """Return the names of all alphabets, including damaged files: English first, then alphabetically."""
    folders = user_alphabets_folder(), alphabets_folder()
    names = {path.stem for folder in folders for path in folder.glob(f"*{_SUFFIX}") if _is_name(path.stem)}
    return (ENGLISH.name, *sorted(names - {ENGLISH.name}))


def find_alphabet(name: str) -> Alphabet:
    """Return the alphabet with a name in either case; raises WordListError if it is missing or damaged."""
    wanted = name.strip().lower()
    for folder in (user_alphabets_folder(), alphabets_folder()) if _is_name(wanted) else ():
        path = folder / f"{wanted}{_SUFFIX}"
        if (mark := DiskMark.of(path)) is not None:
            return _read(path, mark)
    if wanted == ENGLISH.name:
        return ENGLISH
    raise WordListError(
        f"there is no alphabet {printable(name, 40)!r}; there are {listed(alphabet_names(), 'and')}"
    )


def _is_name(text: str) -> bool:
    """Whether a lowercase text may be an alphabet's name; other texts must not reach the file system."""
    return text == text.lower() and text.replace("-", "").isalnum()


@lru_cache(64)
def _read(path: Path, mark: DiskMark) -> Alphabet:
    """Return the alphabet in a file; the mark makes the cache miss when the file changes."""
    try:
        return alphabet_of(path.stem, read_toml(path, _MOST_BYTES))
    except UserFileError as error:
        raise WordListError(str(error)) from error
    except PuzzleError as error:
        raise WordListError(f"{printable(str(path), 200)}: {error}") from error
