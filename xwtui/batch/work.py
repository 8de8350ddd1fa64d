"""Running one task in any process: bytes in, bytes out, with words that the process received before.

A task that cannot be done raises nothing: its result says so. Only missing words raise `WordsMissingError`, as
they are not the task's fault.
"""

from __future__ import annotations

import os
import platform
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import lru_cache
from itertools import chain
from time import perf_counter
from typing import Any

from xwtui.batch.packed_words import PackedWords, unpack_words
from xwtui.batch.races.task import RaceStart, RunState
from xwtui.batch.subjects import race_task, read_design_text, read_improvement_text
from xwtui.batch.tasks import STATES, BatchKind, BatchTask, Find, TaskResult, TaskState
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.errors import XwtuiError
from xwtui.formats.grid_text import grid_to_text
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Position
from xwtui.model.edits import write_fill
from xwtui.strategies.registry import StrategyChoice
from xwtui.text import printable
from xwtui.worded import in_words
from xwtui.words.sources import Vocabulary

with lazy_imports():
    from xwtui.engine.count.estimator import Counter
    from xwtui.engine.improve.improver import improve
    from xwtui.engine.improve.plain_fill import build_timed, plain_fill
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.warmup import warm_up
    from xwtui.grids.design_search import design
    from xwtui.grids.designs import Design

IsStopped = Callable[[], bool]

_LONGEST_REASON = 300
_RUN_STATES = {
    RunState.FILLED: TaskState.FOUND,
    RunState.IMPOSSIBLE: TaskState.IMPOSSIBLE,
    RunState.GAVE_UP: TaskState.UNKNOWN,
    RunState.OUT_OF_TIME: TaskState.UNKNOWN,
    RunState.FOUL: TaskState.INVALID,
    RunState.CRASHED: TaskState.CRASHED,
    RunState.REFUSED: TaskState.REFUSED,
}


class WordsMissingError(Exception):
    """The process has not received a task's words; the message is their digest."""


_unpacked: dict[str, Vocabulary] = {}


def hold(words: PackedWords) -> None:
    """Keep words for later tasks that name them, verified now; raises WordListError."""
    if words.digest not in _unpacked:
        _unpacked[words.digest] = unpack_words(words)


def release(digest: str) -> None:
    """Drop words that no task needs any more."""
    _unpacked.pop(digest, None)
    race_task.cache_clear()
    _problem.cache_clear()


def vocabulary(digest: str) -> Vocabulary:
    """Return the words with a digest; raises WordsMissingError if they were not received."""
    try:
        return _unpacked[digest]
    except KeyError:
        raise WordsMissingError(digest) from None


def run_task(data: bytes, is_stopped: IsStopped = lambda: False) -> bytes:
    """Run a task, ending soon once `is_stopped` returns True; raises WordsMissingError."""
    return do_task(BatchTask.from_bytes(data), is_stopped).to_bytes()


def do_task(task: BatchTask, is_stopped: IsStopped = lambda: False) -> TaskResult:
    """Like `run_task`, for a task and its result as objects."""
    words = vocabulary(task.vocabulary)
    try:
        done = _RUNNERS[task.kind](task, words, Budget(task.settings.seconds, seed=task.seed, stop=is_stopped))
    except XwtuiError as error:
        done = TaskResult("", TaskState.REFUSED, reason=str(error))
    except Exception as error:
        done = TaskResult("", TaskState.CRASHED, reason=f"{type(error).__name__}: {error}")
    worker, reason = f"{platform.node()}:{os.getpid()}", printable(done.reason, _LONGEST_REASON)
    return replace(done, name=task.name, reason=reason, worker=worker)


@lru_cache(4)
def _problem(text: str, words: Vocabulary, allow_repeats: bool) -> Problem:
    return Problem.of(race_task(text, words, allow_repeats).engine_task)


def _fill(task: BatchTask, words: Vocabulary, budget: Budget) -> TaskResult:
    subject = task.asked, words, task.settings.allow_repeats
    first_only = task.settings.first
    warm_up(counting=False, improving=not first_only)
    problem, layout_seconds = build_timed(lambda: _problem(*subject))
    begin = perf_counter()
    made = plain_fill(problem, budget, first_only=first_only)
    found, is_filled = made.first, made.first.outcome is Outcome.FILLED
    figures: dict[str, Any] = {
        "nodes": found.statistics.nodes,
        "backtracks": found.statistics.backtracks,
        "seconds": made.seconds._replace(layout=layout_seconds)._asdict(),
    }
    if made.shared_stems:
        figures["shared_stems"] = [list(map(list, one)) for one in made.shared_stems]
    finds = (_filled(made.squares, *subject),) if is_filled else ()
    seconds = perf_counter() - begin
    return TaskResult("", STATES[found.outcome], finds, figures, in_words(found.reason), seconds)


def _improve(task: BatchTask, words: Vocabulary, budget: Budget) -> TaskResult:
    given, repeats = read_improvement_text(task.asked), task.settings.allow_repeats
    problem = _problem(given.puzzle, words, repeats)
    begin = perf_counter()
    found = improve(problem, given.start, budget, objective=given.objective)
    state, finds = STATES[found.outcome], tuple[Find, ...]()
    if found.best is not None:
        state, finds = TaskState.FOUND, (_filled(found.best.squares, given.puzzle, words, repeats),)
    figures = {"rounds": found.rounds, "is_best": found.outcome is Outcome.FILLED}
    return TaskResult("", state, finds, figures, in_words(found.reason), perf_counter() - begin)


def _count(task: BatchTask, words: Vocabulary, budget: Budget) -> TaskResult:
    problem = _problem(task.asked, words, task.settings.allow_repeats)
    warm_up(improving=not problem.constraints.is_empty)
    begin = perf_counter()
    counter = Counter(problem, seed=task.seed)
    [last] = deque(chain([counter.quick()], counter.estimates(budget)), maxlen=1)
    if budget.stop():
        state = TaskState.STOPPED
    elif last.zero_proved:
        state = TaskState.IMPOSSIBLE
    else:
        state = TaskState.UNKNOWN if last.log10 is None else TaskState.FOUND
    figures: dict[str, Any] = {
        "instrument": last.instrument.value,
        "log10": last.log10,
        "low": last.low,
        "high": last.high,
        "exact": None if last.exact is None else str(last.exact),
    }
    if last.untried is not None:
        figures["untried"] = str(last.untried)
    return TaskResult("", state, (), figures, "", perf_counter() - begin)


def _race(task: BatchTask, words: Vocabulary, budget: Budget) -> TaskResult:
    from xwtui.batch.races.race import SECONDS_PER_TURN, TaskRun  # noqa: PLC0415  it loads multiprocessing

    race = race_task(task.asked, words, task.settings.allow_repeats)
    run = TaskRun(race, RaceStart(StrategyChoice.parse(task.settings.entrant), task.seed), task.settings.seconds)
    while not run.state.is_over and not budget.stop():
        run.turn(SECONDS_PER_TURN)
    status = run.status()
    figures = {**asdict(status), "state": status.state.value}
    figures.pop("grid")
    finds = (Find(status.grid),) if status.grid else ()
    state = _RUN_STATES.get(status.state, TaskState.STOPPED)
    return TaskResult("", state, finds, figures, status.reason, status.search_seconds)


def _design(task: BatchTask, words: Vocabulary, budget: Budget) -> TaskResult:
    wanted = read_design_text(task.asked, task.settings.count)
    warm_up(improving=True, drawing=True)
    begin = perf_counter()
    found = design(wanted, words.lexicon, budget)
    if budget.stop():
        state = TaskState.STOPPED
    elif found.designs:
        state = TaskState.FOUND
    else:
        state = TaskState.IMPOSSIBLE if found.is_impossible else TaskState.UNKNOWN
    first = min((one.seconds for one in found.designs), default=None)
    figures = {"found": found.found, "tried": found.tried, "dead": found.dead, "first_seconds": first}
    finds = tuple(map(find_of_design, found.designs))
    return TaskResult("", state, finds, figures, found.reason, perf_counter() - begin)


def find_of_design(one: Design) -> Find:
    """Return a design for transfer; the judge reads its figures off the grid."""
    return Find(_rows(one.filled), _rows(one.grid), dict(one.themers))


def _filled(squares: Mapping[Position, Content], text: str, words: Vocabulary, allow_repeats: bool) -> Find:
    puzzle = race_task(text, words, allow_repeats).puzzle
    return Find(_rows(write_fill(puzzle, squares).grid))


def _rows(grid: Grid) -> tuple[str, ...]:
    return tuple(grid_to_text(grid).splitlines())


_RUNNERS: dict[BatchKind, Callable[[BatchTask, Vocabulary, Budget], TaskResult]] = {
    BatchKind.FILL: _fill,
    BatchKind.DESIGN: _design,
    BatchKind.RACE: _race,
    BatchKind.COUNT: _count,
    BatchKind.IMPROVE: _improve,
}
