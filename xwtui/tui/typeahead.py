"""Keys that are typed ahead wait for the prompt or the screen that they were meant for.

A terminal may deliver a whole line at once: over a slow line, on a busy machine, or pasted. Textual
hands each key to whatever has the focus when the key arrives, which is before the keys ahead of it
have opened their prompt or closed their screen. So what the constructor does is taken one at a
time: the next key is looked at when all that the last one has led to is over.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Collection
from typing import Any, Protocol, cast

from textual.app import App
from textual.events import Event, Key, MouseDown, MouseScrollDown, MouseScrollUp, MouseUp, Paste
from textual.screen import Screen

from xwtui.named_tuples import NamedTuple

TYPED = (Key, Paste, MouseDown, MouseUp, MouseScrollDown, MouseScrollUp)
"""What a constructor does; a mouse that only moves waits for nothing."""

_TURNS_AT_REST = 3
"""Turns of the event loop without a message after which all that a key has led to is over."""

_MOST_TURNS = 5_000
"""Turns after which the next key is taken all the same: a part that never rests must not hold up the keys."""


_LOOK_SECONDS = 0.01
_LONGEST_SEARCH = 30.0
"""Seconds that keys wait for a list that is searched as one types; it takes far longer than such a search."""
_SHORTEST_HOLD = 2.0
"""Seconds that keys wait for an answer of a worker, whether it can be seen at work or not."""


class _Hold(NamedTuple):
    """What the next keys wait for: an answer of a worker."""

    answered: asyncio.Event
    is_worked_on: Callable[[], bool]

    async def over(self) -> None:
        """Wait until the answer is there, or will not come."""
        while not self.answered.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.answered.wait(), _SHORTEST_HOLD)
            if not self.is_worked_on():
                break


class TypeAhead:
    """The queue in front of an app: closed until `open`, then it lets one event through at a time.

    Before it does, `look` may `hold` the event, for an answer that is on its way to where the keyboard is now; and
    an event that `waits` for work that ends soon is asked about again and again until it does not.
    """

    def __init__(self, app: App[int], look: Callable[[], None], waits: Callable[[Event], bool]) -> None:
        self._app = app
        self._look = look
        self._waits = waits
        self._waiting: deque[Event] = deque()
        self._let_through: Event | None = None
        self._is_open = False
        self._settling: asyncio.Task[None] | None = None
        self._hold: _Hold | None = None
        self._waiting_for_it: asyncio.Task[None] | None = None

    @property
    def is_idle(self) -> bool:
        return self._let_through is None and not self._waiting

    async def over(self) -> None:
        """Wait until all is over that was typed, but for what waits for an answer of a worker."""
        await self._all_over()
        while not self.is_idle and self._hold is None and self._app.screen_stack:
            await asyncio.sleep(0)

    def open(self, *, forget: bool = False) -> None:
        """Begin to let events through; `forget` drops those that came before."""
        if forget:
            self._waiting.clear()
        self._is_open = True
        self._go_on()

    def close(self) -> bool:
        """Keep all that comes until `open`; returns whether it was let through before."""
        was_open, self._is_open = self._is_open, False
        return was_open

    def holds(self, event: Event) -> bool:
        """Whether the app is to leave an event alone for now; it comes again when its turn is there."""
        if not isinstance(event, TYPED) or event.is_forwarded:
            return False
        if event is self._let_through:
            return False
        self._waiting.append(event)
        self._go_on()
        return True

    def hold(self, is_worked_on: Callable[[], bool]) -> None:
        """Let no event through until `release`, for an answer of a worker that the next keys are meant for.

        What has not come after two seconds, and is not worked on either, holds up the keys no longer.
        """
        if self._hold is None or self._hold.answered.is_set():
            self._hold = _Hold(asyncio.Event(), is_worked_on)

    def release(self) -> None:
        """Go on: the answer is there."""
        if self._hold is not None:
            self._hold.answered.set()

    def again(self, key: Key) -> None:
        """Let a key come once more, before all that wait."""
        self._waiting.appendleft(Key(key.key, key.character))

    def drop_enters(self) -> None:
        """Let no Enter that waits come: it was typed before one could see what it would decide."""
        kept = [event for event in self._waiting if not (isinstance(event, Key) and event.key == "enter")]
        self._waiting = deque(kept)

    def letters(self, leaving: Collection[str]) -> str:
        """Take the letters that wait before any other key, for who would take one after the other."""
        found: list[str] = []
        while self._waiting and (letter := _letter(self._waiting[0], leaving)):
            found.append(letter)
            self._waiting.popleft()
        return "".join(found)

    def taken(self, event: Event) -> None:
        """The app has handed an event on: the next one is let through when all that comes of it is over."""
        if event is self._let_through and self._settling is None:  # it comes by a second time, from below
            self._settling = asyncio.create_task(self._settle())

    def _go_on(self) -> None:
        if self._is_open and self._let_through is None and self._waiting and self._app.screen_stack:
            self._let_through = event = self._waiting.popleft()
            if self._waits(event):
                self._waiting_for_it = asyncio.create_task(self._once_ended(event))
            else:
                self._take(event)

    def _take(self, event: Event) -> None:
        """Let an event through, as soon as the list that it is meant for is there."""
        if not (isinstance(event, Key) and event.key == "escape"):  # which leaves what is waited for
            self._look()
        if self._hold is not None:
            self._waiting_for_it = asyncio.create_task(self._once_answered(event))
        elif self._is_searching and not (isinstance(event, Key) and event.is_printable):
            self._waiting_for_it = asyncio.create_task(self._once_found(event))
        else:
            self._app.post_message(event)

    @property
    def _is_searching(self) -> bool:
        """Whether a list that is searched as one types is not up to date yet; to choose from it, one waits."""
        return any(not worker.is_finished for worker in self._app.workers)

    async def _once_ended(self, event: Event) -> None:
        while self._waits(event):
            await asyncio.sleep(_LOOK_SECONDS)
        await self._all_over()
        self._take(event)

    async def _once_found(self, event: Event) -> None:
        waited = 0.0
        while self._is_searching and waited < _LONGEST_SEARCH:
            await asyncio.sleep(_LOOK_SECONDS)
            waited += _LOOK_SECONDS
        await self._all_over()
        self._app.post_message(event)

    async def _once_answered(self, event: Event) -> None:
        await self._answered()
        self._app.post_message(event)

    async def _answered(self) -> None:
        while (hold := self._hold) is not None:
            await hold.over()
            if self._hold is hold:
                self._hold = None
            await self._all_over()

    async def _settle(self) -> None:
        """Wait until no part of the screen has anything left to do, then let the next event through."""
        try:
            await self._all_over()
            await self._answered()
        finally:
            self._let_through = self._settling = None
            self._go_on()

    async def _all_over(self) -> None:
        await self._rest()
        await self._answers()
        await self._rest()

    async def _rest(self) -> None:
        """Wait until no message is on its way.

        One from one part to another stays in a queue for a turn of the event loop at least, so that a
        look at each turn misses none. A new screen does nothing by itself until it is mounted.
        """
        turns_at_rest = 0
        for _ in range(_MOST_TURNS):
            await asyncio.sleep(0)
            turns_at_rest = turns_at_rest + 1 if self._is_at_rest() else 0
            if turns_at_rest == _TURNS_AT_REST:
                break

    async def _answers(self) -> None:
        """Wait for those parts that hold a message, out of its queue, while they wait for something themselves."""
        asked: list[asyncio.Event] = []
        screens = self._app.screen_stack[1:]  # the first one is Textual's own and empty: asked, it draws all anew
        focused = self._app.focused if self._app.screen_stack else None
        for part in {self._app, *screens, *(focused.ancestors_with_self if focused is not None else ())}:
            answered = asyncio.Event()
            if part.call_later(answered.set):
                asked.append(answered)
        for _ in range(_MOST_TURNS):
            if all(answered.is_set() for answered in asked):
                break
            await asyncio.sleep(0)

    def _is_at_rest(self) -> bool:
        screens = self._app.screen_stack
        return not screens or (  # none is left where the app ends meanwhile
            screens[-1].is_mounted
            and not self._app.message_queue_size
            and not any(screen.message_queue_size for screen in screens)
            and not any(part.message_queue_size for part in screens[-1].walk_children())
        )


_HELP_KEY = "question_mark"
PASSED_ON = frozenset({"colon", _HELP_KEY, "ctrl+p"})
"""Keys that are never meant for a room where one types: help opens over it, the others leave it for the grid."""


def _letter(event: Event, leaving: Collection[str]) -> str:
    """What a key writes; empty for one that writes nothing, or leaves the room."""
    is_letter = isinstance(event, Key) and event.key not in leaving and event.is_printable
    return event.character or "" if isinstance(event, Key) and is_letter else ""


class _HasTypeAhead(Protocol):
    typeahead: TypeAhead

    def action_help(self) -> None: ...


def pass_on(app: App[object], key: Key) -> None:
    """Give a key to the screen below, for a screen that closes with it."""
    cast(_HasTypeAhead, app).typeahead.again(key)


def letters_ahead(app: App[object], leaving: Collection[str]) -> str:
    """The letters that are typed ahead, for a room that would search anew for each."""
    return cast(_HasTypeAhead, app).typeahead.letters(leaving)


def leaves_for(screen: Screen[Any], event: Key, leaving: Collection[str] = PASSED_ON) -> bool:
    """Close a room with a key for the screen below, or show help over it; returns whether it was such a key."""
    if event.key not in leaving:
        return False
    event.stop()
    if event.key == _HELP_KEY:
        getattr(screen, "action_help", cast(_HasTypeAhead, screen.app).action_help)()
        return True
    pass_on(screen.app, event)
    screen.dismiss(None)
    return True
