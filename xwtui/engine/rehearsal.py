"""A tiny fill that makes numba compile every kernel, or load it from the cache."""

from __future__ import annotations

from collections.abc import Callable

from xwtui.engine.kernels.compiled import JIT, cache_folder
from xwtui.engine.kernels.domain_rows import decided_rows
from xwtui.engine.kernels.search import advance
from xwtui.engine.problem import Problem
from xwtui.engine.search_arrays import fresh_search
from xwtui.engine.settings import WORKERS
from xwtui.model import Grid
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

_WORDS = ("BIT", "ICE", "TEN", "BAR", "ARE", "REX")


def rehearse(progress: Callable[[str], None]) -> None:
    """Run each kernel once, saying first whether that compiles it or finds it in the cache."""
    folder = cache_folder() if JIT else None
    compiled = folder is not None and any(folder.rglob("search.advance-*.nbc"))
    if compiled or not JIT:
        progress("loading the fill engine")
    else:
        progress("compiling the fill engine, once on this machine")
    lexicon = Lexicon.build([WordList.from_scores("rehearsal", dict.fromkeys(_WORDS, 50))])
    problem = Problem.build(Grid.blank(3, 3), lexicon)
    state = problem.new_state()
    advance(problem.network, state, fresh_search(problem.network, WORKERS[0], 0, 0), 2)
    decided_rows(problem.network, state)
