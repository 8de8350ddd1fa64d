"""What is told while the engine is made ready."""

from __future__ import annotations

import enum
from typing import NamedTuple

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


_NAMES = {
    EnginePart.SEARCH: ("fill engine", "engine"),
    EnginePart.COUNTING: ("counter of fills", "counter"),
    EnginePart.IMPROVING: ("improver and the rules", "improver"),
    EnginePart.DRAWING: ("drawing of layouts", "layouts"),
}
"""Each in full, and where there is little room."""


class LoadingStep(NamedTuple):
    """A part of the engine, and what is being done to it."""

    part: EnginePart
    stage: LoadingStage = LoadingStage.LOADING
    is_kept: bool = False
    """Whether what is compiled will be there at the next start."""
    seconds: float | None = None
    """How long it takes so far, where that is told."""

    @property
    def is_compiling(self) -> bool:
        """Whether it is being compiled, by this process or another one: that takes its time."""
        return self.stage is not LoadingStage.LOADING

    def __str__(self) -> str:
        """The step in words that may be shown as they are."""
        what, _ = _NAMES[self.part]
        doing = f"{self.stage.value} the {what}"
        if self.stage is LoadingStage.WAITING:
            doing = f"waiting for another xwtui that compiles the {what}"
        once = ", once on this machine" if self.is_kept else ""
        return f"{doing}{once}{self._passed}"

    @property
    def brief(self) -> str:
        """The same where there is little room, whichever process compiles."""
        doing = LoadingStage.COMPILING if self.is_compiling else self.stage
        return f"{doing.value} {_NAMES[self.part][1]}{self._passed}"

    @property
    def _passed(self) -> str:
        return "" if self.seconds is None else f": {self.seconds:.0f} s"
