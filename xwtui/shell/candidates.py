"""`xwtui candidates`: the words that an entry may take, and what each of them costs."""

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

from xwtui.engine.candidates.estimate import CandidateEstimate, CandidateOrder, sort_candidates
from xwtui.engine.candidates.find import candidates
from xwtui.exits import Exit
from xwtui.formats.grid_text import grid_to_text
from xwtui.interrupts import interrupt_flag, stopped_by
from xwtui.model import Puzzle, Slot
from xwtui.model.edits import write_fill
from xwtui.printing import StatusLine, warn
from xwtui.session.wording import candidate_line, summary_line
from xwtui.shell.engine_start import Prepared, prepare
from xwtui.shell.requests import SearchRequest
from xwtui.shell.root import SCHEMA


def run_candidates(request: SearchRequest, entry: str, *, order: CandidateOrder, limit: int, prove: bool) -> Exit:
    """List and print; raises PuzzleFormatError, WordListError, PuzzleError or EngineError."""
    prepared = prepare(request, counting=True)
    slot = prepared.puzzle.grid.slot(entry.upper())
    with interrupt_flag() as is_cancelled:
        found = _look(prepared, request, slot.name, _Shown(order, limit), prove, is_cancelled)
        is_stopped = is_cancelled()
    ranked = sort_candidates(found, order)
    if request.json:
        print(json.dumps(_as_json(prepared.puzzle, slot, ranked, limit), ensure_ascii=False))
    else:
        print("\n".join(_report(prepared.puzzle, slot, ranked, limit)))
    if is_stopped:
        warn(f"stopped by {stopped_by()}: this is what was known by then")
        return Exit.INTERRUPTED
    return Exit.OK if any(one.alive for one in found) else Exit.IMPOSSIBLE


class _Shown:
    """The words that will be listed, as soon as it is known which those are: they are looked into."""

    def __init__(self, order: CandidateOrder, limit: int) -> None:
        self._order, self._limit = order, limit
        self.words: Sequence[str] = ()

    def hear(self, prospects: Sequence[CandidateEstimate]) -> None:
        """Choose from the first answer that tells how many fills each word leaves."""
        if not self.words and any(one.log10 is not None for one in prospects):
            ranked = sort_candidates(prospects, self._order)[: self._limit]
            self.words = tuple(one.word for one in ranked if one.alive)


def _look(
    prepared: Prepared,
    request: SearchRequest,
    entry: str,
    shown: _Shown,
    prove: bool,
    is_cancelled: Callable[[], bool],
) -> Sequence[CandidateEstimate]:
    with StatusLine(sys.stderr) as status:

        def tell(prospects: tuple[CandidateEstimate, ...]) -> None:
            shown.hear(prospects)
            alive = sum(one.alive for one in prospects)
            proven = f", {sum(one.fill is not None for one in prospects):,} proven" if prove else ""
            status.show(f"{alive:,} of {len(prospects):,} may stand{proven}; Ctrl+C stops")

        return candidates(
            prepared.problem,
            entry,
            seconds=request.seconds,
            in_view=lambda: shown.words,
            prove=prove,
            threads=request.threads,
            seed=request.seed,
            cancelled=is_cancelled,
            found=tell,
        )


def _report(puzzle: Puzzle, slot: Slot, ranked: Sequence[CandidateEstimate], limit: int) -> list[str]:
    pattern = puzzle.grid.pattern(slot, given_only=True)
    alive = sum(one.alive for one in ranked)
    left = len(ranked) - limit
    more = [f"  and {left:,} more"] if left > 0 else []
    lines = [candidate_line(one) for one in ranked[:limit]]
    return [summary_line(slot.name, pattern, len(ranked), alive), *lines, *more]


def _as_json(puzzle: Puzzle, slot: Slot, ranked: Sequence[CandidateEstimate], limit: int) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "entry": slot.name,
        "pattern": puzzle.grid.pattern(slot, given_only=True),
        "matches": len(ranked),
        "alive": sum(one.alive for one in ranked),
        "candidates": [_one_as_json(puzzle, one) for one in ranked[:limit]],
    }


def _one_as_json(puzzle: Puzzle, prospect: CandidateEstimate) -> dict[str, Any]:
    fill = prospect.fill
    return {
        "word": prospect.word,
        "score": prospect.score,
        "standing": prospect.standing.value,
        "killed_by": prospect.killed_by,
        "log10": prospect.log10,
        "refined": prospect.is_refined,
        "fill": None if fill is None else grid_to_text(write_fill(puzzle, fill).grid),
    }
