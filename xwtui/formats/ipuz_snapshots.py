"""The snapshots of a puzzle in its ipuz file: by name, the fields of an ipuz puzzle that each needs."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from xwtui.errors import PuzzleError, PuzzleFormatError
from xwtui.model import Puzzle
from xwtui.model.snapshots import MOST_SNAPSHOTS, check_name
from xwtui.text import first_named, printable

SNAPSHOTS = "net.xwtui:snapshots"

_REPEATED = ("version", "kind", "intro")
"""What a snapshot need not say: the file does, or its own notes."""
_DAMAGED = "damaged"
"""The name that what should be snapshots by name goes by where it is something else."""


class Snapshots(NamedTuple):
    """The snapshots of a file: puzzles by name, and as they stand there those that are none."""

    by_name: Mapping[str, Puzzle]
    unread: Mapping[str, Any]


def read_snapshots(value: Any, read: Callable[[Mapping[str, Any]], Puzzle]) -> Snapshots:
    """The snapshots in a file; `read` makes a puzzle of fields, or raises PuzzleError or PuzzleFormatError.

    What is no snapshot, or is one too many, is kept as it is: a puzzle is not refused for what lies beside it.
    """
    by_name: dict[str, Puzzle] = {}
    unread: dict[str, Any] = {}
    entries = value if isinstance(value, dict) else {_DAMAGED: value} if value else {}
    for name, fields in entries.items():
        try:
            if not isinstance(fields, dict) or len(by_name) == MOST_SNAPSHOTS or check_name(name) != name:
                raise PuzzleError("no snapshot")
            by_name[name] = replace(read(fields), foreign={})
        except (PuzzleError, PuzzleFormatError):
            unread[name] = fields
    return Snapshots(by_name, unread)


def snapshots_field(puzzle: Puzzle, write: Callable[[Puzzle], Mapping[str, Any]]) -> dict[str, Any]:
    """The snapshots as JSON, behind those that could not be read; `write` gives the fields of a puzzle."""
    written = {name: _needed(write(state)) for name, state in puzzle.snapshots.items()}
    return {**puzzle.foreign.get(SNAPSHOTS, {}), **written}


def _needed(fields: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in fields.items() if name not in _REPEATED}
    clues = {
        group: [clue for clue in clues if isinstance(clue, dict) or clue[1]]  # objects tell more than a text
        for group, clues in fields["clues"].items()
    }
    return {**kept, "clues": clues}


def unread_snapshots(puzzle: Puzzle) -> tuple[str, ...]:
    """The names of the snapshots in the puzzle's file that cannot be read; they stay in it."""
    return tuple(puzzle.foreign.get(SNAPSHOTS, ()))


def unread_words(puzzle: Puzzle) -> str:
    """A warning that names the snapshots that cannot be read; empty where there are none."""
    names = [printable(name, 40) for name in unread_snapshots(puzzle)]
    return f"snapshots that cannot be read stay in the file as they are: {first_named(names)}" if names else ""


def without_unread(puzzle: Puzzle, name: str) -> Puzzle:
    """The puzzle without a snapshot that cannot be read."""
    others = {known: fields for known, fields in puzzle.foreign.get(SNAPSHOTS, {}).items() if known != name}
    foreign = {key: value for key, value in puzzle.foreign.items() if key != SNAPSHOTS}
    return replace(puzzle, foreign={**foreign, SNAPSHOTS: others} if others else foreign)
