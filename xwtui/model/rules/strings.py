"""The rules about strings in an answer: what it contains, what it lacks, and which answers it must not be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, ClassVar, Self

from xwtui.dataclasses import dataclass
from xwtui.model.rules.checks import check_count, check_words, read_strings
from xwtui.model.rules.kinds import EntryRule
from xwtui.model.rules.speech import Reads, RuleOption, Value
from xwtui.text import listed

MOST_STRINGS = 20
"""Strings that one entry must or must not have in it."""
MOST_BARRED = 1000


@dataclass(frozen=True)
class _Strings(EntryRule):
    """A rule about some strings, typed with commas between them."""

    strings: tuple[str, ...]

    @classmethod
    def said(cls, value: Any, before: Sequence[Self]) -> Sequence[Self]:
        strings = tuple(dict.fromkeys(chain.from_iterable(value)))
        return (cls(strings),) if strings else ()

    @classmethod
    def read(cls, value: Any) -> Sequence[Self]:
        strings = read_strings(value)
        return (cls(strings),) if strings else ()

    @classmethod
    def written(cls, rules: Sequence[Self]) -> Any:
        return list(rules[0].strings)

    def check(self) -> None:
        check_count(len(self.strings), MOST_STRINGS, "strings that an answer must or must not contain")
        check_words(self.strings)


@dataclass(frozen=True)
class Contains(_Strings):
    """The answer has each string somewhere."""

    field: ClassVar[str] = "contains"
    option: ClassVar[RuleOption] = RuleOption(
        "--contains", Value(Reads.PARTS), "letters it must have in a row: ING, or Q,Z", many=True
    )

    def words(self) -> str:
        return f"contains {listed(self.strings, 'and')}"

    def allows(self) -> Callable[[str], bool]:
        return lambda answer: all(part in answer for part in self.strings)

    def broken(self, answer: str) -> str:
        return " and ".join(f"does not contain {part}" for part in self.strings if part not in answer)


@dataclass(frozen=True)
class Lacks(_Strings):
    """The answer has no string anywhere."""

    field: ClassVar[str] = "lacks"
    option: ClassVar[RuleOption] = RuleOption(
        "--lacks",
        Value(Reads.PARTS),
        "letters it must not have: A,E,I,O (none of these), ING (not in a row)",
        many=True,
    )
    examples: ClassVar[tuple[str, ...]] = ("rule 17A --lacks A,E,I,O",)

    def words(self) -> str:
        in_a_row = " in a row" if any(len(letters) > 1 for letters in self.strings) else ""
        return f"lacks {listed(self.strings, 'and')}{in_a_row}"

    def allows(self) -> Callable[[str], bool]:
        return lambda answer: not any(part in answer for part in self.strings)

    def broken(self, answer: str) -> str:
        return " and ".join(f"contains {part}" for part in self.strings if part in answer)


@dataclass(frozen=True)
class Barred(_Strings):
    """The answer is none of some words."""

    field: ClassVar[str] = "barred"
    option: ClassVar[RuleOption] = RuleOption(
        "--bar", Value(Reads.PARTS), "answers it must not be: OBOE,TUBA", name="barred", many=True, metavar="WORDS"
    )
    examples: ClassVar[tuple[str, ...]] = ("rule 17A --bar OBOE",)

    def check(self) -> None:
        check_count(len(self.strings), MOST_BARRED, "words barred from one entry")
        check_words(self.strings)

    def words(self) -> str:
        return f"keeps out {listed(self.strings, 'and')}"

    def allows(self) -> Callable[[str], bool]:
        barred = frozenset(self.strings)
        return lambda answer: answer not in barred

    def broken(self, answer: str) -> str:
        return "is barred there" if answer in self.strings else ""
