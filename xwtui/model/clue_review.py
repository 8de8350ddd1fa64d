"""What an editor would object to in the clues, entry by entry."""

import enum
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from xwtui.model.enumeration import told_enumeration
from xwtui.model.letters import KNOWN
from xwtui.model.markup import references
from xwtui.model.puzzle import Puzzle
from xwtui.model.slots import Slot
from xwtui.text import first_named, listed, without_accents

LONGEST_CLUE = 505
"""Characters after which Across Lite breaks."""

_SHORTEST_TOLD = 3
"""Letters of an answer that may not stand in its own clue; shorter ones are there by chance."""

_SHORTEST_PART, _SHORTEST_REST = 4, 3
"""Letters of a word that may not be the beginning or end of its clue's answer, if that has so many more."""

_WORD = re.compile(rf"[{KNOWN}]+")
_POINTER = re.compile(r"(?:see|with) (?:note|title|\d+)\b.*", re.IGNORECASE)
"""A clue that says no more than where the clue stands, which several entries may."""

_NAMED = re.compile(
    r"\b(\d{1,3}(?:-?(?:, ?(?:and |or )?| and | or | ?& ?)\d{1,3})*)(?:-(?i:(across|down))| (Across|Down))\b"
)
"""Entries that a clue names in plain text: `17-Across`, `5-, 12- and 30-Down`, `See 9 Down`."""

_BARE_POINTER = re.compile(r"see (\d{1,3})\.?", re.IGNORECASE)
_MOST_NAMED = 8


class ClueFault(enum.Enum):
    """What can be wrong with a clue; the value is what the review calls it."""

    MISSING = "missing clue"
    STALE = "stale clue"
    TELLING = "telling clue"
    REPEATED = "repeated clue"
    LONG = "long clue"
    LOST_REFERENCE = "reference to no entry"
    ENUMERATION = "enumeration"
    NOTED = "note from solving"


class ClueRemark(NamedTuple):
    """What is to be said of the clue of one entry; the message names that entry."""

    fault: ClueFault
    slot: Slot
    message: str
    others: tuple[Slot, ...] = ()
    """The other entries that it is about."""


def clue_remarks(puzzle: Puzzle, *, wants_enumerations: bool = False) -> tuple[ClueRemark, ...]:
    """All that there is to say of the clues, entry by entry.

    Where the outlet `wants_enumerations`, each clue is to end in one, as in `(5,4)`.
    """
    by_text = _by_text(puzzle)
    slots = puzzle.grid.entries
    return tuple(one for slot in slots for one in _of_entry(puzzle, slot, by_text, wants_enumerations))


def entry_remarks(puzzle: Puzzle, slot: Slot, *, wants_enumerations: bool = False) -> tuple[ClueRemark, ...]:
    """What there is to say of the clue of one entry."""
    return tuple(_of_entry(puzzle, puzzle.grid.entry_of(slot), _by_text(puzzle), wants_enumerations))


def _of_entry(
    puzzle: Puzzle, slot: Slot, by_text: Mapping[str, Sequence[Slot]], wants_enumerations: bool
) -> Iterator[ClueRemark]:
    source, stale = puzzle.clue(slot), puzzle.stale_clue(slot)
    if note := puzzle.solver_note(slot):
        yield ClueRemark(ClueFault.NOTED, slot, f"{slot.name}, noted while solving: {note}")
    yield from _enumeration_remarks(puzzle, slot)
    if stale is not None:
        yield ClueRemark(ClueFault.STALE, slot, stale.words)
    elif not source:
        yield ClueRemark(ClueFault.MISSING, slot, f"{slot.name} has no clue")
    else:
        text = puzzle.printed_clue(slot)
        yield from _text_remarks(slot, text, puzzle.answer(slot))
        yield from _reference_remarks(puzzle, slot, source)
        if wants_enumerations and puzzle.enumeration(slot) is None:
            yield from _told_remarks(puzzle, slot, text)
        yield from _repeat_remarks(slot, by_text.get(_folded(text), ()))


def remarks_by_entry(puzzle: Puzzle, *, wants_enumerations: bool = False) -> dict[str, tuple[ClueRemark, ...]]:
    """The same by the names of the entries that have any."""
    by_entry: dict[str, tuple[ClueRemark, ...]] = {}
    for remark in clue_remarks(puzzle, wants_enumerations=wants_enumerations):
        by_entry[remark.slot.name] = (*by_entry.get(remark.slot.name, ()), remark)
    return by_entry


def _text_remarks(slot: Slot, text: str, answer: str | None) -> Iterator[ClueRemark]:
    if answer is not None and len(answer) >= _SHORTEST_TOLD:
        words, bare = _words(text), without_accents(answer)
        if _tells(words, bare):
            message = f"the clue of {slot.name} contains its answer, {answer}"
            yield ClueRemark(ClueFault.TELLING, slot, message)
        elif part := next((word for word in words if _is_part(word, bare)), None):
            message = f"the clue of {slot.name} contains {part} from its answer, {answer}"
            yield ClueRemark(ClueFault.TELLING, slot, message)
    if len(text) > LONGEST_CLUE:
        message = f"the clue of {slot.name} has {len(text)} characters; Across Lite allows {LONGEST_CLUE}"
        yield ClueRemark(ClueFault.LONG, slot, message)


def _words(text: str) -> list[str]:
    return _WORD.findall(without_accents(text).upper())


def _tells(words: Sequence[str], answer: str) -> bool:
    """Whether some words of a clue, one after the other, are an answer; diacritics do not count."""
    return any(
        answer == "".join(words[first:end])
        for first in range(len(words))
        for end in range(first + 1, min(first + len(answer), len(words)) + 1)
    )


def _is_part(word: str, answer: str) -> bool:
    """Whether a word is likely one of those that an answer is made of."""
    if not _SHORTEST_PART <= len(word) <= len(answer) - _SHORTEST_REST:
        return False
    return answer.startswith(word) or answer.endswith(word)


def _reference_remarks(puzzle: Puzzle, slot: Slot, source: str) -> Iterator[ClueRemark]:
    lost = [each.source for each in references(source) if each.slot(puzzle.grid) is None]
    lost += _lost_in_text(puzzle, puzzle.printed_clue(slot))
    if lost:
        message = f"the clue of {slot.name} refers to {first_named(lost, _MOST_NAMED)}, which does not exist"
        yield ClueRemark(ClueFault.LOST_REFERENCE, slot, message)


def _lost_in_text(puzzle: Puzzle, text: str) -> Iterator[str]:
    """The entries that a clue names in plain text and that are none, as it names them."""
    entries = puzzle.grid.slots_by_name
    for found in _NAMED.finditer(text):
        way = (found[2] or found[3]).title()
        yield from (
            f"{number}-{way}" for number in re.findall(r"\d+", found[1]) if f"{int(number)}{way[0]}" not in entries
        )
    pointer = _BARE_POINTER.fullmatch(text)
    if pointer is not None and not {f"{int(pointer[1])}{way}" for way in "AD"} & entries.keys():
        yield pointer[1]


def _enumeration_remarks(puzzle: Puzzle, slot: Slot) -> Iterator[ClueRemark]:
    """That the enumeration of an answer has too few letters, or too many of a complete one."""
    told, answer = puzzle.enumeration(slot), puzzle.answer(slot)
    if told is None:
        return
    says = f"the enumeration of {slot.name} is {told.printed}, of {told.letters} letters"
    letters = puzzle.letter_count(slot)
    if answer is not None and told.letters != letters:
        yield ClueRemark(ClueFault.ENUMERATION, slot, f"{says}, but {answer} has {letters}")
    elif answer is None and told.letters < letters:
        yield ClueRemark(ClueFault.ENUMERATION, slot, f"{says}, but it has {letters} squares")


def _told_remarks(puzzle: Puzzle, slot: Slot, text: str) -> Iterator[ClueRemark]:
    """That a clue without an enumeration beside it ends in none, or in one of another number of letters."""
    answer, letters, told = puzzle.answer(slot), puzzle.letter_count(slot), told_enumeration(text)
    if told is None:
        message = f"the clue of {slot.name} does not end in an enumeration such as ({letters})"
        yield ClueRemark(ClueFault.ENUMERATION, slot, message)
    elif answer is not None and sum(map(int, re.findall("[0-9]+", told))) != letters:
        message = f"the clue of {slot.name} says {told}, but {answer} has {letters} letters"
        yield ClueRemark(ClueFault.ENUMERATION, slot, message)


def _by_text(puzzle: Puzzle) -> dict[str, list[Slot]]:
    """The entries by the text of their clues, as far as that is to be theirs alone."""
    by_text: dict[str, list[Slot]] = defaultdict(list)
    for slot in puzzle.grid.entries:
        text = _folded(puzzle.printed_clue(slot))
        if text and not _POINTER.fullmatch(text):
            by_text[text].append(slot)
    return by_text


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")


def _repeat_remarks(slot: Slot, alike: Sequence[Slot]) -> Iterator[ClueRemark]:
    others = tuple(other for other in alike if other != slot)
    if others:
        message = f"{slot.name} has the same clue as {listed([other.name for other in others], 'and')}"
        yield ClueRemark(ClueFault.REPEATED, slot, message, others)
