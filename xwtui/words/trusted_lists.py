"""Which word lists a puzzle's file may name: those beside it, the user's own, those that ship, trusted ones.

A file comes from anywhere, and what it names is read and may end up in a grid. A list that lies elsewhere is
trusted once the user has named it: with `words`, `prefer` or a rule, or by `trust`. The names are kept in a text
file, a path a line.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from xwtui.errors import WordListError
from xwtui.own_files import OwnFileError, read_text
from xwtui.reading import changing_alone, write_whole
from xwtui.resources import personal_list_path, trusted_lists_path, user_lists_folder, wordlists_folder
from xwtui.text import printable
from xwtui.words.list_places import find_list


def trust(path: Path) -> None:
    """Let puzzles name a list wherever they lie; raises WordListError where that cannot be kept."""
    kept, wanted = trusted_lists_path(), str(path.resolve())
    if wanted in _trusted():
        return
    try:
        with changing_alone(kept):
            write_whole(kept, "".join(f"{each}\n" for each in sorted({*_trusted(), wanted})))
    except OSError as error:
        raise WordListError(f"cannot write {printable(str(kept), 200)}: {error.strerror or error}") from error


def is_trusted(path: Path, folder: Path | None) -> bool:
    """Whether the file of a puzzle in a folder, the current one if None, may name a list."""
    found = path.resolve()
    beside = (folder or Path.cwd()).resolve()
    homes = (beside, user_lists_folder().resolve(), wordlists_folder().resolve())
    return (
        any(found.is_relative_to(home) for home in homes)
        or found == personal_list_path().resolve()
        or str(found) in _trusted()
    )


def untrusted_lists(names: Iterable[str], folder: Path | None) -> dict[str, Path]:
    """Those of some lists that the file of a puzzle may not name, each with its file; missing ones are no part."""
    found: dict[str, Path] = {}
    for name in names:
        with suppress(WordListError):
            path = find_list(name, folder)
            if not is_trusted(path, folder):
                found[name] = path
    return found


def check_trusted(names: Iterable[str], folder: Path | None) -> None:
    """Raise WordListError, saying what to do, for the first list that the file of a puzzle may not name."""
    for path in untrusted_lists(names, folder).values():
        shown = printable(str(path), 200)
        raise WordListError(
            f"the puzzle names the word list {shown}, which is neither next to it nor one of yours: "
            f"`trust {shown}` allows it, or `words` chooses other lists"
        )


def _trusted() -> frozenset[str]:
    try:
        return frozenset(read_text(trusted_lists_path()).splitlines())
    except OwnFileError:
        return frozenset()
