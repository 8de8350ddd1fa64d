"""What rules ask of a grid as a whole, judged once it is full: the plain way that the classic strategies take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING

from xwtui.model import Content, Position
from xwtui.model.rules.constraints import LettersPresent, RunsDiffer, StemsDiffer, TagAtMost, WordsPresent
from xwtui.model.rules.distinct import runs
from xwtui.words.stems import Stemmer

if TYPE_CHECKING:
    from xwtui.engine.task import Task


class WholeGrid:
    """Judges full grids of a task."""

    def __init__(self, task: Task, vocabulary: Callable[[], frozenset[str]]) -> None:
        """`vocabulary` gives the words in play, which tell what a word is made of."""
        self._task = task
        self._vocabulary = vocabulary
        self._stemmers: dict[tuple[frozenset[str], ...], Stemmer] = {}
        given = {slot.name for slot in task.grid.slots if task.given_answer(slot) is not None}
        self._given = frozenset(given)
        self.asks_anything = bool(task.rules.constraints)

    def breach(self, answers: Mapping[str, str], squares: Mapping[Position, Content]) -> str:
        """What cannot be, of a full grid that breaks a rule, such as `a square with Q`; empty if it keeps all."""
        return next(self._breaches(answers, squares), "")

    def _breaches(self, answers: Mapping[str, str], squares: Mapping[Position, Content]) -> Iterator[str]:
        for constraint in self._task.rules.constraints:
            match constraint:
                case WordsPresent():
                    yield from self._too_few(constraint, answers)
                case LettersPresent():
                    yield from self._missing(constraint, squares)
                case TagAtMost():
                    yield from self._too_many(constraint, answers)
        for one, other in combinations(answers, 2):
            if not {one, other} <= self._given:
                yield from self._shared(answers[one], answers[other])

    def _too_few(self, present: WordsPresent, answers: Mapping[str, str]) -> Iterator[str]:
        standing = set(answers.values()).intersection(present.words)
        if self._task.fills_the_rest and len(standing) < present.least:
            yield f"{present.least} or more of the {present.name}s"

    def _missing(self, present: LettersPresent, squares: Mapping[Position, Content]) -> Iterator[str]:
        shown = {*squares.values(), *self._task.given.values()}
        letters = {letter for content in shown for letter in content.across + content.down}
        missing = [letter for letter in present.letters if letter not in letters]
        if self._task.fills_the_rest and missing:
            yield f"a square with {missing[0]}"

    def _too_many(self, limit: TagAtMost, answers: Mapping[str, str]) -> Iterator[str]:
        bearing = {name for name, word in answers.items() if self._bears(limit.tag, word)}
        if len(bearing) > max(limit.most, len(bearing & self._given)):
            yield f"at most {limit.most} entries with the tag {limit.tag}"

    def _shared(self, one: str, other: str) -> Iterator[str]:
        """What two answers must not have in common."""
        for constraint in self._task.rules.constraints:
            match constraint:
                case RunsDiffer(length) if any(run in other for run in runs(one, length)):
                    yield f"{one} beside {other}, which shares {length} letters in a row with it,"
                case StemsDiffer(groups) if self._stemmer(groups).share_stem(one, other):
                    yield f"{one} beside {other}, which shares a stem with it,"
                case WordsPresent(words) if one == other and one in words:
                    yield f"the {constraint.name} {one} twice"

    def _bears(self, tag: str, word: str) -> bool:
        lists = (self._task.lexicon, *self._task.own_lists.values())
        return any(tag in words.tags_of(word) for words in lists)

    def _stemmer(self, groups: tuple[frozenset[str], ...]) -> Stemmer:
        if groups not in self._stemmers:
            self._stemmers[groups] = Stemmer(groups, self._vocabulary())
        return self._stemmers[groups]
