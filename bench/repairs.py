"""How little of a filled grid a fill replaces where entries were typed over, beside what it must and a plain twin.

The bound is that of prices on crossings with many steps, so each is a proof; the twin is a large-neighbourhood
search that begins at what clashes, for two seconds of the processor, under the same rules.
"""

import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from time import thread_time
from typing import NamedTuple

from bench.tables import duration, table
from xwtui import api
from xwtui.engine.budget import Budget
from xwtui.engine.fill.portfolio import fill
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.improver import ImproveRun
from xwtui.engine.improve.plain_fill import repair_apart, shared_stems, under_the_rule
from xwtui.engine.improve.shared_best import SharedBest, Watch
from xwtui.engine.improve.worth import Worth
from xwtui.engine.problem.problem import Problem
from xwtui.engine.repair.closeness import Closeness
from xwtui.engine.repair.reduced_costs import ReducedCosts
from xwtui.engine.repair.repair import Repair
from xwtui.engine.warmup import warm_up
from xwtui.formats.registry import read_puzzle
from xwtui.model import Content, Position, edits
from xwtui.words.lexicon import Lexicon

_GRIDS, _FEW_GRIDS = 30, 3
_MOST_TYPED = 3
_DRAWN = 100
_TWIN_SECONDS = 2.0
_STEPS = 1_000
_WANTED = 12
"""Squares that a repair may change, wherever a fill with as few exists."""


class Overtyped(NamedTuple):
    """A grid that was whole until entries were typed over, and what stands in it now."""

    name: str
    problem: Problem
    standing: Mapping[Position, Content]
    typed: tuple[str, ...]
    mean_before: float


class _Row(NamedTuple):
    case: Overtyped
    made: Repair | None
    seconds: float
    entries: int
    bound: int
    twin: int | None


def lines(templates: Sequence[Path], words: Lexicon, tell: Callable[[str], None], *, is_quick: bool) -> list[str]:
    """What is measured, and a table with a row a grid."""
    warm_up(counting=False, improving=True)
    rows = list[_Row]()
    for number, path in enumerate(templates[: _FEW_GRIDS if is_quick else _GRIDS]):
        tell(path.stem)
        rows.append(_measured(overtyped(number, path, words), number))
    head = [
        "grid",
        "typed over",
        "squares",
        "proved fewest",
        "at least",
        "twin",
        "entries",
        "mean before",
        "after",
    ]
    done = [(row, len(row.made.changed)) for row in rows if row.made]
    worse = sum(row.twin is not None and row.twin < squares for row, squares in done)
    close = [squares for row, squares in done if row.bound <= _WANTED]
    return [
        f"{len(rows)} grids that the filler filled, in which one to {_MOST_TYPED} entries were typed over with "
        f"words of the list: in every other grid any word, else that of {_DRAWN} drawn with most "
        "letters in place. `squares` is what F5 replaces of the pencil then, `at least` a proved bound, `twin` "
        f"what a large-neighbourhood search comes to in {_TWIN_SECONDS:.0f} seconds of the processor.",
        "",
        *table([*head, "mean before", "after", "seconds"], [_cells(row) for row in rows]),
        "",
        f"Median squares: {statistics.median(squares for _, squares in done):g}, of the twin "
        f"{statistics.median(row.twin for row in rows if row.twin is not None):g}, of the bounds "
        f"{statistics.median(row.bound for row, _ in done):g}; median seconds of the processor "
        f"{duration(statistics.median(row.seconds for row in rows))}. More squares than the twin: {worse} of "
        f"{len(done)}. At most {_WANTED} squares are not ruled out in {len(close)}, where the squares are "
        f"{', '.join(map(str, close)) or 'none'}.",
    ]


def overtyped(number: int, path: Path, words: Lexicon) -> Overtyped:
    """The case of a number: the same each time."""
    random, puzzle = Random(number), read_puzzle(path)
    problem = api.problem_of(puzzle, words=words)
    standing = dict(fill(problem, Budget(seed=1, seconds=60)).squares)
    scores = [words.score(slot.spell(standing)) or 0 for slot in problem.slots]
    typed = random.sample(list(problem.slots), 1 + number % _MOST_TYPED)
    for slot in typed:
        table, now = problem.slot_numbers[slot.name], slot.spell(standing)
        every = [problem.word(table, row) for row in range(problem.tables[table].rows)]
        drawn = [word for word in random.sample(every, min(_DRAWN, len(every))) if word != now]
        word = drawn[0]
        if number % 2:
            word = max(drawn, key=lambda one: sum(map(str.__eq__, one, now)))
        puzzle = edits.place_answer(puzzle, slot, word)
        standing |= zip(slot.positions, map(Content.of, word), strict=True)
    problem = api.problem_of(puzzle, words=words)
    return Overtyped(path.stem, problem, standing, tuple(slot.name for slot in typed), statistics.mean(scores))


def _measured(case: Overtyped, seed: int) -> _Row:
    problem, standing = case.problem, case.standing
    begun = thread_time()
    repairs = repair_apart(problem, standing, Budget(seed=seed)).repairs
    seconds, made = thread_time() - begun, repairs[0] if repairs else None
    if made is None:
        return _Row(case, None, seconds, 0, 0, None)
    apart = under_the_rule(problem) if not shared_stems(problem.task, made.squares) else None
    closeness = Closeness(apart or problem, standing)
    near = closeness.within(None)
    assert near is not None, "there is a fill"
    start = closeness.start(near, None)
    costs = ReducedCosts(Worth(start, Objective()), near)
    costs.tighten(len(made.changed), _STEPS, lambda: False)
    changed = set(made.changed)
    entries = sum(not changed.isdisjoint(slot.positions) for slot in problem.slots)
    return _Row(case, made, seconds, entries, costs.least, _twin(start, standing))


def _twin(start: Problem, standing: Mapping[Position, Content]) -> int | None:
    """The squares that a large-neighbourhood search alone changes; None where it found no fill."""
    shared, end = SharedBest(Worth(start, Objective())), thread_time() + _TWIN_SECONDS
    ImproveRun(shared, Watch(shared, Budget(seed=1, stop=lambda: thread_time() > end)), standing).run()
    if shared.standing is None:
        return None
    return sum(standing.get(at, made) != made for at, made in shared.standing.squares(start).items())


def _cells(row: _Row) -> list[str]:
    made, name = row.made, [row.case.name, " ".join(row.case.typed)]
    if made is None:
        return [*name, "no fill", *["-"] * 5, "-", duration(row.seconds)]
    return [
        *name,
        str(len(made.changed)),
        "yes" if made.is_smallest else "no",
        str(row.bound),
        "-" if row.twin is None else str(row.twin),
        str(row.entries),
        f"{row.case.mean_before:.1f}",
        f"{made.mean_score:.1f}",
        duration(row.seconds),
    ]
