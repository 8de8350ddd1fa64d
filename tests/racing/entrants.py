"""Entrants that misbehave, for races within one process."""

from collections.abc import Iterator, Mapping

import pytest

from xwtui.engine.events.event import Event, EventKind
from xwtui.errors import EngineError
from xwtui.model import Content, Position
from xwtui.racing.task import RaceStart
from xwtui.strategies import registry
from xwtui.strategies.protocol import Decision, OptionValues, Strategy
from xwtui.strategies.registry import StrategyChoice


class Misbehaving(Strategy):
    """Decides for ever; those below do worse."""

    name = "endless"
    summary = source = "a test"

    @property
    def is_complete(self) -> bool:
        return True

    @property
    def squares(self) -> Mapping[Position, Content]:
        return self.task.given

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return ()

    def search(self) -> Iterator[Event]:
        while True:
            yield Event(EventKind.DECIDE, 1, "1A", "ABC")


class Refusing(Misbehaving):
    """Takes no task on, and says why once it is asked for its first event."""

    name = "refusing"

    def search(self) -> Iterator[Event]:
        raise EngineError("only grids without squares")
        yield Event(EventKind.DECIDE, 1)


class Crashing(Misbehaving):
    """Breaks at its third decision."""

    name = "crashing"

    def search(self) -> Iterator[Event]:
        for _ in range(2):
            yield Event(EventKind.DECIDE, 1, "1A", "ABC")
        raise RuntimeError("out of ideas")


class Dazzling(Misbehaving):
    """Breaks when it is looked at."""

    name = "dazzling"

    @property
    def squares(self) -> Mapping[Position, Content]:
        raise KeyError("no board")


class Cheating(Misbehaving):
    """Calls a grid filled that is not."""

    name = "cheating"

    def search(self) -> Iterator[Event]:
        yield Event(EventKind.SOLVED, 1)


class Lying(Misbehaving):
    """Claims that there is no fill."""

    name = "lying"

    def search(self) -> Iterator[Event]:
        yield from ()


class GivingUp(Lying):
    """Ends, and claims nothing."""

    name = "giving-up"

    @property
    def is_complete(self) -> bool:
        return False


def start_of(strategy: type[Strategy], monkeypatch: pytest.MonkeyPatch, seed: int = 0) -> RaceStart:
    """A start of a strategy, that is known by its name from now on."""
    monkeypatch.setitem(registry.STRATEGIES, strategy.name, strategy)
    return RaceStart(StrategyChoice(strategy.name, OptionValues({})), seed)
