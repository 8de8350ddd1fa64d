"""What is told of a batch: how it stands, its best finds, and these as files; in words or as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from xwtui.batch.store import BatchProgress, BatchStore, BatchView, Phase, RankedFind, SubjectView
from xwtui.batch.subjects import read_puzzle_text
from xwtui.batch.tasks import BatchKind, TaskState
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.registry import write_puzzle
from xwtui.interrupts import Exit
from xwtui.model import Ink, Puzzle
from xwtui.model.edits import set_ink, write_fill
from xwtui.printing import warn
from xwtui.session.answers import JsonShape
from xwtui.session.overwriting import check_free
from xwtui.session.wording import counted
from xwtui.shell.root import SCHEMA
from xwtui.text import printable_lines

_LONGEST_LIST = 200


def show_batch(file: Path, *, as_json: bool) -> Exit:
    """Show how a batch stands."""
    with BatchStore.open(file) as store:
        view, subjects = store.view(), store.subject_views()
    if as_json:
        told = {"schema": SCHEMA, **VIEW.of(view), "inputs": _INPUT.tell(subjects)}
        print(json.dumps(told, ensure_ascii=False))
    else:
        _print([view_words(view), *(_subject_words(view.kind, one) for one in subjects[:_LONGEST_LIST])])
        if len(subjects) > _LONGEST_LIST:
            print(f"  and {len(subjects) - _LONGEST_LIST:,} more; --json lists all")
    return status_of(view)


def show_best(file: Path, count: int, *, as_json: bool) -> Exit:
    """Show the best finds."""
    with BatchStore.open(file) as store:
        best = store.best(count)
    if as_json:
        finds = JsonShape("input=title seed", ("*find", FIND))
        print(json.dumps({"schema": SCHEMA, "best": finds.tell(best)}, ensure_ascii=False))
    else:
        for number, one in enumerate(best, start=1):
            _print([f"{number}  {_scores(one)}, seed {one.seed}: {one.title}", *one.find.rows, ""])
        if not best:
            print("nothing found yet")
    return Exit.OK if best else Exit.UNKNOWN


def export_best(file: Path, folder: Path, count: int, *, overwrites: bool, as_json: bool) -> Exit:
    """Write the best finds as puzzles; raises PuzzleFormatError where that cannot be, or loses a file."""
    with BatchStore.open(file) as store:
        best = store.best(count)
    if best:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PuzzleFormatError(f"{folder}: {error.strerror}") from error
    paths = [folder / f"best-{number:03}.ipuz" for number in range(1, len(best) + 1)]
    for path in () if overwrites else paths:
        check_free(path)
    for path, one in zip(paths, best, strict=True):
        for warning in write_puzzle(path, _puzzle(one)):
            warn(f"{path}: {warning}")
    if as_json:
        print(json.dumps({"schema": SCHEMA, "files": list(map(str, paths))}, ensure_ascii=False))
    else:
        print(f"{counted(len(paths), 'puzzle is', 'puzzles are')} in {folder}")
    return Exit.OK if best else Exit.UNKNOWN


def _puzzle(one: RankedFind) -> Puzzle:
    """The puzzle that was filled, or a design with its theme answers locked, with the fill in pencil."""
    filled = grid_from_text("\n".join(one.find.rows))
    if one.document:
        puzzle = read_puzzle_text(one.document)
    else:
        puzzle = puzzle_of_grid(grid_from_text("\n".join(one.find.grid)))
    contents = {at: content for at in filled.open_positions() if (content := filled[at].content) is not None}
    made = write_fill(puzzle, contents)
    if one.document:
        return made
    return set_ink(made, [at for at in puzzle.grid.open_positions() if puzzle.grid[at].content], Ink.LOCKED)


def status_of(view: BatchView) -> Exit:
    """What the exit status says of a batch as it stands."""
    if view.states.get(TaskState.FOUND):
        return Exit.OK
    is_proved = view.is_over and set(view.states) == {TaskState.IMPOSSIBLE}
    return Exit.IMPOSSIBLE if is_proved else Exit.UNKNOWN


def view_words(view: BatchView) -> str:
    """How a batch stands, in a line: `fill: 40 of 40 tasks done, 38 found, 2 unknown; 38 fills; 12 s of work`."""
    told = [f"{view.kind.value}: {view.done:,} of {view.tasks:,} tasks done", *_state_words(view)]
    parts = [", ".join(told)]
    if view.kind is BatchKind.DESIGN:
        parts.append(f"{counted(view.finds, 'design')} on {counted(view.layouts, 'layout')}")
    elif view.finds:
        parts.append(counted(view.finds, "fill"))
    parts.append(f"{view.seconds:,.1f} s of work")
    return "; ".join(parts)


def progress_words(progress: BatchProgress) -> str:
    """How far a batch is: `234 of 1,000 done, 12.0 a second, 64 s left, 2 workers; Ctrl+C stops`."""
    view = progress.view
    told = [f"{view.done:,} of {view.tasks:,} done"]
    if progress.phase is not Phase.RUNNING:
        told.insert(0, progress.phase.value)
    if progress.new:
        told.append(f"{progress.rate:.1f} a second")
    if progress.seconds_left is not None:
        told.append(f"{progress.seconds_left:,.0f} s left")
    workers = counted(progress.workers, "worker") if progress.workers else "no workers yet"
    return f"{', '.join(told)}, {workers}; Ctrl+C stops"


def _states(view: BatchView | SubjectView) -> Mapping[str, Mapping[str, int]]:
    """How many tasks ended in each state, in the order of the states."""
    return {"states": {state.value: view.states[state] for state in TaskState if state in view.states}}


VIEW = JsonShape("batch=kind tasks done", _states, "finds layouts work_seconds=seconds~3")
"""How a batch stands."""
PROGRESS = JsonShape(
    "phase=phase.name.lower", ("*view", VIEW), "new running workers seconds~3 rate~3 seconds_left~1 lost"
)
"""How far it is."""
FIND = JsonShape("fill=rows grid? themers mean_score lowest_score words blocks")
_INPUT = JsonShape("input=title tasks done", _states, "best_mean_score=best_mean best_lowest_score=best_lowest")


def _state_words(view: BatchView | SubjectView) -> Sequence[str]:
    return [f"{count:,} {state}" for state, count in _states(view)["states"].items()]


def _scores(one: RankedFind) -> str:
    find = one.find
    return "no scores" if find.mean_score is None else f"mean {find.mean_score:.1f}, lowest {find.lowest_score}"


def _subject_words(kind: BatchKind, one: SubjectView) -> str:
    told = [f"{one.done:,} of {one.tasks:,}", *_state_words(one)]
    if one.best_mean is not None:
        told.append(f"best mean {one.best_mean:.1f}, best lowest {one.best_lowest}")
    logs = [figures["log10"] for figures in one.figures if figures.get("log10") is not None]
    if kind is BatchKind.COUNT and logs:
        told.append(f"about 10^{fmean(logs):.1f} fills, from 10^{min(logs):.1f} to 10^{max(logs):.1f}")
    return f"  {one.title}: {', '.join(told)}"


def _print(lines: Sequence[str]) -> None:
    print("\n".join(printable_lines(lines)))
