"""The tasks of a batch, each named by the hash of everything it depends on, and their results."""

from __future__ import annotations

import enum
import hashlib
import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import msgspec

from xwtui.dataclasses import asdict, dataclass, field
from xwtui.engine.events.event import Outcome
from xwtui.formats.grid_text import contents_in
from xwtui.model import Content, Position

FORM = 2
"""Part of every name; increased when the same task would be done differently."""

_DIGEST_BYTES = 16


class BatchKind(enum.Enum):
    """What tasks do; the value is the name of the command that starts such a batch, if there is one."""

    FILL = "fill"
    DESIGN = "design"
    RACE = "race"
    COUNT = "count"
    IMPROVE = "improve"
    """A slice of an improvement shared by many processes; no batch consists of these."""

    @property
    def is_about_puzzles(self) -> bool:
        return self is not BatchKind.DESIGN


def digest_of(text: str) -> str:
    """Return a hash of a text, in hex."""
    return hashlib.blake2b(text.encode(), digest_size=_DIGEST_BYTES).hexdigest()


def canonical(value: object) -> str:
    """Return plain data as canonical JSON: the same text for the same data."""
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True)
class Subject:
    """What tasks are about, independent of their seeds."""

    title: str
    """What people call it: the name of its file."""
    asked: str
    """Everything a task depends on, as text, written and read by `subjects`."""
    vocabulary: str
    """The digest of its words."""
    document: str = ""
    """The whole puzzle as ipuz, with its title and clues; empty for theme answers."""

    @cached_property
    def digest(self) -> str:
        """Identifies subjects: the same layout, rules and words are the same subject."""
        return digest_of(canonical([self.asked, self.vocabulary]))


@dataclass(frozen=True)
class TaskSettings:
    """Settings of a task besides its subject and seed."""

    seconds: float
    """How long it may search, not counting loading."""
    allow_repeats: bool = False
    entrant: str = ""
    """For a race: the strategy with its options."""
    count: int = 1
    """For a design: how many to keep."""
    first: bool = False
    """For a fill: whether to stop at the first fill."""


@dataclass(frozen=True)
class BatchTask:
    """One task, complete except for its words, which are sent once and identified by their digest."""

    kind: BatchKind
    asked: str
    vocabulary: str
    seed: int
    settings: TaskSettings

    @cached_property
    def name(self) -> str:
        """The hash of everything it depends on, in hex."""
        return self._name_in(FORM, asdict(self.settings))

    def is_of_earlier_form(self, name: str, settings: Mapping[str, Any]) -> bool:
        """Whether an earlier xwtui gave it this name, with the settings known then."""
        return any(name == self._name_in(form, settings) for form in range(1, FORM))

    def _name_in(self, form: int, settings: Mapping[str, Any]) -> str:
        return digest_of(canonical([form, {**asdict(self), "settings": settings}]))

    def to_bytes(self) -> bytes:
        """Return the task as JSON for transfer."""
        return canonical(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> BatchTask:
        values = json.loads(data)
        settings = TaskSettings(**values.pop("settings"))  # keep integral seconds as integers, as in the name
        return cls(BatchKind(values.pop("kind")), settings=settings, **values)


class TaskState(enum.Enum):
    """How a task ended; the value is its name in JSON and in the store."""

    FOUND = "found"
    """A fill, designs, a count, or a race settled with a fill."""
    IMPOSSIBLE = "impossible"
    """Proved: there is none."""
    UNKNOWN = "unknown"
    """Out of time."""
    REFUSED = "refused"
    """The task cannot be run; the reason says why."""
    CRASHED = "crashed"
    INVALID = "foul"
    """The judge rejected the result, or another task's find refutes the proof."""
    STOPPED = "stopped"
    """Stopped before it was finished; it runs again when the batch is continued."""

    @property
    def is_kept(self) -> bool:
        return self is not TaskState.STOPPED


STATES = {
    Outcome.FILLED: TaskState.FOUND,
    Outcome.IMPOSSIBLE: TaskState.IMPOSSIBLE,
    Outcome.UNKNOWN: TaskState.UNKNOWN,
    Outcome.CANCELLED: TaskState.STOPPED,
}
"""How a task ended whose search had an outcome."""


@dataclass(frozen=True)
class Find:
    """A whole grid found by a task; scores, figures and `layout` come from the judge."""

    rows: tuple[str, ...]
    """The filled grid, as grid text."""
    grid: tuple[str, ...] = ()
    """For a design: the grid with only the theme answers."""
    themers: Mapping[str, str] = field(default_factory=dict)
    """For a design: the theme answer of each entry that has one."""
    mean_score: float | None = None
    lowest_score: int | None = None
    words: int = 0
    blocks: int = 0
    layout: str = ""
    """The hash of its blocks, invariant under mirroring and rotation."""

    @property
    def squares(self) -> Mapping[Position, Content]:
        """The content of each square of the fill; raises PuzzleFormatError if the rows are not a grid."""
        return contents_in(self.rows)


@dataclass(frozen=True)
class TaskResult:
    """How a task ended, by its name."""

    name: str
    state: TaskState
    finds: tuple[Find, ...] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)
    """Data specific to a kind of task: nodes of a search, the estimate of a count, a run of a race."""
    reason: str = ""
    seconds: float = 0.0
    """Time worked, not counting loading."""
    worker: str = ""
    """The process that ran it, as `host:pid`."""

    def to_bytes(self) -> bytes:
        """Return the result as JSON for transfer."""
        return canonical(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> TaskResult:
        return msgspec.json.decode(data, type=cls)
