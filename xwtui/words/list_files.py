"""The files of word lists: where they are, which of them a puzzle may name, whether they are still as they were.

A puzzle's file comes from anywhere, and what it names is read and may end up in a grid: a list beside it, in the
current folder, one that ships or one of the user's. A list that lies elsewhere is trusted once the user has named
it: with `words`, `prefer` or a rule, or by `trust`. The names are kept in a text file, a path a line.

Whether a file has changed is told cheaply and often, and not while it is being written.
"""

from __future__ import annotations

import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock

from xwtui.dataclasses import dataclass
from xwtui.errors import WordListError, failing_as
from xwtui.own_files import OwnFileError, read_text
from xwtui.reading import DiskMark, changing_alone, write_whole
from xwtui.resources import (
    default_word_list,
    personal_list_path,
    trusted_lists_path,
    user_lists_folder,
    wordlists_folder,
)
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
    if not name.strip():
        return
    path = Path(name)
    if folder is not None and not path.is_absolute():
        yield folder.absolute() / path
    if name.startswith("~"):
        home = path
        with suppress(RuntimeError):  # there is no such user
            home = path.expanduser()
        yield home
    else:
        yield path.absolute()
    if name == DEFAULT_LIST:
        yield default_word_list()
    elif path.name == name:
        if not path.suffix:
            yield wordlists_folder() / f"{name}.dict"
        yield user_lists_folder() / name


QUIET_SECONDS = 0.4
"""How long a file must be left alone before its new content counts."""
SHRUNK_SECONDS = 5.0
"""The same for one that has gone, or lost much of what it had: most likely it is being written anew."""

_SHRUNK = 0.9
_GONE = DiskMark(0, -1, 0)
"""The mark of what is not there, or is no ordinary file."""


@dataclass(slots=True)
class _Seen:
    """A file's mark that counts, and the newest one, with when that was seen first."""

    counts: DiskMark
    newest: DiskMark
    since: float


class ListFiles:
    """The marks of files as they count: what a program writes just now counts once it has come to rest.

    It may be used by several threads.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._seen: dict[Path, _Seen] = {}
        self._written: set[DiskMark] = set()

    def mark(self, path: Path) -> DiskMark | None:
        """The mark of a file that counts now; None where there is none, and for what is no ordinary file."""
        now, at = _mark_of(path), self._clock()
        with self._lock:
            seen = self._seen.get(path)
            if seen is None or seen.counts == _GONE:
                seen = self._seen[path] = _Seen(now, now, at)
            if now != seen.newest:
                seen.newest, seen.since = now, at
            has_shrunk = now.size < _SHRUNK * seen.counts.size
            patience = SHRUNK_SECONDS if has_shrunk else QUIET_SECONDS
            if seen.newest != seen.counts and at - seen.since >= patience:
                seen.counts = now
            return None if seen.counts == _GONE else seen.counts

    def files_in(self, folder: Path) -> tuple[Path, ...]:
        """The files of a folder that have been asked about and count still, there or gone."""
        with self._lock:
            return tuple(
                path for path, seen in self._seen.items() if seen.counts != _GONE and path.parent == folder
            )

    def take(self, path: Path) -> None:
        """Let a file count as it is: this program has written it, whole."""
        now = _mark_of(path)
        with self._lock:
            self._seen[path] = _Seen(now, now, self._clock())
            self._written.add(now)

    def has_written(self, mark: DiskMark | None) -> bool:
        """Whether a file is as this program has left it."""
        return mark in self._written


def _mark_of(path: Path) -> DiskMark:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return _GONE
    return DiskMark.of_status(status) if stat.S_ISREG(status.st_mode) else _GONE


LIST_FILES = ListFiles()
"""What this process has seen of list files."""


def trust(path: Path) -> None:
    """Let puzzles name a list wherever they lie; raises WordListError where that cannot be kept."""
    kept, wanted = trusted_lists_path(), str(path.resolve())
    if wanted in _trusted():
        return
    with failing_as(WordListError, f"cannot write {printable(str(kept), 200)}"), changing_alone(kept):
        write_whole(kept, "".join(f"{each}\n" for each in sorted({*_trusted(), wanted})))


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
