"""What comes before every search of the shell: words, problem and engine, each with its time."""

import sys
import time
from dataclasses import dataclass

from xwtui.cli.requests import SearchRequest
from xwtui.cli.sources import load_words, read_source, warn
from xwtui.engine.problem import Problem
from xwtui.engine.warmup import warm_up
from xwtui.model import Puzzle
from xwtui.printing.status_line import StatusLine
from xwtui.words.lexicon import Lexicon


@dataclass(frozen=True)
class Prepared:
    """All that a search needs; `load` and `compile` are seconds of waiting, `started` a perf_counter."""

    puzzle: Puzzle
    lexicon: Lexicon
    problem: Problem
    load: float
    compile: float
    started: float


def prepare(request: SearchRequest) -> Prepared:
    """Read the puzzle and the words, pose the problem and warm the engine, with progress on stderr.

    Raises PuzzleFormatError, WordListError or EngineError.
    """
    started = time.perf_counter()
    with StatusLine(sys.stderr) as status:
        status.show("reading the puzzle and the words")
        puzzle = read_source(request.grid)
        loaded = load_words(request.words, puzzle, request.grid)
        problem = Problem.build(puzzle.grid, loaded.lexicon, allow_repeats=request.allow_repeats)
        posed = time.perf_counter()
        warm_up(status.show)
    for warning in loaded.warnings:
        warn(warning)
    return Prepared(puzzle, loaded.lexicon, problem, posed - started, time.perf_counter() - posed, started)
