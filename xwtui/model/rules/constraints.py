"""What rules come to for a fill: constraints as plain values, which the engine and the strategies can keep.

A constraint names contents, words and letters, never rows or bits: `engine/problem` lays it out for the search,
and `strategies/whole_grid` judges a full grid by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from xwtui.model.square import Content


@dataclass(frozen=True)
class NewSquares:
    """A cardinality of squares: so many of those that the filler decides on hold one of some rebus contents."""

    contents: tuple[Content, ...]
    least: int
    most: int
    each: bool = False
    """Whether every content is there at least once."""
    symmetric: bool = False
    """Whether a square holds one only if its mirrors do."""


@dataclass(frozen=True)
class LettersPresent:
    """Cardinalities of squares: each letter stands somewhere in the grid."""

    letters: str


@dataclass(frozen=True)
class WordsPresent:
    """A cardinality of answers: at least so many of some words stand in the grid, each counted once."""

    words: tuple[str, ...]
    least: int
    name: str
    """What they are, for one: `wanted word`."""


@dataclass(frozen=True)
class TagAtMost:
    """A cardinality of answers: at most so many bear a tag of the word lists."""

    tag: str
    most: int


@dataclass(frozen=True)
class RunsDiffer:
    """All different: no two answers share so many letters in a row."""

    length: int


@dataclass(frozen=True)
class StemsDiffer:
    """All different: no two answers share a stem; the words of a group have one stem in common."""

    groups: tuple[frozenset[str], ...] = ()


Constraint: TypeAlias = NewSquares | LettersPresent | WordsPresent | TagAtMost | RunsDiffer | StemsDiffer
