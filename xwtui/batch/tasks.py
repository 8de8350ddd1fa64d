"""The tasks of a batch, each named by the hash of all that it depends on, and what each comes to."""

from __future__ import annotations

import enum
import hashlib
import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import msgspec

from xwtui.dataclasses import asdict, dataclass, field
from xwtui.formats.grid_text import contents_in
from xwtui.model import Content, Position

FORM = 2
"""Part of every name: rises when the same task would be done otherwise."""

_DIGEST_BYTES = 16


class BatchKind(enum.Enum):
    """What tasks do; the value is the name of the command that begins a batch of them, where there is one."""

    FILL = "fill"
    DESIGN = "design"
    RACE = "race"
    COUNT = "count"
    IMPROVE = "improve"
    """A slice of an improvement that many processes share: no batch is made of these."""

    @property
    def is_about_puzzles(self) -> bool:
        return self is not BatchKind.DESIGN


def digest_of(text: str) -> str:
    """A hash of a text, in hex."""
    return hashlib.blake2b(text.encode(), digest_size=_DIGEST_BYTES).hexdigest()


def canonical(value: object) -> str:
    """Plain data as JSON, the same text for the same data."""
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True)
class Subject:
    """What tasks with any number of seeds are about."""

    title: str
    """What people call it: the name of its file."""
    asked: str
    """All that a task depends on, as text: `subjects` writes and reads it."""
    vocabulary: str
    """The digest of its words."""
    document: str = ""
    """The whole puzzle as ipuz, with its title and clues; empty for theme answers."""

    @cached_property
    def digest(self) -> str:
        """Tells subjects apart: the same layout, rules and words are the same subject."""
        return digest_of(canonical([self.asked, self.vocabulary]))


@dataclass(frozen=True)
class TaskSettings:
    """What a task is told beside its subject and seed."""

    seconds: float
    """How long it may search; loading is not counted."""
    allow_repeats: bool = False
    entrant: str = ""
    """Of a race: the strategy with its options."""
    count: int = 1
    """Of a design: how many it keeps."""
    first: bool = False
    """Of a fill: whether the first words that are found are enough."""


@dataclass(frozen=True)
class BatchTask:
    """One task, whole but for its words, which travel once and are known by their digest."""

    kind: BatchKind
    asked: str
    vocabulary: str
    seed: int
    settings: TaskSettings

    @cached_property
    def name(self) -> str:
        """The hash of all that it depends on, in hex."""
        return self._name_in(FORM, asdict(self.settings))

    def is_of_earlier_form(self, name: str, settings: Mapping[str, Any]) -> bool:
        """Whether an earlier xwtui gave it this name, which knew these settings."""
        return any(name == self._name_in(form, settings) for form in range(1, FORM))

    def _name_in(self, form: int, settings: Mapping[str, Any]) -> str:
        return digest_of(canonical([form, {**asdict(self), "settings": settings}]))

    def to_bytes(self) -> bytes:
        """The task as it travels: JSON."""
        return canonical(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> BatchTask:
        values = json.loads(data)
        settings = TaskSettings(**values.pop("settings"))  # 30 seconds stay whole, as in the name
        return cls(BatchKind(values.pop("kind")), settings=settings, **values)


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
        return msgspec.convert(values, cls)


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
        return canonical(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> TaskResult:
        return msgspec.json.decode(data, type=cls)
