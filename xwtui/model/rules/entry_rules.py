"""Rules for an entry (minimum score, own word list, strings, letter limits) and for the contents of a square."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, Self

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError
from xwtui.model.grid import Grid
from xwtui.model.letters import are_known
from xwtui.model.rules import checks
from xwtui.model.rules.base import Breach, EntryRule, TextRule
from xwtui.model.rules.grammar import OFF, Reads, RuleOption, Value
from xwtui.model.square import Content
from xwtui.model.where import Position
from xwtui.text import first_named, listed

HIGHEST_SCORE = 100
"""The best score that a word can have."""


@dataclass(frozen=True)
class MinimumScore(EntryRule):
    """The answer must score at least this much; replaces the puzzle's minimum score, higher or lower."""

    field: ClassVar[str] = "minimum_score"
    option: ClassVar[RuleOption] = RuleOption(
        "--min", Value(Reads.SCORE), "its minimum score, or `none` for the puzzle's", name="minimum_score"
    )
    examples: ClassVar[tuple[str, ...]] = ("rule 17A --min 60 --match .*ING",)

    score: int
    """0 to 100."""

    @classmethod
    def said(cls, value: Any, before: Sequence[Self]) -> Sequence[Self]:
        return () if value is None else (cls(value),)

    @classmethod
    def read(cls, value: Any) -> Sequence[Self]:
        return () if value is None else (cls(checks.read_number(value)),)

    @classmethod
    def written(cls, rules: Sequence[Self]) -> Any:
        return rules[0].score

    def check(self) -> None:
        if not 0 <= self.score <= HIGHEST_SCORE:
            raise PuzzleError(f"scores go from 0 to {HIGHEST_SCORE}, not {self.score}")

    def words(self) -> str:
        return f"scores {self.score} or more"

    def broken_score(self, score: int | None) -> str:
        if (score or 0) >= self.score:
            return ""
        told = "is in no word list" if score is None else f"scores {score}"
        return f"{told}; it must score {self.score} or more"


@dataclass(frozen=True)
class OwnList(TextRule):
    """The answer must be in a word list of the entry's own (name or path), instead of the puzzle's lists."""

    field: ClassVar[str] = "word_list"
    option: ClassVar[RuleOption] = RuleOption(
        "--list", Value(Reads.LIST), 'its own word list, or "" for the puzzle\'s', name="word_list"
    )
    examples: ClassVar[tuple[str, ...]] = ("rule 17A --list default",)
    is_source: ClassVar[bool] = True
    free_text: ClassVar[str] = "the name of a word list"

    def check(self) -> None:
        """Accept any name; whether the list exists is found out when it is read."""

    def words(self) -> str:
        return f"from {self.text}"

    def broken_score(self, score: int | None) -> str:
        return f"is not in {self.text}" if score is None else ""


MOST_STRINGS = 20
"""Maximum number of strings that one entry must, or must not, contain."""
MOST_BARRED = 1000


@dataclass(frozen=True)
class _Strings(EntryRule):
    """A rule about several strings, typed with commas between them."""

    strings: tuple[str, ...]

    @classmethod
    def said(cls, value: Any, before: Sequence[Self]) -> Sequence[Self]:
        strings = tuple(dict.fromkeys(chain.from_iterable(value)))
        return (cls(strings),) if strings else ()

    @classmethod
    def read(cls, value: Any) -> Sequence[Self]:
        strings = checks.read_strings(value)
        return (cls(strings),) if strings else ()

    @classmethod
    def written(cls, rules: Sequence[Self]) -> Any:
        return list(rules[0].strings)

    def check(self) -> None:
        checks.check_count(len(self.strings), MOST_STRINGS, "strings that an answer must or must not contain")
        checks.check_words(self.strings)


@dataclass(frozen=True)
class Contains(_Strings):
    """The answer contains every string."""

    field: ClassVar[str] = "contains"
    option: ClassVar[RuleOption] = RuleOption(
        "--contains", Value(Reads.PARTS), "letters it must have in a row: ING, or Q,Z", many=True
    )

    def words(self) -> str:
        return f"contains {listed(self.strings, 'and')}"

    def allows(self) -> Callable[[str], bool]:
        return lambda answer: all(part in answer for part in self.strings)

    def broken(self, answer: str) -> str:
        return " and ".join(f"does not contain {part}" for part in self.strings if part not in answer)


@dataclass(frozen=True)
class Lacks(_Strings):
    """The answer contains none of the strings."""

    field: ClassVar[str] = "lacks"
    option: ClassVar[RuleOption] = RuleOption(
        "--lacks",
        Value(Reads.PARTS),
        "letters it must not have: A,E,I,O (none of these), ING (not in a row)",
        many=True,
    )
    examples: ClassVar[tuple[str, ...]] = ("rule 17A --lacks A,E,I,O",)

    def words(self) -> str:
        in_a_row = " in a row" if any(len(letters) > 1 for letters in self.strings) else ""
        return f"lacks {listed(self.strings, 'and')}{in_a_row}"

    def allows(self) -> Callable[[str], bool]:
        return lambda answer: not any(part in answer for part in self.strings)

    def broken(self, answer: str) -> str:
        return " and ".join(f"contains {part}" for part in self.strings if part in answer)


@dataclass(frozen=True)
class Barred(_Strings):
    """The answer is none of these words."""

    field: ClassVar[str] = "barred"
    option: ClassVar[RuleOption] = RuleOption(
        "--bar", Value(Reads.PARTS), "answers it must not be: OBOE,TUBA", name="barred", many=True, metavar="WORDS"
    )
    examples: ClassVar[tuple[str, ...]] = ("rule 17A --bar OBOE",)

    def check(self) -> None:
        checks.check_count(len(self.strings), MOST_BARRED, "words barred from one entry")
        checks.check_words(self.strings)

    def words(self) -> str:
        return f"keeps out {listed(self.strings, 'and')}"

    def allows(self) -> Callable[[str], bool]:
        barred = frozenset(self.strings)
        return lambda answer: answer not in barred

    def broken(self, answer: str) -> str:
        return "is barred there" if answer in self.strings else ""


@dataclass(frozen=True)
class LetterLimit(EntryRule):
    """The answer has a letter at most this many times, including those in its rebus squares."""

    field: ClassVar[str] = "letter_limits"
    option: ClassVar[RuleOption] = RuleOption(
        "--most",
        (Value(Reads.LETTER), Value(Reads.NUMBER_OR_OFF, 0, checks.LONGEST_WORD)),
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
        """Return the entry's limits; letters that the line does not name keep theirs."""
        limits: dict[str, Any] = {rule.letter: rule.most for rule in before} | dict(value)
        return [cls(letter, most) for letter, most in limits.items() if most != OFF]

    @classmethod
    def read(cls, value: Any) -> Sequence[Self]:
        return [cls(letter, checks.read_number(most)) for letter, most in checks.read_mapping(value).items()]

    @classmethod
    def written(cls, rules: Sequence[Self]) -> Any:
        return {rule.letter: rule.most for rule in rules}

    def check(self) -> None:
        is_letter = len(self.letter) == 1 and are_known(self.letter)
        checks.check_each([self.letter], lambda _: is_letter, "capital letter or digit")
        if not 0 <= self.most <= checks.LONGEST_WORD:
            raise PuzzleError(f"a letter is limited to a number from 0 to {checks.LONGEST_WORD}, not {self.most}")

    def words(self) -> str:
        return f"has {self.letter} at most {_times(self.most)}" if self.most else f"has no {self.letter}"

    def allows(self) -> Callable[[str], bool]:
        return lambda answer: answer.count(self.letter) <= self.most

    def broken(self, answer: str) -> str:
        count = answer.count(self.letter)
        return f"has {self.letter} {_times(count)}" if count > self.most else ""


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


MOST_CONTENTS = 64
"""Maximum number of contents to which one square may be restricted."""

AllowedContents = Mapping[Position, tuple[Content, ...]]
"""The allowed contents of each restricted square."""


def check_allowed(contents: Collection[Content]) -> None:
    """Raise PuzzleError if one square has too many contents."""
    checks.check_count(len(contents), MOST_CONTENTS, "contents of one square")


def contents_words(contents: Iterable[Content]) -> str:
    """Return the restriction in words: `only A E I [HEART]`."""
    return f"only {' '.join(map(str, contents))}"


def allowed_lines(squares: AllowedContents) -> Iterator[str]:
    """Yield the rules of squares in words, with one line for squares that have the same contents."""
    by_contents: dict[tuple[Content, ...], list[str]] = {}
    for square in sorted(squares):
        by_contents.setdefault(squares[square], []).append(str(square))
    for contents, names in by_contents.items():
        yield f"{first_named(names)}: {contents_words(contents)}"


def allowed_breaches(grid: Grid, squares: AllowedContents) -> Iterator[Breach]:
    """Yield the squares with contents that their rule does not allow."""
    for square, allowed in sorted(squares.items()):
        content = grid[square].content
        if content is not None and content not in allowed:
            yield Breach(f"{square} holds {content}; it allows {' '.join(map(str, allowed))}", (square,))


def idle_squares(grid: Grid, squares: AllowedContents) -> Iterator[Breach]:
    """Yield the rules of squares that are not open."""
    for square in sorted(squares):
        if not grid[square].is_open:
            yield Breach(f"{square} has a rule for its letters but is a {grid[square].kind.value}", (square,))


def read_allowed(value: Any) -> dict[Position, tuple[Content, ...]]:
    """Parse the rules of squares from a file; raises DamageError and PuzzleError."""
    return {
        Position.parse(where): tuple(map(checks.read_content, checks.read_list(contents)))
        for where, contents in checks.read_mapping(value).items()
    }


def written_allowed(squares: AllowedContents) -> dict[str, list[str]]:
    """Return the rules of squares in the form for a file."""
    return {str(at): list(map(str, squares[at])) for at in sorted(squares)}
