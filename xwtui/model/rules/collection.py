"""All rules of a puzzle, which a fill must obey in addition to grid and lists, and the verbs' interface."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from xwtui.dataclasses import dataclass, field, replace
from xwtui.errors import PuzzleError, failing_as
from xwtui.model.grid_move import GridMove
from xwtui.model.rules.base import EntryRule, GridRule, Rule
from xwtui.model.rules.checks import LONGEST_WORD, check_count
from xwtui.model.rules.constraints import Constraint, NewSquares, TwoReadings
from xwtui.model.rules.entry_rules import MOST_BARRED, Barred, MinimumScore, OwnList, check_allowed
from xwtui.model.rules.grammar import Argument, RuleOption
from xwtui.model.slots import SlotKey
from xwtui.model.square import Content
from xwtui.model.where import Position
from xwtui.text import listed

R = TypeVar("R", bound=Rule)
E = TypeVar("E", bound=EntryRule)
G = TypeVar("G", bound=GridRule)


def _ordered(rules: Iterable[R]) -> tuple[R, ...]:
    return tuple(sorted(rules, key=lambda rule: (rule.place, rule.rank)))


@dataclass(frozen=True, init=False)
class EntryRules:
    """The rules for one entry's answer. They do not apply to an entry given entirely in pen."""

    rules: tuple[EntryRule, ...]
    """Ordered by kind."""

    def __init__(self, *rules: EntryRule) -> None:
        object.__setattr__(self, "rules", _ordered(rules))

    def __reduce__(self) -> tuple[type[EntryRules], tuple[EntryRule, ...]]:
        """Pickle only the rules: the cached predicates cannot be pickled."""
        return EntryRules, self.rules

    @property
    def is_empty(self) -> bool:
        return not self.rules

    def of(self, kind: type[E]) -> tuple[E, ...]:
        return tuple(rule for rule in self.rules if isinstance(rule, kind))

    def with_all(self, kind: type[E], rules: Iterable[E]) -> EntryRules:
        return EntryRules(*(rule for rule in self.rules if not isinstance(rule, kind)), *rules)

    def without(self, dropped: EntryRule) -> EntryRules:
        return EntryRules(*(rule for rule in self.rules if rule != dropped))

    def barring(self, word: str) -> EntryRules:
        """Return the rules with one more barred word; if there are too many, the oldest is dropped.

        A word longer than any list contains is ignored, since it can never come back.
        """
        if len(word) > LONGEST_WORD:
            return self
        others = (one for rule in self.of(Barred) for one in rule.strings if one != word)
        return self.with_all(Barred, [Barred((*others, word)[-MOST_BARRED:])])

    def joined(self, others: EntryRules) -> EntryRules:
        """Return the combined requirements of both."""
        return EntryRules(*dict.fromkeys((*self.rules, *others.rules))) if others.rules else self

    @cached_property
    def minimum_score(self) -> int | None:
        """The minimum score of the answer; None for the puzzle's own."""
        return next((rule.score for rule in self.of(MinimumScore)), None)

    @cached_property
    def word_list(self) -> str:
        """The entry's own list, by name or path; empty for the puzzle's lists."""
        return next((rule.text for rule in self.of(OwnList)), "")

    @cached_property
    def tests(self) -> tuple[Callable[[str], bool], ...]:
        """Predicates on an answer's letters, one for each rule that has one, quick ones first."""
        quick_first = sorted(self.rules, key=lambda rule: rule.is_slow)
        return tuple(test for rule in quick_first if (test := rule.allows()) is not None)

    def broken(self, answer: str) -> list[str]:
        """Return how an answer breaks the rules, except for scores and lists: `does not match .*ING`."""
        quick_first = sorted(self.rules, key=lambda rule: rule.is_slow)
        return [broken for rule in quick_first if (broken := rule.broken(answer))]

    def broken_score(self, score: int | None) -> str:
        """Return how an answer's score in the entry's list breaks the rules; empty if it does not."""
        sources_first = sorted(self.rules, key=lambda rule: not rule.is_source)
        return next((broken for rule in sources_first if (broken := rule.broken_score(score))), "")

    @property
    def words(self) -> str:
        """The requirements in words, `from a.dict, scores 60 or more, matches .*ING`; empty if there are none."""
        return ", ".join(rule.words() for rule in sorted(self.rules, key=lambda rule: not rule.is_source))

    @property
    def asked_words(self) -> str:
        """The requirements as a phrase to follow "no word": `from cities that scores 60 or more and lacks Q`."""
        sources = [rule.words() for rule in self.rules if rule.is_source]
        others = [rule.words() for rule in self.rules if not rule.is_source]
        return " ".join([*sources, *([f"that {listed(others, 'and')}"] if others else [])])

    def check(self) -> None:
        """Raise PuzzleError for rules that an entry cannot have."""
        _check_all(self.rules)


NO_ENTRY_RULES = EntryRules()
"""The rules of an entry that has none."""


@dataclass(frozen=True)
class Rules:
    """All rules of a puzzle. The default value requires only that answers differ."""

    entries: Mapping[SlotKey, EntryRules] = field(default_factory=dict)
    squares: Mapping[Position, tuple[Content, ...]] = field(default_factory=dict)
    """The allowed contents, letters or rebus, of restricted open squares; given squares are exempt."""
    grid: tuple[GridRule, ...] = ()
    """The rules about the whole grid, ordered by kind."""
    every: EntryRules = NO_ENTRY_RULES
    """The rules for every answer, in addition to those of its entry."""
    exempt: frozenset[SlotKey] = frozenset()
    """Entries exempt from `every` because the user is asking about their given answer. Never written to files."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "grid", _ordered(self.grid))

    def of(self, kind: type[G]) -> tuple[G, ...]:
        return tuple(rule for rule in self.grid if isinstance(rule, kind))

    def one(self, kind: type[G]) -> G | None:
        """Return the rule of a kind that occurs at most once, or None."""
        return next(iter(self.of(kind)), None)

    def with_all(self, kind: type[G], rules: Iterable[G]) -> Rules:
        return replace(self, grid=(*(rule for rule in self.grid if not isinstance(rule, kind)), *rules))

    def with_instead(self, old: GridRule, *new: GridRule) -> Rules:
        """Return the rules with one rule about the whole grid replaced by any number of others."""
        at = self.grid.index(old)
        return replace(self, grid=(*self.grid[:at], *new, *self.grid[at + 1 :]))

    def with_entry(self, key: SlotKey, rules: EntryRules) -> Rules:
        """Return the rules with an entry's replaced; empty ones are kept, as an entry that requires nothing."""
        return replace(self, entries={**self.entries, key: rules})

    def moved(self, move: GridMove) -> Rules:
        squares = ((move.position(at), contents) for at, contents in self.squares.items())
        return Rules(
            {there: self.entries[key] for key, there in move.keys(self.entries)},
            {at: move.contents(contents) for at, contents in squares if at is not None},
            tuple(moved for rule in self.grid if (moved := rule.moved(move)) is not None),
            self.every,
            frozenset(there for _, there in move.keys(self.exempt)),
        )

    def asked(self, key: SlotKey) -> EntryRules:
        """Return all rules that apply to an entry's answer."""
        own = self.entries.get(key, NO_ENTRY_RULES) if self.entries else NO_ENTRY_RULES
        if self.every.is_empty or key in self.exempt:
            return own
        if own.is_empty:
            return self.every
        if key not in self._joined:
            self._joined[key] = own.joined(self.every)
        return self._joined[key]

    @cached_property
    def _joined(self) -> dict[SlotKey, EntryRules]:
        return {}

    @property
    def asks_entries(self) -> bool:
        return bool(self.entries) or not self.every.is_empty

    @property
    def own_lists(self) -> frozenset[str]:
        """The word lists, by name or path, of entries that have their own."""
        return frozenset(rules.word_list for rules in self.entries.values() if rules.word_list)

    @property
    def is_empty(self) -> bool:
        return self == Rules()

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """The constraints that involve more than one square or entry."""
        return tuple(constraint for rule in self.grid for constraint in rule.constraints)

    @property
    def is_about_grid(self) -> bool:
        """Whether there are rules about the whole grid."""
        return bool(self.grid)

    @cached_property
    def wanted(self) -> tuple[str, ...]:
        """Words that a fill may use because of a rule, even if no list contains them."""
        return tuple(word for rule in self.grid for word in rule.brings)

    @cached_property
    def new_squares(self) -> tuple[NewSquares, ...]:
        """The constraints on new rebus squares that the filler must place."""
        return tuple(each for each in self.constraints if isinstance(each, NewSquares))

    @cached_property
    def two_readings(self) -> tuple[TwoReadings, ...]:
        """The constraints on squares that read differently across and down."""
        return tuple(each for each in self.constraints if isinstance(each, TwoReadings))

    @property
    def finds_rebuses(self) -> bool:
        return bool(self.new_squares)

    def check(self) -> None:
        """Raise PuzzleError for the first impossible rule."""
        for (start, direction), rules in self.entries.items():
            with failing_as(PuzzleError, f"{start} {direction.word}", of=PuzzleError):
                rules.check()
        self.every.check()
        for contents in self.squares.values():
            check_allowed(contents)
        _check_all(self.grid)


class Edited(NamedTuple):
    """The rules after a line is applied, and the label of that edit for undo."""

    label: str
    rules: Rules


class RuleVerb(NamedTuple):
    """The verb for some kinds of rules about the whole grid."""

    name: str
    kinds: tuple[type[GridRule], ...]
    """The kinds that it shows and edits."""
    help: str
    """Help text, whose first line is the summary."""
    examples: tuple[str, ...]
    nothing: str
    """The answer if there is no rule of its kinds."""
    edit: Callable[[Rules, Mapping[str, Any]], Edited | None]
    """Applies a line to the rules. Returns None for a line that only queries; raises PuzzleError."""
    arguments: tuple[Argument, ...] = ()
    options: tuple[RuleOption, ...] = ()
    keywords: tuple[str, ...] = ()
    """Further search terms for help."""


def _check_all(rules: Sequence[Rule]) -> None:
    """Raise PuzzleError for an impossible rule, or for too many of a kind."""
    kinds = [type(rule) for rule in rules]
    for kind in dict.fromkeys(kinds):
        check_count(kinds.count(kind), *kind.most_of_kind)
    for rule in rules:
        rule.check()
