"""What rules ask of a grid as a whole, judged once it is full: the plain way that the classic strategies take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from xwtui.model import Content, Position
from xwtui.model.rule_review import runs
from xwtui.words.stems import Stemmer

if TYPE_CHECKING:
    from xwtui.engine.problem.task import Task


class WholeGrid:
    """Judges full grids of a task."""

    def __init__(self, task: Task, vocabulary: Callable[[], frozenset[str]]) -> None:
        """`vocabulary` gives the words in play, which tell what a word is made of."""
        self._task = task
        self._vocabulary = vocabulary
        given = {slot.name for slot in task.grid.slots if task.given_answer(slot) is not None}
        self._given = frozenset(given)
        self.asks_anything = not task.rules.asks_single_things_only

    def breach(self, answers: Mapping[str, str], squares: Mapping[Position, Content]) -> str:
        """What cannot be, of a full grid that breaks a rule, such as `a square with Q`; empty if it keeps all."""
        return next(self._breaches(answers, squares), "")

    def _breaches(self, answers: Mapping[str, str], squares: Mapping[Position, Content]) -> Iterator[str]:
        rules = self._task.rules
        if self._task.fills_the_rest:
            standing = set(answers.values()).intersection(rules.wanted)
            if len(standing) < rules.wanted_least:
                yield f"{rules.wanted_least} or more of the wanted words"
            shown = {*squares.values(), *self._task.given.values()}
            letters = {letter for content in shown for letter in content.across + content.down}
            missing = [letter for letter in rules.letters if letter not in letters]
            if missing:
                yield f"a square with {missing[0]}"
        for tag, most in rules.tag_limits.items():
            bearing = {name for name, word in answers.items() if self._bears(tag, word)}
            if len(bearing) > max(most, len(bearing & self._given)):
                yield f"at most {most} entries with the tag {tag}"
        for one, other in combinations(answers, 2):
            if not {one, other} <= self._given:
                yield from self._shared(answers[one], answers[other])

    def _shared(self, one: str, other: str) -> Iterator[str]:
        """What two answers must not have in common."""
        rules = self._task.rules
        if rules.shared_substring and any(run in other for run in runs(one, rules.shared_substring)):
            yield f"{one} beside {other}, which shares {rules.shared_substring} letters in a row with it,"
        if rules.distinct_stems and self._stemmer.share_stem(one, other):
            yield f"{one} beside {other}, which shares a stem with it,"
        if rules.wanted_least and one == other and one in rules.wanted:
            yield f"the wanted word {one} twice"

    def _bears(self, tag: str, word: str) -> bool:
        lists = (self._task.lexicon, *self._task.own_lists.values())
        return any(tag in words.tags_of(word) for words in lists)

    @cached_property
    def _stemmer(self) -> Stemmer:
        return Stemmer(self._task.rules.stem_groups, self._vocabulary())
