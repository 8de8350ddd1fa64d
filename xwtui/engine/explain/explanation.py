"""What an explanation is about: what a constructor chose, conflicts among it, and remedies that are verified.

Rules about the whole grid are choices, too; a task is made with some of them let go.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar, TypeVar

from xwtui.dataclasses import dataclass, field, replace
from xwtui.engine.explain.judge import Judgement
from xwtui.engine.problem.symbols import plain_symbols
from xwtui.engine.problem.task import Task, length_misfit
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import OPEN, Content, EntryRules, Grid, Ink, Position, Puzzle, Rules, SlotKey, WordChoice
from xwtui.model.edits import write_fill
from xwtui.model.rules import NO_ENTRY_RULES, MinimumScore, Pattern
from xwtui.model.rules.base import EntryRule, GridRule
from xwtui.worded import Worded
from xwtui.words.lexicon import Lexicon

with lazy_imports():
    from xwtui.engine.problem.no_fill import Reason

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True)
class GivenChoice(Worded):
    """One thing that the constructor chose; the kinds of it are below."""

    @property
    def kind(self) -> str:
        """What sort of thing was chosen, as JSON says it."""
        return "rule"

    @property
    def squares(self) -> Mapping[Position, Content]:
        """The squares that it gives a content; a square stays given while any choice that is kept gives it."""
        return {}

    def let_go(self, task: Task) -> Task:
        """The task without this choice, where it is about more than the content of squares."""
        return task


@dataclass(frozen=True)
class GivenEntry(GivenChoice):
    """An entry all of whose squares are given."""

    name: str
    positions: tuple[Position, ...]
    contents: tuple[Content, ...]
    answer: str
    """As read."""
    locked_squares: int = 0
    kind: ClassVar[str] = "entry"

    @property
    def squares(self) -> Mapping[Position, Content]:
        return dict(zip(self.positions, self.contents, strict=True))


@dataclass(frozen=True)
class Tried(GivenChoice):
    """A word tried out at an entry, where it does not stand yet; the task has it as the entry's rule."""

    name: str
    key: SlotKey
    word: str
    instead: EntryRules
    """The rules of the entry where the word is not tried."""
    kind: ClassVar[str] = "candidate"

    def let_go(self, task: Task) -> Task:
        return replace(task, rules=task.rules.with_entry(self.key, self.instead))


def only(word: str, minimum_score: int = 0) -> EntryRules:
    """The rules that an entry's answer is this word."""
    return EntryRules(MinimumScore(minimum_score), Pattern(re.escape(word)))


@dataclass(frozen=True)
class GivenSquare(GivenChoice):
    """A given square of no entry that is given whole."""

    position: Position
    content: Content
    is_rebus: bool = False

    @property
    def kind(self) -> str:
        return "rebus" if self.is_rebus else "digraph" if self.content.is_rebus else "letter"

    @property
    def squares(self) -> Mapping[Position, Content]:
        return {self.position: self.content}


@dataclass(frozen=True)
class Bans(GivenChoice):
    """Banned words that some list has."""

    words: tuple[str, ...]
    kind: ClassVar[str] = "ban"

    def let_go(self, task: Task) -> Task:
        lexicon = task.lexicon.without_bans(self.words)
        own = {name: listed.without_bans(self.words) for name, listed in task.own_lists.items()}
        return replace(task, lexicon=lexicon, own_lists=own)


@dataclass(frozen=True)
class Minimum(GivenChoice):
    """The lowest score that words of the whole grid may have."""

    score: int
    kind: ClassVar[str] = "minimum"

    def let_go(self, task: Task) -> Task:
        own = {name: listed.with_minimum(0) for name, listed in task.own_lists.items()}
        return replace(task, lexicon=task.lexicon.with_minimum(0), own_lists=own)


@dataclass(frozen=True)
class EntryRuleChoice(GivenChoice):
    """The rules of one entry."""

    name: str
    key: SlotKey
    rules: EntryRules

    def let_go(self, task: Task) -> Task:
        return replace(task, rules=task.rules.with_entry(self.key, EntryRules(MinimumScore(0))))


@dataclass(frozen=True)
class SquareRuleChoice(GivenChoice):
    """The contents that the rules allow a square."""

    position: Position
    allowed: tuple[Content, ...]

    def let_go(self, task: Task) -> Task:
        anything = tuple(dict.fromkeys((*self.allowed, *plain_symbols(task.lexicon.alphabet).contents)))
        return replace(task, rules=replace(task.rules, squares={**task.rules.squares, self.position: anything}))


@dataclass(frozen=True)
class EveryAnswerChoice(GivenChoice):
    """A rule of every answer."""

    rule: EntryRule

    def let_go(self, task: Task) -> Task:
        return replace(task, rules=replace(task.rules, every=task.rules.every.without(self.rule)))


@dataclass(frozen=True)
class GridRuleChoice(GivenChoice):
    """A rule about the whole grid."""

    rule: GridRule

    def let_go(self, task: Task) -> Task:
        """The task with the rule asking for nothing, and with all that it allows still allowed."""
        relaxed = self.rule.relaxed()
        return replace(task, rules=task.rules.with_instead(self.rule, *([relaxed] if relaxed else [])))


@dataclass(frozen=True)
class NoRepeats(GivenChoice):
    """That no word is used twice, which every fill keeps unless it is asked otherwise."""

    def let_go(self, task: Task) -> Task:
        return replace(task, allow_repeats=True)


@dataclass(frozen=True)
class GivenLayout(GivenChoice):
    """The blocks, where entries cannot be filled together whatever else is let go."""

    entries: tuple[str, ...]
    length: int = 0
    """The squares of the one entry, where no word has so many letters; else 0."""
    kind: ClassVar[str] = "layout"


def _choices(task: Task, tried: Tried | None) -> Iterator[GivenChoice]:
    """All choices of a task: that no word repeats, what stands in the grid, then words, then rules."""
    if tried is not None:
        yield tried
    if not task.allow_repeats:
        yield NoRepeats()
    covered: set[Position] = set()
    for slot in task.grid.entries:
        contents = task.given_answer(slot)
        if contents is not None:
            covered |= set(slot.positions)
            answer = task.given_word(slot) or ""
            locked = sum(task.grid[at].ink is Ink.LOCKED for at in slot.positions)
            yield GivenEntry(slot.name, slot.positions, contents, answer, locked)
    for position, content in task.given.items():
        if position not in covered:
            yield GivenSquare(position, content, task.lexicon.alphabet.is_rebus(content))
    lexicons = [task.lexicon, *task.own_lists.values()]
    banned = {word for lexicon in lexicons for word in lexicon.banned if lexicon.score(word) is not None}
    if banned:
        yield Bans(tuple(sorted(banned)))
    if task.lexicon.minimum_score:
        yield Minimum(task.lexicon.minimum_score)
    yield from _rules(task, tried)


def _rules(task: Task, tried: Tried | None) -> Iterator[GivenChoice]:
    rules = task.rules
    slots = {slot.key: slot for slot in task.grid.entries}
    for key, asked in rules.entries.items():
        is_tried = tried is not None and key == tried.key
        if key in slots and task.given_answer(slots[key]) is None and not is_tried:
            yield EntryRuleChoice(slots[key].name, key, asked)
    for position, allowed in rules.squares.items():
        if position not in task.given:
            yield SquareRuleChoice(position, allowed)
    for entry_rule in rules.every.rules:
        yield EveryAnswerChoice(entry_rule)
    for grid_rule in rules.grid:
        if grid_rule.constraints:
            yield GridRuleChoice(grid_rule)


class AllChoices:
    """The choices of a task, and the task with any of them let go.

    Answers that stand in the grid stay allowed in their own entry where that is freed in part, listed or not, so
    that letting go never forbids anything.
    """

    def __init__(self, task: Task, trying: tuple[str, str] | None = None) -> None:
        """`trying` is an entry and a word that is tried there.

        Raises PuzzleError for an entry that is not there, and EngineError where it makes no question.
        """
        tried: Tried | None = None
        if trying is not None:
            task, tried = _with_word(task, *trying)
        self.asked = task
        """What the constructor asks, by which a remedy is judged."""
        self.task = _allowing_what_stands(task)
        self.choices: tuple[GivenChoice, ...] = tuple(_choices(task, tried))
        self._whole: dict[tuple[GivenChoice, ...], Task] = {}

    def keeping(self, kept: Collection[GivenChoice]) -> Task:
        """The task with all other choices let go."""
        dropped = [choice for choice in self.choices if choice not in set(kept)]
        held = {position for choice in kept for position in choice.squares}
        freed = {position for choice in dropped for position in choice.squares} - held
        task = self._of_words(tuple(choice for choice in dropped if isinstance(choice, Bans | Minimum)))
        for choice in dropped:
            if not isinstance(choice, Bans | Minimum):
                task = choice.let_go(task)
        empty = {at: replace(task.grid[at], content=None, ink=Ink.PENCIL) for at in freed}
        return replace(task, grid=task.grid.with_squares(empty)) if empty else task

    def _of_words(self, dropped: tuple[GivenChoice, ...]) -> Task:
        """The task with another choice of words; kept, since its tables take a while to make."""
        task = self._whole.get(dropped)
        if task is None:
            task = self.task
            for choice in dropped:
                task = choice.let_go(task)
            self._whole[dropped] = task
        return task

    def splitting(self, bans: Bans) -> Sequence[Bans]:
        """Bans, one by one, in place of all together."""
        single = [Bans((word,)) for word in bans.words]
        at = self.choices.index(bans)
        self.choices = (*self.choices[:at], *single, *self.choices[at + 1 :])
        return single


def _with_word(task: Task, name: str, word: str) -> tuple[Task, Tried]:
    """The task with a word as the only one of an entry."""
    slot = task.grid.entry(name)
    if task.given_answer(slot) is not None:
        raise EngineError(f"{slot.name} already has an answer; clear it to try {word} there")
    if misfit := length_misfit(task, slot, word):
        raise EngineError(str(misfit))
    key = slot.key
    tried = Tried(slot.name, key, word, task.rules.entries.get(key, NO_ENTRY_RULES))
    if broken := task.entry_rules(slot).broken(word):
        raise EngineError(f"{word} {' and '.join(broken)}, which the rule for {slot.name} forbids")
    asked = replace(task, rules=task.rules.with_entry(tried.key, only(word)))
    return replace(asked, own_words={tried.key: word}), tried


def _allowing_what_stands(task: Task) -> Task:
    """The task without what is not asked of given squares and answers anyway; each answer may stay where it is."""
    answers = {
        slot.key: task.given_word(slot) or "" for slot in task.grid.entries if task.given_answer(slot) is not None
    }
    rules = replace(
        task.rules,
        entries={key: rules for key, rules in task.rules.entries.items() if key not in answers},
        exempt=frozenset(answers),
        squares={at: allowed for at, allowed in task.rules.squares.items() if at not in task.given},
    )
    unlisted = {key: answer for key, answer in answers.items() if not task.lexicon.allows(answer)}
    return replace(task, rules=rules, own_words={**task.own_words, **unlisted})


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


@dataclass(frozen=True, kw_only=True)
class SeveralChanges(Remedy):
    """A change for each of several conflicts, all made together."""

    parts: tuple[Remedy, ...]

    def on(self, task: Task) -> Task:
        for part in self.parts:
            task = part.on(task)
        return task

    def apply(self, puzzle: Puzzle) -> Puzzle:
        for part in self.parts:
            puzzle = part.apply(puzzle)
        return puzzle


class Certainty(enum.Enum):
    """How it is known that choices cannot go together."""

    BY_PROPAGATION = Judgement.REFUTED.value
    PROVED = Judgement.PROVED.value
    """The complete search ended without a fill."""
    AS_TRIED = "as-tried"
    """The same, or by propagation, of a problem that leaves something out; the reason says what."""
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
    tried: Mapping[type[Remedy], int] = field(default_factory=dict)
    """How many changes of each kind were tried out, those that are among the remedies too."""

    @property
    def blames_word(self) -> bool:
        """Whether a word that is tried out is part of a conflict."""
        return any(isinstance(choice, Tried) for conflict in self.conflicts for choice in conflict.choices)
