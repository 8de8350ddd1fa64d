"""The other words of an entry, each with the smallest change that makes the grid whole: ranked, and told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.engine.improve.plain_fill import repair_apart
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.engine.repair.repair import Repair
from xwtui.model import Grid, Position, edits
from xwtui.session.jobs.fills.swapping import lowered_score
from xwtui.session.jobs.question import Findings, IsOver, Proposal, SwapQuestion, Tell
from xwtui.session.json_shape import JsonShape
from xwtui.session.run_view import EntryChange, FoundFill, entry_changes
from xwtui.session.wording import changes_words, counted, lowered_words
from xwtui.worded import said


class _Swap(NamedTuple):
    """Another word of the entry, the smallest change that goes with it, and the fill that this makes."""

    word: str
    made: Repair
    fill: FoundFill
    changed: tuple[EntryChange, ...]


_SWAP = JsonShape(
    "word squares=made.changed",
    ("changed", JsonShape("entry from=before to=after")),
    "fill.mean_score fill.lowest_score smallest=made.is_smallest",
)


def rank_swaps(question: SwapQuestion, task: Task, is_over: IsOver, tell: Tell) -> Findings:
    """Rank the other words of an entry by what each changes."""
    begin = perf_counter()
    problem, grid = Problem.of(task), task.grid
    standing = {at: content for slot in grid.slots for at in slot.positions if (content := grid[at].content)}
    own = grid.entry(question.entry).positions

    def told(repairs: Sequence[Repair], reason: str = "") -> Findings:
        seconds = perf_counter() - begin
        swaps = [_swap(problem, question.entry, made) for made in repairs]
        return Findings(
            title=question.title,
            answer=_swaps_answer(question, len(swaps), reason),
            proposals=tuple(_swap_proposal(question, swap, problem, grid, own) for swap in swaps),
            most_listed=question.most,
            seconds=seconds,
            as_json={
                "entry": question.entry,
                "seconds": round(seconds, 3),
                "swaps": _SWAP.tell(swaps),
                **({"reason": reason} if reason else {}),
            },
        )

    result = repair_apart(
        problem,
        standing,
        Budget(question.seconds, stop=is_over),
        entry=question.entry,
        most=question.most,
        found=lambda repairs: tell(told(repairs[: question.most])),
    )
    is_complete = result.is_complete or len(result.repairs) >= question.most
    findings = told(result.repairs, said(result.reason) if result.outcome is Outcome.IMPOSSIBLE else "")
    nothing = f"no other word can stand at {question.entry}: proved {task.proof_terms}"
    return replace(
        findings,
        answer=findings.answer or (nothing if is_complete else "no other word was found in the time"),
        is_possible=True if result.repairs else False if is_complete else None,
        is_complete=is_complete,
        as_json={**findings.as_json, "complete": result.is_complete},
    )


def _swap(problem: Problem, entry: str, made: Repair) -> _Swap:
    changed = entry_changes(problem.grid, {at: made.squares[at] for at in made.changed})
    return _Swap(made.answers[entry], made, FoundFill.of(problem, made.squares), changed)


def _swaps_answer(question: SwapQuestion, found: int, reason: str) -> str:
    if reason:
        return f"no other word can stand: {reason}"
    words = "word" if found == 1 else "words"
    return f"{found} other {words} for {question.entry}, fewest squares changed first" if found else ""


def _swap_proposal(
    question: SwapQuestion, swap: _Swap, problem: Problem, grid: Grid, own: Sequence[Position]
) -> Proposal:
    """A proposal that writes what is changed, and what of the entry was empty, and nothing else."""
    word, made, mean = swap.word, swap.made, f"{swap.fill.mean_score:.1f}"
    squares = {at: made.squares[at] for at in (*made.changed, *own)}
    others = [one for one in entry_changes(grid, squares) if one.entry != question.entry]
    size = counted(len(made.changed), "square")
    lowered = lowered_score(problem, grid, swap.fill)
    remark = f"{size}, mean {mean}" + (f", {lowered_words(lowered)}" if lowered else "")
    remark += "" if made.is_smallest else ", not proved smallest"
    return Proposal(
        question.proposing(word),
        f"{question.entry} {word}",
        remark + (f"; {changes_words(others)}" if others else ""),
        lambda puzzle: edits.write_fill(puzzle, squares),
        {at: made.squares[at] for at in made.changed},
        brief=word,
        figure=f"{len(made.changed)} sq  {mean}",
    )
