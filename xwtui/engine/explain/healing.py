"""Looking for remedies: what may settle a conflict, each tried out by a fill before it is offered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from xwtui.engine.explain.choices import (
    Bans,
    EntryRuleChoice,
    EveryAnswerChoice,
    GivenChoice,
    GivenEntry,
    GivenSquare,
    GridRuleChoice,
    Grounds,
    Minimum,
    NoRepeats,
    SquareRuleChoice,
    only,
)
from xwtui.engine.explain.explanation import (
    AllowRepeats,
    AllowWord,
    ChangeSquare,
    Conflict,
    DropRule,
    EmptyEntry,
    EmptySquares,
    LowerLowest,
    LowerMinimum,
    Remedy,
    SwapEntries,
)
from xwtui.engine.explain.judge import Judge, Judgement
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.model import Content, Position

_NODES = 3_000
"""Nodes that the fill which verifies a remedy may take."""
_MOST_CONTENTS = 8
"""Letters offered for one square."""
_MOST_WORDS = 3
"""Helpful words told for one entry."""
_MOST_TRIES = 12
"""Low words tried for one entry."""

AnyRemedy = TypeVar("AnyRemedy", bound=Remedy)


class Healer:
    """Finds remedies for one conflict; other conflicts of the grid are left out of account."""

    def __init__(self, grounds: Grounds, conflict: Conflict, others: Sequence[Conflict], judge: Judge) -> None:
        self._grounds = grounds
        self._conflict = conflict
        self._judge = judge
        elsewhere = {choice for other in others for choice in other.choices} - set(conflict.choices)
        self._settles_all = not others
        self._kept = [choice for choice in grounds.choices if choice not in elsewhere]
        self._task = grounds.keeping(self._kept) if others else grounds.asked

    def remedies(self) -> Iterator[Remedy]:
        """Remedies, the ones that change least for a constructor first; raises OutOfTimeError."""
        is_healed = False
        for remedy in self._single_remedies():
            is_healed = True
            yield remedy
        if not is_healed:
            yield from self._for_all_given()

    def _for_all_given(self) -> Iterator[Remedy]:
        """Take all that is given in the conflict away, where no part of it is enough."""
        given = [choice for choice in self._conflict.choices if isinstance(choice, GivenSquare | GivenEntry)]
        held = {at for choice in self._kept if choice not in given for at in choice.squares}
        squares = tuple(dict.fromkeys(at for choice in given for at in choice.squares if at not in held))
        if len(given) > 1:
            yield from self._verified([EmptySquares(what=tuple(given), squares=squares)])

    def _single_remedies(self) -> Iterator[Remedy]:
        for choice in self._conflict.choices:
            if isinstance(choice, GivenSquare):
                yield from self._for_square(choice)
            elif isinstance(choice, Bans):
                yield from self._verified(AllowWord(word=word) for word in choice.words)
            elif isinstance(choice, Minimum):
                lowered = list(self._for_minimum())
                yield from lowered or self._for_all_entries(choice)
            elif isinstance(choice, NoRepeats) and self._settles_all:
                yield from self._verified([AllowRepeats()])
            elif isinstance(choice, EntryRuleChoice | SquareRuleChoice | EveryAnswerChoice | GridRuleChoice):
                yield from self._verified([DropRule(choice=choice)])
        entries = [choice for choice in self._conflict.choices if isinstance(choice, GivenEntry)]
        for entry in entries:
            yield from self._verified([self._emptied(entry)])
        for entry in entries:
            yield from self._swaps(entry)

    def _verify(self, remedy: AnyRemedy, task: Task | None = None) -> AnyRemedy | None:
        """The remedy with a fill of the grid after it, if one is found."""
        verdict = self._judge.judge(remedy.on(self._task if task is None else task), _NODES)
        if verdict.finding is not Judgement.FILLED:
            return None
        return replace(remedy, fill=verdict.fill, answers=verdict.answers, settles_all=self._settles_all)

    def _verified(self, remedies: Iterator[Remedy] | Sequence[Remedy]) -> Iterator[Remedy]:
        for remedy in remedies:
            found = self._verify(remedy)
            if found is not None:
                yield found

    def _without(self, choice: GivenChoice) -> list[GivenChoice]:
        return [kept for kept in self._kept if kept != choice]

    def _emptied(self, entry: GivenEntry) -> EmptyEntry:
        held = {at for choice in self._without(entry) for at in choice.squares}
        squares = tuple(at for at in entry.positions if at not in held)
        is_locked = entry.locked_squares > 0
        return EmptyEntry(name=entry.name, answer=entry.answer, squares=squares, is_locked=is_locked)

    def _for_square(self, choice: GivenSquare) -> Iterator[Remedy]:
        """Other contents for a square, all that are verified in one remedy."""
        problem = Problem.of(self._grounds.keeping(self._without(choice)))
        if not problem.root.is_possible:
            return
        mask = problem.masks(problem.root.state)[problem.positions.index(choice.position)]
        found: list[ChangeSquare] = []
        for content in problem.symbols.in_mask(mask):
            change = ChangeSquare(position=choice.position, old=choice.content, choices=(content,))
            verified = self._verify(change)
            if verified is not None:
                found.append(verified)
            if len(found) == _MOST_CONTENTS:
                break
        if found:
            contents = tuple(content for change in found for content in change.choices)
            yield replace(found[0], choices=contents, single=tuple(found))

    def _for_minimum(self) -> Iterator[Remedy]:
        """For each entry at fault, the highest lower score that has a word which helps."""
        for name in self._conflict.entries:
            slot = self._task.grid.entry(name)
            if self._task.given_answer(slot) is not None or self._task.entry_rules(slot).minimum_score is not None:
                continue
            lowest = LowerMinimum(name=name, key=(slot.start, slot.direction), score=0, words=())
            found = self._low_words(lowest)
            if found is not None:
                yield found

    def _for_all_entries(self, minimum: Minimum) -> Iterator[Remedy]:
        """The highest lower score of the whole grid with which a fill is found, if there is any."""
        lengths = {len(slot) for slot in self._task.grid.entries}
        known = {score for length in lengths for score in self._task.lexicon.everything(length).scores.tolist()}
        scores = sorted((score for score in known if score < minimum.score), reverse=True)
        found: Remedy | None = None
        while scores:
            middle = len(scores) // 2
            verified = self._verify(LowerLowest(score=scores[middle]))
            scores = scores[middle + 1 :] if verified is None else scores[:middle]
            found = verified or found
        if found is not None:
            yield found

    def _low_words(self, lowest: LowerMinimum) -> LowerMinimum | None:
        """Lower an entry's score no more than needed, for a few words tried out one by one."""
        problem = Problem.of(lowest.on(self._task))
        if not problem.root.is_possible:
            return None
        helping: list[LowerMinimum] = []
        for row in self._low_rows(problem, problem.slot_numbers[lowest.name]):
            found = self._tried(lowest, problem, row)
            if found is not None and (not helping or found.score == helping[0].score):
                helping.append(found)
            if len(helping) == _MOST_WORDS:
                break
        if not helping:
            return None
        words = dict.fromkeys(word for remedy in helping for word in remedy.words)
        return replace(helping[0], words=tuple(words), settles_all=self._settles_all)

    def _low_rows(self, problem: Problem, slot: int) -> list[int]:
        """The best rows of an entry that are below the minimum."""
        rows = problem.rows_left(problem.root.state, slot).tolist()
        minimum = self._task.lexicon.minimum_score
        low = [row for row in rows if problem.score(slot, row) < minimum]
        return sorted(low, key=lambda row: -problem.score(slot, row))[:_MOST_TRIES]

    def _tried(self, lowest: LowerMinimum, problem: Problem, row: int) -> LowerMinimum | None:
        """A row of an entry put to the test, as a remedy by itself."""
        slot = problem.slot_numbers[lowest.name]
        word, score = problem.word(slot, row), problem.score(slot, row)
        task = replace(self._task, rules=self._task.rules.with_entry(lowest.key, only(word, score)))
        verdict = self._judge.judge(task, _NODES)
        if verdict.finding is not Judgement.FILLED:
            return None
        return replace(lowest, score=score, words=(word,), fill=verdict.fill, answers=verdict.answers)

    def _swaps(self, entry: GivenEntry) -> Iterator[Remedy]:
        """Other given answers of the same length that could stand in this place, and this one in theirs."""
        done = self._conflict.choices[: self._conflict.choices.index(entry)]
        for other in self._kept:
            if not isinstance(other, GivenEntry) or other is entry or other in done:
                continue
            if len(other.positions) == len(entry.positions) and other.answer != entry.answer:
                swap = self._swap(entry, other)
                if not self._breaks_others(swap, (entry, other)):
                    yield from self._verified([swap])

    def _breaks_others(self, swap: SwapEntries, swapped: tuple[GivenEntry, GivenEntry]) -> bool:
        """Whether a swap would change a square that another choice gives."""
        others = [choice for choice in self._kept if choice not in swapped]
        shared = set(swapped[0].positions) & set(swapped[1].positions)
        return bool(shared) or any(
            swap.contents.get(at, content) != content
            for choice in others
            for at, content in choice.squares.items()
        )

    def _swap(self, entry: GivenEntry, other: GivenEntry) -> SwapEntries:
        contents: dict[Position, Content] = dict(zip(entry.positions, other.contents, strict=True))
        contents.update(zip(other.positions, entry.contents, strict=True))
        names, answers = (entry.name, other.name), (entry.answer, other.answer)
        return SwapEntries(names=names, answers_swapped=answers, contents=contents)
