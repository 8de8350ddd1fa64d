"""What each candidate of an entry costs, stage by stage: each stage tells more than the one before."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from time import perf_counter

from xwtui.engine.counting.belief import Beliefs, believe
from xwtui.engine.crew import never
from xwtui.engine.problem import Problem
from xwtui.engine.prospects.board import Board
from xwtui.engine.prospects.prospect import Prospect
from xwtui.engine.prospects.steps import Patience, Steps
from xwtui.errors import EngineError

_SECONDS_A_REPORT = 0.1

Found = Callable[[tuple[Prospect, ...]], None]
View = Callable[[], Sequence[str]]


def _nothing() -> Sequence[str]:
    return ()


def candidates(
    problem: Problem,
    slot_name: str,
    *,
    seconds: float | None = None,
    in_view: View = _nothing,
    prove: bool = True,
    place: bool = True,
    beliefs: Beliefs | None = None,
    log10_total: float | None = None,
    threads: int = 1,
    seed: int = 0,
    cancelled: Callable[[], bool] = never,
    found: Found = lambda _: None,
) -> tuple[Prospect, ...]:
    """The words that match an entry, best score first, and what each costs; `found` gets each better answer.

    First come all that match the pattern, then those that propagation leaves, then about how many fills have each,
    from `beliefs` (reckoned if not given) and the `log10_total` of all fills (the Bethe estimate if not
    given). Then the words `in_view`, asked anew for each step, are placed one by one: propagation,
    beliefs with the word in place, a fill through it if `prove` says so, at last particles. Then all other
    words are placed and propagated. Without `place`, no word is. Raises EngineError for an entry that the
    grid does not have.
    """
    slot = problem.slot_numbers.get(slot_name)
    if slot is None:
        raise EngineError(f"this grid has no entry {slot_name!r}")
    patience = Patience(math.inf if seconds is None else perf_counter() + seconds, cancelled)
    board = Board(problem, slot)
    found(board.prospects())
    if patience.is_over:
        return board.prospects()
    board.propagate()
    found(board.prospects())
    if problem.root.is_possible and not patience.is_over:
        beliefs = beliefs or believe(problem, cancelled=cancelled)
        board.believe(beliefs, log10_total)
        found(board.prospects())
        if not place:
            return board.prospects()
        steps = Steps(board, beliefs, log10_total, prove=prove, threads=threads, seed=seed)
        reported = perf_counter()
        while not patience.is_over and steps.step(in_view(), patience) is not None:
            if perf_counter() - reported >= _SECONDS_A_REPORT:
                found(board.prospects())
                reported = perf_counter()
    last = board.prospects()
    found(last)
    return last


def reckoned_board(problem: Problem, slot_name: str, beliefs: Beliefs, log10_total: float | None) -> Board:
    """All that is known of an entry's candidates with no word placed; KeyError for an entry not there."""
    board = Board(problem, problem.slot_numbers[slot_name])
    board.propagate()
    if problem.root.is_possible:
        board.believe(beliefs, log10_total)
    return board
