"""What `lists learn` answers: how many puzzles were counted, and which files could not be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from xwtui.session.answers import VerbAnswer
from xwtui.session.wording import counted
from xwtui.text import printable

_MOST_NAMED = 20


class UnreadFile(NamedTuple):
    """A file that was passed over, and why."""

    path: Path
    reason: str


@dataclass(frozen=True)
class LearnedAnswer(VerbAnswer):
    """How far the counting is: of so many `files`, how many are `done`, and what they have brought."""

    folder: Path
    target: Path
    files: int
    done: int = 0
    counted: int = 0
    """Different puzzles that were counted."""
    words: int = 0
    repeated: int = 0
    """Files with a puzzle that another file has, too."""
    unread: tuple[UnreadFile, ...] = ()
    is_written: bool = False

    @property
    def headline(self) -> str:
        """How far it is."""
        return f"{self.done:,} of {counted(self.files, 'file')}, {counted(self.counted, 'puzzle')} so far"

    @property
    def lines(self) -> Sequence[str]:
        """What was counted, and each file that was not."""
        if self.done < self.files:
            return [f"stopped: {self.headline}; nothing is written"]
        told = [f"{counted(self.words, 'word')} of {counted(self.counted, 'puzzle')}, in {self.target}"]
        if not self.is_written:
            told = [f"there is no puzzle with answers in {printable(str(self.folder), 200)}: nothing is written"]
        if self.repeated:
            told.append(f"counted once: {counted(self.repeated, 'puzzle')} of which there are several files")
        told += [f"skipped: {one.reason}" for one in self.unread[:_MOST_NAMED]]
        more = len(self.unread) - _MOST_NAMED
        return [*told, *([f"skipped: {counted(more, 'more file')}"] if more > 0 else [])]

    @property
    def as_json(self) -> dict[str, Any]:
        """The same by names, with every file that was passed over."""
        return {
            "folder": str(self.folder),
            "list": str(self.target) if self.is_written else None,
            "files": self.files,
            "done": self.done,
            "puzzles": self.counted,
            "repeated": self.repeated,
            "words": self.words,
            "unread": [{"file": str(one.path), "reason": one.reason} for one in self.unread],
        }
