"""The rules that say which words an entry draws upon: its own lowest score, and its own word list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError
from xwtui.model.rules.checks import read_number
from xwtui.model.rules.kinds import EntryRule, TextRule
from xwtui.model.rules.speech import Reads, RuleOption, Value

HIGHEST_SCORE = 100


@dataclass(frozen=True)
class MinimumScore(EntryRule):
    """The answer scores so much at least, instead of the puzzle's own lowest score; higher or lower."""

    field: ClassVar[str] = "minimum_score"
    option: ClassVar[RuleOption] = RuleOption(
        "--min", Value(Reads.SCORE), "its minimum score, or `none` for the puzzle's", name="minimum_score"
    )
    examples: ClassVar[tuple[str, ...]] = ("rule 17A --min 60 --match .*ING",)

    score: int
    """0 to 100."""

    @classmethod
    def said(cls, value: Any, before: Sequence[Self]) -> Sequence[Self]:
        return () if value is None else (cls(value),)

    @classmethod
    def read(cls, value: Any) -> Sequence[Self]:
        return () if value is None else (cls(read_number(value)),)

    @classmethod
    def written(cls, rules: Sequence[Self]) -> Any:
        return rules[0].score

    def check(self) -> None:
        if not 0 <= self.score <= HIGHEST_SCORE:
            raise PuzzleError(f"scores go from 0 to {HIGHEST_SCORE}, not {self.score}")

    def words(self) -> str:
        return f"scores {self.score} or more"

    def broken_score(self, score: int | None) -> str:
        if (score or 0) >= self.score:
            return ""
        told = "is in no word list" if score is None else f"scores {score}"
        return f"{told}; it must score {self.score} or more"


@dataclass(frozen=True)
class OwnList(TextRule):
    """The answer is in a word list of the entry's own, by its name or path, instead of the puzzle's."""

    field: ClassVar[str] = "word_list"
    option: ClassVar[RuleOption] = RuleOption(
        "--list", Value(Reads.LIST), 'its own word list, or "" for the puzzle\'s', name="word_list"
    )
    examples: ClassVar[tuple[str, ...]] = ("rule 17A --list default",)
    is_source: ClassVar[bool] = True
    free_text: ClassVar[str] = "the name of a word list"

    def check(self) -> None:
        """Any name will do: the lists are looked for when they are read."""

    def words(self) -> str:
        return f"from {self.text}"

    def broken_score(self, score: int | None) -> str:
        return f"is not in {self.text}" if score is None else ""
