"""Bitsets, sorted index and trie compared: the cost of building, querying and updating each."""

import random
import statistics
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.document import circumstances
from bench.tables import table
from xwtui.engine.problem import word_stock
from xwtui.engine.problem.problem import Problem
from xwtui.model import Puzzle
from xwtui.model.letters import KNOWN_LETTERS
from xwtui.resources import default_word_list
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon
from xwtui.words.sorted_index import SortedIndex
from xwtui.words.trie import Trie

PAGE = Path(__file__).resolve().parents[1] / "docs" / "engine.md"
LENGTH, SEED = 8, 7
_BEGIN, _END = "<!-- part: indexes -->", "<!-- end of part -->"
_MADE = ("bitsets", "sorted index", "trie")
_ABOUT_BITSETS = (
    "The bitsets have the form of the engine's, which are those of a problem's words (`word_stock.py`); these are "
    "made of the whole list, and only this benchmark has them."
)


class Bitsets:
    """The engine's index: for each length, position and letter, a bitset of the words that have it there."""

    def __init__(self, lexicon: Lexicon, lengths: Sequence[int] = ()) -> None:
        """Build the bitsets for these lengths, or for all."""
        self._words: dict[int, list[str]] = {}
        self._having: dict[int, list[dict[str, NDArray[np.uint8]]]] = {}
        for length in lengths or lexicon.lengths:
            table = lexicon.table(length)
            self._words[length] = table.words()
            codes = np.unique(table.letters).tolist()
            self._having[length] = [
                {KNOWN_LETTERS[code]: np.packbits(column == code) for code in codes} for column in table.letters.T
            ]

    def _fitting(self, pattern: str) -> NDArray[np.uint8]:
        words, having = self._words[len(pattern)], self._having[len(pattern)]
        fitting = np.packbits(np.ones(len(words), np.bool_))
        for at, letter in enumerate(pattern):
            if letter != "?":
                fitting = fitting & having[at].get(letter, np.zeros_like(fitting))
        return fitting

    def count(self, pattern: str) -> int:
        return int(np.bitwise_count(self._fitting(pattern)).sum(dtype=np.int64))

    def matches(self, pattern: str) -> list[str]:
        words = self._words[len(pattern)]
        fitting = np.unpackbits(self._fitting(pattern), count=len(words))
        return [words[row] for row in np.flatnonzero(fitting).tolist()]


def lines(minimum_score: int, tell: Callable[[str], None]) -> list[str]:
    """Return the table, which also appears in docs/engine.md."""
    lexicon = Lexicon.build([open_word_list(default_word_list()).word_list], minimum_score=minimum_score)
    found: dict[str, Mapping[str, float]] = {}
    for name in _MADE:
        tell(name)
        found[name] = measure(name, lexicon)
    rows = [[what, *(_said(what, found[name][what]) for name in _MADE)] for what in found[_MADE[0]]]
    made = [_ABOUT_BITSETS, "", *table(["", *_MADE], rows)]
    tell("a word that is banned")
    made += ["", *banning_lines(lexicon)]
    dated = [f"*{circumstances()}*", "", *made]
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(_BEGIN)
    after = rest.partition(_END)[2]
    PAGE.write_text("\n".join([f"{before}{_BEGIN}", "", *dated, "", f"{_END}{after}"]), encoding="utf-8")
    return made


def banning_lines(lexicon: Lexicon) -> list[str]:
    """Measure how soon the lexicon and the problem of an open grid reflect a ban, compared with rebuilding both.

    Times are processor time.
    """
    grid, word_lists = Puzzle.blank(15, 15).grid, list(lexicon.layers)
    Problem.build(grid, lexicon)
    taken: dict[bool, list[float]] = {True: [], False: []}
    before, banned = lexicon, frozenset[str]()
    for word in random.Random(SEED).sample(lexicon.table(15).words(), 9):
        banned |= {word}
        # Only one sorted index is cached, and the last rebuild has replaced this one.
        before.sorted_index.count("?" * LENGTH)
        for takes_over in (True, False):
            if not takes_over:
                word_stock.forget()
            begun = time.process_time()
            after = Lexicon.build(word_lists, minimum_score=lexicon.minimum_score, banned=banned)
            if takes_over:
                after.take_over(before, (word,))
                before = after
            after.sorted_index.count("?" * LENGTH)
            Problem.build(grid, after)
            taken[takes_over].append((time.process_time() - begun) * 1000)
            if not takes_over:
                word_stock.forget()
                Problem.build(grid, before)
    quick, anew = statistics.median(taken[True]), statistics.median(taken[False])
    return [
        "After a ban of one word, the lexicon, its sorted index and the problem of an empty 15×15 grid are up to "
        f"date in {quick:.1f} ms; a new build takes {anew / quick:.1f} times as long."
    ]


def _said(what: str, figure: float) -> str:
    return (
        f"{figure:,.0f} MB" if what == "memory" else f"{figure:,.3g} ms" if figure < 1000 else f"{figure:,.0f} ms"
    )


def measure(name: str, lexicon: Lexicon) -> Mapping[str, float]:
    """Return milliseconds per query (median over patterns) and megabytes, with all lengths built."""
    words = lexicon.table(LENGTH).words()
    begun = time.process_time()
    index = _made(name, lexicon)
    figures = {"made for all lengths": (time.process_time() - begun) * 1000}
    rng = random.Random(SEED)
    chosen = [rng.choice(words) for _ in range(60)]
    beginnings = [word[:3].ljust(LENGTH, "?") for word in chosen]
    gapped = ["".join(letter if rng.random() < 0.4 else "?" for letter in word) for word in chosen]
    ends = [word[-2:].rjust(LENGTH, "?") for word in chosen]
    for what, patterns in (("three letters begin", beginnings), ("gaps", gapped), ("two letters end", ends)):
        figures[f"{what}: counted"] = _median(index.count, patterns)
        figures[f"{what}: listed"] = _median(lambda one: list(index.matches(one)), patterns)
    figures["all open: counted"] = _median(index.count, ["?" * LENGTH] * 9)
    figures["all open: listed"] = _median(lambda one: list(index.matches(one)), ["?" * LENGTH] * 9)
    figures["one word added"] = _median(_adder(index, lexicon), [f"{word[:-2]}QX" for word in chosen[:9]])
    tracemalloc.start()
    traced = _made(name, lexicon)
    for pattern in gapped:
        traced.count(pattern)
    figures["memory"] = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    return figures


def _made(name: str, lexicon: Lexicon) -> Bitsets | SortedIndex | Trie:
    """Build an index with all lengths ready for queries."""
    index: Bitsets | SortedIndex | Trie
    index = Bitsets(lexicon) if name == "bitsets" else (Trie if name == "trie" else SortedIndex)(lexicon)
    for length in lexicon.lengths:
        index.count("?" * length)
        next(iter(index.matches("?" * length)), None)
    return index


def _adder(index: Bitsets | SortedIndex | Trie, lexicon: Lexicon) -> Callable[[str], object]:
    """Return a function that adds a word and makes it findable. Bitsets are rebuilt for its length."""
    if isinstance(index, Bitsets):
        return lambda word: Bitsets(lexicon, [len(word)]).count(word)
    return lambda word: (index.add(word, 50), index.count(word))


def _median(ask: Callable[[str], object], patterns: list[str]) -> float:
    taken = []
    for pattern in patterns:
        begun = time.perf_counter()
        ask(pattern)
        taken.append((time.perf_counter() - begun) * 1000)
    return statistics.median(taken)
