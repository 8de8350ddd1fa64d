"""The stems of all words of a list at once, on arrays of letters: what `stems.Stemmer` finds word by word.

Words are rows of codes, shape (words, length), as in `WordTable`; a form of the language is told by the same rules
of spelling as there, so that half a million words take no more than some arrays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.words.normalise import encode
from xwtui.words.stems import HISSING, NEVER_DOUBLED, OFTEN_DOUBLE, RARE_PLURALS, SHORTEST, VOWELS
from xwtui.words.word_list import row_keys

Mask = NDArray[np.bool_]


class SpelledRows(NamedTuple):
    """Spellings of one length, and whose they are."""

    owners: NDArray[np.int32]
    """An identity of a word for each, shape (spellings,)."""
    letters: NDArray[np.uint8]
    """Shape (spellings, length)."""


def stem_pairs(
    groups: Iterable[SpelledRows], stem_groups: Collection[Collection[str]] = ()
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Every word with each of its stems, itself among them, where these words are the ones that are known.

    The words of a stem group have one more in common, with all that share their stem. Words, and numbers of stems
    and groups from 0 up, both (pairs,); a pair may be there several times.
    """
    by_length = {rows.letters.shape[1]: rows for rows in groups if len(rows.owners)}
    known = {length: np.sort(row_keys(rows.letters)) for length, rows in by_length.items()}
    found = {length: [rows] for length, rows in by_length.items()}
    waiting = by_length
    while waiting:
        bases: dict[int, list[SpelledRows]] = {}
        for rows in waiting.values():
            for base in _bases(rows, known):
                bases.setdefault(base.letters.shape[1], []).append(base)
        waiting = {length: _joined(parts) for length, parts in bases.items()}
        for length, rows in waiting.items():
            found.setdefault(length, []).append(rows)
    return _numbered({length: _joined(parts) for length, parts in found.items()}, stem_groups)


def _numbered(
    found: Mapping[int, SpelledRows], stem_groups: Collection[Collection[str]]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    first = len(stem_groups)
    words, keys = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
    for length, rows in found.items():
        spellings, places = np.unique(row_keys(rows.letters), return_inverse=True)
        words.append(rows.owners)
        keys.append((first + places).astype(np.int32))
        for number, group in enumerate(stem_groups):
            named = np.array([encode(word) for word in group if len(word) == length], spellings.dtype)
            words.append(rows.owners[_are_in(spellings, np.sort(named))[places]])
            keys.append(np.full(len(words[-1]), number, np.int32))
        first += len(spellings)
    return np.concatenate(words), np.concatenate(keys)


def _bases(rows: SpelledRows, known: Mapping[int, NDArray[np.bytes_]]) -> Iterator[SpelledRows]:
    """What one ending may have been added to: the known ones of each spelling, or all if none is known."""
    bases = [base for base in _taken_apart(rows.letters) if base.letters.shape[1] >= SHORTEST]
    are_known = [_are_in(row_keys(base.letters), known.get(base.letters.shape[1])) for base in bases]
    has_known = np.zeros(len(rows.owners), np.bool_)
    for base, is_known in zip(bases, are_known, strict=True):
        has_known[base.owners[is_known]] = True
    for base, is_known in zip(bases, are_known, strict=True):
        kept = is_known | ~has_known[base.owners]
        if kept.any():
            yield SpelledRows(rows.owners[base.owners[kept]], base.letters[kept])
    yield from _rare_singulars(rows, known)


def _rare_singulars(rows: SpelledRows, known: Mapping[int, NDArray[np.bytes_]]) -> Iterator[SpelledRows]:
    """What -S was added to where that is seldom, as in MENUS: known ones alone."""
    if rows.letters.shape[1] > SHORTEST:
        for base in _spelled(rows.letters, _end(rows.letters, *RARE_PLURALS), 1):
            is_known = _are_in(row_keys(base.letters), known.get(base.letters.shape[1]))
            yield SpelledRows(rows.owners[base.owners[is_known]], base.letters[is_known])


def _are_in(spellings: NDArray[np.bytes_], known: NDArray[np.bytes_] | None) -> Mask:
    if known is None or not len(known):
        return np.zeros(len(spellings), np.bool_)
    places = np.searchsorted(known, spellings).clip(max=len(known) - 1)
    is_there: Mask = known[places] == spellings
    return is_there


def _taken_apart(letters: NDArray[np.uint8]) -> Iterator[SpelledRows]:
    """What rows may be without their ending, by the rules of spelling; their numbers are the owners."""
    is_plural = _end(letters, "S") & ~_end(letters, "SS", *RARE_PLURALS)
    yield from _spelled(letters, is_plural, 1)
    yield from _spelled(letters, is_plural & _end(letters, "IES"), 3, "Y")
    yield from _spelled(letters, is_plural & _end(letters, "VES"), 3, "F", "FE")
    if letters.shape[1] > 2:
        hisses = _end(letters, "ES") & _end(letters[:, :-2], *HISSING)
        yield from _spelled(letters, is_plural & hisses, 2)
    for ending in ("ED", "ER", "ING"):
        if letters.shape[1] > len(ending):
            yield from _before(letters, ending)


def _before(letters: NDArray[np.uint8], ending: str) -> Iterator[SpelledRows]:
    """What -ED, -ER or -ING was added to."""
    cut, rest = len(ending), letters[:, : -len(ending)]
    vowels = _among(rest, VOWELS)
    has_it = _end(letters, ending) & vowels.any(axis=1)
    last, spelling = ("Y", "IE") if ending == "ING" else ("I", "Y")
    yield from _spelled(letters, has_it & _end(rest, last), cut + 1, spelling)
    may_double = ~_among(rest[:, -1], NEVER_DOUBLED)
    if rest.shape[1] > 1:
        is_double = has_it & may_double & (rest[:, -1] == rest[:, -2])
        would_double = may_double & (vowels.sum(axis=1) == 1) & vowels[:, -2]
    else:
        is_double = would_double = np.zeros(len(letters), np.bool_)
    yield from _spelled(letters, is_double, cut + 1)
    yield from _spelled(letters, is_double & _among(rest[:, -1], OFTEN_DOUBLE), cut)
    yield from _spelled(letters, has_it & ~is_double, cut, "E")
    yield from _spelled(letters, has_it & ~is_double & ~would_double, cut)


def _spelled(letters: NDArray[np.uint8], mask: Mask, cut: int, *added: str) -> Iterator[SpelledRows]:
    """Some of the rows without their last letters, and with others instead."""
    chosen = np.flatnonzero(mask).astype(np.int32)
    if len(chosen):
        kept = letters[chosen, : letters.shape[1] - cut]
        for ending in added or ("",):
            codes = np.frombuffer(encode(ending), np.uint8)
            yield SpelledRows(chosen, np.hstack([kept, np.broadcast_to(codes, (len(chosen), len(codes)))]))


def _end(letters: NDArray[np.uint8], *endings: str) -> Mask:
    """Which rows end in any of some letters."""
    mask = np.zeros(len(letters), np.bool_)
    for ending in endings:
        if len(ending) <= letters.shape[1]:
            codes = np.frombuffer(encode(ending), np.uint8)
            mask |= (letters[:, -len(codes) :] == codes).all(axis=1)
    return mask


def _among(letters: NDArray[np.uint8], chosen: Collection[str]) -> Mask:
    is_chosen = np.zeros(256, np.bool_)
    is_chosen[list(encode("".join(sorted(chosen))))] = True
    return is_chosen[letters]


def _joined(parts: list[SpelledRows]) -> SpelledRows:
    return SpelledRows(*map(np.concatenate, zip(*parts, strict=True)))
