"""What a rule is: one class for each kind, which knows all that there is to know about it.

A kind says how it is typed (`speech`), what it is in a file, what it allows an answer or asks of the grid, how
it reads in words, and what the review says where it is broken. `registry` lists the kinds, and nothing else does.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol, Self

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
from xwtui.named_tuples import NamedTuple

Answers = Mapping[Slot, str]
"""The answers of the entries that are written out."""


class Breach(NamedTuple):
    """A rule that is not kept: what is wrong, and the squares it is about."""

    message: str
    where: tuple[Position, ...] = ()


class WordFacts(Protocol):
    """What the word lists tell a rule in a review; the words package has it."""

    @property
    def default_score(self) -> int:
        """What a word without a score counts."""

    @property
    def minimum_score(self) -> int:
        """The lowest score that fills use."""

    @property
    def tags(self) -> Sequence[str]: ...

    def score(self, word: str) -> int | None:
        """A word's score; None for one that no list has."""

    def tags_of(self, word: str) -> Collection[str]: ...

    @property
    def repeats(self) -> Sequence[tuple[str, str]]:
        """Every two entries whose answers repeat each other (`words.repeats`), by their names."""


class _AskedFacts(Protocol):
    """What a rule sees of all the rules of its puzzle."""

    @property
    def squares(self) -> Mapping[Position, tuple[Content, ...]]:
        """The only contents that some squares may hold."""

    @property
    def constraints(self) -> Sequence[Constraint]: ...

    @property
    def finds_rebuses(self) -> bool: ...


class _ChoiceFacts(Protocol):
    """What a rule sees of its puzzle's choice of words."""

    @property
    def alphabet(self) -> Alphabet: ...

    @property
    def banned(self) -> Collection[str]: ...


class PuzzleFacts(Protocol):
    """What a rule sees of the puzzle that it is a rule of, which itself imports the rules."""

    @property
    def grid(self) -> Grid: ...

    @property
    def rules(self) -> _AskedFacts: ...

    @property
    def words(self) -> _ChoiceFacts: ...

    def answer(self, slot: Slot) -> str | None:
        """The answer of an entry that is written out; None for another."""

    def told_pattern(self, slot: Slot) -> str:
        """An entry as it stands, with its answer where something else is entered."""


class Rule(ABC):
    """One thing that a constructor asks; a frozen value."""

    place: ClassVar[int] = sys.maxsize
    """Where rules of its kind are told, tried and written among the others; `registry` numbers the kinds."""
    most_of_kind: ClassVar[tuple[int, str]] = (1, "rules of one kind")
    """How many of its kind an entry, or the grid, may have, and what they are called."""

    @property
    def rank(self) -> str:
        """What puts rules of its kind in order, where the order in which they were made does not matter."""
        return ""

    @abstractmethod
    def check(self) -> None:
        """Raise PuzzleError for what no puzzle can be asked."""


class EntryRule(Rule):
    """One thing that the answer of an entry must obey."""

    field: ClassVar[str]
    """Its name in an ipuz file, in the fields of an entry's rules."""
    option: ClassVar[RuleOption]
    """How the verb `rule` is told of it."""
    examples: ClassVar[tuple[str, ...]] = ()
    """Lines that show it, for the verb's help."""
    asks_every: ClassVar[bool] = False
    """Whether it may be asked of every answer of the grid at once."""
    is_source: ClassVar[bool] = False
    """Whether it says where words come from, which is told first: `from cities that ...`."""
    free_text: ClassVar[str] = ""
    """What its field in a file is called, where that is text of any kind, which a reader makes harmless first."""
    is_slow: ClassVar[bool] = False
    """Whether an answer takes long to try, so that it is tried last."""

    @classmethod
    @abstractmethod
    def said(cls, value: Any, before: Sequence[Self]) -> Sequence[Self]:
        """What the option's value makes of the rules of this kind that an entry has."""

    @classmethod
    @abstractmethod
    def read(cls, value: Any) -> Sequence[Self]:
        """Those of a file's field; raises DamageError and PuzzleError."""

    @classmethod
    @abstractmethod
    def written(cls, rules: Sequence[Self]) -> Any:
        """The file's field for at least one of them."""

    @abstractmethod
    def words(self) -> str:
        """What is asked, to come after the entry's name: `contains ING`."""

    def allows(self) -> Callable[[str], bool] | None:
        """What tells whether an answer obeys by its letters; None where the rule is about something else."""
        return None

    def broken(self, answer: str) -> str:
        """What an answer does against it by its letters: `does not contain ING`; empty where it obeys."""
        return ""

    def broken_score(self, score: int | None) -> str:
        """What an answer does against it by its score in the entry's list, None if it is not there."""
        return ""


@dataclass(frozen=True)
class TextRule(EntryRule):
    """An entry's rule that is one text, of which it has one at most; an empty text takes it away."""

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
    """One thing that is asked of the grid as a whole."""

    waits_for_full_grid: ClassVar[bool] = False
    """Whether the review judges it only once all entries are written."""

    @classmethod
    @abstractmethod
    def read(cls, fields: Mapping[str, Any]) -> Sequence[Self]:
        """Those of this kind in a file's rules; raises DamageError and PuzzleError."""

    @classmethod
    @abstractmethod
    def written(cls, rules: Sequence[Self]) -> dict[str, Any]:
        """The file's fields for rules of this kind, empty ones included."""

    @abstractmethod
    def lines(self) -> Iterator[str]:
        """What is asked, a line or more."""

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """What a fill must keep; nothing where the rule asks for nothing at present."""
        return ()

    @property
    def brings(self) -> tuple[str, ...]:
        """Words that a fill may use because of it, whether a list has them or not."""
        return ()

    def relaxed(self) -> Self | None:
        """The rule asking for nothing, with all that it allows still allowed; None for no rule at all."""
        return None

    def moved(self, move: GridMove) -> Self | None:
        """The same of the grid once it was turned or resized; None where nothing is left of what it names."""
        return self

    def move_notes(self, move: GridMove) -> Iterator[str]:
        """What that does to it that it cannot follow."""
        return iter(())

    def named(self, grid: Grid) -> int:
        """How many squares, or entries, it names."""
        return 0

    def dropped(self) -> Self | None:
        """What is left of it where a constructor does without; None for nothing."""
        return None

    def after_finding(self, found: Counter[Content]) -> Self | None:
        """What is left to ask once the constructor took over squares that the filler found; None for nothing.

        The squares that count for this rule are taken out of `found`.
        """
        return self

    def breaches(self, puzzle: PuzzleFacts, answers: Answers) -> Iterator[Breach]:
        """How the grid breaks it, as far as no word list is needed to tell."""
        yield from ()

    def word_breaches(self, answers: Answers, words: WordFacts) -> Iterator[Breach]:
        """How the answers break it, as the word lists tell."""
        yield from ()

    def notes(self, puzzle: PuzzleFacts, words: WordFacts) -> Iterator[str]:
        """What is odd about it, though nothing breaks it: words that cannot be placed, tags that no word bears."""
        yield from ()


class ListedRule(GridRule):
    """A rule about the whole grid of which a file has a list, with some fields for each."""

    field: ClassVar[str]
    """The list's name in an ipuz file."""

    @classmethod
    @abstractmethod
    def read_one(cls, fields: Mapping[str, Any]) -> Self:
        """That of some fields; raises DamageError and PuzzleError."""

    @abstractmethod
    def written_one(self) -> dict[str, Any]:
        """Its fields; those without a value, empty or False are left out."""

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Sequence[Self]:
        return [cls.read_one(read_mapping(each)) for each in read_list(fields.get(cls.field, []))]

    @classmethod
    def written(cls, rules: Sequence[Self]) -> dict[str, Any]:
        tables = [rule.written_one() for rule in rules]
        return {cls.field: [{name: value for name, value in table.items() if _says(value)} for table in tables]}


def _says(value: Any) -> bool:
    return value not in (None, "", []) and value is not False
