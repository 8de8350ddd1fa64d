"""How a batch stands, as values: for progress while it runs, and for whoever looks at its file."""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from xwtui.batch.results import Find, TaskState
from xwtui.batch.tasks import BatchKind


@dataclass(frozen=True)
class BatchView:
    """How many tasks there are, and how those ended that are over."""

    kind: BatchKind
    tasks: int
    subjects: int
    states: Mapping[TaskState, int]
    finds: int = 0
    """Fills or designs."""
    layouts: int = 0
    """How many of them differ in their blocks."""
    seconds: float = 0.0
    """What the work took, added up over all processes."""

    @property
    def done(self) -> int:
        """Tasks that are over."""
        return sum(self.states.values())

    @property
    def is_over(self) -> bool:
        """Whether all are."""
        return self.done >= self.tasks


@dataclass(frozen=True)
class SubjectView:
    """How the tasks about one subject stand."""

    title: str
    tasks: int
    states: Mapping[TaskState, int]
    best_mean: float | None
    best_lowest: int | None
    figures: tuple[Mapping[str, Any], ...] = ()
    """Those of each of its results."""

    @property
    def done(self) -> int:
        """Tasks that are over."""
        return sum(self.states.values())


@dataclass(frozen=True)
class RankedFind:
    """A find with what it is of."""

    title: str
    document: str = field(repr=False)
    """The whole puzzle that it fills, as ipuz; empty for a design."""
    seed: int
    find: Find

    @classmethod
    def read(cls, title: object, document: object, seed: object, text: object) -> Self:
        """The find from the columns of its row; raises ValueError, KeyError or TypeError for a damaged one."""
        if not (isinstance(title, str) and isinstance(document, str) and isinstance(seed, int)):
            raise TypeError("a column holds another kind of value")
        values = json.loads(str(text))
        return cls(title, document, seed, Find.of(values))


class Phase(enum.Enum):
    """What a batch is at; the value says it in a word or two."""

    STARTING = "starting workers"
    SENDING = "sending words, loading the engine"
    RUNNING = "running"
    RECONNECTING = "waiting for the scheduler"
    STOPPING = "stopping"


@dataclass(frozen=True)
class BatchProgress:
    """A batch that runs."""

    phase: Phase
    view: BatchView
    new: int = 0
    """Results that came since it was begun."""
    running: int = 0
    """Tasks that are handed out."""
    workers: int = 0
    seconds: float = 0.0
    """Since the first task was handed out."""
    bytes_sent: int = 0
    bytes_received: int = 0
    """Of tasks and results; words are sent once and not counted here."""
    lost: int = 0
    """How often a task lost its worker."""
    gave_up: int = 0
    """Tasks that lost it so often that they are left for another run."""

    @property
    def rate(self) -> float:
        """Results a second."""
        return self.new / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes at this rate; None while there is none."""
        return (self.view.tasks - self.view.done) / self.rate if self.rate > 0 else None
