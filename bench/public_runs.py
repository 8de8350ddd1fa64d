"""Runs of the public benchmark: a grid with a dictionary, filled with each seed, in any process."""

import argparse
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bench.public_table import Instance
from bench.published import Published, published_results
from tests.naive.engine import check_fill
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.portfolio import FillResult, fill
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid
from xwtui.words.lexicon import Lexicon
from xwtui.words.reader import read_word_list

_FAMILIES = ("15", "19", "21", "23")
SLOW = ("21.10", "23.06", "23.10")
"""Grids that no published search settled within its limit, with the dictionary `words`."""


def public_grids(folder: Path, wanted: str) -> Iterator[tuple[str, Grid]]:
    """Yield the forty block patterns, or those whose name starts with `wanted`."""
    for path in sorted((folder / "grids").glob("*.txt")):
        if path.stem.startswith(wanted) and (wanted or path.stem.startswith(_FAMILIES)):
            yield path.stem, grid_from_text(path.read_text())


def run_instance(problem: Problem, seed: int, seconds: float, threads: int) -> FillResult:
    """Fill one grid, and judge the fill."""
    result = fill(problem, Budget(seed=seed, seconds=seconds, threads=threads))
    if result.outcome is Outcome.FILLED:
        words = {
            word: 1
            for length in {len(slot) for slot in problem.slots}
            for word in problem.task.lexicon.table(length).words()
        }
        check_fill(problem.grid, result.squares, words)
    return result


class Run(NamedTuple):
    """A grid with a dictionary, to be filled with each seed; picklable."""

    folder: Path
    dictionary: str
    name: str
    seeds: int
    seconds: float
    threads: int


def runs(arguments: argparse.Namespace) -> Iterator[Run]:
    """Yield each grid with each dictionary."""
    for dictionary in arguments.dictionary.split(","):
        for name, _ in public_grids(arguments.folder, arguments.grid):
            is_slow = dictionary == "words" and name in SLOW
            seconds = arguments.slow if is_slow and arguments.slow else arguments.seconds
            yield Run(arguments.folder, dictionary, name, arguments.seeds, seconds, arguments.threads)


@lru_cache(1)
def lexicon_of(folder: Path, dictionary: str) -> Lexicon:
    """Return the words of a dictionary, cached for consecutive runs."""
    data = (folder / "dicts" / f"{dictionary}.txt").read_bytes()
    return Lexicon.build([read_word_list(data, dictionary).word_list])


def do_run(run: Run) -> Instance:
    """Fill a grid with each seed."""
    grid = grid_from_text((run.folder / "grids" / f"{run.name}.txt").read_text())
    problem = Problem.build(grid, lexicon_of(run.folder, run.dictionary))
    results = [run_instance(problem, seed, run.seconds, run.threads) for seed in range(run.seeds)]
    return Instance(
        run.dictionary,
        run.name,
        [result.outcome.value for result in results],
        [result.statistics.seconds_search for result in results],
        [result.statistics.nodes for result in results],
        published_results(run.folder).get((run.dictionary, run.name), Published.unknown()),
    )
