"""Naive twin of entries that enter something else than their answers: text by text, and every fill."""

from collections.abc import Iterator, Mapping
from itertools import permutations

from xwtui.model import Grid, Position, Slot
from xwtui.model.entering import Entering, Treatment
from xwtui.model.rules.constraints import TreatedEntries

LETTERS = "ABC"

Read = tuple[str, str, str]
"""What is entered, the answer, and the letter that tells how; `*` where none does, empty for the answer itself."""


def treated(treatment: Treatment, word: str) -> Iterator[tuple[str, str]]:
    """All that a word may enter, with the letter that tells how."""
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


def readings(asked: TreatedEntries, words: Mapping[str, int], *, is_in: bool) -> list[Read]:
    """What an entry may enter; of those that enter the same, as far as that is told, the best answer alone."""
    found: list[Read] = []
    if is_in:
        for word in words:
            for entered, letter in treated(asked.treatment, word):
                is_allowed = not asked.letters or letter in asked.letters
                if is_allowed and (asked.count is None or entered != word):
                    found.append((entered, word, letter))
    if not is_in or asked.count is not None:
        found += [(word, word, "") for word in words]
    best: dict[tuple[str, str], Read] = {}
    for entered, word, letter in sorted(found, key=lambda read: -words[read[1]]):
        told = letter if asked.message and is_in else letter and "*"
        key = (entered, told if asked.count is not None and is_in else "")
        best.setdefault(key, (entered, word, letter))
    return list(best.values())


def fills(grid: Grid, words: Mapping[str, int], asked: TreatedEntries) -> Iterator[dict[Slot, Read]]:
    """Every fill of an empty grid in which all answers differ."""
    lights = [slot for slot in grid.slots if asked.is_about(slot)]
    of_slot = {slot: readings(asked, words, is_in=slot in lights) for slot in grid.slots}

    def on(at: int, squares: dict[Position, str], chosen: dict[Slot, Read]) -> Iterator[dict[Slot, Read]]:
        if at == len(grid.slots):
            letters = [chosen[slot][2] for slot in lights if chosen[slot][2]]
            counts = asked.count is None or len(letters) == asked.count
            if counts and (not asked.message or "".join(letters) == asked.message):
                yield dict(chosen)
            return
        slot = grid.slots[at]
        used = {answer for _, answer, _ in chosen.values()}
        for read in of_slot[slot]:
            placed = dict(zip(slot.positions, read[0], strict=False))
            is_fitting = len(read[0]) == len(slot) and read[1] not in used
            if is_fitting and all(squares.get(where, letter) == letter for where, letter in placed.items()):
                yield from on(at + 1, squares | placed, {**chosen, slot: read})

    return on(0, {}, {})
