"""How a search weighs words and when it restarts; a portfolio's workers differ in this."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.search_state import (
    FIRST_STRIDE,
    GUMBELS,
    LOGARITHMS,
    LONGEST_NOGOOD,
    NOISE,
    SCORE_PATIENCE,
    SCORE_WEIGHT,
    SETTINGS_SIZE,
    SQUARES_FIRST,
    STRIDE_GROWTH,
    UNIT,
)


@dataclass(frozen=True)
class Settings:
    """What steers a search; DESIGN: words by support, score and noise; restarts; nogoods."""

    noise: float = 0.2
    """Share of Gumbel noise in a word's weight."""
    score_weight: float = 0.2
    """What a point of score is worth in the natural logarithm of support."""
    score_patience: int = 30
    """Backtracks after which a point of score is worth half."""
    first_restart: int = 400
    """Backtracks before the first restart."""
    restart_growth: float = 1.15
    """How much longer the search goes on after each restart."""
    longest_nogood: int = 30
    """Literals of the longest nogood that is kept."""
    squares_first: bool = False
    """Whether a square of the chosen entry is decided, not the entry."""

    def as_array(self) -> NDArray[np.int64]:
        """The settings as the kernels read them."""
        settings = np.zeros(SETTINGS_SIZE, np.int64)
        settings[NOISE] = round(self.noise * UNIT)
        settings[SCORE_WEIGHT] = round(self.score_weight * UNIT)
        settings[SCORE_PATIENCE] = self.score_patience
        settings[FIRST_STRIDE] = self.first_restart
        settings[STRIDE_GROWTH] = round(self.restart_growth * 1000)
        settings[LONGEST_NOGOOD] = self.longest_nogood
        settings[SQUARES_FIRST] = self.squares_first
        return settings


WORKERS = (
    Settings(),
    Settings(noise=1.0, first_restart=100, restart_growth=1.2),
    Settings(noise=0.1, first_restart=1000, restart_growth=1.02),
    Settings(noise=0.5, score_weight=0.02, first_restart=2000, restart_growth=1.5),
)
"""The settings of a portfolio's workers, over and over; the first is that of a single search."""


def logarithm_table() -> NDArray[np.int64]:
    """Natural logarithms of whole numbers, fixed-point (that of 0 taken as 0)."""
    return np.array([round(math.log(max(number, 1)) * UNIT) for number in range(LOGARITHMS)], np.int64)


def gumbel_table() -> NDArray[np.int64]:
    """Equally likely values of a standard Gumbel variable, fixed-point."""
    chances = ((index + 0.5) / GUMBELS for index in range(GUMBELS))
    return np.array([round(-math.log(-math.log(chance)) * UNIT) for chance in chances], np.int64)
