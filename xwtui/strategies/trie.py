"""Letter by letter with a trie in each direction: Knuth's word rectangles on any block pattern.

Sources: D. E. Knuth, The Art of Computer Programming 7.2.2 (Volume 4B), word rectangles, and his program
BACK-MXN-WORDS-MXN, which fills a matrix cell by cell; Bob Copeland's musing that this is close to crossword
filling, "except that it uses trie data structures to cut down on the number of possible words".

A trie holds the words of an entry by their first letters. Each entry that has begun has a place in its
trie, which moves a step with each letter and back again: no prefix is ever looked up. The letters of a square are
those that lead on in both tries; the shorter list of branches is gone through, the other one asked.
Dead ends go back one letter; every fill is found.

Where the text is silent, for it knows no blocks and no given letters: an entry begins when all squares
before its own in the other direction are filled, wherever blocks put that. Words that contradict given
squares are left out of an entry's trie, so that a given letter bites from the first square on. `order=rows` is
Knuth's order; `order=fewest` takes, of all squares whose turn may come, the one with the fewest letters, and sees
a dead end at any of them. On grids with blocks neither comes far: what is wrong shows rows later. So
`order=anywhere` leaves beginnings behind: the levels of a trie are the squares of its entry in the order in which
they are decided (each node is parted when a letter is taken there), and of all squares the one with the fewest
letters is next. `order=hardest` divides them by the dead ends of both entries (constraints
weighed, Boussemart et al., ECAI 2004), and begins anew after so many dead ends, each time after more of them.
`letters=likely` tries first what most words of both entries have.
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
    """Two places in two tries decide on each letter."""

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
        """For each slot the nodes of its trie from the root to where it is."""
        self._measured: dict[int, tuple[float, int, list[str]]] = {}
        """What is known of squares whose entries stay as they are."""

    @property
    def ranking(self) -> tuple[Rank, ...]:
        """The squares whose turn might have come when the last one was chosen, as `order` has it.

        Row by row that is the one decided last, and those that are ready now.
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
                yield self.without_letter(square, self._counts(square)[0])
                self._forget(square)
            if not (yield from self.go_back()):
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

    # Forwards

    def _next_square(self) -> tuple[int | None, list[str]]:
        """The square whose turn it is and the letters to try there; None where the board is full."""
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
        """Whether a square is the next one of each of its entries; where any may be next, whether it is empty."""
        if self._is_anywhere:
            return self.board.symbols[square] == EMPTY
        return all(len(self._paths[slot]) == at + 1 for slot, at in self.board.places[square])

    def _measure(self, square: int) -> tuple[float, int, list[str]]:
        """What squares are compared by, the square, and the letters to try there.

        It is kept while its entries stay as they are, unless the square ends one: other answers count then, too.
        """
        letters = self._letters(square)
        measured = len(letters) / self.weight(*self._entries[square]), square, letters
        if not any(self.board.is_last(slot) for slot in self._entries[square]):
            self._measured[square] = measured
        return measured

    def _letters(self, square: int) -> list[str]:
        """The letters that lead on in the tries of both entries and repeat no answer."""
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
        """For each entry of a square how many of its words have each letter there."""
        return [self._paths[slot][-1].counts(at) for slot, at in self.board.places[square]]

    def choose(self, choice: OpenChoice) -> Event:
        """Write the next letter of a choice and take its step in both tries."""
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
        """Forget what is known of the squares of a square's entries, for these have changed."""
        for slot in self._entries[changed]:
            for square in self.board.slots[slot].squares:
                self._measured.pop(square, None)
