"""The words that a fill draws on: layered word lists with a minimum score and bans."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from threading import Lock
from typing import Any
from weakref import ReferenceType, ref

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, replace
from xwtui.errors import WordListError
from xwtui.lazy import lazy_pattern
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.clues import AnswerEnumeration
from xwtui.model.letters import KNOWN
from xwtui.model.rules.entry_rules import HIGHEST_SCORE
from xwtui.text import printable
from xwtui.words.normalise import codes_word, encode, normalise
from xwtui.words.repeats import Roots
from xwtui.words.scales import ORDINARY
from xwtui.words.sharing import Shared
from xwtui.words.sorted_index import ANY, SortedIndex
from xwtui.words.word_list import (
    WordList,
    WordTable,
    by_length,
    by_score,
    find_row,
    frozen_table,
    in_order,
    row_keys,
    rows_in,
    with_word,
    without_word,
)

FAVOUR = 50
"""Default bonus for preferred words, and default penalty for recently used ones, in the filler's ranking of
words."""

OWN_SCORES = "own scores"
"""The name of the layer made of the puzzle's own scores."""

MOST_CHANGES = 5_000
"""Maximum number of words in which a lexicon may differ from an earlier one to reuse the rest of it."""

_PATTERN = lazy_pattern(rf"[{KNOWN}{ANY}]+")
_SCORES_KEPT = 20_000
"""Size of the cache of word scores: more than a few puzzles with all their candidates need."""


@dataclass(frozen=True, eq=False)
class Preferences:
    """Word lists to prefer, and words to avoid where possible; neither forbids anything."""

    preferred: tuple[WordList, ...] = ()
    recent: WordList | None = None
    repeat_cost: int = FAVOUR
    """Penalty on the score of recently used words, 0 to 100."""

    @property
    def is_empty(self) -> bool:
        return not self.preferred and self.recent is None

    @property
    def fingerprint(self) -> str:
        """A string that distinguishes preferences; empty if there are none."""
        recent = "" if self.recent is None else f"{self.recent.fingerprint} {self.repeat_cost}"
        return (
            "" if self.is_empty else " ".join(["prefer", *(each.fingerprint for each in self.preferred), recent])
        )

    def appeal(self, table: WordTable) -> NDArray[np.uint8]:
        """Return how strongly the filler prefers each word of a table, 0 to 150: its score, raised or lowered."""
        if self.is_empty:
            return table.scores
        length = table.letters.shape[1]
        appeal = table.scores.astype(np.int16)
        appeal[rows_in(table, (each.table(length).letters for each in self.preferred))] += FAVOUR
        if self.recent is not None:
            appeal[rows_in(table, [self.recent.table(length).letters])] -= self.repeat_cost
        return np.maximum(appeal, 0).astype(np.uint8)


NO_PREFERENCES = Preferences()


class MergedWords:
    """A list merged over all lists below it. Tables are built on first use and cached.

    The lower lists form a separate object, so that a change in the top list reuses it.
    """

    def __init__(self, top: WordList, below: MergedWords | None = None) -> None:
        self._top = top
        self._below = below
        self._tables: dict[int, WordTable] = {}
        self._by_score: dict[int, WordTable] = {}
        self.lengths: Sequence[int] = sorted({*top.lengths, *([] if below is None else below.lengths)})

    def table(self, length: int) -> WordTable:
        """Return the words of a length in alphabetical order."""
        table = self._tables.get(length)
        if table is None:
            table = self._top.table(length)
            if self._below is not None and len((below := self._below.table(length)).scores):
                table = _over(table, below) if len(table.scores) else below
            self._tables[length] = table
        return table

    def by_score(self, length: int) -> WordTable:
        """Return the words of a length by descending score, with ties alphabetical.

        If only the top list or only the lower ones have any, their sorted table is reused.
        """
        found = self._by_score.get(length)
        if found is None:
            table = self.table(length)
            if table is self._top.table(length):
                found = self._top.by_score(length)
            elif self._below is not None and table is self._below.table(length):
                found = self._below.by_score(length)
            else:
                found = by_score(table)
            self._by_score[length] = found
        return found


def _over(own: WordTable, below: WordTable) -> WordTable:
    """Merge two alphabetical tables; words in both keep the first one's score."""
    together = frozen_table(
        np.concatenate([own.letters, below.letters]), np.concatenate([own.scores, below.scores])
    )
    _, first = np.unique(row_keys(together.letters), return_index=True)
    return together.take(first)


_merged: Shared[tuple[int, ...], MergedWords] = Shared()
"""By the ids of the lists from one layer down; objects in use keep their lists alive, so the ids stay unique."""


def merged(layers: Sequence[WordList]) -> MergedWords:
    """Return the layers as one list, topmost first; lexicons with the same lower layers share these."""
    found: MergedWords | None = None
    for start in reversed(range(len(layers))):
        top, below = layers[start], found
        found = _merged.get(tuple(map(id, layers[start:])), lambda: MergedWords(top, below))  # noqa: B023
    return found if found is not None else MergedWords(WordList("none", {}))


class _LivingIndex:
    """The sorted index shared by lexicons that differ in few words; it is updated for the lexicon that queries it.

    Only the most recently used index is kept, some 4 MB for a large list; any other is rebuilt on its next use.
    """

    _asked_last: ReferenceType[_LivingIndex] | None = None

    def __init__(self) -> None:
        self.changed: set[str] = set()
        """Words in which the sharing lexicons differ."""
        self._index: SortedIndex | None = None
        self._asked_by: ReferenceType[Lexicon] | None = None
        self._lock = Lock()

    def of(self, lexicon: Lexicon) -> SortedIndex:
        last, _LivingIndex._asked_last = _LivingIndex._asked_last, ref(self)
        if last is not None and (other := last()) is not None and other is not self:
            other._index = None
        with self._lock:
            index = self._index
            if index is None:
                index = SortedIndex(_detached(lexicon))
            elif self._asked_by is None or self._asked_by() is not lexicon:
                scores = {word: lexicon.usable_score(word) for word in self.changed}
                index.follow(_detached(lexicon), scores)
            self._index, self._asked_by = index, ref(lexicon)
            return index

    def prepare(self, lexicon: Lexicon) -> None:
        """Sort all words now, so that later queries do not wait."""
        index = self.of(lexicon)
        with self._lock:
            index.prepare()


def _detached(lexicon: Lexicon) -> Lexicon:
    """Return a copy that its index and roots may hold: a cycle with the lexicon would outlive the last user."""
    words: Lexicon = object.__new__(Lexicon)  # which `copy` would make without its tables
    vars(words).update(vars(lexicon), _living_index=_LivingIndex())
    return words


class Lexicon:
    """The words of several lists; the first list that has a word determines its score.

    Tables are built on first use and cached. A lexicon is immutable; other options need another lexicon, which
    shares the lists and, where possible, the tables. A lexicon that differs from an earlier one in few words can
    reuse everything else by `take_over`.
    """

    def __init__(
        self,
        layers: Sequence[WordList],
        minimum_score: int,
        banned: frozenset[str],
        preferences: Preferences = NO_PREFERENCES,
        alphabet: Alphabet = ENGLISH,
    ) -> None:
        """Take layers, topmost first, and normalized bans; `build` checks and normalizes."""
        self.alphabet = alphabet
        self.layers = tuple(layers)
        self.minimum_score = minimum_score
        self.banned = banned
        self.preferences = preferences
        self._merged = merged(self.layers)
        self._tables: dict[int, WordTable] = {}
        self._scores: dict[str, int | None] = {}
        self._whole_tables: dict[int, WordTable] = {}
        self._living_index = _LivingIndex()

    @classmethod
    def build(
        cls,
        layers: Sequence[WordList],
        *,
        minimum_score: int = 0,
        banned: Collection[str] = (),
        scores: Mapping[str, int] | None = None,
        preferences: Preferences = NO_PREFERENCES,
        alphabet: Alphabet = ENGLISH,
    ) -> Lexicon:
        """Build a lexicon from layers, topmost first.

        `scores` override the layers and add words that no layer has. Banned words and words below `minimum_score`
        are kept out of the tables; `preferences` exclude nothing. The lists must be in `alphabet`. Raises
        WordListError for a word that cannot be normalized and for a score outside 0 to 100.
        """
        _check_score(minimum_score, "the lowest score")
        own = {normalise(word, alphabet): score for word, score in (scores or {}).items()}
        for word, score in own.items():
            _check_score(score, f"the score of {printable(word, 40)}")
        first = (WordList.from_scores(OWN_SCORES, own),) if own else ()
        never = frozenset(normalise(word, alphabet) for word in banned)
        return cls((*first, *layers), minimum_score, never, preferences, alphabet)

    def with_minimum(self, score: int) -> Lexicon:
        """Return a lexicon with another minimum score; raises WordListError outside 0 to 100."""
        _check_score(score, "the lowest score")
        changed = self._changed(self.layers, score, self.banned)
        changed._whole_tables = self._whole_tables
        return changed

    def with_repeat_cost(self, cost: int) -> Lexicon:
        """Return a lexicon with another penalty for recently used words, 0 to 100."""
        if self.preferences.recent is None or cost == self.preferences.repeat_cost:
            return self
        changed = self._changed(self.layers, self.minimum_score, self.banned)
        changed.preferences = replace(self.preferences, repeat_cost=cost)
        changed._whole_tables, changed._tables = self._whole_tables, self._tables
        return changed

    def without_bans(self, words: Collection[str]) -> Lexicon:
        """Return a lexicon with some bans lifted; words that the lists score 0 get their `allowed_score`.

        Tables of lengths that these words do not have are shared.
        """
        own = {word: score for word in words if (score := self.allowed_score(word)) is not None}
        layers = (WordList.from_scores(OWN_SCORES, own), *self.layers) if own else self.layers
        return self._banning(self.banned.difference(words), words, layers)

    def allowed_score(self, word: str) -> int | None:
        """Return the score that a banned word needs to be allowed, if its lists ban it by a score of 0."""
        return max(self.minimum_score, 1) if self.score(word) == 0 else None

    def without(self, words: Collection[str]) -> Lexicon:
        """Return a lexicon in which some more words are banned; tables are shared as in `without_bans`."""
        return self._banning(self.banned.union(words), words, self.layers) if words else self

    def _banning(self, banned: frozenset[str], touched: Collection[str], layers: Sequence[WordList]) -> Lexicon:
        changed = self._changed(layers, self.minimum_score, banned)
        lengths = {len(word) for word in touched}
        kept = {length: table for length, table in dict(self._whole_tables).items() if length not in lengths}
        changed._whole_tables.update(kept)
        return changed

    def take_over(self, before: Lexicon, words: Collection[str]) -> None:
        """Reuse the tables of a lexicon that differs only in these words.

        Minimum score, preferences and alphabet must be equal. Only these words are removed from or added to its
        tables and its sorted index.
        """
        changed_words = by_length(words)
        for length, table in dict(before._whole_tables).items():
            changed = changed_words.get(length)
            if changed is None:
                self._whole_tables[length] = table
                self._tables[length] = before.table(length)
            elif self.alphabet.letters == ENGLISH.letters:
                self._whole_tables[length] = self._with_changes(table, before, changed)
        self._living_index = before._living_index
        self._living_index.changed.update(words)

    def _with_changes(self, table: WordTable, before: Lexicon, words: Iterable[str]) -> WordTable:
        for word in words:
            score = before.score(word)
            if score is not None and word not in before.banned:
                table = without_word(table, word, score)
            score = self.score(word)
            if score is not None and word not in self.banned:
                table = with_word(table, word, score)
        return table

    def _changed(self, layers: Sequence[WordList], minimum_score: int, banned: frozenset[str]) -> Lexicon:
        return type(self)(layers, minimum_score, banned, self.preferences, self.alphabet)

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """The lengths of the allowed words, in ascending order."""
        return tuple(length for length in self._merged.lengths if self._count(length))

    @property
    def longest(self) -> int:
        """The length of the longest allowed word; 0 if there is none."""
        return max(self.lengths, default=0)

    def table(self, length: int) -> WordTable:
        """Return the allowed words of a length, by descending score and then alphabetically."""
        table = self._tables.get(length)
        if table is None:
            letters, scores = self.everything(length)
            count = self._count(length)
            table = self._tables[length] = frozen_table(letters[:count], scores[:count])
        return table

    def everything(self, length: int) -> WordTable:
        """Return all words of a length that are not banned, regardless of score, in the order of `table`.

        The allowed words come first, with the same row numbers as in `table`.
        """
        table = self._whole_tables.get(length)
        if table is None:
            table = self._whole_tables[length] = in_order(self._build_table(length), self.alphabet)
        return table

    def has_words_of(self, other: Lexicon, length: int) -> bool:
        """Whether this lexicon shares the table that another one has built for a length, row for row."""
        return length in other._whole_tables and self.everything(length) is other.everything(length)

    def _build_table(self, length: int) -> WordTable:
        table = self._merged.table(length)
        rows = [find_row(table, word) for word in self.banned if len(word) == length]
        banned = [row for row in rows if row is not None]
        if not banned:
            return self._merged.by_score(length)
        return by_score(table.take(np.delete(np.arange(len(table.scores)), banned)))

    def ranks_differently(self, other: Lexicon) -> bool:
        """Whether another lexicon differs in minimum score, alphabet or preferences."""
        mine, others = (
            (words.minimum_score, words.alphabet, words.preferences.fingerprint) for words in (self, other)
        )
        return mine != others

    def appeal(self, length: int) -> NDArray[np.uint8]:
        """Return how strongly the filler prefers each word of `table(length)`: its score with bonus or penalty."""
        return self.preferences.appeal(self.table(length))

    def score(self, word: str) -> int | None:
        """Return the score of a normalized word, even if banned or low, or None if no layer has it."""
        try:
            return self._scores[word]
        except KeyError:
            scores = (layer.score(word) for layer in self.layers)
            found = next((score for score in scores if score is not None), None)
        if len(self._scores) >= _SCORES_KEPT:
            self._scores.clear()
        self._scores[word] = found
        return found

    def is_ordinary(self, word: str) -> bool:
        """Whether a word is listed with at least the ordinary score, banned or not."""
        return (self.score(word) or 0) >= ORDINARY

    @cached_property
    def roots(self) -> Roots:
        """The finder of word roots, which define repeats, based on all ordinary words."""
        return Roots(_detached(self).is_ordinary)

    @property
    def ordinary_words(self) -> Iterator[NDArray[np.uint8]]:
        """The letters of all words with at least the ordinary score, including banned ones, length by length."""
        for length in self._merged.lengths:
            table = self._merged.table(length)
            yield table.letters[table.scores >= ORDINARY]

    def allows(self, word: str) -> bool:
        """Whether a fill may use a normalized word: it is listed, not banned, and not below the minimum score."""
        return self.usable_score(word) is not None

    def usable_score(self, word: str) -> int | None:
        """Return the score of a normalized word that a fill may use, or None for any other."""
        score = self.score(word)
        is_used = score is not None and score >= self.minimum_score and word not in self.banned
        return score if is_used else None

    @cached_property
    def tags(self) -> tuple[str, ...]:
        return tuple(sorted({tag for layer in self.layers for tag in layer.tag_rows}))

    def tags_of(self, word: str) -> tuple[str, ...]:
        """Return the tags that any layer gives a normalized word, in alphabetical order."""
        return tuple(sorted({tag for layer in self.layers for tag in layer.tags(word)}))

    def enumerations(self, word: str) -> tuple[AnswerEnumeration, ...]:
        """Return the enumerations in which layers write a normalized word in several parts, top layer first."""
        told = dict.fromkeys(each for layer in self.layers for each in layer.enumerations(word))
        return tuple(map(AnswerEnumeration.parse, told))

    def bearing(self, tag: str, table: WordTable) -> NDArray[np.bool_]:
        """Return a mask of the rows of any table of one length that have a tag in any layer."""
        length = table.letters.shape[1]
        marked = [
            layer.table(length).letters[rows]
            for layer in self.layers
            if (rows := layer.tag_rows.get(tag, {}).get(length)) is not None
        ]
        return rows_in(table, marked)

    def __len__(self) -> int:
        """Return the number of allowed words, without sorting any table."""
        return sum(map(self._count, self._merged.lengths))

    @cached_property
    def _banned_lengths(self) -> frozenset[int]:
        return frozenset(map(len, self.banned))

    def _count(self, length: int) -> int:
        is_made = length in self._whole_tables or length in self._banned_lengths
        table = self.everything(length) if is_made else self._merged.table(length)
        return int(np.count_nonzero(table.scores >= self.minimum_score))

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the layers and options in hex: equal ones mean equal words, scores and preferences."""
        parts = [layer.fingerprint for layer in self.layers]
        parts += [str(self.minimum_score), *sorted(self.banned), self.preferences.fingerprint]
        parts += [] if self.alphabet == ENGLISH else [str(self.alphabet)]
        return hashlib.blake2b(" ".join(parts).encode(), digest_size=16).hexdigest()

    def matches(self, pattern: str) -> list[str]:
        """Return the allowed words that fit a pattern, in which `?` is any character, in the order of `table`.

        Raises WordListError for a malformed pattern.
        """
        return self.table(len(pattern)).take(self._fitting(pattern)).words()

    def best(self, pattern: str) -> Iterator[str]:
        """Yield the allowed words that fit a pattern, decoded lazily so that the first is available at once."""
        letters = self.table(len(pattern)).letters
        return (codes_word(letters[row]) for row in self._fitting(pattern).tolist())

    def count(self, pattern: str) -> int:
        return len(self._fitting(pattern))

    def _fitting(self, pattern: str) -> NDArray[np.intp]:
        if _PATTERN.fullmatch(pattern) is None:
            raise WordListError(
                f"'{printable(pattern, 40)}' is not a pattern; patterns look like Q?J, with ? for any letter"
            )
        letters = self.table(len(pattern)).letters
        rows = np.arange(len(letters))
        for at, code in enumerate(encode(pattern)):
            if pattern[at] != ANY and len(rows):
                rows = rows[letters[rows, at] == code]
        return rows

    @property
    def sorted_index(self) -> SortedIndex:
        """The prefix index of the allowed words, valid until another lexicon that shares it queries it."""
        return self._living_index.of(self)

    def prepare_sorted_index(self) -> None:
        """Sort all words of the index now, so that no query waits for it."""
        self._living_index.prepare(self)

    def scores(self, length: int) -> Mapping[str, int]:
        """Return the allowed words of a length with their scores, without sorting any table."""
        everything = self._merged.table(length)
        table = everything.take(everything.scores >= self.minimum_score)
        scores = dict(zip(table.words(), table.scores.tolist(), strict=True))
        for word in self.banned:
            scores.pop(word, None)
        return scores

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the lists and options; tables and indexes are rebuilt on use."""
        return type(self), (self.layers, self.minimum_score, self.banned, self.preferences, self.alphabet)

    def __repr__(self) -> str:
        names = ", ".join(layer.name for layer in self.layers)
        return f"<Lexicon of {names}; scores from {self.minimum_score}, {len(self.banned)} banned>"


def _check_score(score: int, what: str) -> None:
    if not 0 <= score <= HIGHEST_SCORE:
        raise WordListError(f"scores run from 0 to {HIGHEST_SCORE}; {what} is {score}")
