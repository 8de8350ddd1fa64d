"""The rule that only so many answers bear a tag of the word lists, such as `abbreviation`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError
from xwtui.model.rules.checks import check_each, read_mapping, read_number
from xwtui.model.rules.collection import Edited, Rules, RuleVerb
from xwtui.model.rules.constraints import AnswerCount, Constraint
from xwtui.model.rules.kinds import Answers, Breach, GridRule, PuzzleFacts, WordFacts
from xwtui.model.rules.speech import OFF, Argument, Reads, Value
from xwtui.text import first_named

_TAG = re.compile(r"[a-z][a-z0-9-]{0,29}")


@dataclass(frozen=True)
class TagLimit(GridRule):
    """At most so many answers bear a tag."""

    most_of_kind: ClassVar[tuple[int, str]] = (20, "limits")

    tag: str
    most: int

    @property
    def rank(self) -> str:
        return self.tag

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Sequence[Self]:
        limits = read_mapping(fields.get("tag_limits", {}))
        return [cls(tag, read_number(limit)) for tag, limit in limits.items()]

    @classmethod
    def written(cls, rules: Sequence[Self]) -> dict[str, Any]:
        return {"tag_limits": {rule.tag: rule.most for rule in rules}}

    def check(self) -> None:
        check_each(
            [self.tag], lambda text: _TAG.fullmatch(text) is not None, "tag, such as `abbreviation` or `name`"
        )
        if self.most < 0:
            raise PuzzleError(
                f"at most {self.most} words with the tag {self.tag} is impossible; the lowest limit is 0"
            )

    def lines(self) -> Iterator[str]:
        number = f"at most {self.most}" if self.most else "no"
        yield f"limit: {number} {'answer' if self.most < 2 else 'answers'} with the tag {self.tag}"

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return (AnswerCount(f"the tag {self.tag}", most=self.most, tag=self.tag),)

    def word_breaches(self, answers: Answers, words: WordFacts) -> Iterator[Breach]:
        bearing = [
            f"{slot.name} {answer}" for slot, answer in answers.items() if self.tag in words.tags_of(answer)
        ]
        if len(bearing) > self.most:
            number = "1 answer has" if len(bearing) == 1 else f"{len(bearing)} answers have"
            yield Breach(f"{number} the tag {self.tag}, limit {self.most or 'none'}: {first_named(bearing)}")

    def notes(self, puzzle: PuzzleFacts, words: WordFacts) -> Iterator[str]:
        """Whether no word bears the tag."""
        if self.tag not in words.tags:
            there = f"there are {first_named(words.tags)}" if words.tags else "the lists have no tags"
            yield f"no word in the lists has the tag {self.tag}; {there}"


def _edit(rules: Rules, line: Mapping[str, Any]) -> Edited | None:
    tag, most = line["tag"], line["most"]
    if tag is None:
        return None
    if most is None:
        raise PuzzleError(f"limit {tag}: say how many, such as `limit {tag} 2`, or `off`")
    others = [rule for rule in rules.of(TagLimit) if rule.tag != tag]
    return Edited(
        f"limit {tag}", rules.with_all(TagLimit, [*others, *([] if most == OFF else [TagLimit(tag, most)])])
    )


LIMIT = RuleVerb(
    name="limit",
    kinds=(TagLimit,),
    help="Show or limit how many answers may have a tag, such as abbreviation.",
    examples=("limit abbreviation 2", "limit name 0", "limit name off", "limit"),
    nothing="no limits",
    edit=_edit,
    arguments=(
        Argument("tag", Value(Reads.TAG), "a tag of the word lists: abbreviation, name"),
        Argument("most", Value(Reads.NUMBER_OR_OFF, 0, 999), "the maximum number, or `off`"),
    ),
    keywords=("proper names", "abbreviations"),
)
