"""TheF#WORD: the most constrained pattern takes the least constraining word, and dead ends jump back.

Source: Mladen Janković, "TheF#WORD - Crossword Generator", CodeProject, 2017. A pattern is an entry.

Each step fills the pattern with the fewest options. From a pool of its options it takes the word with the greatest
product of log(1 + options left) over the unfilled patterns that cross it, and those are forward-checked. A pattern
without options is inconsistent, and the search jumps back (`back=jump`):

1. All its squares are marked as conflicted; filling a pattern clears the marks of its squares.
2. The target is the crossing pattern that was filled last, by its stamp; if none is filled, the pattern that was
   filled last of all.
3. The target is undone, and so is what depends on it: crossing patterns filled later, and so on from these.
4. What was undone, and the patterns that cross it, get their options from the dictionary again.
5. The target's options lose all words with the same letters on its conflicted squares (`filter=one`).

`filter=independent` is the better filter that the article leaves open: conflicts depend on each other if undone
patterns link them, and each group of such conflicts makes a filter of its own, which more words match, and so
prunes more.

`check=ac-3` follows the article on forward checking: "it is possible to implement more sophisticated consistency
checks such as arc consistency (AC-3 algorithm), but these might be expensive operations". Arc consistency of the
unfilled patterns is recomputed after each step, so the options that it removes come back when the step is undone.
`shortest` is the `minPatternLength` of its code: "shorter patterns are not considered during the construction".
They end up as their crossings make them, and stay empty where nothing crosses them.

Where the source is silent, our choices are these. The target keeps only its untried options, and the inconsistent
pattern gets its own options back even if it does not cross the target; otherwise neither could ever change. If
every word of the pool leaves some pattern without options, the first is taken, and the dead end informs the
filter. The pool is drawn at random, or by score (`draw=no`: "random behaviors are disabled"). Words already in the
grid are skipped.

The method is not complete: a jump ignores that other patterns helped to empty one, pruned words stay away when
patterns that the target does not depend on change, and words that must differ link patterns that do not cross. It
ends with its first fill, or without a proof. As options come back it may cycle, so it gives up after `limit`
nodes. With `back=step` it backtracks step by step, prunes nothing, and reaches every fill.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping

from xwtui.engine.events.event import Event, EventKind
from xwtui.engine.problem.task import Task
from xwtui.strategies.backtracker import OpenChoice
from xwtui.strategies.board import EMPTY, Board
from xwtui.strategies.protocol import Option, OptionValues, WordLookUp
from xwtui.strategies.word_search import WordSearch
from xwtui.text import counted


class Conflicts:
    """The squares of inconsistent slots, marked until a slot through them is filled again."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.marked: set[int] = set()
        """The marked squares."""

    def mark(self, slot: int) -> None:
        self.marked.update(self._board.slots[slot].squares)

    def clear(self, slot: int) -> None:
        self.marked.difference_update(self._board.slots[slot].squares)

    def filters(self, kind: str, target: int, undone: Collection[int]) -> list[list[int]]:
        """Return groups of places in the target whose letters failed together.

        With `one`, the article's own filter, all marked squares form one group. With `independent`, there is a
        group for each set of conflicts that depend on each other: those linked by slots undone together with the
        target. With `none`, there are no groups.
        """
        squares = self._board.slots[target].squares
        if kind == "one":
            places = [at for at, square in enumerate(squares) if square in self.marked]
            return [places] if places else []
        crossings = self._board.crossings[target] if kind == "independent" else ()
        conflicts = [(at, other) for at, other, _ in crossings if squares[at] in self.marked]
        links = {*undone, *(other for _, other in conflicts)} - {target}
        groups: dict[frozenset[int], list[int]] = {}
        for at, other in conflicts:
            groups.setdefault(self._linked(other, links), []).append(at)
        return list(groups.values())

    def _linked(self, slot: int, links: Collection[int]) -> frozenset[int]:
        """Return a slot, those of `links` that cross it, those that cross these, and so on."""
        found = [slot]
        for one in found:
            crossing = dict.fromkeys(other for _, other, _ in self._board.crossings[one])
            found += [other for other in crossing if other in links and other not in found]
        return frozenset(found)


class Stamps:
    """The step in which each filled slot was filled."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._steps: dict[int, int] = {}
        self.last = 0
        """The number of the last step."""

    def put(self, slot: int) -> None:
        """Stamp a filled slot with a new step."""
        self.last += 1
        self._steps[slot] = self.last

    def take(self, slot: int) -> None:
        """Remove the stamp of a slot that is no longer filled."""
        del self._steps[slot]

    def target(self, inconsistent: int) -> int | None:
        """Return the slot to jump back to: filled last of those that cross it, else of all; None if none is."""
        crossing = [other for _, other, _ in self._board.crossings[inconsistent] if other in self._steps]
        return max(crossing or self._steps, key=self._steps.__getitem__, default=None)

    def dependent_on(self, target: int) -> set[int]:
        """Return a filled slot, those that cross it and were filled later, and so on from these."""
        found = [target]
        for slot in found:
            stamp = self._steps[slot]
            crossing = [other for _, other, _ in self._board.crossings[slot]]
            found += {other for other in crossing if self._steps.get(other, 0) > stamp}.difference(found)
        return set(found)


class FSharpWord(WordSearch):
    """The most constrained pattern first, the least constraining word, backjumps by stamps, pruning."""

    name = "fsharp-word"
    summary = "fewest options first, then the roomiest word; jumps back by stamps, prunes by conflict marks"
    source = "TheF#WORD, CodeProject"
    index = WordLookUp("bitsets", "the words of a pattern, and their letters at a square")
    options = (
        Option.number("pool", 10, 1, 10_000, "how many words are compared"),
        Option.switch("draw", True, "draw the pool at random, not from the best scores"),
        Option.choice("check", ("forward", "ac-3"), "prune only the crossing patterns of a word, or all patterns"),
        Option.number("shortest", 2, 2, 40, "the shortest pattern considered"),
        Option.choice("back", ("jump", "step"), "jump to the latest crossing pattern, or go back step by step"),
        Option.choice("filter", ("one", "independent", "none"), "how conflicts prune the options of the target"),
        Option.number("limit", 1_000_000, 1, 10**9, "nodes after which a search that jumps gives up"),
    )
    looks_ahead = False

    def __init__(self, task: Task, values: OptionValues, seed: int) -> None:
        super().__init__(task, values, seed)
        self.shortest, slots = values.number("shortest"), self.board.slots
        self._queue = {slot for slot in self.open_slots() if len(slots[slot].squares) >= self.shortest}
        """The unfilled patterns."""
        self._options: list[int] = []
        """The untried words of each pattern; those of a filled one are in its choice."""
        self._consistent: list[int] = []
        """The options that are arc consistent with the other unfilled patterns; all options if `check=forward`."""
        self._stamps = Stamps(self.board)
        self._conflicts = Conflicts(self.board)

    @property
    def is_complete(self) -> bool:
        """Whether it finds every fill: only if it does not jump, and omits no pattern."""
        return self.values.word("back") == "step" and self.shortest == 2

    @property
    def domain_sizes(self) -> Mapping[str, int]:
        return {
            slot.name: options.bit_count()
            for slot, options in zip(self.board.slots, self._consistent, strict=False)
        }

    def explore(self) -> Iterator[Event]:
        self._options = [self.bitmaps.fitting(slot) for slot in range(len(self.board.slots))]
        steps = self.values.word("back") == "step"
        while True:
            yield from self._check()
            slot = self.next_slot()
            if slot is None:
                full = self.solved()
                yield full
                is_done = full.kind is EventKind.SOLVED and not steps
                if is_done or not (yield from self._step_back()):
                    return
                continue
            words = deque(self.words_for(slot))
            if words:
                yield from self._fill(OpenChoice(slot, None, "", words))
                continue
            yield self.wipe_out(slot)
            if not (yield from (self._step_back() if steps else self._jump_back(slot))):
                return

    # Selection

    def next_slot(self) -> int | None:
        by_options = sorted((self._consistent[slot].bit_count(), slot) for slot in self._queue)
        self.ranked = [(slot, counted(options, "option")) for options, slot in by_options[:5]]
        return by_options[0][1] if by_options else None

    def words_for(self, slot: int) -> Iterable[str]:
        """Return the options, with the pool first and the least constraining words first in it."""
        words = list(self.fresh(slot, self._consistent[slot]))
        size = min(self.values.number("pool"), len(words))
        pool = self.rng.sample(words, size) if self.values.is_on("draw") else words[:size]
        pool.sort(key=lambda word: self._weight(slot, word), reverse=True)
        pooled = set(pool)
        return [*pool, *(word for word in words if word not in pooled)]

    def _weight(self, slot: int, word: str) -> float:
        """Return the product of log(1 + options left) over the unfilled patterns that cross a word."""
        left = (
            self._consistent[other] & self.bitmaps.of[other].having(other_at, word[at])
            for at, other, other_at in self.board.crossings[slot]
            if other in self._queue
        )
        return math.prod(math.log(1 + options.bit_count()) for options in left)

    def _fill(self, choice: OpenChoice) -> Iterator[Event]:
        """Fill a pattern with its next word, and check forward."""
        slot = choice.slot or 0
        yield self.choose(choice)
        self._stamps.put(slot)
        self._queue.remove(slot)
        self._conflicts.clear(slot)
        for at, other, other_at in self.board.crossings[slot]:
            if other in self._queue:
                before = self._options[other]
                self._options[other] &= self.bitmaps.of[other].having(other_at, choice.chosen[at])
                if self._options[other] != before:
                    square = self.board.slots[slot].squares[at]
                    yield self.pruned(other, before, self._options[other], square=square, other=slot)

    def _check(self) -> Iterator[Event]:
        """Compute arc consistency of the unfilled patterns (AC-3), if `check` is ac-3."""
        self._consistent = list(self._options)
        waiting = deque(sorted(self._queue) if self.values.word("check") == "ac-3" else ())
        while waiting:
            slot = waiting.popleft()
            for at, other, other_at in self.board.crossings[slot]:
                if other not in self._queue:
                    continue
                before = self._consistent[other]
                symbols = self.bitmaps.of[slot].symbols(self._consistent[slot], at)
                after = self._consistent[other] = before & self.bitmaps.of[other].having(other_at, symbols)
                if after != before:
                    square = self.board.slots[slot].squares[at]
                    yield self.pruned(other, before, after, square=square, other=slot)
                    if not after:
                        return
                    if other not in waiting:
                        waiting.append(other)

    # Backtracking

    def _jump_back(self, inconsistent: int) -> Generator[Event, None, bool]:
        """Backjump from a pattern without options; return False if none is filled, or after too many nodes."""
        if self._stamps.last >= self.values.number("limit"):
            self.reason = f"{self.name} gave up after {self._stamps.last:,} nodes; that proves nothing"
            return False
        self._conflicts.mark(inconsistent)
        target = self._stamps.target(inconsistent)
        if target is None:
            return False
        undone = self._stamps.dependent_on(target)
        failed, *later = [choice for choice in self.stack if choice.slot in undone]
        for choice in reversed(later):
            self._unfill(choice)
            yield self.jumped(choice)
        self._unfill(failed)
        yield self.refuted(failed)
        self._restore({*undone, inconsistent})
        self._options[target] = self.bitmaps.of[target].bits(failed.left)
        yield from self._prune(target, failed.chosen, undone)
        return True

    def _unfill(self, choice: OpenChoice) -> None:
        """Erase a pattern's word, anywhere on the stack: nothing that remains depends on it."""
        slot = choice.slot or 0
        self.stack = [other for other in self.stack if other is not choice]
        self.board.take_all(choice.written)
        choice.written = ()
        self._stamps.take(slot)
        self._queue.add(slot)

    def _restore(self, undone: Collection[int]) -> None:
        """Restore all options that fit the board to patterns, and to the unfilled ones that cross them."""
        crossing = {other for slot in undone for _, other, _ in self.board.crossings[slot]}
        for slot in crossing.union(undone) & self._queue:
            self._options[slot] = self.bitmaps.fitting(slot)

    def _step_back(self) -> Generator[Event, None, bool]:
        """Backtrack to a pattern with options left, and fill it with the next; return False if there is none."""
        while self.stack:
            choice = self.stack[-1]
            self._unfill(choice)
            self._restore({choice.slot or 0})
            yield self.refuted(choice)
            if choice.left:
                yield from self._fill(choice)
                return True
        return False

    # Pruning

    def _prune(self, target: int, failed: str, undone: Collection[int]) -> Iterator[Event]:
        """Remove the target's options that repeat what failed on its conflicted squares."""
        for places in self._conflicts.filters(self.values.word("filter"), target, undone):
            repeating = self.bitmaps.of[target].every
            for at in places:
                repeating &= self.bitmaps.of[target].having(at, failed[at])
            before = self._options[target]
            self._options[target] &= ~repeating
            if self._options[target] != before:
                pattern = "".join(letter if at in places else EMPTY for at, letter in enumerate(failed))
                yield self.pruned(target, before, self._options[target], word=self.board.read(target, pattern))
