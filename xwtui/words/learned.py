"""Words learned from published puzzles: how many puzzles use each, by how many authors, in which years.

Bob Copeland, who built his dictionary from ten years of puzzles, wished that it "could rank words by their
commonality in the corpus so that you don't use something hyper-obscure that happened to be in one Saturday puzzle
when the editor was asleep" (his weblog, "More boring crossword stuff").
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from math import log2

from xwtui.dataclasses import dataclass, field
from xwtui.model.letters import are_known
from xwtui.words.scales import OWN_SCALE

ONCE = 20
"""The score of a word used in one puzzle."""
A_DOUBLING = 15
"""Points added when the number of puzzles doubles: two give 35, four 50, sixteen 80."""
HIGHEST = 90
MOST_OF_ONE = 3
"""Maximum number of puzzles by one author that count, so that nobody's pet word scores high."""

SHORTEST, LONGEST = 2, 100
"""Minimum and maximum length of a learned word, as in word lists."""

_HEADING = "# Answers of "


@dataclass(slots=True)
class _WordUses:
    puzzles: int = 0
    authors: Counter[str] = field(default_factory=Counter)
    first: int | None = None
    last: int | None = None

    @property
    def spread(self) -> int:
        """The number of puzzles that count: limited for each known author, unlimited for unknown ones."""
        return sum(min(count, MOST_OF_ONE) if author else count for author, count in self.authors.items())


class AnswerCounts:
    """Answer counts over puzzles; each puzzle counts once, even if it occurs repeatedly or in several formats."""

    def __init__(self) -> None:
        self.puzzles = 0
        """The number of distinct puzzles."""
        self._seen: set[frozenset[str]] = set()
        self._uses: defaultdict[str, _WordUses] = defaultdict(_WordUses)

    def __len__(self) -> int:
        return len(self._uses)

    def add(self, answers: Collection[str], author: str = "", year: int | None = None) -> bool:
        """Count a puzzle's answers.

        Returns False, counting nothing, if a puzzle with the same answers was counted.

        Answers that are not words are ignored. Unknown authors are empty and unknown years None.
        """
        words = frozenset(word for word in answers if are_known(word) and SHORTEST <= len(word) <= LONGEST)
        if words in self._seen:
            return False
        self._seen.add(words)
        self.puzzles += 1
        for word in words:
            uses = self._uses[word]
            uses.puzzles += 1
            uses.authors[" ".join(author.casefold().split())] += 1
            if year is not None:
                uses.first = year if uses.first is None else min(uses.first, year)
                uses.last = year if uses.last is None else max(uses.last, year)
        return True

    def score(self, word: str) -> int:
        """Return the score of a counted word by its spread, 20 to 90."""
        return min(round(ONCE + A_DOUBLING * log2(self._uses[word].spread)), HIGHEST)

    @staticmethod
    def has_written(beginning: str) -> bool:
        """Whether a text is the beginning of a list written by `lines`."""
        return beginning.startswith(_HEADING)

    def lines(self) -> Iterator[str]:
        """Yield the word list, most used words first; the order in which puzzles were added does not matter."""
        yield f"{_HEADING}{self.puzzles:,} puzzles, counted by `lists learn`."
        yield f"# scores: {OWN_SCALE}"
        yield "# WORD;SCORE;;puzzles;authors;first year;last year"
        for word, uses in sorted(self._uses.items(), key=lambda item: (-item[1].puzzles, item[0])):
            authors = sum(map(bool, uses.authors))
            years = ";".join("" if year is None else str(year) for year in (uses.first, uses.last))
            yield f"{word};{self.score(word)};;{uses.puzzles};{authors};{years}"
