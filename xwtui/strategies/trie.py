"""Letter by letter with a trie in each direction: Knuth's word rectangles on any block pattern.

Sources: D. E. Knuth, The Art of Computer Programming 7.2.2 (Volume 4B), word rectangles, and his program
BACK-MXN-WORDS-MXN, which fills a matrix cell by cell; Bob Copeland, who muses that this is close to crossword
filling, "except that it uses trie data structures to cut down on the number of possible words".

A trie holds an entry's words by their first letters. Each started entry has a node in its trie, which moves down
with each letter and back up again, so no prefix is ever looked up. The legal letters of a square are those that
branch in both tries: iterate over the smaller branch table and test the other. Dead ends undo one letter, and
every fill is found.

The sources do not cover blocks or given letters. Here an entry starts when all squares before its own in the other
direction are filled, wherever the blocks put that. Words that contradict given squares are left out of an entry's
trie, so that a given letter prunes from the first square on. `order=rows` is Knuth's order. `order=fewest` takes,
of all squares that are ready, the one with the fewest letters, and notices a dead end at any of them. Neither gets
far on grids with blocks, as mistakes show only rows later. So `order=anywhere` does not build entries from their
beginnings: the levels of a trie are the entry's squares in the order in which they are decided (each node is split
when a letter is chosen), and the next square is the one with the fewest letters overall. `order=hardest` divides
that number by the dead ends of both entries (constraint weighting, Boussemart et al., ECAI 2004), and restarts
after a growing number of dead ends. `letters=likely` first tries the letters that most words of both entries have.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from heapq import nsmallest
from itertools import islice
from math import prod

from xwtui.engine.events.event import Event, Rank
from xwtui.engine.problem.task import Task
from xwtui.strategies.backtracker import Backtracker, OpenChoice
from xwtui.strategies.board import EMPTY
from xwtui.strategies.protocol import Option, OptionValues, WordLookUp
from xwtui.words.sorted_index import GivenWords
from xwtui.words.trie import PatternNode, Trie

_SHOWN_RANKS = 5


class DoubleTrie(Backtracker):
    """The nodes of two tries determine the letters of each square."""

    name = "trie"
    summary = "letter by letter, fewest choices first; a letter is legal if the tries of both entries have it"
    source = "Knuth, The Art of Computer Programming 7.2.2, word rectangles; Copeland, On board the rebus"
    index = WordLookUp("tries", "the letters of a pattern with gaps; row by row, those after a prefix")
    options = (
        Option.choice(
            "order",
            ("hardest", "anywhere", "rows", "fewest"),
            "which square is next: the one with the fewest letters for its entries' dead ends, the one with the "
            "fewest letters, row by row, or the one with the fewest that both entries have reached; hardest "
            "restarts now and then",
        ),
        Option.choice("letters", ("likely", "shuffled", "alphabetical"), "the order in which letters are tried"),
    )
    places_letters = True

    def __init__(self, task: Task, values: OptionValues, seed: int) -> None:
        super().__init__(task, values, seed)
        self._is_anywhere = self.learns or values.word("order") == "anywhere"
        self._entries = [[place.slot for place in places] for places in self.board.places]
        """The slots through each square."""
        self._paths: list[list[PatternNode]] = []
        """For each slot, the path of trie nodes from the root to its current node."""
        self._measured: dict[int, tuple[float, int, list[str]]] = {}
        """Cached measurements of squares whose entries have not changed."""

    @property
    def ranking(self) -> tuple[Rank, ...]:
        """The squares compared for the last decision, in the order of `order`.

        Row by row, these are the square decided last and the squares that are ready now.
        """
        if self.values.word("order") == "rows":
            made = [choice for choice in self.stack if choice.square not in self.board.given][-1:]
            found = [(choice.square or 0, len(choice.left) + 1) for choice in made]
            squares = range(len(self.board.positions)) if self.stack else ()
            ready = [one for one in squares if self._is_ready(one) and one not in self.board.given]
            found += ((one, len(self._letters(one))) for one in ready[:_SHOWN_RANKS])
            self.ranked = [(square, f"{count} letters") for square, count in found[:_SHOWN_RANKS]]
        return super().ranking

    def explore(self) -> Iterator[Event]:
        self._prepare()
        while True:
            square, letters = self._next_square()
            if square is None:
                yield self.solved()
            elif letters:
                yield self.choose(OpenChoice(None, square, "", deque(letters)))
                continue
            else:
                yield self.emptied_square(square, self._counts(square)[0])
                self._forget(square)
            if not (yield from self.backtrack()):
                return

    def _prepare(self) -> None:
        lists = {id(slot.words): slot.words for slot in self.board.slots}
        tries = {one: Trie(GivenWords(dict.fromkeys(words, 0))) for one, words in lists.items()}
        roots: dict[tuple[int, str], PatternNode] = {}
        for number, slot in enumerate(self.board.slots):
            key = id(slot.words), self.board.pattern(number)
            if key not in roots:
                roots[key] = PatternNode(list(tries[key[0]].matches(key[1])), keeps=True)
            self._paths.append([roots[key]])

    # Forward

    def _next_square(self) -> tuple[int | None, list[str]]:
        """Return the next square and the letters to try there; None if the board is full."""
        every_ready = (square for square in range(len(self.board.positions)) if self._is_ready(square))
        ready = islice(every_ready, 1) if self.values.word("order") == "rows" else every_ready
        best = nsmallest(_SHOWN_RANKS, [self._measured.get(square) or self._measure(square) for square in ready])
        self.ranked = [
            (square, self.weighed(f"{len(letters)} letters", *self._entries[square]))
            for _, square, letters in best
        ]
        if not best:
            return None, []
        _, square, letters = best[0]
        return square, self._in_order(square, letters)

    def _is_ready(self, square: int) -> bool:
        """Whether a square is next in each of its entries or, if any square may be next, is empty."""
        if self._is_anywhere:
            return self.board.symbols[square] == EMPTY
        return all(len(self._paths[slot]) == at + 1 for slot, at in self.board.places[square])

    def _measure(self, square: int) -> tuple[float, int, list[str]]:
        """Return the square's sort key, the square, and the letters to try there.

        The result is cached while its entries are unchanged, unless the square completes one: then the legal
        letters also depend on other answers.
        """
        letters = self._letters(square)
        measured = len(letters) / self.weight(*self._entries[square]), square, letters
        if not any(self.board.is_last(slot) for slot in self._entries[square]):
            self._measured[square] = measured
        return measured

    def _letters(self, square: int) -> list[str]:
        """Return the letters that branch in both tries and repeat no answer."""
        fewest, *others = sorted(self._counts(square), key=len)
        letters = [letter for letter in fewest if all(letter in other for other in others)]
        return letters if square in self.board.given else self.board.fresh(square, letters)

    def _in_order(self, square: int, letters: list[str]) -> list[str]:
        letters = sorted(letters)
        match self.values.word("letters"):
            case "shuffled":
                self.rng.shuffle(letters)
            case "likely":
                counts = self._counts(square)
                letters.sort(key=lambda letter: -prod(each[letter] for each in counts))
        return letters

    def _counts(self, square: int) -> list[Mapping[str, int]]:
        """For each entry of a square, how many of its words have each letter there."""
        return [self._paths[slot][-1].counts(at) for slot, at in self.board.places[square]]

    def choose(self, choice: OpenChoice) -> Event:
        """Write the next letter of a choice and move down in both tries."""
        event, square = super().choose(choice), choice.square or 0
        for slot, at in self.board.places[square]:
            self._paths[slot].append(self._paths[slot][-1].having(at, choice.chosen))
        self._forget(square)
        return event

    def undo(self) -> OpenChoice:
        choice = super().undo()
        for slot in self._entries[choice.square or 0]:
            self._paths[slot].pop()
        self._forget(choice.square or 0)
        return choice

    def _forget(self, changed: int) -> None:
        """Drop the cached measurements of all squares in the entries through a changed square."""
        for slot in self._entries[changed]:
            for square in self.board.slots[slot].squares:
                self._measured.pop(square, None)
