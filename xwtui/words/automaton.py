"""What a pattern accepts, as a finite automaton that is run over all words of a length at once.

A pattern is a tree of sets of letters, series, choices and repeats. Each set in it is a position; the automaton
is in the set of positions that may have read the last letter, as Glushkov has it, and each such set that can come
up is a state. So every word costs a look into one table for each of its letters, whatever the pattern is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, reduce
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from xwtui.model.letters import DIGITS, ENGLISH_LETTERS, KNOWN_LETTERS

MOST_POSITIONS = 400
MOST_STATES = 1_000
"""More than a pattern needs that is not made to be long; so many take some 10 ms to be made."""

_WORDS_AT_ONCE = 16_384
"""Words whose states fit a processor's cache."""
_FEW = 0.5
"""The share of words still in play below which the rest go on alone."""

_TOKEN = re.compile(r"\[\^?\]?[^\]]*\]|\(\?:|\{[0-9]+(?:,[0-9]*)?\}|\{,[0-9]+\}|.")
_COUNTS = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class Letters(NamedTuple):
    """One character of some."""

    characters: str


class Series(NamedTuple):
    """Trees, one after the other."""

    parts: tuple[Tree, ...]


class Choice(NamedTuple):
    """One of some trees."""

    parts: tuple[Tree, ...]


class Repeat(NamedTuple):
    """A tree, so often at least and at most."""

    part: Tree
    least: int
    most: int | None


Tree: TypeAlias = Letters | Series | Choice | Repeat


class PatternTooHardError(Exception):
    """A pattern says what no automaton of a fair size tells; the module `regex` may."""


def expression_tree(text: str) -> Tree:
    """The tree of a regular expression that `check_pattern` lets pass.

    Raises PatternTooHardError for one that looks ahead, or that takes all it can and gives nothing back.
    """
    tokens = _Tokens(_TOKEN.findall(text))
    tree = _choice(tokens)
    if tokens.next:
        raise PatternTooHardError
    return tree


class _Tokens:
    def __init__(self, tokens: list[str]) -> None:
        self._left = [*reversed(tokens)]

    @property
    def next(self) -> str:
        """The next one, empty at the end."""
        return self._left[-1] if self._left else ""

    def take(self) -> str:
        return self._left.pop() if self._left else ""


def _choice(tokens: _Tokens) -> Tree:
    parts = [_sequence(tokens)]
    while tokens.next == "|":
        tokens.take()
        parts.append(_sequence(tokens))
    return parts[0] if len(parts) == 1 else Choice(tuple(parts))


def _sequence(tokens: _Tokens) -> Tree:
    parts: list[Tree] = []
    while tokens.next not in ("", "|", ")"):
        part = _single(tokens)
        if tokens.next == "{":
            raise PatternTooHardError
        if tokens.next in _COUNTS or tokens.next.startswith("{"):
            part = Repeat(part, *_counts(tokens.take()))
            if tokens.next == "?":
                tokens.take()
            elif tokens.next == "+":
                raise PatternTooHardError
        parts.append(part)
    return parts[0] if len(parts) == 1 else Series(tuple(parts))


def _single(tokens: _Tokens) -> Tree:
    token = tokens.take()
    if token in ("(", "(?:"):
        tree = _choice(tokens)
        if tokens.take() != ")":
            raise PatternTooHardError
        return tree
    if token in ("^", "{", *_COUNTS):
        raise PatternTooHardError
    return Letters(_characters(token))


def _counts(token: str) -> tuple[int, int | None]:
    """What is said by `*`, `{2}`, `{2,}`, `{,5}`."""
    if token in _COUNTS:
        return _COUNTS[token]
    least, comma, most = token.strip("{}").partition(",")
    return int(least or 0), (int(most) if most else None) if comma else int(least)


@cache
def _characters(token: str) -> str:
    """The characters that a letter, a dot or a set such as `[^AEIOU]` stands for."""
    matches = re.compile(token).fullmatch
    return "".join(character for character in KNOWN_LETTERS if matches(character))


class _Laid(NamedTuple):
    """What a tree comes to: whether it takes nothing too, and the positions, as bits, where it begins and ends."""

    is_empty: bool
    first: int
    last: int


_NOTHING = _Laid(True, 0, 0)


@dataclass
class _Positions:
    """The positions of a tree: the letters of each, and the positions that may come next, as bits."""

    letters: list[str] = field(default_factory=list)
    following: list[int] = field(default_factory=list)

    def lay(self, tree: Tree) -> _Laid:
        """Give each set of letters its position; raises PatternTooHardError where there are too many."""
        match tree:
            case Letters(characters):
                if len(self.letters) == MOST_POSITIONS:
                    raise PatternTooHardError
                self.letters.append(characters)
                self.following.append(0)
                here = 1 << (len(self.letters) - 1)
                return _Laid(False, here, here)
            case Series(parts):
                return reduce(self._joined, map(self.lay, parts), _NOTHING)
            case Choice(parts):
                return reduce(_either, map(self.lay, parts))
            case Repeat(part, least, most):
                always = reduce(self._joined, (self.lay(part) for _ in range(least)), _NOTHING)
                if most is None:
                    loop = self.lay(part)
                    self._follow(loop.last, loop.first)
                    return self._joined(always, _either(loop, _NOTHING))
                more = (_either(self.lay(part), _NOTHING) for _ in range(most - least))
                return reduce(self._joined, more, always)

    def _joined(self, before: _Laid, after: _Laid) -> _Laid:
        self._follow(before.last, after.first)
        return _Laid(
            before.is_empty and after.is_empty,
            before.first | (after.first if before.is_empty else 0),
            after.last | (before.last if after.is_empty else 0),
        )

    def _follow(self, places: int, after: int) -> None:
        for place in _bits(places):
            self.following[place] |= after

    def after(self, state: int) -> int:
        """The positions that may come after those of a state."""
        return reduce(int.__or__, (self.following[place] for place in _bits(state)), 0)


def _either(one: _Laid, other: _Laid) -> _Laid:
    return _Laid(one.is_empty or other.is_empty, one.first | other.first, one.last | other.last)


def _bits(number: int) -> Iterator[int]:
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


_DEAD, _START = 0, 1
_FEW_CODES = len(ENGLISH_LETTERS + DIGITS)
"""The codes of English words: the lowest ones."""


class Automaton:
    """What tells which words a tree accepts. Raises PatternTooHardError where it would have too many states."""

    def __init__(self, tree: Tree) -> None:
        positions = _Positions()
        whole = positions.lay(tree)
        having = [
            sum(1 << place for place, letters in enumerate(positions.letters) if character in letters)
            for character in KNOWN_LETTERS
        ]
        kinds = {places: kind for kind, places in enumerate(dict.fromkeys(having))}
        numbers = {0: _DEAD}
        waiting = [(_START, whole.first)]
        rows = {_DEAD: [_DEAD] * len(kinds)}
        accepting = [_START] if whole.is_empty else []
        while waiting:
            number, reachable = waiting.pop()
            rows[number] = []
            for places in kinds:
                state = reachable & places
                if state not in numbers:
                    after = numbers[state] = len(numbers) + 1
                    if after == MOST_STATES:
                        raise PatternTooHardError
                    waiting.append((after, positions.after(state)))
                    if state & whole.last:
                        accepting.append(after)
                rows[number].append(numbers[state])
        by_kind = np.array([rows[number] for number in range(len(rows))], np.intp)
        table = by_kind[:, [kinds[places] for places in having]]
        self._narrow, self._wide = (_Table.of(table[:, :width], accepting) for width in (_FEW_CODES, len(having)))

    def fits(self, letters: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Which words it accepts; `letters` has their codes, shape (words, length)."""
        fits = np.zeros(len(letters), np.bool_)
        for begin in range(0, len(letters), _WORDS_AT_ONCE):
            part = letters[begin : begin + _WORDS_AT_ONCE]
            is_narrow = int(part.max(initial=0)) < _FEW_CODES
            rows = (self._narrow if is_narrow else self._wide).accepted(part)
            fits[begin + rows] = True
        return fits


class _Table(NamedTuple):
    """The states of an automaton for words of so many letters, all known ones or those of A-Z and 0-9 alone."""

    next: NDArray[np.intp]
    """Where a state leads, by state and letter; a state is told by where its letters begin here."""
    accepts: NDArray[np.bool_]
    width: int

    @classmethod
    def of(cls, table: NDArray[np.intp], accepting: list[int]) -> _Table:
        """The table of states by letters, and the states at which a word may end."""
        width = table.shape[1]
        accepts = np.zeros(table.size, np.bool_)
        accepts[[number * width for number in accepting]] = True
        return cls((table * width).reshape(-1), accepts, width)

    def accepted(self, letters: NDArray[np.uint8]) -> NDArray[np.intp]:
        """The words that are in play to their end, where they may end there."""
        rows = np.arange(len(letters))
        state = np.full(len(letters), _START * self.width, np.intp)
        columns = letters.T
        for place in range(letters.shape[1]):
            state += columns[place]
            state = self.next[state]
            if np.count_nonzero(state) < _FEW * len(state):
                alive = np.flatnonzero(state)
                rows, state, columns = rows[alive], state[alive], columns[:, alive]
        return rows[self.accepts[state]]
