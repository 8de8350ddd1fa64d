"""Emogic's word search.

Source: "Emogic's Crossword Generation Algorithm" (https://github.com/vpelss/crosswords_js).

The entries are filled in the fixed order of a walk. Each time a word is placed, every crossing entry must still
have a word that fits, and no word may appear twice. The words of an entry come from its mask (`lookup`), and each
is placed and then checked. With `meta`, the letters that the crossings could take are computed first, and only
words of those letters are placed.

When the search is stuck at an entry, the entries that cross it and those that cross these are the targets for
backtracking, as nothing else affects its words:

- `naive`: backtrack to the previous entry.
- `cambon`: if no word at all could be placed in an entry, backtrack to the latest target; further steps back are
  naive. (Emogic's targets with the rule that Cambon found for letters.)
- `emogic`: if an entry is out of words, tried or not, backtrack to the latest target that has words left. This
  loses fills, as with letters: see emogic_letters.

The text starts crossing words "with the very first word in the top right". The very first word is at the top left,
where the author's script starts, and so does `start=first`.

Where the source is silent, our choices are these. An entry that its crossings have filled is skipped. An answer
completed by its crossings may not repeat either; if that affects an entry, `cambon` backtracks naively. Words are
tried at random, by score, or from A to Z.

`compiled=yes` makes the same steps in compiled code (`compiled_walks`); this module is its specification.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import defaultdict, deque
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from time import perf_counter

from xwtui.engine.events.event import MOST, Event, EventKind, Rank
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Direction, Position
from xwtui.strategies.backtracker import Backtracker, OpenChoice
from xwtui.strategies.board import EMPTY, Board, BoardCrossing
from xwtui.strategies.letter_walks import Rectangle, letter_walk
from xwtui.strategies.protocol import COMPILED, Lookups, Option, WordLookUp

with lazy_imports():
    from xwtui.strategies.compiled_walks import CompiledWalk, compiled_words

WORD_WALKS = ("crossing-words", "across-then-down", "numerical", "sik-sak", "slalom", "random")
"""The names of the walks."""


def word_walk(name: str, board: Board, sides: Rectangle, rng: Random, first: int = 0) -> list[int]:
    """Return all slots of a board in the order of a walk; `crossing-words` starts with the slot `first`."""
    slots = range(len(board.slots))
    match name:
        case "across-then-down":
            return list(slots)
        case "numerical":
            return list(_at_their_first_letters(board, board.positions))
        case "crossing-words":
            return list(_crossing_words(board, first))
        case "random":
            return rng.sample(slots, len(slots))
        case _:
            walk = letter_walk(name, sides, board.positions, {}, rng)
            return list(_at_their_first_letters(board, walk))


def _at_their_first_letters(board: Board, squares: list[Position] | tuple[Position, ...]) -> Iterator[int]:
    """Yield each slot when the squares reach its first letter, across before down."""
    starting: dict[tuple[Position, Direction], int] = {
        (board.positions[slot.squares[0]], slot.direction): number for number, slot in enumerate(board.slots)
    }
    for square in squares:
        for direction in Direction:
            if (square, direction) in starting:
                yield starting[square, direction]


def _crossing_words(board: Board, start: int) -> Iterator[int]:
    """Yield a slot, those that cross it, those that cross these, and so on; then disconnected slots."""
    seen: set[int] = set()
    for first in (start, *range(len(board.slots))) if board.slots else ():
        waiting = deque([] if first in seen else [first])
        seen.add(first)
        while waiting:
            slot = waiting.popleft()
            yield slot
            for crossing in board.crossings[slot]:
                if crossing.slot not in seen:
                    seen.add(crossing.slot)
                    waiting.append(crossing.slot)


MOST_MASKED = 8_000_000
"""Most words over all lists in a table of every mask, some 800 MB."""

LetterLists = Sequence[Collection[str] | None]
"""For each place of a word, the letters that are allowed there; None for any."""

_MOST_REMEMBERED = 200_000
"""Patterns whose letters are cached."""


class WordLookup(ABC):
    """Finds the words that match a pattern; all implementations return them in the order of the list."""

    def __init__(self, words: Sequence[str], *, remembers: bool = True) -> None:
        """`remembers` caches the letters of a pattern."""
        self._words = words
        self._remembers = remembers
        self._letters: dict[tuple[str, int], frozenset[str]] = {}
        self.asked = 0
        """Number of look-ups."""
        self.made = 0
        """Look-ups that reached the list; the others were cached."""
        self.seconds = 0.0
        """Time spent on those."""

    def words(self, pattern: str, lists: LetterLists = ()) -> Sequence[str]:
        """Return the words that match a pattern; in the meta search (method 4), only of letters in the lists."""
        begun = perf_counter()
        found = self._find_of_letters(pattern, lists) if lists else self._find(pattern)
        self.asked += 1
        self.made += 1
        self.seconds += perf_counter() - begun
        return found

    def letters(self, pattern: str, at: int) -> frozenset[str]:
        """Return the letters that matching words have at a place; a frequent query."""
        found = self._letters.get((pattern, at))
        if found is not None:
            self.asked += 1
        else:
            if len(self._letters) >= _MOST_REMEMBERED:
                self._letters.clear()
            found = frozenset([word[at] for word in self.words(pattern)])
            if self._remembers:
                self._letters[pattern, at] = found
        return found

    @abstractmethod
    def _find(self, pattern: str) -> Sequence[str]: ...

    def _find_of_letters(self, pattern: str, lists: LetterLists) -> Sequence[str]:
        limited = [(index, letters) for index, letters in enumerate(lists) if letters is not None]
        words = self._find(pattern)
        for index, letters in sorted(limited, key=lambda limit: len(limit[1])):
            words = [word for word in words if word[index] in letters]
        return words


class ListLookup(WordLookup):
    """Method 1: for each place and letter, the words that have it; a pattern's words are the intersection."""

    def __init__(self, words: Sequence[str], *, remembers: bool = True) -> None:
        super().__init__(words, remembers=remembers)
        lists: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
        for row, word in enumerate(words):
            for place in enumerate(word):
                lists[place].add(row)
        self._lists: Mapping[tuple[int, str], set[int]] = dict(lists)

    def _find(self, pattern: str) -> Sequence[str]:
        known = [self._lists.get(place, set()) for place in enumerate(pattern) if place[1] != EMPTY]
        if not known:
            return self._words
        return [self._words[row] for row in sorted(set.intersection(*sorted(known, key=len)))]


class RegexLookup(WordLookup):
    """Method 2: all words in one long string, searched with a regular expression."""

    def __init__(self, words: Sequence[str], *, remembers: bool = True) -> None:
        super().__init__(words, remembers=remembers)
        self._text = ",".join(words)

    def _find(self, pattern: str) -> Sequence[str]:
        return re.findall(pattern.replace(EMPTY, "[^,]"), self._text)

    def _find_of_letters(self, pattern: str, lists: LetterLists) -> Sequence[str]:
        """Search with an expression such as `[ABC][HGR][^,]`."""
        if any(letters is not None and not letters for letters in lists):
            return []
        classes = (
            known if known != EMPTY else "[^,]" if letters is None else f"[{''.join(letters)}]"
            for known, letters in zip(pattern, lists, strict=True)
        )
        return re.findall("".join(classes), self._text)


class EveryMaskLookup(WordLookup):
    """Method 3 as published: "for each word we build every possible mask", all before the search starts."""

    def __init__(self, words: Sequence[str], *, remembers: bool = True) -> None:
        """Build the table; raises EngineError if its lists would have more than MOST_MASKED words."""
        super().__init__(words, remembers=remembers)
        length = len(words[0]) if words else 0
        if len(words) << length > MOST_MASKED:
            raise EngineError(
                f"every mask of {len(words):,} words of {length} letters makes {len(words) << length:,} in all, "
                f"and {MOST_MASKED:,} are the most; lookup=masks makes those needed"
            )
        table: defaultdict[str, list[str]] = defaultdict(list)
        masks = list(product((False, True), repeat=length))
        for word in words:
            for mask in masks:
                known = (letter if is_known else EMPTY for letter, is_known in zip(word, mask, strict=True))
                table["".join(known)].append(word)
        self._table = dict(table)

    def _find(self, pattern: str) -> Sequence[str]:
        return self._table.get(pattern, ())


class MaskLookup(WordLookup):
    """Method 3 on demand: a table of the words of each mask (`C?T`: CAT, COT).

    All masks with the same known squares are built when the first of them is requested.
    """

    def __init__(self, words: Sequence[str], *, remembers: bool = True) -> None:
        super().__init__(words, remembers=remembers)
        self._tables: dict[tuple[int, ...], Mapping[str, Sequence[str]]] = {}

    def _find(self, pattern: str) -> Sequence[str]:
        known = tuple(index for index, letter in enumerate(pattern) if letter != EMPTY)
        if known not in self._tables:
            table: defaultdict[str, list[str]] = defaultdict(list)
            for word in self._words:
                table["".join([word[index] for index in known])].append(word)
            self._tables[known] = dict(table)
        return self._tables[known].get("".join([pattern[index] for index in known]), ())


LOOKUPS: Mapping[str, type[WordLookup]] = {
    "masks": MaskLookup,
    "regex": RegexLookup,
    "lists": ListLookup,
    "every-mask": EveryMaskLookup,
}
"""The look-up methods by name."""


class EmogicWords(Backtracker):
    """Fills word by word along a walk, keeping every crossing fillable."""

    name = "emogic-words"
    summary = "word by word along a fixed walk; every crossing entry must still have a word"
    source = "Emogic's Crossword Generation Algorithm"
    index = WordLookUp(
        "a table for each set of known squares, regular expressions, or lists by letter; bitsets when compiled",
        "the words of a pattern, and their letters at a square",
    )
    options = (
        Option.choice("walk", WORD_WALKS, "order of the entries"),
        Option.entry("start", "first", "the first entry of the walk crossing-words"),
        Option.choice("backtrack", ("cambon", "emogic", "naive"), "where the search goes back to when stuck"),
        Option.choice("lookup", tuple(LOOKUPS), "how the words of a mask are found"),
        Option.switch("memo", True, "remember which letters crossings can take, instead of looking them up again"),
        Option.switch("meta", True, "try only words whose letters the crossings can take"),
        Option.choice("words", ("shuffled", "score", "alphabetical"), "the order in which words are tried"),
        COMPILED,
    )

    _walk: Sequence[int] = ()
    _lookups: Sequence[WordLookup] = ()
    """One per slot."""
    _ahead: Sequence[int] = ()
    """The slots that were not filled at the last choice."""

    @property
    def is_complete(self) -> bool:
        """Whether every fill is found: `emogic` jumps too often for that."""
        return self.values.word("backtrack") != "emogic"

    @property
    def lookups(self) -> Lookups | None:
        """How often words were looked up, and the time that took; None in compiled code."""
        if self.values.is_on(COMPILED.name):
            return None
        ways = set(self._lookups)
        asked, made = sum(one.asked for one in ways), sum(one.made for one in ways)
        return Lookups(asked, made, sum(one.seconds for one in ways))

    @property
    def ranking(self) -> tuple[Rank, ...]:
        """The entries that were not filled at the last choice, in the order of the walk."""
        places = {slot: place for place, slot in enumerate(self._walk, 1)}
        shown = [(self.board.slots[slot].name, places[slot]) for slot in self._ahead[:MOST]]
        return tuple(Rank(name, f"{place}. of the walk") for name, place in shown)

    def explore(self) -> Iterator[Event | None]:
        if self.values.is_on(COMPILED.name):
            yield from self.compiled().events()
            return
        self._prepare()
        make, remembers = LOOKUPS[self.values.word("lookup")], self.values.is_on("memo")
        lookups = {slot.words: make(slot.words, remembers=remembers) for slot in self.board.slots}
        self._lookups = [lookups[slot.words] for slot in self.board.slots]
        while True:
            self._blames_repeats = False
            self._ahead = [slot for slot in self._walk if not self.board.is_filled(slot)]
            slot = next(iter(self._ahead), None)
            if slot is None:
                yield self.solved()
            else:
                choice = OpenChoice(slot, None, "", deque(self._candidates(slot)))
                if not choice.left:
                    yield Event(EventKind.WIPE_OUT, len(self.stack), self.board.slots[slot].name)
                if (yield from self._lay_next(choice)):
                    continue
            if not (yield from self._backtrack(slot)):
                return

    def compiled(self) -> CompiledWalk:
        """Return the same search compiled, before its first step; raises EngineError for rebus squares."""
        self._prepare()
        return compiled_words(self, self._walk, self._targets)

    def _prepare(self) -> None:
        board, grid = self.board, self.task.grid
        sides, start = Rectangle(grid.height, grid.width), self.values.word("start").upper()
        numbers = {"FIRST": 0, **{slot.name: number for number, slot in enumerate(board.slots)}}
        if start not in numbers and board.slots:
            raise EngineError(f"{self.name}: start={start}: there is no entry {start} to fill")
        self._walk = word_walk(self.values.word("walk"), board, sides, self.rng, numbers.get(start, 0))
        crossing = [{one.slot for one in crossings} for crossings in board.crossings]
        self._targets = [first.union(*(crossing[one] for one in first)) for first in crossing]

    # Forward

    def _candidates(self, slot: int) -> Sequence[str]:
        pattern = self.board.pattern(slot)
        lists: list[Collection[str] | None] = []
        if self.values.is_on("meta"):
            # The letters that crossings can take; None for a known or unchecked square.
            lists = [None] * len(pattern)
            for crossing in self.board.crossings[slot]:
                if pattern[crossing.at] == EMPTY:
                    lists[crossing.at] = self._letters(crossing, self.board.pattern(crossing.slot))
        words = self._lookups[slot].words(pattern, lists)
        fresh = [word for word in words if not self.board.is_taken(slot, word)]
        self._blames_repeats |= len(fresh) < len(words)
        match self.values.word("words"):
            case "alphabetical":
                fresh.sort()
            case "shuffled":
                self.rng.shuffle(fresh)
        return fresh

    def _letters(self, crossing: BoardCrossing, pattern: str) -> Collection[str]:
        """Return the letters that the matching words of a crossing have at the square."""
        return self._lookups[crossing.slot].letters(pattern, crossing.other_at)

    def _lay_next(self, choice: OpenChoice) -> Generator[Event, None, bool]:
        """Place the next word that leaves every crossing a word; return False if none does."""
        while choice.left:
            yield self.choose(choice)
            trouble = self._trouble(choice)
            if trouble is None:
                return True
            yield trouble
            self.undo()
            yield self.refuted(choice)
        return False

    def _trouble(self, choice: OpenChoice) -> Event | None:
        """Return the dead end of a crossing that the word just placed leaves without words, or with a repeat."""
        board, slot, depth = self.board, choice.slot or 0, len(self.stack)
        for crossing in board.crossings[slot]:
            square = board.slots[slot].squares[crossing.at]
            if square not in choice.written:
                continue
            name, pattern = board.slots[crossing.slot].name, board.pattern(crossing.slot)
            query = pattern[: crossing.other_at] + EMPTY + pattern[crossing.other_at + 1 :]
            letters = self._letters(crossing, query)
            if board.symbols[square] not in letters:
                wanted = tuple(str(board.content(one)) for one in sorted(letters))
                at = board.positions[square]
                return Event(EventKind.WIPE_OUT, depth, name, crossing=at, wanted=wanted)
            word = board.read(crossing.slot, pattern)
            if board.is_filled(crossing.slot) and not board.allow_repeats and board.answers[word] > 1:
                self._blames_repeats = True
                return Event(EventKind.WIPE_OUT, depth, name, word, other=board.entry_with(word, crossing.slot))
        return None

    # Backtracking

    def _backtrack(self, failed: int | None) -> Generator[Event, None, bool]:
        """Backtrack from a slot without words, or from a fill; return False if nothing is left to try."""
        rule = self.values.word("backtrack")
        is_jump = failed is not None and (rule == "emogic" or (rule == "cambon" and not self._blames_repeats))
        targets = self._targets[failed] if failed is not None and is_jump else None
        while self.stack:
            choice = self.undo()
            slot = choice.slot or 0
            if targets is not None and slot not in targets:
                yield self.jumped(choice)
                continue
            yield self.refuted(choice)
            if choice.left and (yield from self._lay_next(choice)):
                return True
            targets = targets if rule == "emogic" else None
        return False
