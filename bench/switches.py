"""Measure each search switch on its own: nodes and seconds of the same grids in each position.

    python -m bench.switches [FOLDER] [--seeds 3] [--nodes 30000] [--only fading] [--write]

The grids are hard: sample templates, and grids of the published collection in FOLDER if it exists. A run that
reaches the node limit counts as twice the limit and is reported as unsettled. Each fill is judged.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from time import thread_time
from typing import NamedTuple

from bench.document import DOCUMENT, circumstances
from bench.switch_positions import SWITCHES
from bench.tables import table
from tests.naive.engine import check_fill
from tests.published_data import BENCH_DATA
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.search_settings import SearchSettings
from xwtui.engine.problem.problem import Problem
from xwtui.engine.warmup import warm_up
from xwtui.formats.grid_text import grid_from_text
from xwtui.resources import default_word_list, puzzles_folder
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon
from xwtui.words.reader import read_word_list

HARD = ("15.06", "15.10", "21.01", "21.04", "23.03", "23.04", "23.08", "23.09")
"""Published grids that take thousands of nodes with the dictionary `words`."""

TEMPLATES = {
    "wide-open-15x15-05": 36,
    "wide-open-15x15-10": 36,
    "themeless-15x15-11": 40,
    "21x21-07": 40,
    "25x25-04": 40,
}
"""Templates of similar difficulty, each with its minimum score for the default list."""

PAGE = DOCUMENT.with_name("switches.md")
NOTES = PAGE.with_name("switches-notes.md")
"""Notes on other experiments; they are appended to the page."""


class Measured(NamedTuple):
    """Cost of one search."""

    nodes: int
    seconds: float
    is_settled: bool


class Figures(NamedTuple):
    """All grids and seeds with one setting: geometric mean of the nodes, total seconds, settled runs."""

    nodes: float
    seconds: float
    settled: int
    runs: int

    @classmethod
    def of(cls, runs: Sequence[Measured]) -> "Figures":
        """Summarize runs. An unsettled run counts twice, and a run without nodes counts as one node."""
        counted = (max(run.nodes, 1) * (1 if run.is_settled else 2) for run in runs)
        mean = math.exp(sum(map(math.log, counted)) / len(runs))
        return cls(mean, sum(run.seconds for run in runs), sum(run.is_settled for run in runs), len(runs))


class Row(NamedTuple):
    """Result of a switch position; the usual position has no ratio."""

    switch: str
    position: str
    found: Figures
    usual: Figures | None

    def cells(self) -> list[str]:
        """Return the table cells."""
        ratio = f"{self.found.nodes / self.usual.nodes:.2f}" if self.usual else ""
        settled = f"{self.found.settled} of {self.found.runs}"
        return [
            self.switch,
            self.position,
            f"{self.found.nodes:,.0f}",
            ratio,
            f"{self.found.seconds:.1f}",
            settled,
        ]


def problems(folder: Path) -> Iterator[Problem]:
    """Yield the hard published grids, if present, and the templates."""
    dictionary = folder / "dicts" / "words.txt"
    if dictionary.is_file():
        lexicon = Lexicon.build([read_word_list(dictionary.read_bytes(), "words").word_list])
        for name in HARD:
            yield Problem.build(grid_from_text((folder / "grids" / f"{name}.txt").read_text()), lexicon)
    listed = open_word_list(default_word_list()).word_list
    lexicons = {score: Lexicon.build([listed], minimum_score=score) for score in set(TEMPLATES.values())}
    for name, score in TEMPLATES.items():
        text = (puzzles_folder() / "templates" / f"{name}.txt").read_text()
        yield Problem.build(grid_from_text(text), lexicons[score])


def measure(problem: Problem, settings: SearchSettings, seed: int, nodes: int) -> Measured:
    """Search once, and judge the fill; times are this thread's processor time."""
    filler = Filler(problem, seed=seed, settings=settings)
    begin = thread_time()
    outcome = filler.advance(nodes=nodes)
    seconds = thread_time() - begin
    if outcome is Outcome.FILLED:
        answers = filler.answers().values()
        words = {word: score for word in answers if (score := problem.task.lexicon.score(word)) is not None}
        check_fill(problem.grid, filler.fill(), words)
    return Measured(filler.statistics.nodes, seconds, outcome.is_final)


def rows(posed: Sequence[Problem], only: str, seeds: int, nodes: int) -> Iterator[Row]:
    """Yield a row per switch whose name starts with `only`: the usual position, then the others."""

    @cache
    def figures(settings: SearchSettings) -> Figures:
        return Figures.of([measure(problem, settings, seed, nodes) for problem in posed for seed in range(seeds)])

    for switch in SWITCHES:
        if switch.name.startswith(only):
            usual = figures(switch.usual)
            yield Row(switch.name, "as it is", usual, None)
            for position, settings in switch.others.items():
                yield Row("", position, figures(settings), usual)


def page(measured: Sequence[Row], conditions: str) -> str:
    """Return the document."""
    head = ("switch", "position", "nodes", "ratio", "seconds", "settled")
    return "\n".join([
        "# The switches of the search",
        "",
        "Written by `make bench-switches`; do not edit.",
        "",
        "What each switch of the search is worth, with the others in their usual positions (`as it is`). Nodes",
        "are a geometric mean in which an unfinished run counts as twice the limit. The ratio compares a position",
        "with the usual one; above 1 is worse. Seconds are processor time of one thread, all runs together.",
        "Ideas that were tried and removed, such as nogoods, belief propagation as a guide and weights shared by",
        "threads, are listed with their figures under [what was tried](public-grids-notes.md), and below.",
        "Every switch except `first run` and `fullest fill first` is measured without a short first run.",
        "",
        conditions,
        "",
        *table(head, [row.cells() for row in measured]),
        "",
        NOTES.read_text(encoding="utf-8").strip() if NOTES.is_file() else "",
        "",
    ])  # fmt: skip


def main() -> None:
    """Measure the switches that the arguments choose."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=BENCH_DATA)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--nodes", type=int, default=30_000)
    parser.add_argument("--only", default="", help="switches whose name begins so")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name} beside the other figures")
    arguments = parser.parse_args()
    warm_up(counting=False)
    posed = list(problems(arguments.folder))
    size = f"{len(posed)} grids, {arguments.seeds} seeds each, {arguments.nodes:,} nodes at most"
    conditions = f"*{circumstances()}; {size}*"
    print(size)
    measured = []
    for row in rows(posed, arguments.only, arguments.seeds, arguments.nodes):
        measured.append(row)
        switch, position, *figures = row.cells()
        print(f"{switch:<35}{position:<29}" + "".join(f"{figure:>10}" for figure in figures), flush=True)
    if arguments.write:
        PAGE.write_text(page(measured, conditions), encoding="utf-8")


if __name__ == "__main__":
    main()
