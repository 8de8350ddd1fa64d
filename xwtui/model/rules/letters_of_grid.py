"""Rules about letters: each of some letters appears in the grid (pangram) or begins an answer (jigsaw)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar, Self

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError
from xwtui.model.rules import checks
from xwtui.model.rules.base import Answers, Breach, GridRule, PuzzleFacts
from xwtui.model.rules.collection import Edited, Rules, RuleVerb
from xwtui.model.rules.constraints import Constraint, InitialsDiffer, LetterCount
from xwtui.model.rules.grammar import OFF, Argument, Reads, RuleOption, Value, letters_meant, letters_said


@dataclass(frozen=True)
class Pangram(GridRule):
    """Each of some letters appears in the grid, alone in a square or in a rebus."""

    waits_for_full_grid: ClassVar[bool] = True

    letters: str
    checked: bool = False
    """Whether only checked squares count."""

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Sequence[Self]:
        letters = checks.read_string(fields.get("letters", ""))
        return (cls(letters, checks.read_flag(fields.get("letters_checked", False))),) if letters else ()

    @classmethod
    def written(cls, rules: Sequence[Self]) -> dict[str, Any]:
        letters = "".join(rule.letters for rule in rules)
        return {"letters": letters, "letters_checked": any(rule.checked for rule in rules)}

    def check(self) -> None:
        checks.check_letters(self.letters, "the letters that the grid must have")
        checks.check_distinct(self.letters, "named")

    def lines(self) -> Iterator[str]:
        where = "where answers cross" if self.checked else "somewhere"
        yield f"pangram: {letters_meant(self.letters)} each {where}"

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return tuple(LetterCount(letter, 1, checked=self.checked) for letter in self.letters)

    def breaches(self, puzzle: PuzzleFacts, answers: Answers) -> Iterator[Breach]:
        grid = puzzle.grid
        contents = (one for at, one in grid.contents.items() if not self.checked or at in grid.checked)
        written = {letter for content in contents for letter in content.across + content.down}
        absent = [letter for letter in self.letters if letter not in written]
        if absent:
            nowhere = "in no square where answers cross" if self.checked else "nowhere"
            yield Breach(f"these letters are {nowhere}: {' '.join(absent)}")


def _pangram_edit(rules: Rules, line: Mapping[str, Any]) -> Edited | None:
    wish, checked = line["wish"], line["checked"]
    if wish is None and checked:
        raise PuzzleError("say which letters: `pangram on --checked`")
    if wish is None:
        return None
    letters = letters_said(wish)
    return Edited(f"pangram {wish}", rules.with_all(Pangram, [Pangram(letters, checked)] if letters else []))


PANGRAM = RuleVerb(
    name="pangram",
    kinds=(Pangram,),
    help="Require a pangram, a grid with every letter.",
    examples=("pangram on", "pangram JQXZ", "pangram on --checked", "pangram off"),
    nothing="no letter is required",
    edit=_pangram_edit,
    arguments=(Argument("wish", Value(Reads.LETTERS), "`on` for A to Z, certain letters, or `off`"),),
    options=(RuleOption("--checked", (), "count only squares where two answers cross"),),
)


@dataclass(frozen=True)
class Initials(GridRule):
    """All answers begin with different letters, except two from one square, and some letters each begin one."""

    each: str = ""
    """The letters that must each begin an answer."""

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Sequence[Self]:
        each = checks.read_string(fields.get("initials_each", ""))
        return (cls(each),) if checks.read_flag(fields.get("initials_differ", False)) else ()

    @classmethod
    def written(cls, rules: Sequence[Self]) -> dict[str, Any]:
        return {"initials_differ": bool(rules), "initials_each": "".join(rule.each for rule in rules)}

    def check(self) -> None:
        checks.check_letters(self.each, "the letters that must begin an answer")
        checks.check_distinct(self.each, "named")

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
        if missing and len(answers) == len(puzzle.grid.entries):
            yield Breach(f"these letters begin no answer: {' '.join(missing)}")


def _initials_edit(rules: Rules, line: Mapping[str, Any]) -> Edited | None:
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
    edit=_initials_edit,
    arguments=(Argument("wish", Value(Reads.SWITCH), "`on` or `off`"),),
    options=(RuleOption("--each", Value(Reads.LETTERS), "letters that must each start an answer; `on` for all"),),
    keywords=("alphabetical", "jigsaw", "first letters"),
)
