"""The rule that the filler places new rebus squares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar, Self

from xwtui.dataclasses import dataclass, replace
from xwtui.errors import PuzzleError
from xwtui.model.grid_move import GridMove
from xwtui.model.rules import checks
from xwtui.model.rules.base import Answers, Breach, ListedRule, PuzzleFacts
from xwtui.model.rules.collection import Edited, Rules, RuleVerb
from xwtui.model.rules.constraints import NewSquares
from xwtui.model.rules.grammar import Argument, Range, Reads, RuleOption, Value, only_last_off
from xwtui.model.square import Content

MOST_CONTENTS = 28
"""Maximum number of contents in one rule."""
MOST_NEW_SQUARES = 999


@dataclass(frozen=True)
class RebusPlacing(ListedRule):
    """New rebus squares that the filler places so that both crossing answers use them.

    Given squares with the same content do not count. Raises PuzzleError for an empty range.
    """

    waits_for_full_grid: ClassVar[bool] = True
    field: ClassVar[str] = "placings"
    most_of_kind: ClassVar[tuple[int, str]] = (8, "kinds of new rebus squares")

    contents: tuple[Content, ...]
    """The contents that a new square may hold."""
    least: int
    most: int
    """Maximum number of new squares over all contents; `least` is the minimum."""
    symmetric: bool = False
    """Whether the new squares must follow the puzzle's symmetry, so that each one's mirror images are new squares
    too."""
    each: bool = False
    """Whether every content must be used at least once."""

    def __post_init__(self) -> None:
        if not self.contents:
            raise PuzzleError("name at least one content for the new rebus squares")
        if not 0 <= self.least <= self.most or self.most == 0:
            raise PuzzleError(f"expected a number of squares such as 4..6, not {self.least}..{self.most}")
        if self.each and self.most < len(self.contents):
            raise PuzzleError(
                f"{len(self.contents)} contents, each at least once, need more squares than {self.most}"
            )

    def moved(self, move: GridMove) -> Self | None:
        return replace(self, contents=move.contents(self.contents))

    @classmethod
    def read_one(cls, fields: Mapping[str, Any]) -> Self:
        return cls(
            tuple(map(checks.read_content, checks.read_list(fields.get("contents")))),
            checks.read_number(fields.get("least")),
            checks.read_number(fields.get("most")),
            checks.read_flag(fields.get("symmetric", False)),
            checks.read_flag(fields.get("each", False)),
        )

    def written_one(self) -> dict[str, Any]:
        contents = list(map(str, self.contents))
        numbers = {"least": self.least, "most": self.most}
        return {"contents": contents, **numbers, "symmetric": self.symmetric, "each": self.each}

    def check(self) -> None:
        checks.check_count(len(self.contents), MOST_CONTENTS, "contents of new rebus squares")
        checks.check_distinct(self.contents, "named")
        checks.check_count(self.most, MOST_NEW_SQUARES, "new rebus squares")

    def lines(self) -> Iterator[str]:
        yield f"rebus place: {self.constraints[0].words}"

    @property
    def constraints(self) -> tuple[NewSquares]:
        return (NewSquares(self.contents, self.least, self.most, self.each, self.symmetric),)

    def relaxed(self) -> Self:
        return replace(self, least=0, each=False, symmetric=False)

    def after_finding(self, found: Counter[Content]) -> Self | None:
        left, missing = self.most, []
        for content in self.contents:
            here = min(found[content], left)
            found[content] -= here
            left -= here
            if not here:
                missing.append(content)
        if left == 0:
            return None
        least = max(self.least - (self.most - left), 0)
        if self.each and missing:
            needed = len(missing)
            return replace(self, contents=tuple(missing), least=max(least, needed), most=max(left, needed))
        return replace(self, least=least, most=left, each=False)

    def breaches(self, puzzle: PuzzleFacts, answers: Answers) -> Iterator[Breach]:
        contents = puzzle.grid.contents.values()
        count = sum(content in self.contents for content in contents)
        lacks_one = self.each and not set(self.contents) <= set(contents)
        if count < self.least or lacks_one:
            yield Breach(f"required: {self.constraints[0].words}; found: {count}")


def with_placing(rules: Rules, placing: RebusPlacing) -> Rules:
    """Return the rules with new rebus squares to place, replacing those with the same contents."""
    return rules.with_all(RebusPlacing, [*_others(rules, placing.contents), placing])


def without_placing(rules: Rules, contents: Collection[Content]) -> Rules:
    """Return the rules without the new rebus squares of these contents; raises PuzzleError if there are none."""
    others = _others(rules, contents)
    if len(others) == len(rules.of(RebusPlacing)):
        raise PuzzleError(f"there is no rule for new squares with {' '.join(map(str, contents))}")
    return rules.with_all(RebusPlacing, others)


def _others(rules: Rules, contents: Collection[Content]) -> list[RebusPlacing]:
    return [placing for placing in rules.of(RebusPlacing) if set(placing.contents) != set(contents)]


def _edit(rules: Rules, line: Mapping[str, Any]) -> Edited | None:
    squares, symmetric, each = line["squares"], line["symmetric"], line["each"]
    named = tuple(content for content in line["contents"] if isinstance(content, Content))
    if only_last_off(line["contents"], "put `off` last; write a square that holds OFF as [OFF]"):
        after = without_placing(rules, named) if named else rules.with_all(RebusPlacing, [])
        return Edited("rebus place off", after)
    if letters := [content for content in named if not content.is_rebus]:
        raise PuzzleError(f"{letters[0]} is a letter; a rebus square holds two characters or more: HEART, X/TIMES")
    if named:
        least, most = squares or Range(len(named), len(named))
        return Edited("rebus place", with_placing(rules, RebusPlacing(named, least, most, symmetric, each)))
    if squares is not None or symmetric or each:
        raise PuzzleError("say what the new squares hold: `rebus place HEART --squares 4..6`")
    return None


PLACE = RuleVerb(
    name="rebus place",
    kinds=(RebusPlacing,),
    help="""Let the filler place new rebus squares.

Both answers through a new square use it. Rebus squares already in the grid are not counted.""",
    examples=(
        "rebus place HEART --squares 4..6 --symmetric",
        "rebus place HEART CLUB SPADE DIAMOND --squares 4..8 --each",
        "rebus place X/TIMES --squares 2",
        "rebus place HEART off",
        "rebus place off",
    ),
    nothing="there is no rule for new rebus squares",
    edit=_edit,
    arguments=(
        Argument("contents", Value(Reads.CONTENT), "HEART, X/TIMES; `off` after them removes them", many=True),
    ),
    options=(
        RuleOption("--squares", Value(Reads.RANGE), "total number of new squares (default: one for each content)"),
        RuleOption("--symmetric", (), "only in symmetric positions"),
        RuleOption("--each", (), "use every content at least once"),
    ),
)
