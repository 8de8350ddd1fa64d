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
leapt over in the same way. The next entry is that with the smallest range of words (`order=fewest`), or they go
row by row (`order=rows`), so that what stands in every entry is a beginning, as far as blocks allow. The words
of an entry come by chance, in their order, or by their scores. Dead ends go back one decision; every fill is
found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from xwtui.engine.events.event import MOST, Event, EventKind
from xwtui.strategies.board import EMPTY, Board
from xwtui.strategies.options import Option
from xwtui.strategies.protocol import WordLookUp
from xwtui.strategies.word_search import WordSearch
from xwtui.words.sorted_index import GivenWords, SortedIndex

_ENOUGH = 1000
"""Words beyond which entries are no longer told apart by how many they have."""
_REMEMBERED = 50_000
"""Patterns whose counts and letters are kept."""


class _Ordered:
    """The words of a slot in order, and in the order of their last letters, as a join keeps what it needs."""

    def __init__(self, words: Sequence[str]) -> None:
        self.onwards = SortedIndex(GivenWords(dict.fromkeys(words, 0)))
        self._backwards = SortedIndex(GivenWords({word[::-1]: 0 for word in words}))
        self.count = lru_cache(_REMEMBERED)(self._count)
        self.letters = lru_cache(_REMEMBERED)(self._letters)

    def _count(self, pattern: str, most: int | None) -> int:
        if self._is_backwards(pattern):
            return self._backwards.count(pattern[::-1], most)
        return self.onwards.count(pattern, most)

    def _letters(self, pattern: str, at: int) -> tuple[str, ...]:
        if self._is_backwards(pattern[:at] + pattern[at + 1 :]):
            return self._backwards.letters(pattern[::-1], len(pattern) - 1 - at)
        return self.onwards.letters(pattern, at)

    def _is_backwards(self, pattern: str) -> bool:
        """Whether fewer gaps lie before what is known when words are read from their last letters."""
        return pattern.lstrip(EMPTY).count(EMPTY) < pattern.rstrip(EMPTY).count(EMPTY)


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

    def joined(self, slot: int) -> Iterator[str]:
        """The words of a slot that fit what stands and leave each crossing a word, in order."""
        return self.of[slot].onwards.leap(self._board.pattern(slot), self.crossing_letters(slot))


class SortedIndexSearch(WordSearch):
    """The entry with the smallest range; its words by leaps through its list and those that cross it."""

    name = "sorted-index"
    summary = "entry by entry, a range of sorted words each, with leaps over what crossing entries cannot have"
    source = "Veldhuizen, Leapfrog Triejoin, ICDT 2014"
    index = WordLookUp(
        "sorted indexes, from the first letters and from the last",
        "the range of a beginning, and the next word that can be",
    )
    options = (
        Option.choice(
            "order", ("fewest", "rows"), "which entry is next: that with the fewest words, or row by row"
        ),
        Option.choice("words", ("shuffled", "alphabetical", "scored"), "the order in which words are tried"),
    )

    _sorted: SortedWords | None = None

    @property
    def sorted_words(self) -> SortedWords:
        """The words of all slots, in order."""
        if self._sorted is None:
            self._sorted = SortedWords(self.board)
        return self._sorted

    @property
    def domain_sizes(self) -> Mapping[str, int]:
        """How many words fit what stands in each entry."""
        return {slot.name: self.sorted_words.count(number) for number, slot in enumerate(self.board.slots)}

    def next_slot(self) -> int | None:
        """The entry with the fewest words, or the first one that is open."""
        slots = self.open_slots()
        if self.values.word("order") == "rows":
            slots = sorted(slots, key=lambda slot: self.board.slots[slot].squares[0])[:1]
        counted = sorted((self.sorted_words.count(slot, _ENOUGH), slot) for slot in slots)
        self.ranked = [(slot, _counted(count)) for count, slot in counted[:MOST]]
        return counted[0][1] if counted else None

    def words_for(self, slot: int) -> Iterable[str]:
        """The words that fit and leave each crossing one, in the order to try them."""
        words = [word for word in self.sorted_words.joined(slot) if not self.board.is_taken(slot, word)]
        match self.values.word("words"):
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
        return Event(
            EventKind.WIPE_OUT,
            len(self.stack),
            slot=board.slots[slot].name,
            crossing=None if at is None else board.positions[board.slots[slot].squares[at]],
            other=None if crossing is None else board.slots[crossing.slot].name,
            wanted=() if at is None else tuple(str(board.content(one)) for one in letters[at]),
        )


def _counted(count: int) -> str:
    return f"{_ENOUGH:,} words or more" if count >= _ENOUGH else f"{count:,} word{'s' * (count != 1)}"
