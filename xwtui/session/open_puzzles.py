"""The puzzles that one face has open. Each has a session of its own, and one is in front."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from weakref import ReferenceType, WeakKeyDictionary, ref

from xwtui.errors import VerbError, XwtuiError
from xwtui.formats.intake import DEFAULT_READ_OPTIONS, ReadOptions
from xwtui.model import Puzzle
from xwtui.session.document import full_path
from xwtui.session.messages import Message
from xwtui.session.recovery import BRINGS_BACK, Recovery, copy_of_discarded
from xwtui.session.session import Session

MOST_OPEN = 20

Listener = Callable[[Message], None]
SessionMaker = Callable[[Listener], Session]
"""Creates a session that posts its messages to the given listener."""


class Tab(NamedTuple):
    """An open puzzle, as it is listed."""

    number: int
    name: str
    """File name, preceded by the folder if another open file has the same name."""
    is_modified: bool
    is_busy: bool
    """Whether work that the user requested is running in it."""
    is_current: bool


def _name_among(path: Path, paths: Sequence[Path]) -> str:
    """Return a file's name, with as many parent folders as distinguish it from others with the same stem."""
    like = [one for one in paths if one != path and one.stem == path.stem and one.parent != path.parent]
    for length in range(1, len(path.parts)):
        if not any(one.parts[-length:-1] == path.parts[-length:-1] for one in like):
            return "/".join(path.parts[-length:])
    return str(path)


def has_unsaved(session: Session) -> bool:
    """Whether a session has unsaved work; a run with results is stopped first, which writes them."""
    if session.jobs.fill.has_found:
        session.jobs.fill.stop()
    return session.document.is_modified


def give_up(session: Session) -> str:
    """Discard unsaved work but keep a copy; returns how to get it back, or an empty string if all is saved.

    If no copy can be written, the work stays in its journal instead, so that a full disk does not prevent leaving.
    """
    message = ""
    if has_unsaved(session):
        try:
            copy_of_discarded(session.document)
        except XwtuiError as error:
            session.document.journal.close()
            return f"it will be offered at the next start, since no copy can be kept: {error}"
        message = BRINGS_BACK
    session.discard_changes()
    return message


def give_up_in_words(session: Session) -> str:
    """Do as `give_up`; the message returned also names the puzzle."""
    message = give_up(session)
    return f"{session.document.name} is not saved; {message}" if message else ""


def leave_for_later(session: Session) -> str:
    """Journal unsaved work, and return that it will be offered again; raises VerbError if that fails."""
    document = session.document
    try:
        document.journal_pending(document.puzzle, document.history.undo_label or "")
    except OSError as error:
        raise VerbError(f"{document.name} cannot be kept for later: {error}") from error
    return f"{document.name} is not saved; the next start offers it again"


class OpenPuzzles:
    """Sessions in order, at least one; `current` is the one in front, which receives the verbs.

    Each has its own document, jobs and journal, and keeps running while another is in front. All share the
    process's words and compiled code. A method that cannot do its work raises XwtuiError and changes nothing.
    """

    def __init__(
        self, make: SessionMaker, hear: Callable[[Session, Message], None], *, opens_tabs: bool = False
    ) -> None:
        """`hear` receives each session's messages; with `opens_tabs`, each puzzle opened or started gets a tab."""
        self.opens_tabs = opens_tabs
        self._make = make
        self._hear = hear
        self._activated: Callable[[Session], None] = lambda _: None
        self.current = self._new_session()
        self._sessions = [self.current]
        self._closing: list[threading.Thread] = []

    def on_change(self, activated: Callable[[Session], None]) -> None:
        self._activated = activated

    def _new_session(self) -> Session:
        session = self._make(lambda message: self._hear(session, message))
        _open_with[session] = ref(self)
        return session

    @property
    def sessions(self) -> tuple[Session, ...]:
        return tuple(self._sessions)

    @property
    def tabs(self) -> tuple[Tab, ...]:
        tabs = []
        named = [path for one in self._sessions if (path := one.document.path) is not None]
        for number, one in enumerate(self._sessions, 1):
            document, is_busy = one.document, one.jobs.scheduler.has_requested_work
            name = one.puzzle.title or document.name
            name = name if document.path is None else _name_among(document.path, named)
            tabs.append(Tab(number, name, document.is_modified, is_busy, one is self.current))
        return tuple(tabs)

    @property
    def unsaved(self) -> tuple[Session, ...]:
        return tuple(session for session in self._sessions if session.document.is_modified)

    # Opening

    @property
    def opens_new_tab(self) -> bool:
        """Whether the next puzzle opened gets a tab of its own, because the tab in front is in use."""
        return self.opens_tabs and self.current.document.is_begun

    def open(self, path: Path, options: ReadOptions = DEFAULT_READ_OPTIONS) -> Session:
        """Bring a file's puzzle to the front, in the tab that has it already or in a new one."""
        source = full_path(path)
        there = next((one for one in self._sessions if one.document.path == source), None)
        if there is None:
            return self._add(lambda session: session.open(path, options=options))
        self.bring_to_front(there)
        return there

    def begin(self, path: Path, options: ReadOptions = DEFAULT_READ_OPTIONS) -> Session:
        """Open a file's puzzle in the tab in front, or in a tab of its own if that one is in use."""
        if self.opens_new_tab:
            return self.open(path, options)
        self.current.open(path, options=options)
        return self.current

    def recover(self, recovery: Recovery) -> None:
        """Continue with unsaved work in the tab of its file, in an empty tab, or in a new one."""
        files = (one for one in self._sessions if one.document.path == recovery.source is not None)
        free = next((one for one in files if not one.document.is_modified), None)
        if free is None and not self.current.document.is_begun:
            free = self.current
        if free is None:
            self._add(lambda session: session.recover(recovery))
        else:
            free.recover(recovery)
            self.bring_to_front(free)

    def new(self, puzzle: Puzzle, made_by: str = "", **how: Any) -> Session:
        """Start a document without a file in a new tab, as `Session.new`."""
        return self._add(lambda session: session.new(puzzle, made_by, **how))

    def _add(self, begin: Callable[[Session], None]) -> Session:
        if len(self._sessions) >= MOST_OPEN:
            raise VerbError(f"{MOST_OPEN} puzzles are open, the maximum: close one with `tab close`")
        session = self._new_session()
        try:
            begin(session)
        except BaseException:
            session.close()
            raise
        self._sessions.append(session)
        self.bring_to_front(session)
        return session

    # Coming and going

    def show(self, number: int) -> None:
        """Bring the tab with this number to the front, counting from 1."""
        if not 1 <= number <= len(self._sessions):
            last = len(self._sessions)
            raise VerbError(
                f"there is no tab {number}: " + ("one puzzle is open" if last == 1 else f"1 to {last}")
            )
        self.bring_to_front(self._sessions[number - 1])

    def step(self, tabs: int) -> None:
        """Bring the tab `tabs` places further on to the front; after the last comes the first."""
        here = self._sessions.index(self.current)
        self.bring_to_front(self._sessions[(here + tabs) % len(self._sessions)])

    def bring_to_front(self, session: Session) -> None:
        before, self.current = self.current, session
        if session is before:
            return
        before.jobs.deactivate()
        settings = before.settings
        if settings.live_fill != session.settings.live_fill:
            session.fill_live(settings.live_fill)
        session.settings = settings
        session.jobs.activate()
        self._activated(session)

    def close(self, *, force: bool = False) -> str:
        """Close the tab in front; what a run has found there counts as unsaved work.

        Returns how discarded work can be restored. Raises VerbError for the only tab, and for unsaved work unless
        `force` discards it.
        """
        gone = self.current
        if len(self._sessions) == 1:
            raise VerbError("one puzzle is open: `quit` ends the session, `new` starts another")
        if has_unsaved(gone) and not force:
            name = gone.document.name
            raise VerbError(f"{name} has unsaved changes: `save` first, or `tab close --force` discards them")
        message = give_up(gone)
        index = self._sessions.index(gone)
        self._sessions.remove(gone)
        self.bring_to_front(self._sessions[min(index, len(self._sessions) - 1)])
        closing = threading.Thread(target=gone.close, name="closing", daemon=True)
        self._closing.append(closing)
        closing.start()  # in a thread: closing waits for the engine, and the face must not
        return message

    def has_closed(self) -> bool:
        """Whether tabs have finished closing since the last call."""
        ended = [closing for closing in self._closing if not closing.is_alive()]
        self._closing = [closing for closing in self._closing if closing not in ended]
        return bool(ended)

    def end(self) -> None:
        """Close all sessions; unsaved work stays in the journals."""
        for session in self._sessions:
            session.close()
        for closing in self._closing:
            closing.join()


_open_with: WeakKeyDictionary[Session, ReferenceType[OpenPuzzles]] = WeakKeyDictionary()
"""The OpenPuzzles to which each session belongs, as sessions do not know each other. Both references are weak."""


def puzzles_of(session: Session) -> OpenPuzzles | None:
    """Return the OpenPuzzles that a session belongs to; None if its face has a single puzzle."""
    puzzles = _open_with.get(session)
    return puzzles() if puzzles is not None else None


def tabs_of(session: Session) -> Sequence[Tab]:
    """Return the tabs of the session's face; empty if it has a single puzzle."""
    puzzles = puzzles_of(session)
    return () if puzzles is None else puzzles.tabs


def sessions_of(session: Session) -> Sequence[Session]:
    """Return all open sessions of the session's face, including itself."""
    puzzles = puzzles_of(session)
    return (session,) if puzzles is None else puzzles.sessions


def front_of(session: Session) -> Session:
    """Return the session in front; the session itself if its face has a single puzzle."""
    puzzles = puzzles_of(session)
    return session if puzzles is None else puzzles.current
