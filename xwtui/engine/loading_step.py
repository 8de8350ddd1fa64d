"""Progress messages while the engine is prepared."""

from __future__ import annotations

import enum

from xwtui.dataclasses import dataclass
from xwtui.worded import Worded

ENGINE_THREAD = "engine"
"""The name of the thread that loads or compiles the engine."""


class EnginePart(enum.Enum):
    """A part of the engine that is prepared separately; the value names its files in the cache."""

    SEARCH = "search"
    COUNTING = "counting"
    IMPROVING = "improving"
    """Includes the rules for the whole grid."""
    DRAWING = "drawing"
    """Drawing of layouts."""


class LoadingStage(enum.Enum):
    """What is being done to a part."""

    LOADING = "loading"
    COMPILING = "compiling"
    WAITING = "waiting"
    """Waiting for another process that compiles it."""


@dataclass(frozen=True)
class LoadingStep(Worded):
    """A part of the engine, and what is being done to it."""

    part: EnginePart
    stage: LoadingStage = LoadingStage.LOADING
    is_kept: bool = False
    """Whether the compiled code will be available at the next start."""
    seconds: float | None = None
    """The time taken so far, if known."""
    number: int = 0
    """Which of the `parts` being prepared this is, counted from 1; 0 for one on its own."""
    parts: int = 0

    @property
    def is_compiling(self) -> bool:
        """Whether it is being compiled, by this process or another one, which takes a while."""
        return self.stage is not LoadingStage.LOADING
