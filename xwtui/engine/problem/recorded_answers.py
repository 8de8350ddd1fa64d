"""Recovery of the answers behind altered entries, so that a puzzle stores them.

A fill consists of squares. Code that writes one uses this module to find the answers that its entries stand for.
Among all readings that satisfy the rules, it prefers the one with the most wanted answers, then the one with the
most answers recorded before, then the one whose answers have the highest total.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from xwtui.engine.problem.altered_words import PLAIN, mark_of
from xwtui.engine.problem.task import Task
from xwtui.engine.problem.word_stock import stock_of
from xwtui.model import Content, Position, Puzzle, Slot, SlotKey
from xwtui.model.edits import write_fill
from xwtui.model.entering import EnteredAnswer
from xwtui.model.rules.constraints import AlteredEntries, AnswerCount, altered_entries
from xwtui.model.statistics import ListedScores
from xwtui.words.normalise import word_codes

_MOST_TRIES = 20_000
"""Maximum number of readings tried while searching for a consistent set; after that, answers may repeat."""


_RECORDED = 1 << 16
"""Bonus of an answer recorded before: more than the appeals of a whole grid."""
_WANTED = 1 << 32
"""Bonus of a wanted answer: more than the bonuses of all answers recorded before."""


class Reading(NamedTuple):
    """A possible answer of an entry, the mark of how it is altered, and its appeal with bonuses."""

    answer: str
    mark: int
    worth: int


def with_recorded_answers(task: Task, before: Puzzle, after: Puzzle) -> Puzzle:
    """Return a changed puzzle with the answers of its new entries; `task` is the task that it poses.

    Entries in pen are read again if the change wrote them. Given entries with a recorded answer keep it.
    """
    groups = altered_entries(after.rules.constraints, after.grid.entries)
    if not groups or (before.grid is after.grid and before.rules == after.rules):
        return after
    readings = {slot: _readings(task, before, after, slot) for entries in groups.values() for slot in entries}
    plain = {slot: answer for slot in after.grid.slots if slot not in readings and (answer := after.answer(slot))}
    taken = {**plain, **{slot: some[0].answer for slot, some in readings.items() if len(some) == 1}}
    recorded: dict[SlotKey, EnteredAnswer | None] = {}
    for rule, entries in groups.items():
        elsewhere = {answer for slot, answer in taken.items() if slot not in entries}
        likely = [readings[slot] for slot in entries]

        def of_any_score(entries: Sequence[Slot] = entries) -> Sequence[Sequence[Reading]]:
            every = replace(task, lexicon=task.lexicon.with_minimum(0))
            return [_readings(every, before, after, slot) for slot in entries]

        chosen = _chosen(rule, likely, of_any_score, elsewhere)
        for slot, reading in zip(entries, chosen, strict=True):
            entered = after.grid.answer(slot)
            if reading is not None and entered is not None:
                taken[slot] = reading.answer
                is_same = reading.answer == entered
                recorded[slot.start, slot.direction] = None if is_same else EnteredAnswer(reading.answer, entered)
    return after.with_entered(recorded)


def with_fill(task: Task, puzzle: Puzzle, fill: Mapping[Position, Content]) -> Puzzle:
    """Return a puzzle with a fill of its task in pencil, and the answers of its entries."""
    return with_recorded_answers(task, Puzzle(task.grid), write_fill(puzzle, fill))


def puzzle_of_fill(task: Task, fill: Mapping[Position, Content]) -> Puzzle:
    """Return a task's own grid with a fill, and the answers of all entries."""
    return with_fill(task, Puzzle(task.grid, rules=task.rules, entered=task.entered), fill)


def scores_of_fill(task: Task, fill: Mapping[Position, Content]) -> ListedScores:
    """Return the scores of all answers in a grid with a fill, including given ones."""
    return ListedScores.of(puzzle_of_fill(task, fill).answers, task.lexicon.score)


def _readings(task: Task, before: Puzzle, after: Puzzle, slot: Slot) -> Sequence[Reading]:
    """Return the possible readings of an entry, likeliest first; empty if it is incomplete."""
    entered, treatment = after.grid.answer(slot), task.treatment(slot)
    if entered is None or treatment is None:
        return ()
    recorded, is_given = after.answer(slot) or entered, all(after.grid[at].is_given for at in slot.positions)
    is_new = slot not in before.grid.entries or before.grid.answer(slot) != entered
    mark = mark_of(treatment.treatment, recorded, entered)
    if not is_new and is_given:
        return (Reading(recorded, mark, 0),)
    rules = task.entry_rules(slot)
    found = stock_of(task).answers_entered_as(entered, rules, treatment)
    if not found:  # a fill may have used words of a lower score
        every = replace(task, lexicon=task.lexicon.with_minimum(0))
        found = stock_of(every).answers_entered_as(entered, rules, treatment)
    is_recorded = not is_new or is_given or recorded != entered

    def worth(answer: str) -> int:
        penalty = _rule_penalty(task, answer) if is_new else 0
        return _RECORDED * (is_recorded and answer == recorded) - _WANTED * penalty

    readings = [Reading(answer, mark, appeal + worth(answer)) for answer, mark, appeal in found]
    return sorted(readings, key=lambda reading: -reading.worth) or (Reading(recorded, mark, 0),)


def _rule_penalty(task: Task, answer: str) -> int:
    """Return how badly an answer fits the rules: higher for limited answers, lower for wanted ones."""
    tags, score = task.lexicon.tags_of(answer), task.lexicon.score(answer)
    counts = [rule for rule in task.rules.constraints if isinstance(rule, AnswerCount)]
    return sum(rule.counts(tags, score) for rule in counts) - (answer in task.rules.wanted)


def _chosen(
    rule: AlteredEntries,
    readings: Sequence[Sequence[Reading]],
    of_any_score: Callable[[], Sequence[Sequence[Reading]]],
    taken: Collection[str],
) -> Sequence[Reading | None]:
    """Return a reading per entry that satisfies the rule with distinct answers, else with repeats, else any.

    If the words in use do not satisfy it, words of any score are tried: a fill may have used lower ones.
    """
    for elsewhere in (taken, None):
        for is_likely in (True, False):
            search = _Search(rule, readings if is_likely else of_any_score(), elsewhere)
            if search.chosen is not None:
                return search.chosen
    return [some[0] if some else None for some in readings]


class _Search:
    """A branch-and-bound search for the best readings of entries, in clue order.

    It chooses a reading for each entry so that the required number are altered and spell the message. Answers
    taken elsewhere are excluded and no two are the same, unless `taken` is None. The bound ignores repeats only.
    """

    def __init__(
        self, rule: AlteredEntries, readings: Sequence[Sequence[Reading]], taken: Collection[str] | None
    ) -> None:
        self._readings: Sequence[Sequence[Reading | None]] = [some or (None,) for some in readings]
        self._count = rule.count
        self._marks = (word_codes(rule.message) + 1).tolist() if rule.message else ()
        self._may_repeat = taken is None
        self._tries = 0
        self.chosen: Sequence[Reading | None] | None = None
        """The best readings; None if none satisfy the rule."""
        self._worth = 0
        self._ahead: list[dict[int, int]] = [{self._count or 0: 0}]
        """For each entry and each feasible number of altered ones before it, the best total of the rest.

        It ignores repeats."""
        for some in reversed(self._readings):
            ahead = self._ahead[-1]
            best: dict[int, int] = {}
            for number in range((self._count or 0) + 1):
                ways = [
                    _worth(each) + ahead[after]
                    for each in some
                    for after in self._after(each, number)
                    if after in ahead
                ]
                if ways:
                    best[number] = max(ways)
            self._ahead.append(best)
        self._ahead.reverse()
        self._choose([], frozenset(taken or ()), 0, 0)

    def _choose(self, chosen: list[Reading | None], used: frozenset[str], spelled: int, worth: int) -> None:
        """Choose readings for the remaining entries, after `spelled` altered ones."""
        at = len(chosen)
        if at == len(self._readings):
            self.chosen, self._worth = chosen, worth
            return
        self._tries += 1
        ahead = self._ahead[at + 1]
        ways = [
            (_worth(reading) + ahead[after], after, reading)
            for reading in self._readings[at]
            for after in self._after(reading, spelled)
            if after in ahead and (reading is None or reading.answer not in used)
        ]
        for most, after, reading in sorted(ways, key=lambda way: -way[0]):
            if self._tries > _MOST_TRIES or (self.chosen is not None and worth + most <= self._worth):
                return
            answer = () if reading is None or self._may_repeat else (reading.answer,)
            self._choose([*chosen, reading], used.union(answer), after, worth + _worth(reading))

    def _after(self, reading: Reading | None, spelled: int) -> Sequence[int]:
        """Return the possible numbers of altered entries after a reading; empty if the reading is not allowed."""
        if self._count is None:
            return (spelled,)
        is_next = spelled < self._count
        if reading is None:
            return (spelled, spelled + 1) if is_next else (spelled,)
        if reading.mark == PLAIN:
            return (spelled,)
        return (spelled + 1,) if is_next and (not self._marks or reading.mark == self._marks[spelled]) else ()


def _worth(reading: Reading | None) -> int:
    return 0 if reading is None else reading.worth
