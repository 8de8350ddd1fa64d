"""What is to be raced: who starts, with which seeds, for how long, on how many cores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from xwtui.errors import EngineError
from xwtui.racing.limits import DEFAULT_SECONDS, MOST_ENTRANTS
from xwtui.strategies.registry import STRATEGIES, StrategyChoice


class Start(NamedTuple):
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
    def starts(self) -> tuple[Start, ...]:
        """All runs, seed after seed, so that what is seen early is about all entrants."""
        return tuple(Start(entrant, seed) for seed in self.seeds for entrant in self.entrants)


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
