"""Copeland's filler: bitmaps, entries with the fewest fills first, words in the order of their scores.

Source: Bob Copeland's weblog: "On board the rebus", "On placing letters", "More boring crossword stuff".

- `order=fewest`: "we fill each entry starting with the entries with fewest fills"; "the word list is initially
  sorted by score", and "entire entries are filled instead of single cells".
- `order=greedy`: "the longest unfilled entry crossing a critical cell", "with the next highest ranked word". After
  `limit` nodes ("an arbitrary upper limit") it gives up. `order=shortest` is an alternative that he considers
  there: "Should I instead pick shortest entry? Entry with fewest completions?"
- `improve=monte-carlo` saves the "decision stack". A round picks "a random location in the stack, and from there,
  a random word (instead of best word)", and continues. The best `keep` grids are "seeds for future iterations".
- `improve=sections`: "repeatedly clearing sections of the grid and refilling it randomly", from a completed grid.
- Both can start from a finished grid (`begin_with`): "taking a completed grid, manufacturing a search tree that
  generated it, and then optimizing it from there".
- `look-ahead`: "estimating the number of eventual solutions using more levels of look-ahead". With one level, a
  word is worth the options that it leaves, summed over the open entries, and nothing if one has none. Each further
  level sums that over the best words of the next entry. The ten best words are sorted by this estimate.
- `flatten`: "flattening the word probability curve somewhat", in percent. A word's weight is its score to the
  power of 1 - flatten/100, both in the worth of a grid and when words are drawn at random.

Where the source is silent, our choices are these. Words that leave a crossing entry without words are skipped. The
critical square is the one with the fewest letters that both its entries allow. A grid is worth the sum of its
words' weights ("maximize the sum of the scores of every word"). A section is a square of `section` by `section`;
clearing it clears every entry that touches it. Random words are drawn in proportion to their weights. Each grid
that is better than all before it is reported, and kept until there is a better one. A round ends after 500 nodes,
and the search after `rounds` rounds or when time is up.

Without improvement both orders are complete, except that the greedy one may give up.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from xwtui.engine.events.event import Event, EventKind
from xwtui.engine.problem.task import Task
from xwtui.strategies.backtracker import OpenChoice
from xwtui.strategies.bitmaps import LetterScores
from xwtui.strategies.board import EMPTY
from xwtui.strategies.protocol import Option, OptionValues, WordLookUp
from xwtui.strategies.word_search import TIES, WordSearch
from xwtui.text import counted

NODES_A_ROUND = 500
"""Decisions after which a round without a fill is abandoned."""

Answer = tuple[int, str]
"""A slot and its spelling."""


class RatedFill(NamedTuple):
    """A fill that new ones are derived from; a higher worth is better."""

    worth: float
    symbols: tuple[str, ...]
    """The symbol on each square."""
    decisions: tuple[Answer, ...]
    """The decisions that made it."""


_COMPARED = 10
"""Words compared by looking ahead."""


class Copeland(WordSearch):
    """Fills the entries with the fewest fills first, best words first, and can then improve the fill."""

    name = "copeland"
    summary = "fewest fills first, words by score; greedy, Monte Carlo and refilled sections as options"
    source = "Bob Copeland's blog"
    index = WordLookUp("bitsets", "the words of a pattern that leave each crossing a word")
    options = (
        Option.choice(
            "order",
            ("fewest", "greedy", "shortest"),
            "the next entry: fewest fills, or longest or shortest through a critical square",
        ),
        Option.choice("improve", ("no", "monte-carlo", "sections"), "how to improve the first fill"),
        Option.number("rounds", 0, 0, 1_000_000, "rounds of improvement; 0 for as many as time allows"),
        Option.number("keep", 5, 1, 1000, "how many fills Monte Carlo keeps to start rounds from"),
        Option.number("section", 5, 1, 40, "side of the section to refill, in squares"),
        Option.number("limit", 20_000, 1, 10**9, "nodes after which orders greedy and shortest give up"),
        Option.number("look-ahead", 0, 0, 3, "levels to look ahead when ordering the best words"),
        Option.number("flatten", 0, 0, 100, "how much to flatten the scores of words, in percent"),
        TIES,
    )

    draws = False
    """Whether words are drawn at random in proportion to their worth, rather than best first."""
    gave_up = False
    """Whether a search was abandoned before all was tried."""

    @property
    def improves(self) -> bool:
        return self.values.word("improve") != "no"

    @property
    def is_complete(self) -> bool:
        """Whether it finds every fill: only the plain search by fewest fills does."""
        return not self.improves and self.values.word("order") == "fewest"

    @property
    def proves_impossible(self) -> bool:
        """Whether the search for the first fill was exhaustive."""
        return super().proves_impossible or not self.gave_up

    def word_worth(self, word: str) -> float:
        return float(max(self.board.score(word), 0) ** (1 - self.values.number("flatten") / 100))

    def explore(self) -> Iterator[Event]:
        most = None if self.values.word("order") == "fewest" else self.values.number("limit")
        while (yield from self.descend(0, most)):
            if self.improves:
                yield from self._improve()
                return
            yield self.solved()
            if not (yield from self.backtrack()):
                return
        if self.gave_up:
            self.reason = f"{self.name} gave up after {most:,} nodes; that proves nothing"

    # Choices

    def next_slot(self) -> int | None:
        slots = self.open_slots()
        if self.values.word("order") != "fewest" and slots:
            return self._through_critical_square()
        by_words = sorted((self.bitmaps.fitting(slot).bit_count(), slot) for slot in slots)
        self.ranked = [(slot, counted(words, "word")) for words, slot in by_words[:5]]
        return by_words[0][1] if by_words else None

    def _through_critical_square(self) -> int:
        board = self.board
        words = [self.bitmaps.fitting(slot) for slot in range(len(board.slots))]
        empty = [square for square, symbol in enumerate(board.symbols) if symbol == EMPTY]
        critical = min(empty, key=lambda square: len(self._scores.of(square, words)))
        sign = 1 if self.values.word("order") == "shortest" else -1
        slots = sorted(
            (slot for slot, _ in board.places[critical]), key=lambda slot: sign * len(board.slots[slot].squares)
        )
        self.ranked = [
            (slot, f"{len(board.slots[slot].squares)} squares through {board.positions[critical]}")
            for slot in slots
        ]
        return slots[0]

    @cached_property
    def _scores(self) -> LetterScores:
        return LetterScores(self.board, self.bitmaps, sums_scores=False)

    def words_for(self, slot: int) -> Iterable[str]:
        """Return words that leave each crossing a word: best score first, by look-ahead, or drawn at random."""
        words, levels = list(self.fresh(slot, self.bitmaps.surviving(slot))), self.values.number("look-ahead")
        if self.draws:
            return self._drawn(slot, words)
        if levels == 0:
            return words
        best = sorted(words[:_COMPARED], key=lambda word: -self._estimate_with(slot, word, levels - 1))
        return [*best, *words[_COMPARED:]]

    # Better fills

    def _improve(self) -> Iterator[Event]:
        """Yield the fill on the board, then each fill better than all before, and end with the best on the board.

        Ends after `rounds` rounds; with 0 it continues, unless there is nothing to improve.
        """
        self.initial_contents = {}
        kept, rounds = [self.kept_fill()], self.values.number("rounds")
        round_ = self._change_decision if self.values.word("improve") == "monte-carlo" else self._refill_section
        yield self.solved()
        while kept[0].decisions and (rounds == 0 or self.rounds < rounds):
            best = kept[0].worth
            self.rounds += 1
            yield from round_(kept)
            if kept[0].worth > best:
                yield self.solved()
        yield from self.replay(kept[0].decisions)

    def _change_decision(self, kept: list[RatedFill]) -> Iterator[Event]:
        """Branch off one of the best fills: another word at one decision, then search on as usual."""
        seed = self.rng.choice(kept).decisions
        if not seed:
            return
        place = self.rng.randrange(len(seed))
        yield from self.replay(seed[:place])
        slot = seed[place][0]
        words = list(self.words_for(slot))
        yield self.choose(OpenChoice(slot, None, "", deque(self._drawn(slot, words)[:1])))
        if (yield from self.descend(place + 1, NODES_A_ROUND)):
            self._keep(kept, self.values.number("keep"))

    def _refill_section(self, kept: list[RatedFill]) -> Iterator[Event]:
        """Clear the entries through a random square section of the best fill, and refill them at random."""
        stays = self._outside_of_section(kept[0])
        yield from self.replay(stays)
        self.draws = True
        is_filled = yield from self.descend(len(stays), NODES_A_ROUND)
        self.draws = False
        if is_filled:
            self._keep(kept, 1)

    def descend(self, floor: int = 0, most: int | None = None) -> Generator[Event, None, bool]:
        """Fill the open slots like `fill_on`, but give up after `most` decisions."""
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
        yield self.restart()
        for slot, word in decisions:
            yield self.choose(OpenChoice(slot, None, "", deque([word])))

    def kept_fill(self) -> RatedFill:
        board = self.board
        answers = (board.read(slot, board.pattern(slot)) for slot in range(len(board.slots)))
        decisions = tuple((choice.slot, choice.chosen) for choice in self.stack if choice.slot is not None)
        return RatedFill(math.fsum(map(self.word_worth, answers)), tuple(board.symbols), decisions)

    def _keep(self, kept: list[RatedFill], most: int) -> None:
        fill = self.kept_fill()
        if all(fill.symbols != other.symbols for other in kept):
            kept.append(fill)
            kept.sort(key=lambda one: one.worth, reverse=True)
            del kept[most:]

    def _drawn(self, slot: int, words: list[str]) -> list[str]:
        """Return words in random order, each drawn in proportion to its worth."""
        worth = [max(self.word_worth(self.board.read(slot, word)), 1e-6) for word in words]
        waits = {word: self.rng.expovariate(each) for word, each in zip(words, worth, strict=True)}
        return sorted(words, key=waits.__getitem__)

    def _outside_of_section(self, fill: RatedFill) -> list[Answer]:
        """Return a fill's answers in the entries that do not touch a random section."""
        board = self.board
        empty = [at for number, at in enumerate(board.positions) if number not in board.given]
        if not empty:
            return []
        middle, reach = self.rng.choice(empty), self.values.number("section") / 2
        section = {
            number
            for number, at in enumerate(board.positions)
            if abs(at.row - middle.row) < reach and abs(at.column - middle.column) < reach
        }
        return [
            (number, "".join([fill.symbols[square] for square in slot.squares]))
            for number, slot in enumerate(board.slots)
            if section.isdisjoint(slot.squares) and not board.given.keys() >= set(slot.squares)
        ]

    # Estimates

    def estimate(self, levels: int = 0) -> int:
        """Return how promising the board is: the summed options of the open entries, or 0 if one has none.

        With levels to look ahead, the sum of this estimate over the ten best words of the next entry.
        """
        slots = self.open_slots()
        options = [self.bitmaps.fitting(slot).bit_count() for slot in slots]
        if 0 in options or self.board.has_repeats:
            return 0
        if not slots or levels == 0:
            return sum(options) or 1
        slot = slots[options.index(min(options))]
        words = islice(self.fresh(slot, self.bitmaps.surviving(slot)), _COMPARED)
        return sum(self._estimate_with(slot, word, levels - 1) for word in list(words))

    def _estimate_with(self, slot: int, word: str, levels: int) -> int:
        written = self.board.put_word(slot, word)
        estimate = self.estimate(levels)
        self.board.take_all(written)
        return estimate


def look_ahead(task: Task, levels: int) -> int:
    """Return Copeland's estimate with some levels of look-ahead; raises EngineError if there is no board."""
    values = OptionValues.of(Copeland.name, Copeland.options)
    return Copeland(task, values, seed=0).estimate(levels)
