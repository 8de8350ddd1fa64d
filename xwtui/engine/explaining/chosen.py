"""Going through a task for what the constructor chose."""

from __future__ import annotations

from collections.abc import Iterable

from xwtui.engine.explaining.choices import (
    Bans,
    Choice,
    EntryRuleChoice,
    EveryAnswerChoice,
    GivenEntry,
    GivenSquare,
    GridRuleChoice,
    Minimum,
    SquareRuleChoice,
    Tried,
)
from xwtui.engine.task import Task
from xwtui.model import Ink, Position


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
