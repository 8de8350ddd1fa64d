"""What a constructor chose, piece by piece, rules about the whole grid too; and a task with some of it let go."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.problem.symbols import plain_symbols
from xwtui.engine.problem.task import Task, length_misfit
from xwtui.errors import EngineError
from xwtui.model import Content, EntryRules, Ink, Position, SlotKey
from xwtui.model.rules import NO_ENTRY_RULES, MinimumScore, Pattern
from xwtui.model.rules.base import EntryRule, GridRule
from xwtui.worded import Worded


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

    @property
    def kind(self) -> str:
        return "rebus" if self.content.is_rebus else "letter"

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
            yield GivenSquare(position, content)
    lexicons = [task.lexicon, *task.own_lists.values()]
    banned = {word for lexicon in lexicons for word in lexicon.banned if lexicon.score(word) is not None}
    if banned:
        yield Bans(tuple(sorted(banned)))
    if task.lexicon.minimum_score:
        yield Minimum(task.lexicon.minimum_score)
    yield from _rules(task, tried)


def _rules(task: Task, tried: Tried | None) -> Iterator[GivenChoice]:
    rules = task.rules
    slots = {(slot.start, slot.direction): slot for slot in task.grid.entries}
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

    Answers that stand in the grid stay allowed where their entry is freed in part, listed or not, so that
    letting go never forbids anything.
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
    key = (slot.start, slot.direction)
    tried = Tried(slot.name, key, word, task.rules.entries.get(key, NO_ENTRY_RULES))
    if broken := task.entry_rules(slot).broken(word):
        raise EngineError(f"{word} {' and '.join(broken)}, which the rule for {slot.name} forbids")
    asked = replace(task, rules=task.rules.with_entry(tried.key, only(word)))
    return replace(asked, lexicon=task.lexicon.also_allowing([word])), tried


def _allowing_what_stands(task: Task) -> Task:
    """The task without what is not asked of given squares and answers anyway, and with these answers allowed."""
    whole = [slot for slot in task.grid.entries if task.given_answer(slot) is not None]
    exempt = {(slot.start, slot.direction) for slot in whole}
    rules = replace(
        task.rules,
        entries={key: rules for key, rules in task.rules.entries.items() if key not in exempt},
        exempt=frozenset(exempt),
        squares={at: allowed for at, allowed in task.rules.squares.items() if at not in task.given},
    )
    answers = filter(None, map(task.given_word, whole))
    return replace(task, rules=rules, lexicon=task.lexicon.also_allowing(tuple(answers)))
