"""Protection of files: exports may overwrite their own earlier output; anything else requires force."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from xwtui.errors import PuzzleFormatError
from xwtui.lazy import lazy_imports
from xwtui.reading import DiskMark
from xwtui.resources import exports_file
from xwtui.text import in_quotes
from xwtui.user_files import keep, read_kept

with lazy_imports():
    import hashlib

FORCE = "--force"
"""The option that allows overwriting, in every verb and command that writes a file."""

Guard: TypeAlias = Callable[[Path], AbstractContextManager[object]]
"""A context in which a file is written; entering it raises PuzzleFormatError if a file would be lost."""


class ExistsAlreadyError(PuzzleFormatError):
    """A file would be lost; `shown` is its name as typed, `remedy` is what overwrites it anyway."""

    def __init__(self, shown: str, remedy: str) -> None:
        super().__init__(f"{shown} already exists: choose another name, or {remedy} overwrites it")
        self.shown, self.remedy = shown, remedy


_MOST_KEPT = 1_000


class _KeptExport(NamedTuple):
    """The record of an exported file: its digest, the puzzle's own file, and the export options."""

    digest: str
    source: str = ""
    how: Mapping[str, Any] = {}


class ExportedFiles:
    """The files that exports of one puzzle have written, each with its state after the export.

    For a puzzle with a file, later sessions know them too, by digests stored next to the list of recent puzzles.
    Storing them in the puzzle's own file would make each export change a file under version control.
    """

    def __init__(self, source: Callable[[], Path | None], *, names_lines: bool = True) -> None:
        """`source` returns the current absolute path of the puzzle's own file.

        Without `names_lines`, a refusal names only the option, because the shell takes no lines of verbs.
        """
        self._source = source
        self._names_lines = names_lines
        self._marks: dict[Path, DiskMark | None] = {}
        self._how: dict[Path, Mapping[str, Any]] = {}

    @property
    def before(self) -> Mapping[Path, Mapping[str, Any]]:
        """The exported files of the puzzle that still exist, each with its options."""
        source = str(self._source())
        kept = {Path(name): one.how for name, one in _kept().items() if one.source == source}
        return {path: how for path, how in {**kept, **self._how}.items() if path.is_file()}

    @contextmanager
    def writing(
        self, path: Path, *, shown: str, remedy: str, force: bool = False, how: Mapping[str, Any] | None = None
    ) -> Iterator[None]:
        """A context in which a file is written; afterwards an export may write it again.

        `how` are the export options, as in `before`; with them, later sessions know the file too. Raises
        ExistsAlreadyError if the file exists in another state than an export left it, unless `force`.
        """
        source, name = self._source() if how is not None else None, str(path.absolute())
        known = _kept().get(name) if source is not None else None
        if not (force or (source is not None and known is not None and known.digest == _digest(path, source))):
            self.check(path, shown=shown, remedy=remedy)
        yield
        self.note(path)
        if how is not None:
            self._how[path] = how
        if source is not None and path.is_file():
            # if this cannot be stored, the next session asks before it overwrites the file
            others = {each: one for each, one in _kept().items() if each != name}
            noted = _KeptExport(_digest(path, source), str(source), how or {})
            keep(exports_file(), dict([*others.items(), (name, noted)][-_MOST_KEPT:]))

    def guard(
        self, line: str, file: Path, after: str = "", *, force: bool, how: Mapping[str, Any] | None = None
    ) -> Guard:
        """Return the guard for a file that a verb writes; `line`, the typed name and `after` make the remedy."""
        remedy = f"`{line} {in_quotes(str(file))}{after}`"
        return partial(self.writing, shown=str(file), remedy=remedy, force=force, how=how)

    def check(self, path: Path, *, shown: str, remedy: str) -> None:
        """Raise ExistsAlreadyError if the file exists and has changed since it was written here."""
        if path not in self._marks or self._marks[path] != DiskMark.of(path):
            check_free(path, shown=shown, remedy=remedy if self._names_lines else FORCE)

    def note(self, path: Path) -> None:
        """Record a file as written here, so that it may be overwritten."""
        self._marks[path] = DiskMark.of(path)


def _digest(path: Path, source: Path) -> str:
    found = hashlib.sha256(f"{source}\n".encode("utf-8", "surrogateescape"))
    with suppress(OSError):
        found.update(path.read_bytes())
    return found.hexdigest()


def _kept() -> dict[str, _KeptExport]:
    found = {}
    for name, kept in read_kept(exports_file(), dict).items():
        match kept:
            case [str() as digest, str() as source, dict() as how]:
                found[name] = _KeptExport(digest, source, how)
            case str() as digest:
                found[name] = _KeptExport(digest)
    return found


def check_free(path: Path, *, shown: str = "", remedy: str = FORCE, source: str | None = None) -> None:
    """Raise ExistsAlreadyError if the file exists and is not the `source` of what is to be written.

    Empty files, pipes and terminals count as free.
    """
    if path.is_file() and path.stat().st_size and not (source is not None and is_same_file(path, Path(source))):
        raise ExistsAlreadyError(shown or str(path), remedy)


def numbered_free(name: Callable[[int], Path], count: int) -> tuple[list[Path], list[str]]:
    """Return `count` consecutively numbered paths that are free, and a note if the numbers do not start at 1."""
    taken = 0
    while any(name(taken + number).exists() for number in range(1, count + 1)):
        taken += 1
    paths = [name(taken + number) for number in range(1, count + 1)]
    return paths, [f"files already exist: the new ones start with {paths[0]}"] if taken else []


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to the same file; False if that cannot be determined."""
    try:
        return one == other or one.samefile(other)
    except (OSError, ValueError):
        return False
