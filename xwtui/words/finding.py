"""Words found by what they look like: with gaps, by letters within, by anagram, by a regular expression.

Every word of a list is looked at, all words of a length at a time, on the arrays that the list has anyway: that is
sooner done than going through a trie or a sorted index, wherever gaps come first (docs/engine.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from heapq import nsmallest
from time import process_time
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass
from xwtui.errors import WordListError
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.letters import KNOWN, KNOWN_LETTERS
from xwtui.model.rules.pattern import check_pattern, sure_letters
from xwtui.named_tuples import NamedTuple
from xwtui.text import printable
from xwtui.words.expressions import Automaton, Lengths, PatternTooHardError, expression_tree, lengths
from xwtui.words.normalise import NO_CODE, decode, encode

with lazy_imports():
    import regex

    from xwtui.words.lexicon import Lexicon

ONE, MANY = "?", "*"
"""The signs of any character, and of any number of them."""

MATCH_SECONDS = 2.0
"""What the regular expression of a query may take for all words; some tenths of a second as a rule."""

_LONGEST_PATTERN = 200
_GAPPED = lazy_pattern(rf"[{KNOWN}?*]+")
_NOT_IN_SET = lazy_pattern(r"\[\^(\]?)")
_NEW_LINE = NO_CODE
_DECODED_NEW_LINE = decode(bytes([_NEW_LINE]))

Rows: TypeAlias = NDArray[np.intp]
"""Which words of a table are meant, in ascending order, and so best score first."""


@dataclass(frozen=True)
class WordQuery:
    """What a word must look like; everything that is said must hold."""

    gapped: tuple[tuple[str, ...], ...] = ()
    """Patterns with `?` for one character and `*` for any number; one at least of each tuple must fit."""
    anagrams: tuple[str, ...] = ()
    """The letters that a word has, in any order; each `?` is one more, and with a `*` there may be any more."""
    matches: tuple[str, ...] = ()
    """Regular expressions for the whole word."""
    shortest: int = 1
    longest: int | None = None
    """Characters that it has, at least and at most."""

    def __post_init__(self) -> None:
        """Raise WordListError for a pattern or letters that cannot be, PuzzleError for a bad expression."""
        for pattern in (*(one for choice in self.gapped for one in choice), *self.anagrams):
            if _GAPPED.fullmatch(pattern) is None or len(pattern) > _LONGEST_PATTERN:
                raise WordListError(
                    f"'{printable(pattern, 40)}' is not a pattern; patterns look like C?T*, "
                    "with ? for any letter and * for any number of letters"
                )
        for expression in self.matches:
            check_pattern(expression)

    def takes(self, length: int) -> bool:
        if length < self.shortest or (self.longest is not None and length > self.longest):
            return False

        def fits(pattern: str) -> bool:
            least = len(pattern) - pattern.count(MANY)
            return length == least or (length > least and MANY in pattern)

        return (
            all(any(map(fits, choice)) for choice in self.gapped)
            and all(map(fits, self.anagrams))
            and all(one.least <= length <= one.most for one in self._match_lengths)
        )

    def rows(self, letters: NDArray[np.uint8]) -> Rows:
        """The words of a table that are looked for; `letters` has their codes, shape (words, length).

        Raises WordListError where the regular expression takes too long.
        """
        rows: Rows = np.arange(len(letters))
        if not self.takes(letters.shape[1]):
            return rows[:0]
        for keep in self._filters:
            rows = rows[keep(picked(letters, rows))]
        return rows

    @cached_property
    def _match_lengths(self) -> Sequence[Lengths]:
        """What lengths the expressions allow, of those that tell."""
        told: list[Lengths] = []
        for expression in self.matches:
            with suppress(PatternTooHardError):
                told.append(lengths(expression_tree(expression)))
        return told

    @cached_property
    def _filters(self) -> Sequence[Callable[[NDArray[np.uint8]], NDArray[np.bool_]]]:
        """What tells which words of a table fit, the quickest first."""
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

    @property
    def order(self) -> tuple[int, bytes]:
        """What sorts words: by descending score, then alphabetically, digits last."""
        return -self.score, encode(self.word)


class FoundWords(NamedTuple):
    """The best of the words that were looked for."""

    matches: int
    """How many there are in all."""
    words: tuple[FoundWord, ...]


def find_words(lexicon: Lexicon, query: WordQuery, limit: int) -> FoundWords:
    """The allowed words that a query asks for, by descending score and then alphabetically, `limit` at most.

    Raises WordListError where a regular expression takes too long.
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
    return FoundWords(matches, tuple(best_first(found, limit, lexicon.alphabet)))


def best_first(words: Iterable[FoundWord], limit: int, alphabet: Alphabet = ENGLISH) -> list[FoundWord]:
    """The best of some words, in order: by descending score, then as the alphabet has them."""
    if alphabet == ENGLISH:
        return nsmallest(limit, words, key=lambda one: one.order)
    return nsmallest(limit, words, key=lambda one: (-one.score, alphabet.sort_key(one.word)))


def picked(letters: NDArray[np.uint8], rows: Rows) -> NDArray[np.uint8]:
    """Some rows of a table's letters, without a copy where that is all of them."""
    return letters if len(rows) == len(letters) else letters[rows]


class Places(NamedTuple):
    """Where letters stand in words of one length, word by word and from the left."""

    rows: Rows
    starts: Rows


def standing(letters: NDArray[np.uint8], piece: str) -> Places:
    """Where a piece of letters and `?` stands in words whose codes are `letters`, shape (words, length)."""
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
    """Whether words have some letters, each as often at least; their length is seen to already."""

    def __init__(self, letters: str) -> None:
        self._counts = Counter(character for character in letters if character not in (ONE, MANY))

    def fits(self, letters: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Which words have them; `letters` has their codes, shape (words, length)."""
        columns = np.ascontiguousarray(letters.T)
        fits = np.ones(len(letters), np.bool_)
        for character, times in self._counts.items():
            fits &= (columns == KNOWN_LETTERS.index(character)).sum(axis=0, dtype=np.uint8) >= times
        return fits


def _matcher(expression: str) -> Automaton | _Expression:
    """What tells which words match a regular expression, the quickest that can."""
    with suppress(PatternTooHardError):
        return Automaton(expression_tree(expression))
    return _Expression(expression)


class _Expression:
    """Whether words match a regular expression that no automaton tells, all of them tried in one go, as lines."""

    def __init__(self, pattern: str) -> None:
        self._shown = printable(pattern, 40)
        within_a_line = _NOT_IN_SET.sub(lambda begun: r"[^\n\]" if begun[1] else r"[^\n", pattern)
        self._compiled = regex.compile(f"^(?:{within_a_line})$", regex.MULTILINE)
        self._seconds_left = MATCH_SECONDS

    def fits(self, letters: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Which words match; `letters` has their codes, shape (words, length)."""
        count, length = letters.shape
        fits = np.zeros(count, np.bool_)
        if not count:  # no lines, where a text of nothing would be an empty one
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
