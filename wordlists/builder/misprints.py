"""Find the misprints in what one list alone has: COLLEAGUS and GRULINGLY, a letter from words that scowl knows."""

from collections.abc import Iterator

from builder.evidence import Evidence
from builder.spelling import grid_spelling

_SHORTEST, _LARGEST_SIZE = 7, 70
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Speller:
    """Knows the words that scowl writes in small letters."""

    def __init__(self, evidence: Evidence) -> None:
        """Take the words up to size 70."""
        self._words = {
            grid_spelling(written)
            for scowl_list in evidence.scowl_lists
            if scowl_list.kind == "words" and scowl_list.size <= _LARGEST_SIZE
            for written in scowl_list.words
        }

    def is_misprint(self, entry: str) -> bool:
        """Whether an entry, which is no word, is a word with one letter left out, doubled, added or moved."""
        return len(entry) >= _SHORTEST and any(word in self._words for word in _neighbours(entry))


def _neighbours(entry: str) -> Iterator[str]:
    for place in range(1, len(entry)):
        before, after = entry[:place], entry[place:]
        if len(after) > 1:  # TENACIOUS D and STEINERS are no misprints
            yield before + after[1:]
            yield before + after[1] + after[0] + after[2:]
        for letter in _LETTERS:
            yield before + letter + after
