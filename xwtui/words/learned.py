"""Words learned from published puzzles: how many puzzles have each, by how many authors, in which years.

Bob Copeland, who built his dictionary from ten years of puzzles, wished that it "could rank words by their
commonality in the corpus so that you don't use something hyper-obscure that happened to be in one Saturday puzzle
when the editor was asleep" (his weblog, "More boring crossword stuff").
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from math import log2

from xwtui.dataclasses import dataclass, field
from xwtui.words.normalise import is_word
from xwtui.words.scales import OURS

ONCE = 20
"""The score of a word that one puzzle has."""
A_DOUBLING = 15
"""What twice as many puzzles add: two give 35, four 50, sixteen 80."""
HIGHEST = 90
MOST_OF_ONE = 3
"""Puzzles of one author that count for a word, so that no pet word of one hand scores high."""

SHORTEST, LONGEST = 2, 100
"""Characters of a word that is learned, as word lists have them."""

_HEADING = "# Answers of "


@dataclass(slots=True)
class _WordUses:
    puzzles: int = 0
    authors: Counter[str] = field(default_factory=Counter)
    first: int | None = None
    last: int | None = None

    @property
    def spread(self) -> int:
        """The puzzles that count: a few of each author, and all of which no author is known."""
        return sum(min(count, MOST_OF_ONE) if author else count for author, count in self.authors.items())


class AnswerCounts:
    """The answers of puzzles, each puzzle once, however often it is met and in whatever format."""

    def __init__(self) -> None:
        self.puzzles = 0
        """Different ones."""
        self._seen: set[frozenset[str]] = set()
        self._uses: defaultdict[str, _WordUses] = defaultdict(_WordUses)

    def __len__(self) -> int:
        return len(self._uses)

    def add(self, answers: Collection[str], author: str = "", year: int | None = None) -> bool:
        """Count the answers of a puzzle; returns False, with nothing counted, for one with the same answers.

        What is no word of A-Z and 0-9 is passed over. `author` is empty and `year` None where they are not known.
        """
        words = frozenset(word for word in answers if is_word(word) and SHORTEST <= len(word) <= LONGEST)
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
        """The score of a word that was counted, by its spread: 20 to 90."""
        return min(round(ONCE + A_DOUBLING * log2(self._uses[word].spread)), HIGHEST)

    @staticmethod
    def has_written(beginning: str) -> bool:
        """Whether a text is the beginning of a list made of `lines`."""
        return beginning.startswith(_HEADING)

    def lines(self) -> Iterator[str]:
        """The word list, most used words first; the same puzzles in any order give the same lines."""
        yield f"{_HEADING}{self.puzzles:,} puzzles, counted by `lists learn`."
        yield f"# scores: {OURS}"
        yield "# WORD;SCORE;;puzzles;authors;first year;last year"
        for word, uses in sorted(self._uses.items(), key=lambda item: (-item[1].puzzles, item[0])):
            authors = sum(map(bool, uses.authors))
            years = ";".join("" if year is None else str(year) for year in (uses.first, uses.last))
            yield f"{word};{self.score(word)};;{uses.puzzles};{authors};{years}"
