"""The rule that certain words (seed entries) must appear somewhere in the grid."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError
from xwtui.model.rules import checks
from xwtui.model.rules.base import Answers, Breach, GridRule, PuzzleFacts, WordFacts
from xwtui.model.rules.collection import Edited, Rules, RuleVerb
from xwtui.model.rules.constraints import AlteredEntries, Constraint, WordsPresent
from xwtui.model.rules.grammar import OFF, Argument, Reads, RuleOption, Value
from xwtui.text import first_named

MOST_WANTED = 1000


@dataclass(frozen=True)
class WantedWords(GridRule):
    """At least `least` of the listed words are in the grid; raises PuzzleError if `least` exceeds the list."""

    waits_for_full_grid: ClassVar[bool] = True

    listed: tuple[str, ...]
    least: int
    """Minimum number of words; 0 means that they may be used but need not be."""

    def __post_init__(self) -> None:
        if self.least > len(self.listed):
            raise PuzzleError(f"{self.least} words are required, but only {len(self.listed)} are listed")

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Sequence[Self]:
        rule = cls(
            checks.read_strings(fields.get("wanted", [])), checks.read_number(fields.get("wanted_least", 0))
        )
        return () if rule.listed == () and rule.least == 0 else (rule,)

    @classmethod
    def written(cls, rules: Sequence[Self]) -> dict[str, Any]:
        return {
            "wanted": [word for rule in rules for word in rule.listed],
            "wanted_least": sum(rule.least for rule in rules),
        }

    def check(self) -> None:
        checks.check_count(len(self.listed), MOST_WANTED, "wanted words")
        checks.check_words(self.listed)
        checks.check_distinct(self.listed, "wanted")
        if self.least < 0:
            raise PuzzleError("the number of wanted words must be 0 or more")

    def lines(self) -> Iterator[str]:
        number = "all of " if self.least == len(self.listed) else f"at least {self.least} of "
        yield f"wanted: {number if len(self.listed) > 1 else ''}{first_named(self.listed)}"

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return (WordsPresent(self.listed, self.least, "wanted word"),) if self.least else ()

    @property
    def brings(self) -> tuple[str, ...]:
        return self.listed

    def relaxed(self) -> Self:
        return type(self)(self.listed, 0)

    def breaches(self, puzzle: PuzzleFacts, answers: Answers) -> Iterator[Breach]:
        missing = [word for word in self.listed if word not in answers.values()]
        if len(self.listed) - len(missing) < self.least:
            yield Breach(f"of the wanted words, {self.least} must appear; missing: {first_named(missing)}")

    def notes(self, puzzle: PuzzleFacts, words: WordFacts) -> Iterator[str]:
        """Yield oddities of wanted words that are not in the grid yet; only banned ones cannot be placed."""
        here = {puzzle.answer(slot) for slot in puzzle.grid.entries}
        for word in self.listed:
            if word not in here and (oddity := _oddity(word, puzzle, words)):
                yield f"wanted {word} {oddity}"


def _oddity(word: str, puzzle: PuzzleFacts, words: WordFacts) -> str:
    """Return why no fill would use this word if it were not wanted; empty if one might."""
    score = words.score(word)
    if word in puzzle.words.banned:
        return f"is banned, so no fill uses it; `allow {word}` allows it"
    contents = [content for allowed in puzzle.rules.squares.values() for content in allowed]
    contents += puzzle.grid.contents.values()
    alphabet = puzzle.words.alphabet
    may_be_rebus = puzzle.rules.finds_rebuses or any(map(alphabet.is_rebus, contents))
    is_altered = any(isinstance(each, AlteredEntries) for each in puzzle.rules.constraints)
    letters = len(alphabet.units(word))
    sizes = range(letters, len(word) + 1)  # given squares may split digraphs
    if not (may_be_rebus or is_altered or any(len(slot) in sizes for slot in puzzle.grid.entries)):
        return f"has {letters} letters, and no entry has that many squares"
    if score is None:
        return f"is in no word list; fills may still use it, with score {words.default_score}"
    if score < words.minimum_score:
        return f"scores {score}, below {words.minimum_score}; fills may still use it"
    return ""


def with_wanted(rules: Rules, words: Iterable[str], least: int | None = None) -> Rules:
    """Return the rules with more wanted words, at least `least` of all of which must appear.

    By default, all are required if all were so far; otherwise the number stays. Raises PuzzleError.
    """
    before = rules.one(WantedWords) or WantedWords((), 0)
    wanted = tuple(dict.fromkeys((*before.listed, *words)))
    if least is None:
        least = len(wanted) if before.least == len(before.listed) else before.least
    return rules.with_all(WantedWords, [WantedWords(wanted, least)] if wanted or least else [])


def without_wanted(rules: Rules, words: Collection[str] = ()) -> Rules:
    """Return the rules without some or, by default, all wanted words; raises PuzzleError for one not wanted."""
    before = rules.one(WantedWords) or WantedWords((), 0)
    missing = [word for word in words if word not in before.listed]
    if missing:
        raise PuzzleError(f"not wanted: {', '.join(missing)}")
    wanted = tuple(word for word in before.listed if words and word not in words)
    return rules.with_all(WantedWords, [WantedWords(wanted, min(before.least, len(wanted)))] if wanted else [])


def _edit(rules: Rules, line: Mapping[str, Any]) -> Edited | None:
    words, least = line["words"], line["least"]
    if not words and least is None:
        return None
    label = f"want {' '.join(words)}".strip()
    if words and words[-1] == OFF:
        return Edited(label, without_wanted(rules, words[:-1]))
    return Edited(label, with_wanted(rules, words, least))


WANT = RuleVerb(
    name="want",
    kinds=(WantedWords,),
    help="Set or show words that the fill must use somewhere.",
    examples=("want OBOE TUBA", "want OBOE TUBA --least 1", "want OBOE off", "want off"),
    nothing="no words are wanted",
    edit=_edit,
    arguments=(Argument("words", Value(Reads.WORD), "words to place; `off` after them removes them", many=True),),
    options=(
        RuleOption(
            "--least", Value(Reads.NUMBER, 0, 1000), "how many of the wanted words must be used (default: all)"
        ),
    ),
    keywords=("must include", "required word", "use this word"),
)
