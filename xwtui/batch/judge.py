"""The judge: checks workers' results against the task by grid, words and rules alone, without the engine.

A valid result keeps its finds, with figures that the judge reads off the grid. An invalid one is marked foul, with
the reason.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import combinations

from xwtui.batch.races.referee import fault_of, measure
from xwtui.batch.races.task import RaceTask
from xwtui.batch.subjects import race_task, read_design_text, read_improvement_text
from xwtui.batch.tasks import BatchKind, BatchTask, Find, TaskResult, TaskState, digest_of
from xwtui.engine.problem.task import Task
from xwtui.errors import XwtuiError
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.grids.library import pattern_key
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Ink, Kind, Position, Slot
from xwtui.model.answers import pieces
from xwtui.model.statistics import LayoutFigures
from xwtui.words.sources import Vocabulary

with lazy_imports():
    from xwtui.grids.designs import DesignWanted
    from xwtui.grids.layouts import LayoutWanted
    from xwtui.grids.placements import Themer
    from xwtui.grids.profiles import judge


class _InvalidResultError(Exception):
    """What is wrong with a find, worded for a constructor."""


def judged_bytes(task: BatchTask, data: bytes, vocabulary: Vocabulary) -> TaskResult:
    """Read a worker's result and judge it; INVALID if it cannot be read."""
    try:
        return judged(task, TaskResult.from_bytes(data), vocabulary)
    except ValueError as error:
        return TaskResult(task.name, TaskState.INVALID, reason=f"its result cannot be read: {error}")


def judged(task: BatchTask, result: TaskResult, vocabulary: Vocabulary) -> TaskResult:
    """Return the result with the judge's own figures, or INVALID and without finds if anything is invalid."""
    try:
        _check_whole(task, result)
        finds = tuple(_judged(task, one, vocabulary) for one in result.finds)
        if len({one.layout for one in finds}) < len(finds) and task.kind is BatchKind.DESIGN:
            raise _InvalidResultError("two of the designs have the same layout")
    except (_InvalidResultError, XwtuiError, KeyError, TypeError, ValueError) as error:
        reason = error if isinstance(error, _InvalidResultError | XwtuiError) else f"it cannot be read: {error}"
        return replace(result, state=TaskState.INVALID, finds=(), reason=str(reason))
    return replace(result, finds=finds)


def _check_whole(task: BatchTask, result: TaskResult) -> None:
    """Raise _InvalidResultError for a result that does not match the task."""
    if result.name != task.name:
        raise _InvalidResultError("it is another task's result")
    if not (math.isfinite(result.seconds) and result.seconds >= 0):
        raise _InvalidResultError("its time is impossible")
    is_found = result.state is TaskState.FOUND
    if task.kind is BatchKind.COUNT:
        _check_count(result)
    elif is_found and not result.finds:
        raise _InvalidResultError("it claims a result and shows none")
    elif result.finds and not (is_found or result.state is TaskState.STOPPED):
        raise _InvalidResultError(f"it is {result.state.value} and yet shows a result")


def _check_count(result: TaskResult) -> None:
    if result.state is not TaskState.FOUND:
        return
    log10, low, high, exact = (result.figures[name] for name in ("log10", "low", "high", "exact"))
    if exact is not None:
        is_sound = exact.isdigit() and log10 is not None and abs(math.log10(int(exact)) - log10) < 1e-6
    else:
        bounds = (-math.inf if low is None else low, math.inf if high is None else high)
        is_sound = log10 is not None and math.isfinite(log10) and bounds[0] - 1e-9 <= log10 <= bounds[1] + 1e-9
    if not is_sound:
        raise _InvalidResultError("its figures contradict each other")


def _judged(task: BatchTask, find: Find, vocabulary: Vocabulary) -> Find:
    """Return the find as read off its grid; raises _InvalidResultError, and XwtuiError for an invalid grid."""
    filled = grid_from_text("\n".join(find.rows))
    if task.kind is BatchKind.DESIGN:
        race = _design_task(task, find, vocabulary)
    else:
        puzzle = read_improvement_text(task.asked).puzzle if task.kind is BatchKind.IMPROVE else task.asked
        race = race_task(puzzle, vocabulary, task.settings.allow_repeats)
    grid = race.engine_task.grid
    if _layout(filled) != _layout(grid):
        raise _InvalidResultError("its blocks are not the grid's")
    fill = {at: content for at in sorted(race.squares) if (content := filled[at].content) is not None}
    fault = fault_of(race, fill)
    if fault:
        raise _InvalidResultError(fault)
    figures = LayoutFigures.of(grid)
    mean, lowest = _scores(race, fill)
    return replace(
        find,
        mean_score=mean,
        lowest_score=lowest,
        words=figures.words,
        blocks=figures.blocks,
        layout=layout_digest(grid),
    )


def _scores(race: RaceTask, fill: Mapping[Position, Content]) -> tuple[float | None, int | None]:
    """Return the mean and lowest score of the entries that are not given whole, or of all if all are given."""
    task, score_of = race.engine_task, race.engine_task.lexicon.score
    free = [slot for slot in task.grid.entries if task.given_answer(slot) is None]
    if not free:
        found = measure(race, fill)
        return found.mean_score, found.lowest_score
    answers = [slot.spell(fill) for slot in free]
    scores = [score for answer in answers if (score := score_of(answer)) is not None]
    return (sum(scores) / len(scores), min(scores)) if scores else (None, None)


def _design_task(task: BatchTask, find: Find, vocabulary: Vocabulary) -> RaceTask:
    """Return the fill task of a design's grid; raises _InvalidResultError if the design was not requested."""
    wanted = read_design_text(task.asked, task.settings.count)
    drawn = grid_from_text("\n".join(find.grid))
    grid = drawn.with_squares(
        {at: replace(drawn[at], ink=Ink.LOCKED) for at in drawn.open_positions() if drawn[at].content is not None}
    )
    _check_layout(wanted.layout, grid)
    _check_themers(wanted, find, grid)
    return RaceTask(puzzle_of_grid(grid), Task(grid, vocabulary.lexicon))


def _check_layout(wanted: LayoutWanted, grid: Grid) -> None:
    if (grid.height, grid.width) != (wanted.height, wanted.width):
        raise _InvalidResultError("its size is different")
    shortfalls = judge(grid, replace(wanted.profile, symmetries=(wanted.symmetry,)))
    if shortfalls:
        raise _InvalidResultError(shortfalls[0].message)
    figures = LayoutFigures.of(grid)
    for most, number, what in (
        (wanted.most_words, figures.words, "words"),
        (wanted.most_blocks, figures.blocks, "blocks"),
    ):
        if most is not None and number > most:
            raise _InvalidResultError(f"it has {number} {what}; the limit is {most}")


def _check_themers(wanted: DesignWanted, find: Find, grid: Grid) -> None:
    """Raise _InvalidResultError unless the grid has the theme answers, square by square, and nothing else."""
    placed: Counter[tuple[str, ...]] = Counter()
    slots: dict[tuple[str, ...], Slot] = {}
    covered: set[Position] = set()
    for entry, answer in find.themers.items():
        slot = grid.slot(entry)
        squares = tuple("" if (content := grid[at].content) is None else content.text for at in slot.positions)
        if squares != tuple(content.text for content in pieces(answer)):
            raise _InvalidResultError(f"{entry} is not {answer}")
        placed[squares] += 1
        slots[squares] = slot
        covered.update(slot.positions)
    requested = Counter(themer.contents for themer in wanted.themers)
    missing = (wanted.choose or requested.total()) - placed.total()
    if placed - requested or missing:
        raise _InvalidResultError("the theme answers are not the ones requested, once each")
    for themer in wanted.themers:
        found = slots.get(themer.contents)
        if found is None:
            if wanted.needs(themer):
                raise _InvalidResultError(f"{themer.answer} is missing")
        elif not _is_where_requested(themer, found, [one.start for one in slots.values()]):
            raise _InvalidResultError(f"{found.name} is not where {themer.answer} belongs")
    _check_pairs(wanted, slots)
    extra = next((at for at in grid.open_positions() if grid[at].content is not None and at not in covered), None)
    if extra is not None:
        raise _InvalidResultError(f"{extra} is not part of a theme answer")


def _check_pairs(wanted: DesignWanted, slots: Mapping[tuple[str, ...], Slot]) -> None:
    for one, other in combinations(wanted.themers, 2):
        first, second = slots.get(one.contents), slots.get(other.contents)
        if one.partner is None or one.partner != other.partner or first is None or second is None:
            continue
        if wanted.kind.image(first.positions) != (second.start, second.direction):
            raise _InvalidResultError(f"{one.answer} and {other.answer} must mirror each other")


def _is_where_requested(themer: Themer, slot: Slot, starts: Collection[Position]) -> bool:
    """Whether an entry is where its theme answer belongs; `starts` are the start squares of all theme answers."""
    wanted = (themer.start, themer.direction, themer.number)
    actual = (slot.start, slot.direction, slot.number)
    is_there = all(one in (None, other) for one, other in zip(wanted, actual, strict=True))
    return is_there and (not themer.is_last or slot.start == max(starts))


def _layout(grid: Grid) -> tuple[tuple[Kind, ...], ...]:
    return tuple(tuple(square.kind for square in row) for row in grid.rows())


def layout_digest(grid: Grid) -> str:
    """Return a hash of the blocks, voids and bars that is invariant under mirroring and rotation."""
    return digest_of(repr(pattern_key(grid)))
