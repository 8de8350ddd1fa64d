"""What a constructor chose, piece by piece, rules about the whole grid too: each can be let go on its own."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from typing_extensions import override

from xwtui.engine.problem.tables import PLAIN_CONTENTS
from xwtui.model import Content, EntryRule, Position, RebusPlacing, Rules, SlotKey
from xwtui.model.rule_words import contents_words, entry_words
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

    @property
    @override
    def kind(self) -> ChoiceKind:
        return ChoiceKind.ENTRY

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
    instead: EntryRule
    """The rule of the entry where the word is not tried."""

    @property
    @override
    def kind(self) -> ChoiceKind:
        return ChoiceKind.CANDIDATE

    @override
    def describe(self) -> str:
        return f"{self.word} at {self.name}"

    @override
    def let_go(self, task: Task) -> Task:
        return replace(task, rules=with_entry(task.rules, self.key, self.instead))


def with_entry(rules: Rules, key: SlotKey, rule: EntryRule) -> Rules:
    """Rules with that of one entry replaced."""
    return replace(rules, entries={**rules.entries, key: rule})


def only(word: str, minimum_score: int = 0) -> EntryRule:
    """The rule that an entry's answer is this word."""
    return EntryRule(minimum_score=minimum_score, pattern=re.escape(word))


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

    @property
    @override
    def kind(self) -> ChoiceKind:
        return ChoiceKind.BAN

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

    @property
    @override
    def kind(self) -> ChoiceKind:
        return ChoiceKind.MINIMUM

    @override
    def describe(self) -> str:
        return f"the lowest score of {self.score}"

    @override
    def let_go(self, task: Task) -> Task:
        own = {name: listed.with_minimum(0) for name, listed in task.own_lists.items()}
        return replace(task, lexicon=task.lexicon.with_minimum(0), own_lists=own)


@dataclass(frozen=True)
class EntryRuleChoice(GivenChoice):
    """The rule of one entry."""

    name: str
    key: SlotKey
    rule: EntryRule

    @property
    @override
    def kind(self) -> ChoiceKind:
        return ChoiceKind.RULE

    @override
    def describe(self) -> str:
        return f"the rule that {self.name} {entry_words(self.rule)}"

    @override
    def let_go(self, task: Task) -> Task:
        return replace(task, rules=with_entry(task.rules, self.key, EntryRule(minimum_score=0)))


@dataclass(frozen=True)
class SquareRuleChoice(GivenChoice):
    """The contents that the rules allow a square."""

    position: Position
    allowed: tuple[Content, ...]

    @property
    @override
    def kind(self) -> ChoiceKind:
        return ChoiceKind.RULE

    @override
    def describe(self) -> str:
        return f"the rule that {self.position} takes {contents_words(self.allowed)}"

    @override
    def let_go(self, task: Task) -> Task:
        anything = tuple(dict.fromkeys((*self.allowed, *PLAIN_CONTENTS)))
        return replace(task, rules=replace(task.rules, squares={**task.rules.squares, self.position: anything}))


@dataclass(frozen=True)
class GivenLayout(GivenChoice):
    """The blocks, where entries cannot be filled together whatever else is let go."""

    entries: tuple[str, ...]

    @property
    @override
    def kind(self) -> ChoiceKind:
        return ChoiceKind.LAYOUT

    @override
    def describe(self) -> str:
        return f"the blocks around {', '.join(self.entries)}"


class GridRule(enum.Enum):
    """A rule about the whole grid."""

    WANTED = "wanted"
    SUBSTRING = "shared_substring"
    STEMS = "distinct_stems"
    LETTERS = "letters"
    TAG = "tag_limits"
    PLACING = "placings"


@dataclass(frozen=True)
class GridRuleChoice(GivenChoice):
    """A rule about the whole grid; `which` tells the tag, or the number of the placing."""

    rule: GridRule
    told: str
    which: str | int = 0

    @property
    @override
    def kind(self) -> ChoiceKind:
        return ChoiceKind.RULE

    @override
    def describe(self) -> str:
        return f"the rule “{self.told}”"

    @override
    def let_go(self, task: Task) -> Task:
        return replace(task, rules=self.without(task.rules))

    def without(self, rules: Rules) -> Rules:
        """The rules with this one asking for nothing, and with all that it allows still allowed."""
        match self.rule:
            case GridRule.WANTED:
                return replace(rules, wanted_least=0)
            case GridRule.SUBSTRING:
                return replace(rules, shared_substring=0)
            case GridRule.STEMS:
                return replace(rules, distinct_stems=False)
            case GridRule.LETTERS:
                return replace(rules, letters="")
            case GridRule.TAG:
                limits = {tag: most for tag, most in rules.tag_limits.items() if tag != self.which}
                return replace(rules, tag_limits=limits)
            case GridRule.PLACING:
                placing = rules.placings[int(self.which)]
                return self._with_placings(rules, replace(placing, least=0, each=False, symmetric=False))

    def dropped(self, rules: Rules) -> Rules:
        """The rules as if this one had never been made."""
        match self.rule:
            case GridRule.WANTED:
                return replace(rules, wanted=(), wanted_least=0)
            case GridRule.PLACING:
                return self._with_placings(rules)
            case _:
                return self.without(rules)

    def _with_placings(self, rules: Rules, *instead: RebusPlacing) -> Rules:
        number = int(self.which)
        return replace(rules, placings=(*rules.placings[:number], *instead, *rules.placings[number + 1 :]))
