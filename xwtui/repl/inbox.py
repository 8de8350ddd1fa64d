"""What worker threads tell while the constructor types or waits: kept until there is room to print it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from xwtui.dataclasses import dataclass, field
from xwtui.session.messages import (
    EngineState,
    FillEnded,
    FillProgress,
    JobFailed,
    LexiconFailed,
    LexiconReady,
    Message,
    Notice,
    RaceEnded,
    RaceMoved,
    Severity,
)
from xwtui.session.recent import not_yet_told
from xwtui.session.run_view import RunView
from xwtui.text import printable

_LONGEST_LINE = 400


Told = TypeVar("Told", bound=Message)


@dataclass
class News:
    """What has been heard since the news were taken last."""

    notes: list[Notice] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    """Jobs that stopped on an error, and words that could not be loaded."""
    run: RunView | None = None
    """The latest view of a search that goes on or stands still."""
    ended: RunView | None = None
    _last: dict[type, Message] = field(default_factory=dict)
    """The latest message of each other kind: counts, findings, answers, races."""

    def note(self, message: Message) -> None:
        self._last[type(message)] = message
        if isinstance(message, RaceEnded):
            self._last.pop(RaceMoved, None)

    def last(self, kind: type[Told]) -> Told | None:
        """The latest message of a kind; None where none was heard."""
        message = self._last.get(kind)
        return message if isinstance(message, kind) else None


def _nothing() -> None:
    return


class Inbox:
    """A listener of the session; `refresh` is called after each message, in the thread of its sender."""

    def __init__(self) -> None:
        self.refresh: Callable[[], None] = _nothing
        self.engine = "engine starting"
        self.is_interactive = False
        """Whether somebody is asked about lists that may not be read, and remembers what an earlier start told."""
        self._news = News()
        self._lock = threading.Lock()

    def hear(self, message: Message) -> None:
        """Take a message; may be called from any thread."""
        with self._lock:
            self._note(message)
        self.refresh()

    def _note(self, message: Message) -> None:
        news = self._news
        match message:
            case EngineState(text=text):
                self.engine = text
            case FillProgress(run):
                news.run = run
            case FillEnded(run):
                news.run, news.ended = (run, None) if run.paused else (None, run)
            case Notice(text, severity):
                news.notes.append(Notice(printable(text, _LONGEST_LINE), severity))
            case LexiconReady(notices=notices, lists=lists, state=state):
                told = not_yet_told(notices, lists if self.is_interactive else "", state)
                news.notes += [Notice(printable(text, _LONGEST_LINE), Severity.WARNING) for text in told]
            case LexiconFailed(is_to_be_asked=True) if self.is_interactive:
                pass
            case JobFailed(text) | LexiconFailed(text):
                news.failures.append(printable(text, _LONGEST_LINE))
            case _:
                news.note(message)

    @contextmanager
    def refreshing(self, refresh: Callable[[], None]) -> Iterator[None]:
        """Call another function after each message, within the context."""
        before, self.refresh = self.refresh, refresh
        try:
            yield
        finally:
            self.refresh = before

    @property
    def latest(self) -> News:
        """What has been heard so far; it may grow while it is looked at."""
        return self._news

    def take(self) -> News:
        with self._lock:
            news, self._news = self._news, News()
        return news
