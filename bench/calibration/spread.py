"""How far counts of ordinary grids scatter over seeds, each with the processor time of a few idle seconds."""

import time
from dataclasses import dataclass
from pathlib import Path

from bench.kinds import KINDS, spread
from xwtui.engine.budget import Budget
from xwtui.engine.count.estimate import Estimate
from xwtui.engine.count.estimator import Counter
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.resources import default_word_list
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon

SECONDS = 5.0
THREADS = 2
TEMPLATES = 4
SEEDS = 8


@dataclass(frozen=True)
class Spread:
    """The estimates for one template, one per seed."""

    template: str
    log10s: tuple[float, ...]
    """Estimates, as base-10 logarithms."""
    widths: tuple[float, ...]
    """Widths of the 95 % intervals, in powers of ten."""
    runs: tuple[int, ...]
    """Particle runs behind each estimate."""

    @property
    def seeds(self) -> int:
        return len(self.log10s)

    @property
    def seconds_a_run(self) -> float:
        """Mean processor seconds per particle run."""
        return THREADS * SECONDS * self.seeds / max(sum(self.runs), 1)


def templates() -> list[Path]:
    """Return a few ordinary templates."""
    return spread(KINDS[0].templates(), TEMPLATES)


def scatter(template: Path) -> Spread:
    """Estimate a template's count with the default list, once per seed."""
    lexicon = Lexicon.build([open_word_list(default_word_list()).word_list])
    problem = Problem.build(grid_from_text(template.read_text(encoding="utf-8")), lexicon)
    return scattered(template.stem, problem, seeds=SEEDS, seconds=THREADS * SECONDS)


def scattered(name: str, problem: Problem, *, seeds: int, seconds: float) -> Spread:
    """Estimate a problem's count with several seeds, each for `seconds` of this process's time."""
    estimates = [_counted(problem, seed, seconds) for seed in range(seeds)]
    known = [one for one in estimates if one.log10 is not None and one.low is not None and one.high is not None]
    return Spread(
        name,
        tuple(one.log10 for one in known if one.log10 is not None),
        tuple(one.high - one.low for one in known if one.high is not None and one.low is not None),
        tuple(one.runs for one in known),
    )


def _counted(problem: Problem, seed: int, seconds: float) -> Estimate:
    end = time.process_time() + seconds
    counter = Counter(problem, seed=seed)
    counter.beliefs(Budget())
    return counter.refine(Budget(stop=lambda: time.process_time() >= end))
