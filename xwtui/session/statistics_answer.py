"""The figures of a grid as an answer: what it counts up to, how well its entries are checked, repeated stems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xwtui.grids.profiles import counts_cheaters
from xwtui.model import Grid, Puzzle
from xwtui.model.alphabet import ENGLISH
from xwtui.model.statistics import GridStatistics, Light, lights
from xwtui.session.answers import VerbAnswer
from xwtui.session.wording import counted
from xwtui.text import first_named, printable

_MOST_NAMED = 30
_LONGEST_NAME = 60


def repeats_lines(statistics: GridStatistics, grid: Grid) -> list[str]:
    """A line that names the answers of repeated stems, where there are any; a remark, and no objection."""
    pairs = [
        " and ".join(f"{name} {grid.pattern(grid.entry(name))}" for name in pair)
        for pair in statistics.repeated_stems
    ]
    return [f"repeated stems: {first_named(pairs, _MOST_NAMED)}"] if pairs else []


def statistics_as_json(statistics: GridStatistics) -> dict[str, Any]:
    """The figures of a grid by their names."""
    return {
        "height": statistics.height,
        "width": statistics.width,
        "entries": statistics.entries,
        "filled_entries": statistics.filled_entries,
        "blocks": statistics.blocks,
        "open_squares": statistics.open_squares,
        "filled_squares": statistics.filled_squares,
        "rebus_squares": statistics.rebus_squares,
        "mean_length": statistics.mean_length,
        "letters": dict(statistics.letters),
        "mean_score": statistics.mean_score,
        "lowest_score": statistics.lowest_score,
        "unlisted": dict(statistics.unlisted),
        "three_letter_entries": statistics.three_letter_entries,
        "cheaters": statistics.cheaters,
        "repeated_stems": [list(pair) for pair in statistics.repeated_stems],
    }


@dataclass(frozen=True)
class StatisticsAnswer(VerbAnswer):
    """The figures of a grid."""

    statistics: GridStatistics
    puzzle: Puzzle
    has_words: bool
    """Whether the word lists were there to score the answers by."""
    each_light: bool = False
    """Whether each entry is told of, where not all squares are checked."""

    @property
    def lines(self) -> Sequence[str]:
        """The figures of the grid, then of the scores."""
        grid, name, alphabet = self.puzzle.grid, self.puzzle.profile, self.puzzle.alphabet
        checked = light_lines(grid, each=self.each_light)
        profile = [f"profile: {printable(name, _LONGEST_NAME)}"] if name else []
        letters = [] if alphabet == ENGLISH else [f"alphabet: {alphabet.title}, {alphabet.shown}"]
        scores, repeats = _score_lines(self.statistics, self.has_words), repeats_lines(self.statistics, grid)
        figures = _grid_lines(self.statistics, has_cheaters=counts_cheaters(name))
        return [*figures, *checked, *profile, *letters, *scores, *repeats]

    @property
    def as_json(self) -> dict[str, Any]:
        """The figures by name, with profile and alphabet; `lights` are the entries where not all are checked."""
        puzzle = self.puzzle
        named = {
            "profile": puzzle.profile or None,
            "lights": lights_as_json(puzzle.grid),
            "alphabet": puzzle.alphabet.name,
        }
        return {**statistics_as_json(self.statistics), **named}


def _grid_lines(figures: GridStatistics, *, has_cheaters: bool) -> list[str]:
    cheaters = f", {counted(figures.cheaters, 'cheater')}" if has_cheaters else ""
    letters = " ".join(f"{letter}{number}" for letter, number in figures.letters.items())
    return [
        f"grid: {figures.height}×{figures.width}, {figures.blocks} blocks, "
        f"{figures.rebus_squares} rebus squares{cheaters}",
        f"entries: {figures.entries}, filled: {figures.filled_entries}, mean length: {figures.mean_length:.2f}, "
        f"{figures.three_letter_entries} of three letters",
        f"squares: {figures.open_squares} open, {figures.filled_squares} filled",
        f"letters: {letters or 'none'}",
    ]


def _score_lines(figures: GridStatistics, is_loaded: bool) -> list[str]:
    if not is_loaded:
        return ["scores: the words are still being loaded"]
    if figures.mean_score is None:
        lines = ["scores: no finished entry is in the word list"]
    else:
        lines = [f"scores: mean {figures.mean_score:.1f}, lowest {figures.lowest_score}"]
    if figures.unlisted:
        answers = [f"{name} {answer}" for name, answer in figures.unlisted]
        lines.append(f"not in the list: {first_named(answers, _MOST_NAMED)}")
    return lines


def lights_as_json(grid: Grid) -> list[dict[str, Any]]:
    """How well each entry is checked, by names; none where all squares are."""
    return [light._asdict() for light in lights(grid)]


def light_lines(grid: Grid, *, each: bool) -> list[str]:
    """How well the entries of a grid are checked, in a line, or each of them in one; nothing where all are."""
    found = lights(grid)
    if not found:
        return []
    shares = [light.checked / light.length for light in found]
    lengths = [light.length for light in found]
    longest = max(light.longest_unches for light in found)
    line = (
        f"lights: {len(found)} of {min(lengths)} to {max(lengths)} squares, {100 * min(shares):.0f} to "
        f"{100 * max(shares):.0f} % checked, {longest} unchecked in a row at most"
    )
    return [line, *map(_light_line, found)] if each else [line]


def _light_line(light: Light) -> str:
    return (
        f"  {light.entry:>4}  {counted(light.length, 'square')}, {light.checked} checked "
        f"({100 * light.checked / light.length:.0f} %), {light.longest_unches} unchecked in a row"
    )
