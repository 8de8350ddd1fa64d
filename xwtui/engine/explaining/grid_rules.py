"""The rules about a whole grid, each a choice that can be let go."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from typing_extensions import override

from xwtui.engine.explaining.choices import Choice, ChoiceKind
from xwtui.model import RebusPlacing, Rules

if TYPE_CHECKING:
    from xwtui.engine.task import Task


class GridRule(enum.Enum):
    """A rule about the whole grid."""

    WANTED = "wanted"
    SUBSTRING = "shared_substring"
    STEMS = "distinct_stems"
    LETTERS = "letters"
    TAG = "tag_limits"
    PLACING = "placings"


@dataclass(frozen=True)
class GridRuleChoice(Choice):
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
