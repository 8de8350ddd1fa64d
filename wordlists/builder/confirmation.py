"""Ask of an entry that has its score whether anything but that score speaks for it, and raise or lower it by that.

PROVENANCE.md says what each rule takes, and how many of a sample of it a person found good.
"""

from dataclasses import dataclass

from builder.evidence import UNKNOWN_SIZE, Evidence
from builder.inflection import verb_forms
from builder.misprints import Speller
from builder.segmentation import Word
from builder.spelling import grid_spelling

_GOOD = 50
_UNCONFIRMED, _MISPRINT, _AGAINST_A_PEOPLE = 46, 39, 30
# The best that an entry may have which the other list puts in a class below this: what everybody knows, both like.
_LIKED_CLASS, _HALF_LIKED = 60, 59
# Pasts and -ING forms are below it, too, but for the commonest words of SCOWL: all know QUELL, few like QUELLING.
_COMMONEST_SIZE, _VERB_ENDINGS = 20, ("ed", "ing")
# From where a word that two sources confirm is good.
_GOOD_ENOUGH, _SHORTEST_GOOD_WORD = 47, 6
_MAIN_SPELLINGS, _LARGEST_SIZE = frozenset({"english", "american"}), 70
_AGAINST = "ANTI"
_PAIR = 2


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
    """Knows which entries stand in a dictionary, are torn out of a sentence, or are a letter from a word."""

    def __init__(self, evidence: Evidence) -> None:
        """Take the single words, the phrases as they are listed, and the peoples."""
        self._speller = Speller(evidence)
        self._words = {
            grid_spelling(written)
            for scowl_list in evidence.scowl_lists
            if scowl_list.kind == "words" and scowl_list.spelling in _MAIN_SPELLINGS
            if scowl_list.size <= _LARGEST_SIZE
            for written in scowl_list.words
        }
        self._listed = {grid_spelling(lemma.term) for lemma in evidence.lemmas}
        self._listed.update(map(grid_spelling, evidence.written_in_moby))
        self._lesser_verb_forms = {
            form.upper()
            for lemma in evidence.lemmas
            if lemma.part_of_speech == "verb"
            for form in verb_forms(lemma.term, {})
            if form.endswith(_VERB_ENDINGS) and evidence.sizes.get(form, UNKNOWN_SIZE) > _COMMONEST_SIZE
        }
        self._peoples = {
            grid_spelling(lemma.term)
            for lemma in evidence.lemmas
            if lemma.field == "person" and lemma.term.istitle() and not lemma.is_instance
        }

    def confirmed(self, entry: Entry, score: int) -> int:
        """Return the score, lowered where nothing confirms the entry, and raised where two sources do."""
        highest = self._highest(entry, score)
        if highest is not None:
            return min(score, highest)
        is_half_liked = entry.other_class is not None and entry.other_class < _LIKED_CLASS
        if is_half_liked or entry.word in self._lesser_verb_forms:
            score = min(score, _HALF_LIKED)
        return max(score, _GOOD) if score >= self._good_enough(entry) else score

    def _highest(self, entry: Entry, score: int) -> int | None:
        """Return the most that an entry may have that something speaks against; None for all others."""
        if entry.words[:1] == (_AGAINST,) and entry.words[1:] and entry.words[1] in self._peoples:
            return _AGAINST_A_PEOPLE
        if entry.own is None and len(entry.words) == _PAIR:
            return _UNCONFIRMED
        is_unread = entry.own is None and entry.reading is None
        if is_unread and score < _GOOD and self._speller.is_misprint(entry.word):  # the good ones are mostly names
            return _MISPRINT
        is_inflected_phrase = len(entry.words) > 1 and entry.word not in self._listed
        return _UNCONFIRMED if entry.other_class is None and is_inflected_phrase else None

    def _good_enough(self, entry: Entry) -> int:
        if entry.own is None or entry.other_class is None:
            return _GOOD
        is_word = entry.word in self._words and len(entry.word) >= _SHORTEST_GOOD_WORD
        return _GOOD_ENOUGH if is_word else _GOOD
