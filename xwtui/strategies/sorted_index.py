"""Entry by entry over sorted words: prefix ranges, with leaps over words that crossings rule out.

Source: T. L. Veldhuizen, Leapfrog Triejoin: A Simple, Worst-Case Optimal Join Algorithm, ICDT 2014. A fill is a
join: each entry is a relation over its squares, with its words kept in order. A leapfrog join scans sorted lists
side by side; the one that lags behind leaps straight to the position of the others.

Here an entry's words are found this way: starting from a word, each of its letters is looked up in the crossing
entry. If that entry has no word with it, its list gives the next letter that it has, and the search leaps to the
first word in the range that starts with the preceding letters and that one. Words in between are never examined.

The paper's join decides one variable after the other in a fixed order and returns all answers. Here an entry is
decided at once, so a crossing's known letters may have gaps between them, which are leapt over in the same way.
Words are sorted cyclically from each of their letters, so that the known letters have as few gaps as possible
between them. The next entry is the one with the smallest range of words (`order=fewest`), or entries go row by row
(`order=rows`), so that the contents of every entry are a prefix, as far as blocks allow.

Our additions: before each decision, entries are joined with their crossings until no more letters drop out (arc
consistency, Mackworth, Artificial Intelligence 8, 1977). An entry with many words passes on only the letters that
its current contents allow. An entry without words is an immediate dead end. `order=hardest` divides an entry's
range by the dead ends that it was involved in, and restarts after a growing number of dead ends. With
`words=roomiest`, of some randomly drawn words the one that leaves its crossings the largest ranges comes first;
otherwise words come at random, alphabetically, or by score. Dead ends undo one decision, and every fill is found.
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
from xwtui.text import counted

_ENOUGH = 5000
"""Word count from which entries are no longer told apart by size."""
_DRAWN = 100
"""Randomly drawn words of an entry, of which the roomiest comes first."""
_FEW = 500
"""Up to this many words of a pattern are scanned for their letters; beyond that, each letter is looked up."""
_REMEMBERED = 5_000
"""Cache size per slot, in patterns, for counts and again for letters."""
_AFTER = chr(0x10FFFF)
"""Sorts after every continuation of a prefix."""
NO_CHOICES: Mapping[int, str] = MappingProxyType({})


def _leaps(words: Sequence[str], wanted: Sequence[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of sorted words that have one of the wanted letters at each wanted place: a join.

    `wanted` is sorted by place, and its letters are sorted. From a word that does not match, one binary search
    leads to the next that can; words in between are not examined.
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
    """A slot's words, sorted cyclically from each of their letters.

    Each order is built on demand. The words never change, so plain lists are used: searching one takes a tenth of
    the time of a `SortedIndex`.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._symbols = sorted({symbol for word in words for symbol in word})
        self._from: dict[int, list[str]] = {}
        self.count = lru_cache(_REMEMBERED)(self._count)
        self.letters = lru_cache(_REMEMBERED)(self._letters)

    def few(self, pattern: str, choices: Mapping[int, str]) -> list[str] | None:
        """Return the words that match a pattern and `choices` (letters by place); None if there are too many."""
        place, found = _best_start(pattern), list[str]()
        words, ranges = self._ranges(place, pattern, choices)
        for start, end in ranges:
            if len(found) + end - start > _FEW:
                return None
            found += words[start:end]
        return [_turned(word, len(pattern) - place) for word in found]

    def joined(self, pattern: str, choices: Mapping[int, str]) -> Iterator[str]:
        """Yield the words that match a pattern and `choices`: sorted letters for some of its open places."""
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
        """Return how many words match a pattern, or some number of at least `_ENOUGH`."""
        found = 0
        for start, end in self._ranges(_best_start(pattern), pattern)[1]:
            found += end - start
            if found >= _ENOUGH:
                break
        return found

    def _letters(self, pattern: str, at: int) -> str:
        """Return the letters that matching words have at an open place, in order."""
        if (few := self.few(pattern, NO_CHOICES)) is not None:
            return "".join(sorted({word[at] for word in few}))
        place = _best_start(pattern[:at] + "!" + pattern[at + 1 :])
        return "".join(
            letter
            for letter in self._symbols
            if next(self._ranges(place, _with(pattern, at, letter))[1], None) is not None
        )

    def rooms(self, pattern: str, at: int) -> Mapping[str, float]:
        """Return, for each letter at an open place, the logarithm of the number of words that it leaves."""
        return {letter: log(self.count(_with(pattern, at, letter))) for letter in self.letters(pattern, at)}


def _with(pattern: str, at: int, letter: str) -> str:
    return pattern[:at] + letter + pattern[at + 1 :]


def _turned(text: str, place: int) -> str:
    return text[place:] + text[:place]


def _best_start(pattern: str) -> int:
    """Return the known letter's place with the most open places before it, which leaves the fewest in between."""
    known = [place for place, letter in enumerate(pattern) if letter != EMPTY]
    if not known:
        return 0
    before = [known[-1] - len(pattern), *known[:-1]]
    return max(zip(known, before, strict=True), key=lambda pair: pair[0] - pair[1])[0]


@dataclass
class _Joined:
    """The result of joining open entries after some decisions."""

    decided: tuple[tuple[int | None, str], ...] = ()
    """The slot and the word of each decision."""
    allowed: dict[int, str] = field(default_factory=dict)
    """For each open crossed square, the letters that both entries allow."""
    sizes: dict[int, int] = field(default_factory=dict)
    """How many words each open slot has left, capped at some number of at least `_ENOUGH`."""
    few: dict[int, list[str]] = field(default_factory=dict)
    """The words left, for slots that have few."""

    def after(self, decided: tuple[tuple[int | None, str], ...]) -> _Joined:
        """Return a copy for more decisions."""
        return _Joined(decided, dict(self.allowed), dict(self.sizes), dict(self.few))


class SortedWords:
    """The sorted words of each slot of a board, and the joins of crossing entries."""

    def __init__(self, board: Board) -> None:
        """Index the words; slots with the same words share an index."""
        self._board = board
        made = {words: _Ordered(words) for words in {slot.words for slot in board.slots}}
        self.of = [made[slot.words] for slot in board.slots]
        """The indexed words of each slot."""
        self._joined: list[_Joined] = []
        """The joins after prefixes of the decisions in force, shortest first."""
        self._now = _Joined()

    @property
    def sizes(self) -> Mapping[int, int]:
        """How many words each open slot had left at the last join, capped at some number of at least `_ENOUGH`."""
        return self._now.sizes

    def count(self, slot: int) -> int:
        """Return how many words fit a slot's contents, exact below `_ENOUGH`."""
        return self.of[slot].count(self._board.pattern(slot))

    def crossing_letters(self, slot: int) -> Mapping[int, str]:
        """Return the allowed letters of each open crossed square of a slot, by its place in the slot."""
        squares = self._board.slots[slot].squares
        return {one.at: self._now.allowed[squares[one.at]] for one in self._open(slot)}

    def joined(self, slot: int) -> Iterable[str]:
        """Return a slot's words that fit its contents and the allowed letters of its crossed squares."""
        if (few := self._now.few.get(slot)) is not None:
            return few
        return self.of[slot].joined(self._board.pattern(slot), self.crossing_letters(slot))

    def join(self, slots: Sequence[int], stack: Sequence[OpenChoice]) -> int | None:
        """Join open slots until no more letters drop out; return a slot without words, if any.

        A slot with many words passes on only the letters that its contents allow. Earlier joins are reused for
        what the decisions since have not changed.
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
        """Propagate the changed contents of some slots to a fixpoint; return a slot without words, if any."""
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
        """Return the words that a slot has left, or None if they are too many to list."""
        pattern, choices = self._board.pattern(slot), self.crossing_letters(slot)
        known = self._now.few.get(slot)
        if known is None:
            return self.of[slot].few(pattern, choices)
        wanted = [(at, letter) for at, letter in enumerate(pattern) if letter != EMPTY] + list(choices.items())
        return [word for word in known if all(word[at] in letters for at, letters in wanted)]

    def roomiest(self, slot: int, words: Sequence[str]) -> list[str]:
        """Sort words of a slot by the summed logarithms of what they leave in open crossings, most first."""
        rooms = [(one.at, self._room(one)) for one in self._open(slot)]
        return sorted(words, key=lambda word: -sum(room[word[at]] for at, room in rooms))

    def _room(self, crossing: BoardCrossing) -> Mapping[str, float]:
        """Return, for each letter at a crossing, the logarithm of how many words of the other slot have it."""
        if (few := self._now.few.get(crossing.slot)) is not None:
            return {
                letter: log(count) for letter, count in Counter(word[crossing.other_at] for word in few).items()
            }
        return self.of[crossing.slot].rooms(self._board.pattern(crossing.slot), crossing.other_at)

    def _open(self, slot: int) -> Iterator[BoardCrossing]:
        """Yield the crossings of a slot on empty squares."""
        board, squares = self._board, self._board.slots[slot].squares
        return (one for one in board.crossings[slot] if board.symbols[squares[one.at]] == EMPTY)


class SortedIndexSearch(WordSearch):
    """Takes the entry with the smallest range, and finds its words by leaping through the sorted lists."""

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
        """Return the entry with the fewest words, weighted according to `order`, or the first open one."""
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
        """Return the dead end of an entry without words, with the crossing that allowed the fewest letters."""
        board, letters = self.board, self.sorted_words.crossing_letters(slot)
        at = min(letters, key=lambda one: len(letters[one]), default=None)
        crossing = next((one for one in board.crossings[slot] if one.at == at), None)
        if at is None or crossing is None:
            return self.emptied(slot, None, None, ())
        return self.emptied(slot, board.slots[slot].squares[at], crossing.slot, letters[at])


def _counted(count: int) -> str:
    return f"{_ENOUGH:,} words or more" if count >= _ENOUGH else counted(count, "word")
