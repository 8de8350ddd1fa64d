"""Word search by shape: patterns with gaps, letters to contain, anagrams and regular expressions.

Every word is tested, all words of a length at once, on the arrays that the list already has. If a pattern begins
with gaps, this is faster than descending a trie or a sorted index (docs/engine.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from heapq import nsmallest
from time import process_time
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass
from xwtui.errors import WordListError
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model.letters import KNOWN, KNOWN_LETTERS
from xwtui.model.rules.pattern import check_pattern, sure_letters
from xwtui.text import printable
from xwtui.words.expressions import Automaton, PatternTooHardError, expression_tree
from xwtui.words.normalise import NO_CODE, decode

with lazy_imports():
    import regex

    from xwtui.words.lexicon import Lexicon

ONE, MANY = "?", "*"
"""The wildcards for one character and for any number of characters."""

MATCH_SECONDS = 2.0
"""Time limit in seconds for a query's regular expression over all words; a few tenths are typical."""

_LONGEST_PATTERN = 200
_GAPPED = lazy_pattern(rf"[{KNOWN}?*]+")
_NOT_IN_SET = lazy_pattern(r"\[\^(\]?)")
_NEW_LINE = NO_CODE
_DECODED_NEW_LINE = decode(bytes([_NEW_LINE]))

Rows: TypeAlias = NDArray[np.intp]
"""Row indices of a table in ascending order, which means best score first."""


@dataclass(frozen=True)
class WordQuery:
    """What a word must look like; all conditions must hold."""

    gapped: tuple[tuple[str, ...], ...] = ()
    """Patterns with `?` for one character and `*` for any number; at least one of each tuple must match."""
    anagrams: tuple[str, ...] = ()
    """The letters of a word in any order. Each `?` stands for one more letter, and a `*` for any number."""
    matches: tuple[str, ...] = ()
    """Regular expressions for the whole word."""
    shortest: int = 1
    longest: int | None = None
    """Minimum and maximum number of characters; None for no maximum."""

    def __post_init__(self) -> None:
        """Raise WordListError for a malformed pattern or letters, PuzzleError for a bad expression."""
        for pattern in (*(one for choice in self.gapped for one in choice), *self.anagrams):
            if _GAPPED.fullmatch(pattern) is None or len(pattern) > _LONGEST_PATTERN:
                raise WordListError(
                    f"'{printable(pattern, 40)}' is not a pattern; patterns look like C?T*, "
                    "with ? for any letter and * for any number of letters"
                )
        for expression in self.matches:
            check_pattern(expression)

    def takes(self, length: int) -> bool:
        """Whether words of a length may match; expressions are not considered."""
        if length < self.shortest or (self.longest is not None and length > self.longest):
            return False

        def fits(pattern: str) -> bool:
            least = len(pattern) - pattern.count(MANY)
            return length == least or (length > least and MANY in pattern)

        return all(any(map(fits, choice)) for choice in self.gapped) and all(map(fits, self.anagrams))

    def rows(self, letters: NDArray[np.uint8]) -> Rows:
        """Return the matching rows; `letters` holds the words' codes, shape (words, length).

        Raises WordListError if a regular expression takes too long.
        """
        rows: Rows = np.arange(len(letters))
        if not self.takes(letters.shape[1]):
            return rows[:0]
        for keep in self._filters:
            rows = rows[keep(picked(letters, rows))]
        return rows

    @cached_property
    def _filters(self) -> Sequence[Callable[[NDArray[np.uint8]], NDArray[np.bool_]]]:
        """Predicates on arrays of words, fastest first."""
        choices = ("|".join(choice) for choice in self.gapped if any(one.strip(MANY) for one in choice))
        matchers = [_matcher(choice.replace(ONE, ".").replace(MANY, ".*")) for choice in choices]
        for expression in self.matches:
            matcher = _matcher(expression)
            if isinstance(matcher, _Expression):
                matchers += [_matcher(f".*{run}.*") for run in sure_letters(expression)]
            matchers.append(matcher)
        matchers.sort(key=lambda matcher: isinstance(matcher, _Expression))
        return [matcher.fits for matcher in (*matchers, *map(_Anagram, self.anagrams))]


class FoundWord(NamedTuple):
    """A word and its score."""

    word: str
    score: int


class FoundWords(NamedTuple):
    """The best words found."""

    matches: int
    """The total number of matches."""
    words: tuple[FoundWord, ...]


def find_words(lexicon: Lexicon, query: WordQuery, limit: int) -> FoundWords:
    """Return the allowed words that match a query, by descending score and then alphabetically, up to `limit`.

    Raises WordListError if a regular expression takes too long.
    """
    matches = 0
    found: list[FoundWord] = []
    for length in lexicon.lengths:
        if query.takes(length):
            table = lexicon.table(length)
            rows = query.rows(table.letters)
            matches += len(rows)
            first = rows[:limit]
            words, scores = table.take(first).words(), table.scores[first].tolist()
            found += map(FoundWord, words, scores)
    sort_key = lexicon.alphabet.sort_key
    return FoundWords(matches, tuple(nsmallest(limit, found, key=lambda one: (-one.score, sort_key(one.word)))))


def picked(letters: NDArray[np.uint8], rows: Rows) -> NDArray[np.uint8]:
    """Return some rows of a letter array, without a copy if that is all of them."""
    return letters if len(rows) == len(letters) else letters[rows]


class Places(NamedTuple):
    """Occurrences in words of one length, ordered by word and then from left to right."""

    rows: Rows
    starts: Rows


def standing(letters: NDArray[np.uint8], piece: str) -> Places:
    """Return the occurrences of a string of letters and `?` in words; `letters` has shape (words, length)."""
    length = letters.shape[1]
    if length < len(piece):
        return Places(np.empty(0, np.intp), np.empty(0, np.intp))
    codes = letters.reshape(-1)
    room = len(codes) - len(piece) + 1
    stands = np.ones(max(room, 0), np.bool_)
    for offset, character in enumerate(piece):
        if character != ONE:
            stands &= codes[offset : offset + room] == KNOWN_LETTERS.index(character)
    rows, starts = np.divmod(np.flatnonzero(stands), length)
    is_within = starts <= length - len(piece)
    return Places(rows[is_within], starts[is_within])


class _Anagram:
    """A predicate: whether words contain each letter at least as often as given. It does not check lengths."""

    def __init__(self, letters: str) -> None:
        self._counts = Counter(character for character in letters if character not in (ONE, MANY))

    def fits(self, letters: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return a mask of the matching words; `letters` holds their codes, shape (words, length)."""
        columns = np.ascontiguousarray(letters.T)
        fits = np.ones(len(letters), np.bool_)
        for character, times in self._counts.items():
            fits &= (columns == KNOWN_LETTERS.index(character)).sum(axis=0, dtype=np.uint8) >= times
        return fits


def _matcher(expression: str) -> Automaton | _Expression:
    with suppress(PatternTooHardError):
        return Automaton(expression_tree(expression))
    return _Expression(expression)


class _Expression:
    """A predicate for expressions beyond the automaton, which matches all words at once as lines of a text."""

    def __init__(self, pattern: str) -> None:
        self._shown = printable(pattern, 40)
        within_a_line = _NOT_IN_SET.sub(lambda begun: r"[^\n\]" if begun[1] else r"[^\n", pattern)
        self._compiled = regex.compile(f"^(?:{within_a_line})$", regex.MULTILINE)
        self._seconds_left = MATCH_SECONDS

    def fits(self, letters: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return a mask of the matching words; `letters` holds their codes, shape (words, length)."""
        count, length = letters.shape
        fits = np.zeros(count, np.bool_)
        if not count:  # an empty text would count as one empty line
            return fits
        lines = np.full((count, length + 1), _NEW_LINE, np.uint8)
        lines[:, :length] = letters
        text = decode(lines.tobytes()[:-1]).replace(_DECODED_NEW_LINE, "\n")
        begun = process_time()
        try:
            found = [
                match.start() for match in self._compiled.finditer(text, timeout=max(self._seconds_left, 0.0))
            ]
        except TimeoutError:
            raise WordListError(f"the pattern '{self._shown}' takes too long to try on all words") from None
        self._seconds_left -= process_time() - begun
        fits[np.array(found, np.intp) // (length + 1)] = True
        return fits
