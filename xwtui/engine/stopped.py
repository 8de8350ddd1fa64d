"""Why an entry of a partial fill stayed open, in the words of a constructor."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.coverage import PartialAnswers
from xwtui.engine.reasons import no_word_fits
from xwtui.engine.wording import listed

_MOST_LETTERS = 4
"""Letters that a reason names; of more it only counts the words."""


class StoppedEntry(NamedTuple):
    """An entry that a partial fill leaves open, and why."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


def stopped_entries(answers: PartialAnswers) -> tuple[StoppedEntry, ...]:
    """The open entries, in the order of the grid, and why each is."""
    problem = answers.coverage.problem
    return tuple(
        StoppedEntry(entry.name, _why_open(answers, slot))
        for slot, entry in enumerate(problem.slots)
        if problem.is_required[slot] and slot not in answers.rows
    )


def _why_open(answers: PartialAnswers, slot: int) -> str:
    problem = answers.coverage.problem
    if problem.tables[slot].rows == 0:
        return no_word_fits(problem, slot).partition(": ")[2]
    fitting = _fitting_rows(answers, slot)
    pattern = _pattern(answers, slot)
    if not len(fitting):
        return f"no word fits {pattern}"
    free, holder = _not_taken(answers, slot, fitting)
    if not len(free):
        return f"only {problem.word(slot, int(fitting[0]))} fits {pattern}, and {holder} has it"
    return _clash(answers, slot, free) or (
        f"{len(free):,} words fit {pattern}, but no filling of its crossings was found"
    )


def _fitting_rows(answers: PartialAnswers, slot: int) -> NDArray[np.intp]:
    """The rows of a slot's table that agree with the squares filled."""
    symbols = answers.coverage.problem.tables[slot].symbols
    fits = np.ones(len(symbols), bool)
    for index, square in enumerate(answers.coverage.squares_of[slot]):
        if square in answers.codes:
            fits &= symbols[:, index] == answers.codes[square]
    return np.flatnonzero(fits)


def _pattern(answers: PartialAnswers, slot: int) -> str:
    contents = answers.coverage.problem.symbols.contents
    codes = (answers.codes.get(square) for square in answers.coverage.squares_of[slot])
    return "".join("?" if code is None else str(contents[code]) for code in codes)


def _not_taken(answers: PartialAnswers, slot: int, rows: NDArray[np.intp]) -> tuple[NDArray[np.intp], str]:
    """The rows whose words no other entry has, and an entry that has the first of the others."""
    problem = answers.coverage.problem
    if problem.allow_repeats:
        return rows, ""
    taken = {
        int(problem.tables[other].words[row]): problem.slots[other].name for other, row in answers.rows.items()
    }
    words = problem.tables[slot].words[rows]
    is_free = ~np.isin(words, list(taken))
    holder = taken[int(words[0])] if len(words) and not is_free[0] else ""
    return rows[is_free], holder


def _clash(answers: PartialAnswers, slot: int, rows: NDArray[np.intp]) -> str:
    """Say at which empty square an entry and its crossing want different letters; empty if nowhere."""
    coverage, problem = answers.coverage, answers.coverage.problem
    pattern = _pattern(answers, slot)
    for index, square in enumerate(coverage.squares_of[slot]):
        for other in coverage.slots_of[square]:
            if square in answers.codes or other == slot or problem.tables[other].rows == 0:
                continue
            wanted = set(problem.tables[slot].symbols[rows, index].tolist())
            its_rows, _ = _not_taken(answers, other, _fitting_rows(answers, other))
            offered = problem.tables[other].symbols[its_rows, coverage.squares_of[other].index(square)]
            if wanted.isdisjoint(offered.tolist()):
                letters = [str(problem.symbols.contents[code]) for code in sorted(wanted)]
                needs = (
                    listed(letters, "or") if len(letters) <= _MOST_LETTERS else f"one of {len(letters)} letters"
                )
                return (
                    f"{pattern} needs {needs} at {problem.positions[square]}, "
                    f"and {problem.slots[other].name} can have none of these"
                )
    return ""
