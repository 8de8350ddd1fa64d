"""The constructor's rules: what a fill must obey beyond the grid and the word lists."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from xwtui.errors import PuzzleError
from xwtui.model.slots import SlotKey
from xwtui.model.square import Content
from xwtui.model.where import Position


@dataclass(frozen=True)
class EntryRule:
    """What the answer of one entry must obey; an entry given whole in pen is not asked."""

    minimum_score: int | None = None
    """0 to 100, instead of the puzzle's own; higher or lower."""
    word_list: str = ""
    """The entry's own list, by name or path; empty for the puzzle's."""
    pattern: str = ""
    """A regular expression that the whole answer matches, such as `.*ING`; empty for none."""
    contains: tuple[str, ...] = ()
    """Strings that the answer has in it, each somewhere."""
    lacks: tuple[str, ...] = ()
    """Strings that it has nowhere."""
    barred: tuple[str, ...] = ()
    """Answers that it must not be."""

    @property
    def is_empty(self) -> bool:
        """Whether the rule asks for nothing."""
        return self == EntryRule()


@dataclass(frozen=True)
class RebusPlacing:
    """New rebus squares that the filler finds places for, so that both crossing answers contain them.

    Given squares with the same content are not counted. Raises PuzzleError for a range that is empty.
    """

    contents: tuple[Content, ...]
    """What a new square may hold."""
    least: int
    most: int
    """How many new squares there are, all contents together."""
    symmetric: bool = False
    """Whether the new squares lie in the puzzle's symmetry (each square's mirrors hold one, too)."""
    each: bool = False
    """Whether every content is used at least once."""

    def __post_init__(self) -> None:
        if not self.contents:
            raise PuzzleError("name at least one content for the new rebus squares")
        if not 0 <= self.least <= self.most or self.most == 0:
            raise PuzzleError(f"a number of squares such as 4..6 is wanted, not {self.least}..{self.most}")
        if self.each and self.most < len(self.contents):
            raise PuzzleError(
                f"{len(self.contents)} contents, each at least once, need more squares than {self.most}"
            )


@dataclass(frozen=True)
class Rules:
    """All rules of a puzzle; the empty one asks for nothing but that answers differ."""

    entries: Mapping[SlotKey, EntryRule] = field(default_factory=dict)
    squares: Mapping[Position, tuple[Content, ...]] = field(default_factory=dict)
    """The only contents, letters or rebus, that an open square may take; a given square is not asked."""
    shared_substring: int = 0
    """No two answers share so many letters in a row; 0 for no such rule."""
    distinct_stems: bool = False
    """Whether no two answers share a stem (plural, -ED, -ING, -ER)."""
    stem_groups: tuple[frozenset[str], ...] = ()
    """Words that count as one stem, too, group by group; they matter with `distinct_stems` only."""
    tag_limits: Mapping[str, int] = field(default_factory=dict)
    """How many answers may bear a tag of the word lists, such as `abbreviation`."""
    wanted: tuple[str, ...] = ()
    """Words that are to stand somewhere (seed entries)."""
    wanted_least: int = 0
    """How many of `wanted` at least."""
    letters: str = ""
    """Letters that are each to stand somewhere in the grid; all 26 for a pangram."""
    placings: tuple[RebusPlacing, ...] = ()

    def __post_init__(self) -> None:
        if self.wanted_least > len(self.wanted):
            raise PuzzleError(f"{self.wanted_least} words are wanted, and only {len(self.wanted)} are named")

    @property
    def own_lists(self) -> frozenset[str]:
        """The word lists, by name or path, that single entries have of their own."""
        return frozenset(rule.word_list for rule in self.entries.values() if rule.word_list)

    @property
    def is_empty(self) -> bool:
        """Whether the rules ask for nothing."""
        return self == Rules()

    @cached_property
    def asks_single_things_only(self) -> bool:
        """Whether there is no rule about the whole grid: each square and entry can answer for itself."""
        local = Rules(entries=self.entries, squares=self.squares, wanted=self.wanted, stem_groups=self.stem_groups)
        return self == local

    @property
    def is_about_grid(self) -> bool:
        """Whether anything is asked of the grid as a whole, beside single entries and squares."""
        return replace(self, entries={}, squares={}) != Rules()
