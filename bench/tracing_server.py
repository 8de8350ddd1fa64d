"""Searches with a fixed number of nodes, each timed: `bench.tracing` compares kernels with it.

Started as `main(WORDS, MINIMUM_SCORE)` in a process of its own, with whichever `xwtui` is on its path.
"""

import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

from bench.fillers.server import serve
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.problem import Problem
from xwtui.engine.warmup import warm_up
from xwtui.formats.grid_text import grid_from_text
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon


def main(words: str, minimum_score: int) -> None:
    """Load the words and the engine, then answer requests."""
    lexicon = Lexicon.build([open_word_list(Path(words)).word_list], minimum_score=minimum_score)
    warm_up(counting=False)

    @cache
    def problem_of(rows: str) -> Problem:
        return Problem.build(grid_from_text(rows), lexicon)

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        filler = Filler(problem_of(request["rows"]), seed=request["seed"], trace=request["trace"])
        begin = time.process_time()
        filler.advance(nodes=request["nodes"])
        seconds = time.process_time() - begin
        return {"seconds": seconds, "nodes": filler.statistics.nodes, "backtracks": filler.statistics.backtracks}

    serve(answer, sys.stdin, sys.stdout)
