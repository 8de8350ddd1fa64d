"""Values of the design search: requirements, results with their proving fills, and progress."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, field, replace
from xwtui.engine.improve.plain_fill import SharedStem
from xwtui.engine.kernels.layouts import BLOCKS, WORDS
from xwtui.errors import PuzzleError
from xwtui.grids.layouts import LayoutWanted
from xwtui.grids.placements import GridKind, Themer
from xwtui.model import Content, Direction, Grid, Ink, Kind, Position, Slot, Symmetry
from xwtui.model.square import Square
from xwtui.model.statistics import LayoutFigures, ListedScores
from xwtui.text import listed
from xwtui.words.kept_order import KeptOrder
from xwtui.words.lexicon import Lexicon
from xwtui.words.normalise import word_codes
from xwtui.words.repeats import repeating, roots_by

_SQUARES_A_BLOCK = 5
"""Number of squares per block: an upper limit on blocks, in addition to the profile's."""
_MOST_CHOICES = 200_000
"""Maximum number of ways to choose answers."""
_SQUARES_A_WORD_LESS = 30
"""Grids with many words fill best, so the default minimum is the maximum minus one word for this many squares."""


@dataclass(frozen=True)
class DesignWanted:
    """Parameters of a design search: theme answers, layout requirements, and the number of designs to keep."""

    themers: tuple[Themer, ...]
    layout: LayoutWanted
    choose: int | None = None
    """Number of answers used together; None for all. A revealer and placed answers are always used."""
    directions: tuple[Direction, ...] = (Direction.ACROSS,)
    fallback_directions: tuple[tuple[Direction, ...], ...] = ()
    """Alternative directions for answers if the first ones bring nothing for a while."""
    count: int = 10
    is_quick: bool = False
    """Whether to stop as soon as there are enough designs, without improving their fills."""

    def __post_init__(self) -> None:
        self.layout.check_blocks()
        profile = self.layout.profile
        if not profile.checks_all:
            raise PuzzleError(f"the profile {profile.name} leaves squares unchecked; designs check every square")

    @cached_property
    def limits(self) -> NDArray[np.int64]:
        """The limits of the layouts, with a default minimum of words not far below the maximum."""
        limits, layout = self.layout.limits, self.layout
        squares = layout.height * layout.width
        if layout.fewest_words is None and limits[WORDS, 1] < squares:
            limits[WORDS, 0] = limits[WORDS, 1] - squares // _SQUARES_A_WORD_LESS
        limits[BLOCKS, 1] = min(limits[BLOCKS, 1], max(limits[BLOCKS, 0], squares // _SQUARES_A_BLOCK))
        return limits

    def needs(self, themer: Themer) -> bool:
        """Whether every choice of answers must include this one."""
        return self.choose is None or themer.is_last or themer.is_placed

    @cached_property
    def choices(self) -> Sequence[tuple[Themer, ...]]:
        """The sets of answers that may be used together: all, or the required ones with some of the others."""
        if self.choose is None:
            return (self.themers,)
        needed = tuple(one for one in self.themers if self.needs(one))
        others = [one for one in self.themers if not self.needs(one)]
        more = max(0, min(len(others), self.choose - len(needed)))
        if math.comb(len(others), more) > _MOST_CHOICES:
            raise PuzzleError(f"{more} of {len(others)} answers give too many choices to try")
        return tuple(needed + chosen for chosen in combinations(others, more))

    @property
    def unpaired_lengths(self) -> tuple[int, ...]:
        """Lengths of answers without a partner of the same length, if these make a design hard."""
        layout = self.layout
        if self.choose is not None or layout.symmetry not in (Symmetry.ROTATION_180, Symmetry.UP_DOWN):
            return ()
        counts = Counter(themer.squares for themer in self.themers)
        alone = tuple(sorted(squares for squares, count in counts.items() if count % 2))
        is_one_in_middle = any((layout.width - squares) % 2 == 0 for squares in alone)
        return alone if len(alone) > 1 + is_one_in_middle else ()

    @property
    def unpaired_message(self) -> str:
        """A message about answers without a partner of the same length; empty if they pose no problem."""
        if not self.unpaired_lengths:
            return ""
        lengths = listed([str(squares) for squares in self.unpaired_lengths], "and")
        return f"no design yet: answers of {lengths} squares have no partner of the same length"

    @property
    def demands(self) -> str:
        """The requirements on layouts in words: profile and symmetry."""
        return f"the profile {self.layout.profile.name} and {self.layout.symmetry.words}"

    def told_place(self, themer: Themer) -> str:
        """Return the requested place in words: ` at r8c3 across`, ` across`; empty for anywhere."""
        ways = {themer.direction} if themer.direction else {*self.directions, *chain(*self.fallback_directions)}
        at = f" at {themer.start}" if themer.start is not None else ""
        return at + "".join(f" {way.word}" for way in ways if len(ways) == 1)

    @property
    def unplaceable(self) -> str:
        """The message that no placement leaves words for every crossing entry, with the relevant requirements."""
        layout, pinned = self.layout, [one for one in self.themers if one.start is not None and self.needs(one)]
        which = "the answers" if self.choose is None else f"any {self.choose} of the answers"
        there = [f"{one.answer}{self.told_place(one)}" for one in pinned]
        with_them = f", with {listed(there, 'and')}," if there else ""
        pairs = " and the pairs" if any(one.partner is not None for one in self.themers) else ""
        last = next((f" and {one.answer} last" for one in self.themers if one.is_last), "")
        return (
            f"{which} cannot be placed in a grid of {layout.height}x{layout.width}{with_them} with "
            f"{self.demands}{pairs}{last} with words across that repeat none of them"
        )

    def uncrossable(self, lexicon: Lexicon) -> str:
        """Return a message if an answer has a letter or digit that no usable crossing word has; empty if not."""
        tables = [lexicon.table(length).letters for length in lexicon.lengths]
        for one in filter(self.needs, self.themers):
            others = {content for other in self.themers if other is not one for content in other.contents}
            for content in dict.fromkeys(one.contents):
                if len(content) > 1 or content in others:  # a rebus square crosses words that spell it out
                    continue
                code = word_codes(content)[0]
                if not any((letters == code).any() for letters in tables):
                    return f"{one.answer} has {content}, and no usable word has it, as the entry crossing it must"
        return ""

    def suited(self) -> DesignWanted:
        """Return these parameters, with left-right symmetry if only that suits the answers.

        For callers whose user has chosen no symmetry. Left-right symmetry is needed if the answers and their
        mirrored entries would take more than every second row, provided that all of them can be centered in a row.
        """
        layout, unpaired_lengths = self.layout, self.unpaired_lengths
        rows = len(self.themers) + len(unpaired_lengths) - 1
        takes = Symmetry.LEFT_RIGHT in layout.profile.symmetries and Direction.ACROSS in self.directions
        is_free = not any(one.is_placed or (layout.width - one.squares) % 2 for one in self.themers)
        if not (unpaired_lengths and rows > layout.height // 2 and takes and is_free):
            return self
        return replace(self, layout=replace(layout, symmetry=Symmetry.LEFT_RIGHT))

    @property
    def kind(self) -> GridKind:
        one = self.layout
        return GridKind(one.height, one.width, one.symmetry, one.entry_lengths)


class DesignWords(NamedTuple):
    """The words for fills around theme answers: none repeats a theme answer."""

    lexicon: Lexicon
    spelled: frozenset[str]
    """Words that spell out a rebus content; they are allowed only in entries with a rebus square."""

    @classmethod
    def of(cls, wanted: DesignWanted, lexicon: Lexicon) -> DesignWords:
        """Filter a lexicon; a rebus content may be in several answers and in what crosses it."""
        rebuses = {content for one in wanted.themers for content in one.contents if len(content) > 1}
        answers = [one.answer for one in wanted.themers]
        roots, plain_roots = roots_by(lexicon, contents=map(Content.of, rebuses)), roots_by(lexicon)
        never, spelled = set[str](), rebuses.copy()
        for table in map(lexicon.table, wanted.layout.entry_lengths):  # all words at once take 40 MB as texts
            words = table.words()
            never |= repeating(answers, words, roots)
            spelled |= repeating(rebuses, words, plain_roots)
        return cls(lexicon.without(never), frozenset(spelled))

    def take(self, grid: Grid, fill: Mapping[Position, Content]) -> bool:
        return not self.spelled or not any(
            slot.spell(fill) in self.spelled and not any(fill[at].is_rebus for at in slot.positions)
            for slot in _to_fill(grid)
        )


@dataclass(frozen=True)
class Design:
    """A legal layout with theme answers and a fill that proves it."""

    grid: Grid
    """The layout with only the theme answers, LOCKED."""
    fill: Mapping[Position, Content] = field(repr=False, compare=False)
    """The content of every square."""
    themers: Mapping[str, str]
    """The theme answers by entry, with rebus squares in brackets."""
    mean_score: float
    """Mean score of all listed answers, including theme answers, as in the grid's review."""
    lowest_score: int
    log10: float | None = None
    """Estimated log10 of the number of fills."""
    seconds: float = 0.0
    """Seconds from the start of the run until it was found."""
    is_improved: bool = False
    shared_stems: tuple[SharedStem, ...] = ()
    """Entries that share a stem, because no fill was found that keeps them apart."""

    @cached_property
    def figures(self) -> LayoutFigures:
        return LayoutFigures.of(self.grid)

    @property
    def rank(self) -> tuple[float, ...]:
        """Sort key: few shared stems, high lowest score, high mean, then few words, threes and cheaters."""
        words, _, threes, cheaters = self.figures
        shared = len(self.shared_stems)
        return -shared, self.lowest_score, self.mean_score, -words, -threes, -cheaters, self.log10 or 0.0

    def judged_by(self, lexicon: Lexicon) -> Design | None:
        """Return the design with scores from another lexicon, or None if that lacks one of its words."""
        if any(lexicon.score(slot.spell(self.fill)) is None for slot in _to_fill(self.grid)):
            return None
        mean, lowest = answer_scores(self.grid, self.fill, lexicon)
        return replace(self, mean_score=mean, lowest_score=lowest)

    @cached_property
    def filled(self) -> Grid:
        """The grid with its fill in PENCIL."""
        squares = {
            at: Square(Kind.OPEN, content, Ink.PENCIL)
            for at, content in self.fill.items()
            if self.grid[at].content is None
        }
        return self.grid.with_squares(squares)


@dataclass(frozen=True)
class DesignProgress:
    """The state of a run."""

    designs: tuple[Design, ...] = ()
    """The best designs so far, best first."""
    found: int = 0
    """The total number of designs found."""
    tried: int = 0
    """Number of layouts drawn."""
    dead: int = 0
    """Number of those layouts proved to have no fill."""
    seconds: float = 0.0
    is_impossible: bool = False
    """Whether it is proved that the answers cannot be placed."""
    reason: str = ""

    def judged_by(self, lexicon: Lexicon) -> DesignProgress:
        """Return the progress judged by another lexicon, without designs that use a word it lacks."""
        return replace(self, designs=tuple(filter(None, (one.judged_by(lexicon) for one in self.designs))))

    def after(self, earlier: DesignProgress, most: int) -> DesignProgress:
        """Return the progress of an earlier run continued by this one: the best designs of both, no layout twice.

        The counts are sums, so a layout found by both counts twice.
        """
        by_grid: KeptOrder[Design] = KeptOrder(best_first)
        for one in (*self.designs, *earlier.designs):
            by_grid.offer(one.grid, one)
        return DesignProgress(
            tuple(by_grid.first(most)),
            self.found + earlier.found,
            self.tried + earlier.tried,
            self.dead + earlier.dead,
            self.seconds + earlier.seconds,
            is_impossible=self.is_impossible and not by_grid,
            reason="" if by_grid else self.reason,
        )


def best_first(design: Design) -> tuple[float, ...]:
    """Sort key that puts the best design first."""
    return tuple(-part for part in design.rank)


def answer_scores(grid: Grid, fill: Mapping[Position, Content], lexicon: Lexicon) -> tuple[float, int]:
    """Return the mean and the lowest score of a filled grid's listed answers."""
    scores = ListedScores.of({slot.name: slot.spell(fill) for slot in grid.slots}, lexicon.score)
    return scores.mean or 0.0, scores.lowest or 0


def _to_fill(grid: Grid) -> Iterator[Slot]:
    return (slot for slot in grid.slots if any(grid[at].content is None for at in slot.positions))
