"""crossword-composer: a fixed order by overlap, and for each entry a dictionary permuted for its turn.

Source: the README of super7ramp/crossword-composer (a solver in Rust behind a page in the browser).

The solver knows no grid, only lists of square numbers (`abstract_form`, where `solve` takes them from Python and
`read_constraints` from JSON). Before the search it settles two things:

- The order: first the longest word, then always the one with the most squares that words before it share,
  the longest of these first. So it is known which of its squares have a letter when its turn comes.
- An index for each word: from the letters on those squares to all words that have them, "a sort of permuted
  dictionary", in which the known letters come first.

Then it backtracks step by step. It does not look ahead: a word is found missing when its turn comes.

Where the text is silent: given letters count as known from the start. A word is picked in the order of the
scores, or by chance (`pick=shuffled`; "arbitrarily", says the text). A word that stands already is passed over,
unless words may repeat. An entry that its crossings have filled has its turn too, with one word or none.

The method is complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from xwtui.engine.events.event import MOST
from xwtui.strategies.abstract_form import PermutedIndex, greedy_order, permuted_indexes
from xwtui.strategies.options import Option
from xwtui.strategies.word_search import WordSearch


class PermutedIndexes(WordSearch):
    """Entries in a fixed order, by overlap; the words of each out of an index made for its turn."""

    name = "permuted-index"
    summary = "a fixed order by overlap, and for each entry an index by the letters known at its turn"
    source = "crossword-composer"
    options = (Option.choice("pick", ("listed", "shuffled"), "words by score, or by chance"),)
    looks_ahead = False

    @cached_property
    def order(self) -> list[int]:
        """The slots in the order of their turns."""
        slots = [slot.squares for slot in self.board.slots]
        given = self.board.given
        return [slot for slot in greedy_order(slots, given) if not given.keys() >= set(slots[slot])]

    @cached_property
    def _indexes(self) -> list[PermutedIndex]:
        """The index of each turn."""
        slots = self.board.slots
        squares, words = [slot.squares for slot in slots], [slot.words for slot in slots]
        return permuted_indexes(squares, self.order, words, self.board.given)

    @property
    def domain_sizes(self) -> Mapping[str, int]:
        """Unknown: no entry is looked up before its turn."""
        return {}

    def next_slot(self) -> int | None:
        """The slot whose turn it is."""
        turn = len(self.stack)
        self.ranked = [
            (slot, f"turn {place} of {len(self.order)}, by overlap")
            for place, slot in enumerate(self.order[turn : turn + MOST], turn + 1)
        ]
        return self.order[turn] if turn < len(self.order) else None

    def words_for(self, slot: int) -> Iterable[str]:
        """What the index has for the letters that are known."""
        words = self._indexes[len(self.stack)].words(self.board.symbols)
        fresh = [word for word in words if not self.board.is_taken(slot, word)]
        if self.values.word("pick") == "shuffled":
            self.rng.shuffle(fresh)
        return fresh
