"""The spellings that each entry of a board may have: words that its rule allows, cut into what squares may hold.

A plain reading of the rules, word by word: nothing is laid out in tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import compress

from xwtui.engine.problem.task import Task, obeying
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Direction, Position, Slot
from xwtui.model.rules import EntryRules

with lazy_imports():
    from xwtui.words import reader

_FIRST_PRIVATE = 0xE000

Allowed = tuple[tuple[Content, ...] | None, ...]
"""For each square of a slot what it may hold; None for any letter or digit."""


class Spellings:
    """The spellings of a task's slots, and the symbols that they are made of.

    A letter or digit stands for itself, any other content for a private character.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        assumed = task.assumptions.standing
        self.standing: Mapping[Position, Content] = {**assumed, **task.given}
        """What stands on squares from the beginning, given or assumed."""
        in_play = [*self.standing.values(), *(one for own in task.rules.squares.values() for one in own)]
        self._alphabet = task.lexicon.alphabet
        digraphs = map(Content.of, self._alphabet.digraphs)
        rebuses = dict.fromkeys([*digraphs, *(content for content in in_play if content.is_rebus)])
        self._private = {content: chr(_FIRST_PRIVATE + number) for number, content in enumerate(rebuses)}
        self._words: dict[tuple[EntryRules, int], tuple[str, ...]] = {}
        self._made: dict[tuple[object, ...], tuple[str, ...]] = {}

    def symbol(self, content: Content) -> str:
        return self._private.get(content, content.across)

    @cached_property
    def private_contents(self) -> Mapping[str, Content]:
        """The contents that private characters stand for."""
        return {symbol: content for content, symbol in self._private.items()}

    def of(self, slot: Slot) -> tuple[str, ...]:
        """All spellings of a slot, best score first; slots with the same ones share them.

        Given and assumed letters matter only in rebus squares: whoever looks words up sees what stands.
        Raises EngineError for a rule whose pattern takes too long.
        """
        answer = self._task.given_answer(slot)
        if answer is not None:
            return ("".join(map(self.symbol, answer)),)
        allowed = tuple(map(self._allowed, slot.positions))
        rules = self._task.entry_rules(slot)
        has_rebus = bool(self._alphabet.digraphs) or any(
            one.is_rebus for own in allowed if own is not None for one in own
        )
        key = (rules, allowed, slot.direction if has_rebus else None)
        if key not in self._made:
            try:
                self._made[key] = tuple(self._spell(rules, allowed, slot.direction, has_rebus=has_rebus))
            except EngineError as error:
                raise EngineError(f"{slot.name}: {error}") from None
        return self._without_ruled_out(slot, self._made[key])

    def _allowed(self, position: Position) -> tuple[Content, ...] | None:
        """What a square may hold, if that is not any letter."""
        standing = self.standing.get(position)
        if standing is not None:
            return (standing,) if standing.is_rebus else None
        own = self._task.rules.squares.get(position)
        return tuple(dict.fromkeys(own)) if own is not None else None

    def _spell(
        self, rules: EntryRules, allowed: Allowed, direction: Direction, *, has_rebus: bool
    ) -> Iterator[str]:
        if not has_rebus:
            letters = {at: {one.across for one in own} for at, own in enumerate(allowed) if own is not None}
            for word in self._rule_words(rules, len(allowed)):
                if all(word[at] in own for at, own in letters.items()):
                    yield word
            return
        found: list[tuple[int, str]] = []
        for length in range(*self._lengths(allowed, direction)):
            for word in self._rule_words(rules, length):
                found += [(self._score(rules, word), way) for way in self._ways(word, allowed, direction)]
        found.sort(key=lambda scored: -scored[0])
        yield from (spelling for _, spelling in found)

    def _ways(self, word: str, allowed: Allowed, direction: Direction, at: int = 0) -> Iterator[str]:
        """All ways to cut a word into what the squares may hold, from a square on."""
        if at == len(allowed):
            if not word:
                yield ""
            return
        own = allowed[at]
        for content in own if own is not None else map(Content.of, self._alphabet.units(word)[:1]):
            reading = content.reading(direction)
            if word.startswith(reading):
                for rest in self._ways(word[len(reading) :], allowed, direction, at + 1):
                    yield self.symbol(content) + rest

    def _lengths(self, allowed: Allowed, direction: Direction) -> tuple[int, int]:
        """The length of the shortest answer, and one more than that of the longest."""
        free = [1, *map(len, self._alphabet.digraphs)]
        sizes = [free if own is None else [len(one.reading(direction)) for one in own] or [1] for own in allowed]
        return sum(map(min, sizes)), sum(map(max, sizes)) + 1

    def _without_ruled_out(self, slot: Slot, spellings: tuple[str, ...]) -> tuple[str, ...]:
        """The spellings without those that the task's assumptions rule out."""
        assumed = self._task.assumptions
        barred = {"".join(map(self.symbol, row)) for row in assumed.entries.get(slot.name, ())}
        denied = [
            (at, {self.symbol(one) for one in assumed.squares[position]})
            for at, position in enumerate(slot.positions)
            if position in assumed.squares
        ]
        if not barred and not denied:
            return spellings
        return tuple(
            one for one in spellings if one not in barred and not any(one[at] in those for at, those in denied)
        )

    # Words

    def _rule_words(self, rules: EntryRules, length: int) -> tuple[str, ...]:
        """The words of a length that a rule allows, best score first."""
        key = (rules, length)
        if key not in self._words:
            self._words[key] = self._find_words(rules, length)
        return self._words[key]

    def _find_words(self, rules: EntryRules, length: int) -> tuple[str, ...]:
        source = self._task.own_lists[rules.word_list] if rules.word_list else self._task.lexicon
        if rules.minimum_score is None:
            words = source.table(length).words()
        else:
            table = source.everything(length)
            words = table.take(table.scores >= rules.minimum_score).words()
        if self._task.rules.wanted and not rules.word_list:
            words = self._with_wanted(words, rules, length)
        return tuple(compress(words, obeying(words, rules)) if rules.tests else words)

    def _with_wanted(self, words: Sequence[str], rules: EntryRules, length: int) -> list[str]:
        """The words with those that are wanted, which need not be listed nor reach the puzzle's score."""
        listed = set(words)
        wanted = [
            word
            for word in dict.fromkeys(self._task.rules.wanted)
            if len(word) == length and word not in listed and word not in self._task.lexicon.banned
        ]
        fitting = [word for word in wanted if self._score(rules, word) >= (rules.minimum_score or 0)]
        return sorted([*words, *fitting], key=lambda word: -self._score(rules, word)) if fitting else list(words)

    def _score(self, rules: EntryRules, word: str) -> int:
        """A word's score in the entry's list; what none has counts as words without a score do."""
        source = self._task.own_lists[rules.word_list] if rules.word_list else self._task.lexicon
        score = source.score(word)
        return reader.DEFAULT_SCORE if score is None else score
