"""Laying the keys of words out in the kernels' array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.propagate.demands import KEY_STARTS, KEYS_HEADER, ROW_STARTS, TABLE_STARTS

if TYPE_CHECKING:
    from xwtui.engine.demands.quotas import WordKeys
    from xwtui.engine.problem.tables import Table


def key_lists(
    word_keys: Sequence[WordKeys], slot_tables: Sequence[Table], tables: Sequence[Table]
) -> NDArray[np.int32]:
    """The lists of keys by row, rows by key and slots by table, as `demand_arrays.py` tells.

    There is a table at least, and `tables` has each one once.
    """
    words, keys = _all_pairs(word_keys)
    table_words = np.concatenate([table.words for table in tables])
    firsts = np.searchsorted(words, table_words)
    counts = np.searchsorted(words, table_words, side="right") - firsts
    row_starts = np.cumsum([0, *counts])
    pair_rows = np.repeat(np.arange(len(table_words)), counts)
    pair_keys = keys[np.arange(len(pair_rows)) - np.repeat(row_starts[:-1] - firsts, counts)]
    key_rows = pair_rows[np.argsort(pair_keys, kind="stable")]
    key_starts = np.cumsum([0, *np.bincount(pair_keys, minlength=int(keys.max(initial=-1)) + 1)])
    numbers = {id(table): number for number, table in enumerate(tables)}
    users = np.array([numbers[id(table)] for table in slot_tables], np.int64)
    table_starts = np.cumsum([0, *np.bincount(users, minlength=len(tables))])
    lists = ((row_starts, pair_keys), (key_starts, key_rows), (table_starts, np.argsort(users, kind="stable")))
    return _join_lists(lists)


def _all_pairs(word_keys: Sequence[WordKeys]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The words and keys of all kinds, each kind with numbers of its own, in the order of the words."""
    offsets = np.cumsum([0, *(int(kind.keys.max(initial=-1)) + 1 for kind in word_keys)])
    words = np.concatenate([kind.words for kind in word_keys])
    keys = np.concatenate([kind.keys + offset for kind, offset in zip(word_keys, offsets, strict=False)])
    order = np.argsort(words, kind="stable")
    return words[order], keys[order].astype(np.int32)


def _join_lists(lists: Sequence[tuple[NDArray[Any], NDArray[Any]]]) -> NDArray[np.int32]:
    """Join lists of starts and items behind a header, with the starts made places in the whole."""
    header = np.zeros(KEYS_HEADER, np.int64)
    parts = [header]
    end = KEYS_HEADER
    for column, (starts, items) in zip((ROW_STARTS, KEY_STARTS, TABLE_STARTS), lists, strict=True):
        header[column] = end
        parts += [starts + end + len(starts), items]
        end += len(starts) + len(items)
    return np.concatenate(parts).astype(np.int32)
