"""Base class of strategies that decide word by word and backtrack one decision at a time."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping

from xwtui.engine.events.event import Event, EventKind
from xwtui.engine.problem.task import Task
from xwtui.strategies.backtracker import Backtracker, OpenChoice
from xwtui.strategies.protocol import Option, OptionValues

TIES = Option.choice("ties", ("listed", "shuffled"), "words of equal score in the list's order, or at random")
"""For strategies that order words by score and would otherwise not be random."""


class WordSearch(Backtracker):
    """Depth-first search over all words of each entry; complete if `words_for` omits only impossible words."""

    looks_ahead = True
    """Whether `words_for` omits words that leave a crossing entry without words."""

    def __init__(self, task: Task, values: OptionValues, seed: int) -> None:
        super().__init__(task, values, seed)
        if values.texts.get(TIES.name) == "shuffled":
            self.board.shuffle_equal_scores(self.rng)

    @abstractmethod
    def next_slot(self) -> int | None:
        """Return the slot to decide next, or None if the board is full. May set `ranked`."""

    @abstractmethod
    def words_for(self, slot: int) -> Iterable[str]:
        """Return the words to try in a slot, in order; all fit its contents, and none is taken."""

    @property
    def domain_sizes(self) -> Mapping[str, int]:
        slots = enumerate(self.board.slots)
        return {slot.name: self.bitmaps.fitting(number).bit_count() for number, slot in slots}

    def explore(self) -> Iterator[Event]:
        while (yield from self.fill_on()):
            yield self.solved()
            if not (yield from self.backtrack()):
                return

    def fill_on(self, floor: int = 0) -> Generator[Event, None, bool]:
        """Fill the open slots; return False once all that the first `floor` choices allow has been tried."""
        while True:
            dead_end = self.repeat()
            slot = None if dead_end else self.next_slot()
            if slot is not None:
                words = deque(self.words_for(slot))
                if words:
                    yield self.choose(OpenChoice(slot, None, "", words))
                    continue
                dead_end = self.wipe_out(slot)
            if dead_end is None:
                full = self.solved()
                if full.kind is EventKind.SOLVED:
                    return True
                dead_end = full
            yield dead_end
            if not (yield from self.backtrack(floor)):
                return False

    def open_slots(self) -> list[int]:
        return [slot for slot in range(len(self.board.slots)) if not self.board.is_filled(slot)]

    def fresh(self, slot: int, words: int) -> Iterator[str]:
        """Yield a set of a slot's words, without those already taken."""
        spelled = self.bitmaps.of[slot].spelled(words)
        return (word for word in spelled if not self.board.is_taken(slot, word))

    # Dead ends

    def repeat(self) -> Event | None:
        """Return the dead end of a disallowed repeat: two entries with the same word."""
        if not self.board.has_repeats:
            return None
        seen: dict[str, str] = {}
        for number, slot in enumerate(self.board.slots):
            if self.board.is_filled(number):
                word = self.board.read(number, self.board.pattern(number))
                if word in seen:
                    return self._empty(slot.name, word=word, other=seen[word])
                seen[word] = slot.name
        return None

    def wipe_out(self, slot: int) -> Event:
        """Return the dead end of a slot that has no word to try."""
        name = self.board.slots[slot].name
        shortage = self.bitmaps.shortage(slot, looks_ahead=self.looks_ahead)
        if shortage is None:
            spelling = next(self.bitmaps.of[slot].spelled(self.bitmaps.fitting(slot)))
            word = self.board.read(slot, spelling)
            return self._empty(name, word=word, other=self.board.entry_with(word, slot))
        return self.emptied(slot, *shortage)

    def _empty(self, name: str, *, word: str, other: str | None) -> Event:
        return Event(EventKind.WIPE_OUT, len(self.stack), slot=name, word=word, other=other)
