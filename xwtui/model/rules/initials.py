"""The rule of an alphabetical jigsaw: no two answers begin with the same letter, and each letter begins one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Self

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError
from xwtui.model.rules.checks import check_distinct, check_letters, read_flag, read_string
from xwtui.model.rules.collection import Edited, Rules, RuleVerb
from xwtui.model.rules.constraints import Constraint, InitialsDiffer
from xwtui.model.rules.kinds import Answers, Breach, GridRule, PuzzleFacts
from xwtui.model.rules.speech import OFF, Argument, Reads, RuleOption, Value, letters_meant, letters_said


@dataclass(frozen=True)
class Initials(GridRule):
    """All answers begin with different letters, but for two from one square, and some letters each begin one."""

    each: str = ""
    """The letters that each begin an answer."""

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Sequence[Self]:
        each = read_string(fields.get("initials_each", ""))
        return (cls(each),) if read_flag(fields.get("initials_differ", False)) else ()

    @classmethod
    def written(cls, rules: Sequence[Self]) -> dict[str, Any]:
        return {"initials_differ": bool(rules), "initials_each": "".join(rule.each for rule in rules)}

    def check(self) -> None:
        check_letters(self.each, "the letters that must begin an answer")
        check_distinct(self.each, "named")

    def lines(self) -> Iterator[str]:
        yield "initials: all different" + (f", {letters_meant(self.each)} each once" if self.each else "")

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return (InitialsDiffer(self.each),)

    def breaches(self, puzzle: PuzzleFacts, answers: Answers) -> Iterator[Breach]:
        for (one, first), (other, second) in combinations(answers.items(), 2):
            if first[0] == second[0] and one.start != other.start:
                message = f"{one.name} {first} and {other.name} {second} both begin with {first[0]}"
                yield Breach(message, (one.start, other.start))
        begun = {answer[0] for answer in answers.values()}
        missing = [letter for letter in self.each if letter not in begun]
        if missing and len(answers) == len(puzzle.grid.slots):
            yield Breach(f"these letters begin no answer: {' '.join(missing)}")


def _edit(rules: Rules, line: Mapping[str, Any]) -> Edited | None:
    wish, each = line["wish"], line["each"]
    if wish is None and each is None:
        return None
    if wish is False and each is not None:
        raise PuzzleError("`initials off` cannot have --each")
    kept = [] if wish is False else [Initials(letters_said(each) if each else "")]
    return Edited(f"initials {OFF if wish is False else 'on'}", rules.with_all(Initials, kept))


INITIALS = RuleVerb(
    name="initials",
    kinds=(Initials,),
    help="""Require all answers to start with different letters, as in an alphabetical jigsaw.

Two entries that start in one square share their initial, which counts once.""",
    examples=("initials on", "initials on --each on", "initials on --each AEIOU", "initials off"),
    nothing="answers may begin with the same letter",
    edit=_edit,
    arguments=(Argument("wish", Value(Reads.SWITCH), "`on` or `off`"),),
    options=(RuleOption("--each", Value(Reads.LETTERS), "letters that must each start an answer; `on` for all"),),
    keywords=("alphabetical", "jigsaw", "first letters"),
)
