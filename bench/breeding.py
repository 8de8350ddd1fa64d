"""Layout breeding compared with Copeland's genetic algorithm and with random layouts: a table in docs/designs.md.

python -m bench.breeding [--seconds S] [--seeds N] [--write docs/designs.md]
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import NamedTuple

from xwtui.engine.budget import Budget
from xwtui.engine.problem.task import Task
from xwtui.engine.warmup import warm_up
from xwtui.engine.what_if.ranking import Fillability
from xwtui.grids.breeding import BreedingRequest, BreedingWay, BreedProgress, breed
from xwtui.grids.layouts import LayoutWanted
from xwtui.grids.profiles import find_profile
from xwtui.model import Grid, WordChoice
from xwtui.resources import default_word_list
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon

PROFILES = ("american-15", "american-15-themeless")
_SIDE = 15
_MARKED = re.compile(r"(<!-- breeding -->\n).*?(<!-- end of breeding -->)", re.DOTALL)
_HEAD = """\
| Profile | Way | Layouts looked at | Filled | Fewest words of a filled one | Its blocks | Best score |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
"""


class BreedingFigures(NamedTuple):
    """Results of one run."""

    looked_at: int
    filled: int
    words: int | None
    """Fewest words of any layout that was filled; None if none was."""
    blocks: int | None
    score: float

    @classmethod
    def of(cls, progress: BreedProgress) -> "BreedingFigures":
        """Extract the figures from a run's final progress report."""
        filled = [one for one in progress.layouts if one.outlook.fillability is Fillability.FILLED]
        best = min(filled, key=lambda one: (one.figures.words, one.figures.blocks), default=None)
        figures = best.figures if best is not None else None
        return cls(
            progress.looked_at,
            progress.filled,
            figures.words if figures is not None else None,
            figures.blocks if figures is not None else None,
            progress.layouts[0].score if progress.layouts else float("-inf"),
        )


def runs(
    lexicon: Lexicon, profile: str, way: BreedingWay, seconds: float, seeds: int
) -> Iterator[BreedingFigures]:
    """Run once per seed."""
    wanted = LayoutWanted(_SIDE, _SIDE, find_profile(profile))
    task = Task(Grid.blank(_SIDE, _SIDE), lexicon)
    for seed in range(1, seeds + 1):
        asked = BreedingRequest(wanted, task, Budget(seconds, seed=seed), way, clock=process_time)
        yield BreedingFigures.of(breed(asked))


def row(profile: str, way: BreedingWay, figures: list[BreedingFigures]) -> str:
    """Return a table row with the figures of all seeds."""
    words = ", ".join("–" if one.words is None else str(one.words) for one in figures)
    blocks = ", ".join("–" if one.blocks is None else str(one.blocks) for one in figures)
    looked, filled = fmean(one.looked_at for one in figures), fmean(one.filled for one in figures)
    score = fmean(one.score for one in figures)
    return f"| {profile} | {way.value} | {looked:,.0f} | {filled:.0f} | {words} | {blocks} | {score:.1f} |\n"


def main() -> None:
    """Measure, then write or print the table."""
    parser = argparse.ArgumentParser(description="Breeding of layouts, beside other ways.")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    asked = parser.parse_args()
    warm_up(counting=True, drawing=True)
    lexicon = Lexicon.build(
        [open_word_list(default_word_list()).word_list], minimum_score=WordChoice().minimum_score
    )
    lines = []
    for profile in PROFILES:
        for way in BreedingWay:
            lines.append(row(profile, way, list(runs(lexicon, profile, way, asked.seconds, asked.seeds))))
            print(lines[-1], end="", flush=True)
    told = f"{asked.seconds:g} seconds of a core a run, seeds 1 to {asked.seeds}, the default list at 40.\n\n"
    if asked.write is not None:
        text = asked.write.read_text(encoding="utf-8")
        table = f"{told}{_HEAD}{''.join(lines)}"
        asked.write.write_text(_MARKED.sub(lambda found: found[1] + table + found[2], text), encoding="utf-8")


if __name__ == "__main__":
    main()
