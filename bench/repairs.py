"""How few squares a fill replaces after entries of a filled grid were typed over: result, lower bound and twin.

The lower bound comes from Lagrangian prices on crossings, with many steps, so each is a proof. The twin is a plain
large-neighborhood search that starts at the conflict and runs for two processor seconds under the same rules with
its own seed.
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
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.portfolio import fill
from xwtui.engine.fill.search_settings import NEVER, Branching, SearchSettings
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.improver import ImproveRun
from xwtui.engine.improve.plain_fill import repair_apart, shared_stems, with_stem_rule
from xwtui.engine.improve.shared_best import SharedBest, Watch
from xwtui.engine.improve.worth import Worth
from xwtui.engine.problem.problem import Problem
from xwtui.engine.repair.closeness import Closeness, ReducedCosts, with_bounded_root
from xwtui.engine.repair.repair import Repair
from xwtui.engine.warmup import warm_up
from xwtui.formats.registry import read_puzzle
from xwtui.model import Content, Position, edits
from xwtui.words.lexicon import Lexicon

_GRIDS, _FEW_GRIDS, _SETS = 30, 3, 2
_MOST_TYPED = 3
_DRAWN = 100
_TWIN_SECONDS = 2.0
_TWIN_SEED = 10_007
"""Offset of the twin's seed from ours."""
_STEPS = 1_000
_WANTED = 12
"""Squares that a repair may change, if such a fill exists."""
_NODES_OF_PROOF = 100_000
_HEAD = ("grid", "typed over", "squares", "proved fewest", "at least", "twin", "entries")


class Overtyped(NamedTuple):
    """A filled grid in which entries were typed over, and its current contents."""

    name: str
    problem: Problem
    standing: Mapping[Position, Content]
    typed: tuple[str, ...]
    mean_before: float


class _Row(NamedTuple):
    case: Overtyped
    made: Repair | None
    seconds: float
    entries: int = 0
    bound: int = 0
    twin: int | None = None
    is_close: bool | None = False
    """Whether some fill changes at most `_WANTED` squares; None if unknown."""

    @property
    def squares(self) -> int:
        return len(self.made.changed) if self.made else 0

    @property
    def is_worse(self) -> bool:
        return self.made is not None and self.twin is not None and self.twin < self.squares


def lines(templates: Sequence[Path], words: Lexicon, tell: Callable[[str], None], *, is_quick: bool) -> list[str]:
    """Measure, and return a table for each set of grids, with one row per grid."""
    warm_up(counting=False, improving=True)
    told = [
        f"{_GRIDS} grids that the filler filled, in which one to {_MOST_TYPED} entries were typed over with "
        f"words of the list: in every other grid any word, else that of {_DRAWN} drawn with most "
        "letters in place. `squares` is what F5 replaces of the pencil then, `at least` a proved bound, `twin` "
        f"what a large-neighbourhood search comes to in {_TWIN_SECONDS:.0f} seconds of the processor. The second "
        "set has other fills and other words."
    ]
    for turn in range(_SETS):
        rows = list[_Row]()
        for number, path in enumerate(templates[: _FEW_GRIDS if is_quick else _GRIDS]):
            tell(f"{path.stem}, set {turn + 1}")
            rows.append(_measured(overtyped(number, turn, path, words), number))
        told += ["", *table([*_HEAD, "mean before", "after", "seconds"], [_cells(row) for row in rows])]
        told += ["", _summary(rows)]
    return told


def _summary(rows: Sequence[_Row]) -> str:
    done = [row for row in rows if row.made]
    close = [row.squares for row in done if row.is_close]
    open_ones = [row.squares for row in done if row.is_close is None]
    close_words = f", the median of which is {statistics.median(close):g}" if close else ""
    open_words = f", open in {len(open_ones)} ({', '.join(map(str, open_ones))} squares)" if open_ones else ""
    return (
        f"Median squares of {len(done)} grids: {statistics.median(row.squares for row in done):g}, of the twin "
        f"{statistics.median(row.twin for row in done if row.twin is not None):g}, of the bounds "
        f"{statistics.median(row.bound for row in done):g}; median seconds of the processor "
        f"{duration(statistics.median(row.seconds for row in done))}. More squares than the twin: "
        f"{sum(row.is_worse for row in done)}. At most {_WANTED} squares are enough in {len(close)}, where F5 "
        f"replaces {', '.join(map(str, close)) or 'none'}{close_words}; proved impossible in "
        f"{len(done) - len(close) - len(open_ones)}{open_words}."
    )


def overtyped(number: int, turn: int, path: Path, words: Lexicon) -> Overtyped:
    """Return a reproducible case of a set."""
    random, puzzle = Random(number + _GRIDS * turn), read_puzzle(path)
    problem = api.problem_of(puzzle, words=words)
    standing = dict(fill(problem, Budget(seed=1 + turn, seconds=60)).squares)
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
        return _Row(case, None, seconds)
    apart = with_stem_rule(problem) if not shared_stems(problem.task, made.squares) else None
    closeness = Closeness(apart or problem, standing)
    near = closeness.within(None)
    assert near is not None, "there is a fill"
    start = with_bounded_root(near.problem, None)
    costs = ReducedCosts(Worth(start, Objective()), near)
    costs.tighten(len(made.changed), _STEPS, lambda: False)
    changed = set(made.changed)
    entries = sum(not changed.isdisjoint(slot.positions) for slot in problem.slots)
    is_close = True if len(made.changed) <= _WANTED else _can_be_close(costs, standing)
    return _Row(case, made, seconds, entries, costs.least, _twin(start, standing, seed + _TWIN_SEED), is_close)


def _can_be_close(costs: ReducedCosts, standing: Mapping[Position, Content]) -> bool | None:
    """Whether a fill changes at most `_WANTED` squares; None if the node limit does not settle it."""
    near = costs.within(_WANTED) if costs.least <= _WANTED else None
    if near is None or not near.problem.root.is_possible:
        return False
    filler = Filler(near.problem, settings=SearchSettings(first_restart=NEVER, branching=Branching.ON_WORDS))
    while filler.statistics.nodes < _NODES_OF_PROOF:
        if filler.advance(nodes=_NODES_OF_PROOF) is not Outcome.FILLED:
            return False if filler.outcome is Outcome.IMPOSSIBLE else None
        if sum(standing.get(at, now) != now for at, now in filler.fill().items()) <= _WANTED:
            return True
        filler.reject_fill()
    return None


def _twin(start: Problem, standing: Mapping[Position, Content], seed: int) -> int | None:
    """Return the squares changed by large-neighborhood search alone; None if it found no fill."""
    shared, end = SharedBest(Worth(start, Objective())), thread_time() + _TWIN_SECONDS
    ImproveRun(shared, Watch(shared, Budget(seed=seed, stop=lambda: thread_time() > end)), standing).run()
    if shared.best is None:
        return None
    return sum(standing.get(at, made) != made for at, made in shared.best.squares(start).items())


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
