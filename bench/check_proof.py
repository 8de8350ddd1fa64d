"""Check a proof of `fill --proof FILE` that a grid has no fill: `python -m bench.check_proof GRID WORDS FILE`.

It shares no code with the engine that wrote the proof. GRID: `.` open, `#` block, letters given. WORDS: one `WORD`
or `WORD;SCORE` per line.

A proof is a search tree in depth-first order, one node per line. `r3c5 E` or `17A WORD` branches on a square or an
entry: first comes the proof for the case that it takes this letter or word, then the proof for the case that it
does not. `-` closes a branch in which propagation alone empties a domain. Every decision has both branches, so the
proof covers all fills.

Propagation: an entry keeps the words whose letters are all in the domains of its squares. A square keeps the
letters that have support in every entry through it. If answers must differ, the only word left for an entry is
removed from all other entries.
"""

import hashlib
import sys
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import count, takewhile
from pathlib import Path

ORDINARY = 50  # default score of a word
MOST_KEPT = 30_000  # cached results per word length


@cache
def bits_of(number: int) -> tuple[int, ...]:
    """Return the set bits of a number, each as a power of two."""
    return tuple(1 << place for place in range(number.bit_length()) if number >> place & 1)


class Words:
    """The words of one length. A set of words is an int used as a bitset, and so is a set of letters."""

    def __init__(self, words: Iterable[str], letters: dict[str, int], length: int) -> None:
        self.bits = {word: 1 << number for number, word in enumerate(words)}
        self.words = list(self.bits)
        self.having = [dict.fromkeys(letters.values(), 0) for _ in range(length)]  # words by position and letter
        for word, bit in self.bits.items():
            for place, letter in enumerate(word):
                self.having[place][letters[letter]] |= bit
        having = self.having
        self.with_letters = lru_cache(MOST_KEPT)(lambda at, mask: sum(having[at][bit] for bit in bits_of(mask)))
        self._shown: dict[int, tuple[int, ...]] = {}

    def shown(self, some: int, masks: list[int]) -> tuple[int, ...]:
        """Return the letters supported by some words at each position, limited to `masks`; cached."""
        if some not in self._shown:
            if len(self._shown) > MOST_KEPT:
                self._shown.clear()
            self._shown[some] = tuple(
                mask if mask & (mask - 1) == 0 else sum([bit for bit in bits_of(mask) if having[bit] & some])
                for mask, having in zip(masks, self.having, strict=True)
            )
        return self._shown[some]


def runs_of(rows: list[str]) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield the name and squares of every run of two or more open squares."""
    cells = {(row, column) for row, line in enumerate(rows) for column, sign in enumerate(line) if sign != "#"}
    number = 0
    for row, column in sorted(cells):
        across = list(takewhile(cells.__contains__, ((row, at) for at in count(column))))
        down = list(takewhile(cells.__contains__, ((at, column) for at in count(row))))
        is_across = (row, column - 1) not in cells and len(across) > 1
        is_down = (row - 1, column) not in cells and len(down) > 1
        number += is_across or is_down
        yield from [(f"{number}A", across)] * is_across + [(f"{number}D", down)] * is_down


class Board:
    """The domains of squares and entries, with a trail for undoing changes."""

    def __init__(self, rows: list[str], words: list[str], *, may_repeat: bool) -> None:
        runs = dict(runs_of(rows))
        cells = sorted({cell for run in runs.values() for cell in run})
        given = {(row, column): rows[row][column] for row, column in cells if rows[row][column] != "."}
        letters = {letter: 1 << at for at, letter in enumerate(sorted({*"".join(words), *given.values()}))}
        lengths = list(map(len, runs.values()))
        tables = {size: Words((word for word in words if len(word) == size), letters, size) for size in lengths}
        self.slots: list[tuple[list[int], Words]] = []
        self.through: list[list[tuple[int, int]]] = [[] for _ in cells]
        for at, run in enumerate(runs.values()):
            answer = "".join(given.get(cell, "") for cell in run)
            own = Words([answer], letters, len(run)) if len(answer) == len(run) else tables[len(run)]
            self.slots.append((list(map(cells.index, run)), own))
            for place, square in enumerate(self.slots[at][0]):
                self.through[square].append((at, place))
        self.alike = {n: [at for at, size in enumerate(lengths) if size == n and not may_repeat] for n in lengths}
        self.masks = [letters.get(given.get(cell, ""), (1 << len(letters)) - 1) for cell in cells]
        self.sizes = [len(words.words) for _, words in self.slots]
        self.domains = [(1 << size) - 1 for size in self.sizes]
        self.trail: list[tuple[list[int], int, int]] = []  # list, index and old value of each change
        # slots to revise, with their changed positions
        self.changed = {at: set(range(size)) for at, size in enumerate(lengths)}
        squares = {f"r{row + 1}c{column + 1}": (self.masks, at, letters) for at, (row, column) in enumerate(cells)}
        self.places = squares | {name: (self.domains, at, self.slots[at][1].bits) for at, name in enumerate(runs)}

    def decide(self, place: str, choice: str, *, is_so: bool) -> bool:
        """Assign a letter to a square or a word to an entry, or remove it. Return False on a wipe-out."""
        if place not in self.places:
            raise ValueError(f"there is no {place}")
        values, at, bits = self.places[place]
        return self._narrow(values, at, bits.get(choice, 0) if is_so else ~bits.get(choice, 0))

    def _narrow(self, values: list[int], at: int, left: int) -> bool:
        left &= values[at]
        if left != values[at]:
            self.trail.append((values, at, values[at]))
            values[at] = left
            if values is self.domains:
                self.trail.append((self.sizes, at, self.sizes[at]))
                self.sizes[at] = left.bit_count()
                self.changed.setdefault(at, set())
            else:
                for slot, place in self.through[at]:
                    self.changed.setdefault(slot, set()).add(place)
        return left != 0

    def propagate(self) -> bool:
        """Propagate all changes to a fixpoint. Return False on a wipe-out."""
        while self.changed:
            at = min(self.changed, key=self.sizes.__getitem__)
            (squares, words), domain = self.slots[at], self.domains[at]
            for place in self.changed.pop(at):
                domain &= words.with_letters(place, self.masks[squares[place]])
            if not self._narrow(self.domains, at, domain):
                return False
            shown = words.shown(domain, [self.masks[square] for square in squares])
            for square, mask in zip(squares, shown, strict=True):
                if self.masks[square] != mask:
                    self._narrow(self.masks, square, mask)
            self.changed.pop(at, None)
            for rival in self.alike[len(squares)] if self.sizes[at] == 1 else ():
                bit = 0 if rival == at else self.slots[rival][1].bits.get(words.words[domain.bit_length() - 1], 0)
                if self.domains[rival] & bit and not self._narrow(self.domains, rival, ~bit):
                    return False
        return True

    def undo(self, height: int) -> None:
        """Undo changes until the trail has this height."""
        self.changed.clear()
        while len(self.trail) > height:
            values, number, before = self.trail.pop()
            values[number] = before


def follow(board: Board, steps: Iterable[str]) -> int:
    """Check the steps of a proof and return the number of leaves. Raises ValueError if it is not a proof."""
    decided: list[tuple[str, str, int]] = []
    denied, is_open, leaves, is_over = "", board.propagate(), 0, False
    for number, step in enumerate(steps, 1):
        place, _, choice = step.partition(" ")
        # A sibling choice at the same place makes the removed value irrelevant, so propagation can wait.
        if is_open and denied not in ("", place):
            is_open = board.propagate()
        if is_over or (place == "-" and is_open):
            raise ValueError(f"step {number}: {'the proof was over before' if is_over else 'something is left'}")
        if place != "-":
            decided.append((place, choice, len(board.trail)))
            denied, is_open = "", board.decide(place, choice, is_so=True) and is_open and board.propagate()
            continue
        leaves, is_over = leaves + 1, not decided
        if decided:
            denied, choice, height = decided.pop()
            board.undo(height)
            is_open = board.decide(denied, choice, is_so=False)
    if not is_over:
        raise ValueError("the proof is cut off")
    return leaves


def read_words(text: str, lowest: int) -> set[str]:
    """Return the words that score at least `lowest`, in capitals, with only letters and digits kept."""
    lines = [line.split(";") for line in text.upper().splitlines() if line and not line.startswith("#")]
    scored = [line for line in lines if int(line[1] if len(line) > 1 else ORDINARY) >= lowest]
    return {"".join(filter(str.isalnum, line[0])) for line in scored}


def check(grid: str, words: str, proof: Iterable[str]) -> int:
    """Check a proof with its header and return the number of leaves.

    Raises ValueError if it does not prove that this grid has no fill.
    """
    steps = map(str.rstrip, proof)
    head = list(iter(lambda: next(steps, "steps"), "steps"))
    rows = ["".join(row.split()).replace("_", "#") for row in grid.split("\n") if row.strip()]
    if len(head) < 7 or head[0] != "xwtui proof 1" or head[6:] != rows:
        raise ValueError("this is no proof, or one for another grid")
    lengths = {len(run) for _, run in runs_of(rows)}
    listed = sorted(word for word in read_words(words, int(head[2].split()[1])) if len(word) in lengths)
    if head[4] != f"words {len(listed)} sha256 {hashlib.sha256(' '.join(listed).encode()).hexdigest()}":
        raise ValueError("this is a proof for other words")
    return follow(Board(rows, listed, may_repeat=head[3] == "repeats yes"), steps)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        print(__doc__)
        sys.exit("--help" not in sys.argv)
    try:
        grid_text, words_text = (Path(name).read_text(encoding="utf-8") for name in sys.argv[1:3])
        with Path(sys.argv[3]).open(encoding="utf-8") as file:
            print(f"accepted: there is no fill; leaves: {check(grid_text, words_text, file):,}")
    except (ValueError, IndexError, OSError) as error:
        sys.exit(f"refused: {error}")
