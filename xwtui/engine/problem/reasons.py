"""Why nothing can be filled, in the words of a constructor."""

from __future__ import annotations

from xwtui.engine.demands.conflicts import conflicting_demands, too_few_answers
from xwtui.engine.demands.reasons import demand_failure
from xwtui.engine.kernels.network import CROSSING, PLACES
from xwtui.engine.kernels.state import FAILED_DEMAND, FAILED_RIVAL, FAILED_SLOT, FAILED_SQUARE, State
from xwtui.engine.no_word import no_word_fits
from xwtui.engine.problem.problem import Fault, Problem, RuledOut
from xwtui.text import listed

_MOST_LETTERS = 8
"""Letters that are named one by one."""


def why_impossible(problem: Problem) -> str:
    """Say why a problem has no fill, as far as that is seen before any decision; empty where it may have one."""
    root = problem.root
    match root.fault:
        case None:
            return ""
        case Fault.WORDLESS:
            wordless = next(number for number, table in enumerate(problem.tables) if table.rows == 0)
            return no_word_fits(problem.task, problem.slots[wordless])
        case Fault.ASSUMED:
            return _ruled_out_failure(root.ruled_out) if root.ruled_out else ""
        case Fault.EMPTIED:
            return _emptied_failure(problem, root.state)
        case Fault.TOO_FEW:
            return too_few_answers(problem, root.state)


def _ruled_out_failure(ruled_out: RuledOut) -> str:
    """Say what the assumptions leave nothing."""
    if ruled_out.content is None:
        return f"{ruled_out.place} can be nothing else"
    return f"{ruled_out.place} cannot be {ruled_out.content}"


def _emptied_failure(problem: Problem, state: State) -> str:
    """Say why propagation ran empty before any decision, from the state that it left."""
    if state.control[FAILED_DEMAND] >= 0:
        return demand_failure(problem, state)
    reason = _entry_failure(problem, state)
    conflicting = [] if problem.demands.is_empty else conflicting_demands(problem)
    return f"{listed(conflicting, 'and')} cannot be had: {reason}" if conflicting else reason


def _entry_failure(problem: Problem, state: State) -> str:
    """Say why an entry ran empty."""
    slot, rival = int(state.control[FAILED_SLOT]), int(state.control[FAILED_RIVAL])
    entry = problem.slots[slot]
    if state.control[FAILED_SQUARE] < 0:
        return _last_word_taken(problem, state, slot, rival)
    square = problem.positions[int(state.control[FAILED_SQUARE])]
    pattern, forced = _forced_pattern(problem, state, slot)
    if forced:
        return f"{entry.name}: no word fits {pattern}; its crossings force {listed(forced, 'and')}"
    contents = [str(content) for content in problem.symbols.in_mask(_wanted(problem, state))]
    wanted = listed(contents, "or") if len(contents) <= _MOST_LETTERS else f"one of {len(contents)} letters"
    if rival < 0:
        return (
            f"{entry.name}: no word fits {pattern}; at {square} the rules leave none for it, and it needs {wanted}"
        )
    return (
        f"{entry.name}: no word fits {pattern}; "
        f"at {square} it needs {wanted}, and {problem.slots[rival].name} can have none of these"
    )


def _wanted(problem: Problem, state: State) -> int:
    """The symbols that the emptied slot needed at the crossing blamed, which has lost them."""
    slot, square = int(state.control[FAILED_SLOT]), int(state.control[FAILED_SQUARE])
    first = int(problem.network.slots[slot, PLACES])
    index = problem.slots[slot].positions.index(problem.positions[square])
    return int(state.seen[first + index]) & ~problem.masks(state)[square]


def _last_word_taken(problem: Problem, state: State, slot: int, rival: int) -> str:
    """Say that two entries can only have the same answer."""
    first, second = sorted((slot, rival))
    word = problem.word(rival, int(problem.rows_left(state, rival)[0]))
    return f"{problem.slots[first].name} and {problem.slots[second].name} would both be {word}"


def _forced_pattern(problem: Problem, state: State, slot: int) -> tuple[str, list[str]]:
    """An entry with its given squares and those that the words left for its crossings force; and these."""
    shown: list[str] = []
    forced: list[str] = []
    entry = problem.slots[slot]
    for place, position in enumerate(entry.positions, int(problem.network.slots[slot, PLACES])):
        crossing, index = problem.network.places[place, CROSSING:].tolist()
        given = problem.task.given.get(position)
        contents = {given} if given else set()
        if crossing >= 0 and not contents:
            codes = problem.tables[crossing].symbols[problem.rows_left(state, crossing), index]
            contents = {problem.symbols.contents[code] for code in set(codes.tolist())}
            forced += map(str, contents if len(contents) == 1 else ())
        shown.append(str(contents.pop()) if len(contents) == 1 else "?")
    return "".join(shown), forced
