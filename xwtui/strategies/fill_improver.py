"""Copeland's two ways to better fills: Monte Carlo over saved decisions, and sections refilled at random."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import NamedTuple

from xwtui.engine.events.event import Event, EventKind
from xwtui.strategies.backtracker import OpenChoice
from xwtui.strategies.word_search import WordSearch

NODES_A_ROUND = 500
"""Decisions after which a round without a fill is given up."""

Answer = tuple[int, str]
"""A slot and the spelling that it has."""


class RatedFill(NamedTuple):
    """A fill that others are made from; the more it is worth, the better."""

    worth: float
    symbols: tuple[str, ...]
    """What stands on each square."""
    decisions: tuple[Answer, ...]
    """The stack that made it."""


class FillImprover(WordSearch):
    """A search that can go on from its first fill to better ones."""

    draws = False
    """Whether words come by chance, those worth more sooner, rather than best first."""
    gave_up = False
    """Whether a search was ended before all was tried."""

    def word_worth(self, word: str) -> float:
        """What a word as it is read is worth in a fill."""
        return float(self.board.score(word))

    def improve(self, round_: Callable[[list[RatedFill]], Iterator[Event]], rounds: int) -> Iterator[Event]:
        """After each so many rounds the best fill, as long as it gets better; starts with a fill on the board."""
        kept = [self.kept_fill()]
        told = -math.inf
        while True:
            for _ in range(rounds):
                yield from round_(kept)
            yield from self.replay(kept[0].decisions)
            if kept[0].worth <= told:
                return
            told = kept[0].worth
            yield self.solved()

    def monte_carlo(self, most_kept: int) -> Callable[[list[RatedFill]], Iterator[Event]]:
        """Rounds that go off from one of the best fills: another word at one decision, then on as usual."""

        def round_(kept: list[RatedFill]) -> Iterator[Event]:
            seed = self.rng.choice(kept).decisions
            if not seed:
                return
            place = self.rng.randrange(len(seed))
            yield from self.replay(seed[:place])
            slot = seed[place][0]
            words = list(self.words_for(slot))
            yield self.choose(OpenChoice(slot, None, "", deque(self._drawn(slot, words)[:1])))
            if (yield from self.descend(place + 1, NODES_A_ROUND)):
                self._keep(kept, most_kept)

        return round_

    def sections(self, side: int) -> Callable[[list[RatedFill]], Iterator[Event]]:
        """Rounds that clear the entries through a square section of the best fill, and refill them by chance."""

        def round_(kept: list[RatedFill]) -> Iterator[Event]:
            stays = self._outside_of_section(kept[0], side)
            yield from self.replay(stays)
            self.draws = True
            is_filled = yield from self.descend(len(stays), NODES_A_ROUND)
            self.draws = False
            if is_filled:
                self._keep(kept, 1)

        return round_

    def descend(self, floor: int = 0, most: int | None = None) -> Generator[Event, None, bool]:
        """Fill what is open, as `fill_on`, but give up after so many decisions."""
        events, decisions = self.fill_on(floor), 0
        while most is None or decisions < most:
            try:
                event = next(events)
            except StopIteration as end:
                return bool(end.value)
            yield event
            decisions += event.kind is EventKind.DECIDE
        self.gave_up = True
        return False

    def replay(self, decisions: Sequence[Answer]) -> Iterator[Event]:
        """Start again with some decisions in force."""
        depth = len(self.stack)
        while self.stack:
            self.undo()
        yield Event(EventKind.RESTART, 0, before=depth)
        for slot, word in decisions:
            yield self.choose(OpenChoice(slot, None, "", deque([word])))

    def kept_fill(self) -> RatedFill:
        """The fill on the board."""
        board = self.board
        answers = (board.read(slot, board.pattern(slot)) for slot in range(len(board.slots)))
        decisions = tuple((choice.slot, choice.chosen) for choice in self.stack if choice.slot is not None)
        return RatedFill(math.fsum(map(self.word_worth, answers)), tuple(board.symbols), decisions)

    def in_order(self, slot: int, words: Iterable[str]) -> list[str]:
        """Words that come best first, in the order to try them."""
        return self._drawn(slot, list(words)) if self.draws else list(words)

    def _keep(self, kept: list[RatedFill], most: int) -> None:
        fill = self.kept_fill()
        if all(fill.symbols != other.symbols for other in kept):
            kept.append(fill)
            kept.sort(key=lambda one: one.worth, reverse=True)
            del kept[most:]

    def _drawn(self, slot: int, words: list[str]) -> list[str]:
        """Words in an order by chance: each next one is drawn with a chance in proportion to its worth."""
        worth = [max(self.word_worth(self.board.read(slot, word)), 1e-6) for word in words]
        waits = {word: self.rng.expovariate(each) for word, each in zip(words, worth, strict=True)}
        return sorted(words, key=waits.__getitem__)

    def _outside_of_section(self, fill: RatedFill, side: int) -> list[Answer]:
        """What a fill has in the entries that do not touch a section drawn by chance."""
        board = self.board
        empty = [at for number, at in enumerate(board.positions) if number not in board.given]
        if not empty:
            return []
        middle, reach = self.rng.choice(empty), side / 2
        section = {
            number
            for number, at in enumerate(board.positions)
            if abs(at.row - middle.row) < reach and abs(at.column - middle.column) < reach
        }
        answers = []
        for number, slot in enumerate(board.slots):
            if section.isdisjoint(slot.squares) and not board.given.keys() >= set(slot.squares):
                answers.append((number, "".join([fill.symbols[square] for square in slot.squares])))
        return answers
