"""Rules that limit how many answers have a tag, such as `abbreviation`, or a low score (the glue of a grid)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError
from xwtui.lazy import lazy_pattern
from xwtui.model.rules import checks
from xwtui.model.rules.base import Answers, Breach, GridRule, ListedRule, PuzzleFacts, WordFacts
from xwtui.model.rules.collection import Edited, Rules, RuleVerb
from xwtui.model.rules.constraints import AnswerCount, Constraint
from xwtui.model.rules.entry_rules import HIGHEST_SCORE
from xwtui.model.rules.grammar import OFF, Argument, Reads, RuleOption, Value
from xwtui.text import counted, first_named

TAG = lazy_pattern(r"[a-z][a-z0-9-]{0,29}")


@dataclass(frozen=True)
class TagLimit(GridRule):
    """At most `most` answers have a tag."""

    most_of_kind: ClassVar[tuple[int, str]] = (20, "limits")

    tag: str
    most: int

    @property
    def rank(self) -> str:
        return self.tag

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Sequence[Self]:
        limits = checks.read_mapping(fields.get("tag_limits", {}))
        return [cls(tag, checks.read_number(limit)) for tag, limit in limits.items()]

    @classmethod
    def written(cls, rules: Sequence[Self]) -> dict[str, Any]:
        return {"tag_limits": {rule.tag: rule.most for rule in rules}}

    def check(self) -> None:
        checks.check_each(
            [self.tag], lambda text: TAG.fullmatch(text) is not None, "tag, such as `abbreviation` or `name`"
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
            number = counted(len(bearing), "answer has", "answers have")
            yield Breach(f"{number} the tag {self.tag}, limit {self.most or 'none'}: {first_named(bearing)}")

    def notes(self, puzzle: PuzzleFacts, words: WordFacts) -> Iterator[str]:
        if self.tag not in words.tags:
            there = f"there are {first_named(words.tags)}" if words.tags else "the lists have no tags"
            yield f"no word in the lists has the tag {self.tag}; {there}"


def _tag_edit(rules: Rules, line: Mapping[str, Any]) -> Edited | None:
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
    edit=_tag_edit,
    arguments=(
        Argument("tag", Value(Reads.TAG), "a tag of the word lists: abbreviation, name"),
        Argument("most", Value(Reads.NUMBER_OR_OFF, 0, 999), "the maximum number, or `off`"),
    ),
    keywords=("proper names", "abbreviations"),
)


_MOST_ANSWERS = 999


@dataclass(frozen=True)
class GlueLimit(ListedRule):
    """At most `most` answers score below a number. An answer that no list contains does not count."""

    field: ClassVar[str] = "score_limits"
    most_of_kind: ClassVar[tuple[int, str]] = (20, "limits of low scores")

    below: int
    most: int
    length: int | None = None
    """The length, in squares, of the entries counted; None for any length."""

    @property
    def rank(self) -> str:
        return f"{self.length or 0:03} {self.below:03}"

    @classmethod
    def read_one(cls, fields: Mapping[str, Any]) -> Self:
        below, most = (checks.read_number(fields.get(name)) for name in ("below", "most"))
        return cls(below, most, checks.read_number_of(fields, "length"))

    def written_one(self) -> dict[str, Any]:
        return {"below": self.below, "most": self.most, "length": self.length}

    def check(self) -> None:
        checks.check_number(self.below, HIGHEST_SCORE, "points")
        checks.check_number(self.most, _MOST_ANSWERS, "answers")
        checks.check_number(self.length, checks.LONGEST_WORD, "squares")

    @property
    def _squares(self) -> str:
        return "" if self.length is None else f" in {self.length} squares"

    @property
    def constraints(self) -> tuple[AnswerCount]:
        lengths = frozenset() if self.length is None else frozenset({self.length})
        return (AnswerCount(f"a score below {self.below}", most=self.most, below=self.below, lengths=lengths),)

    def lines(self) -> Iterator[str]:
        number = f"at most {counted(self.most, 'answer')}" if self.most else "no answer"
        yield f"glue: {number}{self._squares} with a score below {self.below}"

    def word_breaches(self, answers: Answers, words: WordFacts) -> Iterator[Breach]:
        (asked,) = self.constraints
        glue = [
            f"{slot.name} {answer}"
            for slot, answer in answers.items()
            if asked.is_about(slot) and asked.counts((), words.score(answer))
        ]
        if len(glue) > self.most:
            number = counted(len(glue), "answer scores", "answers score")
            allowed = self.most or "none"
            yield Breach(f"{number} below {self.below}{self._squares}, limit {allowed}: {first_named(glue)}")


def _glue_edit(rules: Rules, line: Mapping[str, Any]) -> Edited | None:
    below, most, length = line["below"], line["most"], line["length"]
    if below is None:
        return None
    if below == OFF:
        return Edited("glue off", rules.with_all(GlueLimit, []))
    if most is None:
        raise PuzzleError(f"glue {below}: say how many, such as `glue {below} 6`, or `off`")
    others = [rule for rule in rules.of(GlueLimit) if (rule.below, rule.length) != (below, length)]
    limits = [] if most == OFF else [GlueLimit(below, most, length)]
    return Edited(f"glue {below}", rules.with_all(GlueLimit, [*others, *limits]))


GLUE = RuleVerb(
    name="glue",
    kinds=(GlueLimit,),
    help="""Show or limit how many answers may score low.

Answers in no word list do not count. Each length may have a limit of its own.""",
    examples=("glue 50 6", "glue 40 2 --length 3", "glue 50 off", "glue off"),
    nothing="any number of answers may score low",
    edit=_glue_edit,
    arguments=(
        Argument(
            "below", Value(Reads.NUMBER_OR_OFF, 0, HIGHEST_SCORE), "answers below this score count; or `off`"
        ),
        Argument("most", Value(Reads.NUMBER_OR_OFF, 0, _MOST_ANSWERS), "the maximum number, or `off`"),
    ),
    options=(
        RuleOption("--length", Value(Reads.NUMBER, 1, checks.LONGEST_WORD), "count only entries of this length"),
    ),
    keywords=("crosswordese", "low scores", "weak entries", "quality"),
)
