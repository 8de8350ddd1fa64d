"""Delay of a live fill after an edit, and of swaps: an entry's other words and what each changes."""

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
from xwtui.engine.fill.portfolio import fill
from xwtui.engine.problem.problem import Problem
from xwtui.engine.repair.repair import RepairWanted, follow, repair
from xwtui.engine.warmup import warm_up
from xwtui.formats.registry import read_puzzle
from xwtui.model import Content, Position, Puzzle, edits
from xwtui.words.lexicon import Lexicon

_WALK = 25
"""Edits per walk, which begins with an empty grid."""
_WALKS, _FEW_WALKS = 2, 1
"""Walks per seed."""
_SEEDS, _FEW_SEEDS = range(5), range(1)
_ENTRIES, _FEW_ENTRIES = 20, 5
_WORDS = 5
_SECONDS = 10.0
_LIVE_SECONDS = 0.5

Fill = Mapping[Position, Content]


class Followed(NamedTuple):
    """An edit and the live fill that followed it."""

    outcome: Outcome
    agreed: float
    """Seconds until the display agrees with the edit.

    It shows the part of the last fill that may stay, the new fill, or nothing.
    """
    seconds: float
    """Seconds until the new fill, a proof that there is none, or giving up."""
    moved: float
    """Share of the squares that differ from the previous fill; 0 if there is no fill."""


def live_lines(
    templates: Sequence[Path], words: Lexicon, tell: Callable[[str], None], *, is_quick: bool
) -> list[str]:
    """Measure live fills, and return tables with one row per template."""
    warm_up(counting=False, improving=True)
    seeds, walks = (_FEW_SEEDS, _FEW_WALKS) if is_quick else (_SEEDS, _WALKS)
    rows, agreements, every = [], [], list[Followed]()
    for path in templates:
        tell(path.stem)
        followed = [one for seed in seeds for one in _followed(read_puzzle(path), words, seed, walks)]
        every += followed
        rows.append([path.stem, *_figures(followed)])
        agreements.append([path.stem, *_agreement(followed)])
    rows.append(["all", *_figures(every)])
    agreements.append(["all", *_agreement(every)])
    quartiles = "25 of 100 within", "median", "75 of 100 within", "95 of 100 within", "99 of 100 within"
    return [
        f"Seconds of one processor. Starting from an empty grid, {_WALK} edits each write a random letter or word "
        "that propagation allows. The time includes laying out the grid after the edit. First, the time until the "
        "preview agrees with the edit: the new fill; before that, the part of the last one that may stay; or "
        "nothing, if it is proved that there is no fill:",
        "",
        *table(["template", "edits", *quartiles, "longest"], agreements),
        "",
        "Then the time until the whole grid is filled, with the mean share of squares that change. Edits that "
        "leave no fill (with the median time of the proofs) and edits after which none is found within "
        f"{_LIVE_SECONDS} s are listed separately, and undone:",
        "",
        *table(["template", "edits", *quartiles, "squares moved", "no fill: proved", "none found"], rows),
    ]


def swap_lines(
    templates: Sequence[Path], words: Lexicon, tell: Callable[[str], None], *, is_quick: bool
) -> list[str]:
    """Measure swaps, and return a table with one row per template."""
    warm_up(counting=False, improving=True)
    rows = []
    for path in templates:
        tell(path.stem)
        found = _swaps(read_puzzle(path), words, _FEW_ENTRIES if is_quick else _ENTRIES)
        took = statistics.median(seconds for seconds, _ in found)
        rows.append([path.stem, duration(took), f"{statistics.mean(proved for _, proved in found):.0%}"])
    return [
        f"Seconds of one processor to find the {_WORDS} other words for an entry of a full grid that change the "
        "fewest squares, and the share of entries for which all of these are proved.",
        "",
        *table(["template", "swaps", "proved smallest"], rows),
    ]


def _agreement(followed: Sequence[Followed]) -> list[str]:
    seconds = [one.agreed for one in followed]
    return [str(len(seconds)), *_quantiles(seconds), duration(max(seconds))]


def _quantiles(seconds: Sequence[float]) -> list[str]:
    return [duration(sorted(seconds)[len(seconds) * share // 100]) for share in (25, 50, 75, 95, 99)]


def _figures(followed: Sequence[Followed]) -> list[str]:
    filled = [one for one in followed if one.outcome is Outcome.FILLED]
    proved = sorted(one.seconds for one in followed if one.outcome is Outcome.IMPOSSIBLE)
    return [
        str(len(filled)),
        *_quantiles([one.seconds for one in filled]),
        f"{statistics.mean(one.moved for one in filled):.0%}",
        f"{len(proved)} in {duration(statistics.median(proved))}" if proved else "0",
        str(len(followed) - len(filled) - len(proved)),
    ]


def _followed(puzzle: Puzzle, words: Lexicon, seed: int, walks: int) -> list[Followed]:
    """Edit an empty grid step by step. An edit that leaves no fill is undone."""
    random, found = Random(seed), list[Followed]()
    for _ in range(walks):
        problem = api.problem_of(puzzle, words=words)
        last = follow(problem, {}, Budget(seed=seed)).squares
        now, before = _edited(puzzle, problem, random), puzzle
        for _ in range(_WALK):
            if now is before:
                break
            begun = thread_time()
            problem = api.problem_of(now, words=words)
            agreed = list[float]()
            following = follow(
                problem,
                last,
                Budget(seed=seed, stop=_limit(begun + _LIVE_SECONDS)),
                agreed=lambda _: agreed.append(thread_time()),  # noqa: B023  (called within this iteration)
            )
            seconds, squares = thread_time() - begun, following.squares
            first = agreed[0] - begun if agreed else seconds
            moved = sum(content != last.get(at) for at, content in squares.items())
            found.append(Followed(following.outcome, first, seconds, moved / max(len(squares), 1)))
            if following.outcome is Outcome.FILLED:
                last, before = squares, now
            else:
                problem = api.problem_of(before, words=words)
            now = _edited(before, problem, random)
    return found


def _limit(end: float) -> Callable[[], bool]:
    """Return a stop callback that is true once this thread's processor time passes `end`."""
    return lambda: thread_time() > end


def _edited(puzzle: Puzzle, problem: Problem, random: Random) -> Puzzle:
    """Return the puzzle with one letter or word written; unchanged if no entry is empty."""
    empty = [slot for slot in puzzle.grid.slots if puzzle.grid.answer(slot) is None]
    if not empty:
        return puzzle
    slot = random.choice(empty)
    number = problem.slot_numbers[slot.name]
    rows = problem.rows_left(problem.root.state, number).tolist()
    word = problem.word(number, random.choice(rows[: len(rows) // 2 + 1]))
    if random.random() < 0.5:
        return edits.place_answer(puzzle, slot, word)
    at, letter = random.choice(
        [(at, letter) for at, letter in zip(slot.positions, word, strict=True) if puzzle.grid[at].content is None]
    )
    return edits.set_square(puzzle, at, Content.of(letter))


def _swaps(puzzle: Puzzle, words: Lexicon, count: int) -> list[tuple[float, bool]]:
    """Return the seconds and whether all repairs are proved smallest, for a sample of entries of a full grid."""
    problem = api.problem_of(puzzle, words=words)
    standing: Fill = fill(problem, Budget(seed=1, seconds=60)).squares
    found = []
    for slot in Random(3).sample(problem.slots, min(count, len(problem.slots))):
        begun = thread_time()
        result = repair(problem, standing, Budget(_SECONDS), RepairWanted(slot.name, most=_WORDS))
        is_proved = len(result.repairs) == _WORDS or result.is_complete
        found.append((thread_time() - begun, is_proved and all(made.is_smallest for made in result.repairs)))
    return found
