"""Why nothing can be filled, in the words of a constructor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from xwtui.engine.kernels.state import FAILED_RIVAL, FAILED_SLOT, FAILED_SQUARE

if TYPE_CHECKING:
    from xwtui.engine.kernels.state import State
    from xwtui.engine.problem import Problem


def no_word_fits(problem: Problem, slot: int) -> str:
    """Say that an entry's given squares match no word: `17A: no word fits Q?J`."""
    grid, entry = problem.grid, problem.slots[slot]
    pattern = grid.pattern(entry, given_only=True)
    if set(pattern) == {"?"}:
        return f"{entry.name}: the word list has no word of {len(entry)} letters"
    return f"{entry.name}: no word fits {pattern}"


def root_failure(problem: Problem, state: State) -> str:
    """Say why propagation ran empty before any decision, from the state that it left."""
    slot, rival = int(state.control[FAILED_SLOT]), int(state.control[FAILED_RIVAL])
    entry = problem.slots[slot]
    if state.control[FAILED_SQUARE] < 0:
        return _last_word_taken(problem, slot, rival)
    masks = dict(zip(problem.positions, problem.masks(state), strict=True))
    square = problem.positions[int(state.control[FAILED_SQUARE])]
    shown = [_shown(problem, masks[position]) for position in entry.positions]
    forced = [
        text
        for text, position in zip(shown, entry.positions, strict=True)
        if text != "?" and not problem.grid[position].is_given
    ]
    if forced:
        return f"{entry.name}: no word fits {''.join(shown)}; its crossings force {_and(forced)}"
    across = problem.slots[rival].name if rival >= 0 else "its crossing"
    allowed = [str(content) for content in problem.symbols.in_mask(masks[square])]
    return (
        f"{entry.name}: no word fits {''.join(shown)}; at {square} {across} allows only {_or(allowed)}"
    )


def _last_word_taken(problem: Problem, slot: int, rival: int) -> str:
    """Say that two entries can only have the same answer."""
    rows = problem.tables[rival].rows
    names = f"{problem.slots[rival].name} and {problem.slots[slot].name}"
    if rows == 1:
        return f"{names} would both be {problem.word(rival, 0)}"
    word = _only_word(problem, slot)
    return f"{names} would both be {word}" if word else f"{names} can only have the same answer"


def _only_word(problem: Problem, slot: int) -> str | None:
    """The answer of a slot whose table has one row."""
    return problem.word(slot, 0) if problem.tables[slot].rows == 1 else None


def _shown(problem: Problem, mask: int) -> str:
    """A square as a pattern shows it: its content if only one is left, else `?`."""
    contents = list(problem.symbols.in_mask(mask))
    return str(contents[0]) if len(contents) == 1 else "?"


def _and(texts: list[str]) -> str:
    return _listed(texts, "and")


def _or(texts: list[str]) -> str:
    return _listed(texts, "or")


def _listed(texts: Iterable[str], last: str) -> str:
    """`A`, `A and B`, `A, B and C`."""
    *head, tail = texts
    return f"{', '.join(head)} {last} {tail}" if head else tail
