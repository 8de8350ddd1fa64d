"""Find the words in an entry that a source writes without spaces: RESTSONONESOARS is rests on ones oars.

A word costs the more the rarer it is, and the cheapest reading counts. How rare a word is WordNet's glosses tell,
and scowl's size where it stands in none of them.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from builder.evidence import Evidence
from builder.spelling import grid_spelling

# How often a word of a size is taken to stand in the glosses, over the times that it does.
_SIZE_COUNTS = {10: 8.0, 20: 6.0, 35: 3.0, 40: 1.5, 50: 0.8, 55: 0.5, 60: 0.3, 70: 0.08, 80: 0.02}

_LONGEST_WORD, _SHORT = 16, 2
_NAME_SHARE = 0.5
_RARE_SIZE = 70
_LETTER_COUNT = 2000.0
_BARRED_COUNT = 20.0


@dataclass(frozen=True)
class Word:
    """A word of a reading, as it stands in the grid, with scowl's size and what it costs."""

    spelling: str
    size: int
    cost: float


class Segmenter:
    """Reads entries by the words of scowl, and by those that are barred."""

    def __init__(self, evidence: Evidence, barred: Iterable[str]) -> None:
        """Take the words of scowl up to size 70, without abbreviations."""
        running = max(1, sum(count for term, count in evidence.glosses.items() if " " not in term))
        self._words: dict[str, Word] = {}
        for scowl_list in evidence.scowl_lists:
            if scowl_list.kind != "abbreviations" and scowl_list.size <= _RARE_SIZE:
                for written in scowl_list.words:
                    share = _NAME_SHARE if written[:1].isupper() else 1.0
                    count = evidence.glosses.get(written.lower(), 0) + share * _SIZE_COUNTS[scowl_list.size]
                    self._add(grid_spelling(written), scowl_list.size, count / running)
        for letter in ("A", "I"):
            self._words[letter] = Word(letter, 10, -math.log(_LETTER_COUNT / running))
        for word in barred:
            self._add(word, _RARE_SIZE, _BARRED_COUNT / running)

    def _add(self, word: str | None, size: int, share: float) -> None:
        if word is None or (len(word) <= _SHORT and size > min(_SIZE_COUNTS)):
            return
        cost = -math.log(share)
        known = self._words.get(word)
        if known is None or cost < known.cost:
            self._words[word] = Word(word, size, cost)

    def read(self, entry: str) -> tuple[Word, ...] | None:
        """Return the cheapest reading of an entry; None where it is no row of known words."""
        costs = [0.0] + [math.inf] * len(entry)
        last: list[Word | None] = [None] * (len(entry) + 1)
        for end in range(1, len(entry) + 1):
            for start in range(max(0, end - _LONGEST_WORD), end):
                if costs[start] < math.inf:
                    word = self._words.get(entry[start:end])
                    if word is not None and costs[start] + word.cost < costs[end]:
                        costs[end], last[end] = costs[start] + word.cost, word
        return _backwards(last) if costs[-1] < math.inf else None


def _backwards(last: list[Word | None]) -> tuple[Word, ...]:
    reading: list[Word] = []
    end = len(last) - 1
    while (word := last[end]) is not None:
        reading.append(word)
        end -= len(word.spelling)
    return tuple(reversed(reading))
