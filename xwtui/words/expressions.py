"""What a regular expression says, as a tree of sets of letters, series, choices, repeats and looks ahead."""

from __future__ import annotations

import re
from functools import cache
from math import inf
from typing import NamedTuple, TypeAlias

from xwtui.model.letters import KNOWN_LETTERS

_TOKEN = re.compile(r"\[\^?\]?[^\]]*\]|\(\?[:=!]|\{[0-9]+(?:,[0-9]*)?\}|\{,[0-9]+\}|\\.|.")
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


class Ahead(NamedTuple):
    """What the rest of a word must be, or must not be; it takes no letter."""

    part: Tree
    is_wanted: bool


Tree: TypeAlias = Letters | Series | Choice | Repeat | Ahead
_ANYTHING = Repeat(Letters(KNOWN_LETTERS), 0, None)


class PatternTooHardError(Exception):
    """A pattern says what no automaton of a fair size tells; the module `regex` may."""


def expression_tree(text: str) -> Tree:
    """The tree of a regular expression that `check_pattern` lets pass.

    Raises PatternTooHardError for one that refers back to a group, or with one that takes all it can and gives
    nothing back.
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
            repeat = Repeat(part, *_counts(tokens.take()))
            greed = tokens.take() if tokens.next in ("?", "+") else ""
            part = _all_it_can(repeat) if greed == "+" else repeat
        parts.append(part)
    return parts[0] if len(parts) == 1 else Series(tuple(parts))


def _all_it_can(repeat: Repeat) -> Tree:
    """The tree of a repeat that gives nothing back; raises PatternTooHardError where that is more than one set."""
    part, least, most = repeat
    if not isinstance(part, Letters):
        raise PatternTooHardError
    no_more = Ahead(Series((part, _ANYTHING)), is_wanted=False)
    if most is None:
        return Series((repeat, no_more))
    all_of_them = Repeat(part, most, most)
    return (
        all_of_them if least == most else Choice((Series((Repeat(part, least, most - 1), no_more)), all_of_them))
    )


def _single(tokens: _Tokens) -> Tree:
    token = tokens.take()
    if token in ("(", "(?:", "(?=", "(?!"):
        tree = _choice(tokens)
        if tokens.take() != ")":
            raise PatternTooHardError
        return tree if token in ("(", "(?:") else Ahead(Series((tree, _ANYTHING)), token == "(?=")
    if token in ("^", "{", *_COUNTS) or token.startswith("\\"):
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


class Lengths(NamedTuple):
    """How many letters something has, at least and at most."""

    least: int = 0
    most: float = inf


def lengths(tree: Tree) -> Lengths:
    """How many letters a tree takes, whatever its looks ahead want."""
    match tree:
        case Letters():
            return Lengths(1, 1)
        case Ahead():
            return Lengths(0, 0)
        case Series(parts):
            each = [lengths(part) for part in parts]
            return Lengths(sum(one.least for one in each), sum(one.most for one in each))
        case Choice(parts):
            each = [lengths(part) for part in parts]
            return Lengths(min(one.least for one in each), max(one.most for one in each))
        case Repeat(part, least, most):
            once = lengths(part)
            return Lengths(once.least * least, once.most * (inf if most is None else most) if once.most else 0)
