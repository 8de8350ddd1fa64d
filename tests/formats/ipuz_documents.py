"""ipuz documents as other programs write them, and as ours does."""

import json
from typing import Any

from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model import Puzzle


def document(**fields: Any) -> dict[str, Any]:
    """A small ipuz document as another program writes it."""
    return {
        "version": "http://ipuz.org/v1",
        "kind": ["http://ipuz.org/crossword#1"],
        "dimensions": {"width": 3, "height": 3},
        "puzzle": [[1, 2, 3], [4, 0, 0], [5, 0, 0]],
        "solution": [["A", "B", "C"], ["D", "E", "F"], ["G", "H", "I"]],
        **fields,
    }


def read(**fields: Any) -> Puzzle:
    return read_bytes(json.dumps(document(**fields)).encode(), ".ipuz")


def written(puzzle: Puzzle) -> dict[str, Any]:
    data = puzzle_bytes(puzzle, ".ipuz").data
    fields: dict[str, Any] = json.loads(data)
    return fields
