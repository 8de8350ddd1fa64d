"""Puzzles as the text that tasks are about: ipuz, with what a result depends on and nothing else.

So the same grid under another title is no other task.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from msgspec import convert

from xwtui.batch.tasks import canonical
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.problem.task import Task
from xwtui.formats.grid_text import contents_in, grid_to_text
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model import Content, Position, Puzzle, Symmetry, WordChoice
from xwtui.model.edits import clear_pencil, write_fill
from xwtui.racing.task import RaceTask
from xwtui.words.vocabulary import Vocabulary

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
    is_placing = any(new.symmetric for new in puzzle.rules.new_squares)
    symmetry = puzzle.symmetry if is_placing else Symmetry.NONE
    task = Task(
        puzzle.grid,
        vocabulary.lexicon,
        allow_repeats,
        puzzle.rules,
        vocabulary.own_lists,
        symmetry=symmetry,
    )
    return RaceTask(puzzle, vocabulary, task)
