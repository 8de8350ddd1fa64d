"""A task taken apart into what the constructor chose, some of it kept and the rest let go."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from xwtui.engine.explain.choices import (
    Bans,
    EntryRuleChoice,
    EveryAnswerChoice,
    GivenChoice,
    GivenEntry,
    GivenSquare,
    GridRuleChoice,
    Minimum,
    SquareRuleChoice,
    Tried,
    only,
)
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError
from xwtui.model import Ink, Position
from xwtui.model.rules import NO_ENTRY_RULES


def choices_of(task: Task, tried: Tried | None = None) -> tuple[GivenChoice, ...]:
    """All choices of a task: what stands in the grid first, then words, then rules."""
    return (*([tried] if tried else []), *_given(task), *_words(task), *_rules(task, tried))


def _given(task: Task) -> Iterable[GivenChoice]:
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


def _words(task: Task) -> Iterable[GivenChoice]:
    lexicons = [task.lexicon, *task.own_lists.values()]
    banned = {word for lexicon in lexicons for word in lexicon.banned if lexicon.score(word) is not None}
    if banned:
        yield Bans(tuple(sorted(banned)))
    if task.lexicon.minimum_score:
        yield Minimum(task.lexicon.minimum_score)


def _rules(task: Task, tried: Tried | None) -> Iterable[GivenChoice]:
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


class Grounds:
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
        self.task = _allowing_what_stands(task)
        self.choices: tuple[GivenChoice, ...] = choices_of(task, tried)
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
    slot = task.grid.slot(name)
    if task.given_answer(slot) is not None:
        raise EngineError(f"{slot.name} holds an answer already; empty it to try {word} there")
    key = (slot.start, slot.direction)
    tried = Tried(slot.name, key, word, task.rules.entries.get(key, NO_ENTRY_RULES))
    if broken := task.entry_rules(slot).broken(word):
        raise EngineError(f"{word} {' and '.join(broken)}, against the rule of {slot.name}")
    asked = replace(task, rules=task.rules.with_entry(tried.key, only(word)))
    return replace(asked, lexicon=task.lexicon.also_allowing([word])), tried


def _allowing_what_stands(task: Task) -> Task:
    """The task without what is not asked of given squares and answers anyway, and with these answers allowed."""
    whole = [slot for slot in task.grid.slots if task.given_answer(slot) is not None]
    exempt = {(slot.start, slot.direction) for slot in whole}
    rules = replace(
        task.rules,
        entries={key: rules for key, rules in task.rules.entries.items() if key not in exempt},
        exempt=frozenset(exempt),
        squares={at: allowed for at, allowed in task.rules.squares.items() if at not in task.given},
    )
    answers = [
        "".join(content.reading(slot.direction) for content in task.given_answer(slot) or ()) for slot in whole
    ]
    return replace(task, rules=rules, lexicon=task.lexicon.also_allowing(answers))
