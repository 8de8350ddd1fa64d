"""The words available to a problem's entries, each with one id regardless of its list."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from threading import Lock, RLock
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import replace
from xwtui.engine.problem.altered_words import EnteredWords, Letters, Words, entered_words
from xwtui.engine.problem.constraints import WordKeys
from xwtui.engine.problem.segmentation import (
    FREE,
    SearchedWords,
    Segments,
    SquareChoice,
    answer_lengths,
    segment,
    unsplit,
)
from xwtui.engine.problem.symbols import plain_symbols
from xwtui.engine.problem.tables import Table, joined_last
from xwtui.engine.problem.task import Task, obeying
from xwtui.model.entering import SlotTreatment
from xwtui.model.letters import DIGITS
from xwtui.model.rules import NO_ENTRY_RULES, EntryRules
from xwtui.model.rules.constraints import AnswerCount
from xwtui.model.rules.entry_rules import HIGHEST_SCORE
from xwtui.words.lexicon import Lexicon
from xwtui.words.normalise import codes_word, word_codes
from xwtui.words.reader import DEFAULT_SCORE
from xwtui.words.word_list import WordTable, row_keys

ROW_BITS = 24
"""A word's id is its length, shifted by this many bits, plus its row in `Lexicon.everything`."""
FIRST_UNLISTED = 127 << ROW_BITS
"""Ids from here on are for words that the puzzle's lexicon lacks or bans."""

_STOCKS_KEPT = 2
_BYTES_KEPT = 10_000_000
"""Memory limit of the cache of derived words and tables, in bytes, for all stocks together.

A puzzle takes 8 million. With twice as much, edits, bans and questions miss 3% less often and are no faster.
"""
_ENTERED_BYTES_KEPT = 72_000_000
"""The same limit for altered entries, found in seconds; one treatment in usual lengths takes 65 million."""


class _WordsKey(NamedTuple):
    """The key for answers of a length or, with a treatment, for entries of that many squares."""

    rules: EntryRules
    length: int
    treatment: SlotTreatment | None = None
    own_word: str = ""

    def is_of(self, lengths: set[int]) -> bool:
        """Whether it is certain to involve only answers of these lengths."""
        return self.treatment is None and self.length in lengths


class _TableKey(NamedTuple):
    """The arguments of `WordStock.table`."""

    choices: tuple[SquareChoice, ...]
    most_new: int
    rules: EntryRules
    treatment: SlotTreatment | None
    columns: tuple[int, ...] | None
    own_word: str

    def is_of(self, lengths: set[int]) -> bool:
        """Whether it is certain to involve only answers of these lengths."""
        return self.treatment is None and lengths.issuperset(answer_lengths(self.choices, self.most_new))


Made = TypeVar("Made", Words, EnteredWords, SearchedWords, Table, WordKeys)
"""The kinds of values that are cached; each knows its size in memory."""


class _Key(NamedTuple):
    """A cache key: the stock that the value was made for, its type, and its parameters."""

    stock: object
    kind: type[object]
    parameters: Any


class _Kept(dict[_Key, Any]):
    """An LRU cache, limited in bytes, of values derived from words, for all stocks; the most recent value is last.

    An `OrderedDict` would look up each value by its key, which takes long to hash.
    """

    def __init__(self, most_bytes: int) -> None:
        super().__init__()
        self.most_bytes = most_bytes
        self._lock = Lock()

    @property
    def bytes(self) -> int:
        """Total size; several stocks may share one value."""
        return sum({id(one): one.bytes for one in self.values()}.values())

    def get_or_make(self, stock: object, kind: type[Made], parameters: Hashable, make: Callable[[], Made]) -> Made:
        """Return the cached value of a type, creating it if it is not cached."""
        key = _Key(stock, kind, parameters)
        with self._lock:
            found: Made | None = self.pop(key, None)
            if found is not None:
                self[key] = found
                return found
        made = make()
        with self._lock:
            self[key] = made
            while len(self) > 1 and self.bytes > self.most_bytes:
                del self[next(iter(self))]
        return made

    def take_over(self, stock: object, before: object, lengths: set[int]) -> None:
        """Copy another stock's values that involve only answers of these lengths to a stock."""
        with self._lock:
            for key, made in list(self.items()):
                if key.stock is before and key.kind is not WordKeys and key.parameters.is_of(lengths):
                    self[key._replace(stock=stock)] = made

    def forget(self, stock: object | None = None) -> None:
        """Drop all values of a stock, or all values."""
        with self._lock:
            for key in [key for key in self if stock in (None, key.stock)]:
                del self[key]


_made = _Kept(_BYTES_KEPT)
_entered = _Kept(_ENTERED_BYTES_KEPT)


class WordStock:
    """The words for entries with and without rules of their own, and the tables made of them. Thread-safe."""

    def __init__(self, lexicon: Lexicon, own_lists: Mapping[str, Lexicon], wanted: Sequence[str] = ()) -> None:
        """Use a lexicon, lists for single entries, and wanted words, which need not be listed."""
        self._lexicon = lexicon
        self._plain = plain_symbols(lexicon.alphabet)
        self._own_lists = own_lists
        self._wanted = [word for word in dict.fromkeys(wanted) if word not in lexicon.banned]
        self.name = object()
        """Key of the stock in the cache; unlike the stock itself, it does not hold the lists in memory."""
        self._free_tables: dict[int, Table] = {}
        self._tables_in_use: WeakValueDictionary[_TableKey, Table] = WeakValueDictionary()
        self._orders: dict[int, NDArray[np.int32]] = {}
        self._unlisted: dict[bytes, int] = {}
        self._lock = Lock()
        self._keys_lock = RLock()

    def take_over(self, before: WordStock) -> None:
        """Take over an earlier stock's results for the lengths whose words are the same in both."""
        if self._own_lists or before._own_lists or before._lexicon.ranks_differently(self._lexicon):
            return
        wanted = {len(word) for word in {*self._wanted} ^ {*before._wanted}}

        mine, others = self._lexicon, before._lexicon
        with before._lock:
            lengths = {*mine.lengths, *others.lengths}.difference(wanted)
            same = {length for length in lengths if mine.has_words_of(others, length)}
            _made.take_over(self.name, before.name, same)
            self._orders = {length: rows for length, rows in before._orders.items() if length in same}
            self._free_tables = {
                length: table for length, table in dict(before._free_tables).items() if length in same
            }
            self._unlisted = dict(before._unlisted)
            self._tables_in_use.update(
                (key, table) for key, table in before._tables_in_use.items() if key.is_of(same)
            )

    def table(
        self,
        choices: tuple[SquareChoice, ...],
        most_new: int,
        rules: EntryRules,
        treatment: SlotTreatment | None = None,
        columns: tuple[int, ...] | None = None,
        own_word: str = "",
    ) -> Table:
        """Return the words that obey an entry's rules, best first, in every segmentation that the squares allow.

        At most `most_new` squares hold a new rebus. With a `treatment`, the table has the altered entries. It has
        one column for each choice, unless some choices are for the same square: then `columns` gives the square of
        each choice. `own_word` is a word that the entry may have whether or not it is listed.
        """
        key = _TableKey(choices, most_new, rules, treatment, columns, own_word)

        def make() -> Table:
            used = self._tables_in_use.get(key)
            return self._build_table(key) if used is None else used

        with self._lock:
            table = self._tables_in_use[key] = _made.get_or_make(self.name, Table, key, make)
            return table

    def free_table(self, length: int) -> Table:
        """Return all words of this many characters, for unrestricted squares; kept while the stock is in use."""
        table = self._free_tables.get(length)
        if table is None:
            table = self._free_tables[length] = self.table((FREE,) * length, 0, NO_ENTRY_RULES)
        return table

    def release(self) -> None:
        """Release the stock's own tables; the shared cache stays, and so do those of a problem in use."""
        self._free_tables = {}

    @property
    def free_tables(self) -> tuple[Table, ...]:
        """All tables from `free_table`. Joined once, they serve every grid whose slots use only these."""
        return tuple(self._free_tables.values())

    def cached_keys(self, key: tuple[object, ...], make: Callable[[], WordKeys]) -> WordKeys:
        """Return the cached word keys for a key, creating them if they are not cached."""
        with self._keys_lock:
            return _made.get_or_make(self.name, WordKeys, key, make)

    def number(self, word: str) -> int:
        """Return the id of a word, listed or not."""
        with self._lock:
            return int(self._numbers(len(word), word_codes(word).reshape(1, -1))[0])

    def counted(self, rule: AnswerCount, words: Words) -> NDArray[np.int32]:
        """Return the ids of those words, all of one length, that a cardinality counts."""
        if rule.tag:
            table = WordTable(words.letters, words.scores)
            lists = (self._lexicon, *self._own_lists.values())
            words = words.take(np.logical_or.reduce([each.bearing(rule.tag, table) for each in lists]))
        if rule.below is not None:
            words = words.take(words.numbers < FIRST_UNLISTED)
            scores = self._lexicon.everything(words.letters.shape[1]).scores
            words = words.take(scores[words.numbers & ((1 << ROW_BITS) - 1)] < rule.below)
        return words.numbers

    def given_word(self, answer: str) -> Words:
        """Return a single word, listed or not; an unlisted one scores 0."""
        letters = word_codes(answer).reshape(1, -1)
        scores = np.array([self._lexicon.score(answer) or 0], np.uint8)
        return Words(letters, np.array([self.number(answer)], np.int32), scores, scores)

    def group(self, uses: Collection[tuple[EntryRules, int]], answers: Collection[str]) -> Words:
        """Return the words of one length that entries with these rules may take, plus some answers, each once."""
        parts = [self.words(rules, length) for rules, length in uses] + list(map(self.given_word, answers))
        whole = Words.joined(parts, parts[0].letters.shape[1])
        return whole.take(np.unique(whole.numbers, return_index=True)[1])

    def words(self, rules: EntryRules, length: int) -> Words:
        """Return the words of a length that an entry with these rules may take."""
        with self._lock:
            return self._rule_words(_WordsKey(rules, length))

    def spellings(self, choices: tuple[SquareChoice, ...], rules: EntryRules) -> Letters:
        """Return the symbols, shape (rows, squares), of the words that obey an entry's rules, as `table` has them.

        Best words first; among words of equal score, shorter ones, and then those that are listed first.
        """
        symbols, scores = [np.zeros((0, len(choices)), np.uint8)], [np.zeros(0, np.int16)]
        with self._lock:
            for found, segments in self._segmented(_TableKey(choices, len(choices), rules, None, None, "")):
                order = np.argsort(segments.rows, kind="stable")
                symbols.append(segments.symbols[order])
                scores.append(found.words.scores[segments.rows[order]].astype(np.int16))
        return np.concatenate(symbols)[np.argsort(-np.concatenate(scores), kind="stable")]

    def _segmented(self, key: _TableKey) -> Iterator[tuple[EnteredWords, Segments]]:
        """Yield the words of each possible length, and all their segmentations."""
        for length in answer_lengths(key.choices, key.most_new):
            of_words = _WordsKey(key.rules, length, key.treatment, key.own_word)
            found = self._entered_words(of_words)
            segments = segment(self._searched(of_words, found.words.letters), key.choices, key.most_new)
            segments = unsplit(segments, key.choices, self._lexicon.alphabet)
            yield found, segments if key.columns is None else _folded(segments, key.columns)

    def _build_table(self, key: _TableKey) -> Table:
        """Build a table; if entries may be altered, with marks for how they are, and with many rows for a word."""
        parts: list[EnteredWords] = []
        for found, segments in self._segmented(key):
            are_all = np.array_equal(segments.rows, np.arange(len(found.marks)))
            taken = found if are_all else found.take(segments.rows)
            lengths = taken.lengths if len(segments.rows) else ()
            parts.append(taken._replace(words=taken.words._replace(letters=segments.symbols), lengths=lengths))
        whole = EnteredWords.joined(parts, len(set(key.columns or range(len(key.choices))))).in_order
        words, is_plain = whole.words, key.treatment is None
        marks = None if is_plain else whole.marks
        table = Table.of_rows(*words[:3], whole.lengths, words.appeals, marks=marks, is_plain=is_plain)
        return replace(table, is_whole=whole.is_whole, has_best_alone=whole.has_best_alone)

    def _entered_words(self, key: _WordsKey) -> EnteredWords:
        """Return the possible entries with as many squares as the key's length: by default, its words."""
        treatment = key.treatment
        if treatment is None:
            words = self._rule_words(key)
            return EnteredWords(words, np.zeros(len(words.scores), np.uint8), (key.length,))

        def make() -> EnteredWords:
            alphabet = word_codes(self._lexicon.alphabet.symbols.removesuffix(DIGITS))
            longest = max(*self._lexicon.lengths, len(key.own_word), 0)

            def answers(length: int) -> Words:
                return self._rule_words(_WordsKey(key.rules, length, own_word=key.own_word))

            return entered_words(treatment, key.length, answers, alphabet, longest)

        return _entered.get_or_make(self.name, EnteredWords, key, make)

    def answers_entered_as(
        self, entered: str, rules: EntryRules, treatment: SlotTreatment
    ) -> Sequence[tuple[str, int, int]]:
        """Return the answers that may be entered as this text, best first, with their marks and appeals."""
        with self._lock:
            key = _WordsKey(rules, len(entered), treatment)
            found, codes = self._entered_words(key), word_codes(entered)
            rows = np.arange(len(found.marks))
            for at, code in enumerate(codes.tolist()):
                rows = rows[found.words.letters[rows, at] == code]
            meant = found.words.take(rows)
            answers = map(self._word, meant.numbers.tolist())
            return list(zip(answers, found.marks[rows].tolist(), meant.appeals.tolist(), strict=True))

    def word(self, number: int) -> str:
        with self._lock:
            return self._word(number)

    def spelled(self, numbers: NDArray[np.int32]) -> list[str]:
        words = np.empty(len(numbers), object)
        lengths = np.where(numbers < FIRST_UNLISTED, numbers >> ROW_BITS, 0)
        for length in np.unique(lengths).tolist():
            at = np.flatnonzero(lengths == length)
            if length:
                table = self._lexicon.everything(length).take(numbers[at] & ((1 << ROW_BITS) - 1))
                words[at] = table.words()
            else:
                words[at] = [self.word(number) for number in numbers[at].tolist()]
        return list(words.tolist())

    def _word(self, number: int) -> str:
        if number >= FIRST_UNLISTED:
            spelled = list(self._unlisted)[number - FIRST_UNLISTED]
            return codes_word(np.frombuffer(spelled, np.uint8))
        length, row = number >> ROW_BITS, number & ((1 << ROW_BITS) - 1)
        return codes_word(self._lexicon.everything(length).letters[row])

    def _searched(self, key: _WordsKey, letters: Letters) -> SearchedWords:
        def make() -> SearchedWords:
            return SearchedWords(self._plain.of_letters(letters))

        return make() if key.treatment else _made.get_or_make(self.name, SearchedWords, key, make)

    def _rule_words(self, key: _WordsKey) -> Words:
        return _made.get_or_make(self.name, Words, key, lambda: self._find_words(key))

    def _find_words(self, key: _WordsKey) -> Words:
        rules, length = key.rules, key.length
        source = self._own_lists[rules.word_list] if rules.word_list else self._lexicon
        listed = _by_score(source, rules.minimum_score, length)
        if rules.word_list:
            numbers = self._numbers(length, listed.letters)
        else:
            numbers = np.arange(length << ROW_BITS, (length << ROW_BITS) + len(listed.scores), dtype=np.int32)
        words = Words(listed.letters, numbers, listed.scores, listed.scores)
        for word in () if rules.word_list else self._wanted:  # needs neither a list nor the puzzle's minimum score
            score = self._lexicon.score(word)
            score = DEFAULT_SCORE if score is None else score
            if len(word) == length and score >= (rules.minimum_score or 0):
                words = self._with(words, word, score)
        if len(key.own_word) == length:
            words = self._with(words, key.own_word, HIGHEST_SCORE)
        foreign = self._plain.foreign(words.letters)
        if foreign is not None:
            words = words.take(~foreign)
        if rules.tests:
            spelled = WordTable(np.ascontiguousarray(words.letters), words.scores).words()
            words = words.take(np.fromiter(obeying(spelled, rules), bool, len(spelled)))
        appeals = self._lexicon.preferences.appeal(WordTable(words.letters, words.scores))
        return words._replace(appeals=appeals)

    def _with(self, words: Words, word: str, score: int) -> Words:
        """Add a word with a score; return the same words if it is among them."""
        letters = word_codes(word).reshape(1, -1)
        number = self._numbers(len(word), letters)
        if number[0] in words.numbers:
            return words
        at = int(np.count_nonzero(words.scores >= score))
        scores = np.insert(words.scores, at, score)
        numbers = np.insert(words.numbers, at, number)
        return Words(np.insert(words.letters, at, letters, axis=0), numbers, scores, scores)

    def _numbers(self, length: int, letters: NDArray[np.uint8]) -> NDArray[np.int32]:
        """Return the ids of words from any list, shape (words, length)."""
        numbers = np.full(len(letters), -1, np.int32)
        keys, wanted = row_keys(self._lexicon.everything(length).letters), row_keys(letters)
        if len(keys):
            in_order = self._in_order(length, keys)
            places = np.minimum(np.searchsorted(keys, wanted, sorter=in_order), len(keys) - 1)
            rows = in_order[places]
            is_listed = keys[rows] == wanted
            numbers[is_listed] = rows[is_listed] + (length << ROW_BITS)
        for row in np.flatnonzero(numbers < 0).tolist():
            spelled = letters[row].tobytes()
            numbers[row] = self._unlisted.setdefault(spelled, FIRST_UNLISTED + len(self._unlisted))
        return numbers

    def _in_order(self, length: int, keys: NDArray[np.bytes_]) -> NDArray[np.int32]:
        """Return the rows of `everything`, sorted alphabetically by key."""
        found = self._orders.get(length)
        if found is None:
            found = self._orders[length] = np.argsort(keys, kind="stable").astype(np.int32)
        return found


def _by_score(source: Lexicon, minimum_score: int | None, length: int) -> WordTable:
    """Return the words of a list from a score up; by default from the list's own minimum."""
    if minimum_score is None:
        return source.table(length)
    everything = source.everything(length)
    count = int(np.count_nonzero(everything.scores >= minimum_score))
    return WordTable(everything.letters[:count], everything.scores[:count])


def _folded(segments: Segments, columns: Sequence[int]) -> Segments:
    """Keep segmentations that agree where two places, by `columns`, read one square; each square once."""
    first = [columns.index(column) for column in range(max(columns) + 1)]
    squares = segments.symbols[:, first]
    kept = (segments.symbols == squares[:, list(columns)]).all(axis=1)
    return Segments(segments.rows[kept], squares[kept])


_kept: OrderedDict[tuple[object, ...], WordStock] = OrderedDict()
_lock = Lock()


def stock_of(task: Task) -> WordStock:
    """Return the stock for a task's lists."""
    return word_stock_of(task.lexicon, task.own_lists, task.rules.wanted)


def word_stock_of(lexicon: Lexicon, own_lists: Mapping[str, Lexicon], wanted: Sequence[str]) -> WordStock:
    """Return the stock for some lists; the few most recently used ones are cached."""
    lists = tuple((name, words.fingerprint) for name, words in sorted(own_lists.items()))
    key = (lexicon.fingerprint, lists, tuple(wanted))
    with _lock:
        stock = _kept.pop(key, None)
        if stock is None:
            stock = WordStock(lexicon, dict(own_lists), wanted)
            for newest in list(_kept.values())[-1:]:
                stock.take_over(newest)
            forget_entered()
        for other in _kept.values():
            other.release()
        _kept[key] = stock
        while len(_kept) > _STOCKS_KEPT:
            _, gone = _kept.popitem(last=False)
            _made.forget(gone.name)
        return stock


def release_tables(lexicon: Lexicon) -> None:
    """Release what a search over many grids has made, now that it is over, except what problems in use hold.

    The caches keep only what belongs to this lexicon; the search may have used others, without some of its words.
    """
    with _lock:
        for key, stock in list(_kept.items()):
            stock.release()
            if stock._lexicon is not lexicon:
                _made.forget(_kept.pop(key).name)
    joined_last.clear()


def forget_entered() -> None:
    """Drop all cached altered entries, because no puzzle currently needs them."""
    _entered.forget()


def forget() -> None:
    """Drop all stocks and caches, so that the next measurement starts cold."""
    with _lock:
        _kept.clear()
    _made.forget()
    _entered.forget()
