"""The words that a fill draws upon: word lists in layers, with a lowest score and bans."""

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
from xwtui.model.puzzle import HIGHEST_SCORE
from xwtui.text import printable
from xwtui.words.normalise import codes_word, encode, normalise
from xwtui.words.repeats import Roots
from xwtui.words.scales import ORDINARY
from xwtui.words.sharing import Shared
from xwtui.words.sorted_index import ANY, SortedIndex
from xwtui.words.word_list import (
    WordList,
    WordTable,
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
"""What being preferred adds to a word's score in the filler's choice, and what having been used of late takes, if
nothing else is said."""

OWN_SCORES = "own scores"
"""The name of the layer made of the constructor's own scores."""

MOST_CHANGES = 5_000
"""Words by which a lexicon may differ from an earlier one, of which it takes all else as it is."""

_PATTERN = lazy_pattern(rf"[{KNOWN}{ANY}]+")
_SCORES_KEPT = 20_000
"""Words whose scores are remembered: more than those of some puzzles with their candidates."""


@dataclass(frozen=True, eq=False)
class Preferences:
    """Lists to be preferred, and words to be avoided where that is possible; they forbid nothing."""

    preferred: tuple[WordList, ...] = ()
    recent: WordList | None = None
    repeat_cost: int = FAVOUR
    """What having been used of late takes off a word's score, 0 to 100."""

    @property
    def is_empty(self) -> bool:
        return not self.preferred and self.recent is None

    @property
    def fingerprint(self) -> str:
        """Tells preferences apart; empty where there are none."""
        recent = "" if self.recent is None else f"{self.recent.fingerprint} {self.repeat_cost}"
        return (
            "" if self.is_empty else " ".join(["prefer", *(each.fingerprint for each in self.preferred), recent])
        )

    def appeal(self, table: WordTable) -> NDArray[np.uint8]:
        """How dear each word of a table is to the filler: its score, raised or lowered; 0 to 150."""
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
    """A list over all that lies below it. Tables are made when first asked for, and kept.

    What lies below is an object of its own, so that a change in the list on top leaves it as it is made.
    """

    def __init__(self, top: WordList, below: MergedWords | None = None) -> None:
        self._top = top
        self._below = below
        self._tables: dict[int, WordTable] = {}
        self._by_score: dict[int, WordTable] = {}

    def table(self, length: int) -> WordTable:
        """The words of a length in alphabetical order."""
        table = self._tables.get(length)
        if table is None:
            table = self._top.table(length)
            if self._below is not None and len((below := self._below.table(length)).scores):
                table = _over(table, below) if len(table.scores) else below
            self._tables[length] = table
        return table

    def by_score(self, length: int) -> WordTable:
        """The same words by descending score, equal ones alphabetically.

        Where the list itself or what lies below alone has any, these are sorted already.
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
    """Two tables in alphabetical order as one; words of both keep the score of the first."""
    together = frozen_table(
        np.concatenate([own.letters, below.letters]), np.concatenate([own.scores, below.scores])
    )
    keys = row_keys(together.letters)
    order = np.argsort(keys, kind="stable")
    in_order = keys[order]
    is_first = np.concatenate(([True], in_order[1:] != in_order[:-1]))
    return together.take(order[is_first])


_merged: Shared[tuple[int, ...], MergedWords] = Shared()
"""By the ids of the lists from one layer down; what is in use keeps its lists, and so their ids."""


def merged(layers: Sequence[WordList]) -> MergedWords:
    """The layers as one, the first one on top; lexicons whose lower layers are the same share these."""
    found: MergedWords | None = None
    for start in reversed(range(len(layers))):
        top, below = layers[start], found
        found = _merged.get(tuple(map(id, layers[start:])), lambda: MergedWords(top, below))  # noqa: B023
    return found if found is not None else MergedWords(WordList("none", {}))


class _LivingIndex:
    """The sorted index of lexicons that differ in a few words: it is brought to the words of the one that asks.

    Only that which was asked last has its words, some 4 MB of a large list; another has them sorted again.
    """

    _asked_last: ReferenceType[_LivingIndex] | None = None

    def __init__(self) -> None:
        self.changed: set[str] = set()
        """Words that not all of them have alike."""
        self._index: SortedIndex | None = None
        self._asked_by: Lexicon | None = None
        self._lock = Lock()

    def of(self, lexicon: Lexicon) -> SortedIndex:
        last, _LivingIndex._asked_last = _LivingIndex._asked_last, ref(self)
        if last is not None and (other := last()) is not None and other is not self:
            other._index = None
        with self._lock:
            index = self._index
            if index is None:
                index = SortedIndex(lexicon)
            elif self._asked_by is not lexicon:
                index.follow(lexicon, {word: lexicon.usable_score(word) for word in self.changed})
            self._index, self._asked_by = index, lexicon
            return index

    def prepare(self, lexicon: Lexicon) -> None:
        """Sort all words now, while who asks waits."""
        index = self.of(lexicon)
        with self._lock:
            index.prepare()


class Lexicon:
    """The words of several lists; the first list that has a word decides its score.

    Tables are made when first asked for, and kept. A lexicon never changes; other options
    make another lexicon, which shares the lists and, where it can, the tables. One that differs from an
    earlier one in a few words can `take_over` all that was made of the others.
    """

    def __init__(
        self,
        layers: Sequence[WordList],
        minimum_score: int,
        banned: frozenset[str],
        preferences: Preferences = NO_PREFERENCES,
        alphabet: Alphabet = ENGLISH,
    ) -> None:
        """Take layers, the first one first, and normalised bans; `build` checks and normalises."""
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
        """Make a lexicon of layers, the first one first.

        `scores` overrule the layers, and add words that no layer has. Banned words and words
        below `minimum_score` are kept out of the tables; `preferences` keep none out. The lists are of an
        `alphabet`. Raises
        WordListError for a word that cannot be normalised and for a score outside 0 to 100.
        """
        _check_score(minimum_score, "the lowest score")
        own = {normalise(word, alphabet): score for word, score in (scores or {}).items()}
        for word, score in own.items():
            _check_score(score, f"the score of {printable(word, 40)}")
        first = (WordList.from_scores(OWN_SCORES, own),) if own else ()
        never = frozenset(normalise(word, alphabet) for word in banned)
        return cls((*first, *layers), minimum_score, never, preferences, alphabet)

    def with_minimum(self, score: int) -> Lexicon:
        """The same words with another lowest score; raises WordListError for one outside 0 to 100."""
        _check_score(score, "the lowest score")
        changed = self._changed(self.layers, score, self.banned)
        changed._whole_tables = self._whole_tables
        return changed

    def with_repeat_cost(self, cost: int) -> Lexicon:
        """The same words, of which those that were used of late count as so much less, 0 to 100."""
        if self.preferences.recent is None or cost == self.preferences.repeat_cost:
            return self
        changed = self._changed(self.layers, self.minimum_score, self.banned)
        changed.preferences = replace(self.preferences, repeat_cost=cost)
        changed._whole_tables, changed._tables = self._whole_tables, self._tables
        return changed

    def without_bans(self, words: Collection[str]) -> Lexicon:
        """The same words with some bans lifted; tables of lengths that these words do not have are shared."""
        return self._banning(self.banned.difference(words), words)

    def without(self, words: Collection[str]) -> Lexicon:
        """The same words but for some, which are banned as well; tables are shared as in `without_bans`."""
        return self._banning(self.banned.union(words), words) if words else self

    def _banning(self, banned: frozenset[str], touched: Collection[str]) -> Lexicon:
        changed = self._changed(self.layers, self.minimum_score, banned)
        lengths = {len(word) for word in touched}
        kept = {length: table for length, table in dict(self._whole_tables).items() if length not in lengths}
        changed._whole_tables.update(kept)
        return changed

    def take_over(self, before: Lexicon, words: Collection[str]) -> None:
        """Take what was made of a lexicon that differs in some words and not in lowest score, list or alphabet.

        Its tables lose and get these words alone, and so does the sorted index.
        """
        by_length: dict[int, list[str]] = {}
        for word in words:
            by_length.setdefault(len(word), []).append(word)
        for length, table in dict(before._whole_tables).items():
            changed = by_length.get(length, ())
            if not changed:
                self._whole_tables[length] = table
                self._tables[length] = before.table(length)
            elif self.alphabet.letters == ENGLISH.letters:
                self._whole_tables[length] = self._with_changes(table, before, changed)
        self._living_index = before._living_index
        self._living_index.changed.update(words)

    def _with_changes(self, table: WordTable, before: Lexicon, words: Iterable[str]) -> WordTable:
        """The words of a table of an earlier lexicon, with those that have changed as they are in this one."""
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
        """The lengths that allowed words have, shortest first."""
        lengths = sorted({length for layer in self.layers for length in layer.lengths})
        return tuple(length for length in lengths if self._count(length))

    @property
    def longest(self) -> int:
        """The characters of the longest allowed word; 0 if there is none."""
        return max(self.lengths, default=0)

    def table(self, length: int) -> WordTable:
        """The allowed words of a length, by descending score and then alphabetically."""
        table = self._tables.get(length)
        if table is None:
            letters, scores = self.everything(length)
            count = self._count(length)
            table = self._tables[length] = frozen_table(letters[:count], scores[:count])
        return table

    def everything(self, length: int) -> WordTable:
        """All words of a length that are not banned, whatever their score, in the order of `table`.

        So the allowed words come first, row for row as in `table`.
        """
        table = self._whole_tables.get(length)
        if table is None:
            table = self._whole_tables[length] = in_order(self._build_table(length), self.alphabet)
        return table

    def has_words_of(self, other: Lexicon, length: int) -> bool:
        """Whether the words of a length are those that another has laid out, row for row."""
        return length in other._whole_tables and self.everything(length) is other.everything(length)

    def _build_table(self, length: int) -> WordTable:
        table = self._merged.table(length)
        rows = [find_row(table, word) for word in self.banned if len(word) == length]
        banned = [row for row in rows if row is not None]
        if not banned:
            return self._merged.by_score(length)
        return by_score(table.take(np.delete(np.arange(len(table.scores)), banned)))

    def appeals_otherwise(self, other: Lexicon) -> bool:
        """Whether the words of another have other scores to begin from, another order or other preferences."""
        mine, others = (
            (words.minimum_score, words.alphabet, words.preferences.fingerprint) for words in (self, other)
        )
        return mine != others

    def appeal(self, length: int) -> NDArray[np.uint8]:
        """How dear each word of `table(length)` is to the filler: its score, raised or lowered by preference."""
        return self.preferences.appeal(self.table(length))

    def score(self, word: str) -> int | None:
        """The score of a normalised word, banned and low ones too; None if no layer has it."""
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
        """Whether it is listed with the ordinary score at least, banned or not."""
        return (self.score(word) or 0) >= ORDINARY

    @cached_property
    def roots(self) -> Roots:
        """What finds the roots of words, which tell repeats, by all ordinary words."""
        return Roots(self.is_ordinary)

    @property
    def ordinary_words(self) -> Iterator[NDArray[np.uint8]]:
        """The letters of all words with the ordinary score at least, banned ones too, length by length."""
        for length in sorted({length for layer in self.layers for length in layer.lengths}):
            table = self._merged.table(length)
            yield table.letters[table.scores >= ORDINARY]

    def allows(self, word: str) -> bool:
        """Whether a fill may use a normalised word: listed, not banned, and not below the lowest score."""
        return self.usable_score(word) is not None

    def usable_score(self, word: str) -> int | None:
        """The score of a normalised word that a fill may use; None for all others."""
        score = self.score(word)
        is_used = score is not None and score >= self.minimum_score and word not in self.banned
        return score if is_used else None

    @cached_property
    def tags(self) -> tuple[str, ...]:
        return tuple(sorted({tag for layer in self.layers for tag in layer.tag_rows}))

    def tags_of(self, word: str) -> tuple[str, ...]:
        """The tags that any layer gives a normalised word, in alphabetical order."""
        return tuple(sorted({tag for layer in self.layers for tag in layer.tags(word)}))

    def enumerations(self, word: str) -> tuple[AnswerEnumeration, ...]:
        """How the layers write a normalised word that any of them has in several parts, the first layer first."""
        told = dict.fromkeys(each for layer in self.layers for each in layer.enumerations(word))
        return tuple(map(AnswerEnumeration.parse, told))

    def tagged(self, tag: str, length: int) -> NDArray[np.bool_]:
        """Which rows of `table(length)` bear a tag."""
        return self.bearing(tag, self.table(length))

    def bearing(self, tag: str, table: WordTable) -> NDArray[np.bool_]:
        """Which rows of any table of words of one length bear a tag: a word bears those of all layers."""
        length = table.letters.shape[1]
        marked = [
            layer.table(length).letters[rows]
            for layer in self.layers
            if (rows := layer.tag_rows.get(tag, {}).get(length)) is not None
        ]
        return rows_in(table, marked)

    def __len__(self) -> int:
        """The number of allowed words; no table is sorted for that."""
        return sum(map(self._count, {length for layer in self.layers for length in layer.lengths}))

    @cached_property
    def _banned_lengths(self) -> frozenset[int]:
        return frozenset(map(len, self.banned))

    def _count(self, length: int) -> int:
        is_made = length in self._whole_tables or length in self._banned_lengths
        table = self.everything(length) if is_made else self._merged.table(length)
        return int(np.count_nonzero(table.scores >= self.minimum_score))

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the layers and options, in hex: equal ones allow equal words with equal scores and appeal."""
        parts = [layer.fingerprint for layer in self.layers]
        parts += [str(self.minimum_score), *sorted(self.banned), self.preferences.fingerprint]
        parts += [] if self.alphabet == ENGLISH else [str(self.alphabet)]
        return hashlib.blake2b(" ".join(parts).encode(), digest_size=16).hexdigest()

    def matches(self, pattern: str) -> list[str]:
        """The allowed words that fit a pattern, in which `?` is any character, in the order of `table`.

        Raises WordListError for a text that is no pattern.
        """
        return self.table(len(pattern)).take(self._fitting(pattern)).words()

    def best(self, pattern: str) -> Iterator[str]:
        """The same, each spelled when it is asked for: the first is there at once."""
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
        """The look-up of allowed words by how they begin, until another lexicon that shares it asks for it."""
        return self._living_index.of(self)

    def prepare_sorted_index(self) -> None:
        """Let no question to the sorted index wait for words to be sorted."""
        self._living_index.prepare(self)

    def scores(self, length: int) -> Mapping[str, int]:
        """The allowed words of a length with their scores; no table is sorted for that."""
        everything = self._merged.table(length)
        table = everything.take(everything.scores >= self.minimum_score)
        scores = dict(zip(table.words(), table.scores.tolist(), strict=True))
        for word in self.banned:
            scores.pop(word, None)
        return scores

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the lists and options; tables and indexes are made again when asked for."""
        return type(self), (self.layers, self.minimum_score, self.banned, self.preferences, self.alphabet)

    def __repr__(self) -> str:
        names = ", ".join(layer.name for layer in self.layers)
        return f"<Lexicon of {names}; scores from {self.minimum_score}, {len(self.banned)} banned>"


def _check_score(score: int, what: str) -> None:
    if not 0 <= score <= HIGHEST_SCORE:
        raise WordListError(f"scores run from 0 to {HIGHEST_SCORE}; {what} is {score}")
