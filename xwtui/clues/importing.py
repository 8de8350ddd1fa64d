"""Taking a folder of puzzles and lists into the clue book: each file once, and what is in stays in."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from xwtui.clues.book import ClueBook, ClueSource, NewClue
from xwtui.clues.reading import (
    CLUE_FILE_SUFFIXES,
    LIST_SUFFIXES,
    LONGEST_LINE_BYTES,
    WordClueList,
    clue_list_of,
    decoded_lines,
    read_puzzle_clues,
)
from xwtui.errors import ClueBookError, XwtuiError
from xwtui.formats.base import MAX_FILE_BYTES
from xwtui.formats.registry import files_below
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.reading import check_is_file, read_at_most
from xwtui.words.normalise import noting_folds

_SECONDS_A_CHANGE = 0.5
"""How long puzzles are read before they go into the book together, while others may write to it."""

_LINES_A_CHANGE = 5_000
_LOOKED_AT = 1 << 16
"""Bytes by which a list is known."""


class SkippedFile(NamedTuple):
    """A file from which nothing was taken, and why."""

    path: Path
    reason: str


@dataclass(frozen=True)
class ImportView:
    """How far an import is: of so many `files`, how many are `done`, and what they have brought."""

    path: Path
    """The folder, or the one file."""
    files: int
    done: int = 0
    clues: int = 0
    """Those that were not in the book before."""
    known: int = 0
    """Files that were in the book already."""
    odd_lines: int = 0
    """Lines of lists that are no word with a clue."""
    alphabet: Alphabet = ENGLISH
    """That the words of lists are spelled in."""
    folds: Mapping[str, str] = field(default_factory=dict)
    """The letters of their words that it lacks, each with what is written for it."""
    skipped: tuple[SkippedFile, ...] = ()
    seconds: float = 0.0

    @property
    def is_whole(self) -> bool:
        """Whether nothing has stopped it."""
        return self.done == self.files


Tell = Callable[[ImportView], None]
IsStopped = Callable[[], bool]


class _ReadPuzzle(NamedTuple):
    source: ClueSource
    clues: list[NewClue]
    digest: bytes


@dataclass
class _Import:
    """One import as it goes on."""

    book: ClueBook
    view: ImportView
    is_own: bool
    is_stopped: IsStopped
    tell: Tell
    known_digests: set[bytes]
    own_names: frozenset[str]
    read: list[_ReadPuzzle] = field(default_factory=list)
    """Puzzles that are to go into the book."""
    begun: float = field(default_factory=time.monotonic)
    written: float = field(default_factory=time.monotonic)

    def run(self, files: Iterator[Path]) -> ImportView:
        for path in files:
            if self.is_stopped():
                break
            is_over = True
            try:
                is_over = self._take(path)
            except ClueBookError:
                raise
            except (XwtuiError, OSError) as error:
                reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
                self._note(skipped=(*self.view.skipped, SkippedFile(path, reason)))
            if is_over:
                self._note(done=self.view.done + 1)
            if time.monotonic() - self.written > _SECONDS_A_CHANGE:
                self._write()
        self._write()
        return self.view

    def _take(self, path: Path) -> bool:
        """Read one file; its clues are in the book at the next writing, those of a list at once.

        Returns False for a list that was stopped within.
        """
        if str(path) in self.own_names:
            self._note(known=self.view.known + 1)
            return True
        if path.suffix.lower() in LIST_SUFFIXES:
            check_is_file(path)
            with path.open("rb") as stream:
                found = clue_list_of(stream.read(_LOOKED_AT), self.view.alphabet)
                if found is not None:
                    return self._take_list(path, found, stream)
        data = read_at_most(path, MAX_FILE_BYTES + 1)
        digest = hashlib.blake2b(data, digest_size=16).digest()
        if self._is_known(digest):
            return True
        source, clues = read_puzzle_clues(path, data)
        self.read.append(_ReadPuzzle(replace(source, is_own=self.is_own), clues, digest))
        self.known_digests.add(digest)
        return True

    def _is_known(self, digest: bytes) -> bool:
        if digest in self.known_digests:
            self._note(known=self.view.known + 1)
            return True
        return False

    def _take_list(self, path: Path, form: WordClueList, stream: BufferedReader) -> bool:
        """Take a list in, some lines at a time; one that is stopped within is taken anew the next time."""
        stream.seek(0)
        digest = hashlib.file_digest(stream, self._list_hash).digest()
        if self._is_known(digest):
            return True
        stream.seek(0)
        source = ClueSource(str(path), path.stem, is_own=self.is_own)
        with self.book.changing() as change:
            change.forget(source.name)
            number = change.begin(source)
        clues = form.clues(decoded_lines(_bounded_lines(stream)))
        while some := list(islice(clues, _LINES_A_CHANGE)):
            with self.book.changing() as change:
                self._note(clues=self.view.clues + change.add(number, some))
            if self.is_stopped():
                return False
        with self.book.changing() as change:
            change.end(source, digest)
        self.known_digests.add(digest)
        self._note(odd_lines=self.view.odd_lines + form.skipped)
        return True

    def _list_hash(self) -> hashlib.blake2b:
        """What hashes a list: to another digest in each alphabet, in which it has other words."""
        alphabet = self.view.alphabet
        return hashlib.blake2b(b"" if alphabet == ENGLISH else str(alphabet).encode(), digest_size=16)

    def _write(self) -> None:
        """Let all that was read go into the book."""
        if self.read:
            new = 0
            with self.book.changing() as change:
                for source, clues, digest in self.read:
                    new += change.replace(source, clues, digest)
            self.read.clear()
            self._note(clues=self.view.clues + new)
        self.written = time.monotonic()

    def _note(self, **changes: object) -> None:
        self.view = replace(self.view, seconds=time.monotonic() - self.begun, **changes)  # type: ignore[arg-type]
        self.tell(self.view)


def import_clues(
    book: ClueBook,
    path: Path,
    *,
    is_own: bool = False,
    alphabet: Alphabet = ENGLISH,
    is_stopped: IsStopped = lambda: False,
    tell: Tell = lambda view: None,
) -> ImportView:
    """Take the puzzles and lists of a folder, or one file, into the book.

    What the book has already, by the bytes of the file, is passed over, and so are puzzles of one's own. A file
    that cannot be read is named in the view, and the next one follows. With `is_own` all are the constructor's
    own. Words of lists are spelled in an `alphabet`; the view says what it lacks. Once stopped, what was read by
    then is in the book. Raises ClueBookError where the book cannot be written, or nothing lies at the path.
    """
    if not path.exists():
        raise ClueBookError(f"there is no folder or file {path}")
    files = sorted(files_below(path, CLUE_FILE_SUFFIXES)) if path.is_dir() else [path]
    known = book.known()
    task = _Import(
        book,
        ImportView(path, len(files), alphabet=alphabet),
        is_own,
        is_stopped,
        tell,
        set(known.digests),
        frozenset() if is_own else known.own_names,
    )
    with noting_folds() as folds:
        view = task.run(iter(files))
    return replace(view, folds=folds)


def _bounded_lines(stream: BufferedReader) -> Iterator[bytes]:
    """The lines of a file; of one that is too long, only as much as tells that it is."""
    while line := stream.readline(LONGEST_LINE_BYTES):
        rest = line
        while len(rest) == LONGEST_LINE_BYTES and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST_LINE_BYTES)
        yield line
