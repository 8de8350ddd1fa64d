"""Word list files: where they are, which ones a puzzle may name, and whether they have changed.

A puzzle file may come from anywhere, and the lists that it names are read and may end up in a grid. So it may name
only lists next to it, in the current folder, shipped, or among the user's own. A list elsewhere is trusted once
the user has named it with `words`, `prefer` or a rule, or by `trust`. Trusted paths are kept in a text file, one
path a line.

Checks for changed files are cheap enough to run often, and ignore a file that is still being written.
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
from xwtui.reading import DiskMark, changing_alone, write_whole
from xwtui.resources import (
    default_word_list,
    personal_list_path,
    trusted_lists_path,
    user_lists_folder,
    wordlists_folder,
)
from xwtui.text import in_quotes, printable
from xwtui.user_files import UserFileError, read_text

DEFAULT_LIST = "default"
"""The name of the list that ships with xwtui."""


def is_default(path: Path) -> bool:
    """Whether this is the shipped list, which is the default."""
    return path == default_word_list()


def find_list(name: str, folder: Path | None = None) -> Path:
    """Return the path of a list named in a puzzle: in the puzzle's folder, else a file, else a shipped one.

    Raises WordListError, naming the places searched, if there is none.
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
        with suppress(RuntimeError):  # no such user
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
"""How long a file must be unchanged before its new content counts."""
SHRUNK_SECONDS = 5.0
"""The same for a file that has vanished or shrunk by more than a tenth, since it is probably being rewritten."""

_SHRUNK = 0.9
_GONE = DiskMark(0, -1, 0)
"""The mark of a missing file, or of anything but an ordinary file."""


@dataclass(slots=True)
class _Seen:
    """A file's effective mark and its latest mark, with the time when the latest one was first seen."""

    counts: DiskMark
    newest: DiskMark
    since: float


class ListFiles:
    """Files' effective marks, debounced: one being written counts only after a quiet period. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._seen: dict[Path, _Seen] = {}
        self._written: set[DiskMark] = set()

    def mark(self, path: Path) -> DiskMark | None:
        """Return a file's effective mark, or None if there is no ordinary file."""
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
        """Return the files of a folder that have been queried and still count, even if they are gone."""
        with self._lock:
            return tuple(
                path for path, seen in self._seen.items() if seen.counts != _GONE and path.parent == folder
            )

    def take(self, path: Path) -> None:
        """Make a file's current content count at once, because this process has just written all of it."""
        now = _mark_of(path)
        with self._lock:
            self._seen[path] = _Seen(now, now, self._clock())
            self._written.add(now)

    def has_written(self, mark: DiskMark | None) -> bool:
        """Whether a file is still as this process wrote it."""
        return mark in self._written


def _mark_of(path: Path) -> DiskMark:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return _GONE
    return DiskMark.of_status(status) if stat.S_ISREG(status.st_mode) else _GONE


LIST_FILES = ListFiles()
"""The state of list files seen by this process."""


def trust(path: Path) -> None:
    """Allow puzzles to name a list from anywhere; raises WordListError if this cannot be saved."""
    kept, wanted = trusted_lists_path(), str(path.resolve())
    if wanted in _trusted():
        return
    with failing_as(WordListError, f"cannot write {printable(str(kept), 200)}"), changing_alone(kept):
        write_whole(kept, "".join(f"{each}\n" for each in sorted({*_trusted(), wanted})))


def is_trusted(path: Path, folder: Path | None) -> bool:
    """Whether a puzzle file in a folder (None: the current one) may name a list."""
    found = path.resolve()
    beside = (folder or Path.cwd()).resolve()
    homes = (beside, user_lists_folder().resolve(), wordlists_folder().resolve())
    return (
        any(found.is_relative_to(home) for home in homes)
        or found == personal_list_path().resolve()
        or str(found) in _trusted()
    )


def untrusted_lists(names: Iterable[str], folder: Path | None) -> dict[str, Path]:
    """Return the lists that a puzzle file may not name, with their paths; missing lists are ignored."""
    found: dict[str, Path] = {}
    for name in names:
        with suppress(WordListError):
            path = find_list(name, folder)
            if not is_trusted(path, folder):
                found[name] = path.resolve()
    return found


def check_trusted(names: Iterable[str], folder: Path | None) -> None:
    """Raise WordListError, with a remedy, for the first list that a puzzle file may not name."""
    for path in untrusted_lists(names, folder).values():
        shown = printable(str(path), 200)
        raise WordListError(
            f"the puzzle names the word list {shown}, which is neither next to it nor one of yours: "
            f"`trust {in_quotes(shown)}` allows it, or `words` chooses other lists"
        )


def _trusted() -> frozenset[str]:
    try:
        return frozenset(read_text(trusted_lists_path()).splitlines())
    except UserFileError:
        return frozenset()
