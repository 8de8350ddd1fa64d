"""Stems of English words: plurals, -ED, -ING and -ER lead back to the word that they are made of.

A word has all words as stems that it may be made of, itself included, so that BAKERS has BAKER and
BAKE; two words share a stem if any of theirs is the same. Spelling alone does not tell BAKE from BAK
in BAKED: where a vocabulary knows one of them, only known ones count. MENUS and TAXIS are plurals
where it knows MENU and TAXI; BONUS and OASIS are none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

SHORTEST = 3
"""Letters of the shortest stem."""
VOWELS = frozenset("AEIOUY")
HISSING = ("S", "X", "Z", "CH", "SH", "O")
"""Ends after which a plural takes -ES."""
NEVER_DOUBLED = frozenset("AEIOUWXYH")
OFTEN_DOUBLE = frozenset("LSFZ")
"""Consonants that may be double before anything is added: FILL, PASS, STUFF, BUZZ."""
RARE_PLURALS = ("IS", "US")
"""Ends of words that are seldom plurals."""


class Stemmer:
    """Finds the stems of words, as letters A-Z, with the help of a vocabulary and of groups of one's own."""

    def __init__(
        self,
        stem_groups: Collection[Collection[str]] = (),
        is_known: Callable[[str], bool] = frozenset[str]().__contains__,
    ) -> None:
        """Take groups of words that count as one stem, and what tells whether a word is known to exist."""
        self._is_known = is_known
        self._groups: dict[str, list[str]] = {}
        for number, group in enumerate(stem_groups, 1):
            for word in group:
                self._groups.setdefault(word, []).append(f"group {number}")

    def stems(self, word: str) -> frozenset[str]:
        """The word, what it may be made of, and the names of the groups that any of these is in."""
        found = {word}
        waiting = [word]
        while waiting:
            bases = self._bases(waiting.pop()) - found
            found |= bases
            waiting += bases
        groups = {group for stem in found for group in self._groups.get(stem, ())}
        return frozenset(found | groups)

    def share_stem(self, first: str, second: str) -> bool:
        """Whether two words have a stem in common."""
        return not self.stems(first).isdisjoint(self.stems(second))

    def _bases(self, word: str) -> set[str]:
        """The words that one ending may have been added to: the known ones, or all if none is known."""
        bases = {base for base in _taken_apart(word) if len(base) >= SHORTEST}
        known = set(filter(self._is_known, bases))
        if word.endswith(RARE_PLURALS) and len(word) > SHORTEST and self._is_known(word[:-1]):
            known.add(word[:-1])
        return known or bases


def _taken_apart(word: str) -> Iterator[str]:
    """What a word may be without its ending, by the rules of spelling."""
    if word.endswith("S") and not word.endswith(("SS", *RARE_PLURALS)):
        yield from _singulars(word)
    for ending in ("ED", "ER", "ING"):
        if word.endswith(ending):
            yield from _before(word.removesuffix(ending), ending)


def _singulars(word: str) -> Iterator[str]:
    yield word[:-1]
    if word.endswith("IES"):
        yield word[:-3] + "Y"
    if word.endswith("VES"):
        yield word[:-3] + "F"
        yield word[:-3] + "FE"
    if word.endswith("ES") and word[:-2].endswith(HISSING):
        yield word[:-2]


def _before(rest: str, ending: str) -> Iterator[str]:
    """What -ED, -ER or -ING was added to, from what stands before it."""
    if VOWELS.isdisjoint(rest):
        return
    if ending == "ING" and rest.endswith("Y"):
        yield rest[:-1] + "IE"
    if ending != "ING" and rest.endswith("I"):
        yield rest[:-1] + "Y"
    if len(rest) > 1 and rest[-1] == rest[-2] and rest[-1] not in NEVER_DOUBLED:
        yield rest[:-1]
        if rest[-1] in OFTEN_DOUBLE:
            yield rest
        return
    yield rest + "E"
    if not _would_double(rest):
        yield rest


def _would_double(word: str) -> bool:
    """Whether a word doubles its last letter before an ending: it has one vowel, and one consonant after it."""
    vowels = [letter in VOWELS for letter in word]
    return word[-1] not in NEVER_DOUBLED and sum(vowels) == 1 and vowels[-2:-1] == [True]
