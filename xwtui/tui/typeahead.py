"""Typeahead: keys wait for the prompt or the screen that they were meant for.

A terminal may deliver a whole line at once: over a slow line, on a busy machine, or pasted. Textual hands each key
to whatever has the focus when the key arrives, before the preceding keys have opened their prompt or closed their
screen. So user events are processed one at a time: the next one is delivered once everything triggered by the last
one is finished.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Collection
from time import monotonic
from typing import Any, NamedTuple, Protocol, cast

from textual.app import App
from textual.events import Event, Key, MouseDown, MouseScrollDown, MouseScrollUp, MouseUp, Paste
from textual.screen import Screen

TYPED = (Key, Paste, MouseDown, MouseUp, MouseScrollDown, MouseScrollUp)
"""User events; mere mouse movement is not queued."""

_TURNS_AT_REST = 3
"""Turns of the event loop without a message after which a key's effects are finished."""

_MOST_TURNS = 5_000
"""Turns after which the next key is delivered anyway: a part that is never idle must not block the keys."""


_POLL_SECONDS = 0.01
_LONGEST_SEARCH = 30.0
"""Longest wait in seconds for an as-you-type list search, far longer than such a search takes."""
_SHORTEST_HOLD = 2.0
"""Seconds that keys wait for a worker's answer even if the worker does not seem to be working on it."""


class _Hold(NamedTuple):
    """A worker's answer that the next keys wait for."""

    answered: asyncio.Event
    is_in_progress: Callable[[], bool]

    async def over(self) -> None:
        """Wait until the answer arrives, or will not come."""
        while not self.answered.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.answered.wait(), _SHORTEST_HOLD)
            if not self.is_in_progress():
                break


class TypeAhead:
    """An event queue in front of an app: closed until `open`, then it delivers one event at a time.

    Before delivering an event, it calls `check`, which may `hold` it for an answer that is on its way to the
    focused part. An event for which `waits` returns True, as work that ends soon is running, is checked again and
    again until that is over.
    """

    def __init__(self, app: App[int], check: Callable[[], None], waits: Callable[[Event], bool]) -> None:
        self._app = app
        self._check = check
        self._waits = waits
        self._waiting: deque[Event] = deque()
        self._delivering: Event | None = None
        self._is_open = False
        self._dispatched = asyncio.Event()
        """Set once the app has dispatched the event being delivered."""
        self._task: asyncio.Task[None] | None = None
        self._hold: _Hold | None = None

    @property
    def is_idle(self) -> bool:
        return self._delivering is None and not self._waiting

    async def over(self) -> None:
        """Wait until everything typed has been processed, except what waits for a worker's answer."""
        await self._all_over()
        while not self.is_idle and self._hold is None and self._app.screen_stack:
            await asyncio.sleep(0)

    def open(self, *, forget: bool = False) -> None:
        """Start delivering events; `forget` drops those queued so far."""
        if forget:
            self._waiting.clear()
        self._is_open = True
        self._go_on()

    def close(self) -> bool:
        """Queue all events until `open`; returns whether it was open before."""
        was_open, self._is_open = self._is_open, False
        return was_open

    def holds(self, event: Event) -> bool:
        """Whether the app must ignore an event for now; it is delivered again in its turn."""
        if not isinstance(event, TYPED) or event.is_forwarded:
            return False
        if event is self._delivering:
            return False
        self._waiting.append(event)
        self._go_on()
        return True

    def hold(self, is_in_progress: Callable[[], bool]) -> None:
        """Deliver no event until `release`, for a worker's answer that the next keys are meant for.

        After two seconds, keys are no longer held if the worker is not working on the answer.
        """
        if self._hold is None or self._hold.answered.is_set():
            self._hold = _Hold(asyncio.Event(), is_in_progress)

    def release(self) -> None:
        """Resume: the answer is there."""
        if self._hold is not None:
            self._hold.answered.set()

    def again(self, key: Key) -> None:
        """Deliver a key again, before all queued events."""
        self._waiting.appendleft(Key(key.key, key.character))

    def drop_enters(self) -> None:
        """Drop queued Enter keys: they were typed before the user could see what they would decide."""
        kept = [event for event in self._waiting if not (isinstance(event, Key) and event.key == "enter")]
        self._waiting = deque(kept)

    def letters(self, leaving: Collection[str]) -> str:
        """Remove and return the queued letters before any other key, for a caller that takes them at once."""
        found: list[str] = []
        while self._waiting and (letter := _letter(self._waiting[0], leaving)):
            found.append(letter)
            self._waiting.popleft()
        return "".join(found)

    def note_dispatched(self, event: Event) -> None:
        """Note that the app has dispatched an event; the next is delivered once its effects are finished."""
        if event is self._delivering:  # it arrives a second time, bubbling up
            self._dispatched.set()

    def _go_on(self) -> None:
        if self._is_open and self._delivering is None and self._waiting and self._app.screen_stack:
            self._delivering = event = self._waiting.popleft()
            self._task = asyncio.create_task(self._deliver(event))

    async def _deliver(self, event: Event) -> None:
        """Deliver an event once nothing must come before it, and the next one once its effects are finished."""
        try:
            await self._ready_for(event)
            self._dispatched.clear()
            self._app.post_message(event)
            await self._dispatched.wait()
            await self._all_over()
            await self._answered()
        finally:
            self._delivering = None
            self._go_on()

    async def _ready_for(self, event: Event) -> None:
        """Wait until work that ends soon is over, and the list that an event is meant for is ready."""
        if self._waits(event):
            while self._waits(event):
                await asyncio.sleep(_POLL_SECONDS)
            await self._all_over()
        if not (isinstance(event, Key) and event.key == "escape"):  # Esc abandons what is waited for
            self._check()
        await self._answered()
        chooses = not (isinstance(event, Key) and event.is_printable)
        if chooses and self._is_searching:
            until = monotonic() + _LONGEST_SEARCH
            while self._is_searching and monotonic() < until:
                await asyncio.sleep(_POLL_SECONDS)
            await self._all_over()

    @property
    def _is_searching(self) -> bool:
        """Whether an as-you-type search is still running; keys that choose from its list must wait."""
        return any(not worker.is_finished for worker in self._app.workers)

    async def _answered(self) -> None:
        """Wait as long as keys are held for a worker's answer."""
        while (hold := self._hold) is not None:
            await hold.over()
            if self._hold is hold:
                self._hold = None
            await self._all_over()

    async def _all_over(self) -> None:
        await self._rest()
        await self._answers()
        await self._rest()

    async def _rest(self) -> None:
        """Wait until no message is in transit.

        A message between two parts stays in a queue for at least one turn of the event loop, so checking every
        turn misses none. A new screen does nothing by itself until it is mounted.
        """
        turns_at_rest = 0
        for _ in range(_MOST_TURNS):
            await asyncio.sleep(0)
            turns_at_rest = turns_at_rest + 1 if self._is_at_rest() else 0
            if turns_at_rest == _TURNS_AT_REST:
                break

    async def _answers(self) -> None:
        """Wait for parts that have taken a message from their queue but are still awaiting something for it."""
        pending: list[asyncio.Event] = []
        # the first is Textual's own empty screen, which would redraw everything when called
        screens = self._app.screen_stack[1:]
        focused = self._app.focused if self._app.screen_stack else None
        for part in {self._app, *screens, *(focused.ancestors_with_self if focused is not None else ())}:
            answered = asyncio.Event()
            if part.call_later(answered.set):
                pending.append(answered)
        for _ in range(_MOST_TURNS):
            if all(answered.is_set() for answered in pending):
                break
            await asyncio.sleep(0)

    def _is_at_rest(self) -> bool:
        screens = self._app.screen_stack
        return not screens or (  # no screen is left if the app ends meanwhile
            screens[-1].is_mounted
            and not self._app.message_queue_size
            and not any(screen.message_queue_size for screen in screens)
            and not any(part.message_queue_size for part in screens[-1].walk_children())
        )


_HELP_KEY = "question_mark"
PASSED_ON = frozenset({"colon", _HELP_KEY, "ctrl+p"})
"""Keys that are never typed text, even in a screen with typing: help opens on top, the others go to the grid."""


def _letter(event: Event, leaving: Collection[str]) -> str:
    """Return the character that a key types; empty if it types nothing, or leaves the screen."""
    is_letter = isinstance(event, Key) and event.key not in leaving and event.is_printable
    return event.character or "" if isinstance(event, Key) and is_letter else ""


class _HasTypeAhead(Protocol):
    typeahead: TypeAhead

    def action_help(self) -> None: ...


def pass_on(app: App[object], key: Key) -> None:
    """Pass a key to the screen below, for a screen that closes on it."""
    cast(_HasTypeAhead, app).typeahead.again(key)


def letters_ahead(app: App[object], leaving: Collection[str]) -> str:
    """Return the letters typed ahead, for a screen that would search again after each."""
    return cast(_HasTypeAhead, app).typeahead.letters(leaving)


def leaves_for(screen: Screen[Any], event: Key, leaving: Collection[str] = PASSED_ON) -> bool:
    """Close a screen on a key for the screen below, or show help on top; returns whether it was such a key."""
    if event.key not in leaving:
        return False
    event.stop()
    if event.key == _HELP_KEY:
        getattr(screen, "action_help", cast(_HasTypeAhead, screen.app).action_help)()
        return True
    pass_on(screen.app, event)
    screen.dismiss(None)
    return True
