"""Words that are excluded from an entry or allowed again, and edits of the personal list."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from xwtui.dataclasses import dataclass
from xwtui.errors import WordListError
from xwtui.model import Ink, Puzzle, Slot, edits
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.rules import Barred
from xwtui.text import first_named
from xwtui.words.layers import find_user_lists
from xwtui.words.list_files import LIST_FILES
from xwtui.words.personal_list import NEVER, LineChange, PersonalList


class Exclusion(NamedTuple):
    """A word that is excluded from an entry."""

    entry: str
    word: str


def excluded_words(puzzle: Puzzle, slot: Slot) -> tuple[str, ...]:
    """Return the words excluded from an entry, latest last."""
    return tuple(word for rule in edits.entry_rules(puzzle, slot).of(Barred) for word in rule.strings)


def excluding(puzzle: Puzzle, slot: Slot, word: str) -> Puzzle:
    """Exclude a word from an entry; if the limit is exceeded, the earliest exclusion is dropped."""
    before = edits.entry_rules(puzzle, slot)
    after = before.barring(word)
    return puzzle if after is before else edits.with_entry_rules(puzzle, slot, after)


def allowing(puzzle: Puzzle, slot: Slot, word: str) -> Puzzle:
    """Allow a word at an entry again, if it was excluded."""
    before = excluded_words(puzzle, slot)
    if word not in before:
        return puzzle
    left = tuple(one for one in before if one != word)
    rules = edits.entry_rules(puzzle, slot).with_all(Barred, [Barred(left)] if left else [])
    return edits.with_entry_rules(puzzle, slot, rules)


def allowing_written(before: Puzzle, after: Puzzle, along: Slot | None) -> tuple[Puzzle, tuple[Exclusion, ...]]:
    """Allow again the words that an edit wrote; returns the puzzle and the exclusions that were lifted.

    The written entry is `along`, if given; otherwise every entry with a square whose given content changed.
    Answers that result at crossings or in pencil do not count as written.
    """
    if not after.rules.entries or before.grid is after.grid:
        return after, ()
    if along is None:
        grid, old = after.grid, before.grid
        same_size = (grid.height, grid.width) == (old.height, old.width)
        written = {at for at in grid.positions() if grid[at].is_given and same_size and grid[at] != old[at]}
        slots = [slot for slot in grid.entries if not written.isdisjoint(slot.positions)]
    else:
        slots = [after.grid.entry_of(along)]
    admitted: list[Exclusion] = []
    for slot in slots:
        word = after.answer(slot)
        is_new = slot not in before.grid.entries or before.answer(slot) != word
        if word is not None and is_new and word in excluded_words(after, slot):
            after = allowing(after, slot, word)
            admitted.append(Exclusion(slot.name, word))
    return after, tuple(admitted)


def allowed_again_words(words: Sequence[Exclusion]) -> str:
    """Return the message about words that are allowed again: `BAG is allowed at 1A again`."""
    return ", ".join(f"{one.word} is allowed at {one.entry} again" for one in words)


def still_in_grid_lines(puzzle: Puzzle, words: Collection[str]) -> list[str]:
    """Return a line for each banned word that is still in the grid, with the verb that replaces it."""
    grid, lines = puzzle.grid, list[str]()
    for slot in grid.entries:
        answer, inks = puzzle.answer(slot), {grid[at].ink for at in slot.positions}
        if answer not in words:
            continue
        how = f" in pen: `pencil {slot.name}` lets other words replace it"
        if Ink.PENCIL in inks:
            how = f": `reject {slot.name}` or `{'refill' if grid.is_filled else 'fill'}` replaces it"
        elif Ink.LOCKED in inks:
            how = f" and is locked: `unlock {slot.name}` lets you replace it"
        lines.append(f"{answer} is at {slot.name}{how}")
    return lines


Way: TypeAlias = Literal["undo", "redo"]


@dataclass(frozen=True)
class PersonalEdit:
    """The changes that an edit made in the file of the personal list."""

    personal: PersonalList
    changes: tuple[LineChange, ...]

    @classmethod
    def make(cls, scores: Mapping[str, int | None], alphabet: Alphabet = ENGLISH) -> PersonalEdit:
        """Set the words' scores in the personal list, or remove them (None); raises WordListError."""
        personal = PersonalList()
        made = cls(personal, personal.edit(scores, alphabet))
        LIST_FILES.take(personal.path)
        return made

    def apply(self, way: Way) -> str:
        """Undo or redo the edit; returns a message, which is usually empty."""
        try:
            follow = self.personal.revert if way == "undo" else self.personal.reapply
            left = follow(self.changes)
        except WordListError as error:
            return f"your own list is unchanged: {error}"
        finally:
            LIST_FILES.take(self.personal.path)
        if left:
            return f"changed in your own list since, so left alone: {first_named(left)}"
        return ""


def list_edit_notes(puzzle: Puzzle, scores: Mapping[str, int]) -> list[str]:
    """Return the notes after an edit of the personal list, if it has no effect or a banned word is in the grid.

    It has no effect for words that the puzzle itself scores, or while the list is off. Words that the puzzle wants
    stay allowed.
    """
    own, is_on = puzzle.words.scores, find_user_lists().personal is not None
    notes = [
        f"in this puzzle {word} has its own score, {own[word]}, which counts here"
        for word in scores
        if word in own
    ]
    if not is_on:
        return [*notes, "your own list is off: `lists on mine` turns it on"]
    banned = [word for word, score in scores.items() if score == NEVER and word not in own]
    return [*notes, *still_in_grid_lines(puzzle, [word for word in banned if word not in puzzle.rules.wanted])]
