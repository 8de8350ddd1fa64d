"""The rule that some letters each stand somewhere in the grid; all 26 for a pangram."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, ClassVar, Self

from typing_extensions import override

from xwtui.errors import PuzzleError
from xwtui.model.letters import KNOWN
from xwtui.model.rules.checks import check_distinct, read_string
from xwtui.model.rules.constraints import Constraint, LettersPresent
from xwtui.model.rules.kinds import Answers, Breach, GridRule
from xwtui.model.rules.speech import OFF, Argument, Edited, Reads, RuleVerb, Value

if TYPE_CHECKING:
    from xwtui.model.puzzle import Puzzle
    from xwtui.model.rules.collection import Rules

_LETTERS = re.compile(rf"[{KNOWN}]*")


@dataclass(frozen=True)
class Pangram(GridRule):
    """Each of some letters stands in the grid, alone in a square or in a rebus."""

    waits_for_full_grid: ClassVar[bool] = True

    letters: str

    @classmethod
    @override
    def read(cls, fields: Mapping[str, Any]) -> Sequence[Self]:
        letters = read_string(fields.get("letters", ""))
        return (cls(letters),) if letters else ()

    @classmethod
    @override
    def written(cls, rules: Sequence[Self]) -> dict[str, Any]:
        return {"letters": "".join(rule.letters for rule in rules)}

    @override
    def check(self) -> None:
        if _LETTERS.fullmatch(self.letters) is None:
            raise PuzzleError("the letters that are to stand in the grid are capitals and 0-9")
        check_distinct(self.letters, "named")

    @override
    def lines(self) -> Iterator[str]:
        named = "A to Z" if set(self.letters) >= set(ascii_uppercase) else " ".join(self.letters)
        yield f"pangram: {named} each somewhere"

    @property
    @override
    def constraints(self) -> tuple[Constraint, ...]:
        return (LettersPresent(self.letters),)

    @override
    def breaches(self, puzzle: Puzzle, answers: Answers) -> Iterator[Breach]:
        contents = [square.content for square in puzzle.grid.squares if square.content is not None]
        written = {letter for content in contents for letter in content.across + content.down}
        absent = [letter for letter in self.letters if letter not in written]
        if absent:
            yield Breach(f"these letters stand nowhere: {' '.join(absent)}")


def _edit(rules: Rules, line: Mapping[str, Any]) -> Edited | None:
    wish = line["wish"]
    if wish is None:
        return None
    letters = {"on": ascii_uppercase, OFF: ""}.get(wish, wish)
    return Edited(f"pangram {wish}", rules.with_all(Pangram, [Pangram(letters)] if letters else []))


PANGRAM = RuleVerb(
    name="pangram",
    kinds=(Pangram,),
    help="Ask for a grid that has every letter, or show that.",
    examples=("pangram on", "pangram JQXZ", "pangram off"),
    nothing="no letter must stand in the grid",
    edit=_edit,
    arguments=(Argument("wish", Value(Reads.LETTERS), "`on` for A to Z, some letters alone, or `off`"),),
)
