"""What a task comes to: fills or designs that it has found, figures, and why there is nothing else."""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from xwtui.batch.tasks import canonical
from xwtui.formats.grid_text import contents_in
from xwtui.model import Content, Position

_OLD_FIELD = "score"
"""A field, always empty, of finds in files of earlier versions."""


class TaskState(enum.Enum):
    """How a task ended; the value is its name in JSON and in the store."""

    FOUND = "found"
    """A fill, designs, a count, a race that was settled with a fill."""
    IMPOSSIBLE = "impossible"
    """Proved: there is none."""
    UNKNOWN = "unknown"
    """The time was up."""
    REFUSED = "refused"
    """The task cannot be taken on; the reason says why."""
    CRASHED = "crashed"
    FOUL = "foul"
    """What was found does not stand before the judge, or a proof is refuted by what another has found."""
    STOPPED = "stopped"
    """It was ended before it was over: it is done again when the batch goes on."""

    @property
    def is_kept(self) -> bool:
        """Whether the task is over with this."""
        return self is not TaskState.STOPPED


@dataclass(frozen=True)
class Find:
    """A whole grid that a task has found; scores, figures and `layout` are those of the judge."""

    rows: tuple[str, ...]
    """The grid with its fill, as grid text."""
    grid: tuple[str, ...] = ()
    """Of a design: the grid with the theme answers alone."""
    themers: Mapping[str, str] = field(default_factory=dict)
    """Of a design: the theme answer of each entry that has one."""
    mean_score: float | None = None
    lowest_score: int | None = None
    words: int = 0
    blocks: int = 0
    layout: str = ""
    """The hash of its blocks, the same for a layout that is mirrored or turned."""

    @property
    def squares(self) -> Mapping[Position, Content]:
        """What each square of the fill holds; raises PuzzleFormatError where the rows are no grid."""
        return contents_in(self.rows)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Find:
        """The find that JSON holds; raises KeyError or TypeError where that is none."""
        known = {name: value for name, value in values.items() if name != _OLD_FIELD}
        return cls(**{**known, "rows": tuple(values["rows"]), "grid": tuple(values["grid"])})


@dataclass(frozen=True)
class TaskResult:
    """How the task of a name ended."""

    name: str
    state: TaskState
    finds: tuple[Find, ...] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)
    """What only one kind of task has: nodes of a search, the estimate of a count, a run of a race."""
    reason: str = ""
    seconds: float = 0.0
    """What the work took, loading not counted."""
    worker: str = ""
    """Which process did it, as `host:pid`."""

    def to_bytes(self) -> bytes:
        """The result as it travels: JSON."""
        values = asdict(self)
        values["state"] = self.state.value
        return canonical(values).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> TaskResult:
        """The result that `to_bytes` wrote."""
        values = json.loads(data)
        finds = tuple(map(Find.of, values.pop("finds")))
        return cls(state=TaskState(values.pop("state")), finds=finds, **values)
