"""The interface of pools, which run a batch's tasks in processes anywhere: bytes in, bytes out."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from xwtui import plugins
from xwtui.dataclasses import dataclass
from xwtui.errors import BatchError, BatchRefusal
from xwtui.lazy import lazy_imports

with lazy_imports():
    from xwtui.batch.packed_words import PackedWords
    from xwtui.batch.tasks import BatchKind


class Loss(enum.Enum):
    """Why a task came back without a result; it must be submitted again."""

    WORKER = "worker"
    """The process running it was lost, possibly because of the task itself."""
    SCHEDULER = "scheduler"
    """The scheduler was lost, and with it all outstanding tasks."""
    WORDS = "words"
    """The process did not have the words; the pool has sent them again."""


@dataclass(frozen=True)
class Arrival:
    """A task that came back, with its result or lost."""

    name: str
    data: bytes = b""
    loss: Loss | None = None
    reason: str = ""
    """What is known about a loss."""


class LeftOut(NamedTuple):
    """A process that gets no tasks because it has another version of xwtui, or none."""

    worker: str
    """Its address."""
    version: str
    """Its version of xwtui; empty if it has none."""

    @property
    def words(self) -> str:
        return f"{self.worker} has {f'xwtui {self.version}' if self.version else 'no xwtui'}"


DASK = "dask"
_OWN = {DASK: "xwtui.batch.dask_pool:DaskPool"}
"""The module and class of each built-in pool, by the scheme of its addresses; add new ones here."""


def other_pools() -> str:
    """Return an addition to the help of scheduler options that names other pools; empty if there are none."""
    others = ", ".join(f"{name}://" for name in plugins.targets(plugins.POOLS, _OWN) if name != DASK)
    return f"; other pools: {others}" if others else ""


def pool_name(address: str | None) -> str:
    """Return the pool of an address: the one named by a scheme such as `name://`, or Dask."""
    scheme, sign, _ = (address or "").partition("://")
    return scheme if sign and scheme in plugins.targets(plugins.POOLS, _OWN) else DASK


def open_pool(kind: BatchKind, *, address: str | None = None, **options: Any) -> Any:
    """Return the pool for an address and a kind of batch, as a context manager.

    Other packages publish pools under `xwtui.pools`, called like `DaskPool`. Raises BatchError if the pool cannot
    be loaded or started.
    """
    name = pool_name(address)
    try:
        found = plugins.load(plugins.targets(plugins.POOLS, _OWN)[name])
    except (Exception, SystemExit) as error:
        raise BatchError(BatchRefusal.NO_SCHEDULER, f"the pool {name} cannot be loaded: {error}") from error
    return found(kind, address=address, **options)


class Pool(Protocol):
    """Processes that run tasks, one at a time each."""

    @property
    def workers(self) -> int: ...

    @property
    def is_connected(self) -> bool:
        """Whether tasks can be submitted; False while waiting for a lost scheduler."""

    def give_words(self, words: Sequence[PackedWords]) -> None:
        """Give words to all processes, now and later ones, and have them load the engine.

        Returns once the present processes are ready. Raises BatchError if they cannot be made ready.
        """

    def submit(self, name: str, data: bytes) -> None: ...

    def arrivals(self, seconds: float) -> Sequence[Arrival]:
        """Return what came back, waiting up to `seconds` for the first; raises BatchError if no more can come."""

    def stop(self) -> None:
        """Make outstanding tasks end soon; their results still arrive."""
