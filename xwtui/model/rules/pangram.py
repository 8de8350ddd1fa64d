"""The rule that some letters each stand somewhere in the grid; all 26 for a pangram."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError
from xwtui.model.rules.checks import check_distinct, check_letters, read_flag, read_string
from xwtui.model.rules.collection import Edited, Rules, RuleVerb
from xwtui.model.rules.constraints import Constraint, LetterCount
from xwtui.model.rules.kinds import Answers, Breach, GridRule, PuzzleFacts
from xwtui.model.rules.speech import Argument, Reads, RuleOption, Value, letters_meant, letters_said


@dataclass(frozen=True)
class Pangram(GridRule):
    """Each of some letters stands in the grid, alone in a square or in a rebus."""

    waits_for_full_grid: ClassVar[bool] = True

    letters: str
    checked: bool = False
    """Whether only squares count where two answers cross."""

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Sequence[Self]:
        letters = read_string(fields.get("letters", ""))
        return (cls(letters, read_flag(fields.get("letters_checked", False))),) if letters else ()

    @classmethod
    def written(cls, rules: Sequence[Self]) -> dict[str, Any]:
        letters = "".join(rule.letters for rule in rules)
        return {"letters": letters, "letters_checked": any(rule.checked for rule in rules)}

    def check(self) -> None:
        check_letters(self.letters, "the letters that the grid must have")
        check_distinct(self.letters, "named")

    def lines(self) -> Iterator[str]:
        where = "where answers cross" if self.checked else "somewhere"
        yield f"pangram: {letters_meant(self.letters)} each {where}"

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return tuple(LetterCount(letter, 1, checked=self.checked) for letter in self.letters)

    def breaches(self, puzzle: PuzzleFacts, answers: Answers) -> Iterator[Breach]:
        grid = puzzle.grid
        counted = grid.checked if self.checked else grid.open_positions()
        contents = [content for at in counted if (content := grid[at].content) is not None]
        written = {letter for content in contents for letter in content.across + content.down}
        absent = [letter for letter in self.letters if letter not in written]
        if absent:
            nowhere = "in no square where answers cross" if self.checked else "nowhere"
            yield Breach(f"these letters are {nowhere}: {' '.join(absent)}")


def _edit(rules: Rules, line: Mapping[str, Any]) -> Edited | None:
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
    edit=_edit,
    arguments=(Argument("wish", Value(Reads.LETTERS), "`on` for A to Z, certain letters, or `off`"),),
    options=(RuleOption("--checked", (), "count only squares where two answers cross"),),
)
