"""Regular expressions: what one says, as a tree, and which words it accepts, by a finite automaton.

Each set of letters in the tree of a pattern is a position; the automaton is in the set of positions that may have
read the last letter, as Glushkov has it. What a look ahead wants is an automaton of its own that goes along from
there: the positions that came past it are kept with its state. Each such set that can come up is a state. So every
word costs a look into one table for each of its letters, whatever the pattern is, and all words of a length go at
once. Where there would be too many states, each word's set of positions is followed instead, as bits.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, reduce
from itertools import combinations
from math import inf
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, field
from xwtui.model.letters import DIGITS, ENGLISH_LETTERS, KNOWN_LETTERS

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


MOST_POSITIONS = 400
MOST_STATES = 600
"""More than a pattern needs that is not made to be long; so many take some 10 ms to be made."""
MOST_LOOKS = 5
"""Looks ahead, one within another not counted."""

_WORDS_AT_ONCE = 16_384
"""Words whose states fit a processor's cache."""
_FEW = 0.5
"""The share of words still in play below which the rest go on alone."""


class _Laid(NamedTuple):
    """What a tree comes to: whether it takes nothing too, and the positions, as bits, where it begins and ends."""

    is_empty: bool
    first: int
    last: int


_NOTHING, _NEVER = _Laid(True, 0, 0), _Laid(False, 0, 0)


@dataclass
class _Positions:
    """The positions of a tree past some looks ahead: the letters of each, and as bits those that may come next."""

    passed: frozenset[Ahead] = frozenset()
    """The looks ahead that let pass."""
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
            case Ahead():
                return _NOTHING if tree in self.passed else _NEVER
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


def _having(letter: str, letters: Sequence[str]) -> int:
    return sum(1 << place for place, those in enumerate(letters) if letter in those)


def _parts(tree: Tree) -> tuple[Tree, ...]:
    """The trees that a tree is made of."""
    match tree:
        case Letters():
            return ()
        case Series(parts) | Choice(parts):
            return parts
        case Repeat(part) | Ahead(part):
            return (part,)


def _letter_sets(tree: Tree) -> Iterator[str]:
    if isinstance(tree, Letters):
        yield tree.characters
    for part in _parts(tree):
        yield from _letter_sets(part)


def _looks(tree: Tree) -> Iterator[Ahead]:
    """The looks ahead of a tree, without those within one."""
    if isinstance(tree, Ahead):
        yield tree
        return
    for part in _parts(tree):
        yield from _looks(part)


Wants: TypeAlias = "frozenset[tuple[int, State]]"
"""The numbers of looks ahead that are still open, each with the state that its own automaton has come to."""
State: TypeAlias = frozenset[tuple[Wants, int]]
"""The positions, as bits, that may have read the last letter, by what is wanted of the rest of the word then."""
_DEAD_STATE: State = frozenset()
_BEGINNING = Letters("")
"""The position before the first letter."""
_BEGIN: State = frozenset({(frozenset(), 1)})


class _Way(NamedTuple):
    """How one may get on from any position past some looks ahead."""

    wants: Wants
    positions: _Positions
    last: int


class _Machine:
    """The states of a tree and where they lead, each found when it is asked for.

    `kinds` are letters, one for all that the tree does not tell apart.
    """

    def __init__(self, tree: Tree, kinds: Sequence[str]) -> None:
        looks = tuple(dict.fromkeys(_looks(tree)))
        if len(looks) > MOST_LOOKS:
            raise PatternTooHardError
        self._looked = [(_Machine(look.part, kinds), look.is_wanted) for look in looks]
        whole = Series((_BEGINNING, tree))
        self._ways: list[_Way] = []
        for count in range(len(looks) + 1):
            for numbers in combinations(range(len(looks)), count):
                positions = _Positions(frozenset(looks[number] for number in numbers))
                last = positions.lay(whole).last
                self._ways.append(_Way(frozenset((number, _BEGIN) for number in numbers), positions, last))
        letters = self._ways[0].positions.letters
        self._having = [_having(kind, letters) for kind in kinds]
        self._after: dict[State, tuple[State, ...]] = {}

    def accepts(self, state: State) -> bool:
        """Whether a word may end at a state."""
        return any(
            places & way.last and all(self._is_had(*want) for want in wants | way.wants)
            for wants, places in state
            for way in self._ways
        )

    def _is_had(self, look: int, state: State) -> bool:
        machine, is_wanted = self._looked[look]
        return machine.accepts(state) is is_wanted

    def is_sure(self, state: State) -> bool:
        """Whether a look ahead has what it wants at a state, whatever follows."""
        return any(not wants and places & self._ways[0].last for wants, places in state)

    def after(self, state: State) -> tuple[State, ...]:
        """The states that each kind of letter leads to; raises PatternTooHardError where they become too many."""
        if state not in self._after:
            if len(self._after) == MOST_STATES:
                raise PatternTooHardError
            self._after[state] = tuple(self._led(state))
        return self._after[state]

    def _led(self, state: State) -> Iterator[State]:
        reached = [
            (wants | way.wants, reach)
            for wants, places in state
            for way in self._ways
            if (reach := way.positions.after(places))
        ]
        for kind, having in enumerate(self._having):
            found: Counter[Wants] = Counter()
            for wants, reach in reached:
                if (places := reach & having) and (left := self._left(wants, kind)) is not None:
                    found[left] |= places
            yield _DEAD_STATE if not found else frozenset(_with_fewest_wants(found))

    def _left(self, wants: Wants, kind: int) -> Wants | None:
        """What is still wanted after a letter; None where something cannot be had any more."""
        left = set()
        for look, state in wants:
            machine, is_wanted = self._looked[look]
            after = machine.after(state)[kind]
            if after and not machine.is_sure(after):
                left.add((look, after))
            elif bool(after) is not is_wanted:
                return None
        return frozenset(left)


def _with_fewest_wants(found: Counter[Wants]) -> Iterable[tuple[Wants, int]]:
    """Each position without what is wanted of it where it is also there with less."""
    if len(found) == 1:
        return found.items()
    fewest = (
        (wants, places & ~_all_of(found[less] for less in found if less < wants))
        for wants, places in found.items()
    )
    return [(wants, places) for wants, places in fewest if places]


def _all_of(places: Iterable[int]) -> int:
    return reduce(int.__or__, places, 0)


_DEAD, _START = 0, 1
_FEW_CODES = len(ENGLISH_LETTERS + DIGITS)
"""The codes of English words: the lowest ones."""


class Automaton:
    """What tells which words a tree accepts. Raises PatternTooHardError where it would have too many states."""

    def __init__(self, tree: Tree) -> None:
        self._narrow, self._wide = _tables(tree)

    def fits(self, letters: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Which words it accepts; `letters` has their codes, shape (words, length)."""
        fits = np.zeros(len(letters), np.bool_)
        for begin in range(0, len(letters), _WORDS_AT_ONCE):
            part = letters[begin : begin + _WORDS_AT_ONCE]
            is_narrow = int(part.max(initial=0)) < _FEW_CODES
            rows = (self._narrow if is_narrow else self._wide).accepted(part)
            fits[begin + rows] = True
        return fits


def _tables(tree: Tree) -> tuple[_Table, _Table]:
    """The automaton of a tree for words of A-Z and 0-9, and for those of all known letters."""
    sets = tuple(dict.fromkeys(_letter_sets(tree)))
    told = ["".join("01"[character in those] for those in sets) for character in KNOWN_LETTERS]
    kinds = {what: kind for kind, what in enumerate(dict.fromkeys(told))}
    machine = _Machine(tree, [KNOWN_LETTERS[told.index(what)] for what in kinds])
    numbers = {_DEAD_STATE: _DEAD, _BEGIN: _START}
    rows = [[_DEAD] * len(kinds)]
    states = deque([_BEGIN])
    accepting = []
    while states:
        state = states.popleft()
        if machine.accepts(state):
            accepting.append(len(rows))
        leads_to = machine.after(state)
        states += (after for after in dict.fromkeys(leads_to) if after not in numbers)
        rows.append([numbers.setdefault(after, len(numbers)) for after in leads_to])
    table = np.array(rows, np.intp)[:, [kinds[what] for what in told]]
    return _Table.of(table[:, :_FEW_CODES], accepting), _Table.of(table, accepting)


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


_MOST_BITS, _BITS_AT_ONCE = 64, 16


class PositionSets:
    """What tells which words a tree accepts by each word's set of positions, in twice an automaton's time.

    Raises PatternTooHardError where the tree has more than 63 positions, or looks ahead.
    """

    def __init__(self, tree: Tree) -> None:
        positions = _Positions()
        last = positions.lay(Series((_BEGINNING, tree))).last
        if len(positions.letters) > _MOST_BITS or next(_looks(tree), None) is not None:
            raise PatternTooHardError
        self._last = np.uint64(last)
        self._having = np.array([_having(one, positions.letters) for one in KNOWN_LETTERS], np.uint64)
        self._after = [
            _unions(positions.following[begin : begin + _BITS_AT_ONCE])
            for begin in range(0, len(positions.letters), _BITS_AT_ONCE)
        ]

    def fits(self, letters: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Which words it accepts; `letters` has their codes, shape (words, length)."""
        fits = np.zeros(len(letters), np.bool_)
        for begin in range(0, len(letters), _WORDS_AT_ONCE):
            part = letters[begin : begin + _WORDS_AT_ONCE]
            places = np.ones(len(part), np.uint64)
            for codes in part.T:
                after = self._after[0][places.astype(np.uint16)]
                for number, unions in enumerate(self._after[1:], start=1):
                    after |= unions[(places >> np.uint64(number * _BITS_AT_ONCE)).astype(np.uint16)]
                places = after & self._having[codes]
            fits[begin : begin + len(part)] = (places & self._last) != 0
        return fits


def _unions(sets: Sequence[int]) -> NDArray[np.uint64]:
    """The union of some sets for each choice of them, by the choice as bits."""
    unions = np.zeros(1 << len(sets), np.uint64)
    for place, one in enumerate(sets):
        unions[1 << place : 2 << place] = unions[: 1 << place] | np.uint64(one)
    return unions
