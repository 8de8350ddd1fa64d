"""What is told of the user's library of layouts: what was taken into it, and what it had already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xwtui.grids.library import NewLayout, keep_layouts
from xwtui.grids.templates import Template
from xwtui.session.answers import VerbAnswer
from xwtui.session.jobs.inquiry_job import Look
from xwtui.session.wording import counted
from xwtui.text import first_named, printable

_MOST_NAMED = 8
_FILES_A_REPORT = 50


@dataclass(frozen=True)
class LibraryAnswer(VerbAnswer):
    """Layouts that were taken into the library, from the puzzles of a folder or as they were drawn."""

    added: tuple[Template, ...] = ()
    known: int = 0
    """Those that are alike another one, up to mirror and turn."""
    looked_at: int | None = None
    """Files that were looked at, where they come from a folder."""
    unread: tuple[str, ...] = ()
    """The names of files that could not be read."""

    @property
    def lines(self) -> Sequence[str]:
        """How many were taken and left, the names of the first, and what could not be read."""
        files = "" if self.looked_at is None else f" from {counted(self.looked_at, 'file')}"
        told = [f"{counted(len(self.added), 'layout')} taken into your library{files}"]
        if self.added:
            names = first_named([one.name for one in self.added], _MOST_NAMED)
            told[0] += f": {names}; `templates mine` finds them"
        if self.known:
            told.append(f"{counted(self.known, 'other')} alike one that it has, up to mirror and turn")
        if self.unread:
            told.append(
                f"{counted(len(self.unread), 'file')} could not be read: {first_named(self.unread, _MOST_NAMED)}"
            )
        return told

    @property
    def as_json(self) -> dict[str, Any]:
        """The names of those that were taken, how many it had already, and the files that could not be read."""
        return {
            "added": [one.name for one in self.added],
            "known": self.known,
            "files": self.looked_at,
            "unread": list(self.unread),
        }


def import_folder(folder: Path, look: Look) -> LibraryAnswer:
    """Take the patterns of the puzzles in and below a folder into the library; once stopped, of those read so far.

    Raises PuzzleError where the folder cannot be read, or the library cannot be written.
    """
    from xwtui.errors import PuzzleError, PuzzleFormatError  # noqa: PLC0415
    from xwtui.formats.registry import files_below, read_puzzle  # noqa: PLC0415
    from xwtui.session.own_puzzles import SUFFIXES  # noqa: PLC0415

    try:
        files = sorted(files_below(folder, SUFFIXES | {".txt"}))
    except OSError as error:
        raise PuzzleError(f"the folder {folder} cannot be read: {error.strerror or error}") from error
    found: list[NewLayout] = []
    unread: list[str] = []
    for number, path in enumerate(files, start=1):
        if look.is_stopped():
            break
        try:
            found.append(NewLayout(path.stem, read_puzzle(path), path.name))
        except PuzzleFormatError:
            unread.append(printable(path.name, 60))
        if number % _FILES_A_REPORT == 0:
            look.tell(LibraryAnswer(looked_at=number))
    kept = keep_layouts(found)
    return LibraryAnswer(kept.added, kept.known, looked_at=len(found) + len(unread), unread=tuple(unread))
