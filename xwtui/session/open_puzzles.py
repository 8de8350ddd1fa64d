"""The puzzles that one face has open: each a session of its own, one of them in front."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from weakref import ReferenceType, WeakKeyDictionary, ref

from xwtui.errors import VerbError, XwtuiError
from xwtui.formats.intake import PLAINLY, ReadOptions
from xwtui.model import Puzzle
from xwtui.named_tuples import NamedTuple
from xwtui.session.document import full_path
from xwtui.session.messages import Message
from xwtui.session.recovery import BRINGS_BACK, Recovery, copy_of_discarded
from xwtui.session.session import Session

MOST_OPEN = 20

Listener = Callable[[Message], None]
SessionMaker = Callable[[Listener], Session]
"""Makes a session that tells its messages to a listener."""


class Tab(NamedTuple):
    """How an open puzzle is listed."""

    number: int
    name: str
    """Its file's name, after its folder where another file is called so, too."""
    is_modified: bool
    is_busy: bool
    """Whether something goes on in it that was asked for."""
    is_current: bool


def _name_among(path: Path, paths: Sequence[Path]) -> str:
    """A file's name, with as many of its folders before it as tell it from others with the same stem."""
    like = [one for one in paths if one != path and one.stem == path.stem and one.parent != path.parent]
    for length in range(1, len(path.parts)):
        if not any(one.parts[-length:-1] == path.parts[-length:-1] for one in like):
            return "/".join(path.parts[-length:])
    return str(path)


def has_unsaved(session: Session) -> bool:
    """Whether a session has work that is not saved; a run that goes on there is stopped for that."""
    if session.jobs.fill.has_found:
        session.jobs.fill.stop()
    return session.document.is_modified


def give_up(session: Session) -> str:
    """Discard what is not saved there, with a copy of it; returns how it comes back, nothing where all is saved.

    Where no copy can be written, the work stays in its journal instead: what is full must let one go.
    """
    told = ""
    if has_unsaved(session):
        try:
            copy_of_discarded(session.document)
        except XwtuiError as error:
            session.document.journal.close()
            return f"it will be offered at the next start, since no copy can be kept: {error}"
        told = BRINGS_BACK
    session.discard_changes()
    return told


def give_up_in_words(session: Session) -> str:
    """As `give_up`; what it returns names the puzzle."""
    told = give_up(session)
    return f"{session.document.name} is not saved; {told}" if told else ""


def leave_for_later(session: Session) -> str:
    """See that what is not saved stands in the journal when the program ends; returns that it will be offered.

    Raises VerbError where the journal cannot be written.
    """
    document = session.document
    try:
        document.keep_safe(document.puzzle, document.history.undo_label or "")
    except OSError as error:
        raise VerbError(f"{document.name} cannot be kept for later: {error}") from error
    return f"{document.name} is not saved; the next start offers it again"


class OpenPuzzles:
    """Sessions in order, one at least; `current` is the one in front, which takes the verbs.

    Each has its document, jobs and journal, and goes on while another is in front. Words and compiled code are the
    process's, so that all share them. Methods raise XwtuiError where something cannot be done, with nothing
    changed.
    """

    def __init__(
        self, make: SessionMaker, hear: Callable[[Session, Message], None], *, beside: bool = False
    ) -> None:
        """`hear` is told what each session tells; with `beside`, what is opened or begun gets a tab of its own."""
        self.is_beside = beside
        self._make = make
        self._hear = hear
        self._came_forward: Callable[[Session], None] = lambda _: None
        self.current = self._made()
        self._sessions = [self.current]
        self._closing: list[threading.Thread] = []

    def on_change(self, came_forward: Callable[[Session], None]) -> None:
        self._came_forward = came_forward

    def _made(self) -> Session:
        tell = self._hear
        early: list[Message] = []
        """What it tells before it is known whose message it is."""
        session: Session | None = None

        def hear(message: Message) -> None:
            if session is None:
                early.append(message)
            else:
                tell(session, message)

        session = self._make(hear)
        _open_with[session] = ref(self)
        for message in early:
            tell(session, message)
        return session

    @property
    def sessions(self) -> tuple[Session, ...]:
        return tuple(self._sessions)

    @property
    def tabs(self) -> tuple[Tab, ...]:
        tabs = []
        named = [path for one in self._sessions if (path := one.document.path) is not None]
        for number, one in enumerate(self._sessions, 1):
            document, is_busy = one.document, one.jobs.scheduler.is_held
            name = one.puzzle.title or document.name
            name = name if document.path is None else _name_among(document.path, named)
            tabs.append(Tab(number, name, document.is_modified, is_busy, one is self.current))
        return tuple(tabs)

    @property
    def unsaved(self) -> tuple[Session, ...]:
        return tuple(session for session in self._sessions if session.document.is_modified)

    # Opening

    @property
    def takes_another(self) -> bool:
        """Whether what is opened goes into a tab of its own, since there is a puzzle in the one in front."""
        return self.is_beside and self.current.document.is_begun

    def open(self, path: Path, options: ReadOptions = PLAINLY) -> Session:
        """Bring the puzzle of a file to the front: in the tab that has it, or in a new one."""
        source = full_path(path)
        there = next((one for one in self._sessions if one.document.path == source), None)
        if there is None:
            return self._add(lambda session: session.open(path, options=options))
        self.bring(there)
        return there

    def begin(self, path: Path, options: ReadOptions = PLAINLY) -> Session:
        """Open the puzzle of a file: in the tab in front, or where that has one in a tab of its own."""
        if self.takes_another:
            return self.open(path, options)
        self.current.open(path, options=options)
        return self.current

    def recover(self, recovery: Recovery) -> None:
        """Go on with unsaved work: in the tab of its file, an empty one, or a new one."""
        files = (one for one in self._sessions if one.document.path == recovery.source is not None)
        free = next((one for one in files if not one.document.is_modified), None)
        if free is None and not self.current.document.is_begun:
            free = self.current
        if free is None:
            self._add(lambda session: session.recover(recovery))
        else:
            free.recover(recovery)
            self.bring(free)

    def new(self, puzzle: Puzzle, made_by: str = "", **how: Any) -> Session:
        """Begin a document without a file in a new tab, as `Session.new`."""
        return self._add(lambda session: session.new(puzzle, made_by, **how))

    def _add(self, begin: Callable[[Session], None]) -> Session:
        if len(self._sessions) >= MOST_OPEN:
            raise VerbError(f"{MOST_OPEN} puzzles are open, the maximum: close one with `tab close`")
        session = self._made()
        try:
            begin(session)
        except BaseException:
            session.close()
            raise
        self._sessions.append(session)
        self.bring(session)
        return session

    # Coming and going

    def show(self, number: int) -> None:
        """Bring the tab of a number to the front, from 1 on."""
        if not 1 <= number <= len(self._sessions):
            last = len(self._sessions)
            raise VerbError(
                f"there is no tab {number}: " + ("one puzzle is open" if last == 1 else f"1 to {last}")
            )
        self.bring(self._sessions[number - 1])

    def step(self, tabs: int) -> None:
        """Bring the next tab to the front, or the one so many further on; behind the last is the first."""
        here = self._sessions.index(self.current)
        self.bring(self._sessions[(here + tabs) % len(self._sessions)])

    def bring(self, session: Session) -> None:
        before, self.current = self.current, session
        if session is before:
            return
        before.jobs.go_behind()
        settings = before.settings
        if settings.live_fill != session.settings.live_fill:
            session.fill_live(settings.live_fill)
        session.settings = settings
        session.jobs.come_forward()
        self._came_forward(session)

    def has_unsaved_front(self) -> bool:
        return has_unsaved(self.current)

    def close(self, *, force: bool = False) -> str:
        """Close the tab in front; what a run has found there is unsaved work, too.

        Returns how work comes back that was discarded. Raises VerbError where work is not saved, unless it is
        discarded by `force`, and for the only tab.
        """
        gone = self.current
        if len(self._sessions) == 1:
            raise VerbError("one puzzle is open: `quit` ends the session, `new` starts another")
        if self.has_unsaved_front() and not force:
            name = gone.document.name
            raise VerbError(f"{name} has unsaved changes: `save` first, or `tab close --force` discards them")
        told = give_up(gone)
        index = self._sessions.index(gone)
        self._sessions.remove(gone)
        self.bring(self._sessions[min(index, len(self._sessions) - 1)])
        closing = threading.Thread(target=gone.close, name="closing", daemon=True)
        self._closing.append(closing)
        closing.start()  # it waits for the engine, and the face does not
        return told

    def has_closed(self) -> bool:
        """Whether tabs have come to their end since this was asked last."""
        ended = [closing for closing in self._closing if not closing.is_alive()]
        self._closing = [closing for closing in self._closing if closing not in ended]
        return bool(ended)

    def end(self) -> None:
        """Close all sessions; unsaved work stays in its journals."""
        for session in self._sessions:
            session.close()
        for closing in self._closing:
            closing.join()


_open_with: WeakKeyDictionary[Session, ReferenceType[OpenPuzzles]] = WeakKeyDictionary()
"""The open puzzles that each session is one of; a session knows nothing of the others. It keeps none."""


def puzzles_of(session: Session) -> OpenPuzzles | None:
    """Those that it is one of; None where its face has one alone."""
    puzzles = _open_with.get(session)
    return puzzles() if puzzles is not None else None


def tabs_of(session: Session) -> Sequence[Tab]:
    """How those are listed; nothing where its face has one alone."""
    puzzles = puzzles_of(session)
    return () if puzzles is None else puzzles.tabs


def sessions_of(session: Session) -> Sequence[Session]:
    """All that are open, itself among them."""
    puzzles = puzzles_of(session)
    return (session,) if puzzles is None else puzzles.sessions


def front_of(session: Session) -> Session:
    """The one in front of those that are open; itself where its face has one alone."""
    puzzles = puzzles_of(session)
    return session if puzzles is None else puzzles.current
