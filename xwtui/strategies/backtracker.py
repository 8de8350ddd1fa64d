"""Base class of strategies with a stack of choices on a board: the stack, and its events."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any

from xwtui.dataclasses import dataclass, field
from xwtui.engine.events.event import Decision, Event, EventKind, Rank
from xwtui.engine.problem.task import Task
from xwtui.model import Content, Position
from xwtui.strategies.bitmaps import Bitmaps
from xwtui.strategies.board import EMPTY, Board, fits
from xwtui.strategies.protocol import OptionValues, Strategy
from xwtui.text import counted


@dataclass(slots=True)
class OpenChoice:
    """A choice on the stack: a slot and its spelling, or a square and its symbol.

    Between two events, an observer may remove or reorder the entries of `left`: the search tries what it finds
    there.
    """

    slot: int | None
    square: int | None
    chosen: str
    left: deque[str]
    """The untried values, in the order of trying."""
    written: tuple[int, ...] = field(default=())
    """The squares that it filled."""


class Backtracker(Strategy):
    """A strategy with a board, a stack of choices and a seeded random generator."""

    shortest = 1
    """Entries shorter than this need no word."""
    ranked: Sequence[tuple[int, str]] = ()
    """The slots, or squares for letter searches, compared for the last decision: best first, with figures."""

    def __init__(self, task: Task, values: OptionValues, seed: int) -> None:
        """Set up the board; raises EngineError if it cannot represent the task."""
        super().__init__(task, values, seed)
        self.board = Board(task)
        self.stack: list[OpenChoice] = []
        """The choices in force, first one first."""
        self.rng = Random(seed)
        self._flaw = ""
        self._given_passed = 0
        """How many choices on the stack are for given squares, where nothing is decided."""
        self._dead_ends = [0] * len(self.board.slots)
        """How many dead ends each entry was involved in."""
        self._patience, self._recent_dead_ends = 50.0, 0
        """If it `learns`, the number of dead ends before a restart, and the number since the last one."""

    @cached_property
    def bitmaps(self) -> Bitmaps:
        return Bitmaps(self.board)

    @property
    def ranking(self) -> tuple[Rank, ...]:
        positions, slots = self.board.positions, self.board.slots
        return tuple(
            Rank(str(positions[place]) if self.places_letters else slots[place].name, figures)
            for place, figures in self.ranked
        )

    @cached_property
    def learns(self) -> bool:
        """Whether it weights entries by their dead ends, and restarts now and then until it has a fill."""
        return self.values.texts.get("order") == "hardest"

    def weight(self, *slots: int) -> int:
        """Return 1, plus the entries' dead ends if the search learns from them."""
        return 1 + sum([self._dead_ends[slot] for slot in slots]) if self.learns else 1

    def weighed(self, figures: str, *slots: int) -> str:
        """Return the figures of a slot or square, with the dead ends that it is weighted by."""
        ends = self.weight(*slots) - 1
        return f"{figures}, {counted(ends, 'dead end')}" if ends else figures

    @property
    def squares(self) -> Mapping[Position, Content]:
        return self.board.contents()

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return tuple(
            Decision(
                None if choice.slot is None else self.board.slots[choice.slot].name,
                None if choice.square is None else self.board.positions[choice.square],
                self._as_read(choice, choice.chosen),
                tuple(self._as_read(choice, other) for other in choice.left),
                tuple(map(self.board.content, choice.chosen)),
            )
            for choice in self.stack
            if choice.square not in self.board.given
        )

    @property
    def depth(self) -> int:
        return len(self.stack) - self._given_passed

    def search(self) -> Iterator[Event | None]:
        """Check the given squares first, then run the strategy.

        A letter walk also passes given squares; those are not decisions, and their events are dropped.
        """
        self._flaw = self.reason = self.board.flaw(self.shortest)
        given = {self.board.positions[square] for square in self.board.given}
        for event in self.explore() if not self._flaw else ():
            if event is None or event.slot is not None or event.crossing not in given:
                yield event

    @property
    def proves_impossible(self) -> bool:
        """Whether the end proves it: the method is complete, or the given squares alone rule out every fill."""
        return self.is_complete or bool(self._flaw)

    @abstractmethod
    def explore(self) -> Iterator[Event | None]: ...

    # Choices

    def choose(self, choice: OpenChoice) -> Event:
        """Take the next untried value of a choice, write it and push the choice."""
        if self.initial_contents and not choice.chosen:
            self._put_preferred_first(choice)
        options = len(choice.left)
        choice.chosen = choice.left.popleft()
        if choice.slot is not None:
            choice.written = self.board.put_word(choice.slot, choice.chosen)
        elif choice.square is not None and self.board.symbols[choice.square] == EMPTY:
            self.board.put(choice.square, choice.chosen)
            choice.written = (choice.square,)
        self.stack.append(choice)
        self._given_passed += choice.square in self.board.given
        return self._event(EventKind.DECIDE, choice, before=options, after=1)

    def _put_preferred_first(self, choice: OpenChoice) -> None:
        """Let a choice first try the contents that the search starts from, if it has them."""
        squares = self.board.slots[choice.slot].squares if choice.slot is not None else (choice.square or 0,)
        initial = [self.initial_symbols.get(square, EMPTY) for square in squares]
        first = next((one for one in choice.left if fits("".join(initial), one)), None)
        if first is not None and any(symbol != EMPTY for symbol in initial):
            choice.left.remove(first)
            choice.left.appendleft(first)

    @cached_property
    def initial_symbols(self) -> Mapping[int, str]:
        """The symbol of each square that the search starts from."""
        numbers = self.board.numbers
        return {numbers[at]: self.board.symbol(one) for at, one in self.initial_contents.items() if at in numbers}

    def undo(self) -> OpenChoice:
        """Pop the last choice and erase what it wrote."""
        choice = self.stack.pop()
        self._given_passed -= choice.square in self.board.given
        self.board.take_all(choice.written)
        choice.written = ()
        return choice

    def restore(self, choices: list[OpenChoice]) -> None:
        """Reset the board and the stack to the given choices."""
        while self.stack:
            self.undo()
        for choice in choices:
            choice.left.appendleft(choice.chosen)
            self.choose(choice)

    def backtrack(self, floor: int = 0) -> Generator[Event, None, bool]:
        """Backtrack to a choice with an untried value, and take it; return False if there is none above `floor`.

        A strategy that `learns` restarts after many dead ends.
        """
        if self.learns and not self.counted.fills:
            self._recent_dead_ends += 1
            if self._recent_dead_ends >= self._patience:
                self._recent_dead_ends, self._patience = 0, self._patience * 1.3
                yield self.restart()
                return True
        while len(self.stack) > floor:
            choice = self.undo()
            yield self.refuted(choice)
            if choice.left:
                yield self.choose(choice)
                return True
        return False

    def restart(self) -> Event:
        depth = self.depth
        self.restore([])
        return Event(EventKind.RESTART, 0, before=depth)

    def refuted(self, choice: OpenChoice) -> Event:
        """Return the event for a choice that failed; call it after undoing the choice."""
        others = (other for other in reversed(self.stack) if other.square not in self.board.given)
        target = next(map(self.place_name, others), None)
        return self._event(EventKind.BACKTRACK, choice, after=len(choice.left), other=target)

    def jumped(self, choice: OpenChoice) -> Event:
        """Return the event for a choice that a backjump skipped; call it after undoing the choice."""
        return self._event(EventKind.JUMP, choice)

    def solved(self) -> Event:
        """Return the event of a full board: SOLVED, or a dead end if it breaks a rule for the whole grid."""
        breach = self.board.breach()
        return Event(EventKind.WIPE_OUT if breach else EventKind.SOLVED, self.depth, constraint=breach)

    def emptied(self, slot: int, square: int | None, other: int | None, wanted: Iterable[str]) -> Event:
        """Return the dead end of a slot whose words all had a `wanted` symbol on a square, crossed by `other`."""
        for one in (slot, other) if other is not None else (slot,):
            self._dead_ends[one] += 1
        needed = tuple(str(self.board.content(symbol)) for symbol in wanted)
        return self._about(EventKind.WIPE_OUT, slot, square, other, wanted=needed)

    def pruned(
        self,
        slot: int,
        before: int,
        after: int,
        *,
        square: int | None = None,
        other: int | None = None,
        word: str = "",
    ) -> Event:
        """Return the event of a slot that lost words: because of a crossing, or those that match a pattern."""
        counts = {"before": before.bit_count(), "after": after.bit_count()}
        return self._about(EventKind.PRUNE, slot, square, other, word=word or None, **counts)

    def _about(self, kind: EventKind, slot: int, square: int | None, other: int | None, **figures: Any) -> Event:
        """Return an event of a slot, of the square where it happened and of the slot that crosses there."""
        board = self.board
        crossing = None if square is None else board.positions[square]
        name = None if other is None else board.slots[other].name
        return Event(kind, self.depth, board.slots[slot].name, crossing=crossing, other=name, **figures)

    def emptied_square(self, square: int, wanted: Iterable[str]) -> Event:
        """Return the dead end of a square without a symbol; `wanted` are those that its first slot had."""
        slot, *others = (place.slot for place in self.board.places[square])
        return self.emptied(slot, square, others[0] if others else None, sorted(wanted))

    def place_name(self, choice: OpenChoice) -> str:
        if choice.slot is not None:
            return self.board.slots[choice.slot].name
        return str(self.board.positions[choice.square or 0])

    def _event(
        self, kind: EventKind, choice: OpenChoice, *, before: int = 0, after: int = 0, other: str | None = None
    ) -> Event:
        text = self._as_read(choice, choice.chosen)
        depth = self.depth
        if choice.square is not None:
            square = self.board.positions[choice.square]
            return Event(kind, depth, None, None, square, before, after, other, (text,))
        return Event(kind, depth, self.place_name(choice), text, None, before, after, other)

    def _as_read(self, choice: OpenChoice, text: str) -> str:
        """Return a spelling or a symbol as a constructor reads it."""
        if choice.slot is not None:
            return self.board.read(choice.slot, text)
        return str(self.board.content(text))
