"""`xwtui shares`: the letters that squares can still take, and how the fills that remain share them."""

import json
from collections.abc import Sequence
from typing import Any

from xwtui.engine.candidates.options import LetterTable, letter_table
from xwtui.engine.count.belief import believe
from xwtui.errors import PuzzleError
from xwtui.exits import Exit
from xwtui.interrupts import interrupt_flag, stopped_by
from xwtui.model import Grid, Position
from xwtui.printing import warn
from xwtui.session.wording import share_words
from xwtui.shell.engine_start import prepare
from xwtui.shell.requests import SearchRequest
from xwtui.shell.root import SCHEMA


def run_shares(request: SearchRequest, squares: Sequence[str]) -> Exit:
    """Reckon and print; raises PuzzleFormatError, WordListError, PuzzleError or EngineError."""
    prepared = prepare(request, counting=True)
    with interrupt_flag() as is_cancelled:
        letters = letter_table(believe(prepared.problem, seconds=request.seconds, cancelled=is_cancelled))
        is_stopped = is_cancelled()
    asked = _asked(prepared.puzzle.grid, letters, squares)
    if request.json:
        print(
            json.dumps(
                {"schema": SCHEMA, "squares": {str(at): _as_json(letters, at) for at in asked}}, ensure_ascii=False
            )
        )
    elif letters.shares:
        print("\n".join(_line(letters, at) for at in asked))
    else:
        print("nothing fits: the grid has no fill")
    if is_stopped:
        warn(f"stopped by {stopped_by()}: the shares are those reckoned so far")
        return Exit.INTERRUPTED
    return Exit.OK if prepared.problem.root.is_possible else Exit.IMPOSSIBLE


def _asked(grid: Grid, letters: LetterTable, squares: Sequence[str]) -> list[Position]:
    """The squares that were named, or all that a fill writes."""
    named = [Position.parse(square) for square in squares]
    for at in named:
        if grid[at].is_given:
            raise PuzzleError(f"{at} is given: {grid[at].content}")
        if letters.shares and at not in letters.shares:
            raise PuzzleError(f"{at} is in no entry")
    return named or sorted(letters.shares)


def _line(letters: LetterTable, at: Position) -> str:
    if at in letters.forced:
        return f"{at}: {letters.forced[at]} is forced"
    return f"{at}: {share_words(letters.shares[at])}"


def _as_json(letters: LetterTable, at: Position) -> dict[str, Any]:
    forced = letters.forced.get(at)
    return {
        "forced": None if forced is None else str(forced),
        "shares": {str(content): round(share, 6) for content, share in letters.shares.get(at, {}).items()},
    }
