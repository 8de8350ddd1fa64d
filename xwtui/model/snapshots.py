"""Snapshots: states of a puzzle that are kept in it under names, to look back at or to return to.

They are puzzles in `Puzzle.snapshots`, without snapshots of their own and without the fields of other programs,
which no edit changes. They are no part of what undo takes back: a state that was named outlives the edits around
it.
"""

from dataclasses import replace

from xwtui.errors import PuzzleError
from xwtui.model.puzzle import Puzzle
from xwtui.text import in_quotes, listed, printable

NOW = "now"
"""What stands for the puzzle as it is, in the place of a name."""
MOST_SNAPSHOTS = 20
LONGEST_NAME = 40
"""Characters that the name of a snapshot may have."""


def check_name(name: str) -> str:
    """The name of a snapshot as it is kept; raises PuzzleError where it is empty, long or odd."""
    kept = " ".join(name.split())
    if not kept or printable(kept, LONGEST_NAME) != kept:
        raise PuzzleError(f"a snapshot's name has 1 to {LONGEST_NAME} plain characters: not {printable(name)!r}")
    return kept


def with_snapshot(puzzle: Puzzle, name: str, *, replaces: bool = False) -> Puzzle:
    """The puzzle that keeps itself as it is under a name.

    Raises PuzzleError where the name is none, is taken (unless it `replaces`), or there is no room for another.
    """
    kept = check_name(name)
    others = {known: state for known, state in puzzle.snapshots.items() if known != kept}
    if kept in puzzle.snapshots and not replaces:
        raise PuzzleError(f"the snapshot {in_quotes(kept)} already exists; `--replace` replaces it")
    if len(others) >= MOST_SNAPSHOTS:
        raise PuzzleError(f"a puzzle keeps at most {MOST_SNAPSHOTS} snapshots; drop one first")
    return puzzle.with_snapshots({**others, kept: replace(puzzle, snapshots={}, foreign={})})


def without_snapshot(puzzle: Puzzle, name: str) -> Puzzle:
    """The puzzle without a snapshot; raises PuzzleError where there is none of that name."""
    snapshot(puzzle, name)
    return puzzle.with_snapshots({known: state for known, state in puzzle.snapshots.items() if known != name})


def snapshot(puzzle: Puzzle, name: str) -> Puzzle:
    """The puzzle as it was when it was kept under a name; raises PuzzleError where it never was."""
    if name in puzzle.snapshots:
        return puzzle.snapshots[name]
    there = (
        f"there are {listed(map(in_quotes, puzzle.snapshots), 'and')}"
        if puzzle.snapshots
        else "there are none yet"
    )
    raise PuzzleError(f"there is no snapshot {in_quotes(printable(name, LONGEST_NAME))}; {there}")


def returned(puzzle: Puzzle, name: str) -> Puzzle:
    """The whole puzzle as a snapshot has it, with the snapshots of now; raises PuzzleError where there is none."""
    return replace(snapshot(puzzle, name), snapshots=puzzle.snapshots, foreign=puzzle.foreign)
