"""The puzzle: a grid with its clues, its title page and the constructor's choices; and its undo and redo."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

from xwtui.dataclasses import dataclass, field, replace
from xwtui.errors import PuzzleError
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.clues import (
    AnswerEnumeration,
    EntryClues,
    HomelessClue,
    StaleClue,
    WholeClue,
    pointer,
    told_enumeration,
)
from xwtui.model.entering import EnteredAnswer
from xwtui.model.grid import Grid
from xwtui.model.markup import numbered, placed, printed
from xwtui.model.rules import Rules
from xwtui.model.slots import Slot, SlotKey
from xwtui.model.where import Symmetry
from xwtui.named_tuples import NamedTuple

HIGHEST_SCORE = 100

LONGEST_TEXT = 10_000
"""Characters that one title, clue or note may have at most."""

_NO_CLUES = EntryClues(())


@dataclass(frozen=True)
class WordChoice:
    """Which words may fill the puzzle.

    `lists` are paths or names of word lists, the first layer first (empty: the default list);
    `minimum_score` is 0 to 100; `banned` words are never used; `scores` overrule the lists.
    Words of the lists named in `preferred` are used rather than others, and answers of the puzzles in
    the folder `recent` (empty: none) rather not; neither forbids a word, or allows one.
    """

    lists: tuple[str, ...] = ()
    minimum_score: int = 40
    banned: frozenset[str] = frozenset()
    scores: Mapping[str, int] = field(default_factory=dict)
    preferred: tuple[str, ...] = ()
    recent: str = ""
    alphabet: Alphabet = ENGLISH
    """The letters of the puzzle, in which all words are read."""
    is_graded: bool = False
    """Whether words of lists without scores get some by length and by how many of the lists have them."""

    def __post_init__(self) -> None:
        if not 0 <= self.minimum_score <= HIGHEST_SCORE:
            raise PuzzleError(f"scores go from 0 to {HIGHEST_SCORE}, not {self.minimum_score}")

    @property
    def never(self) -> frozenset[str]:
        """The words that the puzzle itself keeps out of every fill: the banned ones, and those it scores 0."""
        return self.banned | {word for word, score in self.scores.items() if not score}


_TEXTS = ("title", "author", "copyright", "notes")


@dataclass(frozen=True)
class Puzzle:
    """An immutable puzzle; every edit makes another.

    `clues` are kept by the slot's first square and direction, each with the answer that it was written for:
    whatever changes the grid, an entry has the clue of the answer that stands. `foreign` holds the fields of a
    file that xwtui does not know, to be written back as they were. `snapshots` are earlier states by name, which
    have no snapshots themselves. `solver_notes` are remarks on clues, made while solving. `profile` names what an
    outlet demands of the grid (empty: nothing). `entered` says of which answers something else is entered, and
    counts as long as that stands. Raises PuzzleError where a text has more than `LONGEST_TEXT` characters.
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
        """The same with the title, author, copyright and notes of another one, where it has none of its own."""
        return replace(self, **{name: getattr(self, name) or getattr(other, name) for name in _TEXTS})

    def clue(self, slot: Slot) -> str:
        """The clue of the answer that stands in a slot, as `xwtui.model.markup` reads it, or the empty string.

        An entry that is not complete has the one that was written while it was not. Linked lights are clued at the
        first, and the others say where: `See 1`. The slot may be that of a grid without this one's bars.
        """
        if self.grid.is_later_light(slot):
            return pointer(self.grid, slot)
        own = self._clues_of(slot).own(self.answer(slot))
        return own.text if own is not None else ""

    def printed_clue(self, slot: Slot) -> str:
        """The same as plain text, with the numbers of other entries."""
        return printed(self.clue(slot), self.grid)

    def typed_clue(self, slot: Slot) -> str:
        """The same as it is typed, with `{17A}` for another entry."""
        return numbered(self.clue(slot), self.grid)

    def enumeration(self, slot: Slot) -> AnswerEnumeration | None:
        """The enumeration of the answer that stands in a slot; None where nobody has told it."""
        own = None if self.grid.is_later_light(slot) else self._clues_of(slot).own(self.answer(slot))
        return own.enumeration if own is not None else None

    def solver_clue(self, slot: Slot) -> str:
        """The clue as a solver reads it: as plain text, with its enumeration."""
        return str(WholeClue(self.printed_clue(slot), self.enumeration(slot)))

    def whole_clue(self, slot: Slot) -> str:
        """The clue as it is typed, with its enumeration."""
        return str(WholeClue(self.typed_clue(slot), self.enumeration(slot)))

    def kept_clue(self, slot: Slot) -> str:
        """The clue as it is kept, with its enumeration."""
        return str(WholeClue(self.clue(slot), self.enumeration(slot)))

    def letter_count(self, slot: Slot, answer: str | None = None) -> int:
        """The letters of the answer in a slot, those in rebus squares too; while it is not complete, the squares.

        A digraph of the alphabet is one letter. With an `answer` it is that one's, if another stands there by now.
        """
        answer = answer or self.answer(slot)
        return len(self.grid.entry_of(slot)) if answer is None else len(self.alphabet.units(answer))

    def answer(self, slot: Slot) -> str | None:
        """The answer of a slot, which may not be what is entered; None while a square is empty.

        The first of linked lights has the whole answer, and each of the others its part.
        The slot may be that of a grid without this one's bars, and has none then.
        """
        return self._answers.get(slot.key)

    def entered_answer(self, slot: Slot) -> EnteredAnswer | None:
        """The answer and what is entered, where that stands in a slot and is something else."""
        told = self.entered.get(slot.key)
        return told if told is not None and told.entered == self.grid.answer(self.grid.clue_slot(slot)) else None

    def told_pattern(self, slot: Slot) -> str:
        """What a slot shows, `SWEET[HEART]?`; `PLANTS -> PANTS` where what stands is not the answer."""
        return str(self.entered_answer(slot) or self.grid.pattern(slot))

    def with_entered(self, told: Mapping[SlotKey, EnteredAnswer | None]) -> "Puzzle":
        """The puzzle with other answers for what some slots enter; None where that is the answer itself."""
        entered = {key: one for key, one in {**self.entered, **told}.items() if one is not None}
        return self if entered == self.entered else replace(self, entered=entered)

    @property
    def answers(self) -> Mapping[str, str]:
        """The answers of the entries that are complete, by their names."""
        return {slot.name: answer for slot in self.grid.entries if (answer := self.answer(slot)) is not None}

    def _read(self, slot: Slot) -> str | None:
        told = self.entered_answer(slot) if self.entered else None
        return self.grid.answer(self.grid.clue_slot(slot)) if told is None else told.answer

    @cached_property
    def _answers(self) -> Mapping[SlotKey, str | None]:
        return {slot.key: self._read(slot) for slot in self.grid.clue_slots}

    @cached_property
    def stale_clues(self) -> tuple[StaleClue, ...]:
        """The entries whose answer has no clue, while one that stood there before has; by slot."""
        found = []
        for slot in self.grid.entries:
            clues, answer = self._clues_of(slot), self.answer(slot)
            own = clues.own(answer)
            if clues.written and (own is None or not own.text):
                found.append(StaleClue(slot, answer, clues.written[-1]))
        return tuple(found)

    @cached_property
    def homeless_clues(self) -> tuple[HomelessClue, ...]:
        """The clues of entries that the grid has no more; by square."""
        return tuple(
            HomelessClue(*key, clues.written[-1])
            for key, clues in sorted(self.clues.items(), key=lambda item: (item[0][0], item[0][1].value))
            if clues.written and self.grid.slot_of(key) is None
        )

    def stale_clue(self, slot: Slot) -> StaleClue | None:
        return next((stale for stale in self.stale_clues if stale.slot.key == slot.key), None)

    def offered_clues(self, slot: Slot) -> tuple[str, ...]:
        """The clues that the puzzle has elsewhere for the answer in a slot, which is not to have them unasked."""
        answer, own = self.answer(slot), self.clue(slot)
        if answer is None:
            return ()
        texts = [clue.text for clues in self.clues.values() for clue in clues.written if clue.answer == answer]
        return tuple(dict.fromkeys(text for text in reversed(texts) if text != own))

    def with_clue(self, slot: Slot, text: str, answer: str | None = None) -> "Puzzle":
        """The puzzle with another clue, as it is typed, for the answer in a slot; with none if that is empty.

        The enumeration stays. With an `answer` it is for that one, if another stands there by now.
        """
        clues, answer = self._clues_of(slot), answer or self.answer(slot)
        own = clues.own(answer)
        changed = clues.with_own(answer, placed(text.strip(), self.grid), own.enumeration if own else None)
        return self._with_clues_of(slot, changed)

    def with_enumeration(
        self, slot: Slot, enumeration: AnswerEnumeration | None, answer: str | None = None
    ) -> "Puzzle":
        """The puzzle with another enumeration for the answer in a slot, or none; `answer` as above."""
        clues, answer = self._clues_of(slot), answer or self.answer(slot)
        own = clues.own(answer)
        if (own.enumeration if own else None) == enumeration:
            return self
        return self._with_clues_of(slot, clues.with_own(answer, own.text if own else "", enumeration))

    def with_whole_clue(self, slot: Slot, text: str, answer: str | None = None) -> "Puzzle":
        """The puzzle with what is typed as clue and enumeration: `Frozen dessert (3,5)`; `answer` as above.

        What is behind the clue is the enumeration if it has as many letters as the answer, or another one was
        told before; else it is a part of the clue. Where the one that was told stands behind another one that was
        typed, `Uneven (5,4) (9)`, that other one is meant. One that was told stays where the clue tells it in its
        own words, `(3,5; two words)`, and goes where nothing is behind the clue.
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
        stays = own.enumeration if own is not None and told_enumeration(text) is not None else None
        return self.with_clue(slot, text, answer).with_enumeration(slot, stays, answer)

    def without_stale_clue(self, slot: Slot) -> "Puzzle":
        """The puzzle without the clues of answers that stood in a slot before, if its answer has none.

        The enumeration of its answer stays.
        """
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
        key = slot.key
        others = {known: clues for known, clues in self.clues.items() if known != key}
        return replace(self, clues={**others, key: changed} if changed.clues else others)

    def solver_note(self, slot: Slot) -> str:
        """What was noted on the clue of an entry while solving, or the empty string."""
        return self.solver_notes.get(slot.key, "")

    def with_solver_note(self, slot: Slot, text: str) -> "Puzzle":
        """The puzzle with another note on the clue of an entry; with none if the text is empty."""
        key = slot.key
        others = {known: note for known, note in self.solver_notes.items() if known != key}
        return replace(self, solver_notes={**others, key: text.strip()} if text.strip() else others)

    def with_grid(self, grid: Grid) -> "Puzzle":
        return replace(self, grid=grid)

    def with_snapshots(self, snapshots: Mapping[str, "Puzzle"]) -> "Puzzle":
        return self if self.snapshots == snapshots else replace(self, snapshots=snapshots)


def check_length(what: str, text: str) -> None:
    """Raise PuzzleError, saying `what` it is, where a text of a puzzle is too long."""
    if len(text) > LONGEST_TEXT:
        raise PuzzleError(f"{what} has {len(text):,} characters; the limit is {LONGEST_TEXT:,}")


class Change(NamedTuple):
    """A puzzle, and the name of the edit that left it or led to it, with what that changed beside the puzzle."""

    label: str
    puzzle: Puzzle
    beside: object | None = None


class History:
    """The present puzzle with all that went before, without limit: as puzzles are immutable, two lists of them.

    Undo and redo leave the snapshots as they are.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.present = puzzle
        self._undone: list[Change] = []
        self._done: list[Change] = []

    def record(self, puzzle: Puzzle, label: str, beside: object | None = None) -> None:
        """Make a puzzle the present one; what was undone before is forgotten.

        `beside` is what the edit has changed beside the puzzle, kept for whoever takes that back with it.
        """
        self._done.append(Change(label, self.present, beside))
        self._undone.clear()
        self.present = puzzle

    def join(self, puzzle: Puzzle, label: str) -> None:
        """Make a puzzle the present one by the last edit, which goes on and is called otherwise from now on."""
        self._done[-1] = self._done[-1]._replace(label=label)
        self._undone.clear()
        self.present = puzzle

    def go_back(self, puzzle: Puzzle, label: str) -> None:
        """Make a puzzle the present one as an undo of an edit that is not known here; `redo` makes it again."""
        self._undone.append(Change(label, self.present))
        self.present = puzzle

    def amend(self, puzzle: Puzzle) -> None:
        """Make a puzzle the present one without an edit that could be undone: other snapshots are none."""
        self.present = puzzle

    def undo(self) -> str | None:
        """Go back one edit; returns its label, or None where there is none."""
        if not self._done:
            return None
        label, before, beside = self._done.pop()
        self._undone.append(Change(label, self.present, beside))
        self.present = before.with_snapshots(self.present.snapshots)
        return label

    def redo(self) -> str | None:
        """Make the last undone edit again; returns its label, or None where there is none."""
        if not self._undone:
            return None
        label, after, beside = self._undone.pop()
        self._done.append(Change(label, self.present, beside))
        self.present = after.with_snapshots(self.present.snapshots)
        return label

    @property
    def edits(self) -> int:
        return len(self._done)

    @property
    def is_used(self) -> bool:
        """Whether there is anything to undo or to do again."""
        return bool(self._done or self._undone)

    @property
    def before(self) -> Puzzle | None:
        """The puzzle before the last edit; None where there is none."""
        return self._done[-1].puzzle if self._done else None

    @property
    def undo_label(self) -> str | None:
        """The label of the edit that `undo` would take back, or None."""
        return self._done[-1].label if self._done else None

    @property
    def redo_label(self) -> str | None:
        """The label of the edit that `redo` would make again, or None."""
        return self._undone[-1].label if self._undone else None

    def beside(self, way: Literal["undo", "redo"]) -> object | None:
        """What the edit that `undo` would take back, or `redo` make again, has changed beside the puzzle."""
        changes = self._done if way == "undo" else self._undone
        return changes[-1].beside if changes else None
