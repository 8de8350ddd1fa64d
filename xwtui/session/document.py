"""The document: a puzzle with its history, its file, and the journal of unsaved changes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from xwtui.errors import PuzzleError
from xwtui.formats.intake import ReadWarning
from xwtui.formats.ipuz_extensions import unread_words
from xwtui.formats.registry import stem_of, write_puzzle
from xwtui.lazy import lazy_imports
from xwtui.model import Grid, Puzzle, Slot
from xwtui.model.puzzle import History
from xwtui.reading import DiskMark
from xwtui.resources import is_shipped_puzzle
from xwtui.session.journal import Journal, LineKind
from xwtui.session.overwriting import ExistsAlreadyError, ExportedFiles, is_same_file
from xwtui.session.presence import Presence
from xwtui.session.wording import foreign_words
from xwtui.text import in_quotes, printable

with lazy_imports():
    from xwtui.session.solving import KeptAttempt, Solving

NATIVE_SUFFIXES = (".ipuz", ".json")
"""Suffixes of files that hold the whole puzzle, so that it can be saved to them."""


TYPING_SECONDS = 1.0
"""Letters typed into an entry at shorter intervals than this are undone together."""


class _Typing(NamedTuple):
    """A series of typed letters: its label, its entry, and the time of the last letter."""

    label: str
    along: Slot
    at: float


class DocumentStorage(NamedTuple):
    """How a session stores its documents.

    With `holds_file`, changes are journalled, and other processes can see who has the file open. Without it, as in
    the shell, refusals name command options instead of lines to type.
    """

    journal_folder: Path | None = None
    holds_file: bool = True
    clock: Callable[[], float] = time.monotonic
    """Clock in seconds that decides which letters belong to one series of typing."""


_DEFAULT_STORAGE = DocumentStorage()


class Document:
    """A puzzle, its file, and all its edits.

    `path` is None for a puzzle without a file. Every change is written to `journal` before it is shown, so that
    nothing is lost if the process ends.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        path: Path | None = None,
        storage: DocumentStorage = _DEFAULT_STORAGE,
        *,
        is_external: bool = False,
        read_warnings: tuple[ReadWarning, ...] = (),
        is_work: bool = False,
        named: str = "",
    ) -> None:
        """With `is_work`, the puzzle counts as unsaved; without a file, it may be `named` after its source.

        `is_external` marks a puzzle that was read but has no file, so that no user here has chosen the word
        lists it names.
        """
        journal_folder, holds_file = storage.journal_folder, storage.holds_file
        self.history = History(puzzle)
        self.path = path
        self._named = named or "untitled"
        self.journal = Journal(path, journal_folder)
        self.saved_at: float | None = None
        """Time of the last save, in seconds since the epoch; None if it was never saved."""
        self.presence = Presence(path if holds_file else None, journal_folder)
        self.exported = ExportedFiles(
            lambda: full_path(self.path) if self.path is not None else None, names_lines=holds_file
        )
        """Files that exports may overwrite without asking."""
        self.read_warnings = read_warnings
        """How the puzzle differs from the file it was read from."""
        self.is_external = is_external
        self._holds_file = holds_file
        self._saved: Puzzle | None = None if is_work else puzzle
        self._clock = storage.clock
        self._typing: _Typing | None = None

    @property
    def puzzle(self) -> Puzzle:
        return self.history.present

    @cached_property
    def solving(self) -> Solving:
        folder = self.journal.folder.with_name("solving")
        return Solving(lambda: self.puzzle, kept=KeptAttempt(folder, lambda: self.path))

    @property
    def is_solving(self) -> bool:
        """Whether the puzzle is being test-solved, so that typed lines go to the test-solving."""
        return self._has_solving and self.solving.is_on

    @property
    def is_modified(self) -> bool:
        """Whether the puzzle differs from what was last opened, made or saved."""
        return self._saved is not self.puzzle and self._saved != self.puzzle

    @property
    def is_begun(self) -> bool:
        """Whether it is more than an untouched empty grid."""
        grid = self.puzzle.grid
        is_blank = self.puzzle == Puzzle(Grid.blank(grid.height, grid.width), symmetry=self.puzzle.symmetry)
        return self.path is not None or not is_blank or self.history.is_used

    @property
    def has_only_texts(self) -> bool:
        """Whether it has no file and is an empty grid with only texts, such as a title or an author."""
        grid = self.puzzle.grid
        blank = Puzzle(Grid.blank(grid.height, grid.width), symmetry=self.puzzle.symmetry)
        return self.path is None and self.puzzle != blank and self.puzzle == blank.with_texts_of(self.puzzle)

    @property
    def folder(self) -> Path | None:
        return self.path.parent if self.path is not None else None

    @property
    def name(self) -> str:
        return self.path.name if self.path is not None else self._named

    @property
    def needs_name(self) -> bool:
        """Whether saving requires a name: there is no file, or it ships with xwtui, as a sample does."""
        return self.path is None or is_shipped_puzzle(full_path(self.path))

    def is_kept_in(self, path: Path) -> bool:
        """Whether a file is the puzzle's own, in a format that keeps everything."""
        own = self.path
        return own is not None and _is_native(own) and is_same_file(full_path(path), full_path(own))

    @property
    def in_use_words(self) -> str:
        """The message if another process has the file open, or an empty string."""
        other = self.presence.other
        return f"{self.name} {printable(other.words, 200)}" if other is not None else ""

    def opening_words(self, *, is_told: bool) -> tuple[str, ...]:
        """Return the messages after opening; with `is_told`, without the warnings about reading."""
        words = [] if is_told else [warning.words for warning in self.read_warnings]
        if len(words) > 1:
            words = [f"{words[0]}; {len(words) - 1} more: `warnings` lists them"]
        return tuple(filter(None, (*words, foreign_words(self.puzzle), unread_words(self.puzzle))))

    def close(self) -> None:
        """Release file and journal; unsaved changes stay in the journal."""
        self._keep_solving()
        self.journal.close()
        self.presence.release()

    def drop(self) -> None:
        """Release file and journal, and discard unsaved changes."""
        self._keep_solving()
        self.journal.clear()
        self.presence.release()

    @property
    def _has_solving(self) -> bool:
        """Whether test-solving was ever used; until then nothing of it is loaded or read."""
        return "solving" in self.__dict__

    def _keep_solving(self) -> None:
        if self._has_solving:
            self.solving.keep()

    def record(
        self, puzzle: Puzzle, label: str, attachment: object | None = None, typed: Slot | None = None
    ) -> None:
        """Apply an edit, as `History.record`; raises OSError if it cannot be journalled, with the edit made.

        A letter `typed` in an entry extends the last edit, if that was typing in the same entry, at most
        `TYPING_SECONDS` ago.
        """
        before, self._typing = self._typing, None
        now = self._clock() if typed is not None else 0.0
        if before is not None and before.along == typed and now - before.at <= TYPING_SECONDS:
            self.join(puzzle, f"{before.label} to {label}")
            self._typing = before._replace(at=now)
            return
        self.history.record(puzzle, label, attachment)
        self._typing = None if typed is None else _Typing(label, typed, now)
        self._journal(label)

    def join(self, puzzle: Puzzle, label: str) -> None:
        """Extend the last edit, as `History.join`; raises OSError as `record` does."""
        self.history.join(puzzle, label)
        self._journal(label, LineKind.JOINED)

    def go_back(self, puzzle: Puzzle, edit: str) -> None:
        """Take back an edit that is not in the history, as `History.go_back`; raises OSError as `record` does."""
        self.history.go_back(puzzle, edit)
        self._journal(f"undo {edit}", LineKind.UNDO, edit)

    def amend(self, puzzle: Puzzle, label: str) -> None:
        """Make a change that undo does not take back, as `History.amend`; raises OSError as `record` does."""
        self._typing = None
        self.history.amend(puzzle)
        self._journal(label, LineKind.AMENDMENT)

    def undo(self) -> str | None:
        """Take back the last edit; returns its label, or None. Raises OSError as `record` does."""
        return self._journal_step(LineKind.UNDO, self.history.undo())

    def redo(self) -> str | None:
        """Repeat the last undone edit; returns its label, or None. Raises OSError as `record` does."""
        return self._journal_step(LineKind.REDO, self.history.redo())

    def _journal_step(self, way: LineKind, label: str | None) -> str | None:
        self._typing = None
        if label is not None:
            self._journal(f"{way.value} {label}", way, label)
        return label

    def journal_pending(self, puzzle: Puzzle, label: str) -> None:
        """Journal a future state of the puzzle, or its present state again; raises OSError."""
        last = self.journal.last
        if (
            not self._holds_file
            or puzzle == last
            or (last is None and puzzle == self.puzzle and not self.is_modified)
        ):
            return
        if puzzle == self.puzzle:
            self._journal(label, LineKind.AMENDMENT)
        else:
            self.journal.record(label, puzzle, LineKind.INTERIM, self._unfiled)

    def _journal(self, label: str, kind: LineKind = LineKind.EDIT, edit: str = "") -> None:
        if not self._holds_file:
            return
        if self.is_modified:
            self.journal.record(label, self.puzzle, kind, self._unfiled, edit)
        else:
            self.journal.clear()

    @property
    def _unfiled(self) -> Puzzle | None:
        """The state that undo leads back to, if no file holds it."""
        return self._saved if self.path is None else None

    def save(self, path: Path | None = None, *, force: bool = False) -> Path:
        """Write the puzzle to its file, or to another one that becomes its file; returns the file's path.

        Raises PuzzleError if there is no name, if the name is not that of a native file, or if another program has
        changed the file meanwhile (unless `force`). Raises PuzzleFormatError if the file cannot be written, and
        ExistsAlreadyError if it is a different file that exists.
        """
        target = self._target(path, force=force)
        if force:
            with suppress(OSError):  # writing the file reports the problem
                target.parent.mkdir(parents=True, exist_ok=True)
        else:
            self._check_untouched(target, path)
        if path is not None and not target.parent.is_dir() and not force:
            remedy = f"`save --force {in_quotes(str(_with_suffix(path)))}` makes it"
            raise PuzzleError(f"there is no folder {target.parent}; {remedy}")
        write_puzzle(target, self.puzzle)
        if self._holds_file and (target != self.path or self.presence.other is not None):
            self.presence.hold(target)
        self.path = target
        self._saved, self.saved_at = self.puzzle, time.time()
        self.journal.clear()
        self.journal.source, self.journal.base = target, DiskMark.of(target)
        return target

    def note_written(self, files: Iterable[Path]) -> None:
        """Note files that were written by this document, so that it may overwrite them."""
        for file in files:
            self.exported.note(full_path(file))

    def _target(self, path: Path | None, *, force: bool) -> Path:
        if path is None:
            if self.path is None:
                raise PuzzleError("this puzzle has no file yet: name one, as in `save heart.ipuz`")
            if self.needs_name and not force:
                remedy = "name a file of your own, as in `save heart.ipuz`; `save --force` overwrites it"
                raise PuzzleError(f"{self.path.name} ships with xwtui: {remedy}")
            return self.path if _is_native(self.path) else self.path.with_name(f"{stem_of(self.path)}.ipuz")
        if full_path(path).is_dir():
            suggested = f"{stem_of(self.path)}.ipuz" if self.path is not None else "heart.ipuz"
            raise PuzzleError(f"{path} is a folder; name a file in it, as in `save {path / suggested}`")
        named = _with_suffix(path)
        if not _is_native(named):
            raise PuzzleError(f"puzzles are saved as .ipuz, which keeps everything; use export for {named.suffix}")
        return full_path(named)

    def _check_untouched(self, target: Path, typed: Path | None) -> None:
        now = DiskMark.of(target)
        if now is None or (target == self.path and now == self.journal.base):
            return
        if target == self.path:
            raise PuzzleError(
                f"{target.name} was changed by another program since you opened it; "
                "`save --force` overwrites it, `save NAME` keeps both"
            )
        if typed is None:
            raise ExistsAlreadyError(target.name, "`save --force`")
        shown = str(_with_suffix(typed))
        raise ExistsAlreadyError(shown, f"`save --force {in_quotes(shown)}`")


def full_path(path: Path) -> Path:
    """Return the absolute path of a file, without following links."""
    return Path(os.path.abspath(path.expanduser()))  # noqa: PTH100  (resolve() would follow a link)


def _with_suffix(path: Path) -> Path:
    return path if path.suffix else path.with_suffix(".ipuz")


def _is_native(path: Path) -> bool:
    return path.suffix.lower() in NATIVE_SUFFIXES
