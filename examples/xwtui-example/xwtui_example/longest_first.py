"""A strategy: the longest open entry first, its words by their scores; it goes back one decision at a time."""

from collections.abc import Iterable

from xwtui.strategies.protocol import WordLookUp
from xwtui.strategies.word_search import WordSearch


class LongestFirst(WordSearch):
    """Depth first, and complete: every word that fits is tried in turn."""

    name = "longest-first"
    summary = "the longest open entry takes its best word; dead ends go back one decision"
    source = "an example"
    index = WordLookUp("bitmaps", "the words that fit the letters so far")
    options = ()

    def next_slot(self) -> int | None:
        """The longest entry that is not filled; the first one of these."""
        return max(self.open_slots(), key=lambda slot: len(self.board.slots[slot].squares), default=None)

    def words_for(self, slot: int) -> Iterable[str]:
        """The words that fit and leave each crossing entry one, the best first."""
        words = self.fresh(slot, self.bitmaps.surviving(slot))
        return sorted(words, key=lambda word: -self.board.score(self.board.read(slot, word)))
