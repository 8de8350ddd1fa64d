"""Qxw as Copeland describes it: find the hardest square, give it the best-scoring letter, repeat.

Source: Bob Copeland's weblog, "On placing letters" and "On board the rebus", on the filler of Qxw: "find the
hardest to fill cell, then fill it with the highest scoring letter, repeat". It ends when the grid is filled, or
unwinds and tries the next best letter. "Bitmaps are used to filter available words for each cell."

Here each entry has the set of its words that are still possible. A square allows the letters that the words of
both its entries have there, and words with another letter are removed, until nothing changes. An entry that
becomes empty is a dead end.

Where the source is silent, our choices are these. The hardest square is the one with the fewest letters left, ties
going to the lowest total score (`hardest=letters`), or just the one with the lowest total score (`hardest=score`).
A letter's score is a product over the entries through the square: of the number of their possible words that have
it there (`score=count`), or of the sum of those words' scores (`score=sum`: "it turns out that it does" support
scored dictionaries). A letter that makes two answers equal is a dead end, if they must differ.

The method is complete.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from functools import cached_property

from xwtui.engine.events.event import Event, EventKind
from xwtui.engine.problem.task import Task
from xwtui.strategies.backtracker import Backtracker, OpenChoice
from xwtui.strategies.bitmaps import LetterScores
from xwtui.strategies.board import EMPTY
from xwtui.strategies.protocol import Option, OptionValues, WordLookUp
from xwtui.text import counted


class QxwCells(Backtracker):
    """The hardest square first, the letter with the highest score first."""

    name = "qxw-cells"
    summary = "square by square, hardest first; letters by their score in both entries"
    source = "Qxw, as Copeland describes it"
    index = WordLookUp("bitsets", "the words of a pattern, and how many have each letter at a square")
    options = (
        Option.choice("hardest", ("letters", "score"), "the hardest square: fewest letters left, or lowest score"),
        Option.choice("score", ("count", "sum"), "a letter scores by the number of its words, or by their scores"),
    )
    places_letters = True

    def __init__(self, task: Task, values: OptionValues, seed: int) -> None:
        super().__init__(task, values, seed)
        self._words: list[int] = []
        """The possible words of each slot, once the search has started."""
        self._saved: list[list[int]] = []
        """Copies of `_words` from before each choice."""

    @property
    def domain_sizes(self) -> Mapping[str, int]:
        return {slot.name: words.bit_count() for slot, words in zip(self.board.slots, self._words, strict=False)}

    def explore(self) -> Iterator[Event]:
        self._words = [self.bitmaps.fitting(slot) for slot in range(len(self.board.slots))]
        changed: Iterable[int] = range(len(self._words))
        while True:
            is_alive = yield from self._settle(changed)
            square = self._hardest() if is_alive else None
            if square is not None:
                scores = self._scores.of(square, self._words)
                letters = sorted(scores, key=lambda letter: (-scores[letter], letter))
                yield self.choose(OpenChoice(None, square, "", deque(letters)))
            else:
                if is_alive:
                    yield self.solved()
                if not (yield from self.backtrack()):
                    return
            choice = self.stack[-1]
            places = self.board.places[choice.square or 0]
            self._saved.append(self._words)
            self._words = list(self._words)
            for slot, at in places:
                self._words[slot] &= self.bitmaps.of[slot].having(at, choice.chosen)
            changed = [slot for slot, _ in places]

    def undo(self) -> OpenChoice:
        self._words = self._saved.pop()
        return super().undo()

    # Possible words

    def _settle(self, changed: Iterable[int]) -> Generator[Event, None, bool]:
        """Propagate until squares and entries are consistent; return False at a dead end."""
        if self.board.has_repeats:
            yield self._repeat(self.stack[-1].square or 0)
            return False
        waiting = dict.fromkeys(changed)
        while waiting:
            slot = next(iter(waiting))
            del waiting[slot]
            for at, other, other_at in self.board.crossings[slot]:
                letters = self.bitmaps.of[slot].symbols(self._words[slot], at)
                before = self._words[other]
                left = before & self.bitmaps.of[other].having(other_at, letters)
                if left == before:
                    continue
                square = self.board.slots[slot].squares[at]
                if not left:
                    yield self.emptied(other, square, slot, self.bitmaps.of[other].symbols(before, other_at))
                    return False
                self._words[other] = left
                waiting[other] = None
                yield self.pruned(other, before, left, square=square, other=slot)
        return True

    def _repeat(self, square: int) -> Event:
        """Return the dead end of a square that completes a repeated word."""
        board = self.board
        words = {slot: board.read(slot, board.pattern(slot)) for slot, _ in board.places[square]}
        slot = next(slot for slot, word in words.items() if board.is_filled(slot) and board.answers[word] > 1)
        name, other = board.slots[slot].name, board.entry_with(words[slot], slot)
        return Event(EventKind.WIPE_OUT, len(self.stack), slot=name, word=words[slot], other=other)

    # Scores

    def _hardest(self) -> int | None:
        figures = {}
        for square, symbol in enumerate(self.board.symbols):
            if symbol == EMPTY:
                scores = self._scores.of(square, self._words)
                figures[square] = len(scores), sum(scores.values())
        if self.values.word("hardest") == "score":
            squares = sorted(figures, key=lambda square: (figures[square][1], square))
        else:
            squares = sorted(figures, key=lambda square: (*figures[square], square))
        self.ranked = [
            (square, f"{counted(letters, 'letter')}, score {score:,}")
            for square in squares[:5]
            for letters, score in [figures[square]]
        ]
        return squares[0] if squares else None

    @cached_property
    def _scores(self) -> LetterScores:
        return LetterScores(self.board, self.bitmaps, sums_scores=self.values.word("score") == "sum")
