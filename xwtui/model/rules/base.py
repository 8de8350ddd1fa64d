"""The interface of rules: one class for each kind, which holds everything about that kind.

A kind defines how it is typed, its form in files, what it allows an answer or requires of the grid, its wording,
and the review's messages when it is broken. Only `registry` lists the kinds.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, Self

from xwtui.dataclasses import dataclass
from xwtui.model.alphabet import Alphabet
from xwtui.model.grid import Grid
from xwtui.model.grid_move import GridMove
from xwtui.model.rules.checks import read_list, read_mapping, read_string
from xwtui.model.rules.constraints import Constraint
from xwtui.model.rules.grammar import RuleOption
from xwtui.model.slots import Slot
from xwtui.model.square import Content
from xwtui.model.where import Position

Answers = Mapping[Slot, str]
"""Answers of the complete entries, by slot."""


class Breach(NamedTuple):
    """A broken rule: a message and the squares involved."""

    message: str
    where: tuple[Position, ...] = ()


class WordFacts(Protocol):
    """What a rule can learn from the word lists during a review; implemented in the words package."""

    @property
    def default_score(self) -> int:
        """The score assumed for a word without one."""

    @property
    def minimum_score(self) -> int:
        """The lowest score of words that fills use."""

    @property
    def tags(self) -> Sequence[str]: ...

    def score(self, word: str) -> int | None:
        """Return a word's score, or None if no list contains the word."""

    def tags_of(self, word: str) -> Collection[str]: ...

    @property
    def repeats(self) -> Sequence[tuple[str, str]]:
        """Pairs of entry names whose answers repeat each other (`words.repeats`)."""


class _AskedFacts(Protocol):
    """What a rule can see of all the rules of its puzzle."""

    @property
    def squares(self) -> Mapping[Position, tuple[Content, ...]]:
        """The contents allowed in restricted squares."""

    @property
    def constraints(self) -> Sequence[Constraint]: ...

    @property
    def finds_rebuses(self) -> bool: ...


class _ChoiceFacts(Protocol):
    """What a rule can see of its puzzle's word choice."""

    @property
    def alphabet(self) -> Alphabet: ...

    @property
    def banned(self) -> Collection[str]: ...


class PuzzleFacts(Protocol):
    """What a rule can see of its puzzle. A protocol, because the puzzle module imports the rules."""

    @property
    def grid(self) -> Grid: ...

    @property
    def rules(self) -> _AskedFacts: ...

    @property
    def words(self) -> _ChoiceFacts: ...

    def answer(self, slot: Slot) -> str | None:
        """Return a complete entry's answer, else None."""

    def shown_pattern(self, slot: Slot) -> str:
        """Return an entry as text, with its answer if something else is entered."""


class Rule(ABC):
    """One requirement of the constructor; a frozen value."""

    place: ClassVar[int] = sys.maxsize
    """Sort position of this kind when rules are listed, tested and written; assigned by `registry`."""
    most_of_kind: ClassVar[tuple[int, str]] = (1, "rules of one kind")
    """Maximum number of rules of this kind for one entry or the grid, and the noun for the error message."""

    @property
    def rank(self) -> str:
        """Sort key among rules of this kind whose creation order does not matter."""
        return ""

    @abstractmethod
    def check(self) -> None:
        """Raise PuzzleError for a requirement that no puzzle can meet."""


class EntryRule(Rule):
    """One requirement on an entry's answer."""

    field: ClassVar[str]
    """Name in an ipuz file, among the fields of an entry's rules."""
    option: ClassVar[RuleOption]
    """The option of the verb `rule` that sets it."""
    examples: ClassVar[tuple[str, ...]] = ()
    """Example lines for the verb's help."""
    asks_every: ClassVar[bool] = False
    """Whether it may apply to every answer of the grid at once."""
    is_source: ClassVar[bool] = False
    """Whether it selects the source of words, which is named first: `from cities that ...`."""
    free_text: ClassVar[str] = ""
    """Description of its field in a file, if that holds free text, which a reader must sanitize first."""
    is_slow: ClassVar[bool] = False
    """Whether testing an answer is slow, so that it is tested last."""

    @classmethod
    @abstractmethod
    def said(cls, value: Any, before: Sequence[Self]) -> Sequence[Self]:
        """Return an entry's rules of this kind after the option's value is applied to its existing ones."""

    @classmethod
    @abstractmethod
    def read(cls, value: Any) -> Sequence[Self]:
        """Parse the rules from a file's field; raises DamageError and PuzzleError."""

    @classmethod
    @abstractmethod
    def written(cls, rules: Sequence[Self]) -> Any:
        """Return the file's field for one or more rules."""

    @abstractmethod
    def words(self) -> str:
        """Return the requirement as a phrase to follow the entry's name: `contains ING`."""

    def allows(self) -> Callable[[str], bool] | None:
        """Return a predicate on an answer's letters, or None if the rule is not about letters."""
        return None

    def broken(self, answer: str) -> str:
        """Return how an answer's letters break the rule, `does not contain ING`; empty if they do not."""
        return ""

    def broken_score(self, score: int | None) -> str:
        """Return how a score in the entry's list, None if unlisted, breaks the rule; empty if it does not."""
        return ""


@dataclass(frozen=True)
class TextRule(EntryRule):
    """An entry rule that consists of one text. An entry has at most one, and an empty text removes it."""

    text: str

    @classmethod
    def said(cls, value: Any, before: Sequence[Self]) -> Sequence[Self]:
        return (cls(value),) if value else ()

    @classmethod
    def read(cls, value: Any) -> Sequence[Self]:
        text = read_string(value)
        return (cls(text),) if text else ()

    @classmethod
    def written(cls, rules: Sequence[Self]) -> Any:
        return rules[0].text


class GridRule(Rule):
    """One requirement on the grid as a whole."""

    waits_for_full_grid: ClassVar[bool] = False
    """Whether the review judges it only once all entries are complete."""

    @classmethod
    @abstractmethod
    def read(cls, fields: Mapping[str, Any]) -> Sequence[Self]:
        """Parse the rules of this kind from a file's rules; raises DamageError and PuzzleError."""

    @classmethod
    @abstractmethod
    def written(cls, rules: Sequence[Self]) -> dict[str, Any]:
        """Return the file's fields for the rules of this kind, including empty fields."""

    @abstractmethod
    def lines(self) -> Iterator[str]:
        """Yield the requirement in words, one or more lines."""

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The constraints on a fill; empty if the rule requires nothing at present."""
        return ()

    @property
    def brings(self) -> tuple[str, ...]:
        """Words that a fill may use because of this rule, even if no list contains them."""
        return ()

    def relaxed(self) -> Self | None:
        """Return the rule with nothing required but everything still allowed, or None to drop it entirely."""
        return None

    def moved(self, move: GridMove) -> Self | None:
        """Return the rule for the turned or resized grid, or None if nothing that it names remains."""
        return self

    def move_notes(self, move: GridMove) -> Iterator[str]:
        """Yield notes on aspects of the rule that cannot follow the move."""
        return iter(())

    def named(self, grid: Grid) -> int:
        """Return the number of squares or entries that it names."""
        return 0

    def dropped(self) -> Self | None:
        """Return what remains when the constructor drops the rule, or None."""
        return None

    def after_finding(self, found: Counter[Content]) -> Self | None:
        """Return the remaining requirement after the constructor accepts squares that the filler found, or None.

        Removes the squares that count for this rule from `found`.
        """
        return self

    def breaches(self, puzzle: PuzzleFacts, answers: Answers) -> Iterator[Breach]:
        """Yield the ways in which the grid breaks the rule that can be judged without a word list."""
        yield from ()

    def word_breaches(self, answers: Answers, words: WordFacts) -> Iterator[Breach]:
        """Yield the ways in which the answers break the rule according to the word lists."""
        yield from ()

    def notes(self, puzzle: PuzzleFacts, words: WordFacts) -> Iterator[str]:
        """Yield oddities of an unbroken rule: words that cannot be placed, tags that no word has."""
        yield from ()


class ListedRule(GridRule):
    """A rule about the whole grid that a file stores as a list, with one mapping of fields for each rule."""

    field: ClassVar[str]
    """Name of the list in an ipuz file."""

    @classmethod
    @abstractmethod
    def read_one(cls, fields: Mapping[str, Any]) -> Self:
        """Parse one rule from its fields; raises DamageError and PuzzleError."""

    @abstractmethod
    def written_one(self) -> dict[str, Any]:
        """Return its fields; those without a value, empty or False are omitted from the file."""

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Sequence[Self]:
        return [cls.read_one(read_mapping(each)) for each in read_list(fields.get(cls.field, []))]

    @classmethod
    def written(cls, rules: Sequence[Self]) -> dict[str, Any]:
        tables = [rule.written_one() for rule in rules]
        return {cls.field: [{name: value for name, value in table.items() if _says(value)} for table in tables]}


def _says(value: Any) -> bool:
    return value not in (None, "", []) and value is not False
