"""What a constructor chose, piece by piece, rules about the whole grid too: each can be let go on its own."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from xwtui.engine.problem.tables import PLAIN_CONTENTS
from xwtui.model import Content, EntryRules, Position, SlotKey
from xwtui.model.rules import MinimumScore, Pattern
from xwtui.model.rules.allowed_contents import contents_words
from xwtui.model.rules.kinds import EntryRule, GridRule
from xwtui.text import first_named

if TYPE_CHECKING:
    from xwtui.engine.problem.task import Task

_MOST_BANS = 6
"""Banned words that are named one by one."""


class ChoiceKind(enum.Enum):
    """What sort of thing was chosen."""

    ENTRY = "entry"
    LETTER = "letter"
    REBUS = "rebus"
    CANDIDATE = "candidate"
    BAN = "ban"
    MINIMUM = "minimum"
    RULE = "rule"
    LAYOUT = "layout"


@dataclass(frozen=True)
class GivenChoice:
    """One thing that the constructor chose; the kinds of it are below."""

    @property
    def kind(self) -> ChoiceKind:
        """What sort of choice it is."""
        raise NotImplementedError

    @property
    def squares(self) -> Mapping[Position, Content]:
        """The squares that it gives a content; a square stays given while any choice that is kept gives it."""
        return {}

    def describe(self) -> str:
        """The choice as a constructor would say it."""
        raise NotImplementedError

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
    kind: ClassVar[ChoiceKind] = ChoiceKind.ENTRY

    @property
    @override
    def squares(self) -> Mapping[Position, Content]:
        return dict(zip(self.positions, self.contents, strict=True))

    @override
    def describe(self) -> str:
        locked = " (locked)" if self.locked_squares == len(self.positions) else ""
        return f"{self.name} {self.answer}{locked}"


@dataclass(frozen=True)
class Tried(GivenChoice):
    """A word tried out at an entry, where it does not stand yet; the task has it as the entry's rule."""

    name: str
    key: SlotKey
    word: str
    instead: EntryRules
    """The rules of the entry where the word is not tried."""
    kind: ClassVar[ChoiceKind] = ChoiceKind.CANDIDATE

    @override
    def describe(self) -> str:
        return f"{self.word} at {self.name}"

    @override
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
    @override
    def kind(self) -> ChoiceKind:
        return ChoiceKind.REBUS if self.content.is_rebus else ChoiceKind.LETTER

    @property
    @override
    def squares(self) -> Mapping[Position, Content]:
        return {self.position: self.content}

    @override
    def describe(self) -> str:
        return f"{self.content} at {self.position}"


@dataclass(frozen=True)
class Bans(GivenChoice):
    """Banned words that some list has."""

    words: tuple[str, ...]
    kind: ClassVar[ChoiceKind] = ChoiceKind.BAN

    @override
    def describe(self) -> str:
        return f"the ban of {first_named(self.words, _MOST_BANS)}"

    @override
    def let_go(self, task: Task) -> Task:
        lexicon = task.lexicon.without_bans(self.words)
        own = {name: listed.without_bans(self.words) for name, listed in task.own_lists.items()}
        return replace(task, lexicon=lexicon, own_lists=own)


@dataclass(frozen=True)
class Minimum(GivenChoice):
    """The lowest score that words of the whole grid may have."""

    score: int
    kind: ClassVar[ChoiceKind] = ChoiceKind.MINIMUM

    @override
    def describe(self) -> str:
        return f"the lowest score of {self.score}"

    @override
    def let_go(self, task: Task) -> Task:
        own = {name: listed.with_minimum(0) for name, listed in task.own_lists.items()}
        return replace(task, lexicon=task.lexicon.with_minimum(0), own_lists=own)


@dataclass(frozen=True)
class EntryRuleChoice(GivenChoice):
    """The rules of one entry."""

    name: str
    key: SlotKey
    rules: EntryRules
    kind: ClassVar[ChoiceKind] = ChoiceKind.RULE

    @override
    def describe(self) -> str:
        return f"the rule that {self.name} {self.rules.words}"

    @override
    def let_go(self, task: Task) -> Task:
        return replace(task, rules=task.rules.with_entry(self.key, EntryRules(MinimumScore(0))))


@dataclass(frozen=True)
class SquareRuleChoice(GivenChoice):
    """The contents that the rules allow a square."""

    position: Position
    allowed: tuple[Content, ...]
    kind: ClassVar[ChoiceKind] = ChoiceKind.RULE

    @override
    def describe(self) -> str:
        return f"the rule that {self.position} takes {contents_words(self.allowed)}"

    @override
    def let_go(self, task: Task) -> Task:
        anything = tuple(dict.fromkeys((*self.allowed, *PLAIN_CONTENTS)))
        return replace(task, rules=replace(task.rules, squares={**task.rules.squares, self.position: anything}))


@dataclass(frozen=True)
class EveryAnswerChoice(GivenChoice):
    """A rule of every answer."""

    rule: EntryRule
    kind: ClassVar[ChoiceKind] = ChoiceKind.RULE

    @override
    def describe(self) -> str:
        return f"the rule that every answer {self.rule.words()}"

    @override
    def let_go(self, task: Task) -> Task:
        return replace(task, rules=replace(task.rules, every=task.rules.every.without(self.rule)))


@dataclass(frozen=True)
class GridRuleChoice(GivenChoice):
    """A rule about the whole grid."""

    rule: GridRule
    kind: ClassVar[ChoiceKind] = ChoiceKind.RULE

    @override
    def describe(self) -> str:
        return f"the rule “{next(self.rule.lines())}”"

    @override
    def let_go(self, task: Task) -> Task:
        """The task with the rule asking for nothing, and with all that it allows still allowed."""
        relaxed = self.rule.relaxed()
        return replace(task, rules=task.rules.with_instead(self.rule, *([relaxed] if relaxed else [])))


@dataclass(frozen=True)
class GivenLayout(GivenChoice):
    """The blocks, where entries cannot be filled together whatever else is let go."""

    entries: tuple[str, ...]
    kind: ClassVar[ChoiceKind] = ChoiceKind.LAYOUT

    @override
    def describe(self) -> str:
        return f"the blocks around {', '.join(self.entries)}"
