"""Runs of strategies on templates over twenty seeds, and tables of them: what the figures are measured with.

Nodes and letters are the same on every machine; seconds are the processor's, of the machine of that run.
"""

import os
import textwrap
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from bench.tables import duration, table
from docs.strategy_pages import FOLDER
from xwtui.engine.events.event import EventKind
from xwtui.engine.problem.task import Task
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Position, Puzzle, WordChoice
from xwtui.model.edits import write_fill
from xwtui.model.statistics import grid_statistics
from xwtui.resources import puzzles_folder
from xwtui.strategies.protocol import Strategy
from xwtui.strategies.registry import StrategyChoice
from xwtui.words.lexicon import Lexicon
from xwtui.words.sources import load_lexicon
from xwtui.words.word_list import WordList

SEEDS = range(20)
SEEDS_SAID = f"seeds 0 to {SEEDS[-1]}"
QUARTILES = "lower quartile, median, upper quartile"
_THREE = f"three figures are {QUARTILES}"
NEVER = 10**12
"""What a run counts for that was cut short: more than any other."""

_DATA = Path(os.environ.get("XWTUI_BENCH_DATA", FOLDER.parents[2] / "shared" / "bench"))


@dataclass(frozen=True)
class Run:
    """What a search came to; without a fill it was cut short, unless `is_over`."""

    fills: int
    nodes: int
    placements: int
    seconds: float
    is_over: bool
    first_score: float = 0.0
    """The mean score of the first fill."""
    last_score: float = 0.0
    """That of the last one."""

    @property
    def is_settled(self) -> bool:
        """Whether it came to a fill, or to its end without."""
        return self.fills > 0 or self.is_over


def need(*lists: str) -> None:
    """Raise FileNotFoundError where published lists are not at hand."""
    for name in lists:
        if not (_DATA / name).is_file():
            raise FileNotFoundError(f"{_DATA / name} is not at hand")


@cache
def lexicon(words: str, minimum_score: int) -> Lexicon:
    """The words of a list of the published data, or of the default list for an empty name."""
    lists = (str(_DATA / words),) if words else ()
    return load_lexicon(WordChoice(lists, minimum_score=minimum_score)).lexicon


@cache
def thin_lexicon(length: int, count: int, seed: int) -> Lexicon:
    """So many words of a length, drawn from the default list at 40."""
    words = lexicon("", 40).table(length).words()
    drawn = dict.fromkeys(Random(seed).sample(words, count), 50)
    return Lexicon.build([WordList.from_scores("thin", drawn)])


def strategy_on(
    text: str, template: str, words: Lexicon, *, allow_repeats: bool = False, seed: int = 0
) -> Strategy:
    """A strategy as written, at the beginning of a search of a template."""
    grid = grid_from_text((puzzles_folder() / "templates" / f"{template}.txt").read_text())
    return StrategyChoice.parse(text).make(Task(grid, words, allow_repeats), seed)


def search(
    text: str,
    template: str,
    *,
    words: Lexicon | None = None,
    seed: int = 0,
    wants_all: bool = False,
    allow_repeats: bool = False,
    seconds: float = 60.0,
    nodes: int = NEVER,
    beginning: Mapping[Position, Content] | None = None,
) -> Run:
    """Search a template by a strategy, to the first fill or to the last, within processor seconds and nodes.

    It may begin with what stands.
    """
    strategy = strategy_on(text, template, words or lexicon("", 40), allow_repeats=allow_repeats, seed=seed)
    strategy.start_from(beginning or {})
    fills: list[Mapping[Position, Content]] = []
    begin = time.process_time()
    for event in strategy.steps():
        if event is not None and event.kind is EventKind.SOLVED:
            fills.append(dict(strategy.squares))
            if not wants_all:
                break
        if time.process_time() - begin > seconds or strategy.counters.nodes >= nodes:
            break
    took, made = time.process_time() - begin, strategy.counters
    first, last = (_mean_score(strategy, fills[one]) if fills else 0.0 for one in (0, -1))
    return Run(made.fills, made.nodes, made.placements, took, strategy.is_over, first, last)


def _mean_score(strategy: Strategy, fill: Mapping[Position, Content]) -> float:
    filled = write_fill(Puzzle(strategy.task.grid), fill)
    return grid_statistics(filled.grid, strategy.task.lexicon.score).mean_score or 0.0


# Tables


def prose(text: str) -> list[str]:
    """A paragraph in lines, and an empty line."""
    return [*textwrap.wrap(text, 118, break_long_words=False, break_on_hyphens=False), ""]


def quartiles(values: Sequence[float]) -> list[float]:
    """The lower quartile, the median and the upper quartile; of an even number the lower one in the middle."""
    in_order = sorted(values)
    return [in_order[(len(in_order) - 1) * quarter // 4] for quarter in (1, 2, 3)]


def nodes_of(runs: Sequence[Run]) -> str:
    """The quartiles of nodes; `–` where that run was cut short."""
    found = quartiles([run.nodes if run.is_settled else NEVER for run in runs])
    return ", ".join("–" if one == NEVER else f"{one:,}" for one in found)


def seconds_of(runs: Sequence[Run]) -> str:
    """The quartiles of processor time; `–` where that run was cut short."""
    found = quartiles([run.seconds if run.is_settled else NEVER for run in runs])
    return ", ".join("–" if one == NEVER else duration(one) for one in found)


def scores_of(runs: Sequence[Run]) -> str:
    """The quartiles of the mean scores of those that filled."""
    scores = [run.first_score for run in runs if run.fills]
    return ", ".join(f"{one:.1f}" for one in quartiles(scores)) if scores else "–"


def share_of(runs: Sequence[Run]) -> str:
    """How many filled."""
    return f"{sum(run.fills > 0 for run in runs)} of {len(runs)}"


def compared(texts: Sequence[str], templates: Sequence[str], *, nodes: int) -> Iterator[str]:
    """Strategies on templates, over all seeds and so many nodes at most, with the default list at 40."""
    rows = []
    for template in templates:
        for text in texts:
            runs = [search(text, template, seed=seed, nodes=nodes) for seed in SEEDS]
            rows.append([template, f"`{text}`", share_of(runs), nodes_of(runs), seconds_of(runs), scores_of(runs)])
    yield from prose(f"Default list at 40, {SEEDS_SAID}, at most {nodes:,} nodes each; {_THREE}:")
    yield from table(["template", "strategy", "filled", "nodes", "processor time", "mean score"], rows)
    yield from command(texts[0], templates[0])


def across(texts: Sequence[str], templates: Sequence[str], *, nodes: int) -> Iterator[str]:
    """Strategies that know no chance: their runs on many templates, so many nodes at most."""
    rows = []
    for text in texts:
        runs = [search(text, template, nodes=nodes) for template in templates]
        rows.append([f"`{text}`", share_of(runs), nodes_of(runs), seconds_of(runs), scores_of(runs)])
    told = f"{templates[0]} to {templates[-1]}"
    yield from prose(
        f"Default list at 40, {len(templates)} templates ({told}), at most {nodes:,} nodes each; {_THREE}:"
    )
    yield from table(["strategy", "filled", "nodes", "processor time", "mean score"], rows)
    yield from command(texts[0], templates[0])


def command(text: str, template: str) -> Iterator[str]:
    """The command of one run."""
    yield from ["", "```", f"xwtui fill puzzles/templates/{template}.txt --strategy {text} --seed 0 --json", "```"]
