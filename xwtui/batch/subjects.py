"""What tasks are about, as text: of puzzles ipuz, with what a result depends on and nothing else, of designs JSON.

So the same grid under another title is no other task.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import convert, to_builtins

from xwtui.batch.tasks import canonical
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.problem.task import Task
from xwtui.formats.grid_text import contents_in, grid_to_text
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Direction, Position, Puzzle, Symmetry, WordChoice
from xwtui.model.edits import clear_pencil, write_fill
from xwtui.named_tuples import NamedTuple
from xwtui.racing.task import RaceTask
from xwtui.words.sources import Vocabulary

with lazy_imports():
    from xwtui.grids import designs, layouts, placements, profiles

_SUFFIX = ".ipuz"
_KEPT = 16
"""Puzzles that are laid out at once, for the tasks with other seeds that come next."""


def asked_of_puzzle(puzzle: Puzzle) -> str:
    """What a puzzle asks of a fill: layout, what is given, rules, alphabet. Its words are told apart."""
    cleared = clear_pencil(puzzle)
    words = WordChoice(alphabet=puzzle.alphabet)
    return puzzle_text(Puzzle(cleared.grid, symmetry=puzzle.symmetry, words=words, rules=puzzle.rules))


def asked_of_task(task: Task) -> str:
    """The same of a task for the whole grid, as the engine has it."""
    words = WordChoice(alphabet=task.lexicon.alphabet)
    return asked_of_puzzle(Puzzle(task.grid, symmetry=task.symmetry, words=words, rules=task.rules))


class AskedImprovement(NamedTuple):
    """What a slice of an improvement begins with."""

    puzzle: str
    """What `asked_of_puzzle` wrote."""
    start: Mapping[Position, Content]
    objective: Objective


def asked_of_improving(puzzle: str, start: Mapping[Position, Content], objective: Objective) -> str:
    """A fill to be made better, on a puzzle that `asked_of_task` wrote."""
    filled = write_fill(read_puzzle_text(puzzle), start).grid
    start_rows = grid_to_text(filled).splitlines()
    return canonical({"puzzle": puzzle, "start": start_rows, "objective": objective})


def read_improving(asked: str) -> AskedImprovement:
    """What `asked_of_improving` wrote."""
    values = json.loads(asked)
    return AskedImprovement(
        values["puzzle"], contents_in(values["start"]), convert(values["objective"], Objective)
    )


def puzzle_text(puzzle: Puzzle) -> str:
    """A puzzle as the text of an ipuz file, without its snapshots."""
    return puzzle_bytes(puzzle.with_snapshots({}), _SUFFIX).data.decode()


def read_puzzle_text(text: str) -> Puzzle:
    """The puzzle that was written; raises PuzzleFormatError for what is none."""
    return read_bytes(text.encode(), _SUFFIX)


@lru_cache(_KEPT)
def race_task(asked: str, vocabulary: Vocabulary, allow_repeats: bool) -> RaceTask:
    """What a puzzle asks with these words, for whoever fills it and for the referee."""
    puzzle = read_puzzle_text(asked)
    return RaceTask(puzzle, Task.of(puzzle, vocabulary, allow_repeats=allow_repeats))


def asked_of_design(wanted: designs.DesignWanted) -> str:
    """What is asked of designs: the theme answers, and the layouts around them."""
    return canonical(
        {
            **layout_values(wanted.layout),
            "themers": [
                {**to_builtins(one), "start": str(one.start) if one.start else None} for one in wanted.themers
            ],
            "choose": wanted.choose,
            "directions": (wanted.directions, *wanted.else_directions),
        }
    )


_LIMITS = ("fewest_words", "most_words", "fewest_blocks", "most_blocks", "most_threes", "longest_entry")


def layout_values(layout: layouts.LayoutWanted) -> Mapping[str, Any]:
    """The layouts that are wanted, but for a grid that is given, as plain data."""
    limits = {name: getattr(layout, name) for name in _LIMITS}
    return {
        "size": [layout.height, layout.width],
        "symmetry": layout.symmetry.value,
        "profile": layout.profile,
        "limits": {name: limit for name, limit in limits.items() if limit is not None},
    }


def read_layout(values: Mapping[str, Any]) -> layouts.LayoutWanted:
    """The layouts that `layout_values` wrote."""
    height, width = values["size"]
    profile = convert(values["profile"], profiles.Profile)
    return layouts.LayoutWanted(height, width, profile, Symmetry(values["symmetry"]), **values["limits"])


def read_design_text(text: str, count: int) -> designs.DesignWanted:
    """The designs that were asked for, so many of them at most."""
    values = json.loads(text)
    starts = [None if one["start"] is None else Position.parse(one["start"]) for one in values["themers"]]
    told = ({**one, "start": start} for one, start in zip(values["themers"], starts, strict=True))
    directions, *others = (tuple(map(Direction, ways)) for ways in values["directions"])
    return designs.DesignWanted(
        tuple(convert(one, placements.Themer) for one in told),
        read_layout(values),
        choose=values["choose"],
        directions=directions,
        else_directions=tuple(others),
        count=count,
    )
