"""The corpus: over a hundred grids, small and large, whose number of fills is known without the engine."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice, repeat
from random import Random

from bench.calibration.listing import listed_fills
from bench.calibration.transfer import strip_fills
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.resources import default_word_list
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

_COMMON = frozenset("AEIORSTNL")
_MOST_LISTED = 5_000
"""Most fills that a case may have for the naive listing."""
_STRIP_WORDS = {2: 40, 3: 90, 4: 120, 5: 150}
_MANY_WORDS = {2: 55, 3: 120, 4: 165, 5: 200}
_LEAST_FILLS_OF_LONG_STRIPS = 10**30
_REBUS_WORDS = ((2, 30), (3, 50), (4, 110), (5, 300))
_REBUSES = ("[ER]", "[ST]", "[IN]", "[S/RE]")


@dataclass(frozen=True)
class Case:
    """A grid, its words, and its number of fills."""

    kind: str
    text: str
    words: tuple[str, ...]
    allow_repeats: bool
    fills: int

    def problem(self) -> Problem:
        """Return the fill problem."""
        lexicon = Lexicon.build([WordList.from_scores("calibration", dict.fromkeys(self.words, 50))])
        return Problem.build(grid_from_text(self.text), lexicon, allow_repeats=self.allow_repeats)


def corpus() -> Iterator[Case]:
    """Yield all cases; the corpus is the same on every run."""
    for number, (make, count) in enumerate(_MAKERS):
        made = map(make, repeat(Random(number)))
        yield from islice((case for case in made if case is not None), count)


@cache
def _listed(length: int, letters: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return the default list's words of one length, restricted to `letters` if any are given."""
    words = open_word_list(default_word_list()).word_list.table(length).words()
    return tuple(word for word in words if not letters or letters.issuperset(word))


def _draw(chance: Random, length: int, count: int, letters: frozenset[str] = frozenset()) -> tuple[str, ...]:
    listed = _listed(length, letters)
    return tuple(chance.sample(listed, min(count, len(listed))))


def _naive(
    kind: str, text: str, words: tuple[str, ...], chance: Random, *, may_repeat: float = 0.5
) -> Case | None:
    """Return a small case, counted by listing its fills, or None if there are too many.

    `may_repeat` is the probability that the case allows repeated answers.
    """
    allow_repeats = chance.random() < may_repeat
    fills = listed_fills(grid_from_text(text), words, allow_repeats=allow_repeats, most=_MOST_LISTED)
    return Case(kind, text, words, allow_repeats, fills) if fills <= _MOST_LISTED else None


def _square(chance: Random, side: int, blocks: int = 0) -> list[list[str]]:
    rows = [["."] * side for _ in range(side)]
    for _ in range(blocks):
        rows[chance.randrange(side)][chance.randrange(side)] = "#"
    return rows


def _joined(rows: list[list[str]]) -> str:
    return "\n".join(map("".join, rows))


def _some_words(chance: Random, sizes: dict[int, int]) -> tuple[str, ...]:
    return tuple(word for length, count in sizes.items() for word in _draw(chance, length, count, _COMMON))


def _sparse(chance: Random, may_repeat: float = 0.5) -> Case | None:
    side = chance.choice((3, 4, 4))
    words = _some_words(chance, {2: 20, 3: 36, 4: 90})
    text = _joined(_square(chance, side, chance.randrange(side)))
    case = _naive("sparse", text, words, chance, may_repeat=may_repeat)
    return case if case is not None and case.fills > 0 else None


def _dense(chance: Random, may_repeat: float = 0.5) -> Case | None:
    side = chance.choice((3, 3, 4))
    words = _some_words(chance, {2: 35, 3: 65, 4: 130})
    text = _joined(_square(chance, side, chance.randrange(3)))
    case = _naive("dense", text, words, chance, may_repeat=may_repeat)
    return case if case is not None and case.fills > 0 else None


def _five(chance: Random) -> Case | None:
    """A 5x5 square with few or no blocks, from a short or a longer list."""
    dense = chance.random() < 0.5
    sizes = {2: 40, 3: 110, 4: 170, 5: 290} if dense else {2: 20, 3: 45, 4: 100, 5: 230}
    text = _joined(_square(chance, 5, chance.randrange(0 if dense else 2, 6)))
    case = _naive("5x5", text, _some_words(chance, sizes), chance)
    return case if case is not None and case.fills > 0 else None


def _rebus(chance: Random) -> Case | None:
    rows = _square(chance, chance.choice((3, 4)), chance.randrange(2))
    rows[chance.randrange(3)][chance.randrange(3)] = chance.choice(_REBUSES)
    words = tuple(word for length, count in _REBUS_WORDS for word in _draw(chance, length, count, _COMMON))
    case = _naive("rebus", _joined(rows), words, chance)
    return case if case is not None and case.fills > 0 else None


def _locks(chance: Random) -> Case | None:
    side = chance.choice((3, 4))
    words = _some_words(chance, {3: 65, 4: 110})
    rows = _square(chance, side)
    rows[chance.randrange(side)] = list(chance.choice([word for word in words if len(word) == side]))
    case = _naive("locks", _joined(rows), words, chance)
    return case if case is not None and case.fills > 0 else None


def _infeasible(chance: Random) -> Case | None:
    side = chance.choice((3, 4, 5))
    words = _some_words(chance, {2: 8, 3: 25, 4: 70, 5: 120})
    case = _naive("infeasible", _joined(_square(chance, side, chance.randrange(side))), words, chance)
    return case if case is not None and case.fills == 0 else None


def _parts(chance: Random) -> Case | None:
    """Disconnected parts with repeats allowed: the number of fills is the product of the parts' counts."""
    make = _dense if chance.random() < 0.5 else _sparse
    part = make(chance, may_repeat=1.0)
    if part is None:
        return None
    copies = chance.randrange(3, 7)
    lines = part.text.split("\n")
    band = ["#".join([line] * copies) for line in lines]
    text = "\n".join([*band, "#" * len(band[0])] * (copies - 1) + band)
    return Case("parts", text, part.words, True, part.fills ** (copies * copies))


def _strip(chance: Random) -> Case | None:
    """Three or four rows of overlapping words, with repeats allowed, counted by a transfer matrix."""
    return _strip_case("strip", chance, chance.choice((3, 3, 4)), chance.randrange(15, 36), _STRIP_WORDS)


def _long_strip(chance: Random) -> Case | None:
    """A strip of the maximum grid width with more words: 10^30 fills and more."""
    case = _strip_case("long strip", chance, chance.choice((3, 3, 3, 4)), chance.randrange(37, 41), _MANY_WORDS)
    return case if case is not None and case.fills >= _LEAST_FILLS_OF_LONG_STRIPS else None


def _strip_case(kind: str, chance: Random, height: int, width: int, sizes: dict[int, int]) -> Case | None:
    rows = [_strip_row(chance, width) for _ in range(height)]
    words = _some_words(chance, sizes)
    fills = strip_fills(rows, words)
    return Case(kind, "\n".join(rows), words, True, fills) if fills else None


def _strip_row(chance: Random, width: int) -> str:
    row = "." * chance.randrange(0, 3)
    while len(row) < width:
        row += ("#" if row else "") + "." * chance.choice((3, 4, 5))
    return row[:width]


_MAKERS: tuple[tuple[Callable[[Random], Case | None], int], ...] = (
    (_sparse, 20),
    (_dense, 20),
    (_five, 16),
    (_rebus, 15),
    (_locks, 15),
    (_infeasible, 12),
    (_parts, 20),
    (_strip, 20),
    (_long_strip, 12),
)
