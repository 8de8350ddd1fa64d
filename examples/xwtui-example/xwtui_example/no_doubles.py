"""A rule: an answer with no letter twice in a row, by `rule 17A --no-doubles on`, or without a place for all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Self

from xwtui.model.rules.base import EntryRule
from xwtui.model.rules.grammar import Reads, RuleOption, Value


@dataclass(frozen=True)
class NoDoubles(EntryRule):
    """The answer has no letter twice in a row."""

    field: ClassVar[str] = "no_doubles"
    option: ClassVar[RuleOption] = RuleOption(
        "--no-doubles", Value(Reads.SWITCH), "no letter twice in a row: on or off"
    )
    examples: ClassVar[tuple[str, ...]] = ("rule 17A --no-doubles on",)
    asks_every: ClassVar[bool] = True

    @classmethod
    def said(cls, value: Any, before: Sequence[Self]) -> Sequence[Self]:
        return (cls(),) if value else ()

    @classmethod
    def read(cls, value: Any) -> Sequence[Self]:
        return (cls(),) if value is True else ()

    @classmethod
    def written(cls, rules: Sequence[Self]) -> Any:
        return True

    def check(self) -> None:
        """Nothing: every answer can be asked that."""

    def words(self) -> str:
        return "has no letter twice in a row"

    def allows(self) -> Callable[[str], bool]:
        return lambda answer: not _doubles(answer)

    def broken(self, answer: str) -> str:
        found = _doubles(answer)
        return f"has {found[0]} twice in a row" if found else ""


def _doubles(answer: str) -> list[str]:
    return [one for one, after in pairwise(answer) if one == after]
