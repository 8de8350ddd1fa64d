"""Grids whose search has a heavy tail: `python -m bench.tails [--half judging] [--seeds 8] [--nodes 40000]`.

`tails.txt` holds layouts generated under the newspapers' profiles, with 66 to 72 entries, on which the slowest of
eight seeds took more than ten times the nodes of the quickest and more than half a second. Every other grid is for
choosing a policy, the rest for judging it; each half has its own seeds. `--draw` looks for more.

The words are those of the default list that score 50 and more, once with their scores and once with a uniform
score. The measure is nodes, not seconds. A run that reaches the limit counts as the limit and is reported as
unfilled.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean, quantiles
from time import monotonic
from typing import NamedTuple

from bench.document import circumstances, write_part
from bench.tables import geometric_mean, table
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.search_settings import WORKERS, Restarts, SearchSettings
from xwtui.engine.problem.problem import Problem
from xwtui.engine.warmup import warm_up
from xwtui.formats.grid_text import grid_from_text, grid_to_text
from xwtui.grids.layouts import LayoutWanted, layouts
from xwtui.grids.profiles import find_profile
from xwtui.model import Grid
from xwtui.resources import default_word_list
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

GRIDS = Path(__file__).with_name("tails.txt")
MINIMUM_SCORE = 50
HALVES = {"choosing": 100, "judging": 200}
"""The halves of the grids, each with its first seed."""

DRAWN_WITH = 8
"""Seeds tried on each generated grid, from 0."""
_FEWEST_NODES, _TIMES = 15_000, 10
"""A heavy tail: minimum nodes of the slowest seed (about half a second), and its minimum ratio to the quickest."""
_SOON, _TOO_EASY = 3, 2_500
"""A grid is discarded early if none of the first seeds reaches this many nodes, or if all reach the limit."""

USUAL = WORKERS[0]
POSITIONS: Mapping[str, SearchSettings] = {
    "as it is": USUAL,
    "the first run of 400": replace(USUAL, first_run=None),
    "the fullest fill forgotten": replace(USUAL, fullest_first=False),
    "Luby times 100": replace(USUAL, restarts=Restarts.LUBY, first_restart=100),
    "Luby times 100, noise 0.6": replace(USUAL, restarts=Restarts.LUBY, first_restart=100, noise=0.6),
    "noise 0.6": replace(USUAL, noise=0.6),
    "noise 0": replace(USUAL, noise=0.0),
    "breadth 1": replace(USUAL, breadth=1),
}


class Tail(NamedTuple):
    """A grid, named by profile, seed and number in its sequence."""

    name: str
    grid: Grid


class TailFigures(NamedTuple):
    """Results of one policy over all grids and seeds of a half."""

    mean: float
    """Geometric mean of the nodes."""
    arithmetic: float
    unfilled: int
    runs: int
    spread: float
    """The 90th percentile divided by the median, as a geometric mean over the grids."""
    tame: int
    """Grids on which that ratio is at most three."""

    @classmethod
    def of(cls, grids: Sequence[Sequence[int]], limit: int) -> TailFigures:
        """Summarize the nodes of each grid, seed by seed."""
        every = [nodes for runs in grids for nodes in runs]
        spreads = [_spread(runs) for runs in grids]
        return cls(
            geometric_mean(every),
            fmean(every),
            sum(nodes >= limit for nodes in every),
            len(every),
            geometric_mean(spreads),
            sum(spread <= 3 for spread in spreads),
        )


def _spread(runs: Sequence[int]) -> float:
    tenths = quantiles(runs, n=10, method="inclusive")
    return tenths[8] / tenths[4]


def tails(path: Path = GRIDS) -> list[Tail]:
    """Read the kept grids: each is a name and its rows, followed by an empty line."""
    parts = path.read_text(encoding="utf-8").strip().split("\n\n")
    return [Tail(name, grid_from_text(rows)) for name, _, rows in (part.partition("\n") for part in parts)]


def halves(kept: Sequence[Tail]) -> dict[str, Sequence[Tail]]:
    """Split the grids into those for choosing and those for judging."""
    return {name: kept[number::2] for number, name in enumerate(HALVES)}


def lexicons() -> dict[str, Lexicon]:
    """Return the words with a uniform score, as in a list pruned by a constructor, and with their own scores."""
    listed = open_word_list(default_word_list()).word_list
    level = {word: MINIMUM_SCORE for word, score in listed if score >= MINIMUM_SCORE}
    return {
        "one score": Lexicon.build([WordList.from_scores("one score", level)], minimum_score=MINIMUM_SCORE),
        "scores": Lexicon.build([listed], minimum_score=MINIMUM_SCORE),
    }


def nodes_of(problem: Problem, settings: SearchSettings, seed: int, limit: int) -> int:
    """Return the nodes up to a fill, or the limit if none is found within it."""
    filler = Filler(problem, seed=seed, settings=settings)
    return filler.statistics.nodes if filler.advance(nodes=limit) is Outcome.FILLED else limit


def figures(problems: Sequence[Problem], settings: SearchSettings, seeds: range, limit: int) -> TailFigures:
    """Search each problem with each seed."""
    return TailFigures.of([[nodes_of(each, settings, seed, limit) for seed in seeds] for each in problems], limit)


def drawn(profile: str, seed: int, limit: int, seconds: float) -> Iterator[Tail]:
    """Generate layouts under a profile for some seconds; yield those whose search has a heavy tail."""
    lexicon, end = lexicons()["one score"], monotonic() + seconds
    wanted = LayoutWanted(
        15, 15, find_profile(profile), fewest_words=66, most_words=70, fewest_blocks=26, most_blocks=31
    )
    for number, grid in enumerate(layouts(wanted, seed)):
        if monotonic() > end:
            return
        if has_tail(Problem.build(grid, lexicon), limit):
            yield Tail(f"{profile}-{seed}-{number}", grid)


def has_tail(problem: Problem, limit: int) -> bool:
    """Whether the slowest seed takes much longer than the quickest."""
    taken: list[int] = []
    for seed in range(DRAWN_WITH):
        taken.append(nodes_of(problem, USUAL, seed, limit))
        if len(taken) == _SOON and (max(taken) < _TOO_EASY or min(taken) >= limit):
            return False
    return max(taken) > max(_FEWEST_NODES, _TIMES * min(taken))


def lines(half: str, seeds: int, limit: int, only: str, words: Sequence[str] = ()) -> Iterator[list[str]]:
    """Yield a row for each list and policy."""
    chosen, first = halves(tails())[half], HALVES[half]
    for scores, lexicon in lexicons().items():
        if words and scores not in words:
            continue
        problems = [Problem.build(tail.grid, lexicon) for tail in chosen]
        for position, settings in POSITIONS.items():
            if position.startswith(only):
                found = figures(problems, settings, range(first, first + seeds), limit)
                yield [
                    f"{half}, {scores}",
                    position,
                    f"{found.mean:,.0f}",
                    f"{found.arithmetic:,.0f}",
                    f"{found.unfilled} of {found.runs}",
                    f"{found.spread:.1f}",
                    f"{found.tame} of {len(chosen)}",
                ]


HEAD = ("grids, words", "policy", "nodes", "mean", "unfilled", "90th to median", "at most 3")


def main() -> None:
    """Measure the policies on one half, or look for more grids."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--half", choices=tuple(HALVES), default="judging")
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--nodes", type=int, default=40_000, help="after which a run is given up")
    parser.add_argument("--only", default="", help="policies whose name begins so")
    parser.add_argument("--words", choices=("one score", "scores"), action="append", help="both if not said")
    parser.add_argument("--draw", nargs=3, metavar=("PROFILE", "SEED", "SECONDS"), help="print more grids")
    parser.add_argument("--write", action="store_true", help="write the table into docs/bench.md")
    asked = parser.parse_args()
    warm_up(counting=False, drawing=asked.draw is not None)
    if asked.draw:
        profile, seed, seconds = asked.draw
        for tail in drawn(profile, int(seed), asked.nodes, float(seconds)):
            print(f"{tail.name}\n{grid_to_text(tail.grid)}", flush=True)
        return
    rows: list[list[str]] = []
    for row in lines(asked.half, asked.seeds, asked.nodes, asked.only, asked.words or ()):
        rows.append(row)
        print("  ".join(row), flush=True)
    if asked.write:
        conditions = f"*{circumstances()}; {asked.seeds} seeds, {asked.nodes:,} nodes at most*"
        write_part("Grids with a heavy tail", [conditions, "", *table(HEAD, rows)])


if __name__ == "__main__":
    main()
