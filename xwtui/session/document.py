"""The document: a puzzle with its history, its file, and the journal of what is not saved."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from xwtui.errors import PuzzleError, XwtuiError, reason_of
from xwtui.formats.intake import ReadWarning
from xwtui.formats.ipuz_extensions import unread_words
from xwtui.formats.registry import stem_of, write_puzzle
from xwtui.lazy import lazy_imports
from xwtui.model import Grid, Puzzle, Slot
from xwtui.model.puzzle import History
from xwtui.named_tuples import NamedTuple
from xwtui.reading import DiskMark
from xwtui.resources import is_shipped_puzzle
from xwtui.session.journal import Journal, LineKind
from xwtui.session.messages import Notice, Severity
from xwtui.session.overwriting import ExistsAlreadyError, ExportedFiles, is_same_file
from xwtui.session.presence import Presence
from xwtui.session.wording import foreign_words
from xwtui.text import in_quotes, printable

with lazy_imports():
    from xwtui.session.solving import KeptAttempt, Solving

NATIVE_SUFFIXES = (".ipuz", ".json")
"""The files that hold all of a puzzle, and so may be saved to."""


TYPING_SECONDS = 1.0
"""Letters of an entry that follow each other so fast are undone together."""


class _Typing(NamedTuple):
    """Letters that are being typed: what the first one is called, where they go, and when the last one came."""

    label: str
    along: Slot
    at: float


class Keeping(NamedTuple):
    """How a session keeps its documents.

    With `holds_file`, changes are journalled, and other processes told who has the file open. Without it, as in
    the shell, what is refused names options in place of lines.
    """

    journal_folder: Path | None = None
    holds_file: bool = True
    clock: Callable[[], float] = time.monotonic
    """By it, in seconds, it is known which letters are typed in one go."""


_AS_USUAL = Keeping()


class Document:
    """A puzzle, the file it came from, and all its edits.

    `path` is None for a puzzle that has no file yet. Every change goes to `journal` before it
    is shown, so that nothing is lost with the process.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        path: Path | None = None,
        keeping: Keeping = _AS_USUAL,
        *,
        is_from_elsewhere: bool = False,
        read_warnings: tuple[ReadWarning, ...] = (),
        is_work: bool = False,
        named: str = "",
    ) -> None:
        """What `is_work` is unsaved as it is. One without a file may be `named` after what it was made from.

        `is_from_elsewhere` where it was read, and yet has no file: what lists it names nobody here has said.
        """
        journal_folder, holds_file = keeping.journal_folder, keeping.holds_file
        self.history = History(puzzle)
        self.path = path
        self._named = named or "untitled"
        self.journal = Journal(path, journal_folder)
        self.saved_at: float | None = None
        """When it was saved last, in seconds since the epoch; None where it has not been."""
        self.presence = Presence(path if holds_file else None, journal_folder)
        self.exported = ExportedFiles(
            lambda: full_path(self.path) if self.path is not None else None, names_lines=holds_file
        )
        """What exports may write over unasked."""
        self.read_warnings = read_warnings
        """In what it differs from the file that it was read from."""
        self.is_from_elsewhere = is_from_elsewhere
        self._holds_file = holds_file
        self._saved: Puzzle | None = None if is_work else puzzle
        self._clock = keeping.clock
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
        """Whether the puzzle is being test-solved, so that lines that are typed are meant for that."""
        return self._has_solving and self.solving.is_on

    @property
    def is_modified(self) -> bool:
        """Whether the puzzle differs from what was opened, made or saved last."""
        return self._saved is not self.puzzle and self._saved != self.puzzle

    @property
    def is_begun(self) -> bool:
        """Whether it is more than an empty grid that nobody has touched."""
        grid = self.puzzle.grid
        is_blank = self.puzzle == Puzzle(Grid.blank(grid.height, grid.width), symmetry=self.puzzle.symmetry)
        return self.path is not None or not is_blank or self.history.is_used

    @property
    def has_texts_alone(self) -> bool:
        """Whether it has no file and is an empty grid with a title, an author or the like, and nothing else."""
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
        """Whether saving wants a name: there is no file, or it is one of those that ship, as a sample is."""
        return self.path is None or is_shipped_puzzle(full_path(self.path))

    def is_kept_in(self, path: Path) -> bool:
        """Whether a file is the puzzle's own, with all of the work on it."""
        own = self.path
        return own is not None and _is_native(own) and is_same_file(full_path(path), full_path(own))

    @property
    def held_words(self) -> str:
        """What is said where another process has the file open; empty where none has."""
        other = self.presence.other
        return f"{self.name} {printable(other.words, 200)}" if other is not None else ""

    def opening_words(self, *, is_told: bool) -> tuple[str, ...]:
        """What is said when it has been opened; of how it was read nothing, where that `is_told` already."""
        words = [] if is_told else [warning.words for warning in self.read_warnings]
        if len(words) > 1:
            words = [f"{words[0]}; {len(words) - 1} more: `warnings` lists them"]
        return tuple(filter(None, (*words, foreign_words(self.puzzle), unread_words(self.puzzle))))

    def close(self) -> None:
        """Let go of file and journal; what is not saved stays in the journal."""
        self._keep_solving()
        self.journal.close()
        self.presence.release()

    def drop(self) -> None:
        """Let go of file and journal, and of what is not saved."""
        self._keep_solving()
        self.journal.clear()
        self.presence.release()

    @property
    def _has_solving(self) -> bool:
        """Whether the test-solving was asked for; until then nothing of it is loaded or read."""
        return "solving" in self.__dict__

    def _keep_solving(self) -> None:
        if self._has_solving:
            self.solving.keep()

    def record(self, puzzle: Puzzle, label: str, beside: object | None = None, typed: Slot | None = None) -> None:
        """Make an edit, as `History.record`; raises OSError, with the edit made, where it is not journalled.

        A letter that is `typed` in an entry goes on with the edit before, if that is one of the same entry and
        was typed within `TYPING_SECONDS`.
        """
        before, self._typing = self._typing, None
        now = self._clock() if typed is not None else 0.0
        if before is not None and before.along == typed and now - before.at <= TYPING_SECONDS:
            self.join(puzzle, f"{before.label} to {label}")
            self._typing = before._replace(at=now)
            return
        self.history.record(puzzle, label, beside)
        self._typing = None if typed is None else _Typing(label, typed, now)
        self._journalise(label)

    def join(self, puzzle: Puzzle, label: str) -> None:
        """Go on with the last edit, as `History.join`; raises OSError as `record` does."""
        self.history.join(puzzle, label)
        self._journalise(label, LineKind.JOINED)

    def go_back(self, puzzle: Puzzle, edit: str) -> None:
        """Take back an edit that is not known here, as `History.go_back`; raises OSError as `record` does."""
        self.history.go_back(puzzle, edit)
        self._journalise(f"undo {edit}", LineKind.UNDO, edit)

    def amend(self, puzzle: Puzzle, label: str) -> None:
        """Change what undo does not take back, as `History.amend`; raises OSError as `record` does."""
        self._typing = None
        self.history.amend(puzzle)
        self._journalise(label, LineKind.AMENDMENT)

    def undo(self) -> str | None:
        """Take the last edit back; returns its label, or None. Raises OSError as `record` does."""
        return self._travelled(LineKind.UNDO, self.history.undo())

    def redo(self) -> str | None:
        """Make the last undone edit again; returns its label, or None. Raises OSError as `record` does."""
        return self._travelled(LineKind.REDO, self.history.redo())

    def _travelled(self, way: LineKind, label: str | None) -> str | None:
        self._typing = None
        if label is not None:
            self._journalise(f"{way.value} {label}", way, label)
        return label

    def keep_safe(self, puzzle: Puzzle, label: str) -> None:
        """Let the journal hold what the puzzle will be, which is no edit yet, or again what it is.

        Raises OSError where that could not be journalled.
        """
        last = self.journal.last
        if (
            not self._holds_file
            or puzzle == last
            or (last is None and puzzle == self.puzzle and not self.is_modified)
        ):
            return
        if puzzle == self.puzzle:
            self._journalise(label, LineKind.AMENDMENT)
        else:
            self.journal.record(label, puzzle, LineKind.INTERIM, self._unfiled)

    def _journalise(self, label: str, kind: LineKind = LineKind.EDIT, edit: str = "") -> None:
        if not self._holds_file:
            return
        if self.is_modified:
            self.journal.record(label, self.puzzle, kind, self._unfiled, edit)
        else:
            self.journal.clear()

    @property
    def _unfiled(self) -> Puzzle | None:
        """What undo leads back to where no file has it."""
        return self._saved if self.path is None else None

    def save(self, path: Path | None = None, *, force: bool = False) -> Path:
        """Write the puzzle to its file, or to another one, which it keeps; returns the file's path.

        Raises PuzzleError where there is no name, the name is not one of a native file, or another
        program has changed the file since (unless `force`); PuzzleFormatError where it cannot be written,
        ExistsAlreadyError where it is another file that is there.
        """
        target = self._target(path, force=force)
        if force:
            with suppress(OSError):  # what cannot be made is told where the file is written
                target.parent.mkdir(parents=True, exist_ok=True)
        else:
            self._check_untouched(target, path)
        if path is not None and not target.parent.is_dir() and not force:
            asked = f"`save --force {in_quotes(str(_with_suffix(path)))}` makes it"
            raise PuzzleError(f"there is no folder {target.parent}; {asked}")
        write_puzzle(target, self.puzzle)
        if self._holds_file and (target != self.path or self.presence.other is not None):
            self.presence.hold(target)
        self.path = target
        self._saved, self.saved_at = self.puzzle, time.time()
        self.journal.clear()
        self.journal.source, self.journal.base = target, DiskMark.of(target)
        return target

    def note_written(self, files: Iterable[Path]) -> None:
        """Take files as written from here, so that they may be written again."""
        for file in files:
            self.exported.note(full_path(file))

    def _target(self, path: Path | None, *, force: bool) -> Path:
        if path is None:
            if self.path is None:
                raise PuzzleError("this puzzle has no file yet: name one, as in `save heart.ipuz`")
            if self.needs_name and not force:
                asked = "name a file of your own, as in `save heart.ipuz`; `save --force` overwrites it"
                raise PuzzleError(f"{self.path.name} ships with xwtui: {asked}")
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


class Journalled:
    """Makes changes of a document; one that cannot be journalled is made all the same, and told of."""

    def __init__(self, tell: Callable[[Notice], None]) -> None:
        self._tell = tell
        self._is_broken = False
        """Whether it has been told already."""

    def __call__(self, change: Callable[[], object]) -> None:
        """Make a change, of which only the journal may fail."""
        try:
            change()
        except (OSError, XwtuiError) as error:
            if not self._is_broken:
                self._is_broken = True
                reason = reason_of(error)
                self._tell(Notice(f"changes are not being backed up, so save soon: {reason}", Severity.WARNING))
        else:
            self._is_broken = False


def full_path(path: Path) -> Path:
    """A file's path from the root on; a link stays what it is."""
    return Path(os.path.abspath(path.expanduser()))  # noqa: PTH100  (resolve() would follow a link)


def _with_suffix(path: Path) -> Path:
    return path if path.suffix else path.with_suffix(".ipuz")


def _is_native(path: Path) -> bool:
    return path.suffix.lower() in NATIVE_SUFFIXES
