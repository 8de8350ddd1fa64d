"""What comes before every search of the shell: words, problem and engine, each with its time."""

import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass

from xwtui.engine.loading_step import ENGINE_THREAD
from xwtui.engine.problem.problem import Problem
from xwtui.engine.warmup import cache_refusal, warm_up
from xwtui.model import Puzzle
from xwtui.printing import StatusLine, warn
from xwtui.session.problem_specification import ProblemSpecification
from xwtui.shell.edits import edited
from xwtui.shell.requests import SearchRequest
from xwtui.shell.sources import load_words, read_source, source_path
from xwtui.words.lexicon import Lexicon
from xwtui.words.rule_findings import rule_notes


@dataclass(frozen=True, kw_only=True)
class Loaded:
    """What a search is about, with the seconds that it took to read.

    `load` is reading the puzzle and the words and posing the problem; `compile` is loading the
    engine, and compiling it where that has not been done on this machine.
    """

    puzzle: Puzzle
    lexicon: Lexicon
    posing: ProblemSpecification
    load: float
    compile: float


@dataclass(frozen=True, kw_only=True)
class Prepared(Loaded):
    """All that a search of the engine needs."""

    problem: Problem


def load(request: SearchRequest) -> Loaded:
    """Read the puzzle and the words, with progress on stderr; the engine is left alone.

    Raises PuzzleError for a part that the grid does not have, PuzzleFormatError, WordListError or
    EngineError, and VerbError for what is to be done first.
    """
    begin = time.perf_counter()
    with StatusLine(sys.stderr) as status:
        status.show("reading the puzzle and the words")
        puzzle = edited(read_source(request.grid), source_path(request.grid), request.lines)
        vocabulary = load_words(request.words, puzzle, request.grid)
    notes = rule_notes(puzzle, vocabulary.lexicon) if request.lines else []
    for warning in (*vocabulary.warnings, *notes):
        warn(warning)
    return Loaded(
        puzzle=puzzle,
        lexicon=vocabulary.lexicon,
        posing=ProblemSpecification.of(puzzle, vocabulary, allow_repeats=request.allow_repeats),
        load=time.perf_counter() - begin,
        compile=begin - request.started,
    )


def prepare(request: SearchRequest, *, counting: bool = False) -> Prepared:
    """Read the puzzle and the words, pose the problem and warm the engine, with progress on stderr.

    The kernels of counting and improving are made ready only if they are needed; with a part the
    problem is about its squares alone. Raises PuzzleError for a part that the grid does not have,
    PuzzleFormatError, WordListError or EngineError, and VerbError for what is to be done first.
    """
    loaded = load(request)
    read = time.perf_counter()
    with StatusLine(sys.stderr) as status:
        is_steered = loaded.puzzle.rules.is_about_grid
        aside(lambda: warm_up(lambda step: status.show(str(step)), counting=counting, improving=is_steered))
        warm = time.perf_counter()
        problem = loaded.posing.problem()
        posed = time.perf_counter()
    warn_of_cache()
    return Prepared(
        puzzle=loaded.puzzle,
        lexicon=loaded.lexicon,
        posing=loaded.posing,
        load=loaded.load + (posed - warm),
        compile=loaded.compile + (warm - read),
        problem=problem,
    )


def warn_of_cache() -> None:
    """Say why every start compiles, if it does, once the engine is loaded."""
    refusal = cache_refusal()
    if refusal is not None:
        warn(str(refusal))


def aside(work: Callable[[], object]) -> None:
    """Do something in a thread of its own, and wait for it.

    Ctrl+C then interrupts the waiting; inside a compiler's callback Python could only print it and go on.
    """
    done: Future[None] = Future()

    def run() -> None:
        try:
            work()
        except BaseException as error:
            done.set_exception(error)
        else:
            done.set_result(None)

    threading.Thread(target=run, name=ENGINE_THREAD, daemon=True).start()
    done.result()
