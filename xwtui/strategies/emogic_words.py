"""Emogic's word search.

Source: "Emogic's Crossword Generation Algorithm" (https://github.com/vpelss/crosswords_js).

The entries are filled in the fixed order of a walk. Each time a word is laid, every entry that crosses it
must still have a word that fits; no word stands twice. The words of an entry come from its mask
(`lookup`), and each is laid and then checked; with `meta`, the letters that the crossings could take come first,
and only words of those letters are laid.

Stuck at an entry, the entries that cross it and those that cross these are the targets of a step back,
for nothing else has a say in its words:

- `naive`: go back to the entry laid before.
- `cambon`: an entry of which no word could be laid at all sends the search back to the latest target;
  further steps back are naive. (Emogic's targets with the rule that Cambon found for letters.)
- `emogic`: an entry that is out of words, tried or not, sends it back to the latest target that has
  words left. This loses fills, as with letters: see emogic_letters.

The text begins crossing words "with the very first word in the top right"; the very first word stands top left,
and there his script begins, as does `start=first`.

Where the text is silent: an entry that its crossings have filled is passed over. An answer that its
crossings make may not stand twice either; where that has a say, `cambon` goes back naively. Words are tried by
chance, by score, or from A to Z.

`compiled=yes` makes the same steps in compiled code (`compiled_walks`); what stands here says what they are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Generator, Iterator, Sequence
from random import Random

from xwtui.engine.events.event import MOST, Event, EventKind, Rank
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Direction, Position
from xwtui.strategies.backtracker import Backtracker, OpenChoice
from xwtui.strategies.board import EMPTY, Board, BoardCrossing
from xwtui.strategies.letter_walks import Rectangle, letter_walk
from xwtui.strategies.options import COMPILED, Option
from xwtui.strategies.protocol import Lookups, WordLookUp
from xwtui.strategies.word_lookups import LOOKUPS, WordLookup

with lazy_imports():
    from xwtui.strategies.compiled_walks import CompiledWords, WordSearchPlan

WORD_WALKS = ("crossing-words", "across-then-down", "numerical", "sik-sak", "slalom", "random")
"""The names of the walks."""


def word_walk(name: str, board: Board, sides: Rectangle, rng: Random, first: int = 0) -> list[int]:
    """All slots of a board in the order of a walk; crossing words begin with the slot `first`."""
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
    """Each slot when the squares come to its first letter, an across one before a down one."""
    starting: dict[tuple[Position, Direction], int] = {
        (board.positions[slot.squares[0]], slot.direction): number for number, slot in enumerate(board.slots)
    }
    for square in squares:
        for direction in Direction:
            if (square, direction) in starting:
                yield starting[square, direction]


def _crossing_words(board: Board, start: int) -> Iterator[int]:
    """A slot, those that cross it, those that cross these, and so on; then what hangs apart from it."""
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


class EmogicWords(Backtracker):
    """Word by word along a walk, while every crossing can still be filled."""

    name = "emogic-words"
    summary = "word by word along a fixed walk; every crossing entry must still have a word"
    source = "Emogic's Crossword Generation Algorithm"
    index = WordLookUp(
        "a table for each set of known squares, expressions, or lists for each letter; bitsets when compiled",
        "the words of a pattern, and their letters at a square",
    )
    options = (
        Option.choice("walk", WORD_WALKS, "order of the entries"),
        Option.entry("start", "first", "the entry that crossing-words begins with"),
        Option.choice("backtrack", ("cambon", "emogic", "naive"), "where an entry without words sends the search"),
        Option.choice("lookup", tuple(LOOKUPS), "how the words of a mask are found"),
        Option.switch("memo", True, "remember the letters that crossings can take, rather than look them up anew"),
        Option.switch("meta", True, "lay only words made of letters that the crossings can take"),
        Option.choice("words", ("shuffled", "score", "alphabetical"), "the order in which words are tried"),
        COMPILED,
    )

    _walk: Sequence[int] = ()
    _all_lookups: Sequence[WordLookup] = ()
    _ahead: Sequence[int] = ()
    """The slots that were not filled at the last choice."""

    @property
    def is_complete(self) -> bool:
        """Whether every fill is found: `emogic` jumps too often for that."""
        return self.values.word("backtrack") != "emogic"

    @property
    def lookups(self) -> Lookups | None:
        """How often words were looked up, and how long that took; None where that is in compiled code."""
        if self.values.is_on(COMPILED.name):
            return None
        ways = self._all_lookups
        asked, made = sum(one.asked for one in ways), sum(one.made for one in ways)
        return Lookups(asked, made, sum(one.seconds for one in ways))

    @property
    def ranking(self) -> tuple[Rank, ...]:
        """The entries that were not filled at the last choice, in the order of the walk."""
        places = {slot: place for place, slot in enumerate(self._walk, 1)}
        shown = [(self.board.slots[slot].name, places[slot]) for slot in self._ahead[:MOST]]
        return tuple(Rank(name, f"{place}. of the walk") for name, place in shown)

    def explore(self) -> Iterator[Event | None]:
        """Lay a word after the other, and go back where none can be laid."""
        if self.values.is_on(COMPILED.name):
            yield from self.compiled().events()
            return
        self._prepare()
        self._make_lookups()
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
            if not (yield from self._go_back(slot)):
                return

    def compiled(self) -> CompiledWords:
        """The same search compiled, at its beginning; raises EngineError for rebus squares."""
        self._prepare()
        values = self.values
        plan = WordSearchPlan(
            self._walk, self._targets, values.word("backtrack"), values.word("words"), values.is_on("meta")
        )
        return CompiledWords(self, plan, self.beginning_symbols, self.rng)

    def _make_lookups(self) -> None:
        board = self.board
        make, remembers = LOOKUPS[self.values.word("lookup")], self.values.is_on("memo")
        lookups = {slot.words: make(slot.words, remembers=remembers) for slot in board.slots}
        self._all_lookups = tuple(lookups.values())
        self._lookups = [lookups[slot.words] for slot in board.slots]

    def _prepare(self) -> None:
        board, grid = self.board, self.task.grid
        sides = Rectangle(grid.height, grid.width)
        self._walk = word_walk(self.values.word("walk"), board, sides, self.rng, self._first(board))
        crossing = [{one.slot for one in crossings} for crossings in board.crossings]
        self._targets = [first.union(*(crossing[one] for one in first)) for first in crossing]

    def _first(self, board: Board) -> int:
        """The slot to begin with; raises EngineError where there is none of that name."""
        start = self.values.word("start").upper()
        if start == "FIRST" or not board.slots:
            return 0
        numbers = {slot.name: number for number, slot in enumerate(board.slots)}
        if start not in numbers:
            raise EngineError(f"{self.name}: start={start}: there is no entry {start} to fill")
        return numbers[start]

    # Forwards

    def _candidates(self, slot: int) -> Sequence[str]:
        """The words to lay in a slot, in the order to try them."""
        pattern = self.board.pattern(slot)
        if self.values.is_on("meta"):
            words = self._lookups[slot].words_of_letters(pattern, self._letter_lists(slot))
        else:
            words = self._lookups[slot].words(pattern)
        fresh = [word for word in words if not self.board.is_taken(slot, word)]
        self._blames_repeats |= len(fresh) < len(words)
        match self.values.word("words"):
            case "alphabetical":
                fresh.sort()
            case "shuffled":
                self.rng.shuffle(fresh)
        return fresh

    def _letter_lists(self, slot: int) -> list[Collection[str] | None]:
        """The letters that the crossings of a slot can take; None for a square that is known or unchecked."""
        lists: list[Collection[str] | None] = [None] * len(self.board.slots[slot].squares)
        for crossing in self.board.crossings[slot]:
            if self.board.symbols[self.board.slots[slot].squares[crossing.at]] == EMPTY:
                lists[crossing.at] = self._letters(crossing, self.board.pattern(crossing.slot))
        return lists

    def _letters(self, crossing: BoardCrossing, pattern: str) -> Collection[str]:
        """The letters that the words of a crossing's pattern have at the square."""
        return self._lookups[crossing.slot].letters(pattern, crossing.other_at)

    def _lay_next(self, choice: OpenChoice) -> Generator[Event, None, bool]:
        """Lay the next word of a choice that leaves every crossing a word; False where none does."""
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
        """The crossing that a word laid just now leaves without a word, or with one that stands twice."""
        board, slot, depth = self.board, choice.slot or 0, len(self.stack)
        for crossing in board.crossings[slot]:
            square = board.slots[slot].squares[crossing.at]
            if square not in choice.written:
                continue
            name, pattern = board.slots[crossing.slot].name, board.pattern(crossing.slot)
            asked = pattern[: crossing.other_at] + EMPTY + pattern[crossing.other_at + 1 :]
            letters = self._letters(crossing, asked)
            if board.symbols[square] not in letters:
                wanted = tuple(str(board.content(one)) for one in sorted(letters))
                at = board.positions[square]
                return Event(EventKind.WIPE_OUT, depth, name, crossing=at, wanted=wanted)
            word = board.read(crossing.slot, pattern)
            if board.is_filled(crossing.slot) and not board.allow_repeats and board.answers[word] > 1:
                self._blames_repeats = True
                return Event(EventKind.WIPE_OUT, depth, name, word, other=board.holder(word, crossing.slot))
        return None

    # Backwards

    def _go_back(self, failed: int | None) -> Generator[Event, None, bool]:
        """Go back from a slot without words, or from a fill; False where nothing is left to try."""
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
