"""Rules that answers must differ by more than a letter: no shared run of letters and no shared stem."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Self

from xwtui.dataclasses import dataclass, replace
from xwtui.errors import PuzzleError
from xwtui.model.rules import checks
from xwtui.model.rules.base import Answers, Breach, GridRule, PuzzleFacts, WordFacts
from xwtui.model.rules.collection import Edited, Rules, RuleVerb
from xwtui.model.rules.constraints import Constraint, RunsDiffer, StemsDiffer
from xwtui.model.rules.grammar import OFF, Argument, Reads, RuleOption, Value
from xwtui.text import first_named

MOST_GROUPS = 200
MOST_IN_GROUP = 50


@dataclass(frozen=True)
class SharedLetters(GridRule):
    """No two answers share `length` consecutive letters."""

    length: int

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Sequence[Self]:
        length = checks.read_number(fields.get("shared_substring", 0))
        return (cls(length),) if length else ()

    @classmethod
    def written(cls, rules: Sequence[Self]) -> dict[str, Any]:
        return {"shared_substring": sum(rule.length for rule in rules)}

    def check(self) -> None:
        if not 2 <= self.length <= checks.LONGEST_WORD:
            raise PuzzleError(f"shared letters are counted from 2 to {checks.LONGEST_WORD}, not {self.length}")

    def lines(self) -> Iterator[str]:
        yield f"distinct: no two answers share {self.length} letters in a row"

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return (RunsDiffer(self.length),)

    def breaches(self, puzzle: PuzzleFacts, answers: Answers) -> Iterator[Breach]:
        for (one, first), (other, second) in combinations(answers.items(), 2):
            shared = next((run for run in runs(first, self.length) if run in second), None)
            if shared is not None and first != second:
                message = f"{one.name} {first} and {other.name} {second} share {shared}"
                yield Breach(message, (*one.positions, *other.positions))


def runs(word: str, length: int) -> list[str]:
    """Return all substrings of a word that have the given length."""
    return [word[start : start + length] for start in range(len(word) - length + 1)]


@dataclass(frozen=True)
class SharedStems(GridRule):
    """No two answers repeat each other, as defined by `words.repeats`.

    Without this rule, a puzzle prefers fills that keep stems apart but accepts others if it finds none.
    """

    is_asked: bool = True
    """Whether the rule is in force. If not, answers may share stems, but the groups are kept."""
    groups: tuple[frozenset[str], ...] = ()
    """Further groups of words that count as one stem."""

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Sequence[Self]:
        is_asked, is_off = (
            checks.read_flag(fields.get(name, False)) for name in ("distinct_stems", "shared_stems")
        )
        groups = tuple(
            frozenset(checks.read_strings(group)) for group in checks.read_list(fields.get("stem_groups", []))
        )
        return (cls(is_asked, groups),) if is_asked or is_off or groups else ()

    @classmethod
    def written(cls, rules: Sequence[Self]) -> dict[str, Any]:
        return {
            "distinct_stems": any(rule.is_asked for rule in rules),
            "shared_stems": any(not (rule.is_asked or rule.groups) for rule in rules),
            "stem_groups": [sorted(group) for rule in rules for group in rule.groups],
        }

    def check(self) -> None:
        checks.check_count(len(self.groups), MOST_GROUPS, "groups of words with one stem")
        for group in self.groups:
            checks.check_count(len(group), MOST_IN_GROUP, "words in one group")
            checks.check_words(sorted(group))

    def lines(self) -> Iterator[str]:
        if self.is_asked:
            yield "distinct: no two answers repeat each other"
        elif not self.groups:
            yield "distinct: answers may repeat each other"
        for group in self.groups:
            counted = "" if self.is_asked else " when stems must differ"
            yield f"distinct: {first_named(sorted(group))} count as one stem{counted}"

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return (StemsDiffer(self.groups),) if self.is_asked else ()

    def relaxed(self) -> Self | None:
        return replace(self, is_asked=False)

    def dropped(self) -> Self | None:
        return self.relaxed()

    def word_breaches(self, answers: Answers, words: WordFacts) -> Iterator[Breach]:
        if not self.is_asked:
            return
        slots = {slot.name: slot for slot in answers}
        for one, other in ((slots[first], slots[second]) for first, second in words.repeats):
            message = f"{one.name} {answers[one]} and {other.name} {answers[other]} repeat each other"
            yield Breach(message, (*one.positions, *other.positions))


def _edit(rules: Rules, line: Mapping[str, Any]) -> Edited | None:
    substring, stems, groups = line["substring"], line["stems"], line["groups"]
    if not line["off"] and substring is None and stems is None and not groups:
        return None
    if line["off"]:
        rules = rules.with_all(SharedLetters, []).with_all(SharedStems, [])
    if substring is not None:
        rules = rules.with_all(SharedLetters, [] if substring == OFF else [SharedLetters(substring)])
    if stems is not None or groups:
        before = rules.one(SharedStems) or SharedStems(is_asked=False)
        after = SharedStems(stems is not False, tuple(dict.fromkeys((*before.groups, *groups))))
        rules = rules.with_all(SharedStems, [after])
    return Edited("distinct", rules)


DISTINCT = RuleVerb(
    name="distinct",
    kinds=(SharedLetters, SharedStems),
    help="""Forbid answers that are too similar.

Naming a group turns the rule about stems on.""",
    examples=("distinct --substring 5", "distinct --stems on", 'distinct --group "DATA DATUM"', "distinct off"),
    nothing="answers differ, and fills avoid repeats where possible",
    edit=_edit,
    arguments=(Argument("off", Value(Reads.OFF), "`off` goes back to the usual rules"),),
    options=(
        RuleOption(
            "--substring",
            Value(Reads.NUMBER_OR_OFF, 2, checks.LONGEST_WORD),
            "no two may share this many letters in a row",
        ),
        RuleOption(
            "--stems",
            Value(Reads.SWITCH),
            "`on`: answers never repeat each other (BAKES, BAKER; DATA, DATABASE); `off`: they may",
        ),
        RuleOption(
            "--group", Value(Reads.WORD_GROUP), "words that count as one stem, in quotes", name="groups", many=True
        ),
    ),
    keywords=(
        "stems",
        "same root",
        "dupe",
        "dupes",
        "duplicate words",
        "no repeats",
        "repeated word",
        "plurals",
        "word forms",
    ),
)
