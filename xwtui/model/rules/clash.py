"""The rule of clash squares: two crossing entries have different letters in one square."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

from xwtui.dataclasses import dataclass, replace
from xwtui.errors import PuzzleError
from xwtui.model.grid import Grid
from xwtui.model.grid_move import GridMove
from xwtui.model.rules import checks
from xwtui.model.rules.base import Answers, Breach, ListedRule, PuzzleFacts
from xwtui.model.rules.collection import Edited, Rules, RuleVerb
from xwtui.model.rules.constraints import Constraint, TwoReadings
from xwtui.model.rules.grammar import BOTH, Argument, Reads, RuleOption, Value, only_last_off
from xwtui.model.selection import Area
from xwtui.model.where import Direction, Position
from xwtui.text import counted, first_named

_MOST_SQUARES = 1600
_MOST_PAIRS = 676
_MOST_NAMED = 6


@dataclass(frozen=True)
class ClashSquares(ListedRule):
    """How many of some squares, or of all crossings, read differently across and down."""

    field: ClassVar[str] = "clashes"
    most_of_kind: ClassVar[tuple[int, str]] = (8, "groups of clash squares")

    asked: TwoReadings

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return (self.asked._replace(verb=CLASH.name),)

    def moved(self, move: GridMove) -> Self | None:
        asked = self.asked._replace(squares=frozenset(move.positions(self.asked.squares)))
        if not move.is_turned:
            return replace(self, asked=asked) if asked.squares or not self.asked.squares else None
        pairs = tuple(pair[::-1] for pair in asked.pairs)
        message, by = asked.message, asked.by
        if by is None:
            message = "".join(down + across for across, down in asked.steps)
        elif message:
            by = by.other
        return replace(self, asked=asked._replace(pairs=pairs, message=message, by=by))

    def named(self, grid: Grid) -> int:
        return len(self.asked.squares)

    def move_notes(self, move: GridMove) -> Iterator[str]:
        if self.asked.message and move.is_turned:
            yield f"the clash squares spell {self.asked.message} row by row, as before"

    @classmethod
    def read_one(cls, fields: Mapping[str, Any]) -> Self:
        sides: dict[str, Direction | None] = {BOTH: None, **{way.word: way for way in Direction}}
        by = checks.read_string(fields.get("by", Direction.ACROSS.word))
        if by not in sides:
            raise checks.DamageError
        asked = TwoReadings(
            frozenset(map(Position.parse, checks.read_strings(fields.get("squares", [])))),
            checks.read_number_of(fields, "least"),
            checks.read_number_of(fields, "most"),
            checks.read_strings(fields.get("pairs", [])),
            checks.read_string(fields.get("spell", "")),
            sides[by],
        )
        return cls(asked)

    def written_one(self) -> dict[str, Any]:
        asked = self.asked
        return {
            "squares": list(map(str, sorted(asked.squares))),
            "pairs": list(asked.pairs),
            "spell": asked.message,
            "by": ("" if not asked.message else BOTH if asked.by is None else asked.by.word),
            "least": asked.least,
            "most": asked.most,
        }

    def check(self) -> None:
        asked = self.asked
        if asked.is_each and not asked.squares:
            raise PuzzleError("say how many squares clash, or which ones: `clash --exactly 6`, `clash r3c5 17A`")
        checks.check_count(len(asked.squares), _MOST_SQUARES, "squares")
        checks.check_count(len(asked.pairs), _MOST_PAIRS, "pairs")
        checks.check_letters("".join(asked.pairs) + asked.message, "pairs and messages")
        checks.check_distinct(asked.pairs, "named")
        if odd := [pair for pair in asked.pairs if len(pair) != 2 or pair[0] == pair[1]]:
            raise PuzzleError(f"a pair is two different letters, the across letter first, not {odd[0][:40]!r}")
        if asked.by is None and len(asked.message) % 2:
            raise PuzzleError("a message that uses both letters needs an even number of them, two per square")
        checks.check_count(len(asked.steps), checks.LONGEST_MESSAGE, "squares of a message")
        for number in (asked.least, asked.most):
            checks.check_number(number, _MOST_SQUARES, "squares")
            if asked.message and number not in (None, len(asked.steps)):
                raise PuzzleError(f"the message {asked.message} takes {len(asked.steps)} squares, not {number}")
        if asked.least is not None and asked.most is not None and asked.least > asked.most:
            raise PuzzleError(f"the minimum, {asked.least}, is above the maximum, {asked.most}")

    def lines(self) -> Iterator[str]:
        asked = self.asked
        where = first_named(list(map(str, sorted(asked.squares))), _MOST_NAMED) if asked.squares else ""
        if asked.is_each:
            parts = [f"clash: each of {where}" if len(asked.squares) > 1 else f"clash: {where}"]
        else:
            parts = [f"clash: {_number_words(asked)}{f' of {where}' if where else ''}"]
        parts += [f"across/down one of {' '.join(map('/'.join, asked.pairs))}"] if asked.pairs else []
        if asked.message:
            letters = "letters" if asked.by is None else f"{asked.by.word} letters"
            parts.append(f"their {letters} spell {asked.message}")
        yield ", ".join(parts)

    def breaches(self, puzzle: PuzzleFacts, answers: Answers) -> Iterator[Breach]:
        asked = self.asked
        places = asked.places(puzzle.grid, puzzle.rules.squares)
        standing = {at: content for at in places if (content := puzzle.grid[at].content) is not None}
        clashes = {at: content for at, content in standing.items() if content.is_letter_pair}
        for at, content in clashes.items():
            if asked.pairs and content.across + content.down not in asked.pairs:
                pairs = first_named(["/".join(pair) for pair in asked.pairs])
                yield Breach(f"{at} holds {content}, which is not one of {pairs}", (at,))
        is_done = len(standing) == len(places)
        if asked.is_each:
            for at in sorted(asked.squares.difference(places)):
                yield Breach(
                    f"{at} cannot clash: no two entries cross there, or a rule limits what it may hold", (at,)
                )
            written = Counter(at for slot in answers for at in slot.positions)
            for at, content in standing.items():
                if at not in clashes and written[at] > 1:
                    yield Breach(f"{at} holds {content} both ways but must clash", (at,))
            return
        least, most = asked.bounds
        if (most is not None and len(clashes) > most) or (is_done and len(clashes) < least):
            number = counted(len(clashes), "square clashes", "squares clash")
            yield Breach(f"{number}; asked for: {_number_words(asked)}", tuple(clashes))
        elif is_done and asked.message:
            ways = Direction if asked.by is None else (asked.by,)
            spelled = "".join(content.reading(way) for content in clashes.values() for way in ways)
            if spelled != asked.message:
                yield Breach(f"the clash squares spell {spelled}, not {asked.message}", tuple(clashes))


def _number_words(asked: TwoReadings) -> str:
    """Return the required number in words: `exactly 6 squares`."""
    least, most = asked.bounds
    if most is None:
        return f"at least {counted(least, 'square')}"
    of_most = counted(most, "square")
    if least == most:
        return f"exactly {of_most}"
    return f"{least} to {of_most}" if least else f"at most {of_most}"


def _edit(rules: Rules, line: Mapping[str, Any]) -> Edited | None:
    is_off = only_last_off(line["places"], "put `off` last, after the squares")
    squares = frozenset(at for place in line["places"] if isinstance(place, Area) for at in place.squares)
    others = [rule for rule in rules.of(ClashSquares) if rule.asked.squares != squares]
    if is_off:
        if squares and len(others) == len(rules.of(ClashSquares)):
            raise PuzzleError("no clash rule is for exactly these squares; `clash off` removes all clash rules")
        return Edited("clash off", rules.with_all(ClashSquares, others if squares else []))
    exactly, least, most = line["exactly"], line["least"], line["most"]
    if exactly is not None and (least, most) != (None, None):
        raise PuzzleError("--exactly excludes --at-least and --at-most")
    least, most = (least, most) if exactly is None else (exactly, exactly)
    pairs = tuple(dict.fromkeys(pair for pairs in line["pairs"] for pair in pairs))
    by = {None: Direction.ACROSS, BOTH: None}.get(line["by"], line["by"])
    spelled = (line["message"], by) if line["message"] else ()
    asked = TwoReadings(squares, least, most, pairs, *spelled)
    if asked == TwoReadings():
        return None
    return Edited("clash", rules.with_all(ClashSquares, [*others, ClashSquares(asked)]))


CLASH = RuleVerb(
    name="clash",
    kinds=(ClashSquares,),
    help="""Let squares hold different letters across and down.

All squares you name clash unless a number or message says how many; if you name none, the filler chooses
crossings. Each is written as X/Y, across first.""",
    examples=(
        "clash --exactly 6",
        "clash r3c5 17A",
        "clash perimeter --at-least 4 --at-most 8 --pairs XO,OX",
        'clash --spell "HIDDEN WORDS"',
        "clash row 7 --spell SECRET --by down",
        "clash off",
    ),
    nothing="across and down letters agree",
    edit=_edit,
    arguments=(
        Argument(
            "places",
            Value(Reads.SQUARES),
            "squares, entries or parts of the grid; `off` after them removes the rule",
            many=True,
        ),
    ),
    options=(
        RuleOption("--exactly", Value(Reads.NUMBER, 0, _MOST_SQUARES), "exactly how many clash"),
        RuleOption(
            "--at-least", Value(Reads.NUMBER, 0, _MOST_SQUARES), "the minimum number that clash", name="least"
        ),
        RuleOption(
            "--at-most", Value(Reads.NUMBER, 0, _MOST_SQUARES), "the maximum number that clash", name="most"
        ),
        RuleOption("--pairs", Value(Reads.PARTS), "the only pairs allowed, across letter first: XO,OX", many=True),
        RuleOption("--spell", Value(Reads.SPELLED), "what their letters spell, row by row", name="message"),
        RuleOption("--by", Value(Reads.SIDE), "which letters spell it: across (the default), down or both"),
    ),
    keywords=("clashing", "letters differ", "schroedinger", "slash square", "thematic"),
)
