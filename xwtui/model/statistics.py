"""Figures about a puzzle that editors and constructors quote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.grid import Grid
from xwtui.model.slots import Slot


def pencil_squares(grid: Grid) -> int:
    """Count the entries' squares with content in pencil, which fills and counts treat as empty."""
    written = {at for slot in grid.slots for at in slot.positions if grid[at].content is not None}
    return sum(not grid[at].is_given for at in written)


class GridStatistics(NamedTuple):
    """Figures of a grid.

    `mean_length` is in squares. `letters` counts letters over all squares, using a rebus square's across reading.
    A digraph of the alphabet counts as one letter and not as a rebus. `three_letter_entries` have three squares.
    `cheaters` are the blocks in `Grid.cheaters`. The scores cover complete entries that a word list contains (None
    if there are none). `unlisted` holds the other complete entries as (entry, answer). `repeated_stems` are pairs
    of entries, which the caller supplies.
    """

    height: int
    width: int
    entries: int
    filled_entries: int
    blocks: int
    open_squares: int
    filled_squares: int
    rebus_squares: int
    mean_length: float
    letters: Mapping[str, int]
    mean_score: float | None
    lowest_score: int | None
    lowest_entry: str
    """The first entry with the lowest score; empty if no answer has a score."""
    unlisted: tuple[tuple[str, str], ...]
    three_letter_entries: int
    cheaters: int
    repeated_stems: tuple[tuple[str, str], ...] = ()


class LayoutFigures(NamedTuple):
    """Figures of a layout: entries, blocks, three-square entries, and the blocks in `Grid.cheaters`."""

    words: int
    blocks: int
    threes: int
    cheaters: int

    @classmethod
    def of(cls, grid: Grid) -> LayoutFigures:
        threes = sum(len(slot) == 3 for slot in grid.slots)
        return cls(len(grid.slots), grid.block_count, threes, len(grid.cheaters))


class ListedScores(NamedTuple):
    """Scores of answers by entry name; None for an answer that no list contains."""

    scores: Mapping[str, int | None]

    @classmethod
    def of(cls, answers: Mapping[str, str], score_of: Callable[[str], int | None]) -> ListedScores:
        return cls({name: score_of(answer) for name, answer in answers.items()})

    @property
    def listed(self) -> list[int]:
        return [score for score in self.scores.values() if score is not None]

    @property
    def mean(self) -> float | None:
        return sum(self.listed) / len(self.listed) if self.listed else None

    @property
    def lowest(self) -> int | None:
        return min(self.listed, default=None)

    @property
    def lowest_entry(self) -> str:
        """The first entry with the lowest score; empty if no answer has a score."""
        return next(
            (name for name, score in self.scores.items() if score is not None and score == self.lowest), ""
        )


class Light(NamedTuple):
    """How well an entry is checked: its squares, its checked squares, and its unches (unchecked squares)."""

    entry: str
    length: int
    checked: int
    longest_unches: int
    """Length of the longest run of consecutive unches."""
    first_unches: int
    """Number of unches before the first checked square."""

    @classmethod
    def of(cls, grid: Grid, slot: Slot) -> Light:
        checked = [grid.slot_at(at, slot.direction.other) is not None for at in slot.positions]
        runs = [len(run) for run in "".join("c" if one else "u" for one in checked).split("c")]
        return cls(slot.name, len(slot), sum(checked), max(runs), runs[0])


def lights(grid: Grid) -> tuple[Light, ...]:
    """Return how well each entry is checked; empty if every square of every entry is checked."""
    found = tuple(Light.of(grid, slot) for slot in grid.slots)
    return found if any(light.longest_unches for light in found) else ()


def grid_statistics(
    grid: Grid,
    score_of: Callable[[str], int | None],
    repeated_stems: tuple[tuple[str, str], ...] = (),
    answers: Mapping[str, str] | None = None,
    alphabet: Alphabet = ENGLISH,
) -> GridStatistics:
    """Compute the figures of a grid; `score_of` returns a word's score, or None if no list contains it.

    `answers` gives the entries' answers by name where they differ from what is entered.
    """
    contents = grid.contents.values()
    if answers is None:
        answers = {slot.name: answer for slot in grid.entries if (answer := grid.answer(slot)) is not None}
    scores = ListedScores.of(answers, score_of)
    lengths = [len(slot) for slot in grid.entries]
    figures = LayoutFigures.of(grid)
    return GridStatistics(
        height=grid.height,
        width=grid.width,
        entries=len(grid.entries),
        filled_entries=len(answers),
        blocks=figures.blocks,
        open_squares=sum(square.is_open for square in grid.squares),
        filled_squares=len(contents),
        rebus_squares=sum(map(alphabet.is_rebus, contents)),
        mean_length=sum(lengths) / len(lengths) if lengths else 0.0,
        letters=dict(sorted(Counter(letter for one in contents for letter in alphabet.units(one.across)).items())),
        mean_score=scores.mean,
        lowest_score=scores.lowest,
        lowest_entry=scores.lowest_entry,
        unlisted=tuple((name, answers[name]) for name, score in scores.scores.items() if score is None),
        three_letter_entries=figures.threes,
        cheaters=figures.cheaters,
        repeated_stems=repeated_stems,
    )
