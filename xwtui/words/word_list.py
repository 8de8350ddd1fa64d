"""A word list as arrays: one table of letters and scores for each word length."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from xwtui.lazy import lazy_pattern
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.letters import KNOWN_LETTERS
from xwtui.model.rules.entry_rules import HIGHEST_SCORE
from xwtui.words.normalise import decode, encode

TagRows: TypeAlias = Mapping[str, Mapping[int, NDArray[np.int64]]]
"""Sorted row indices of a list's tables, by tag and word length; no empty arrays.

The same type holds enumerations of words that a list writes in several parts, such as `3,5` for ICE CREAM.
"""


class WordTable(NamedTuple):
    """The words of one length with their scores; the arrays are read-only."""

    letters: NDArray[np.uint8]
    """Character codes, shape (words, length), C-contiguous."""
    scores: NDArray[np.uint8]
    """0 to 100, shape (words,)."""

    def words(self) -> list[str]:
        """Return the words as text, in row order."""
        length = self.letters.shape[1]
        text = decode(self.letters.tobytes())
        return [text[start : start + length] for start in range(0, len(text), length)]

    def take(self, rows: NDArray[Any]) -> WordTable:
        """Return the table of the given rows (indices or a mask), in that order."""
        at = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        return frozen_table(self.letters.take(at, axis=0), self.scores.take(at))  # faster than indexing


def frozen_table(letters: NDArray[np.uint8], scores: NDArray[np.uint8]) -> WordTable:
    """Return a table of these arrays, made read-only and contiguous."""
    table = WordTable(np.ascontiguousarray(letters), np.ascontiguousarray(scores))
    for array in table:
        array.flags.writeable = False
    return table


def empty_table(length: int) -> WordTable:
    """Return a table without words."""
    return frozen_table(np.empty((0, length), np.uint8), np.empty(0, np.uint8))


def by_score(table: WordTable) -> WordTable:
    """Return an alphabetical table by descending score, with ties still alphabetical."""
    return table.take(np.argsort(HIGHEST_SCORE - table.scores, kind="stable"))


def _place(table: WordTable, word: str, score: int) -> int:
    """Return the row of a word with this score, or its insertion point, in a table by descending score."""
    falling = HIGHEST_SCORE - table.scores
    first, last = np.searchsorted(falling, [HIGHEST_SCORE - score, HIGHEST_SCORE - score + 1]).tolist()
    keys = row_keys(table.letters[first:last])
    return int(first + np.searchsorted(keys, np.array(encode(word), dtype=keys.dtype)))


def without_word(table: WordTable, word: str, score: int) -> WordTable:
    """Return a table by descending score without a word that it contains with this score."""
    row = _place(table, word, score)
    return frozen_table(np.delete(table.letters, row, axis=0), np.delete(table.scores, row))


def with_word(table: WordTable, word: str, score: int) -> WordTable:
    """Return a table by descending score, with ties alphabetical, with one more word."""
    row = _place(table, word, score)
    letters = np.frombuffer(encode(word), np.uint8)
    return frozen_table(np.insert(table.letters, row, letters, axis=0), np.insert(table.scores, row, score))


def in_order(table: WordTable, alphabet: Alphabet) -> WordTable:
    """Return a table by descending score, with ties in the order of an alphabet."""
    if alphabet.letters == ENGLISH.letters or not len(table.scores):
        return table
    last = len(alphabet.symbols)
    places = np.array([alphabet.symbols.find(letter) % (last + 1) for letter in KNOWN_LETTERS], np.uint8)
    keys = (*places[table.letters].T[::-1], HIGHEST_SCORE - table.scores)
    return table.take(np.lexsort(keys))


def row_keys(letters: NDArray[np.uint8]) -> NDArray[np.bytes_]:
    """Return the rows as byte strings, shape (words,), which sort and compare like the words."""
    count, length = letters.shape
    return np.ascontiguousarray(letters).view(f"S{length}").reshape(count)


def rows_in(table: WordTable, others: Iterable[NDArray[np.uint8]]) -> NDArray[np.bool_]:
    """Return a mask of the table's words that occur in any of the other arrays, each of shape (words, length)."""
    letters = [each for each in others if len(each)]
    if not letters or not len(table.letters):
        return np.zeros(len(table.letters), np.bool_)
    return np.isin(row_keys(table.letters), row_keys(np.concatenate(letters)))


def differing_words(one: WordTable, other: WordTable) -> list[str]:
    """Return the words that only one of two tables of the same length has, or that differ in score."""
    if one is other:
        return []
    with_scores = (np.column_stack([table.letters, table.scores + np.uint8(1)]) for table in (one, other))
    mine, others = map(row_keys, with_scores)
    length = one.letters.shape[1]
    return list({decode(row[:length]) for row in np.setxor1d(mine, others, assume_unique=True).tolist()})


def find_row(table: WordTable, word: str) -> int | None:
    """Return the row of a word in an alphabetical table, or None."""
    wanted = encode(word)
    keys = row_keys(table.letters)
    row = int(np.searchsorted(keys, np.array(wanted, dtype=keys.dtype)))
    return row if row < len(keys) and table.letters[row].tobytes() == wanted else None


class WordList:
    """An immutable word list: words of letters and digits, each with a score from 0 to 100 and optional tags."""

    def __init__(
        self,
        name: str,
        tables: Mapping[int, WordTable],
        tags: TagRows = MappingProxyType({}),
        parted: TagRows = MappingProxyType({}),
    ) -> None:
        """Take tables by word length, each alphabetical and without repeats, and the rows of each tag.

        `parted` maps enumerations to the rows of words that are written in several parts.
        """
        self.name = name
        self.tag_rows = tags
        self.parted_rows = parted
        self._tables = MappingProxyType({length: tables[length] for length in sorted(tables)})
        self._by_score: dict[int, WordTable] = {}

    @classmethod
    def from_scores(
        cls,
        name: str,
        scores: Mapping[str, int],
        tags: Mapping[str, Collection[str]] = MappingProxyType({}),
    ) -> WordList:
        """Build a list of normalized words with their scores; `tags` maps each tag to its words."""
        tables = tables_of(scores)
        return cls(name, tables, tag_rows(tables, tags))

    def sharing(self, other: WordList) -> WordList:
        """Return this list with its tables and tags replaced by the equal ones of another list, to save memory."""
        parted = {
            parts: {length: rows.copy() for length, rows in of.items()} for parts, of in self.parted_rows.items()
        }
        made = WordList(self.name, other._tables, other.tag_rows, parted)
        made._by_score, made.fingerprint = other._by_score, self.fingerprint
        return made

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths of the list's words, in ascending order."""
        return tuple(self._tables)

    def table(self, length: int) -> WordTable:
        """Return the words of a length in alphabetical order; empty if there are none."""
        table = self._tables.get(length)
        return empty_table(length) if table is None else table

    def by_score(self, length: int) -> WordTable:
        """Return the words of a length by descending score, computed once for all lexicons that use the list."""
        table = self._by_score.get(length)
        if table is None:
            table = self._by_score[length] = by_score(self.table(length))
        return table

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the words, scores and tags in hex; the name is not included."""
        digest = hashlib.blake2b(digest_size=16)
        for length, (letters, scores) in self._tables.items():
            digest.update(f"{length} {len(scores)};".encode())
            digest.update(letters.data)
            digest.update(scores.data)
        for tag, tables in self.tag_rows.items():
            for length, rows in tables.items():
                digest.update(f"{tag} {length} {len(rows)};".encode())
                digest.update(rows.data)
        return digest.hexdigest()

    def score(self, word: str) -> int | None:
        """Return the score of a normalized word, or None if the list lacks it."""
        table = self._tables.get(len(word))
        row = None if table is None else find_row(table, word)
        return None if table is None or row is None else int(table.scores[row])

    def tags(self, word: str) -> tuple[str, ...]:
        """Return the tags of a normalized word in alphabetical order."""
        return self._marks(self.tag_rows, word)

    def enumerations(self, word: str) -> tuple[str, ...]:
        """Return the enumerations, such as `3,5`, in which the list writes a normalized word in several parts."""
        return self._marks(self.parted_rows, word) if self.parted_rows else ()

    def _marks(self, marked: TagRows, word: str) -> tuple[str, ...]:
        table = self._tables.get(len(word))
        row = None if table is None else find_row(table, word)
        return tuple(mark for mark, rows in marked.items() if row is not None and row in rows.get(len(word), ()))

    def __len__(self) -> int:
        return sum(len(table.scores) for table in self._tables.values())

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.score(word) is not None

    def __iter__(self) -> Iterator[tuple[str, int]]:
        """Iterate over (word, score), shorter words first, then alphabetically."""
        for table in self._tables.values():
            yield from zip(table.words(), table.scores.tolist(), strict=True)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the tables; unpickling makes the arrays read-only again."""
        return _restored, (self.name, dict(self._tables), dict(self.tag_rows), dict(self.parted_rows))

    def __repr__(self) -> str:
        return f"<WordList {self.name!r}, {len(self):,} words>"


def _restored(name: str, tables: Mapping[int, WordTable], tags: TagRows, parted: TagRows) -> WordList:
    return WordList(name, {length: frozen_table(*table) for length, table in tables.items()}, tags, parted)


def tables_of(scores: Mapping[str, int]) -> dict[int, WordTable]:
    """Return tables by length, in alphabetical order, of words with scores."""
    tables: dict[int, WordTable] = {}
    for length, words in by_length(scores).items():
        letters = np.frombuffer(encode("".join(words)), dtype=np.uint8).reshape(len(words), length)
        word_scores = np.fromiter(map(scores.__getitem__, words), dtype=np.uint8, count=len(words))
        order = np.argsort(row_keys(letters), kind="stable")
        tables[length] = frozen_table(letters[order], word_scores[order])
    return tables


def by_length(words: Iterable[str]) -> Mapping[int, list[str]]:
    """Return the words of each length in their order."""
    found: defaultdict[int, list[str]] = defaultdict(list)
    for word in words:
        found[len(word)].append(word)
    return found


def highest_scores(tables: Sequence[WordTable]) -> WordTable:
    """Merge tables of one length alphabetically; a word in several tables gets its highest score."""
    keys, rows = np.unique(row_keys(np.concatenate([table.letters for table in tables])), return_inverse=True)
    scores = np.zeros(len(keys), np.uint8)
    np.maximum.at(scores, rows, np.concatenate([table.scores for table in tables]))
    return frozen_table(keys.view(np.uint8).reshape(len(keys), -1), scores)


def tag_rows(tables: Mapping[int, WordTable], tags: Mapping[str, Collection[str]]) -> TagRows:
    """Return the rows of each tag's words; words missing from the tables are ignored."""
    found: dict[str, dict[int, NDArray[np.int64]]] = {}
    for tag, words in sorted(tags.items()):
        for length, own in sorted(by_length(words).items()):
            if length in tables:
                letters = np.frombuffer(encode("".join(own)), np.uint8).reshape(-1, length)
                marked = np.flatnonzero(rows_in(tables[length], [letters]))
                if len(marked):
                    marked.flags.writeable = False
                    found.setdefault(tag, {})[length] = marked
    return found


_ROWS = np.dtype("<i8")
_LINE_END = lazy_pattern(rb"\n")


def pack(words: WordList, notes: Mapping[str, Any] | None = None) -> bytes:
    """Serialize a word list together with notes, for caches and for sending.

    A line of JSON gives the sizes of all parts that follow, and the notes. Then come each table's letters and
    scores, and the rows with tags and enumerations.
    """
    tables = {length: words.table(length) for length in words.lengths}
    marks = {"tags": words.tag_rows, "parted": words.parted_rows}
    marked = {kind: [(mark, *rows) for mark, own in marks[kind].items() for rows in own.items()] for kind in marks}
    head = json.dumps(
        {
            "name": words.name,
            "tables": [(length, len(table.scores)) for length, table in tables.items()],
            **{kind: [(mark, length, len(rows)) for mark, length, rows in own] for kind, own in marked.items()},
            **(notes or {}),
        }
    ).encode()
    cells = [array for table in tables.values() for array in table]
    before_rows = len(head) + 1 + sum(array.nbytes for array in cells)
    # pad with spaces so that the integers are aligned
    head += b" " * (-before_rows % _ROWS.itemsize) + b"\n"
    rows = [rows.astype(_ROWS, copy=False) for own in marked.values() for *_, rows in own]
    return b"".join([head, *(np.ascontiguousarray(array).data for array in (*cells, *rows))])


def unpack(data: bytes | memoryview, name: str | None = None) -> tuple[WordList, Mapping[str, Any]]:
    """Deserialize a list, optionally under another name, and its header; the list's arrays are views of the data.

    Raises ValueError, KeyError or TypeError for malformed data.
    """
    end = _LINE_END.search(data)
    if end is None:
        raise ValueError("it has no head")
    head, at = json.loads(bytes(data[: end.end()])), end.end()

    def take(count: int, kind: DTypeLike) -> NDArray[Any]:
        nonlocal at
        if not 0 <= count * np.dtype(kind).itemsize <= len(data) - at:
            raise ValueError("it is too short")
        found = np.frombuffer(data, kind, count, at)
        at += found.nbytes
        return found

    def marked(shapes: Iterable[tuple[str, int, int]]) -> TagRows:
        found: dict[str, dict[int, NDArray[np.int64]]] = {}
        for mark, length, count in shapes:
            rows = np.require(take(count, _ROWS), np.int64, "A")
            rows.flags.writeable = False
            found.setdefault(mark, {})[length] = rows
        return found

    tables: dict[int, WordTable] = {}
    for length, count in head["tables"]:
        letters = take(count * length, np.uint8).reshape(count, length)
        tables[length] = frozen_table(letters, take(count, np.uint8))
    tags, parted = marked(head["tags"]), marked(head.get("parted", ()))
    return WordList(head["name"] if name is None else name, tables, tags, parted), head
