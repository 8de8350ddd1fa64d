"""Entry by entry over sorted words: the range of those that begin with what stands, and leaps over what cannot be.

Source: T. L. Veldhuizen, Leapfrog Triejoin: A Simple, Worst-Case Optimal Join Algorithm, ICDT 2014. A fill is a
join: each entry is a relation over its squares, and the words of each are kept in order. A leapfrog join goes
through sorted lists side by side; the one that lags behind leaps straight to where the others are.

Here the next word of an entry is found so: from a word on, each of its letters is asked of the entry that
crosses there. Where that one has no word with it, its list says which letter is the next that it has, and the
search leaps to the first word of the range that begins with the letters before and that one. What lies between
is never looked at.

Where the text is silent, for its join decides one variable after the other in a fixed order and has all
answers: here an entry is decided at once, so that a crossing may have letters with gaps between them, which are
leapt over in the same way. Words are kept in the order from each of their letters on, and round to it, so that
the fewest gaps lie between what is known. The next entry is that with the smallest range of words
(`order=fewest`), or they go row by row (`order=rows`), so that what stands in every entry is a beginning, as far
as blocks allow.

What is ours: `order=hardest` divides the range of an entry by the dead ends that it had a part in, and begins anew
after so many dead ends, each time after more of them. Of some words drawn by chance the one that leaves the
crossing ranges largest comes first (`words=roomiest`); or words come by chance, in their order, or by their
scores. Dead ends go back one decision; every fill is found.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from math import log

from xwtui.engine.events.event import MOST, Event, EventKind
from xwtui.engine.problem.task import Task
from xwtui.strategies.board import EMPTY, Board
from xwtui.strategies.options import Option, OptionValues
from xwtui.strategies.protocol import WordLookUp
from xwtui.strategies.word_search import WordSearch
from xwtui.words.sorted_index import GivenWords, SortedIndex

_ENOUGH = 5000
"""Words beyond which entries are no longer told apart by how many they have."""
_PATIENCE, _GROWTH = 50, 1.3
"""Dead ends before `order=hardest` begins anew for the first time, and how many times as many before the next."""
_DRAWN = 20
"""Words of an entry, drawn by chance, of which the roomiest comes first."""
_REMEMBERED = 50_000
"""Patterns whose counts and letters are kept."""


class _Ordered:
    """The words of a slot in order, and in the orders of their letters from each place round to it.

    A join keeps the orders that it needs: each is made when it is first asked for.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._from: dict[int, SortedIndex] = {}
        self.count = lru_cache(_REMEMBERED)(self._count)
        self.letters = lru_cache(_REMEMBERED)(self._letters)

    def starting(self, place: int) -> SortedIndex:
        """The words, read from a place on and round."""
        if place not in self._from:
            self._from[place] = SortedIndex(GivenWords({_turned(word, place): 0 for word in self._words}))
        return self._from[place]

    def _count(self, pattern: str, most: int | None) -> int:
        place = _best_start(pattern)
        return self.starting(place).count(_turned(pattern, place), most)

    def _letters(self, pattern: str, at: int) -> tuple[str, ...]:
        place = _best_start(pattern[:at] + "!" + pattern[at + 1 :])
        return self.starting(place).letters(_turned(pattern, place), (at - place) % len(pattern))


def _turned(text: str, place: int) -> str:
    """A text from a place on, and then what is before it."""
    return text[place:] + text[:place]


def _best_start(pattern: str) -> int:
    """The place of a known letter with the most open ones before it: the fewest lie between those known then."""
    known = [place for place, letter in enumerate(pattern) if letter != EMPTY]
    if not known:
        return 0
    before = [known[-1] - len(pattern), *known[:-1]]
    return max(zip(known, before, strict=True), key=lambda pair: pair[0] - pair[1])[0]


class SortedWords:
    """The sorted index of each slot of a board, and what crossing entries say of a square."""

    def __init__(self, board: Board) -> None:
        """Slots with the same words share their index."""
        self._board = board
        made = {slot.words: _Ordered(slot.words) for slot in board.slots}
        self.of = [made[slot.words] for slot in board.slots]
        """The words of each slot."""

    def count(self, slot: int, most: int | None = None) -> int:
        """The number of words that fit what stands in a slot; counting may stop at `most`."""
        return self.of[slot].count(self._board.pattern(slot), most)

    def crossing_letters(self, slot: int) -> Mapping[int, Sequence[str]]:
        """For each empty square of a slot that is crossed what the other entry can have there, in order."""
        board, squares = self._board, self._board.slots[slot].squares
        return {
            at: self.of[other].letters(board.pattern(other), other_at)
            for at, other, other_at in board.crossings[slot]
            if board.symbols[squares[at]] == EMPTY
        }

    def room(self, slot: int, word: str) -> float:
        """How many words a word of a slot leaves its open crossings: the sum of the logarithms of their ranges."""
        board, squares = self._board, self._board.slots[slot].squares
        room = 0.0
        for at, other, other_at in board.crossings[slot]:
            if board.symbols[squares[at]] == EMPTY:
                pattern = board.pattern(other)
                room += log(self.of[other].count(pattern[:other_at] + word[at] + pattern[other_at + 1 :], _ENOUGH))
        return room

    def joined(self, slot: int) -> Iterator[str]:
        """The words of a slot that fit what stands and leave each crossing a word, in order."""
        return self.of[slot].starting(0).leap(self._board.pattern(slot), self.crossing_letters(slot))


class SortedIndexSearch(WordSearch):
    """The entry with the smallest range; its words by leaps through its list and those that cross it."""

    name = "sorted-index"
    summary = "entry by entry, a range of sorted words each, with leaps over what crossing entries cannot have"
    source = "Veldhuizen, Leapfrog Triejoin, ICDT 2014"
    index = WordLookUp(
        "sorted indexes, from each letter on and round to it",
        "the range of a beginning, and the next word that can be",
    )
    options = (
        Option.choice(
            "order",
            ("hardest", "fewest", "rows"),
            "which entry is next: that with the fewest words for the dead ends it was in, that with the fewest, "
            "or row by row; hardest begins anew now and then",
        ),
        Option.choice(
            "words",
            ("roomiest", "shuffled", "alphabetical", "scored"),
            "the order in which words are tried: of some by chance first the one that leaves crossings most",
        ),
    )

    def __init__(self, task: Task, values: OptionValues, seed: int) -> None:
        super().__init__(task, values, seed)
        self._dead_ends = [1] * len(self.board.slots)
        """For each entry how many it had a part in, and one."""
        self._patience, self._failed = float(_PATIENCE), 0
        """Dead ends before the search begins anew, and how many there were since it did."""

    @cached_property
    def sorted_words(self) -> SortedWords:
        return SortedWords(self.board)

    @property
    def domain_sizes(self) -> Mapping[str, int]:
        """How many words fit what stands in each entry."""
        return {slot.name: self.sorted_words.count(number) for number, slot in enumerate(self.board.slots)}

    def next_slot(self) -> int | None:
        """The entry with the fewest words, weighed as `order` has it, or the first one that is open."""
        slots, order = self.open_slots(), self.values.word("order")
        if order == "rows":
            slots = sorted(slots, key=lambda slot: self.board.slots[slot].squares[0])[:1]
        counts = {slot: self.sorted_words.count(slot, _ENOUGH) for slot in slots}
        weights = self._dead_ends if order == "hardest" else [1] * len(self.board.slots)
        ranked = sorted(slots, key=lambda slot: (counts[slot] / weights[slot], slot))
        self.ranked = [(slot, _counted(counts[slot], weights[slot] - 1)) for slot in ranked[:MOST]]
        return ranked[0] if ranked else None

    def go_back(self, floor: int = 0) -> Generator[Event, None, bool]:
        """Take the next word of the last choice that has one; before the first fill, begin anew after many."""
        self._failed += 1
        if self.values.word("order") != "hardest" or self.counted.fills or self._failed < self._patience:
            return (yield from super().go_back(floor))
        self._failed, self._patience = 0, self._patience * _GROWTH
        depth = self.depth
        self.stand_at([])
        yield Event(EventKind.RESTART, 0, before=depth)
        return True

    def words_for(self, slot: int) -> Iterable[str]:
        """The words that fit and leave each crossing one, in the order to try them."""
        words = [word for word in self.sorted_words.joined(slot) if not self.board.is_taken(slot, word)]
        match self.values.word("words"):
            case "roomiest":
                self.rng.shuffle(words)
                words[:_DRAWN] = sorted(words[:_DRAWN], key=lambda word: -self.sorted_words.room(slot, word))
            case "shuffled":
                self.rng.shuffle(words)
            case "scored":
                words.sort(key=lambda word: -self.board.score(self.board.read(slot, word)))
        return words

    def wipe_out(self, slot: int) -> Event:
        """The dead end that an entry has no word, and the crossing that had the fewest letters for it."""
        board, letters = self.board, self.sorted_words.crossing_letters(slot)
        at = min(letters, key=lambda one: len(letters[one]), default=None)
        crossing = next((one for one in board.crossings[slot] if one.at == at), None)
        for number in [slot] if crossing is None else [slot, crossing.slot]:
            self._dead_ends[number] += 1
        return Event(
            EventKind.WIPE_OUT,
            len(self.stack),
            slot=board.slots[slot].name,
            crossing=None if at is None else board.positions[board.slots[slot].squares[at]],
            other=None if crossing is None else board.slots[crossing.slot].name,
            wanted=() if at is None else tuple(str(board.content(one)) for one in letters[at]),
        )


def _counted(count: int, dead_ends: int) -> str:
    words = f"{_ENOUGH:,} words or more" if count >= _ENOUGH else f"{count:,} word{'s' * (count != 1)}"
    return f"{words}, {dead_ends:,} dead end{'s' * (dead_ends != 1)}" if dead_ends else words
