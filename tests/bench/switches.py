"""Every switch of the search, measured on its own: nodes and seconds of the same grids with it and without.

    python -m tests.bench.switches [FOLDER] [--seeds 5] [--nodes 60000] [--only fading]

The grids are hard ones of the published collection in FOLDER, or the sample templates where there is none. A
run that ends at the limit of nodes is counted with the limit, and told as unsettled. Each fill is judged.
"""

import argparse
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from tests.naive_engine import check_fill
from tests.published_data import BENCH_DATA
from xwtui.engine.filler import Filler
from xwtui.engine.outcome import Outcome
from xwtui.engine.problem import Problem
from xwtui.engine.settings import NEVER, Branching, Restarts, Settings
from xwtui.engine.warmup import warm_up
from xwtui.formats.grid_text import grid_from_text
from xwtui.resources import default_word_list, puzzles_folder
from xwtui.words.lexicon import Lexicon
from xwtui.words.reader import read_word_list
from xwtui.words.store import open_word_list

HARD = ("15.06", "15.10", "21.01", "21.04", "23.03", "23.04", "23.08", "23.09")
"""Grids that take thousands of nodes with the dictionary `words`."""

TEMPLATES = ("15x15-01", "15x15-05", "21x21-02", "themeless-15x15", "square-5x5")
LOWEST_SCORE = 40

_WORDS = Settings(branching=Branching.ON_WORDS)
_SQUARES = Settings(branching=Branching.ON_SQUARES)

SWITCHES: Mapping[str, tuple[Settings, Mapping[str, Settings]]] = {
    "words or squares": (
        Settings(),
        {
            "words alone": _WORDS,
            "squares alone": _SQUARES,
            "squares, no restart": replace(_SQUARES, first_restart=NEVER),
            "squares at last": replace(Settings(), branching=Branching.SQUARES_AT_LAST, first_turn=1000),
            "in turns, soon": replace(Settings(), first_turn=1000),
        },
    ),
    "last conflict": (_SQUARES, {"off": replace(_SQUARES, last_conflict=False)}),
    "adaptive branching": (
        _WORDS,
        {"off": replace(_WORDS, loyalty=1.0), "4": replace(_WORDS, loyalty=4.0)},
    ),
    "fading": (_WORDS, {"none": replace(_WORDS, fading=0.0), "3 %": replace(_WORDS, fading=0.03)}),
    "shared blame": (_WORDS, {"off": replace(_WORDS, shared_blame=False)}),
    "backjump": (_SQUARES, {"off": replace(_SQUARES, backjump=False)}),
    "backjump, words": (_WORDS, {"off": replace(_WORDS, backjump=False)}),
    "restarts": (
        _WORDS,
        {
            "never": replace(_WORDS, first_restart=NEVER),
            "400 x 1.15": replace(_WORDS, first_restart=400),
            "1000 x 1.02": replace(_WORDS, first_restart=1000, restart_growth=1.02),
            "100 x 1.5": replace(_WORDS, first_restart=100, restart_growth=1.5),
            "Luby x 100": replace(_WORDS, restarts=Restarts.LUBY, first_restart=100),
            "nested 100 x 1.3": replace(_WORDS, restarts=Restarts.NESTED, first_restart=100, restart_growth=1.3),
        },
    ),
    "breadth": (
        _WORDS,
        {
            "no limit": replace(_WORDS, breadth=0),
            "1": replace(_WORDS, breadth=1),
            "4": replace(_WORDS, breadth=4),
            "8": replace(_WORDS, breadth=8),
        },
    ),
    "noise": (_WORDS, {"none": replace(_WORDS, noise=0.0), "1": replace(_WORDS, noise=1.0)}),
    "score": (_WORDS, {"room alone": replace(_WORDS, score_weight=0.0)}),
}
"""Of each switch: the search that it is measured in, and the other positions."""


class Measured(NamedTuple):
    """What one search took."""

    nodes: int
    seconds: float
    is_settled: bool


class Figures(NamedTuple):
    """All grids and seeds with one setting: geometric mean of the nodes, seconds in all, runs settled."""

    nodes: float
    seconds: float
    settled: int
    runs: int

    @classmethod
    def of(cls, runs: Sequence[Measured]) -> "Figures":
        """Sum up; a grid that takes no node counts as one."""
        mean = math.exp(sum(math.log(max(run.nodes, 1)) for run in runs) / len(runs))
        return cls(mean, sum(run.seconds for run in runs), sum(run.is_settled for run in runs), len(runs))


def problems(folder: Path) -> Iterator[Problem]:
    """The hard published grids, or the sample templates."""
    dictionary = folder / "dicts" / "words.txt"
    if dictionary.is_file():
        lexicon = Lexicon.build([read_word_list(dictionary.read_bytes(), "words").word_list])
        paths = [folder / "grids" / f"{name}.txt" for name in HARD]
    else:
        listed = open_word_list(default_word_list()).word_list
        lexicon = Lexicon.build([listed], minimum_score=LOWEST_SCORE)
        paths = [puzzles_folder() / "templates" / f"{name}.txt" for name in TEMPLATES]
    for path in paths:
        yield Problem.build(grid_from_text(path.read_text()), lexicon)


def measure(problem: Problem, settings: Settings, seed: int, nodes: int) -> Measured:
    """Search once, and judge the fill."""
    filler = Filler(problem, seed=seed, settings=settings)
    outcome = filler.advance(nodes=nodes)
    if outcome is Outcome.FILLED:
        answers = filler.answers().values()
        words = {word: score for word in answers if (score := problem.lexicon.score(word)) is not None}
        check_fill(problem.grid, filler.fill(), words)
    found = filler.statistics
    return Measured(found.nodes, found.seconds_search, outcome.is_final)


def figures(posed: Sequence[Problem], settings: Settings, seeds: int, nodes: int) -> Figures:
    """All grids, all seeds."""
    return Figures.of([
        measure(problem, settings, seed, nodes) for problem in posed for seed in range(seeds)
    ])  # fmt: skip


def line(switch: str, position: str, found: Figures, usual: Figures | None) -> str:
    """A row of the table; the usual position has no ratio."""
    ratio = f"{found.nodes / usual.nodes:8.2f}" if usual else " " * 8
    settled = f"{found.settled} of {found.runs}"
    return f"{switch:<20}{position:<22}{found.nodes:10,.0f}{ratio}{found.seconds:9.1f} s{settled:>12}"


def main() -> None:
    """Measure the switches that the arguments choose."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=BENCH_DATA)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--nodes", type=int, default=60_000)
    parser.add_argument("--only", default="", help="switches whose name begins so")
    arguments = parser.parse_args()
    warm_up(counting=False)
    posed = list(problems(arguments.folder))
    print(f"{len(posed)} grids, {arguments.seeds} seeds each, {arguments.nodes:,} nodes at most")
    print(f"{'switch':<20}{'position':<22}{'nodes':>10}{'ratio':>8}{'seconds':>11}{'settled':>12}")
    known: dict[Settings, Figures] = {}
    for switch, (usual, others) in SWITCHES.items():
        if switch.startswith(arguments.only):
            for position, settings in {"as it is": usual, **others}.items():
                if settings not in known:
                    known[settings] = figures(posed, settings, arguments.seeds, arguments.nodes)
                print(line(switch, position, known[settings], known[usual] if others.get(position) else None))


if __name__ == "__main__":
    main()
