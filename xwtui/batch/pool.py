"""What does the tasks of a batch, wherever its processes are: tasks go in as bytes, results come out as bytes."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any, Protocol

from xwtui import parts
from xwtui.dataclasses import dataclass
from xwtui.errors import BatchError, BatchRefusal
from xwtui.lazy import lazy_imports
from xwtui.named_tuples import NamedTuple

with lazy_imports():
    from xwtui.batch.packed_words import PackedWords
    from xwtui.batch.tasks import BatchKind


class Loss(enum.Enum):
    """Why a task has come back without a result; it is to be handed out again."""

    WORKER = "worker"
    """The process that did it was lost, which may be the task's own doing."""
    SCHEDULER = "scheduler"
    """All that was handed out is lost with the scheduler."""
    WORDS = "words"
    """The process that was to do it had no words any more; the pool has given them again."""


@dataclass(frozen=True)
class Arrival:
    """A task that came back: with its result, or lost."""

    name: str
    data: bytes = b""
    loss: Loss | None = None
    reason: str = ""
    """What is known of a loss."""


class LeftOut(NamedTuple):
    """A process that could do tasks, and is given none: it has another xwtui than this one, or none."""

    worker: str
    """Its address."""
    version: str
    """That of its xwtui; empty where it has none."""

    @property
    def words(self) -> str:
        return f"{self.worker} has {f'xwtui {self.version}' if self.version else 'no xwtui'}"


DASK = "dask"
_OWN = {DASK: "xwtui.batch.dask_pool:DaskPool"}
"""The module and the class of each pool of ours, by the scheme of its addresses: a new one is a line here."""


def other_pools() -> str:
    """What the help of an option that asks for a scheduler adds where Dask's pool is not the only one."""
    others = ", ".join(f"{name}://" for name in parts.targets(parts.POOLS, _OWN) if name != DASK)
    return f"; other pools: {others}" if others else ""


def pool_name(address: str | None) -> str:
    """The pool that an address is of: that which a scheme like `name://` names, or Dask."""
    scheme, sign, _ = (address or "").partition("://")
    return scheme if sign and scheme in parts.targets(parts.POOLS, _OWN) else DASK


def open_pool(kind: BatchKind, *, address: str | None = None, **options: Any) -> Any:
    """The pool of an address for batches of a kind, to be used in `with`.

    Other packages publish pools under `xwtui.pools`; each is called as `DaskPool` is. Raises BatchError where one
    cannot be loaded or begun.
    """
    name = pool_name(address)
    try:
        found = parts.load(parts.targets(parts.POOLS, _OWN)[name])
    except (Exception, SystemExit) as error:
        raise BatchError(BatchRefusal.NO_SCHEDULER, f"the pool {name} cannot be loaded: {error}") from error
    return found(kind, address=address, **options)


class Pool(Protocol):
    """Processes that do tasks, one at a time each."""

    @property
    def workers(self) -> int: ...

    @property
    def is_connected(self) -> bool:
        """Whether tasks can be handed out; False while a lost scheduler is waited for."""

    def give_words(self, words: Sequence[PackedWords]) -> None:
        """Give words to all processes, and to those that come later; they load the engine, too.

        Returns once those that are there are ready. Raises BatchError where they cannot be.
        """

    def submit(self, name: str, data: bytes) -> None: ...

    def arrivals(self, seconds: float) -> Sequence[Arrival]:
        """What has come back; waits so long for the first one. Raises BatchError where no more can come."""

    def stop(self) -> None:
        """Let the tasks that are handed out end soon; what they come to still arrives."""
