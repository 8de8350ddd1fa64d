"""Naive twins of the global constraints, clash squares and treated entries, checked on complete fills."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from tests.naive.engine import read_answer
from xwtui.model import Content, Direction, Grid, Position, Slot
from xwtui.model.entering import Entering, Treatment
from xwtui.model.rules.constraints import AlteredEntries, TwoReadings

Fill = Mapping[Position, Content]


@dataclass(frozen=True)
class SquaresHold:
    """Between `least` and `most` of some squares hold one of these contents."""

    squares: tuple[Position, ...]
    contents: frozenset[Content]
    least: int
    most: int

    def obeyed(self, _grid: Grid, fill: Fill) -> bool:
        return self.least <= sum(fill[position] in self.contents for position in self.squares) <= self.most


@dataclass(frozen=True)
class EntriesHave:
    """Between `least` and `most` entries have one of these answers."""

    answers: frozenset[str]
    least: int
    most: int

    def obeyed(self, grid: Grid, fill: Fill) -> bool:
        return self.least <= sum(answer in self.answers for answer in answers(grid, fill)) <= self.most


@dataclass(frozen=True)
class Alike:
    """Either both squares hold one of these contents, or neither does."""

    first: Position
    second: Position
    contents: frozenset[Content]

    def obeyed(self, _grid: Grid, fill: Fill) -> bool:
        return (fill[self.first] in self.contents) == (fill[self.second] in self.contents)


@dataclass(frozen=True)
class NothingShared:
    """No two answers share a key."""

    keys: Callable[[str], frozenset[str]]

    def obeyed(self, grid: Grid, fill: Fill) -> bool:
        """Whether no two answers share a key."""
        keys = [self.keys(answer) for answer in answers(grid, fill)]
        return sum(map(len, keys)) == len(frozenset().union(*keys))


GlobalConstraint = SquaresHold | EntriesHave | Alike | NothingShared


def answers(grid: Grid, fill: Fill) -> Sequence[str]:
    return [read_answer(fill, slot) for slot in grid.slots]


def runs(length: int) -> Callable[[str], frozenset[str]]:
    """Return a function that lists a word's runs of `length` letters."""
    return lambda word: frozenset(word[start : start + length] for start in range(len(word) - length + 1))


ClashFill = dict[Position, Content]


def clash_fills(
    grid: Grid, words: Sequence[str], asked: Sequence[TwoReadings], *, allow_repeats: bool
) -> Iterator[tuple[ClashFill, dict[str, str]]]:
    """Yield all fills with their answers; entries given whole may have any answer.

    Partial fills with more clashes than all rules together allow are pruned.
    """
    limits = [None if one.message else one.most for one in asked]
    most = sum(len(grid.squares) if limit is None else limit for limit in limits)

    def on(
        slots: Sequence[Slot], answers: dict[str, str], read: dict[Position, str], clashes: int
    ) -> Iterator[tuple[ClashFill, dict[str, str]]]:
        if clashes > most:
            return
        if not slots:
            fill = contents_of(grid, answers)
            if may_stand(grid, fill, asked) and all(obeys(grid, fill, one) for one in asked):
                yield fill, answers
            return
        slot, *others = slots
        for word in _words_for(grid, slot, words):
            if allow_repeats or word not in answers.values():
                letters = dict(zip(slot.positions, word, strict=False))
                more = sum(
                    read.get(at, letter) != letter and not _given(grid, at) for at, letter in letters.items()
                )
                yield from on(others, answers | {slot.name: word}, read | letters, clashes + more)

    yield from on(grid.slots, {}, {}, 0)


def _words_for(grid: Grid, slot: Slot, words: Sequence[str]) -> list[str]:
    """Return the words that fit an entry's given squares."""
    given = [square.content if (square := grid[at]).is_given else None for at in slot.positions]
    readings = [None if content is None else content.reading(slot.direction) for content in given]
    if None not in readings:
        return ["".join(letter or "" for letter in readings)]
    fitting = (word for word in words if len(word) == len(slot))
    return [word for word in fitting if all(g in (None, letter) for g, letter in zip(readings, word, strict=True))]


def contents_of(grid: Grid, answers: Mapping[str, str]) -> ClashFill:
    """Return each square's content: the across letter, and the down letter if it differs."""
    read: dict[Position, dict[Direction, str]] = {}
    for slot in grid.slots:
        for at, letter in zip(slot.positions, answers[slot.name], strict=True):
            read.setdefault(at, {})[slot.direction] = letter
    fill = {at: Content(*(way.get(side) or min(way.values()) for side in Direction)) for at, way in read.items()}
    return {at: _given(grid, at) or content for at, content in fill.items()}


def may_stand(grid: Grid, fill: ClashFill, asked: Sequence[TwoReadings]) -> bool:
    """Whether squares clash only where a rule allows it, and no given letter clashes."""
    return all(
        not content.is_letter_pair or _given(grid, at) == content or any(at in where(grid, one) for one in asked)
        for at, content in fill.items()
    )


def _given(grid: Grid, at: Position) -> Content | None:
    return grid[at].content if grid[at].is_given else None


def where(grid: Grid, asked: TwoReadings) -> list[Position]:
    """Return the crossed squares that a rule is about, row by row."""
    crossed = [at for at in grid.open_positions() if sum(at in slot.positions for slot in grid.slots) == 2]
    return [at for at in crossed if not asked.squares or at in asked.squares]


def obeys(grid: Grid, fill: Mapping[Position, Content], asked: TwoReadings) -> bool:
    """Whether a full grid has the clashes a rule requires, with its pairs and its message."""
    clashes = [fill[at] for at in where(grid, asked) if fill[at].across != fill[at].down]
    if asked.pairs and any(content.across + content.down not in asked.pairs for content in clashes):
        return False
    if asked.message:
        letters = [
            content.across + content.down if asked.by is None else content.reading(asked.by) for content in clashes
        ]
        return "".join(letters) == asked.message
    if asked.least is None and asked.most is None:
        return len(clashes) == len(asked.squares)
    return (asked.least or 0) <= len(clashes) <= (len(fill) if asked.most is None else asked.most)


LETTERS = "ABC"

Read = tuple[str, str, str]
"""Entered form, answer, and the treatment's letter: `*` if it has none, empty for an untreated answer."""


def treated(treatment: Treatment, word: str) -> Iterator[tuple[str, str]]:
    """Yield every form in which a word may be entered, with the treatment's letter."""
    places = range(len(word))
    match treatment.how:
        case Entering.DROP:
            yield from ((word[:at] + word[at + 1 :], word[at]) for at in places)
        case Entering.ADD:
            yield from ((word[:at] + new + word[at:], new) for at in range(len(word) + 1) for new in LETTERS)
        case Entering.CHANGE:
            yield from (
                (word[:at] + new + word[at + 1 :], new) for at in places for new in LETTERS if new != word[at]
            )
        case Entering.JUMBLE:
            yield from ((text, "*") for each in permutations(word) if (text := "".join(each)) != word)
        case Entering.REVERSE:
            yield word[::-1], "*"
        case Entering.REMOVE:
            yield word.replace(treatment.text, ""), "*"
        case Entering.VOWELS:
            yield "".join(letter for letter in word if letter not in "AEIOU"), "*"


def readings(
    asked: AlteredEntries, words: Mapping[str, int], *, is_in: bool, has_every: bool = False
) -> list[Read]:
    """Return what an entry may enter; of answers with the same form and letter, only the best.

    With `has_every` all such answers are included.
    """
    found: list[Read] = []
    if is_in:
        for word in words:
            for entered, letter in treated(asked.treatment, word):
                is_allowed = not asked.letters or letter in asked.letters
                if is_allowed and (asked.count is None or entered != word):
                    found.append((entered, word, letter))
    if not is_in or asked.count is not None:
        found += [(word, word, "") for word in words]
    best: dict[tuple[str, ...], Read] = {}
    for entered, word, letter in sorted(found, key=lambda read: -words[read[1]]):
        told = letter if asked.message and is_in else letter and "*"
        key = (entered, told if asked.count is not None and is_in else "")
        best.setdefault((*key, word) if has_every else key, (entered, word, letter))
    return list(best.values())


def fills(
    grid: Grid,
    words: Mapping[str, int],
    asked: AlteredEntries,
    *,
    allow_repeats: bool = False,
    has_every: bool = False,
) -> Iterator[dict[Slot, Read]]:
    """Yield every fill of an empty grid, with different answers unless `allow_repeats`."""
    lights = [slot for slot in grid.slots if asked.is_about(slot)]
    of_slot = {slot: readings(asked, words, is_in=slot in lights, has_every=has_every) for slot in grid.slots}

    def on(at: int, squares: dict[Position, str], chosen: dict[Slot, Read]) -> Iterator[dict[Slot, Read]]:
        if at == len(grid.slots):
            letters = [chosen[slot][2] for slot in lights if chosen[slot][2]]
            counts = asked.count is None or len(letters) == asked.count
            if counts and (not asked.message or "".join(letters) == asked.message):
                yield dict(chosen)
            return
        slot = grid.slots[at]
        used = set() if allow_repeats else {answer for _, answer, _ in chosen.values()}
        for read in of_slot[slot]:
            placed = dict(zip(slot.positions, read[0], strict=False))
            is_fitting = len(read[0]) == len(slot) and read[1] not in used
            if is_fitting and all(squares.get(where, letter) == letter for where, letter in placed.items()):
                yield from on(at + 1, squares | placed, {**chosen, slot: read})

    return on(0, {}, {})
