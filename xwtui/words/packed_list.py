"""Serialization of a word list to bytes, for caches and for sending.

A line of JSON gives the sizes of all parts that follow, and any notes by the writer. Then come each table's
letters and scores, and the rows with tags and enumerations.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from xwtui.lazy import lazy_pattern
from xwtui.words.word_list import TagRows, WordList, WordTable, frozen_table

_ROWS = np.dtype("<i8")
_LINE_END = lazy_pattern(rb"\n")


def pack(words: WordList, notes: Mapping[str, Any] | None = None) -> bytes:
    """Serialize a word list together with notes."""
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
