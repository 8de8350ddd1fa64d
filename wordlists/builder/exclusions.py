"""Words that no default list should offer: slurs and obscenities, one whole word a line in `excluded.txt`.

A phrase that holds one of them goes with it, as its source writes it: the spaces tell `fag end` from
a word in which some letters happen to stand side by side.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from builder.inflection import s_form
from builder.spelling import grid_spelling, tokens

LOWERED_SCORE = 30
_MARKS = ("", "~", "*", "-", "+")


@dataclass(frozen=True)
class Exclusions:
    """What was judged, as spelt in the grid."""

    barred: frozenset[str] = frozenset()
    """Left out, alone and in phrases."""
    barred_in_phrases: frozenset[str] = frozenset()
    """Left out in phrases only; the word alone has the score that the other files give it."""
    barred_letters: frozenset[str] = frozenset()
    """Left out wherever these letters stand in a row."""
    lowered: frozenset[str] = frozenset()
    """Sombre, alone and in phrases: at most `LOWERED_SCORE`."""
    kept: frozenset[str] = frozenset()
    """Looked at, and stay: also phrases in which a barred word has an innocent meaning."""

    @cached_property
    def barred_with_plurals(self) -> frozenset[str]:
        """What is left out alone, and the plural of each."""
        plurals = (s_form(word.lower()).upper() for word in self.barred)
        return self.barred.union(plurals) - self.kept

    def bars(self, term: str) -> bool:
        """Whether a term, as its source writes it, is a barred word or holds some as whole words."""
        word = grid_spelling(term)
        spelt = [re.sub(r"[^a-z0-9]", "", token.removesuffix("'s")).upper() for token in tokens(term)]
        return word is not None and self.bars_words(word, spelt)

    def bars_words(self, entry: str, words: Collection[str]) -> bool:
        """Whether an entry is a barred word or one of the words that it is read as is barred."""
        if entry in self.kept:
            return False
        in_phrases = self.barred | self.barred_in_phrases
        if entry in self.barred_with_plurals or any(letters in entry for letters in self.barred_letters):
            return True
        return len(words) > 1 and not in_phrases.isdisjoint(words)

    def lowers_words(self, entry: str, words: Collection[str]) -> bool:
        """Whether an entry is sombre, or one of the words that it is read as."""
        return entry in self.lowered or (entry not in self.kept and not self.lowered.isdisjoint(words))


def read_excluded(path: Path) -> Exclusions:
    """Return what was judged, each word by the mark before it.

    A line is `WORD`, `~WORD` (barred in phrases only), `*WORD` (barred letters), `-WORD` (low) or `+WORD` (kept).
    """
    judged: dict[str, set[str]] = {mark: set() for mark in _MARKS}
    for line in path.read_text("utf-8").splitlines():
        text = line.partition("#")[0].strip()
        mark = text[:1] if text[:1] in judged else ""
        word = grid_spelling(text.removeprefix(mark))
        if word is not None:
            judged[mark].add(word)
    return Exclusions(*(frozenset(judged[mark]) for mark in _MARKS))


def likely_profanities(package: Path) -> frozenset[str]:
    """Return the words that npm's `cuss` rates 2, likely to be meant as an insult, as spelt in the grid."""
    text = (package / "package/index.js").read_text("utf-8")
    rated = re.findall(r"^  '?(.+?)'?: 2,$", text, re.MULTILINE)
    return frozenset(filter(None, map(grid_spelling, rated)))
