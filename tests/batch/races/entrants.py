"""Small races for tests, and misbehaving entrants, within one process."""

import random
from collections.abc import Iterator, Mapping

import pytest

from xwtui.batch.races.task import RaceOrder, RaceStart, RaceTask, read_entrants
from xwtui.engine.events.event import Decision, Event, EventKind
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.model import Content, Grid, Position
from xwtui.strategies import registry
from xwtui.strategies.protocol import OptionValues, Strategy
from xwtui.strategies.registry import StrategyChoice
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList


class Misbehaving(Strategy):
    """Decides forever; its subclasses do worse."""

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
    """Refuses a task, with a reason, when its first event is requested."""

    name = "refusing"

    def search(self) -> Iterator[Event]:
        raise EngineError("only grids without squares")
        yield Event(EventKind.DECIDE, 1)


class Crashing(Misbehaving):
    """Crashes at its third decision."""

    name = "crashing"

    def search(self) -> Iterator[Event]:
        for _ in range(2):
            yield Event(EventKind.DECIDE, 1, "1A", "ABC")
        raise RuntimeError("out of ideas")


class Dazzling(Misbehaving):
    """Crashes when it is viewed."""

    name = "dazzling"

    @property
    def squares(self) -> Mapping[Position, Content]:
        raise KeyError("no board")


class Cheating(Misbehaving):
    """Claims an incomplete grid to be filled."""

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
    """Return a start of a strategy, registering its name."""
    monkeypatch.setitem(registry.STRATEGIES, strategy.name, strategy)
    return RaceStart(StrategyChoice(strategy.name, OptionValues({})), seed)


WORDS = {"ABC": 50, "DEF": 60, "GHI": 70, "ADG": 80, "BEH": 40, "CFI": 30, "ABX": 20, "CAB": 10}
"""The only fills of a blank 3x3 with these are ABC/DEF/GHI and its transpose."""
BLANK = "...\n...\n..."


def endless_task() -> RaceTask:
    """Return a blank 12x12 with 3,800 random words: most likely no fill, and no search will ever prove it.

    With N words of S letters from an alphabet of K, a fill is expected from N = K^(S/2) on, 4,096 here.
    """
    chance = random.Random(1)
    words = {"".join(chance.choices("ABCD", k=12)): 50 for _ in range(3800)}
    return task_of("\n".join(["." * 12] * 12), words)


def task_of(text: str = BLANK, words: Mapping[str, int] = WORDS, *, allow_repeats: bool = False) -> RaceTask:
    return task_of_grid(grid_from_text(text), words, allow_repeats=allow_repeats)


def task_of_grid(grid: Grid, words: Mapping[str, int], *, allow_repeats: bool = False) -> RaceTask:
    lexicon = Lexicon.build([WordList.from_scores("test", words)])
    return RaceTask(puzzle_of_grid(grid), Task(grid, lexicon, allow_repeats))


def order_of(*entrants: str, seeds: int = 1, seconds: float = 600.0, cores: int = 1) -> RaceOrder:
    return RaceOrder(read_entrants(entrants), tuple(range(seeds)), seconds, cores)
