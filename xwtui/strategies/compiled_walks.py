"""Compiled versions of Emogic's searches: the same steps, many at once, with only the fills as events.

The readable search is the specification, and its compiled twin is tested against it: after the same number of
steps, the board holds the same letters, with the same ones left to try. After each slice, the state of the
compiled search is copied to the readable one's board, where observers see it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.events.event import Event
from xwtui.engine.kernels.emogic import letters as letter_kernel
from xwtui.engine.kernels.emogic import words as word_kernel
from xwtui.engine.kernels.emogic.letters import (
    DEPTH,
    FULL,
    OVER,
    LetterState,
    LetterWalk,
    advance_letters,
    chance_of,
)
from xwtui.engine.kernels.emogic.words import WordState, WordWalk, advance_words
from xwtui.errors import EngineError
from xwtui.strategies.backtracker import Backtracker, OpenChoice
from xwtui.strategies.board import Board

Longs = NDArray[np.int64]

MOST_SYMBOLS = 64
"""Most symbols that a square may hold, so that a set of them fits in a 64-bit word."""
_LETTERS_A_SLICE = 100_000
_WORDS_A_SLICE = 2_000
_BLOCK = 64


class BoardArrays:
    """A board in arrays for the kernels, as used by both searches."""

    def __init__(self, board: Board, initial: Mapping[int, str]) -> None:
        """Number the symbols; raises EngineError for rebus squares and for too many symbols."""
        self.board = board
        found = {symbol for slot in board.slots for word in slot.words for symbol in word}
        self.symbols = sorted(found | set(board.given.values()))
        """The symbols by number, in character order."""
        if any(board.content(symbol).is_rebus for symbol in self.symbols):
            raise EngineError("compiled=yes has one letter on each square, and no rebus")
        if len(self.symbols) > MOST_SYMBOLS:
            raise EngineError(f"compiled=yes allows at most {MOST_SYMBOLS} letters, not {len(self.symbols)}")
        self.number = {symbol: number for number, symbol in enumerate(self.symbols)}
        squares = [slot.squares for slot in board.slots]
        self.starts = longs([0, *accumulate(map(len, squares))])
        self.squares = longs([square for own in squares for square in own])
        count = len(board.positions)
        self.given, self.initial = np.full(count, -1, np.int64), np.full(count, -1, np.int64)
        for square, symbol in board.given.items():
            self.given[square] = self.number[symbol]
        for square, symbol in initial.items():
            self.initial[square] = self.number.get(symbol, -1)
        self.empty = longs([sum(self.given[square] < 0 for square in own) for own in squares])

    def codes(self, words: Sequence[str], length: int) -> Longs:
        """Return the numbers of the words' symbols. Shape (words, length)."""
        if not words:
            return np.zeros((0, length), np.int64)
        characters = np.array(list("".join(words))).reshape(len(words), length)
        return np.searchsorted(np.array(self.symbols), characters).astype(np.int64)


class CompiledWalk:
    """A compiled search that runs in slices, and its state."""

    def __init__(
        self,
        strategy: Backtracker,
        advance: Callable[[int], int],
        state: LetterState | WordState,
        slice: int,
        choice_at: Callable[[int], tuple[int | None, int | None, Sequence[str], int]],
    ) -> None:
        """`strategy` is the readable search, whose board, stack and counters show the state of this one.

        `advance` runs for at most a given number of letters or words, in slices, and returns the kernels' status.
        `choice_at` returns, for a depth, its slot or its square, the names of the values tried there, and the
        index in `state.left` where their numbers start.
        """
        self._strategy = strategy
        self.advance = advance
        self._state = state
        self._slice = slice
        self._choice_at = choice_at

    def events(self) -> Iterator[Event | None]:
        status = -1
        while status != OVER:
            status = self.advance(self._slice)
            self.show()
            yield self._strategy.solved() if status == FULL else None

    def show(self) -> None:
        """Copy the state to the readable search's board, stack and counters."""
        state, counted = self._state, self._strategy.counted
        choices = []
        for depth in range(state.control[DEPTH]):
            slot, square, names, first = self._choice_at(depth)
            tried, end = state.next_left[depth], state.end_left[depth]
            left = [names[number] for number in state.left[first + tried - 1 : first + end]]
            choices.append(OpenChoice(slot, square, left[0], deque(left[1:])))
        self._strategy.restore(choices)
        # The last three entries of `control` in both searches.
        counted.nodes, counted.backtracks, counted.deepest = state.control[-3:].tolist()
        counted.placements = counted.nodes * self._strategy.places_letters


def compiled_letters(
    strategy: Backtracker,
    walk: Sequence[int],
    targets: Mapping[int, frozenset[int]],
    sort: Callable[[int, list[str]], None],
) -> CompiledWalk:
    """Return Emogic's letter search compiled; `sort` orders a square's letters, before any shuffling.

    Raises EngineError for rebus squares.
    """
    board, values = strategy.board, strategy.values
    arrays = BoardArrays(board, strategy.initial_symbols)
    count, symbols = len(board.positions), len(arrays.symbols)
    roots, masks, firsts = _tries(arrays)
    through = [[*board.places[square], None][:2] for square in range(count)]
    turns = {square: turn for turn, square in enumerate(walk)}
    are_targets = np.zeros((count, count), np.uint8)
    for square, own in targets.items():
        are_targets[square, list(own)] = 1
    order = []
    for square in range(count):
        letters = list(arrays.symbols)
        sort(square, letters)
        order.append([arrays.number[symbol] for symbol in letters])
    rules = ("naive", "cambon", "emogic-text", "emogic-script").index(values.word("backtrack"))
    searched = LetterWalk(
        walk=longs(walk),
        slots=longs([[-1 if one is None else one.slot for one in own] for own in through], 2),
        places=longs([[0 if one is None else one.at for one in own] for own in through], 2),
        starts=arrays.starts,
        squares=arrays.squares,
        roots=roots,
        masks=masks,
        firsts=firsts,
        given=arrays.given.copy(),
        preferred=arrays.initial,
        order=longs(order).reshape(count, symbols),
        targets=are_targets,
        latest=longs([max((turns[one] for one in targets[square]), default=-1) for square in range(count)]),
        corners=longs([[at.row, at.column] for at in board.positions], 2),
        rules=longs([rules, values.word("letters") == "shuffled", board.allow_repeats]),
    )
    state = LetterState(
        symbols=arrays.given.copy(),
        empty=arrays.empty,
        path=np.zeros(len(arrays.squares), np.int64),
        left=np.zeros(count * symbols, np.int32),
        next_left=np.zeros(count, np.int64),
        end_left=np.zeros(count, np.int64),
        is_written=np.zeros(count, np.uint8),
        targets=np.zeros(count, np.uint8),
        control=np.zeros(letter_kernel.CONTROLS, np.int64),
        chance=chance_of(strategy.rng),
    )
    return CompiledWalk(
        strategy,
        lambda steps: advance_letters(searched, state, steps),
        state,
        _LETTERS_A_SLICE,
        lambda turn: (None, walk[turn], arrays.symbols, turn * symbols),
    )


def _tries(arrays: BoardArrays) -> tuple[Longs, NDArray[np.uint64], Longs]:
    """Return the root of each slot, and all tries concatenated."""
    masks, firsts = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
    roots: dict[int, int] = {}
    begin = 0
    for slot in arrays.board.slots:
        if id(slot.words) not in roots:
            own_masks, own_firsts = trie_arrays(arrays.codes(slot.words, len(slot.squares)))
            roots[id(slot.words)] = begin
            masks.append(own_masks)
            firsts.append(own_firsts + begin)
            begin += len(own_masks)
    of_slots = longs([roots[id(slot.words)] for slot in arrays.board.slots])
    return of_slots, np.concatenate(masks), np.concatenate(firsts)


def trie_arrays(codes: Longs) -> tuple[NDArray[np.uint64], Longs]:
    """Return a trie of words: for each node, the symbols that may follow and the child of the lowest symbol.

    The root comes first. The children of the other symbols follow that of the lowest one, in order. `codes` has
    shape (words, length).
    """
    count, length = codes.shape
    if not count:
        return np.zeros(1, np.uint64), np.zeros(1, np.int64)
    rows = codes[np.lexsort(codes.T[::-1])]
    masks, firsts = [], []
    is_new, begin = np.arange(count) == 0, 0
    for at in range(length):
        node = np.cumsum(is_new) - 1
        own = np.zeros(node[-1] + 1, np.uint64)
        np.bitwise_or.at(own, node, np.uint64(1) << rows[:, at].astype(np.uint64))
        is_next = is_new | np.concatenate([[True], rows[1:, at] != rows[:-1, at]])
        begin += len(own)
        masks.append(own)
        firsts.append(begin + (np.cumsum(is_next) - 1)[is_new])
        is_new = is_next
    return np.concatenate(masks), np.concatenate(firsts)


def compiled_words(strategy: Backtracker, walk: Sequence[int], targets: Sequence[set[int]]) -> CompiledWalk:
    """Return Emogic's word search compiled; raises EngineError for rebus squares."""
    board, values = strategy.board, strategy.values
    arrays = BoardArrays(board, strategy.initial_symbols)
    count = len(board.slots)
    tables: dict[int, int] = {}
    words: list[Sequence[str]] = []
    letters, bits = [np.zeros(0, np.int8)], [np.zeros(0, np.uint64)]
    for slot in board.slots:
        if id(slot.words) not in tables:
            tables[id(slot.words)] = len(words)
            words.append(sorted(slot.words) if values.word("words") == "alphabetical" else slot.words)
            codes = arrays.codes(words[-1], len(slot.squares))
            letters.append(codes.astype(np.int8).ravel())
            bits.append(word_bits(codes, len(arrays.symbols)))
    are_targets = np.zeros((count, count), np.uint8)
    for number, own in enumerate(targets):
        are_targets[number, list(own)] = 1
    rule = ("naive", "cambon", "emogic").index(values.word("backtrack"))
    most = max(map(len, words), default=0)
    searched = WordWalk(
        walk=longs(walk),
        starts=arrays.starts,
        squares=arrays.squares,
        cross_starts=longs([0, *accumulate(map(len, board.crossings))]),
        crossings=longs([[one.at, one.slot, one.other_at] for own in board.crossings for one in own], 3),
        tables=longs([tables[id(slot.words)] for slot in board.slots]),
        sizes=longs([[len(own), -(-len(own) // _BLOCK)] for own in words], 2),
        letter_starts=longs(np.cumsum([len(own) for own in letters])[:-1]),
        letters=np.concatenate(letters),
        bit_starts=longs(np.cumsum([len(own) for own in bits])[:-1]),
        bits=np.concatenate(bits),
        preferred=arrays.initial,
        targets=are_targets,
        rules=longs([rule, values.word("words") == "shuffled", board.allow_repeats, values.is_on("meta")]),
        symbols=longs([len(arrays.symbols)]),
        most=longs([most]),
    )
    longest = max((len(slot.squares) for slot in board.slots), default=0)
    state = WordState(
        symbols=arrays.given.copy(),
        empty=arrays.empty,
        decided=np.zeros(count, np.int64),
        left=np.zeros(count * most, np.int32),
        next_left=np.zeros(count, np.int64),
        end_left=np.zeros(count, np.int64),
        is_written=np.zeros((count, longest), np.uint8),
        allowed=np.zeros(longest, np.uint64),
        control=np.zeros(word_kernel.CONTROLS, np.int64),
        chance=chance_of(strategy.rng),
    )

    def choice_at(depth: int) -> tuple[int | None, int | None, Sequence[str], int]:
        slot = int(state.decided[depth])
        return slot, None, words[tables[id(board.slots[slot].words)]], depth * most

    return CompiledWalk(
        strategy, lambda steps: advance_words(searched, state, steps), state, _WORDS_A_SLICE, choice_at
    )


def word_bits(codes: Longs, symbols: int) -> NDArray[np.uint64]:
    """Return the words with each symbol at each place, as bits; `codes` has shape (words, length)."""
    count, length = codes.shape
    blocks = -(-count // _BLOCK)
    having = np.zeros((length, symbols, blocks * _BLOCK), np.uint8)
    for at in range(length):
        having[at, codes[:, at], np.arange(count)] = 1
    return np.packbits(having, axis=-1, bitorder="little").view("<u8").astype(np.uint64).ravel()


def longs(values: object, width: int = 0) -> Longs:
    """Return integers as an array, in rows of `width` if given."""
    made = np.array(values, np.int64)
    return made.reshape(-1, width) if width else made.reshape(-1)
