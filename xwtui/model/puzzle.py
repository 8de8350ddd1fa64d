"""The puzzle: a grid with its clues, title page and constructor's choices, together with undo and redo."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeVar

from xwtui.dataclasses import dataclass, field, replace
from xwtui.errors import PuzzleError
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.clues import (
    AnswerEnumeration,
    EntryClues,
    OrphanedClue,
    StaleClue,
    WholeClue,
    enumeration_in_text,
    pointer,
)
from xwtui.model.entering import EnteredAnswer
from xwtui.model.grid import Grid
from xwtui.model.markup import numbered, placed, printed
from xwtui.model.rules import Rules
from xwtui.model.rules.entry_rules import HIGHEST_SCORE
from xwtui.model.slots import Slot, SlotKey
from xwtui.model.where import Symmetry

LONGEST_TEXT = 10_000
"""Maximum number of characters in one title, clue or note."""

_NO_CLUES = EntryClues(())


@dataclass(frozen=True)
class WordChoice:
    """Which words may fill the puzzle.

    `lists` are paths or names of word lists, the first layer first (empty: the default list). `minimum_score` is 0
    to 100. `banned` words are never used. `scores` override the lists. The filler prefers words of the lists named
    in `preferred`, and avoids answers of the puzzles in the folder `recent` (empty: none) where it can. Neither of
    these forbids or allows a word.
    """

    lists: tuple[str, ...] = ()
    minimum_score: int = 40
    banned: frozenset[str] = frozenset()
    scores: Mapping[str, int] = field(default_factory=dict)
    preferred: tuple[str, ...] = ()
    recent: str = ""
    alphabet: Alphabet = ENGLISH
    """The puzzle's letters, in which all words are read."""
    is_graded: bool = False
    """Whether to grade the words of unscored lists by length and by how many of the lists have them."""

    def __post_init__(self) -> None:
        if not 0 <= self.minimum_score <= HIGHEST_SCORE:
            raise PuzzleError(f"scores go from 0 to {HIGHEST_SCORE}, not {self.minimum_score}")

    @property
    def never(self) -> frozenset[str]:
        """The words that the puzzle itself keeps out of every fill: those banned or scored 0."""
        return self.banned | {word for word, score in self.scores.items() if not score}


_TEXTS = ("title", "author", "copyright", "notes")


@dataclass(frozen=True)
class Puzzle:
    """An immutable puzzle; every edit returns a new one.

    `clues` are keyed by the slot's first square and direction, each with the answer that it was written for. An
    entry always has the clue of its current answer, whatever changes the grid. `foreign` holds fields of a file
    that xwtui does not know and writes back unchanged. `snapshots` are earlier states by name, which have no
    snapshots themselves. `solver_notes` are remarks on clues, made while solving. `profile` names an outlet's
    requirements for the grid (empty: none). `entered` maps slots to answers that are entered in a different form;
    an item applies only while the slot holds that form. Raises PuzzleError if a text is longer than `LONGEST_TEXT`
    characters.
    """

    grid: Grid
    clues: Mapping[SlotKey, EntryClues] = field(default_factory=dict)
    title: str = ""
    author: str = ""
    copyright: str = ""
    notes: str = ""
    symmetry: Symmetry = Symmetry.ROTATION_180
    words: WordChoice = WordChoice()
    rules: Rules = field(default_factory=Rules)
    foreign: Mapping[str, Any] = field(default_factory=dict)
    snapshots: Mapping[str, "Puzzle"] = field(default_factory=dict)
    solver_notes: Mapping[SlotKey, str] = field(default_factory=dict)
    profile: str = ""
    entered: Mapping[SlotKey, EnteredAnswer] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in _TEXTS:
            check_length(f"the {name}", getattr(self, name))
        for key, clues in self.clues.items():
            for clue in clues.clues:
                if len(clue.text) > LONGEST_TEXT:
                    slot = self.grid.slot_of(key)
                    check_length(
                        f"the clue {f'of {slot.name}' if slot is not None else f'at {key[0]}'}", clue.text
                    )
        for (at, _), note in self.solver_notes.items():
            check_length(f"the note on the clue at {at}", note)
        settled = dict(self.clues)
        for key, clues in self.clues.items():
            slot = self.grid.slot_of(key) if clues.may_settle else None
            if slot is not None and not self.grid.is_later_light(slot):
                settled[key] = clues.settled(self._read(slot))
        if any(settled[key] is not clues for key, clues in self.clues.items()):
            object.__setattr__(self, "clues", settled)

    @property
    def alphabet(self) -> Alphabet:
        return self.words.alphabet

    @classmethod
    def blank(cls, height: int, width: int, symmetry: Symmetry = Symmetry.ROTATION_180) -> "Puzzle":
        symmetry.check_fits(height, width)
        return cls(Grid.blank(height, width), symmetry=symmetry)

    def with_texts_of(self, other: "Puzzle") -> "Puzzle":
        """Return the puzzle with its missing title, author, copyright and notes taken from another puzzle."""
        return replace(self, **{name: getattr(self, name) or getattr(other, name) for name in _TEXTS})

    def clue(self, slot: Slot) -> str:
        """Return the clue of a slot's current answer in the syntax of `xwtui.model.markup`, or an empty string.

        An incomplete entry has the clue that was written while it was incomplete. The clue of linked lights is at
        the first; the others have a pointer, `See 1`. The slot may come from a copy of the grid without its bars.
        """
        if self.grid.is_later_light(slot):
            return pointer(self.grid, slot)
        own = self._clues_of(slot).own(self.answer(slot))
        return own.text if own is not None else ""

    def printed_clue(self, slot: Slot) -> str:
        """Return the clue as plain text, with references as entry numbers."""
        return printed(self.clue(slot), self.grid)

    def typed_clue(self, slot: Slot) -> str:
        """Return the clue as it is typed, with `{17A}` for a reference to another entry."""
        return numbered(self.clue(slot), self.grid)

    def enumeration(self, slot: Slot) -> AnswerEnumeration | None:
        """Return the enumeration of a slot's current answer, or None if it has none."""
        own = None if self.grid.is_later_light(slot) else self._clues_of(slot).own(self.answer(slot))
        return own.enumeration if own is not None else None

    def solver_clue(self, slot: Slot) -> str:
        """Return the clue as a solver reads it: plain text with its enumeration."""
        return str(WholeClue(self.printed_clue(slot), self.enumeration(slot)))

    def whole_clue(self, slot: Slot) -> str:
        """Return the clue as it is typed, with its enumeration."""
        return str(WholeClue(self.typed_clue(slot), self.enumeration(slot)))

    def kept_clue(self, slot: Slot) -> str:
        """Return the clue as it is stored, with its enumeration."""
        return str(WholeClue(self.clue(slot), self.enumeration(slot)))

    def letter_count(self, slot: Slot, answer: str | None = None) -> int:
        """Return the number of letters in a slot's answer, or the number of squares if the slot is incomplete.

        Letters in rebus squares count, and a digraph of the alphabet is one letter. With `answer`, count that
        answer's letters even if the slot now holds another.
        """
        answer = answer or self.answer(slot)
        return len(self.grid.entry_of(slot)) if answer is None else len(self.alphabet.units(answer))

    def answer(self, slot: Slot) -> str | None:
        """Return a slot's answer, which may differ from what is entered; None if a square is empty.

        The first of linked lights has the whole answer, and each of the others its part. The slot may come from a
        copy of the grid without its bars; then the result is None if no slot of this grid begins there.
        """
        return self._answers.get(slot.key)

    def entered_answer(self, slot: Slot) -> EnteredAnswer | None:
        """Return the answer and its entered form if the slot currently holds a different form, else None."""
        told = self.entered.get(slot.key)
        return told if told is not None and told.entered == self.grid.answer(self.grid.clue_slot(slot)) else None

    def shown_pattern(self, slot: Slot) -> str:
        """Return a slot as text, `SWEET[HEART]?`, or `PLANTS -> PANTS` if what is entered is not the answer."""
        return str(self.entered_answer(slot) or self.grid.pattern(slot))

    def with_entered(self, told: Mapping[SlotKey, EnteredAnswer | None]) -> "Puzzle":
        """Return the puzzle with these answers for what some slots enter; None means that the two are equal."""
        entered = {key: one for key, one in {**self.entered, **told}.items() if one is not None}
        return self if entered == self.entered else replace(self, entered=entered)

    @property
    def answers(self) -> Mapping[str, str]:
        """The answers of complete entries by entry name."""
        return {slot.name: answer for slot in self.grid.entries if (answer := self.answer(slot)) is not None}

    def _read(self, slot: Slot) -> str | None:
        told = self.entered_answer(slot) if self.entered else None
        return self.grid.answer(self.grid.clue_slot(slot)) if told is None else told.answer

    @cached_property
    def _answers(self) -> Mapping[SlotKey, str | None]:
        return {slot.key: self._read(slot) for slot in self.grid.clue_slots}

    @cached_property
    def stale_clues(self) -> tuple[StaleClue, ...]:
        """The entries whose current answer has no clue but that have clues of earlier answers, in slot order."""
        found = []
        for slot in self.grid.entries:
            clues, answer = self._clues_of(slot), self.answer(slot)
            own = clues.own(answer)
            if clues.written and (own is None or not own.text):
                found.append(StaleClue(slot, answer, clues.written[-1]))
        return tuple(found)

    @cached_property
    def orphaned_clues(self) -> tuple[OrphanedClue, ...]:
        """The clues of entries that no longer exist, in square order."""
        return tuple(
            OrphanedClue(*key, clues.written[-1])
            for key, clues in sorted(self.clues.items(), key=lambda item: (item[0][0], item[0][1].value))
            if clues.written and self.grid.slot_of(key) is None
        )

    def stale_clue(self, slot: Slot) -> StaleClue | None:
        return next((stale for stale in self.stale_clues if stale.slot.key == slot.key), None)

    def offered_clues(self, slot: Slot) -> tuple[str, ...]:
        """Return the clues elsewhere in the puzzle for a slot's answer: offered, never set automatically."""
        answer, own = self.answer(slot), self.clue(slot)
        if answer is None:
            return ()
        texts = [clue.text for clues in self.clues.values() for clue in clues.written if clue.answer == answer]
        return tuple(dict.fromkeys(text for text in reversed(texts) if text != own))

    def with_clue(self, slot: Slot, text: str, answer: str | None = None) -> "Puzzle":
        """Return the puzzle with another clue, as typed, for a slot's answer; an empty text removes the clue.

        The enumeration stays. With `answer`, the clue is for that answer even if the slot now holds another.
        """
        clues, answer = self._clues_of(slot), answer or self.answer(slot)
        own = clues.own(answer)
        changed = clues.with_own(answer, placed(text.strip(), self.grid), own.enumeration if own else None)
        return self._with_clues_of(slot, changed)

    def with_enumeration(
        self, slot: Slot, enumeration: AnswerEnumeration | None, answer: str | None = None
    ) -> "Puzzle":
        """Return the puzzle with another enumeration for a slot's answer, or none; `answer` as in `with_clue`."""
        clues, answer = self._clues_of(slot), answer or self.answer(slot)
        own = clues.own(answer)
        if (own.enumeration if own else None) == enumeration:
            return self
        return self._with_clues_of(slot, clues.with_own(answer, own.text if own else "", enumeration))

    def with_whole_clue(self, slot: Slot, text: str, answer: str | None = None) -> "Puzzle":
        """Return the puzzle with a clue and its enumeration as typed, `Frozen dessert (3,5)`.

        `answer` as in `with_clue`.

        Numbers at the end are the enumeration if they add up to the answer's letters, or if the answer already has
        an enumeration. Otherwise they are part of the clue. If the known enumeration follows a new one that fits
        the answer, as in `Uneven (5,4) (9)`, the new one replaces it. The known enumeration is kept if the clue
        gives its own in words, `(3,5; two words)`, and removed if the clue ends in none.
        """
        parted, letters = WholeClue.parted(text), self.letter_count(slot, answer)
        own = self._clues_of(slot).own(answer or self.answer(slot))
        is_told = own is not None and own.enumeration is not None
        if own is not None and is_told and parted.enumeration == own.enumeration:
            typed = WholeClue.parted(parted.text)
            if typed.enumeration is not None and typed.enumeration.letters == letters:
                parted = typed
        found = parted.enumeration
        if found is not None and (is_told or found.letters == letters):
            return self.with_clue(slot, parted.text, answer).with_enumeration(slot, found, answer)
        stays = own.enumeration if own is not None and enumeration_in_text(text) is not None else None
        return self.with_clue(slot, text, answer).with_enumeration(slot, stays, answer)

    def without_stale_clue(self, slot: Slot) -> "Puzzle":
        """Return the puzzle without a slot's earlier clues, if its answer has none; its enumeration stays."""
        if self.stale_clue(slot) is None:
            return self
        own = self._clues_of(slot).own(self.answer(slot))
        return self._with_clues_of(slot, EntryClues(() if own is None else (own,)))

    def _clues_of(self, slot: Slot) -> EntryClues:
        return self.clues.get(slot.key, _NO_CLUES)

    def _with_clues_of(self, slot: Slot, changed: EntryClues) -> "Puzzle":
        if self.grid.is_later_light(slot):
            first = self.grid.entry_of(slot)
            raise PuzzleError(f"{slot.name} is part of {first.label}, whose clue is at {first.name}")
        return replace(self, clues=with_item(self.clues, slot.key, changed if changed.clues else None))

    def solver_note(self, slot: Slot) -> str:
        """Return the note on an entry's clue that was made while solving, or an empty string."""
        return self.solver_notes.get(slot.key, "")

    def with_solver_note(self, slot: Slot, text: str) -> "Puzzle":
        """Return the puzzle with another note on an entry's clue; an empty text removes the note."""
        return replace(self, solver_notes=with_item(self.solver_notes, slot.key, text.strip() or None))

    def with_grid(self, grid: Grid) -> "Puzzle":
        return replace(self, grid=grid)

    def with_snapshots(self, snapshots: Mapping[str, "Puzzle"]) -> "Puzzle":
        return self if self.snapshots == snapshots else replace(self, snapshots=snapshots)


Key = TypeVar("Key")
Value = TypeVar("Value")


def with_item(mapping: Mapping[Key, Value], key: Key, value: Value | None) -> dict[Key, Value]:
    """Return a mapping with another value for a key, now its last, or without the key if the value is None."""
    others = {known: old for known, old in mapping.items() if known != key}
    return others if value is None else {**others, key: value}


def check_length(what: str, text: str) -> None:
    """Raise PuzzleError, with `what` as its subject, if a text of a puzzle is too long."""
    if len(text) > LONGEST_TEXT:
        raise PuzzleError(f"{what} has {len(text):,} characters; the limit is {LONGEST_TEXT:,}")


class Change(NamedTuple):
    """A puzzle, the label of the edit that led from or to it, and what that edit changed outside the puzzle."""

    label: str
    puzzle: Puzzle
    attachment: object | None = None


class History:
    """The current puzzle with unlimited undo and redo, which leave the snapshots alone: two lists of puzzles."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.present = puzzle
        self._undone: list[Change] = []
        self._done: list[Change] = []

    def record(self, puzzle: Puzzle, label: str, attachment: object | None = None) -> None:
        """Make a puzzle the current one and clear the redo list.

        `attachment` describes what the edit changed outside the puzzle, for a caller that reverts it with the
        edit.
        """
        self._done.append(Change(label, self.present, attachment))
        self._undone.clear()
        self.present = puzzle

    def join(self, puzzle: Puzzle, label: str) -> None:
        """Make a puzzle the current one by extending the last edit, which gets a new label."""
        self._done[-1] = self._done[-1]._replace(label=label)
        self._undone.clear()
        self.present = puzzle

    def go_back(self, puzzle: Puzzle, label: str) -> None:
        """Make a puzzle current as the undo of an edit that is not recorded here, which `redo` repeats."""
        self._undone.append(Change(label, self.present))
        self.present = puzzle

    def amend(self, puzzle: Puzzle) -> None:
        """Make a puzzle the current one without an undoable edit, for instance when only its snapshots change."""
        self.present = puzzle

    def undo(self) -> str | None:
        """Undo the last edit; returns its label, or None if there is none."""
        return self._step(self._done, self._undone)

    def redo(self) -> str | None:
        """Redo the last undone edit; returns its label, or None if there is none."""
        return self._step(self._undone, self._done)

    def _step(self, taken: list[Change], given: list[Change]) -> str | None:
        if not taken:
            return None
        label, puzzle, attachment = taken.pop()
        given.append(Change(label, self.present, attachment))
        self.present = puzzle.with_snapshots(self.present.snapshots)
        return label

    @property
    def edits(self) -> int:
        return len(self._done)

    @property
    def is_used(self) -> bool:
        """Whether there is anything to undo or redo."""
        return bool(self._done or self._undone)

    @property
    def before(self) -> Puzzle | None:
        """The puzzle before the last edit, or None."""
        return self._done[-1].puzzle if self._done else None

    @property
    def undo_label(self) -> str | None:
        """The label of the edit that `undo` would revert, or None."""
        return self._done[-1].label if self._done else None

    @property
    def redo_label(self) -> str | None:
        """The label of the edit that `redo` would repeat, or None."""
        return self._undone[-1].label if self._undone else None

    def attachment(self, way: Literal["undo", "redo"]) -> object | None:
        """Return what the edit that `undo` or `redo` would act on changed outside the puzzle."""
        changes = self._done if way == "undo" else self._undone
        return changes[-1].attachment if changes else None
