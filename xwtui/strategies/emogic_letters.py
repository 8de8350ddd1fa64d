"""Emogic's letter search with Cambon's walks and backtracking rules.

Sources: "Emogic's Crossword Generation Algorithm" (https://github.com/vpelss/crosswords_js) and S. M. Cambon,
"Design and Implementation of Crossword Compilation Programs Using Serial Approaches" (thesis.cambon.dk).

The squares are filled in the fixed order of a walk. A letter is legal if the prefixes across and down can both
still become words. A square without a legal letter makes the search backtrack:

- `naive`: to the previous square in the walk.
- `cambon`: if a square has no legal letter when the walk reaches it, backtrack to the latest earlier square in its
  own across or down slot, as nothing in between affects its letters. Further steps back are naive: only the first
  of several in a row may be a jump, or fills would be lost.
- `emogic-text` and `emogic-script`: a square that is out of letters, tried or not, makes all earlier squares in
  its two slots targets (rule 1). The search backtracks to the first target that has letters left (rule 2). If it
  reaches a square that is not a target and lies above and to the left (rule 3), it must "revert to the naive
  backtrack mode". By the letter of the text, each further step is then naive, until a letter is placed. In the
  author's script, that square is treated as if it had failed itself: if it has no letters left, its own targets
  replace the search's from there on. Both lose fills: a square whose letters have been tried also failed because
  of what came after it, which may depend on the squares jumped over, and rule 3 guards only those above and to the
  left.

Where the sources are silent, our choices are these. A given letter is the only one that its square may take when
the walk reaches it. A letter that makes two answers equal is not legal; if that leaves a square without letters,
`cambon` backtracks naively, as any square may be in the other answer. Letters are tried at random, from A to Z, or
by one of the author's two tables, which he keeps but does not use: `frequency` has "the most common letters first
to last", `in-place` those that fewest words have at that place of the across entry first ("from less frequent to
most frequent").

`compiled=yes` makes the same steps in compiled code (`compiled_walks`); this module is its specification.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence

from xwtui.engine.events.event import MOST, Event, Rank
from xwtui.lazy import lazy_imports
from xwtui.strategies.backtracker import Backtracker, OpenChoice
from xwtui.strategies.board import BoardPlace
from xwtui.strategies.letter_walks import (
    LETTER_WALKS,
    ChainSupply,
    LetterSupply,
    MaskSupply,
    Rectangle,
    letter_walk,
)
from xwtui.strategies.protocol import COMPILED, Lookups, Option, WordLookUp

with lazy_imports():
    from xwtui.strategies.compiled_walks import CompiledWalk, compiled_letters

_SUPPLIES: Mapping[str, Callable[[tuple[str, ...]], LetterSupply]] = {"chain": ChainSupply, "masks": MaskSupply}


FREQUENCY = "ETAOINSRHDLUCMFYWGPBVKXQJZ"
"""Emogic's `letter_frequency`: the most common letters first; digits and rebus squares come before them."""


class EmogicLetters(Backtracker):
    """Fills letter by letter along a walk, building every entry from its first letter to its last."""

    name = "emogic-letters"
    summary = "letter by letter along a fixed walk; a letter is legal if both prefixes can become words"
    source = "Emogic's Crossword Generation Algorithm; Cambon's thesis"
    index = WordLookUp(
        "tries as chains of tables, or a table of prefixes; packed tries when compiled",
        "the letters after a prefix",
    )
    options = (
        Option.choice(
            "walk", ("sik-sak", *(walk for walk in LETTER_WALKS if walk != "sik-sak")), "order of the squares"
        ),
        Option.choice(
            "backtrack",
            ("cambon", "emogic-text", "emogic-script", "naive"),
            "where the search goes back to when stuck",
        ),
        Option.choice("supply", tuple(_SUPPLIES), "how the next letters are looked up"),
        Option.choice(
            "letters",
            ("shuffled", "alphabetical", "frequency", "in-place"),
            "the order in which letters are tried",
        ),
        COMPILED,
    )
    places_letters = True

    _supplies: Sequence[LetterSupply] = ()
    """One per slot."""
    walk: Sequence[int] = ()
    """The squares in the order in which they are filled."""

    @property
    def is_complete(self) -> bool:
        """Whether every fill is found: Emogic's rules jump too often for that."""
        return self.values.word("backtrack") in ("cambon", "naive")

    @property
    def lookups(self) -> Lookups | None:
        """How often letters were looked up, and the time that took; None in compiled code, which does not."""
        if self.values.is_on(COMPILED.name):
            return None
        made = set(self._supplies)
        asked = sum(one.asked for one in made)
        return Lookups(asked, asked, sum(one.seconds for one in made))

    @property
    def ranking(self) -> tuple[Rank, ...]:
        """The squares from the last choice on, in the order of the walk."""
        turns = [(turn, square) for turn, square in enumerate(self.walk, 1) if square not in self.board.given]
        last = max(self.depth - 1, 0)
        shown = turns[last : last + MOST]
        return tuple(Rank(str(self.board.positions[square]), f"{turn}. of the walk") for turn, square in shown)

    def explore(self) -> Iterator[Event | None]:
        if self.values.is_on(COMPILED.name):
            yield from self.compiled().events()
            return
        self._prepare()
        make = _SUPPLIES[self.values.word("supply")]
        supplies = {slot.words: make(slot.words) for slot in self.board.slots}
        self._supplies = [supplies[slot.words] for slot in self.board.slots]
        while True:
            turn = len(self.stack)
            if turn == len(self.walk):
                yield self.solved()
                failed, is_local = None, False
            else:
                failed = self.walk[turn]
                letters, is_local = self._legal_letters(failed)
                if letters:
                    yield self.choose(OpenChoice(None, failed, "", deque(letters)))
                    continue
                yield self.emptied_square(failed, self._supply(self.board.places[failed][0]))
            if not (yield from self._backtrack(failed, is_local)):
                return

    def compiled(self) -> CompiledWalk:
        """Return the same search compiled, before its first step; raises EngineError for rebus squares."""
        self._prepare()
        return compiled_letters(self, self.walk, self._targets, self._sort)

    def _prepare(self) -> None:
        board = self.board
        # The squares to the left and above in a square's own slots: only they affect its legal letters.
        behind = {
            square: frozenset(one for slot, at in places for one in board.slots[slot].squares[:at])
            for square, places in enumerate(board.places)
        }
        before = {board.positions[square]: [board.positions[one] for one in own] for square, own in behind.items()}
        grid = self.task.grid
        sides = Rectangle(grid.height, grid.width)
        walk = letter_walk(self.values.word("walk"), sides, board.positions, before, self.rng)
        self.walk = [board.numbers[position] for position in walk]
        self._turns = {square: turn for turn, square in enumerate(self.walk)}
        self._targets = behind
        self._frequency: dict[tuple[int, int], Counter[str]] = {}

    # Forward

    def _legal_letters(self, square: int) -> tuple[list[str], bool]:
        """Return a square's legal letters in trying order, and whether none was excluded as a repeat."""
        supplies = [self._supply(place) for place in self.board.places[square]]
        legal = sorted(letter for letter in supplies[0] if all(letter in other for other in supplies[1:]))
        if square in self.board.given:
            return [letter for letter in legal if letter == self.board.given[square]], True
        fresh = self.board.fresh(square, legal)
        self._sort(square, fresh)
        if self.values.word("letters") == "shuffled":
            self.rng.shuffle(fresh)
        return fresh, len(fresh) == len(legal)

    def _sort(self, square: int, letters: list[str]) -> None:
        """Sort alphabetical letters into trying order, unless they will be shuffled."""
        match self.values.word("letters"):
            case "frequency":
                letters.sort(key=FREQUENCY.find)
            case "in-place":
                slot, at = self.board.places[square][0]
                words = self.board.slots[slot].words
                if (id(words), at) not in self._frequency:
                    self._frequency[id(words), at] = Counter(word[at] for word in words)
                letters.sort(key=self._frequency[id(words), at].__getitem__)

    def _supply(self, place: BoardPlace) -> Collection[str]:
        squares = self.board.slots[place.slot].squares[: place.at]
        return self._supplies[place.slot].after("".join([self.board.symbols[square] for square in squares]))

    # Backtracking

    def _backtrack(self, failed: int | None, is_local: bool) -> Generator[Event, None, bool]:
        """Backtrack from a square without letters, or from a fill; return False if nothing is left to try."""
        rule = self.values.word("backtrack")
        if not self.is_complete:
            return (yield from self._backtrack_to_targets(failed))
        if rule == "cambon" and failed is not None and is_local:
            latest = max((self._turns[square] for square in self._targets[failed]), default=-1)
            while len(self.stack) > latest + 1:
                yield self.jumped(self.undo())
        return (yield from self.backtrack())

    def _backtrack_to_targets(self, failed: int | None) -> Generator[Event, None, bool]:
        """Apply Emogic's three rules; without targets each step is naive."""
        targets, by_script = set[int](), self.values.word("backtrack") == "emogic-script"
        if failed is not None:
            targets |= self._targets[failed]
        while self.stack:
            choice = self.undo()
            square = choice.square or 0
            is_target = square in targets
            here, there = self.board.positions[square], self.board.positions[failed or 0]
            is_above_and_left = here.row < there.row and here.column < there.column
            if targets and not is_target and not is_above_and_left:
                yield self.jumped(choice)
                continue
            yield self.refuted(choice)
            if choice.left:
                yield self.choose(choice)
                return True
            if is_target:
                targets.remove(square)
            elif by_script:
                failed, targets = square, set(self._targets[square])
            else:
                targets = set()
        return False
