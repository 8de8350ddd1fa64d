"""The rule that a message appears in the grid, read square by square along an area or any straight line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

from xwtui.dataclasses import dataclass, replace
from xwtui.errors import PuzzleError
from xwtui.lazy import lazy_pattern
from xwtui.model.answers import pieces
from xwtui.model.grid import Grid
from xwtui.model.grid_move import GridMove
from xwtui.model.rules import checks
from xwtui.model.rules.base import Answers, Breach, ListedRule, PuzzleFacts
from xwtui.model.rules.collection import Edited, Rules, RuleVerb
from xwtui.model.rules.constraints import LettersAlong
from xwtui.model.rules.grammar import Argument, Reads, RuleOption, Value, only_last_off
from xwtui.model.selection import SHAPES, area_named, check_message
from xwtui.text import listed

MOST_LETTERS = 200
"""Maximum number of squares in one message."""
LINES = ("row", "column", "diagonal")
"""The kinds of straight lines that a message may follow."""

_LONGEST_PLACE = 4000
_SQUARE = r"r\d{1,2}c\d{1,2}"
_PART = lazy_pattern(rf"{'|'.join(SHAPES)}|(?:row|column|col) ?\d{{1,2}}|{_SQUARE}(?::{_SQUARE})?", re.IGNORECASE)


@dataclass(frozen=True)
class Nina(ListedRule):
    """A message appears along an area, starting at any square, or along any straight line of some kinds."""

    waits_for_full_grid: ClassVar[bool] = True
    field: ClassVar[str] = "ninas"
    most_of_kind: ClassVar[tuple[int, str]] = (20, "hidden messages")

    text: str
    """In capitals, with a multi-letter square in brackets."""
    along: str = ""
    """The area's name, without entries because their numbers may change; empty for a straight line."""
    lines_taken: tuple[str, ...] = LINES
    """The kinds of straight lines; ignored if there is an area."""
    backward: bool = False
    """Whether it may also run backward."""
    over_blocks: bool = False
    """Whether a straight line may continue past a block."""

    def moved(self, move: GridMove) -> Self | None:
        if self.along:
            after = self._place_after(move)
            return None if after == "" else replace(self, along=after or self.along)
        sides = {"row": "column", "column": "row"} if move.is_turned else {}
        return replace(
            self, lines_taken=tuple(kind for kind in LINES if sides.get(kind, kind) in self.lines_taken)
        )

    def named(self, grid: Grid) -> int:
        try:
            is_any = not self.along or self.along.lower() == "perimeter"  # the perimeter of any grid
            return 0 if is_any else len(area_named(grid, self.along).squares)
        except PuzzleError:
            return 0

    def move_notes(self, move: GridMove) -> Iterator[str]:
        if self.along and self._place_after(move) is None:
            yield f"the hidden message {self.text} stays along {self.along}"
        elif move.is_turned and not (self.along or self.backward):
            yield f"the hidden message {self.text} is only searched from left to right and downward, as before"

    def _place_after(self, move: GridMove) -> str | None:
        """Return the area's new name; empty if it is gone, None if it is off the grid or its name is too long."""
        try:
            place = move.place(self.along)
        except PuzzleError:
            return None
        return place if len(place) <= _LONGEST_PLACE else None

    @classmethod
    def read_one(cls, fields: Mapping[str, Any]) -> Self:
        return cls(
            checks.read_string(fields.get("text")),
            checks.read_string(fields.get("along", "")),
            checks.read_strings(fields.get("lines", list(LINES))),
            checks.read_flag(fields.get("backward", False)),
            checks.read_flag(fields.get("over_blocks", False)),
        )

    def written_one(self) -> dict[str, Any]:
        place: dict[str, Any] = {"along": self.along} if self.along else {"lines": list(self.lines_taken)}
        return {"text": self.text, **place, "backward": self.backward, "over_blocks": self.over_blocks}

    def check(self) -> None:
        letters = pieces(self.text)
        if len(letters) < 2:
            raise PuzzleError("a hidden message needs two or more letters")
        checks.check_count(len(letters), MOST_LETTERS, "squares of one message")
        checks.check_count(len(self.along), _LONGEST_PLACE, "characters in the name of a place")
        if self.along and not is_kept_place(self.along):
            raise PuzzleError(f"{self.along[:40]!r} is not a place for a message")
        if not self.lines_taken or not set(self.lines_taken) <= set(LINES):
            raise PuzzleError(f"a message goes in a {listed(LINES, 'or')}")

    @property
    def where(self) -> str:
        """The place in words: `along perimeter, from any square, forward`, `in any row or column, forward`."""
        ways = "forward or backward" if self.backward else "forward"
        if self.along:
            return f"along {self.along}, from any square, {ways}"
        over = ", over blocks" if self.over_blocks else ""
        return f"in any {listed(self.lines_taken, 'or')}, {ways}{over}"

    def lines(self) -> Iterator[str]:
        yield f"nina: {self.text} {self.where}"

    @property
    def constraints(self) -> tuple[LettersAlong]:
        lines = () if self.along else self.lines_taken
        name = f"{self.text} {self.where}"
        return (LettersAlong(pieces(self.text), self.along, lines, self.backward, self.over_blocks, name),)

    def breaches(self, puzzle: PuzzleFacts, answers: Answers) -> Iterator[Breach]:
        if not self.constraints[0].is_met(puzzle.grid, puzzle.grid.contents):
            yield Breach(f"{self.text} is not {self.where}")


def is_kept_place(name: str) -> bool:
    """Whether a place's name does not depend on entry numbers."""
    return all(_PART.fullmatch(part.strip()) for part in name.split(","))


def with_nina(rules: Rules, nina: Nina) -> Rules:
    """Return the rules with a hidden message, replacing one with the same text."""
    return rules.with_all(Nina, [*(rule for rule in rules.of(Nina) if rule.text != nina.text), nina])


def _edit(rules: Rules, line: Mapping[str, Any]) -> Edited | None:
    taken = tuple(kind for kind in LINES if line[kind])
    words = line["words"]
    is_off = only_last_off(words, "put `off` last; write a message that ends in OFF with brackets: [O]FF")
    text = "".join(map(str, pieces("".join(words[:-1] if is_off else words))))
    if not is_off:
        check_message(words)
    if is_off:
        others = [rule for rule in rules.of(Nina) if text and rule.text != text]
        if text and len(others) == len(rules.of(Nina)):
            raise PuzzleError(f"there is no hidden message {text}")
        return Edited("nina off", rules.with_all(Nina, others))
    if text:
        nina = Nina(text, "", taken or LINES, line["backward"], line["over_blocks"])
        return Edited(f"nina {text}", with_nina(rules, nina))
    if taken or line["backward"] or line["over_blocks"]:
        raise PuzzleError("name the message to hide: `nina MESSAGE --row`")
    return None


NINA = RuleVerb(
    name="nina",
    kinds=(Nina,),
    help="""Hide a message in a straight line that the filler chooses.

It reads left to right or top to bottom. A line stops at a block but crosses bars. `spell PLACE MESSAGE --start
any` hides a message along squares you choose.""",
    examples=(
        "nina MERRY XMAS",
        "nina NINA --row --column --backward",
        "nina HIDDEN --diagonal --over-blocks",
        "nina NINA off",
        "nina off",
    ),
    nothing="no message is hidden",
    edit=_edit,
    arguments=(Argument("words", Value(Reads.MESSAGE), "the message; `off` after it removes it", many=True),),
    options=(
        RuleOption("--row", (), "in a row (default: in any line)"),
        RuleOption("--column", (), "in a column"),
        RuleOption("--diagonal", (), "on a diagonal, down or up from left to right"),
        RuleOption("--backward", (), "it may also run backward"),
        RuleOption("--over-blocks", (), "a line may continue past a block"),
    ),
    keywords=("hidden message", "meta", "meta puzzle", "spell", "theme", "straight line"),
)
