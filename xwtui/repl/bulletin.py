"""What worker threads tell while the constructor types: kept until there is room to print it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from xwtui.text import printable
from xwtui.workbench.messages import (
    EngineState,
    JobFailed,
    LexiconFailed,
    LexiconReady,
    Message,
    Notice,
    Severity,
)

_LONGEST_LINE = 400


@dataclass(frozen=True)
class Note:
    """Something to print when there is room."""

    text: str
    severity: Severity = Severity.INFORMATION


def _nothing() -> None:
    return


@dataclass
class Bulletin:
    """A listener of the workbench; `refresh` is called after each message, in the thread of its sender."""

    refresh: Callable[[], None] = _nothing
    engine: str = "engine starting"
    """The engine's state in words."""
    _notes: list[Note] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def hear(self, message: Message) -> None:
        """Take a message; may be called from any thread."""
        if isinstance(message, EngineState):
            self.engine = message.text
        notes = [Note(printable(note.text, _LONGEST_LINE), note.severity) for note in _notes_of(message)]
        with self._lock:
            self._notes += [note for note in notes if note not in self._notes]
        self.refresh()

    def take(self) -> list[Note]:
        """The notes since the last call, oldest first."""
        with self._lock:
            notes, self._notes = self._notes, []
        return notes


def _notes_of(message: Message) -> list[Note]:
    match message:
        case Notice(text, severity):
            return [Note(text, severity)]
        case LexiconFailed(text) | JobFailed(text):
            return [Note(text, Severity.ERROR)]
        case LexiconReady(notices=notices):
            return [Note(notice, Severity.WARNING) for notice in notices]
        case _:
            return []
