"""What is raced: the task that all share, who starts with which seeds, for how long, on how many cores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from xwtui.errors import EngineError
from xwtui.model import Position, Puzzle
from xwtui.racing import DEFAULT_SECONDS, MOST_ENTRANTS
from xwtui.strategies import DEFAULT_STRATEGY
from xwtui.strategies.registry import STRATEGIES, StrategyChoice

if TYPE_CHECKING:
    from xwtui.engine.problem.task import Task
    from xwtui.words.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class RaceTask:
    """One grid with its words and rules, the same for every run; it can be sent to another process."""

    puzzle: Puzzle
    vocabulary: Vocabulary
    engine_task: Task
    """What the puzzle asks with these words."""

    @cached_property
    def squares(self) -> frozenset[Position]:
        """The squares that entries have, which is what a fill must fill."""
        return frozenset(at for slot in self.engine_task.grid.slots for at in slot.positions)


class RaceStart(NamedTuple):
    """One run: an entrant with a seed."""

    entrant: StrategyChoice
    seed: int


@dataclass(frozen=True)
class RaceOrder:
    """Every entrant runs once with every seed, for so many seconds of its own processor time each."""

    entrants: tuple[StrategyChoice, ...]
    seeds: tuple[int, ...]
    seconds: float = DEFAULT_SECONDS
    cores: int = 1

    @property
    def starts(self) -> tuple[RaceStart, ...]:
        """All runs, seed after seed, so that what is seen early is about all entrants."""
        return tuple(RaceStart(entrant, seed) for seed in self.seeds for entrant in self.entrants)


def read_entrants(texts: Iterable[str]) -> tuple[StrategyChoice, ...]:
    """Read entrants, several in a text with commas between them; every strategy if none is named.

    A comma goes on with an entrant's options where `name=value` follows:
    `xwtui,emogic-letters:walk=snake,supply=chain` are two. Raises EngineError for what cannot be
    read, and where there are too many.
    """
    named = [entrant for text in texts for entrant in _split(text)]
    if not named or [name.lower() for name in named] == ["all"]:
        named = list(STRATEGIES)
    choices = [StrategyChoice.parse(name) for name in named]
    entrants = tuple({str(choice): choice for choice in choices}.values())
    if len(entrants) > MOST_ENTRANTS:
        raise EngineError(f"{len(entrants)} strategies are too many for one race; {MOST_ENTRANTS} may start")
    return entrants


def seeds_from(first: int, count: int) -> tuple[int, ...]:
    """So many seeds, one after the other."""
    return tuple(range(first, first + count))


def _split(text: str) -> Iterator[str]:
    """The entrants of a text."""
    parts: list[str] = []
    for part in text.split(","):
        if parts and "=" in part and ":" not in part:
            parts[-1] = f"{parts[-1]},{part}"
        elif part.strip():
            parts.append(part)
    yield from parts


def load_words(task: RaceTask) -> None:
    """Make the tables of the words that the entries may take, before a clock runs."""
    asked = task.engine_task
    lengths = {len(slot) for slot in asked.grid.slots}
    for lexicon in (asked.lexicon, *asked.own_lists.values()):
        for length in lexicon.lengths:
            if length in lengths:
                lexicon.table(length)


def need_engine(entrants: Iterable[StrategyChoice]) -> bool:
    """Whether any entrant is one of the engine."""
    return any(entrant.name == DEFAULT_STRATEGY for entrant in entrants)


def load_engines(
    task: RaceTask, entrants: Iterable[StrategyChoice], progress: Callable[[str], None] = lambda _: None
) -> None:
    """Load the engine, if any entrant is one of it; compiles it where that has not been done on this machine."""
    if need_engine(entrants):
        from xwtui.engine.warmup import warm_up  # noqa: PLC0415  (loads numba)

        warm_up(lambda step: progress(str(step)), counting=False, improving=task.engine_task.rules.is_about_grid)
