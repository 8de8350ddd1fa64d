"""What an explanation comes to: conflicts, how sure they are, and remedies that can be made and verified."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from typing import TypeVar

from xwtui.dataclasses import dataclass, field, replace
from xwtui.engine.explain.choices import (
    EntryRuleChoice,
    EveryAnswerChoice,
    GivenChoice,
    GridRuleChoice,
    SquareRuleChoice,
    Tried,
)
from xwtui.engine.explain.judge import Judgement
from xwtui.engine.problem.task import Task
from xwtui.lazy import lazy_imports
from xwtui.model import OPEN, Content, Grid, Position, Puzzle, Rules, SlotKey, WordChoice
from xwtui.model.edits import write_fill
from xwtui.model.rules import NO_ENTRY_RULES, MinimumScore
from xwtui.worded import Worded
from xwtui.words.lexicon import Lexicon

with lazy_imports():
    from xwtui.engine.problem.no_fill import Reason

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True, kw_only=True)
class Remedy(Worded):
    """A change to what the constructor chose, verified by a fill; the kinds of it are below."""

    fill: Mapping[Position, Content] = field(default_factory=dict, compare=False, repr=False)
    """The fill that verifies it: of the whole grid, but for conflicts that it does not settle."""
    answers: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """The answers of that fill, by entry."""
    settles_all: bool = True
    """Whether nothing else stops the grid from being filled; else other conflicts remain."""

    @property
    def kind(self) -> str:
        """What sort of change it is, in two words: `change square`."""
        first, second = re.findall("[A-Z][a-z]+", type(self).__name__)
        return f"{first} {second}".lower()

    def grid(self, grid: Grid) -> Grid:
        return grid

    def rules(self, rules: Rules) -> Rules:
        return rules

    @property
    def allowed(self) -> tuple[str, ...]:
        """Banned words that are allowed again."""
        return ()

    def lexicon(self, lexicon: Lexicon) -> Lexicon:
        return lexicon.without_bans(self.allowed) if self.allowed else lexicon

    def word_choice(self, words: WordChoice) -> WordChoice:
        return replace(words, banned=words.banned.difference(self.allowed))

    def on(self, task: Task) -> Task:
        return replace(
            task,
            grid=self.grid(task.grid),
            rules=self.rules(task.rules),
            lexicon=self.lexicon(task.lexicon),
            own_lists={name: self.lexicon(own) for name, own in task.own_lists.items()},
        )

    def apply(self, puzzle: Puzzle) -> Puzzle:
        """The puzzle after the change, locked squares included."""
        words = self.word_choice(puzzle.words)
        return replace(puzzle, grid=self.grid(puzzle.grid), rules=self.rules(puzzle.rules), words=words)


@dataclass(frozen=True, kw_only=True)
class EmptyEntry(Remedy):
    """Take an answer away, but for the squares that other given answers hold."""

    name: str
    answer: str
    squares: tuple[Position, ...]
    """What is emptied, and unlocked."""
    is_locked: bool = False

    def grid(self, grid: Grid) -> Grid:
        return grid.with_squares({at: replace(grid[at], content=None, ink=OPEN.ink) for at in self.squares})


@dataclass(frozen=True, kw_only=True)
class EmptySquares(Remedy):
    """Take several things away together, but for the squares that other given answers hold."""

    what: tuple[GivenChoice, ...]
    squares: tuple[Position, ...]
    """What is emptied, and unlocked."""

    def grid(self, grid: Grid) -> Grid:
        return grid.with_squares({at: replace(grid[at], content=None, ink=OPEN.ink) for at in self.squares})


@dataclass(frozen=True, kw_only=True)
class ChangeSquare(Remedy):
    """Give a square another content."""

    position: Position
    old: Content
    choices: tuple[Content, ...]
    """What it may be changed to, each verified; the first is taken."""
    single: tuple[ChangeSquare, ...] = field(default=(), compare=False, repr=False)
    """Where there are several, each as a change by itself, with the fill that verifies it."""

    def grid(self, grid: Grid) -> Grid:
        return grid.with_squares({self.position: replace(grid[self.position], content=self.choices[0])})


@dataclass(frozen=True, kw_only=True)
class SwapEntries(Remedy):
    """Let two given answers of one length change places."""

    names: tuple[str, str]
    answers_swapped: tuple[str, str]
    """The answers as they stand before."""
    contents: Mapping[Position, Content] = field(compare=False)
    """What the squares of both hold afterwards."""

    def grid(self, grid: Grid) -> Grid:
        return grid.with_squares({at: replace(grid[at], content=content) for at, content in self.contents.items()})


@dataclass(frozen=True, kw_only=True)
class AllowWord(Remedy):
    """Lift the ban of a word."""

    word: str

    @property
    def allowed(self) -> tuple[str, ...]:
        return (self.word,)


@dataclass(frozen=True, kw_only=True)
class LowerMinimum(Remedy):
    """Let one entry have words of a lower score."""

    name: str
    key: SlotKey
    score: int
    words: tuple[str, ...]
    """The words of that score or more that help, each verified."""

    def rules(self, rules: Rules) -> Rules:
        own = rules.entries.get(self.key, NO_ENTRY_RULES)
        return rules.with_entry(self.key, own.with_all(MinimumScore, [MinimumScore(self.score)]))


@dataclass(frozen=True, kw_only=True)
class LowerLowest(Remedy):
    """Let the whole grid have words of a lower score."""

    score: int

    def lexicon(self, lexicon: Lexicon) -> Lexicon:
        return lexicon.with_minimum(self.score)

    def word_choice(self, words: WordChoice) -> WordChoice:
        return replace(words, minimum_score=self.score)


@dataclass(frozen=True, kw_only=True)
class AllowRepeats(Remedy):
    """Fill with a word used twice; the puzzle keeps no such choice, so that taking this writes the fill."""

    def on(self, task: Task) -> Task:
        return replace(task, allow_repeats=True)

    def apply(self, puzzle: Puzzle) -> Puzzle:
        return write_fill(puzzle, self.fill)


@dataclass(frozen=True, kw_only=True)
class DropRule(Remedy):
    """Do without a rule."""

    choice: EntryRuleChoice | SquareRuleChoice | EveryAnswerChoice | GridRuleChoice

    def rules(self, rules: Rules) -> Rules:
        choice = self.choice
        match choice:
            case EntryRuleChoice():
                return replace(rules, entries=_without(rules.entries, choice.key))
            case SquareRuleChoice():
                return replace(rules, squares=_without(rules.squares, choice.position))
            case EveryAnswerChoice():
                return replace(rules, every=rules.every.without(choice.rule))
            case GridRuleChoice():
                left = choice.rule.dropped()
                return rules.with_instead(choice.rule, *([left] if left else []))


def _without(mapping: Mapping[Key, Value], key: Key) -> dict[Key, Value]:
    return {known: value for known, value in mapping.items() if known != key}


class Certainty(enum.Enum):
    """How it is known that choices cannot go together."""

    BY_PROPAGATION = Judgement.REFUTED.value
    PROVED = Judgement.PROVED.value
    """The complete search ended without a fill."""
    SUSPECTED = Judgement.OPEN.value
    """The search met its dead ends there, and has not ended."""


@dataclass(frozen=True)
class Conflict(Worded):
    """Choices that cannot stand together, whatever the rest of the grid holds."""

    choices: tuple[GivenChoice, ...]
    certainty: Certainty
    is_smallest: bool
    """Whether a fill was found without each of them: then none can be left out."""
    entries: tuple[str, ...] = ()
    """Few entries that cannot be filled together; empty where it takes rules for the whole grid."""
    reason: Reason | None = None
    """What runs empty where only these choices are kept."""


class Answer(enum.Enum):
    """What the question why came to."""

    FILLABLE = "fillable"
    """There is a fill: nothing to explain."""
    IMPOSSIBLE = "impossible"
    """There is none, and here is why."""
    UNKNOWN = "unknown"
    """Neither a fill nor a proof was found in the time."""
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Explanation:
    """Why a grid, or a word at an entry, cannot be filled; grows better as it is worked out."""

    answer: Answer
    conflicts: tuple[Conflict, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    """Each was verified by a fill; those that settle all conflicts come first."""
    seconds: float = 0.0
    fill: Mapping[Position, Content] = field(default_factory=dict)
    """A fill, where there is one."""
    is_complete: bool = False
    """Whether nothing more is being looked for."""

    @property
    def blames_word(self) -> bool:
        """Whether a word that is tried out is part of a conflict."""
        return any(isinstance(choice, Tried) for conflict in self.conflicts for choice in conflict.choices)
