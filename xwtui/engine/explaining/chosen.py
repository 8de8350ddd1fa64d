"""Going through a task for what the constructor chose."""

from __future__ import annotations

from collections.abc import Iterable

from xwtui.engine.explaining.choices import (
    Bans,
    Choice,
    EntryRuleChoice,
    GivenEntry,
    GivenSquare,
    Minimum,
    SquareRuleChoice,
    Tried,
)
from xwtui.engine.explaining.grid_rules import GridRule, GridRuleChoice
from xwtui.engine.task import Task
from xwtui.model import Ink, Position, Rules
from xwtui.model.rule_words import whole_lines


def choices_of(task: Task, tried: Tried | None = None) -> tuple[Choice, ...]:
    """All choices of a task: what stands in the grid first, then words, then rules."""
    return (*([tried] if tried else []), *_given(task), *_words(task), *_rules(task, tried))


def _given(task: Task) -> Iterable[Choice]:
    covered: set[Position] = set()
    for slot in task.grid.slots:
        contents = task.given_answer(slot)
        if contents is not None:
            covered |= set(slot.positions)
            answer = "".join(content.reading(slot.direction) for content in contents)
            locked = sum(task.grid[at].ink is Ink.LOCKED for at in slot.positions)
            yield GivenEntry(slot.name, slot.positions, contents, answer, locked)
    for position, content in task.given.items():
        if position not in covered:
            yield GivenSquare(position, content)


def _words(task: Task) -> Iterable[Choice]:
    lexicons = [task.lexicon, *task.own_lists.values()]
    banned = {word for lexicon in lexicons for word in lexicon.banned if lexicon.score(word) is not None}
    if banned:
        yield Bans(tuple(sorted(banned)))
    if task.lexicon.minimum_score:
        yield Minimum(task.lexicon.minimum_score)


def _rules(task: Task, tried: Tried | None) -> Iterable[Choice]:
    rules = task.rules
    slots = {(slot.start, slot.direction): slot for slot in task.grid.slots}
    for key, rule in rules.entries.items():
        is_tried = tried is not None and key == tried.key
        if key in slots and task.given_answer(slots[key]) is None and not is_tried:
            yield EntryRuleChoice(slots[key].name, key, rule)
    for position, allowed in rules.squares.items():
        if position not in task.given:
            yield SquareRuleChoice(position, allowed)
    yield from _grid_rules(rules)


def _grid_rules(rules: Rules) -> Iterable[Choice]:
    single = {
        GridRule.WANTED: Rules(wanted=rules.wanted, wanted_least=rules.wanted_least),
        GridRule.SUBSTRING: Rules(shared_substring=rules.shared_substring),
        GridRule.STEMS: Rules(distinct_stems=rules.distinct_stems),
        GridRule.LETTERS: Rules(letters=rules.letters),
    }
    for rule, alone in single.items():
        if alone.is_about_grid and (rule is not GridRule.WANTED or rules.wanted_least):
            yield GridRuleChoice(rule, _told(alone))
    for tag, most in rules.tag_limits.items():
        yield GridRuleChoice(GridRule.TAG, _told(Rules(tag_limits={tag: most})), tag)
    for number, placing in enumerate(rules.placings):
        yield GridRuleChoice(GridRule.PLACING, _told(Rules(placings=(placing,))), number)


def _told(rules: Rules) -> str:
    """The one line that tells of rules that are about one thing."""
    return next(iter(whole_lines(rules)))
