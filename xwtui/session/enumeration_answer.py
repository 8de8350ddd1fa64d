"""What is told of enumerations: of one entry or of all, with what is suggested for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from xwtui.clues.suggestions import SuggestedEnumeration, suggested_enumerations
from xwtui.errors import VerbError
from xwtui.model import Puzzle, Slot
from xwtui.model.enumeration import AnswerEnumeration, WholeClue
from xwtui.session.answers import VerbAnswer
from xwtui.session.wording import counted

if TYPE_CHECKING:
    from xwtui.words.lexicon import Lexicon


_LONGEST_GUESS = 8
"""Letters of an answer that is guessed to be one word where nobody is known to write it."""


class ToldEnumeration(NamedTuple):
    """An entry with its enumeration, and what is suggested for its answer."""

    slot: Slot
    answer: str | None
    letters: int
    enumeration: AnswerEnumeration | None
    suggested: tuple[SuggestedEnumeration, ...]

    @property
    def line(self) -> str:
        """`1A ICECREAM: (3,5)`, with what is suggested where none is told or another one."""
        told = "no enumeration" if self.enumeration is None else self.enumeration.printed
        named = f"{self.slot.label} {self.answer}" if self.answer is not None else self.slot.label
        others = [each for each in self.suggested if each.enumeration != self.enumeration]
        words = ", ".join(f"{each.enumeration.printed} by {each.source.value}" for each in others)
        remark = ""
        if self.enumeration is not None and self.answer is not None and self.enumeration.letters != self.letters:
            remark = f" ({self.answer} has {counted(self.letters, 'letter')})"
        return f"{named}: {told}{remark}{f'; suggested: {words}' if words else ''}"

    @property
    def as_json(self) -> dict[str, Any]:
        """The same with names."""
        return {
            "entry": self.slot.name,
            "answer": self.answer,
            "letters": self.letters,
            "enumeration": None if self.enumeration is None else str(self.enumeration),
            "suggested": [
                {"enumeration": str(each.enumeration), "from": each.source.value} for each in self.suggested
            ],
        }


def told_of(puzzle: Puzzle, slot: Slot, lexicon: Lexicon | None) -> ToldEnumeration:
    """What there is to tell of one entry."""
    answer = puzzle.answer(slot)
    suggested = () if answer is None else suggested_enumerations(answer, puzzle.alphabet, lexicon)
    return ToldEnumeration(slot, answer, puzzle.letter_count(slot), puzzle.enumeration(slot), suggested)


@dataclass(frozen=True)
class EnumerationsAnswer(VerbAnswer):
    """The enumerations of some entries of a puzzle."""

    puzzle: Puzzle
    told: tuple[ToldEnumeration, ...]

    @property
    def lines(self) -> Sequence[str]:
        """A line an entry."""
        return [each.line for each in self.told] or ["no entries yet"]

    @property
    def as_json(self) -> dict[str, Any]:
        """The entries."""
        return {"entries": [each.as_json for each in self.told]}

    @property
    def puzzles(self) -> tuple[Puzzle, ...]:
        """The puzzle with its enumerations."""
        return (self.puzzle,)


def checked(puzzle: Puzzle, slot: Slot, told: AnswerEnumeration) -> AnswerEnumeration:
    """An enumeration that agrees with its entry; raises VerbError for another number of letters."""
    answer, letters = puzzle.answer(slot), puzzle.letter_count(slot)
    if answer is not None and told.letters != letters:
        raise VerbError(
            f"{slot.name} {answer} has {counted(letters, 'letter')}, and {told.printed} {told.letters}"
        )
    if answer is None and told.letters < letters:
        raise VerbError(f"{slot.name} has {counted(letters, 'square')}, and {told.printed} {told.letters} letters")
    return told


@dataclass(frozen=True)
class TakenEnumerations(VerbAnswer):
    """Enumerations that were taken for all entries that had none, by where they are from."""

    puzzle: Puzzle
    of_clues: tuple[ToldEnumeration, ...]
    """Those that stood behind their clues."""
    suggested: tuple[ToldEnumeration, ...]
    whole: tuple[ToldEnumeration, ...]
    """Those of answers that nobody is known to write: guessed to be one word."""
    left: tuple[ToldEnumeration, ...]
    """Answers that nobody is known to write, and too long to be guessed: they have none."""

    @property
    def lines(self) -> Sequence[str]:
        """How many, those of several parts each, the answers that are guessed, and those that are left without."""
        told = [*self.of_clues, *self.suggested]
        head = f"{counted(len(told) + len(self.whole), 'enumeration')} taken"
        parted = (each for each in told if each.enumeration is not None and each.enumeration.breaks)
        return [
            head,
            *(f"  {each.slot.name} {each.answer}: {each.enumeration}" for each in parted),
            *self._unknown(),
        ]

    def _unknown(self) -> Iterator[str]:
        if self.whole:
            yield f"guessed to be one word, as neither word lists nor WordNet write them: {_names(self.whole)}"
        if self.left:
            example = f"`enumeration {self.left[0].slot.name} 3,5`"
            yield f"left without, too long to be guessed: {_names(self.left)}; {example} says how it is written"

    @property
    def as_json(self) -> dict[str, Any]:
        """The entries by where their enumerations are from."""
        return {
            "from_clues": [each.as_json for each in self.of_clues],
            "suggested": [each.as_json for each in self.suggested],
            "one_word": [each.as_json for each in self.whole],
            "left": [each.as_json for each in self.left],
        }

    @property
    def puzzles(self) -> tuple[Puzzle, ...]:
        """The puzzle with them."""
        return (self.puzzle,)


def _names(told: Sequence[ToldEnumeration]) -> str:
    return ", ".join(f"{each.slot.name} {each.answer}" for each in told)


def with_all_taken(puzzle: Puzzle, lexicon: Lexicon | None) -> TakenEnumerations:
    """What the answers without an enumeration are given: that behind the clue, the first suggested, or one word.

    An enumeration behind a clue stays where it is if it has another number of letters than the answer. A long
    answer that nobody is known to write is left without: few of those are one word.
    """
    taken: dict[str, list[ToldEnumeration]] = {"clue": [], "suggested": [], "whole": []}
    left: list[ToldEnumeration] = []
    for slot in puzzle.grid.entries:
        one = told_of(puzzle, slot, lexicon)
        if one.answer is None or one.enumeration is not None:
            continue
        behind = WholeClue.parted(puzzle.typed_clue(slot)).enumeration
        if behind is not None:
            puzzle = puzzle.with_whole_clue(slot, puzzle.typed_clue(slot))
            found = taken["clue"]
        elif not one.suggested and one.letters > _LONGEST_GUESS:
            left.append(one)
            continue
        else:
            first = one.suggested[0].enumeration if one.suggested else AnswerEnumeration((one.letters,))
            puzzle = puzzle.with_enumeration(slot, first)
            found = taken["suggested" if one.suggested else "whole"]
        if (enumeration := puzzle.enumeration(slot)) is not None:
            found.append(one._replace(enumeration=enumeration))
    of_clues, suggested, whole = map(tuple, taken.values())
    return TakenEnumerations(puzzle, of_clues, suggested, whole, tuple(left))
