"""Letter by letter with a trie in each direction: Knuth's word rectangles on any block pattern.

Sources: D. E. Knuth, The Art of Computer Programming 7.2.2 (Volume 4B), word rectangles, and his program
BACK-MXN-WORDS-MXN, which fills a matrix cell by cell; Bob Copeland's musing that this is close to crossword
filling, "except that it uses trie data structures to cut down on the number of possible words".

A trie holds the words of an entry by their first letters. Each entry that has begun has a place in its
trie, which moves a step with each letter and back again: no prefix is ever looked up. The letters of a square are
those that lead on in both tries; the shorter list of branches is gone through, the other one asked.
Dead ends go back one letter; every fill is found.

Where the text is silent, for it knows no blocks and no given letters: an entry begins when all squares
before its own in the other direction are filled, wherever blocks put that. Words that contradict given
squares are left out of an entry's trie, so that a given letter bites from the first square on. `order=rows` is
Knuth's order; `order=fewest` takes, of all squares whose turn may come, the one with the fewest
letters, and sees a dead end at any of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator

from xwtui.engine.events.event import Event, EventKind, Rank
from xwtui.strategies.backtracker import Backtracker, OpenChoice
from xwtui.strategies.board import fits
from xwtui.strategies.options import Option
from xwtui.strategies.protocol import WordLookUp
from xwtui.words.trie import TrieNode

_SHOWN_RANKS = 5


class DoubleTrie(Backtracker):
    """Two places in two tries decide on each letter."""

    name = "trie"
    summary = "letter by letter, with a place in a trie for the entry across and one for the entry down"
    source = "Knuth, The Art of Computer Programming 7.2.2, word rectangles; Copeland, On board the rebus"
    index = WordLookUp(
        "tries, one for each direction", "the letters after a beginning, from where the last one led"
    )
    options = (
        Option.choice(
            "order", ("rows", "fewest"), "which square is next: row by row, or that with the fewest letters"
        ),
        Option.choice("letters", ("shuffled", "alphabetical"), "the order in which letters are tried"),
    )
    places_letters = True

    _ranked: tuple[tuple[int, int], ...] = ()

    @property
    def is_complete(self) -> bool:
        """Always: every legal letter is tried."""
        return True

    @property
    def ranking(self) -> tuple[Rank, ...]:
        """The squares whose turn might have come when the last one was chosen, as `order` has it."""
        ranked = self._ranked if self.values.word("order") == "fewest" else self._row_by_row()
        return tuple(Rank(str(self.board.positions[square]), f"{count} letters") for count, square in ranked)

    def _row_by_row(self) -> tuple[tuple[int, int], ...]:
        """The square decided last and those that are ready now, each with its letters."""
        made = [choice for choice in self.stack if choice.square not in self.board.given][-1:]
        found = [(len(choice.left) + 1, choice.square or 0) for choice in made]
        squares = range(len(self.board.positions)) if self.stack else ()
        ready = [one for one in squares if self._is_ready(one) and one not in self.board.given]
        return tuple([*found, *((len(self._letters(one)), one) for one in ready)][:_SHOWN_RANKS])

    def explore(self) -> Iterator[Event]:
        """Take a square and a letter, and go back where there is no letter."""
        self._prepare()
        while True:
            square, letters = self._next_square()
            if square is None:
                yield self.solved()
            elif letters:
                yield self._descend(OpenChoice(None, square, "", deque(letters)))
                continue
            else:
                yield self._dead_end(square)
            if not (yield from self._step_back()):
                return

    def _prepare(self) -> None:
        """Put every entry at the root of its trie."""
        tries: dict[tuple[str, ...], TrieNode] = {}
        self._paths: list[list[TrieNode]] = []
        """For each slot the places in its trie from the root to where it is: one more than it has letters."""
        for number, slot in enumerate(self.board.slots):
            pattern = self.board.pattern(number)
            words = slot.words
            if any(square in self.board.given for square in slot.squares):
                words = tuple(word for word in words if fits(pattern, word))
            if words not in tries:
                tries[words] = TrieNode(sorted(words))
            self._paths.append([tries[words]])

    # Forwards

    def _next_square(self) -> tuple[int | None, list[str]]:
        """The square whose turn it is and the letters to try there; None where the board is full."""
        ready = (square for square in range(len(self.board.positions)) if self._is_ready(square))
        if self.values.word("order") == "rows":
            first = next(ready, None)
            return first, self._in_order(first, self._letters(first)) if first is not None else []
        found = sorted((len(letters), square, letters) for square in ready for letters in [self._letters(square)])
        self._ranked = tuple((count, square) for count, square, _ in found[:_SHOWN_RANKS])
        if not found:
            return None, []
        _, square, letters = found[0]
        return square, self._in_order(square, letters)

    def _is_ready(self, square: int) -> bool:
        """Whether a square is the next one of each of its entries."""
        return all(len(self._paths[slot]) == at + 1 for slot, at in self.board.places[square])

    def _letters(self, square: int) -> list[str]:
        """The letters that lead on in the tries of both entries and repeat no answer."""
        branches = sorted((self._paths[slot][-1].branches for slot, _ in self.board.places[square]), key=len)
        letters = [letter for letter in branches[0] if letter in branches[-1]]
        if square in self.board.given:
            return letters
        return [letter for letter in letters if not self.board.would_repeat(square, letter)]

    def _in_order(self, square: int, letters: list[str]) -> list[str]:
        """The letters in the order to try them."""
        letters.sort()
        if self.values.word("letters") == "shuffled":
            self.rng.shuffle(letters)
        return letters

    def _descend(self, choice: OpenChoice) -> Event:
        """Write the next letter of a choice and take its step in both tries."""
        event = self.choose(choice)
        for slot, _ in self.board.places[choice.square or 0]:
            self._paths[slot].append(self._paths[slot][-1].branches[choice.chosen])
        return event

    def _dead_end(self, square: int) -> Event:
        first, *others = (place.slot for place in self.board.places[square])
        return Event(
            EventKind.WIPE_OUT,
            self.depth,
            slot=self.board.slots[first].name,
            crossing=self.board.positions[square],
            other=self.board.slots[others[0]].name if others else None,
            wanted=tuple(str(self.board.content(letter)) for letter in sorted(self._paths[first][-1].branches)),
        )

    # Backwards

    def _step_back(self) -> Generator[Event, None, bool]:
        """Go back to the last square with letters left; False where there is none."""
        while self.stack:
            choice = self.undo()
            for slot, _ in self.board.places[choice.square or 0]:
                self._paths[slot].pop()
            yield self.refuted(choice)
            if choice.left:
                yield self._descend(choice)
                return True
        return False
