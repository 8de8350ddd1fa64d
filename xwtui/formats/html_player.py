"""HTML: a single offline file in which the puzzle can be solved in a browser by keyboard and touch.

`player.html` is the player, into which the puzzle is inserted as JSON. It supports rebus squares, checking,
revealing and a timer, and stores progress in the browser. No player that may be bundled does all of this: those on
npm need React and lack rebus (@guardian/react-crossword, @jaredreisinger/react-crossword), and others are not
packaged.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from xwtui.formats.base import Losses, Written
from xwtui.formats.clues import clue_runs, labels
from xwtui.formats.plain_text import clean_line, clean_text
from xwtui.model import Bar, Direction, Grid, Kind, Position, Puzzle, Slot

_PLAYER = Path(__file__).with_name("player.html")
_PLACE = ">PUZZLE<"
_ESCAPED = str.maketrans({character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"})
"""JSON escapes for characters that must not occur in JSON within HTML."""


_ROWS = ("QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM")
"""Rows of the touch keyboard; further letters of the alphabet and the answers are below them."""
_LONGEST_ROW = 10


def write(puzzle: Puzzle, lossy: bool = False) -> Written:
    """Write the page; it can lose only clues of other answers."""
    warnings = Losses("HTML", puzzle).settle(lossy=lossy)
    data = json.dumps(_document(puzzle), ensure_ascii=False, separators=(",", ":")).translate(_ESCAPED)
    page = _PLAYER.read_text(encoding="utf-8").replace(_PLACE, f">{data}<", 1)
    return Written(page.encode(), warnings)


def _document(puzzle: Puzzle) -> dict[str, Any]:
    grid = puzzle.grid

    def numbered(slot: Slot) -> list[int]:
        return [at.row * grid.width + at.column for at in slot.positions]

    answers = {letter for content in grid.contents.values() for letter in content.text}
    letters = [letter for letter in puzzle.alphabet.letters if len(letter) == 1]
    others = [letter for letter in (*letters, *sorted(answers - {"/", *letters})) if letter not in "".join(_ROWS)]
    keys = ["".join(letter for letter in row if letter in answers or letter in letters) for row in _ROWS]
    keys += ["".join(others[first : first + _LONGEST_ROW]) for first in range(0, len(others), _LONGEST_ROW)]
    document: dict[str, Any] = {
        "title": clean_line(puzzle.title, "the title"),
        "author": clean_line(puzzle.author, "the author"),
        "copyright": clean_line(puzzle.copyright, "the copyright"),
        "notes": clean_text(puzzle.notes, "the notes"),
        "labels": labels(puzzle),
        "keys": [row for row in keys if row],
        "width": grid.width,
        "height": grid.height,
        "squares": [_square(grid, at) for at in grid.positions()],
        "entries": [
            {
                "number": slot.clue_number,
                "name": slot.label,
                "direction": slot.direction.value,
                "squares": numbered((slot.lights or (slot,))[0]),
                "whole": numbered(grid.entry_of(slot)),
                "clue": [[run.text, run.italic, run.bold] for run in clue_runs(puzzle, slot)],
            }
            for slot in grid.clue_slots
        ],
    }
    key = hashlib.sha256(json.dumps([document["title"], document["squares"]]).encode()).hexdigest()[:16]
    return {**document, "key": key}


def _square(grid: Grid, at: Position) -> dict[str, Any]:
    square = grid[at]
    marks: dict[str, Any] = {"block": square.kind is Kind.BLOCK, "void": square.kind is Kind.VOID}
    if square.is_open:
        marks |= {
            "answer": square.content.text if square.content is not None else "",
            "number": grid.numbers.get(at),
            "circle": square.circle,
            "shade": square.shade,
            "left": Bar(at.step(Direction.ACROSS, -1), at) in grid.bars,
            "top": Bar(at.step(Direction.DOWN, -1), at) in grid.bars,
        }
    return {name: value for name, value in marks.items() if value}
