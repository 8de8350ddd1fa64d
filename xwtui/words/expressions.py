"""Regular expressions: parsing into a tree, and matching with a finite automaton.

Each set of letters in the tree is a position. The automaton tracks the set of positions that may have read the
last letter (Glushkov's construction), and every reachable set is a state. So each letter of a word costs one table
lookup regardless of the pattern, and all words of a length are processed at once. Lookaheads, back references and
expressions with too many states are left to the `regex` module.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from functools import cache, reduce
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from xwtui.lazy import lazy_pattern
from xwtui.model.letters import KNOWN_LETTERS

_TOKEN = lazy_pattern(r"\[\^?\]?[^\]]*\]|\(\?[:=!]|\{[0-9]+(?:,[0-9]*)?\}|\{,[0-9]+\}|\\.|.")
_COUNTS = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class Letters(NamedTuple):
    """One character out of a set."""

    characters: str


class Series(NamedTuple):
    """Trees in sequence."""

    parts: tuple[Tree, ...]


class Choice(NamedTuple):
    """A choice between trees."""

    parts: tuple[Tree, ...]


class Repeat(NamedTuple):
    """A tree repeated a minimum and maximum number of times."""

    part: Tree
    least: int
    most: int | None


Tree: TypeAlias = Letters | Series | Choice | Repeat


class PatternTooHardError(Exception):
    """Raised for a pattern beyond an automaton of reasonable size; the `regex` module may handle it."""


def expression_tree(text: str) -> Tree:
    """Parse what `check_pattern` accepts; raises PatternTooHardError for lookaheads, back references and `++`."""
    tokens = ["", *reversed(_TOKEN.findall(text))]
    tree = _choice(tokens)
    if len(tokens) > 1:
        raise PatternTooHardError
    return tree


def _choice(tokens: list[str]) -> Tree:
    """Parse and remove the last tokens; an empty token marks the bottom of the stack."""
    parts = [_sequence(tokens)]
    while tokens[-1] == "|":
        tokens.pop()
        parts.append(_sequence(tokens))
    return parts[0] if len(parts) == 1 else Choice(tuple(parts))


def _sequence(tokens: list[str]) -> Tree:
    parts: list[Tree] = []
    while tokens[-1] not in ("", "|", ")"):
        part = _single(tokens)
        if tokens[-1] == "{":
            raise PatternTooHardError
        if tokens[-1] in _COUNTS or tokens[-1].startswith("{"):
            part = Repeat(part, *_counts(tokens.pop()))
            if tokens[-1] in ("?", "+") and tokens.pop() == "+":
                raise PatternTooHardError
        parts.append(part)
    return parts[0] if len(parts) == 1 else Series(tuple(parts))


def _single(tokens: list[str]) -> Tree:
    token = tokens.pop()
    if token in ("(", "(?:"):
        tree = _choice(tokens)
        if tokens[-1] != ")":
            raise PatternTooHardError
        tokens.pop()
        return tree
    if token in ("^", "{", "(?=", "(?!", *_COUNTS) or token.startswith("\\"):
        raise PatternTooHardError
    return Letters(_characters(token))


def _counts(token: str) -> tuple[int, int | None]:
    if token in _COUNTS:
        return _COUNTS[token]
    least, comma, most = token.strip("{}").partition(",")
    return int(least or 0), (int(most) if most else None) if comma else int(least)


@cache
def _characters(token: str) -> str:
    """Return the characters that a letter, a dot or a set such as `[^AEIOU]` matches."""
    matches = re.compile(token).fullmatch
    return "".join(character for character in KNOWN_LETTERS if matches(character))


MOST_POSITIONS = 400
MOST_STATES = 600
"""More states than any ordinary pattern needs; building this many takes some 10 ms."""


class _Laid(NamedTuple):
    """Glushkov sets of a tree: whether it matches the empty string, and its first and last positions as bits."""

    is_empty: bool
    first: int
    last: int


_NOTHING = _Laid(True, 0, 0)


class _Positions:
    """The positions of a tree: the letters of each, and the positions that may follow it, as bit sets."""

    def __init__(self) -> None:
        self.letters: list[str] = []
        self.following: list[int] = []

    def lay(self, tree: Tree) -> _Laid:
        """Assign positions to the sets of letters; raises PatternTooHardError if there are too many."""
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

    def after(self, places: int) -> int:
        return reduce(int.__or__, (self.following[place] for place in _bits(places)), 0)


def _either(one: _Laid, other: _Laid) -> _Laid:
    return _Laid(one.is_empty or other.is_empty, one.first | other.first, one.last | other.last)


def _bits(number: int) -> Iterator[int]:
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


_BEGINNING = Letters("")
"""The position before the first letter."""
_DEAD, _START = 0, 1


class Automaton:
    """A matcher for a tree. Raises PatternTooHardError if it would have too many states."""

    def __init__(self, tree: Tree) -> None:
        table, accepting = _states(tree)
        self._next = (table * len(KNOWN_LETTERS)).reshape(-1)
        """Transition table by state and letter, flattened; a state is identified by the offset of its row."""
        self._accepts = np.zeros(table.size, np.bool_)
        self._accepts[[number * len(KNOWN_LETTERS) for number in accepting]] = True

    def fits(self, letters: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return a mask of the accepted words; `letters` holds their codes, shape (words, length)."""
        state = np.full(len(letters), _START * len(KNOWN_LETTERS), np.intp)
        for column in letters.T:
            state = self._next[state + column]
        accepted: NDArray[np.bool_] = self._accepts[state]
        return accepted


def _states(tree: Tree) -> tuple[NDArray[np.intp], list[int]]:
    """Return the transition table, shape (states, letters), and the accepting states."""
    positions = _Positions()
    last = positions.lay(Series((_BEGINNING, tree))).last
    having = [
        sum(1 << place for place, those in enumerate(positions.letters) if letter in those)
        for letter in KNOWN_LETTERS
    ]
    kinds = {places: kind for kind, places in enumerate(dict.fromkeys(having))}
    numbers = {0: _DEAD, 1: _START}
    rows = [[_DEAD] * len(kinds)]
    states = deque([1])
    accepting = []
    while states:
        state = states.popleft()
        if state & last:
            accepting.append(len(rows))
        reached = positions.after(state)
        leads_to = [reached & places for places in kinds]
        states += (after for after in dict.fromkeys(leads_to) if after not in numbers)
        rows.append([numbers.setdefault(after, len(numbers)) for after in leads_to])
        if len(numbers) > MOST_STATES:
            raise PatternTooHardError
    return np.array(rows, np.intp)[:, [kinds[places] for places in having]], accepting
