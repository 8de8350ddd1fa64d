"""What is told while the engine is made ready."""

from __future__ import annotations

import enum

from xwtui.dataclasses import dataclass
from xwtui.worded import Worded

ENGINE_THREAD = "engine"
"""The name of the thread that loads or compiles the engine."""


class EnginePart(enum.Enum):
    """A part of the engine that is made ready by itself; the value names its files in the cache."""

    SEARCH = "search"
    COUNTING = "counting"
    IMPROVING = "improving"
    """With the rules for the whole grid."""
    DRAWING = "drawing"
    """Of layouts."""


class LoadingStage(enum.Enum):
    """What is being done to a part."""

    LOADING = "loading"
    COMPILING = "compiling"
    WAITING = "waiting"
    """For another process that compiles it."""


@dataclass(frozen=True)
class LoadingStep(Worded):
    """A part of the engine, and what is being done to it."""

    part: EnginePart
    stage: LoadingStage = LoadingStage.LOADING
    is_kept: bool = False
    """Whether what is compiled will be there at the next start."""
    seconds: float | None = None
    """How long it takes so far, where that is told."""
    number: int = 0
    """Which one it is of the `parts` that are made ready one after another, from 1 on; 0 for one by itself."""
    parts: int = 0

    @property
    def is_compiling(self) -> bool:
        """Whether it is being compiled, by this process or another one: that takes its time."""
        return self.stage is not LoadingStage.LOADING
