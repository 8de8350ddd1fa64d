"""The vectorized form of `repeats.Roots`: the roots of all words of a list, on arrays of letters.

Words are rows of codes, shape (words, length), as in `WordTable`. The rules are those of `repeats`, so that half a
million words need only a few arrays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.words import repeats
from xwtui.words.normalise import encode
from xwtui.words.word_list import row_keys

Mask = NDArray[np.bool_]


class SpelledRows(NamedTuple):
    """Spellings of one length and the words that they belong to."""

    owners: NDArray[np.int32]
    """The identity of a word for each spelling, shape (spellings,)."""
    letters: NDArray[np.uint8]
    """Shape (spellings, length)."""

    def chosen(self, rows: NDArray[np.integer] | Mask) -> SpelledRows:
        return SpelledRows(self.owners[rows], self.letters[rows])


class KnownWords:
    """The spellings that are words, for testing many rows at once."""

    def __init__(self, letters: Iterable[NDArray[np.uint8]], never: Collection[str] = ()) -> None:
        """Take the rows of each length, except the words in `never`."""
        self._keys = {rows.shape[1]: np.sort(row_keys(rows)) for rows in letters if len(rows)}
        for length in {len(word) for word in never} & self._keys.keys():
            is_never = _is_any(self._keys[length], never)
            self._keys[length] = self._keys[length][~is_never]

    def have(self, letters: NDArray[np.uint8]) -> Mask:
        return _are_in(row_keys(letters), self._keys.get(letters.shape[1]))

    def parts(self, letters: NDArray[np.uint8]) -> Mask:
        """Return a mask of the rows that are words and may be part of others."""
        if letters.shape[1] < repeats.PART:
            return np.zeros(len(letters), np.bool_)
        are_words = self.have(letters)
        found = np.flatnonzero(are_words)
        are_words[found] = ~_is_any(row_keys(letters[found]), repeats.NO_PARTS)
        return are_words


def root_pairs(
    groups: Iterable[SpelledRows], known: KnownWords, root_groups: Collection[Collection[str]] = ()
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return pairs of words and their roots; a word is one of its own roots.

    Words that share a root with a member of a group also have that group as a root. Returns two arrays of shape
    (pairs,): words, and numbers of roots and groups counted from 0. Pairs may repeat.
    """
    waiting = {rows.letters.shape[1]: rows for rows in groups if len(rows.owners)}
    found = {length: [rows] for length, rows in waiting.items()}
    are_whole = True
    while waiting:
        made_of: dict[int, list[SpelledRows]] = {}
        for spelled in waiting.values():
            rows = spelled.chosen(~_is_any(row_keys(spelled.letters), repeats.NOT_MADE))
            every = np.ones(len(rows.owners), np.bool_)
            is_whole = every if are_whole else known.have(rows.letters)
            has_parts = is_whole.copy()
            for of_each, are_asked in ((_inflected, every), (_derived, is_whole), (_parts, has_parts)):
                asked = np.flatnonzero(are_asked)
                for base in of_each(rows.letters[asked], known):
                    if len(base.owners):
                        owners = asked[base.owners]
                        if of_each is not _parts:
                            has_parts[owners[_is_any(row_keys(base.letters), repeats.NOT_MADE)]] = False
                        owned = SpelledRows(rows.owners[owners], base.letters)
                        made_of.setdefault(base.letters.shape[1], []).append(owned)
        are_whole = False
        waiting = {length: _joined(parts) for length, parts in made_of.items()}
        for length, rows in waiting.items():
            found.setdefault(length, []).append(rows)
    return _numbered({length: _joined(parts) for length, parts in found.items()}, root_groups)


def _numbered(
    found: Mapping[int, SpelledRows], root_groups: Collection[Collection[str]]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    first = len(root_groups)
    words, keys = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
    for rows in found.values():
        spellings, places = np.unique(row_keys(rows.letters), return_inverse=True)
        words.append(rows.owners)
        keys.append((first + places).astype(np.int32))
        for number, group in enumerate(root_groups):
            words.append(rows.owners[_is_any(spellings, group)[places]])
            keys.append(np.full(len(words[-1]), number, np.int32))
        first += len(spellings)
    return np.concatenate(words), np.concatenate(keys)


def _inflected(letters: NDArray[np.uint8], known: KnownWords) -> Iterator[SpelledRows]:
    """Yield the possible bases of one inflection: those that are words, or all of them if none is."""
    bases = [base for base in _taken_apart(letters) if base.letters.shape[1] >= repeats.SHORTEST]
    are_known = [known.have(base.letters) for base in bases]
    if letters.shape[1] > repeats.SHORTEST:
        rare = list(_spelled(letters, _end(letters, *repeats.RARE_PLURALS), 1))
        yield from (base.chosen(known.have(base.letters)) for base in rare)
    has_known = np.zeros(len(letters), np.bool_)
    for base, is_known in zip(bases, are_known, strict=True):
        has_known[base.owners[is_known]] = True
    for base, is_known in zip(bases, are_known, strict=True):
        yield base.chosen(is_known | ~has_known[base.owners])


def _are_in(spellings: NDArray[np.bytes_], known: NDArray[np.bytes_] | None) -> Mask:
    if known is None or not len(known):
        return np.zeros(len(spellings), np.bool_)
    places = np.searchsorted(known, spellings).clip(max=len(known) - 1)
    is_there: Mask = known[places] == spellings
    return is_there


def _is_any(spellings: NDArray[np.bytes_], words: Collection[str]) -> Mask:
    """Return a mask of the spellings, all of one length, that are among the words."""
    return _are_in(spellings, _of_length(frozenset(words), spellings.dtype.itemsize))


@lru_cache(maxsize=200)
def _of_length(words: frozenset[str], length: int) -> NDArray[np.bytes_]:
    return np.sort(np.array([encode(word) for word in words if len(word) == length], f"S{length}"))


def _derived(letters: NDArray[np.uint8], known: KnownWords) -> Iterator[SpelledRows]:
    length = letters.shape[1]
    for ending in repeats.ENDINGS:
        if length > len(ending.letters):
            bases = _spelled(letters, _end(letters, ending.letters), len(ending.letters), *ending.instead_of)
            for base in bases:
                if base.letters.shape[1] >= repeats.PART:
                    vowels = _among(base.letters, repeats.VOWELS).sum(axis=1) - _end(base.letters, "E")
                    yield base.chosen((vowels >= ending.vowels) & known.have(base.letters))


def _parts(letters: NDArray[np.uint8], known: KnownWords) -> Iterator[SpelledRows]:
    length = letters.shape[1]
    for beginning in (*repeats.BEGINNINGS, repeats.ARTICLE):
        least = repeats.BEFORE_PARTICLE if beginning == repeats.ARTICLE else repeats.PART
        if length >= len(beginning) + least:
            rows = np.flatnonzero(_hold(letters, [(0, beginning)]))
            rest = letters[rows, len(beginning) :]
            are_parts = known.parts(rest)
            yield SpelledRows(rows[are_parts].astype(np.int32), rest[are_parts])
    for cut in range(repeats.PART, length - 1):
        size = length - cut
        particles = [particle for particle in repeats.PARTICLES if len(particle) == size]
        if size < repeats.PART and not particles:
            continue
        rows = np.flatnonzero(known.parts(letters[:, :cut]))
        firsts, rests = letters[rows, :cut], letters[rows, cut:]
        if particles:
            ends = _end(rests, *particles)
            with_s = _end(firsts, "S")
            is_enough = (cut >= repeats.BEFORE_PARTICLE) & ~with_s[ends]
            ends[ends] &= is_enough | _have_other_form(firsts[ends], rests[ends], with_s[ends], known)
            yield SpelledRows(rows[ends].astype(np.int32), firsts[ends])
        for little in ("", *repeats.LITTLE_WORDS):
            if size - len(little) >= repeats.PART:
                begin = np.flatnonzero(_hold(rests, [(0, little)]))
                if little and len(begin):
                    is_one = _is_any(row_keys(rests[begin]), repeats.NOT_MADE)
                    begin = begin[~(is_one | known.have(rests[begin]) if little in repeats.BY_CHANCE else is_one)]
                begin = begin[known.parts(rests[begin, len(little) :])]
                owners = rows[begin].astype(np.int32)
                yield SpelledRows(owners, firsts[begin])
                yield SpelledRows(owners, rests[begin, len(little) :])


def _have_other_form(
    firsts: NDArray[np.uint8], particles: NDArray[np.uint8], with_s: Mask, known: KnownWords
) -> Mask:
    """Whether words with -S, or without it, also occur in the other form before the same little word."""
    added = np.broadcast_to(np.frombuffer(encode("S"), np.uint8), (len(firsts), 1))
    longer = known.have(np.hstack([firsts, added, particles]))
    shorter = known.have(np.hstack([firsts[:, :-1], particles]))
    return np.where(with_s, shorter, longer)


def _taken_apart(letters: NDArray[np.uint8]) -> Iterator[SpelledRows]:
    """Yield the possible bases of rows without inflection, by the rules of spelling; owners are row numbers."""
    for ending, instead_of, stems, dropped, unless in repeats.INFLECTIONS:
        cut = len(ending)
        if letters.shape[1] > cut:
            mask = _end(letters, ending) & ~_end(letters, *unless)
            if stems:
                rows = np.flatnonzero(mask)
                mask[rows] = np.isin(_stems(letters[rows, :-cut]), stems)
            yield from _spelled(letters, mask, cut + dropped, *instead_of)


def _stems(rest: NDArray[np.uint8]) -> NDArray[np.int8]:
    vowels, stems = _among(rest, repeats.VOWELS), np.full(len(rest), repeats.Stem.OTHER, np.int8)
    if rest.shape[1] > 1:
        may_double = ~_among(rest[:, -1], repeats.NEVER_DOUBLED)
        stems[may_double & vowels[:, -2] & (vowels.sum(axis=1) == 1)] = repeats.Stem.SHORT
        stems[may_double & (rest[:, -1] == rest[:, -2])] = repeats.Stem.DOUBLED
    stems[~vowels.any(axis=1)] = repeats.Stem.NO_VOWEL
    return stems


def _spelled(letters: NDArray[np.uint8], mask: Mask, cut: int, *added: str) -> Iterator[SpelledRows]:
    """Yield the selected rows with their last letters replaced."""
    chosen = np.flatnonzero(mask).astype(np.int32)
    if len(chosen):
        kept = letters[chosen, : letters.shape[1] - cut]
        for ending in added or ("",):
            codes = np.frombuffer(encode(ending), np.uint8)
            yield SpelledRows(chosen, np.hstack([kept, np.broadcast_to(codes, (len(chosen), len(codes)))]))


def _end(letters: NDArray[np.uint8], *endings: str) -> Mask:
    return _hold(letters, ((letters.shape[1] - len(ending), ending) for ending in endings))


def _hold(letters: NDArray[np.uint8], spellings: Iterable[tuple[int, str]]) -> Mask:
    """Return a mask of rows that hold any of some spellings at its place. Tests the rarest, last letter first."""
    mask = np.zeros(len(letters), np.bool_)
    for start, spelling in spellings:
        if start >= 0:
            rows = np.arange(len(letters)) if not spelling else None
            for at, code in reversed([*enumerate(encode(spelling), start)]):
                rows = np.flatnonzero(letters[:, at] == code) if rows is None else rows[letters[rows, at] == code]
            mask[rows] = True
    return mask


def _among(letters: NDArray[np.uint8], chosen: Collection[str]) -> Mask:
    is_chosen = np.zeros(256, np.bool_)
    is_chosen[list(encode("".join(sorted(chosen))))] = True
    return is_chosen[letters]


def _joined(parts: list[SpelledRows]) -> SpelledRows:
    return SpelledRows(*map(np.concatenate, zip(*parts, strict=True)))
