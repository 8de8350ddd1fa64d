"""The contents of an explanation: the constructor's choices, conflicts among them, and verified remedies.

Rules about the whole grid are choices too. A task can be derived with some of the choices dropped.
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
    """A choice made by the constructor; its subclasses are below."""

    @property
    def kind(self) -> str:
        """The kind of choice, as in JSON."""
        return "rule"

    @property
    def squares(self) -> Mapping[Position, Content]:
        """The squares with their contents that it gives. A square stays given while any kept choice gives it."""
        return {}

    def removed_from(self, task: Task) -> Task:
        """Return the task without this choice, apart from the contents of squares."""
        return task


@dataclass(frozen=True)
class GivenEntry(GivenChoice):
    """An entry whose squares are all given."""

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
class TriedWord(GivenChoice):
    """A word tried in an entry that it is not in yet; the task has it as the entry's rule."""

    name: str
    key: SlotKey
    word: str
    instead: EntryRules
    """The rules of the entry if the word is not tried."""
    kind: ClassVar[str] = "candidate"

    def removed_from(self, task: Task) -> Task:
        return replace(task, rules=task.rules.with_entry(self.key, self.instead))


def only(word: str, minimum_score: int = 0) -> EntryRules:
    """Return the rule that an entry's answer must be this word."""
    return EntryRules(MinimumScore(minimum_score), Pattern(re.escape(word)))


@dataclass(frozen=True)
class GivenSquare(GivenChoice):
    """A given square that is in no completely given entry."""

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
    """Banned words that are in some list."""

    words: tuple[str, ...]
    kind: ClassVar[str] = "ban"

    def removed_from(self, task: Task) -> Task:
        lexicon = task.lexicon.without_bans(self.words)
        own = {name: listed.without_bans(self.words) for name, listed in task.own_lists.items()}
        return replace(task, lexicon=lexicon, own_lists=own)


@dataclass(frozen=True)
class Minimum(GivenChoice):
    """The minimum score of words in the whole grid."""

    score: int
    kind: ClassVar[str] = "minimum"

    def removed_from(self, task: Task) -> Task:
        own = {name: listed.with_minimum(0) for name, listed in task.own_lists.items()}
        return replace(task, lexicon=task.lexicon.with_minimum(0), own_lists=own)


@dataclass(frozen=True)
class EntryRuleChoice(GivenChoice):
    """The rules of one entry."""

    name: str
    key: SlotKey
    rules: EntryRules

    def removed_from(self, task: Task) -> Task:
        return replace(task, rules=task.rules.with_entry(self.key, EntryRules(MinimumScore(0))))


@dataclass(frozen=True)
class SquareRuleChoice(GivenChoice):
    """The contents that the rules allow in a square."""

    position: Position
    allowed: tuple[Content, ...]

    def removed_from(self, task: Task) -> Task:
        anything = tuple(dict.fromkeys((*self.allowed, *plain_symbols(task.lexicon.alphabet).contents)))
        return replace(task, rules=replace(task.rules, squares={**task.rules.squares, self.position: anything}))


@dataclass(frozen=True)
class EveryAnswerChoice(GivenChoice):
    """A rule for every answer."""

    rule: EntryRule

    def removed_from(self, task: Task) -> Task:
        return replace(task, rules=replace(task.rules, every=task.rules.every.without(self.rule)))


@dataclass(frozen=True)
class GridRuleChoice(GivenChoice):
    """A rule about the whole grid."""

    rule: GridRule

    def removed_from(self, task: Task) -> Task:
        """Return the task with the rule requiring nothing, and still allowing everything that it allows."""
        relaxed = self.rule.relaxed()
        return replace(task, rules=task.rules.with_instead(self.rule, *([relaxed] if relaxed else [])))


@dataclass(frozen=True)
class NoRepeats(GivenChoice):
    """That no word is used twice, which holds in every fill by default."""

    def removed_from(self, task: Task) -> Task:
        return replace(task, allow_repeats=True)


@dataclass(frozen=True)
class GivenLayout(GivenChoice):
    """The blocks, if entries cannot be filled together whatever other choices are dropped."""

    entries: tuple[str, ...]
    length: int = 0
    """The length of the only entry, if no word has that length; else 0."""
    kind: ClassVar[str] = "layout"


def _choices(task: Task, tried: TriedWord | None) -> Iterator[GivenChoice]:
    """Yield all choices of a task: no repeats, the contents of the grid, words, then rules."""
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


def _rules(task: Task, tried: TriedWord | None) -> Iterator[GivenChoice]:
    rules = task.rules
    slots = {slot.key: slot for slot in task.grid.entries}
    for key, own_rules in rules.entries.items():
        is_tried = tried is not None and key == tried.key
        if key in slots and task.given_answer(slots[key]) is None and not is_tried:
            yield EntryRuleChoice(slots[key].name, key, own_rules)
    for position, allowed in rules.squares.items():
        if position not in task.given:
            yield SquareRuleChoice(position, allowed)
    for entry_rule in rules.every.rules:
        yield EveryAnswerChoice(entry_rule)
    for grid_rule in rules.grid:
        if grid_rule.constraints:
            yield GridRuleChoice(grid_rule)


class AllChoices:
    """The choices of a task, and the task with any of them dropped.

    Answers in the grid stay allowed in their own entry when it is partly freed, listed or not, so that dropping a
    choice never forbids anything.
    """

    def __init__(self, task: Task, trying: tuple[str, str] | None = None) -> None:
        """`trying` is an entry and a word to try there.

        Raises PuzzleError for an unknown entry, and EngineError if the question makes no sense.
        """
        tried: TriedWord | None = None
        if trying is not None:
            task, tried = _with_word(task, *trying)
        self.task = _allowing_given(task)
        """The constructor's own task, by which remedies are judged."""
        self.choices: tuple[GivenChoice, ...] = tuple(_choices(task, tried))
        self._whole: dict[tuple[GivenChoice, ...], Task] = {}

    def keeping(self, kept: Collection[GivenChoice]) -> Task:
        """Return the task with all other choices dropped."""
        dropped = [choice for choice in self.choices if choice not in set(kept)]
        held = {position for choice in kept for position in choice.squares}
        freed = {position for choice in dropped for position in choice.squares} - held
        task = self._with_other_words(tuple(choice for choice in dropped if isinstance(choice, Bans | Minimum)))
        for choice in dropped:
            if not isinstance(choice, Bans | Minimum):
                task = choice.removed_from(task)
        empty = {at: replace(task.grid[at], content=None, ink=Ink.PENCIL) for at in freed}
        return replace(task, grid=task.grid.with_squares(empty)) if empty else task

    def _with_other_words(self, dropped: tuple[GivenChoice, ...]) -> Task:
        """Return the task with other words, cached because its tables are expensive."""
        task = self._whole.get(dropped)
        if task is None:
            task = self.task
            for choice in dropped:
                task = choice.removed_from(task)
            self._whole[dropped] = task
        return task

    def splitting(self, bans: Bans) -> Sequence[Bans]:
        """Replace several bans by one ban for each word."""
        single = [Bans((word,)) for word in bans.words]
        at = self.choices.index(bans)
        self.choices = (*self.choices[:at], *single, *self.choices[at + 1 :])
        return single


def _with_word(task: Task, name: str, word: str) -> tuple[Task, TriedWord]:
    """Return the task with this word as the only one allowed in an entry."""
    slot = task.grid.entry(name)
    if task.given_answer(slot) is not None:
        raise EngineError(f"{slot.name} already has an answer; clear it to try {word} there")
    if misfit := length_misfit(task, slot, word):
        raise EngineError(str(misfit))
    key = slot.key
    tried = TriedWord(slot.name, key, word, task.rules.entries.get(key, NO_ENTRY_RULES))
    if broken := task.entry_rules(slot).broken(word):
        raise EngineError(f"{word} {' and '.join(broken)}, which the rule for {slot.name} forbids")
    restricted = replace(task, rules=task.rules.with_entry(tried.key, only(word)))
    return replace(restricted, own_words={tried.key: word}), tried


def _allowing_given(task: Task) -> Task:
    """Return the task without rules for squares and answers that are given, each of which may stay in place."""
    answers = {slot.key: word for slot in task.grid.entries if (word := task.given_word(slot)) is not None}
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
    """A change to the constructor's choices, verified by a fill; its subclasses are below."""

    fill: Mapping[Position, Content] = field(default_factory=dict, compare=False, repr=False)
    """The fill that verifies it, of the whole grid except for conflicts that it does not settle."""
    answers: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """The answers of that fill, by entry."""
    settles_all: bool = True
    """Whether the grid can be filled after it; otherwise other conflicts remain."""

    @property
    def kind(self) -> str:
        """The kind of change in two words: `change square`."""
        first, second = re.findall("[A-Z][a-z]+", type(self).__name__)
        return f"{first} {second}".lower()

    def grid(self, grid: Grid) -> Grid:
        return grid

    def rules(self, rules: Rules) -> Rules:
        return rules

    def lexicon(self, lexicon: Lexicon) -> Lexicon:
        return lexicon

    def word_choice(self, words: WordChoice) -> WordChoice:
        return words

    def on(self, task: Task) -> Task:
        return replace(
            task,
            grid=self.grid(task.grid),
            rules=self.rules(task.rules),
            lexicon=self.lexicon(task.lexicon),
            own_lists={name: self.lexicon(own) for name, own in task.own_lists.items()},
        )

    def apply(self, puzzle: Puzzle) -> Puzzle:
        """Return the puzzle after the change, including changes of locked squares."""
        words = self.word_choice(puzzle.words)
        return replace(puzzle, grid=self.grid(puzzle.grid), rules=self.rules(puzzle.rules), words=words)


@dataclass(frozen=True, kw_only=True)
class EmptyEntry(Remedy):
    """Remove an answer, except in squares shared with other given answers."""

    name: str
    answer: str
    squares: tuple[Position, ...]
    """The squares to empty and unlock."""
    is_locked: bool = False

    def grid(self, grid: Grid) -> Grid:
        return grid.with_squares({at: replace(grid[at], content=None, ink=OPEN.ink) for at in self.squares})


@dataclass(frozen=True, kw_only=True)
class EmptySquares(Remedy):
    """Remove several choices together, except in squares shared with other given answers."""

    what: tuple[GivenChoice, ...]
    squares: tuple[Position, ...]
    """The squares to empty and unlock."""

    def grid(self, grid: Grid) -> Grid:
        return grid.with_squares({at: replace(grid[at], content=None, ink=OPEN.ink) for at in self.squares})


@dataclass(frozen=True, kw_only=True)
class ChangeSquare(Remedy):
    """Give a square another content."""

    position: Position
    old: Content
    choices: tuple[Content, ...]
    """The possible contents, each verified; the first is used."""
    single: tuple[ChangeSquare, ...] = field(default=(), compare=False, repr=False)
    """If there are several, each as a change of its own, with the fill that verifies it."""

    def grid(self, grid: Grid) -> Grid:
        return grid.with_squares({self.position: replace(grid[self.position], content=self.choices[0])})


@dataclass(frozen=True, kw_only=True)
class SwapEntries(Remedy):
    """Swap two given answers of the same length."""

    names: tuple[str, str]
    answers_swapped: tuple[str, str]
    """The answers before the swap."""
    contents: Mapping[Position, Content] = field(compare=False)
    """The contents of both entries' squares afterward."""

    def grid(self, grid: Grid) -> Grid:
        return grid.with_squares({at: replace(grid[at], content=content) for at, content in self.contents.items()})


@dataclass(frozen=True, kw_only=True)
class AllowWord(Remedy):
    """Lift the ban on a word, also one that the user's own list bans in every puzzle."""

    word: str
    score: int | None = None
    """The score that the puzzle gives a word that the lists score 0; None for any other word."""

    def lexicon(self, lexicon: Lexicon) -> Lexicon:
        return lexicon.without_bans([self.word])

    def word_choice(self, words: WordChoice) -> WordChoice:
        own = {} if self.score is None else {self.word: self.score}
        return replace(words, banned=words.banned - {self.word}, scores={**words.scores, **own})


@dataclass(frozen=True, kw_only=True)
class LowerMinimum(Remedy):
    """Allow words of a lower score in one entry."""

    name: str
    key: SlotKey
    score: int
    words: tuple[str, ...]
    """The words with at least that score that help, each verified."""

    def rules(self, rules: Rules) -> Rules:
        own = rules.entries.get(self.key, NO_ENTRY_RULES)
        return rules.with_entry(self.key, own.with_all(MinimumScore, [MinimumScore(self.score)]))


@dataclass(frozen=True, kw_only=True)
class LowerLowest(Remedy):
    """Allow words of a lower score in the whole grid."""

    score: int

    def lexicon(self, lexicon: Lexicon) -> Lexicon:
        return lexicon.with_minimum(self.score)

    def word_choice(self, words: WordChoice) -> WordChoice:
        return replace(words, minimum_score=self.score)


@dataclass(frozen=True, kw_only=True)
class AllowRepeats(Remedy):
    """Fill with a word used twice. A puzzle cannot store this choice, so applying it writes the fill."""

    def on(self, task: Task) -> Task:
        return replace(task, allow_repeats=True)

    def apply(self, puzzle: Puzzle) -> Puzzle:
        return write_fill(puzzle, self.fill)


@dataclass(frozen=True, kw_only=True)
class DropRule(Remedy):
    """Drop a rule."""

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
    """One change for each of several conflicts, made together."""

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
    """How it is known that choices conflict."""

    BY_PROPAGATION = Judgement.REFUTED.value
    PROVED = Judgement.PROVED.value
    """An exhaustive search found no fill."""
    AS_TRIED = "as-tried"
    """Proved, or by propagation, for a problem that leaves something out; the reason names it."""
    SUSPECTED = Judgement.OPEN.value
    """The search met its dead ends there, but has not finished."""


@dataclass(frozen=True)
class Conflict(Worded):
    """Choices that are incompatible whatever the rest of the grid holds."""

    choices: tuple[GivenChoice, ...]
    certainty: Certainty
    is_smallest: bool
    """Whether a fill was found without each of them, so that none can be omitted."""
    entries: tuple[str, ...] = ()
    """A small set of entries that cannot be filled together; empty if global rules are needed."""
    reason: Reason | None = None
    """What is wiped out when only these choices are kept."""


class Answer(enum.Enum):
    """The answer to the question why."""

    FILLABLE = "fillable"
    """There is a fill, so nothing to explain."""
    IMPOSSIBLE = "impossible"
    """There is no fill, for the reasons given."""
    UNKNOWN = "unknown"
    """Neither a fill nor a proof was found in time."""
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Explanation:
    """Why a grid, or a word in an entry, cannot be filled; refined step by step."""

    answer: Answer
    conflicts: tuple[Conflict, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    """Each is verified by a fill; those that settle all conflicts come first."""
    seconds: float = 0.0
    fill: Mapping[Position, Content] = field(default_factory=dict)
    """A fill, if there is one."""
    is_complete: bool = False
    """Whether the search for explanations is finished."""
    tried: Mapping[type[Remedy], int] = field(default_factory=dict)
    """How many changes of each kind were tried, including the remedies."""

    @property
    def blames_word(self) -> bool:
        """Whether a tried word is part of a conflict."""
        return any(isinstance(choice, TriedWord) for conflict in self.conflicts for choice in conflict.choices)
