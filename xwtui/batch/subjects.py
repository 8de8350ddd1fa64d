"""The subjects of tasks as text, with exactly what a result depends on: ipuz for puzzles, JSON for designs.

So the same grid with another title is not another task.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import convert, to_builtins

from xwtui.batch.races.task import RaceTask
from xwtui.batch.tasks import canonical
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.problem.task import Task
from xwtui.formats.grid_text import contents_in, grid_to_text
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Direction, Position, Puzzle, Symmetry, WordChoice
from xwtui.model.edits import clear_pencil, write_fill
from xwtui.words.sources import Vocabulary

with lazy_imports():
    from xwtui.grids import designs, layouts, placements, profiles

_SUFFIX = ".ipuz"
_KEPT = 16
"""Puzzles cached in laid-out form, for later tasks with other seeds."""


def fill_problem_text(puzzle: Puzzle) -> str:
    """Return a puzzle's fill problem as text: layout, givens, rules, alphabet; its words are kept separately."""
    cleared = clear_pencil(puzzle)
    words = WordChoice(alphabet=puzzle.alphabet)
    return puzzle_text(Puzzle(cleared.grid, symmetry=puzzle.symmetry, words=words, rules=puzzle.rules))


def task_text(task: Task) -> str:
    """Return the same text for a whole-grid task of the engine."""
    words = WordChoice(alphabet=task.lexicon.alphabet)
    return fill_problem_text(Puzzle(task.grid, symmetry=task.symmetry, words=words, rules=task.rules))


class ImprovementInput(NamedTuple):
    """The input of one slice of an improvement."""

    puzzle: str
    """Text from `fill_problem_text`."""
    start: Mapping[Position, Content]
    objective: Objective


def improvement_text(puzzle: str, start: Mapping[Position, Content], objective: Objective) -> str:
    """Return a fill to be improved as text, on a puzzle from `task_text`."""
    filled = write_fill(read_puzzle_text(puzzle), start).grid
    start_rows = grid_to_text(filled).splitlines()
    return canonical({"puzzle": puzzle, "start": start_rows, "objective": objective})


def read_improvement_text(text: str) -> ImprovementInput:
    """Parse text from `improvement_text`."""
    values = json.loads(text)
    return ImprovementInput(
        values["puzzle"], contents_in(values["start"]), convert(values["objective"], Objective)
    )


def puzzle_text(puzzle: Puzzle) -> str:
    """Return a puzzle as the text of an ipuz file, without its snapshots."""
    return puzzle_bytes(puzzle.with_snapshots({}), _SUFFIX).data.decode()


def read_puzzle_text(text: str) -> Puzzle:
    """Parse a puzzle from text; raises PuzzleFormatError if it is invalid."""
    return read_bytes(text.encode(), _SUFFIX)


@lru_cache(_KEPT)
def race_task(text: str, vocabulary: Vocabulary, allow_repeats: bool) -> RaceTask:
    """Return a puzzle's task with these words, for both the filler and the referee."""
    puzzle = read_puzzle_text(text)
    return RaceTask(puzzle, Task.of(puzzle, vocabulary, allow_repeats=allow_repeats))


def design_text(wanted: designs.DesignWanted) -> str:
    """Return a request for designs as text: the theme answers, and the layouts around them."""
    return canonical(
        {
            **layout_values(wanted.layout),
            "themers": [
                {**to_builtins(one), "start": str(one.start) if one.start else None} for one in wanted.themers
            ],
            "choose": wanted.choose,
            "directions": (wanted.directions, *wanted.fallback_directions),
        }
    )


_LIMITS = ("fewest_words", "most_words", "fewest_blocks", "most_blocks", "most_threes", "longest_entry")


def layout_values(layout: layouts.LayoutWanted) -> Mapping[str, Any]:
    """Return the requested layouts as plain data, without any given grid."""
    limits = {name: getattr(layout, name) for name in _LIMITS}
    return {
        "size": [layout.height, layout.width],
        "symmetry": layout.symmetry.value,
        "profile": layout.profile,
        "limits": {name: limit for name, limit in limits.items() if limit is not None},
    }


def read_layout(values: Mapping[str, Any]) -> layouts.LayoutWanted:
    """Parse layouts from `layout_values`."""
    height, width = values["size"]
    profile = convert(values["profile"], profiles.Profile)
    return layouts.LayoutWanted(height, width, profile, Symmetry(values["symmetry"]), **values["limits"])


def read_design_text(text: str, count: int) -> designs.DesignWanted:
    """Parse a request for designs, at most `count` of them."""
    values = json.loads(text)
    starts = [None if one["start"] is None else Position.parse(one["start"]) for one in values["themers"]]
    themers = ({**one, "start": start} for one, start in zip(values["themers"], starts, strict=True))
    directions, *others = (tuple(map(Direction, ways)) for ways in values["directions"])
    return designs.DesignWanted(
        tuple(convert(one, placements.Themer) for one in themers),
        read_layout(values),
        choose=values["choose"],
        directions=directions,
        fallback_directions=tuple(others),
        count=count,
    )
