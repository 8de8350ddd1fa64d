"""Search settings: restarts, branching and all switches, and the settings of a portfolio's workers.

The value of each enum member is the word that selects it, as in `--strategy xwtui:restart=luby`.
"""

from __future__ import annotations

import enum

from xwtui.dataclasses import dataclass
from xwtui.lazy import lazy_imports

with lazy_imports():
    import numpy as np
    from numpy.typing import NDArray

    from xwtui.engine.kernels.search import decisions as deciding


class Restarts(enum.StrEnum):
    """The restart policy."""

    GEOMETRIC = "geometric"
    """Each run is longer than the last by a factor."""
    LUBY = "luby"
    """Runs of 1, 1, 2, 1, 1, 2, 4, ... times the first."""
    NESTED = "nested"
    """Runs grow up to a bound, which then grows."""


class Branching(enum.StrEnum):
    """What a search branches on."""

    IN_TURNS = "turns"
    """Entries, after a while squares for as many backtracks as there have been, then entries again."""
    ON_WORDS = "words"
    """An entry and its word."""
    ON_SQUARES = "squares"
    """A square and its letter."""
    SQUARES_AT_LAST = "squares-at-last"
    """Entries, after a while only squares, without restarts, so that a proof can finish."""


@dataclass(frozen=True)
class SearchSettings:
    """The settings of a search; the design: words by support, score and noise, and restarts."""

    noise: float = 0.2
    """Share of Gumbel noise in a word's weight."""
    score_weight: float = 0.2
    """Worth of a point of score, in units of the natural logarithm of support."""
    score_patience: int = 30
    """Backtracks after which a point of score is worth half."""
    first_run: int | None = None
    """Length of the very first run, in backtracks, if not `first_restart`."""
    first_restart: int = 400
    """Initial length of a run between restarts, in backtracks."""
    restart_growth: float = 1.15
    """Factor by which the search runs longer after each restart."""
    branching: Branching = Branching.IN_TURNS
    first_turn: int = 30_000
    """Backtracks on words before the squares' first turn, if they get turns."""
    fading: float = 0.01
    """Share of all crossing weights that each dead end takes away."""
    shared_blame: bool = True
    """Whether all crossings that together emptied an entry are blamed, or only the last one."""
    last_conflict: bool = True
    """Whether a square that failed is decided before any other."""
    loyalty: float = 2.0
    """Factor by which another entry must be better to replace the one just refuted; 1 for no preference."""
    restarts: Restarts = Restarts.GEOMETRIC
    backjump: bool = True
    """Whether a dead end jumps back over decisions that it does not depend on."""

    breadth: int = 2
    """Number of refuted options at a decision after which one more failure abandons the decision; 0 for no limit.

    Applies from the first restart on, and grows.
    """
    fullest_first: bool = True
    """Whether an entry, from the first restart on, tries its word of the fullest partial fill first."""

    @property
    def is_exhaustive(self) -> bool:
        """Whether every refuted option has been searched completely: no restarts or jumps skip part of it."""
        return self.first_restart >= NEVER and not self.backjump

    def as_array(self) -> NDArray[np.int64]:
        """Return the settings as the kernels read them."""
        policies = {
            Restarts.GEOMETRIC: deciding.GEOMETRIC,
            Restarts.LUBY: deciding.LUBY,
            Restarts.NESTED: deciding.NESTED,
        }
        branchings = {
            Branching.IN_TURNS: deciding.IN_TURNS,
            Branching.ON_WORDS: deciding.ON_WORDS,
            Branching.ON_SQUARES: deciding.ON_SQUARES,
            Branching.SQUARES_AT_LAST: deciding.SQUARES_AT_LAST,
        }
        settings = np.zeros(deciding.SETTINGS_SIZE, np.int64)
        settings[deciding.NOISE] = round(self.noise * deciding.UNIT)
        settings[deciding.SCORE_WEIGHT] = round(self.score_weight * deciding.UNIT)
        settings[deciding.SCORE_PATIENCE] = self.score_patience
        settings[deciding.FIRST_STRIDE] = self.first_restart
        settings[deciding.STRIDE_GROWTH] = round(self.restart_growth * 1000)
        settings[deciding.FIRST_TURN] = self.first_turn
        settings[deciding.BRANCHING] = branchings[self.branching]
        settings[deciding.FADING] = round(self.fading * deciding.UNIT)
        settings[deciding.SHARED_BLAME] = self.shared_blame
        settings[deciding.LAST_CONFLICT] = self.last_conflict
        settings[deciding.LOYALTY] = round(self.loyalty * deciding.UNIT)
        settings[deciding.BACKJUMP] = self.backjump
        settings[deciding.FIRST_BREADTH] = self.breadth
        settings[deciding.FULLEST_FIRST] = self.fullest_first
        settings[deciding.RESTART_POLICY] = policies[self.restarts]
        return settings


NEVER = 1 << 60
"""A first restart that never comes: the kernels' NO_RESTART."""

WORKERS = (
    SearchSettings(first_run=100),
    SearchSettings(branching=Branching.SQUARES_AT_LAST, first_restart=100, first_turn=10_000),
    SearchSettings(noise=1.0, first_restart=100, restart_growth=1.2),
    SearchSettings(branching=Branching.ON_WORDS, noise=0.5),
    SearchSettings(branching=Branching.ON_SQUARES, noise=0.5, first_restart=2000, restart_growth=1.5),
)
"""The settings of a portfolio's workers, used cyclically.

The first is that of a single search. The second ends up branching on squares without restarts, so that a proof can
finish. With two threads, the fourth joins the second thread when no proof is near, and branches only on entries.
"""
