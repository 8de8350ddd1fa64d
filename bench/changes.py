"""How soon a fill follows an edit, and how soon the other words of an entry are known with what they change."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from time import thread_time
from typing import NamedTuple

from bench.tables import duration, table
from xwtui import api
from xwtui.engine.fill.portfolio import fill
from xwtui.engine.problem.problem import Problem
from xwtui.engine.repair.repair import follow, repair
from xwtui.engine.warmup import warm_up
from xwtui.formats.registry import read_puzzle
from xwtui.model import Content, Position, Puzzle, edits
from xwtui.words.lexicon import Lexicon

_EDITS, _FEW_EDITS = 60, 15
_ENTRIES, _FEW_ENTRIES = 20, 5
_WORDS = 5
_SECONDS = 10.0

Fill = Mapping[Position, Content]


class Followed(NamedTuple):
    """An edit and the fill after it."""

    seconds: float
    moved: float
    """The share of the squares that are others than before."""


def lines(templates: Sequence[Path], words: Lexicon, tell: Callable[[str], None], *, is_quick: bool) -> list[str]:
    """What is measured, and a table with a row a template."""
    warm_up(counting=False, improving=True)
    rows = []
    for path in templates:
        tell(path.stem)
        puzzle = read_puzzle(path)
        followed = _followed(puzzle, words, _FEW_EDITS if is_quick else _EDITS)
        found = _swaps(puzzle, words, _FEW_ENTRIES if is_quick else _ENTRIES)
        seconds = sorted(one.seconds for one in followed)
        rows.append(
            [
                path.stem,
                duration(statistics.median(seconds)),
                duration(seconds[9 * len(seconds) // 10]),
                f"{statistics.median(one.moved for one in followed):.0%}",
                duration(statistics.median(took for took, _ in found)),
                f"{statistics.mean(proved for _, proved in found):.0%}",
            ]
        )
    head = ["template", "live fill", "nine of ten within", "squares moved", "swaps", "proved smallest"]
    return [
        "Seconds of one processor. An edit writes a letter or a word into an entry, at random among those that "
        "propagation leaves; the live fill is the grid laid out anew and a fill mended after it, of which a "
        f"median share of the squares moves. Swaps: the {_WORDS} other words of an entry of a full grid that "
        "change fewest squares, and the share of entries where all are proved to be so.",
        "",
        *table(head, rows),
    ]


def _followed(puzzle: Puzzle, words: Lexicon, count: int) -> list[Followed]:
    """Edit after edit, until the grid is full; those that leave no fill are taken back."""
    random, last, found = Random(3), dict[Position, Content](), list[Followed]()
    before = puzzle
    for _ in range(count):
        begun = thread_time()
        problem = api.problem_of(puzzle, words=words)
        following = follow(problem, last, seconds=_SECONDS).squares
        seconds = thread_time() - begun
        if not following:
            puzzle = before
            continue
        if last:
            moved = sum(content != last.get(at) for at, content in following.items())
            found.append(Followed(seconds, moved / max(len(following), 1)))
        last, before = dict(following), puzzle
        puzzle = _edited(puzzle, problem, random)
        if puzzle is before:
            break
    return found


def _edited(puzzle: Puzzle, problem: Problem, random: Random) -> Puzzle:
    """The puzzle with a letter or a word written; itself, where nothing is empty."""
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
    """For some entries of a full grid: how long their swaps took, and whether all are proved the smallest."""
    problem = api.problem_of(puzzle, words=words)
    standing: Fill = fill(problem, seed=1, seconds=60).squares
    found = []
    for slot in Random(3).sample(problem.slots, min(count, len(problem.slots))):
        begun = thread_time()
        result = repair(problem, standing, entry=slot.name, most=_WORDS, seconds=_SECONDS)
        is_proved = len(result.repairs) == _WORDS or result.is_complete
        found.append((thread_time() - begun, is_proved and all(made.is_smallest for made in result.repairs)))
    return found
