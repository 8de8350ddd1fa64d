"""Python Crossword Generator: of the ten most nearly filled entries, the one with the fewest words.

Source: "Crossword Generator", the article about a Python tool with a PyQt5 editor, and its code on GitHub, which
the article links to.

A plain backtracking search that works on a small area and finishes it before it moves on:

- Entries that are nearly filled come first; the top ten of these are sorted again by how many words
  fit, fewest first. "Once I added the top 10 searching, the generator filled a 15x15 grid in 200 nodes
  instead of 150,000!"
- Words that immediately contradict a crossing entry are left out.
- The rest are tried in the order of their scores.

The article does not define how nearly filled an entry is, but the tool's code does: five for each of its letters
plus one for each of its squares (`nearly=letters`). Two other readings are available: the share of squares that
have a letter (`nearly=share`), and the number that have none (`nearly=empty`), the longest first among equals.

Words are looked up in bitmaps, with cached results for thousands of patterns. `lookup=regex` follows the article:
a regular expression over the words of one length, in memory, and "the last 32 searches" cached. Both make the same
search.

The article does not mention repeated words: they are left out, unless repeats are allowed. An entry that its
crossings have filled needs no decision; in the tool it is one more node.

The article's search is deterministic; `ties=shuffled` is ours, to show how much a result depends on the order of
the list.

The method is complete.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache

from xwtui.strategies.bitmaps import Bitmaps, WordBitmaps
from xwtui.strategies.board import EMPTY, Board
from xwtui.strategies.protocol import Option, WordLookUp
from xwtui.strategies.word_search import TIES, WordSearch
from xwtui.text import counted

LETTER_WEIGHT = 5
"""Weight of a letter relative to a square in how nearly filled an entry is."""


LAST_SEARCHES = 32
"""Results that the tool caches."""


class RegexSearches(Bitmaps):
    """The tool's look-up: regular expressions, with a cache of the last results."""

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self._texts = {bitmaps: ",".join(bitmaps.words) for bitmaps in self.of}
        self.search = lru_cache(LAST_SEARCHES)(self._search)
        """Returns the words that match a pattern, from the words of some slots."""

    def fitting(self, slot: int) -> int:
        return self.search(self.of[slot], self._board.pattern(slot))

    def _search(self, words: WordBitmaps, pattern: str) -> int:
        marks = bytearray(b"0") * (len(words.words) or 1)
        for found in re.finditer(pattern.replace(EMPTY, "[^,]"), self._texts[words]):
            marks[-1 - found.start() // (len(pattern) + 1)] = ord("1")
        return int(marks, 2)


class TopTen(WordSearch):
    """Finishes an area before moving on: nearly filled entries first, of ten the one with the fewest words."""

    name = "top-ten"
    summary = "of the ten most nearly filled entries, the one with the fewest fitting words; words by score"
    source = "Python Crossword Generator"
    index = WordLookUp("bitsets, or regular expressions", "the words of a pattern that leave each crossing a word")
    options = (
        Option.number("top", 10, 1, 1000, "how many nearly filled entries are compared by their words"),
        Option.choice(
            "nearly",
            ("letters", "share", "empty"),
            "what nearly filled means: many letters, a large share filled, or few squares empty",
        ),
        Option.choice("lookup", ("bitmaps", "regex"), "how words are looked up; regex keeps the last 32 searches"),
        TIES,
    )

    @cached_property
    def bitmaps(self) -> Bitmaps:
        return (RegexSearches if self.values.word("lookup") == "regex" else Bitmaps)(self.board)

    def next_slot(self) -> int | None:
        """Return, of the most nearly filled entries, the one that the fewest words fit."""
        nearest = sorted(self.open_slots(), key=self._emptiness)[: self.values.number("top")]
        by_words = sorted((self.bitmaps.fitting(slot).bit_count(), slot) for slot in nearest)
        self.ranked = [
            (slot, f"{counted(words, 'word')}, {self._empty_squares(slot)} squares empty")
            for words, slot in by_words
        ]
        return by_words[0][1] if by_words else None

    def words_for(self, slot: int) -> Iterable[str]:
        """Return all words that leave each crossing a word, best score first."""
        return self.fresh(slot, self.bitmaps.surviving(slot))

    def _empty_squares(self, slot: int) -> int:
        return self.board.pattern(slot).count("?")

    def _emptiness(self, slot: int) -> tuple[float, int]:
        """Return a sort key: how far an entry is from being filled, with ties going to the longest."""
        empty, length = self._empty_squares(slot), len(self.board.slots[slot].squares)
        match self.values.word("nearly"):
            case "letters":
                return -(LETTER_WEIGHT * (length - empty) + length), 0
            case "share":
                return empty / length, -length
            case _:
                return empty, -length
