"""Words that no default list should offer: slurs and obscenities, one whole word a line in `excluded.txt`.

A phrase that holds one of them goes with it, as its source writes it: the spaces tell `fag end` from
a word in which some letters happen to stand side by side.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from builder.spelling import grid_spelling, tokens


@dataclass(frozen=True)
class Exclusions:
    """What was judged, as spelt in the grid."""

    barred: frozenset[str]
    """Left out, alone and in phrases."""
    barred_in_phrases: frozenset[str]
    """Left out in phrases only; the word alone has the score that the other files give it."""
    kept: frozenset[str]
    """Looked at, and stay: also phrases in which a barred word has an innocent meaning."""

    def bars(self, term: str) -> bool:
        """Whether a term, as its source writes it, is a barred word or holds some as whole words."""
        word = grid_spelling(term)
        if word in self.kept:
            return False
        spelt = [re.sub(r"[^a-z0-9]", "", token.removesuffix("'s")).upper() for token in tokens(term)]
        in_phrases = self.barred | self.barred_in_phrases
        return word in self.barred or (len(spelt) > 1 and not in_phrases.isdisjoint(spelt))


def read_excluded(path: Path) -> Exclusions:
    """Return what was judged: a line is `WORD`, `~WORD` (barred in phrases only) or `+WORD` (kept)."""
    judged: dict[str, set[str]] = {"": set(), "~": set(), "+": set()}
    for line in path.read_text("utf-8").splitlines():
        text = line.partition("#")[0].strip()
        mark = text[:1] if text[:1] in {"~", "+"} else ""
        word = grid_spelling(text.removeprefix(mark))
        if word is not None:
            judged[mark].add(word)
    return Exclusions(*(frozenset(judged[mark]) for mark in ("", "~", "+")))


def likely_profanities(package: Path) -> frozenset[str]:
    """Return the words that npm's `cuss` rates 2, likely to be meant as an insult, as spelt in the grid."""
    text = (package / "package/index.js").read_text("utf-8")
    rated = re.findall(r"^  '?(.+?)'?: 2,$", text, re.MULTILINE)
    return frozenset(filter(None, map(grid_spelling, rated)))
