"""Cost of the answers about a grid: why it has no fill, what other blocks would change, candidates of an entry."""

import gc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import process_time
from typing import NamedTuple

from bench.tables import duration, table
from xwtui.engine.budget import Budget
from xwtui.engine.candidates.find import CandidateBoard
from xwtui.engine.explain.explain import explain
from xwtui.engine.explain.explanation import Explanation
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.engine.warmup import warm_up
from xwtui.engine.what_if.ranking import Ranking, block_changes
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Direction, Grid, Ink, Position, Slot, Symmetry
from xwtui.model.block_changes import BlockChange
from xwtui.resources import default_word_list, puzzles_folder
from xwtui.words.compiled_lists import open_word_list
from xwtui.words.lexicon import Lexicon

TEMPLATES = ("15x15-01", "15x15-05", "15x15-09", "15x15-12", "themeless-15x15")
_MINIMUM = 40
_SECONDS = 30.0
_RARE = "JQXZVKW"


class _Times(NamedTuple):
    """Processor seconds until each event was reported; None if it was not."""

    conflict: float | None
    remedy: float | None
    end: float


def lines(tell: Callable[[str], None], *, is_quick: bool) -> list[str]:
    """Measure, and return the introduction and the tables."""
    tell("loading the engine")
    warm_up(counting=True, improving=True)
    words = open_word_list(default_word_list()).word_list
    lexicon = Lexicon.build([words], minimum_score=_MINIMUM)
    gc.freeze()  # as the screen does
    templates = TEMPLATES[:2] if is_quick else TEMPLATES
    explained = (
        "Seconds of the processor, with words and engine loaded. `why` is asked on templates made impossible by "
        "two letters in a corner, by answers with many rare letters in adjacent rows, or by the mildest minimum "
        "score of 45, 50, ... that rules out a fill. A remedy counts once a fill has verified it."
    )
    why = ["`why`", "conflicts", "certainty", "first conflict", "first remedy", "remedies", "all known"]
    blocks = ["`whatif blocks`", "legal changes", "all looked at", "best ones searched"]
    costs = ["`candidates`", "words", "propagated", "each with its estimate, beliefs being there"]
    return [
        explained,
        "",
        *table(why, _why_rows(templates, lexicon, tell)),
        "",
        *table(blocks, _block_rows(templates, lexicon, tell)),
        "",
        *table(costs, _candidate_rows(Lexicon.build([words]), tell)),
    ]


def _grid(name: str) -> Grid:
    return grid_from_text((puzzles_folder() / "templates" / f"{name}.txt").read_text())


def _cases(grid: Grid, lexicon: Lexicon) -> Iterator[tuple[str, Task]]:
    start = min(grid.open_positions())
    yield "a letter", Task(_written(grid, {start: "Q", start.step(Direction.ACROSS, 1): "X"}), lexicon)
    letters: dict[Position, str] = {}
    for number, slot in enumerate(_stacked(grid)):
        letters.update(zip(slot.positions, _rarest(lexicon, slot, number), strict=True))
    yield "stacked answers", Task(_written(grid, letters), lexicon)
    raised = (lexicon.with_minimum(score) for score in range(45, 100, 5))
    yield (
        "the lowest score",
        next(task for listed in raised if not Problem.of(task := Task(grid, listed)).root.is_possible),
    )


def _stacked(grid: Grid) -> Sequence[Slot]:
    """Return the longest across entry, and the longest entry in the next row that crosses the same columns."""
    across = [slot for slot in grid.slots if slot.direction is Direction.ACROSS]
    upper = max((slot for slot in across if slot.start.row < grid.height - 1), key=len)
    below = {at.step(Direction.DOWN, 1) for at in upper.positions}
    return upper, max((slot for slot in across if below & set(slot.positions)), key=len)


def _rarest(lexicon: Lexicon, slot: Slot, number: int) -> str:
    """Return the word at index `number`, sorted by number of rare letters in descending order."""
    table_words = lexicon.table(len(slot)).words()
    return sorted(table_words, key=lambda word: -sum(word.count(letter) for letter in _RARE))[number]


def _written(grid: Grid, letters: dict[Position, str]) -> Grid:
    return grid.with_squares(
        {at: replace(grid[at], content=Content.of(letter), ink=Ink.PEN) for at, letter in letters.items()}
    )


def _why_rows(templates: Sequence[str], lexicon: Lexicon, tell: Callable[[str], None]) -> Iterator[list[str]]:
    for name in templates:
        for case, task in _cases(_grid(name), lexicon):
            tell(f"why: {name}, {case}")
            explanation, times = _explained(task)
            certainties = dict.fromkeys(conflict.certainty.value for conflict in explanation.conflicts)
            figures = ["" if taken is None else duration(taken) for taken in times]
            number, remedies = len(explanation.conflicts), len(explanation.remedies)
            certainty = ", ".join(certainties) or explanation.answer.value
            yield [f"{name}: {case}", str(number), certainty, *figures[:2], str(remedies), figures[2]]


def _explained(task: Task) -> tuple[Explanation, _Times]:
    begin = process_time()
    firsts: dict[str, float] = {}

    def note(so_far: Explanation) -> None:
        for what, is_there in (("conflict", so_far.conflicts), ("remedy", so_far.remedies)):
            if is_there:
                firsts.setdefault(what, process_time() - begin)

    explanation = explain(task, Budget(_SECONDS), found=note)
    note(explanation)
    return explanation, _Times(firsts.get("conflict"), firsts.get("remedy"), process_time() - begin)


def _block_rows(templates: Sequence[str], lexicon: Lexicon, tell: Callable[[str], None]) -> Iterator[list[str]]:
    for name in templates:
        tell(f"whatif blocks: {name}")
        begin = process_time()
        looked: list[float] = []

        def note(so_far: Ranking[BlockChange], begin: float = begin, looked: list[float] = looked) -> None:
            if so_far.total is not None and not looked:
                looked.append(process_time() - begin)

        ranking = block_changes(Task(_grid(name), lexicon), Symmetry.ROTATION_180, found=note)
        yield [name, str(ranking.total), duration(looked[0]), duration(process_time() - begin)]


def _candidate_rows(lexicon: Lexicon, tell: Callable[[str], None]) -> Iterator[list[str]]:
    tell("candidates")
    for length in sorted(lexicon.lengths, key=lambda length: -len(lexicon.table(length).scores))[:3]:
        problem = Problem.build(Grid.blank(3, length), lexicon)
        CandidateBoard(problem, 0).propagate()
        begin = process_time()
        board = CandidateBoard(problem, 0)
        board.propagate()
        propagated = process_time() - begin
        words = board.estimates()
        yield [f"of {length} letters", f"{len(words):,}", duration(propagated), duration(process_time() - begin)]
