"""Tiny runs that make numba compile every kernel, or load it from the cache."""

from __future__ import annotations

from collections.abc import Callable

from xwtui.engine.estimator import Counter
from xwtui.engine.kernels.compiled import JIT, cache_folder
from xwtui.engine.kernels.search import advance
from xwtui.engine.particle_run import ParticleRun
from xwtui.engine.problem import Problem
from xwtui.engine.search_arrays import fresh_search
from xwtui.engine.settings import WORKERS
from xwtui.model import Grid
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

_WORDS = tuple(first + second + third for first in "ABC" for second in "ABC" for third in "ABC")


def rehearse_search(progress: Callable[[str], None]) -> None:
    """Run the kernels of the search, saying first whether that compiles them or finds them in the cache."""
    _announce("fill engine", "advance", progress)
    problem = _problem()
    state = problem.new_state()
    advance(problem.network, state, fresh_search(problem.network, WORKERS[0], 0, 0), 2)


def rehearse_counting(progress: Callable[[str], None]) -> None:
    """Run the kernels of counting, likewise."""
    _announce("counter of fills", "move_particles", progress)
    problem = _problem()
    Counter(problem).quick()
    Counter(problem).exact(nodes=1)
    ParticleRun(problem, 2, seed=0).advance()


def _problem() -> Problem:
    lexicon = Lexicon.build([WordList.from_scores("rehearsal", dict.fromkeys(_WORDS, 50))])
    return Problem.build(Grid.blank(3, 3), lexicon)


def _announce(what: str, kernel: str, progress: Callable[[str], None]) -> None:
    folder = cache_folder() if JIT else None
    compiled = folder is not None and any(folder.rglob(f"*.{kernel}-*.nbc"))
    progress(f"loading the {what}" if compiled or not JIT else f"compiling the {what}, once on this machine")
