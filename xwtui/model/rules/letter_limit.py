"""The rule that an answer has a letter so many times at most: no answer with two Qs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError
from xwtui.model.letters import are_known
from xwtui.model.rules.checks import LONGEST_WORD, check_each, read_mapping, read_number
from xwtui.model.rules.kinds import EntryRule
from xwtui.model.rules.speech import OFF, Reads, RuleOption, Value


@dataclass(frozen=True)
class LetterLimit(EntryRule):
    """The answer has a letter so many times at most, those in its rebus squares included."""

    field: ClassVar[str] = "letter_limits"
    option: ClassVar[RuleOption] = RuleOption(
        "--most",
        (Value(Reads.LETTER), Value(Reads.NUMBER_OR_OFF, 0, LONGEST_WORD)),
        "maximum number of times a letter may occur: Q 1, or Q off; applies to every answer if ENTRY is left out",
        name="letter_limits",
        many=True,
        metavar="LETTER NUMBER",
    )
    examples: ClassVar[tuple[str, ...]] = ("rule 17A --most Q 1", "rule --most Q 1")
    asks_every: ClassVar[bool] = True
    most_of_kind: ClassVar[tuple[int, str]] = (36, "letters with a limit")

    letter: str
    most: int

    @property
    def rank(self) -> str:
        return self.letter

    @classmethod
    def said(cls, value: Any, before: Sequence[Self]) -> Sequence[Self]:
        """Letters that the line does not name keep their limits."""
        limits: dict[str, Any] = {rule.letter: rule.most for rule in before} | dict(value)
        return [cls(letter, most) for letter, most in limits.items() if most != OFF]

    @classmethod
    def read(cls, value: Any) -> Sequence[Self]:
        return [cls(letter, read_number(most)) for letter, most in read_mapping(value).items()]

    @classmethod
    def written(cls, rules: Sequence[Self]) -> Any:
        return {rule.letter: rule.most for rule in rules}

    def check(self) -> None:
        is_letter = len(self.letter) == 1 and are_known(self.letter)
        check_each([self.letter], lambda _: is_letter, "capital letter or digit")
        if not 0 <= self.most <= LONGEST_WORD:
            raise PuzzleError(f"a letter is limited to a number from 0 to {LONGEST_WORD}, not {self.most}")

    def words(self) -> str:
        return f"has {self.letter} at most {_times(self.most)}" if self.most else f"has no {self.letter}"

    def allows(self) -> Callable[[str], bool]:
        return lambda answer: answer.count(self.letter) <= self.most

    def broken(self, answer: str) -> str:
        count = answer.count(self.letter)
        return f"has {self.letter} {_times(count)}" if count > self.most else ""


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
