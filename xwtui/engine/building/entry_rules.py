"""The rules of single entries: whether they can be read, and how they are told."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xwtui.engine.task import Task
from xwtui.engine.wording import listed
from xwtui.errors import EngineError
from xwtui.model.rules import EntryRule


def check_rules(task: Task) -> None:
    """Raise EngineError for a rule with a list that is not there, or with a regular expression that is none."""
    for slot in task.grid.slots if task.rules.entries else ():
        rule = task.rule(slot)
        if rule.word_list and rule.word_list not in task.own_lists:
            raise EngineError(f"{slot.name}: its own word list {rule.word_list!r} is not there")
        try:
            re.compile(rule.pattern)
        except (re.error, RecursionError, OverflowError) as error:
            raise EngineError(f"{slot.name}: {rule.pattern!r} is no regular expression: {error}") from None


def describe_rule(rule: EntryRule) -> str:
    """What a rule asks of a word: `from cities that scores 60 or more, matches .*ING and lacks Q`."""
    demands = list(_demands(rule))
    told = [f"from {rule.word_list}"] if rule.word_list else []
    told += [f"that {listed(demands, 'and')}"] if demands else []
    return " ".join(told)


def _demands(rule: EntryRule) -> Iterator[str]:
    if rule.minimum_score is not None:
        yield f"scores {rule.minimum_score} or more"
    if rule.pattern:
        yield f"matches {rule.pattern}"
    if rule.contains:
        yield f"contains {listed(rule.contains, 'and')}"
    if rule.lacks:
        yield f"lacks {listed(rule.lacks, 'and')}"
