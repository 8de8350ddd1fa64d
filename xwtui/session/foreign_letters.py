"""What is said of letters that stand in a grid and that the alphabet of the puzzle lacks."""

from __future__ import annotations

from xwtui.model import Puzzle
from xwtui.model.alphabet import ENGLISH
from xwtui.text import first_named


def foreign_words(puzzle: Puzzle) -> str:
    """Which squares hold letters of other alphabets: they stay, but no listed word has them; empty for none."""
    grid, alphabet = puzzle.grid, puzzle.alphabet
    foreign = [
        f"{at} {square.content}"
        for at, square in zip(grid.positions(), grid.squares, strict=True)
        if square.content is not None and alphabet.lacks(square.content.across + square.content.down)
    ]
    if not foreign:
        return ""
    others = "; `alphabet` shows others that may have them" if alphabet == ENGLISH else ""
    return f"{alphabet.title} lacks letters that stand in the grid: {first_named(foreign)}{others}"
