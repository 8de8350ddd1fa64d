"""Rules as flat keyword arguments, so that tests do not depend on the rule classes."""

from collections.abc import Mapping
from dataclasses import dataclass

from xwtui.model import Content, EntryRules, Position, RebusPlacing, Rules, SlotKey
from xwtui.model.rules import (
    NO_ENTRY_RULES,
    Barred,
    Contains,
    Lacks,
    MinimumScore,
    OwnList,
    Pangram,
    Pattern,
    SharedLetters,
    SharedStems,
    TagLimit,
    WantedWords,
)
from xwtui.model.rules.base import EntryRule, GridRule


def ruled(
    entries: Mapping[SlotKey, EntryRules] | None = None,
    squares: Mapping[Position, tuple[Content, ...]] | None = None,
    shared_substring: int = 0,
    distinct_stems: bool = False,
    stem_groups: tuple[frozenset[str], ...] = (),
    tag_limits: Mapping[str, int] | None = None,
    wanted: tuple[str, ...] = (),
    wanted_least: int = 0,
    letters: str = "",
    placings: tuple[RebusPlacing, ...] = (),
    every: EntryRules = NO_ENTRY_RULES,
) -> Rules:
    """Build rules from keyword arguments."""
    grid: list[GridRule] = [WantedWords(wanted, wanted_least)] if wanted or wanted_least else []
    grid += [SharedLetters(shared_substring)] if shared_substring else []
    grid += [SharedStems(distinct_stems, stem_groups)] if distinct_stems or stem_groups else []
    grid += [TagLimit(tag, most) for tag, most in (tag_limits or {}).items()]
    grid += [Pangram(letters)] if letters else []
    return Rules(entries or {}, squares or {}, (*grid, *placings), every)


def asked(
    minimum_score: int | None = None,
    word_list: str = "",
    pattern: str = "",
    contains: tuple[str, ...] = (),
    lacks: tuple[str, ...] = (),
    barred: tuple[str, ...] = (),
) -> EntryRules:
    """Build an entry's rules from keyword arguments."""
    rules: list[EntryRule] = [] if minimum_score is None else [MinimumScore(minimum_score)]
    rules += [OwnList(word_list)] if word_list else []
    rules += [Pattern(pattern)] if pattern else []
    rules += [Contains(contains)] if contains else []
    rules += [Lacks(lacks)] if lacks else []
    rules += [Barred(barred)] if barred else []
    return EntryRules(*rules)


@dataclass(frozen=True)
class EntryRequirements:
    """An entry's rules as flat fields."""

    minimum_score: int | None
    word_list: str
    pattern: str
    contains: tuple[str, ...]
    lacks: tuple[str, ...]
    barred: tuple[str, ...]

    @classmethod
    def of(cls, rules: EntryRules) -> "EntryRequirements":
        return cls(
            next((rule.score for rule in rules.of(MinimumScore)), None),
            "".join(rule.text for rule in rules.of(OwnList)),
            "".join(rule.text for rule in rules.of(Pattern)),
            tuple(text for rule in rules.of(Contains) for text in rule.strings),
            tuple(text for rule in rules.of(Lacks) for text in rule.strings),
            tuple(text for rule in rules.of(Barred) for text in rule.strings),
        )


@dataclass(frozen=True)
class Ruled:
    """All rules as flat fields."""

    entries: Mapping[SlotKey, EntryRules]
    squares: Mapping[Position, tuple[Content, ...]]
    shared_substring: int
    distinct_stems: bool
    stem_groups: tuple[frozenset[str], ...]
    tag_limits: Mapping[str, int]
    wanted: tuple[str, ...]
    wanted_least: int
    letters: str
    placings: tuple[RebusPlacing, ...]
    every: EntryRules

    @classmethod
    def of(cls, rules: Rules) -> "Ruled":
        return cls(
            rules.entries,
            rules.squares,
            sum(rule.length for rule in rules.of(SharedLetters)),
            any(rule.is_asked for rule in rules.of(SharedStems)),
            tuple(group for rule in rules.of(SharedStems) for group in rule.groups),
            {rule.tag: rule.most for rule in rules.of(TagLimit)},
            tuple(word for rule in rules.of(WantedWords) for word in rule.listed),
            sum(rule.least for rule in rules.of(WantedWords)),
            "".join(rule.letters for rule in rules.of(Pangram)),
            rules.of(RebusPlacing),
            rules.every,
        )

    def rules(self) -> Rules:
        return ruled(**vars(self))
