"""Entry by entry over sorted words: the range of those that begin with what stands, and leaps over what cannot be.

Source: T. L. Veldhuizen, Leapfrog Triejoin: A Simple, Worst-Case Optimal Join Algorithm, ICDT 2014. A fill is a
join: each entry is a relation over its squares, and the words of each are kept in order. A leapfrog join goes
through sorted lists side by side; the one that lags behind leaps straight to where the others are.

Here the words of an entry are found so: from a word on, each of its letters is asked of the entry that crosses
there. Where that one has no word with it, its list says which letter is the next that it has, and the search leaps
to the first word of the range that begins with the letters before and that one. What lies between is never looked
at.

Where the text is silent, for its join decides one variable after the other in a fixed order and has all
answers: here an entry is decided at once, so that a crossing may have letters with gaps between them, which are
leapt over in the same way. Words are kept in the order from each of their letters on, and round to it, so that
the fewest gaps lie between what is known. The next entry is that with the smallest range of words
(`order=fewest`), or they go row by row (`order=rows`), so that what stands in every entry is a beginning, as far
as blocks allow.

What is ours: before each decision entries are joined with those that cross them again and again while letters
go, those of many words but for what stands in them (arc consistency, Mackworth, Artificial Intelligence 8, 1977);
one that has no word left is a dead end at once. `order=hardest` divides the range of an entry by the dead ends
that it had a part in, and begins anew after so many dead ends, each time after more of them. Of some words drawn
by chance the one that leaves the crossing ranges largest comes first (`words=roomiest`); or words come by chance,
in their order, or by their scores. Dead ends go back one decision; every fill is found.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from math import log
from types import MappingProxyType

from xwtui.dataclasses import dataclass, field
from xwtui.engine.events.event import MOST, Event
from xwtui.strategies.backtracker import OpenChoice
from xwtui.strategies.board import EMPTY, Board, BoardCrossing
from xwtui.strategies.protocol import Option, WordLookUp
from xwtui.strategies.word_search import WordSearch

_ENOUGH = 5000
"""Words beyond which entries are no longer told apart by how many they have."""
_DRAWN = 100
"""Words of an entry, drawn by chance, of which the roomiest comes first."""
_FEW = 500
"""Words of a pattern of which the letters are read off; those of more are asked for one by one."""
_REMEMBERED = 5_000
"""Patterns of a slot's words whose counts are kept, and as many whose letters are."""
_AFTER = chr(0x10FFFF)
"""What comes after all that a word can go on with."""
NO_CHOICES: Mapping[int, str] = MappingProxyType({})


def _leaps(words: Sequence[str], wanted: Sequence[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    """Where words in order stand that have at some places one of some letters in order: the join of such lists.

    From a word that cannot be, one search leads to the first that can: what lies between is not looked at.
    """
    place = 0
    known = wanted[-1][0] + 1 if wanted else 0
    while place < len(words):
        word = words[place]
        for at, letters in wanted:
            if word[at] not in letters:
                break
        else:
            end = bisect_left(words, word[:known] + _AFTER, place)
            yield place, end
            place = end
            continue
        after = bisect_right(letters, word[at])
        if not at and after == len(letters):
            return
        place = bisect_left(words, word[:at] + (letters[after : after + 1] or _AFTER), place)


class _Ordered:
    """The words of a slot in the orders of their letters from each place round to it.

    Each order is made when it is first asked for. The words stay as they are, so a list keeps it: a search in that
    takes a tenth of one in a `SortedIndex`.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._symbols = sorted({symbol for word in words for symbol in word})
        self._from: dict[int, list[str]] = {}
        self.count = lru_cache(_REMEMBERED)(self._count)
        self.letters = lru_cache(_REMEMBERED)(self._letters)

    def few(self, pattern: str, choices: Mapping[int, str]) -> list[str] | None:
        """The words of a pattern that have one of some letters at places; None where it does not pay to look."""
        place, found = _best_start(pattern), list[str]()
        words, ranges = self._ranges(place, pattern, choices)
        for start, end in ranges:
            if len(found) + end - start > _FEW:
                return None
            found += words[start:end]
        return [_turned(word, len(pattern) - place) for word in found]

    def joined(self, pattern: str, choices: Mapping[int, str]) -> Iterator[str]:
        """The words of a pattern that have one of some letters, in order, at some of its open places."""
        place, length = _best_start(pattern), len(pattern)
        words, ranges = self._ranges(place, pattern, choices)
        for start, end in ranges:
            yield from (_turned(word, length - place) for word in words[start:end])

    def _ranges(
        self, place: int, pattern: str, choices: Mapping[int, str] = NO_CHOICES
    ) -> tuple[list[str], Iterator[tuple[int, int]]]:
        if place not in self._from:
            self._from[place] = sorted(_turned(word, place) for word in self._words)
        words, length = self._from[place], len(pattern)
        wanted = [((at - place) % length, letter) for at, letter in enumerate(pattern) if letter != EMPTY]
        wanted += [
            ((at - place) % length, letters)
            for at, letters in choices.items()
            if len(letters) < len(self.letters(pattern, at))
        ]
        return words, _leaps(words, sorted(wanted))

    def _count(self, pattern: str) -> int:
        """The words of a pattern, or some number above that at which they are no longer told apart."""
        found = 0
        for start, end in self._ranges(_best_start(pattern), pattern)[1]:
            found += end - start
            if found >= _ENOUGH:
                break
        return found

    def _letters(self, pattern: str, at: int) -> str:
        """What the words of a pattern have at an open place, in order."""
        if (few := self.few(pattern, NO_CHOICES)) is not None:
            return "".join(sorted({word[at] for word in few}))
        place = _best_start(pattern[:at] + "!" + pattern[at + 1 :])
        return "".join(
            letter
            for letter in self._symbols
            if next(self._ranges(place, _with(pattern, at, letter))[1], None) is not None
        )

    def rooms(self, pattern: str, at: int) -> Mapping[str, float]:
        """For each letter at an open place the logarithm of how many words it leaves."""
        return {letter: log(self.count(_with(pattern, at, letter))) for letter in self.letters(pattern, at)}


def _with(pattern: str, at: int, letter: str) -> str:
    return pattern[:at] + letter + pattern[at + 1 :]


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


@dataclass
class _Joined:
    """What open entries leave each other after some decisions."""

    decided: tuple[tuple[int | None, str], ...] = ()
    """The slot and the word of each decision."""
    allowed: dict[int, str] = field(default_factory=dict)
    """For each open crossed square the letters that both entries can have."""
    sizes: dict[int, int] = field(default_factory=dict)
    """The words that each open slot has left; from `_ENOUGH` on some number above that."""
    few: dict[int, list[str]] = field(default_factory=dict)
    """These words, of slots that have few."""

    def after(self, decided: tuple[tuple[int | None, str], ...]) -> _Joined:
        """A copy for more decisions."""
        return _Joined(decided, dict(self.allowed), dict(self.sizes), dict(self.few))


class SortedWords:
    """The sorted words of each slot of a board, and what crossing entries leave each other."""

    def __init__(self, board: Board) -> None:
        """Slots with the same words share their orders."""
        self._board = board
        made = {words: _Ordered(words) for words in {slot.words for slot in board.slots}}
        self.of = [made[slot.words] for slot in board.slots]
        """The words of each slot."""
        self._joined: list[_Joined] = []
        """What was joined after the first of the decisions in force, after more of them, and so on."""
        self._now = _Joined()

    @property
    def sizes(self) -> Mapping[int, int]:
        """The words that each open slot had left then; from `_ENOUGH` on some number above that."""
        return self._now.sizes

    def count(self, slot: int) -> int:
        """The number of words that fit what stands in a slot, exact below `_ENOUGH`."""
        return self.of[slot].count(self._board.pattern(slot))

    def crossing_letters(self, slot: int) -> Mapping[int, str]:
        """For each open crossed square of a slot what is allowed there, by its place in the slot."""
        squares = self._board.slots[slot].squares
        return {one.at: self._now.allowed[squares[one.at]] for one in self._open(slot)}

    def joined(self, slot: int) -> Iterable[str]:
        """The words of a slot that fit what stands and have what is allowed on its crossed squares."""
        if (few := self._now.few.get(slot)) is not None:
            return few
        return self.of[slot].joined(self._board.pattern(slot), self.crossing_letters(slot))

    def join(self, slots: Sequence[int], stack: Sequence[OpenChoice]) -> int | None:
        """Join the lists of open slots, again and again while letters go; returns a slot that has no word left.

        What a slot with many words leaves its crossings is not looked at but for what stands in it. Of what was
        joined before all stands that the decisions since have not changed.
        """
        decided = tuple((choice.slot, choice.chosen) for choice in stack)
        while self._joined and decided[: len(self._joined[-1].decided)] != self._joined[-1].decided:
            self._joined.pop()
        if self._joined:
            before = self._joined[-1]
            written = {square for choice in stack[len(before.decided) :] for square in choice.written}
            changed = [slot for slot in slots if not written.isdisjoint(self._board.slots[slot].squares)]
            self._now = before.after(decided)
        else:
            changed, self._now = list(slots), _Joined(decided)
        hopeless = self._narrow(changed)
        if hopeless is None:
            self._joined.append(self._now)
        return hopeless

    def _narrow(self, changed: Sequence[int]) -> int | None:
        """Draw all conclusions from what stands in some slots now; returns a slot that has no word left."""
        now, board = self._now, self._board
        waiting: dict[int, None] = dict.fromkeys(changed)
        for slot in changed:
            pattern, squares = board.pattern(slot), board.slots[slot].squares
            for at, other, _ in self._open(slot) if slot not in now.few else ():
                letters, known = self.of[slot].letters(pattern, at), now.allowed.get(squares[at])
                left = letters if known is None else "".join(one for one in letters if one in known)
                if left != known:
                    now.allowed[squares[at]] = left
                    waiting[other] = None
        while waiting:
            slot = next(iter(waiting))
            del waiting[slot]
            words = self._few(slot)
            if words is None:
                now.sizes[slot] = self.count(slot)
                continue
            now.few[slot], now.sizes[slot] = words, len(words)
            if not words:
                return slot
            for at, other, _ in self._open(slot):
                square, letters_left = board.slots[slot].squares[at], {word[at] for word in words}
                if len(letters_left) < len(now.allowed[square]):
                    now.allowed[square] = "".join(sorted(letters_left))
                    waiting[other] = None
        return None

    def _few(self, slot: int) -> list[str] | None:
        """The words that a slot has left; None where they are more than it pays to look at."""
        pattern, choices = self._board.pattern(slot), self.crossing_letters(slot)
        known = self._now.few.get(slot)
        if known is None:
            return self.of[slot].few(pattern, choices)
        wanted = [(at, letter) for at, letter in enumerate(pattern) if letter != EMPTY] + list(choices.items())
        return [word for word in known if all(word[at] in letters for at, letters in wanted)]

    def roomiest(self, slot: int, words: Sequence[str]) -> list[str]:
        """Words of a slot, first what leaves its open crossings most: by the logarithms of what was left there."""
        rooms = [(one.at, self._room(one)) for one in self._open(slot)]
        return sorted(words, key=lambda word: -sum(room[word[at]] for at, room in rooms))

    def _room(self, crossing: BoardCrossing) -> Mapping[str, float]:
        """For each letter at a crossing the logarithm of how many words of the other slot have it."""
        if (few := self._now.few.get(crossing.slot)) is not None:
            return {
                letter: log(count) for letter, count in Counter(word[crossing.other_at] for word in few).items()
            }
        return self.of[crossing.slot].rooms(self._board.pattern(crossing.slot), crossing.other_at)

    def _open(self, slot: int) -> Iterator[BoardCrossing]:
        """The crossings of a slot on empty squares."""
        board, squares = self._board, self._board.slots[slot].squares
        return (one for one in board.crossings[slot] if board.symbols[squares[one.at]] == EMPTY)


class SortedIndexSearch(WordSearch):
    """The entry with the smallest range; its words by leaps through its list and those that cross it."""

    name = "sorted-index"
    summary = "entry by entry, each with a range of sorted words; leaps over words that crossing entries rule out"
    source = "Veldhuizen, Leapfrog Triejoin, ICDT 2014"
    index = WordLookUp(
        "lists sorted from each letter on, wrapping around",
        "the range of a prefix, and the next possible word",
    )
    options = (
        Option.choice(
            "order",
            ("hardest", "fewest", "rows"),
            "which entry is next: the one with the fewest words for its dead ends, the one with the fewest "
            "words, or row by row; hardest restarts now and then",
        ),
        Option.choice(
            "words",
            ("roomiest", "shuffled", "alphabetical", "scored"),
            "the order of words; roomiest starts with the one of a random few that leaves crossings the most",
        ),
    )

    @cached_property
    def sorted_words(self) -> SortedWords:
        return SortedWords(self.board)

    @property
    def domain_sizes(self) -> Mapping[str, int]:
        return {slot.name: self.sorted_words.count(number) for number, slot in enumerate(self.board.slots)}

    def next_slot(self) -> int | None:
        """The entry with the fewest words, weighed as `order` has it, or the first one that is open."""
        slots, order = self.open_slots(), self.values.word("order")
        if (hopeless := self.sorted_words.join(slots, self.stack)) is not None:
            return hopeless
        if order == "rows":
            slots = sorted(slots, key=lambda slot: self.board.slots[slot].squares[0])[:1]
        counts = self.sorted_words.sizes
        ranked = sorted(slots, key=lambda slot: (min(counts[slot], _ENOUGH) / self.weight(slot), slot))
        self.ranked = [(slot, self.weighed(_counted(counts[slot]), slot)) for slot in ranked[:MOST]]
        return ranked[0] if ranked else None

    def words_for(self, slot: int) -> Iterable[str]:
        words = sorted(word for word in self.sorted_words.joined(slot) if not self.board.is_taken(slot, word))
        match self.values.word("words"):
            case "roomiest":
                self.rng.shuffle(words)
                words[:_DRAWN] = self.sorted_words.roomiest(slot, words[:_DRAWN])
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
        if at is None or crossing is None:
            return self.emptied(slot, None, None, ())
        return self.emptied(slot, board.slots[slot].squares[at], crossing.slot, letters[at])


def _counted(count: int) -> str:
    return f"{_ENOUGH:,} words or more" if count >= _ENOUGH else f"{count:,} word{'s' * (count != 1)}"
