"""Ask of an entry that has its score whether anything but that score speaks for it, and raise or lower it by that.

PROVENANCE.md says what each rule takes, and how many of a sample of it a person found good.
"""

from dataclasses import dataclass

from builder.evidence import Evidence
from builder.misprints import Speller
from builder.segmentation import Word
from builder.spelling import grid_spelling
from builder.web import Web, is_torn, stands_alone

_GOOD = 50
# Two words that the Collaborative Word List alone has, and nobody is known to write side by side, want one of its
# better classes, or a length at which its middling ones are mostly good.
_BEST_CLASSES, _MIDDLING_CLASSES, _SHORTEST_MIDDLING = range(80, 101), range(51, 75), 9
_UNCONFIRMED, _MISPRINT, _AGAINST_A_PEOPLE = 46, 36, 30
# From where an entry that two sources confirm is good.
_GOOD_WORD, _GOOD_PAIR, _SHORTEST_GOOD_WORD = 47, 48, 6
_MAIN_SPELLINGS, _LARGEST_SIZE = frozenset({"english", "american"}), 70
_AGAINST = "ANTI"


@dataclass(frozen=True)
class Entry:
    """An entry with our own score, the other list's class, and the words it is read as."""

    word: str
    own: int | None
    other_class: int | None
    reading: tuple[Word, ...] | None

    @property
    def words(self) -> tuple[str, ...]:
        """The words it is read as."""
        return tuple(word.spelling for word in self.reading or ())


class Confirmation:
    """Knows which entries stand in a dictionary, are written side by side, or are a letter from a word."""

    def __init__(self, evidence: Evidence, web: Web) -> None:
        """Take the single words, the phrases as they are listed, the peoples, and what the web writes."""
        self._web, self._speller = web, Speller(evidence)
        self._words = {
            grid_spelling(written)
            for scowl_list in evidence.scowl_lists
            if scowl_list.kind == "words" and scowl_list.spelling in _MAIN_SPELLINGS
            if scowl_list.size <= _LARGEST_SIZE
            for written in scowl_list.words
        }
        self._listed = {grid_spelling(lemma.term) for lemma in evidence.lemmas}
        self._listed.update(map(grid_spelling, evidence.written_in_moby))
        self._peoples = {
            grid_spelling(lemma.term)
            for lemma in evidence.lemmas
            if lemma.field == "person" and lemma.term.istitle() and not lemma.is_instance
        }

    def confirmed(self, entry: Entry, score: int) -> int:
        """Return the score, lowered where nothing confirms the entry, and raised where two sources do."""
        highest = self._highest(entry)
        if highest is not None:
            return min(score, highest)
        return max(score, _GOOD) if score >= self._good_enough(entry) else score

    def _highest(self, entry: Entry) -> int | None:
        """Return the most that an entry may have that something speaks against; None for all others."""
        if entry.words[:1] == (_AGAINST,) and entry.words[1:] and entry.words[1] in self._peoples:
            return _AGAINST_A_PEOPLE
        if entry.own is None and is_torn(entry.reading):
            return _UNCONFIRMED
        if entry.own is None and not self._web.knows(entry.word):
            if entry.reading is None and self._speller.is_misprint(entry.word):
                return _MISPRINT
            if self._is_stranger(entry):
                return _UNCONFIRMED
        is_inflected_phrase = len(entry.words) > 1 and entry.word not in self._listed
        return _UNCONFIRMED if entry.other_class is None and is_inflected_phrase else None

    @staticmethod
    def _is_stranger(entry: Entry) -> bool:
        """Whether it is two words that the other list has in one of its worse classes, or short ones."""
        if len(entry.words) != 2 or entry.other_class in _BEST_CLASSES:
            return False
        return entry.other_class not in _MIDDLING_CLASSES or len(entry.word) < _SHORTEST_MIDDLING

    def _good_enough(self, entry: Entry) -> int:
        if entry.other_class is None:
            return _GOOD
        if entry.word in self._web.pairs and stands_alone(entry.reading):
            return _GOOD_PAIR
        is_word = entry.own is not None and entry.word in self._words and len(entry.word) >= _SHORTEST_GOOD_WORD
        return _GOOD_WORD if is_word else _GOOD
