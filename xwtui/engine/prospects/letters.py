"""The letters that squares can still take: how the fills share them, and where only one is left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xwtui.engine.counting.belief import Beliefs
from xwtui.model import Content, Position


@dataclass(frozen=True)
class LetterTable:
    """What the squares of entries can still hold that are not given; empty where provably nothing fits."""

    shares: Mapping[Position, Mapping[Content, float]]
    """By square, the estimated share of all fills, 0 to 1, that have each content there, greatest first."""
    forced: Mapping[Position, Content]
    """The squares that propagation leaves a single content, which every fill has there."""


def letter_table(beliefs: Beliefs) -> LetterTable:
    """The letters of all squares; some 20 microseconds a square."""
    problem = beliefs.problem
    if not problem.root.is_possible:
        return LetterTable({}, {})
    given, content_of = problem.task.given, problem.symbols.content_of_mask
    masks = zip(problem.positions, problem.masks(problem.root.state), strict=False)
    free = [(square, at, mask) for square, (at, mask) in enumerate(masks) if at not in given]
    return LetterTable(
        shares={at: beliefs.square_shares(square) for square, at, _ in free},
        forced={at: content_of[mask] for _, at, mask in free if mask in content_of},
    )
