"""All rules of a puzzle, what a fill must obey beyond the grid and the lists; and the verbs that edit them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

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
from xwtui.named_tuples import NamedTuple
from xwtui.text import listed

R = TypeVar("R", bound=Rule)
E = TypeVar("E", bound=EntryRule)
G = TypeVar("G", bound=GridRule)


def _ordered(rules: Iterable[R]) -> tuple[R, ...]:
    return tuple(sorted(rules, key=lambda rule: (rule.place, rule.rank)))


@dataclass(frozen=True, init=False)
class EntryRules:
    """What the answer of one entry must obey; an entry given whole in pen is not asked."""

    rules: tuple[EntryRule, ...]
    """In the order of their kinds."""

    def __init__(self, *rules: EntryRule) -> None:
        object.__setattr__(self, "rules", _ordered(rules))

    def __reduce__(self) -> tuple[type[EntryRules], tuple[EntryRule, ...]]:
        """Pickle the rules alone, without the tests made of them, which no other process could read."""
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
        """The same with one more word barred, in a rule of that kind; where there are too many, the first goes.

        Words that are longer than any list has stay as they are: none of them comes back.
        """
        if len(word) > LONGEST_WORD:
            return self
        others = (one for rule in self.of(Barred) for one in rule.strings if one != word)
        return self.with_all(Barred, [Barred((*others, word)[-MOST_BARRED:])])

    def joined(self, others: EntryRules) -> EntryRules:
        """What both ask, all of it."""
        return EntryRules(*dict.fromkeys((*self.rules, *others.rules))) if others.rules else self

    @cached_property
    def minimum_score(self) -> int | None:
        """The lowest score of the answer; None for the puzzle's own."""
        return next((rule.score for rule in self.of(MinimumScore)), None)

    @cached_property
    def word_list(self) -> str:
        """The entry's own list, by name or path; empty for the puzzle's."""
        return next((rule.text for rule in self.of(OwnList)), "")

    @cached_property
    def tests(self) -> tuple[Callable[[str], bool], ...]:
        """What tells whether an answer obeys by its letters, rule by rule, the quick ones first."""
        quick_first = sorted(self.rules, key=lambda rule: rule.is_slow)
        return tuple(test for rule in quick_first if (test := rule.allows()) is not None)

    def broken(self, answer: str) -> list[str]:
        """What an answer does against the rules, scores and lists aside: `does not match .*ING`."""
        quick_first = sorted(self.rules, key=lambda rule: rule.is_slow)
        return [broken for rule in quick_first if (broken := rule.broken(answer))]

    def broken_score(self, score: int | None) -> str:
        """What an answer does against them by its score in the entry's list; empty where it obeys."""
        sources_first = sorted(self.rules, key=lambda rule: not rule.is_source)
        return next((broken for rule in sources_first if (broken := rule.broken_score(score))), "")

    @property
    def words(self) -> str:
        """What is asked: `from themes.dict, scores 60 or more, matches .*ING`; empty for nothing."""
        return ", ".join(rule.words() for rule in sorted(self.rules, key=lambda rule: not rule.is_source))

    @property
    def asked_words(self) -> str:
        """The same, to come after "no word": `from cities that scores 60 or more and lacks Q`."""
        sources = [rule.words() for rule in self.rules if rule.is_source]
        others = [rule.words() for rule in self.rules if not rule.is_source]
        return " ".join([*sources, *([f"that {listed(others, 'and')}"] if others else [])])

    def check(self) -> None:
        """Raise PuzzleError for what an entry cannot be asked."""
        _check_all(self.rules)


NO_ENTRY_RULES = EntryRules()
"""The rules of an entry without any."""


@dataclass(frozen=True)
class Rules:
    """All rules of a puzzle; the empty one asks for nothing but that answers differ."""

    entries: Mapping[SlotKey, EntryRules] = field(default_factory=dict)
    squares: Mapping[Position, tuple[Content, ...]] = field(default_factory=dict)
    """The only contents, letters or rebus, that an open square may take; a given square is not asked."""
    grid: tuple[GridRule, ...] = ()
    """What the grid is asked as a whole, in the order of the kinds."""
    every: EntryRules = NO_ENTRY_RULES
    """What every answer must obey, beside the rules of its entry."""
    exempt: frozenset[SlotKey] = frozenset()
    """Entries of which that is not asked: those whose given answer is being questioned. No file has them."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "grid", _ordered(self.grid))

    def of(self, kind: type[G]) -> tuple[G, ...]:
        return tuple(rule for rule in self.grid if isinstance(rule, kind))

    def one(self, kind: type[G]) -> G | None:
        """The rule of a kind of which there is one at most."""
        return next(iter(self.of(kind)), None)

    def with_all(self, kind: type[G], rules: Iterable[G]) -> Rules:
        return replace(self, grid=(*(rule for rule in self.grid if not isinstance(rule, kind)), *rules))

    def with_instead(self, old: GridRule, *new: GridRule) -> Rules:
        """The same with rules, or none, in the place of one about the whole grid."""
        at = self.grid.index(old)
        return replace(self, grid=(*self.grid[:at], *new, *self.grid[at + 1 :]))

    def with_entry(self, key: SlotKey, rules: EntryRules) -> Rules:
        """The same with other rules of an entry; empty ones are kept, as a place where nothing is asked."""
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
        """All that is asked of the answer of an entry."""
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
        """The word lists, by name or path, that single entries have of their own."""
        return frozenset(rules.word_list for rules in self.entries.values() if rules.word_list)

    @property
    def is_empty(self) -> bool:
        return self == Rules()

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """What is asked that no single square or entry can answer for."""
        return tuple(constraint for rule in self.grid for constraint in rule.constraints)

    @property
    def is_about_grid(self) -> bool:
        """Whether anything is asked of the grid as a whole, beside single entries and squares."""
        return bool(self.grid)

    @cached_property
    def wanted(self) -> tuple[str, ...]:
        """Words that a fill may use because of a rule, whether a list has them or not."""
        return tuple(word for rule in self.grid for word in rule.brings)

    @cached_property
    def new_squares(self) -> tuple[NewSquares, ...]:
        """The new rebus squares that the filler finds places for."""
        return tuple(each for each in self.constraints if isinstance(each, NewSquares))

    @cached_property
    def two_readings(self) -> tuple[TwoReadings, ...]:
        """What is asked of squares that read one letter across and another one down."""
        return tuple(each for each in self.constraints if isinstance(each, TwoReadings))

    @property
    def finds_rebuses(self) -> bool:
        return bool(self.new_squares)

    def check(self) -> None:
        """Raise PuzzleError for the first thing that no puzzle can have."""
        for (start, direction), rules in self.entries.items():
            with failing_as(PuzzleError, f"{start} {direction.word}", of=PuzzleError):
                rules.check()
        self.every.check()
        for contents in self.squares.values():
            check_allowed(contents)
        _check_all(self.grid)


class Edited(NamedTuple):
    """What a line makes of the rules, and what `undo` calls that."""

    label: str
    rules: Rules


class RuleVerb(NamedTuple):
    """The verb of some kinds of rules about the whole grid."""

    name: str
    kinds: tuple[type[GridRule], ...]
    """The kinds that it shows and edits."""
    help: str
    """What it does; the first line is the summary."""
    examples: tuple[str, ...]
    nothing: str
    """What it answers where there is no rule of its kinds."""
    edit: Callable[[Rules, Mapping[str, Any]], Edited | None]
    """What a line makes of the rules; None for a line that only asks. Raises PuzzleError."""
    arguments: tuple[Argument, ...] = ()
    options: tuple[RuleOption, ...] = ()
    keywords: tuple[str, ...] = ()
    """Other words by which help finds it."""


def _check_all(rules: Sequence[Rule]) -> None:
    """Raise PuzzleError for a rule that nothing can be asked, and for too many of a kind."""
    kinds = [type(rule) for rule in rules]
    for kind in dict.fromkeys(kinds):
        check_count(kinds.count(kind), *kind.most_of_kind)
    for rule in rules:
        rule.check()
