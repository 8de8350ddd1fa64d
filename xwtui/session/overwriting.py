"""What is written over: what was exported of the same puzzle, and any other file only where that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from xwtui.errors import PuzzleFormatError
from xwtui.lazy import lazy_imports
from xwtui.named_tuples import NamedTuple
from xwtui.own_files import keep, read_kept
from xwtui.reading import DiskMark
from xwtui.resources import exports_file
from xwtui.text import in_quotes

with lazy_imports():
    import hashlib

FORCE = "--force"
"""The option that writes over a file, of every verb and command that writes one."""

Guard: TypeAlias = Callable[[Path], AbstractContextManager[object]]
"""Within it a file is written; entering raises PuzzleFormatError where that would lose one."""


class ExistsAlreadyError(PuzzleFormatError):
    """A file would be lost; `shown` is its name as it was typed, `remedy` what writes over it all the same."""

    def __init__(self, shown: str, remedy: str) -> None:
        super().__init__(f"{shown} already exists: choose another name, or {remedy} overwrites it")
        self.shown, self.remedy = shown, remedy


_MOST_KEPT = 1_000


class _KeptExport(NamedTuple):
    """What is kept of a file that was exported: how it was left, the puzzle's own file, and the options."""

    digest: str
    source: str = ""
    how: Mapping[str, Any] = {}


class ExportedFiles:
    """The files that exports of one puzzle have written, each as it was left.

    Those of a puzzle with a file are known to later sessions, too, by digests beside the list of recent puzzles:
    within the puzzle's own file, an export would change what is under version control.
    """

    def __init__(self, source: Callable[[], Path | None], *, names_lines: bool = True) -> None:
        """`source` tells the puzzle's own file as it is at the moment, from the root on.

        Without `names_lines` a refusal names the option alone: the shell takes no lines of verbs.
        """
        self._source = source
        self._names_lines = names_lines
        self._marks: dict[Path, DiskMark | None] = {}
        self._how: dict[Path, Mapping[str, Any]] = {}

    @property
    def before(self) -> Mapping[Path, Mapping[str, Any]]:
        """The files that were exported of the puzzle and are still there, each with its options."""
        source = str(self._source())
        kept = {Path(name): one.how for name, one in _kept().items() if one.source == source}
        return {path: how for path, how in {**kept, **self._how}.items() if path.is_file()}

    @contextmanager
    def writing(
        self, path: Path, *, shown: str, remedy: str, force: bool = False, how: Mapping[str, Any] | None = None
    ) -> Iterator[None]:
        """Within it a file is written, which may be written again then; if it is told `how`, as `before` has it.

        That is known to later sessions, too. Raises ExistsAlreadyError, unless `force`, where a file is there that
        is not as an export left it.
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
            # where this cannot be kept, the next session asks before it writes over the file
            others = {each: one for each, one in _kept().items() if each != name}
            noted = _KeptExport(_digest(path, source), str(source), how or {})
            keep(exports_file(), dict([*others.items(), (name, noted)][-_MOST_KEPT:]))

    def guard(
        self, line: str, file: Path, after: str = "", *, force: bool, how: Mapping[str, Any] | None = None
    ) -> Guard:
        """The guard of a verb for a file named as it was typed: `line`, that name and `after` write over it."""
        remedy = f"`{line} {in_quotes(str(file))}{after}`"
        return partial(self.writing, shown=str(file), remedy=remedy, force=force, how=how)

    def check(self, path: Path, *, shown: str, remedy: str) -> None:
        """Raise ExistsAlreadyError where a file is there that is not as it was left here."""
        if path not in self._marks or self._marks[path] != DiskMark.of(path):
            check_free(path, shown=shown, remedy=remedy if self._names_lines else FORCE)

    def note(self, path: Path) -> None:
        """Take a file as left here, so that it may be written again."""
        self._marks[path] = DiskMark.of(path)


def _digest(path: Path, source: Path) -> str:
    """Of the content of a file that was exported, and of where the puzzle is that it was exported from."""
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
    """Raise ExistsAlreadyError where a file is there, other than the `source` of what is to be written.

    An empty file is as good as free, and so is a pipe or a terminal, which is not written over.
    """
    if path.is_file() and path.stat().st_size and not (source is not None and is_same_file(path, Path(source))):
        raise ExistsAlreadyError(shown or str(path), remedy)


def numbered_free(name: Callable[[int], Path], count: int) -> tuple[list[Path], list[str]]:
    """So many files that are not there, with numbers in a row; where that is not from 1 on, it is said."""
    taken = 0
    while any(name(taken + number).exists() for number in range(1, count + 1)):
        taken += 1
    paths = [name(taken + number) for number in range(1, count + 1)]
    return paths, [f"files already exist: the new ones start with {paths[0]}"] if taken else []


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, as far as it is there."""
    try:
        return one == other or one.samefile(other)
    except (OSError, ValueError):
        return False
