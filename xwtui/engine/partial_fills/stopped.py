"""Why an entry of a partial fill stayed open, in the words of a constructor."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.no_word import no_word_fits
from xwtui.engine.partial_fills.coverage import PartialAnswers
from xwtui.text import listed

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
    look = _Look(answers)
    return tuple(
        StoppedEntry(entry.name, look.why_open(slot))
        for slot, entry in enumerate(problem.slots)
        if problem.is_required[slot] and slot not in answers.rows
    )


class _Look:
    """A look at a partial fill, which remembers what it has found out about each entry."""

    def __init__(self, answers: PartialAnswers) -> None:
        self._answers = answers
        self._problem = problem = answers.coverage.problem
        self._takers = {
            int(problem.tables[slot].words[row]): problem.slots[slot].name for slot, row in answers.rows.items()
        }
        self._rows: dict[int, NDArray[np.intp]] = {}

    def why_open(self, slot: int) -> str:
        """Why an open entry has no answer."""
        problem = self._problem
        if problem.tables[slot].rows == 0:
            return no_word_fits(problem.task, problem.slots[slot]).partition(": ")[2]
        fitting, pattern = self._fitting_rows(slot), self._pattern(slot)
        if not len(fitting):
            return f"no word fits {pattern}"
        takers = self._takers_of_all(slot, fitting)
        if len(fitting) == 1 and takers:
            return f"only {problem.word(slot, int(fitting[0]))} fits {pattern}, and {takers[0]} has it"
        if takers:
            return f"the {len(fitting)} words that fit {pattern} are all used: {listed(takers, 'and')} have them"
        clash = self._clash(slot)
        words = "1 word fits" if len(fitting) == 1 else f"{len(fitting):,} words fit"
        return f"{pattern} {clash}" if clash else f"{words} {pattern}, but no filling of its crossings was found"

    def _pattern(self, slot: int) -> str:
        contents = self._problem.symbols.contents
        codes = (self._answers.codes.get(square) for square in self._answers.coverage.squares_of[slot])
        return "".join("?" if code is None else str(contents[code]) for code in codes)

    def _fitting_rows(self, slot: int) -> NDArray[np.intp]:
        """The rows of a slot's table that agree with the squares filled."""
        rows = self._rows.get(slot)
        if rows is None:
            symbols, codes = self._problem.tables[slot].symbols, self._answers.codes
            fits = np.ones(len(symbols), bool)
            for index, square in enumerate(self._answers.coverage.squares_of[slot]):
                if square in codes:
                    fits &= symbols[:, index] == codes[square]
            rows = self._rows[slot] = np.flatnonzero(fits)
        return rows

    def _takers_of_all(self, slot: int, rows: NDArray[np.intp]) -> list[str]:
        """The entries that have the words of some rows, if they have every one."""
        if self._problem.allow_repeats or len(rows) > len(self._takers):
            return []
        takers = [self._takers.get(word) for word in self._problem.tables[slot].words[rows].tolist()]
        found = [taker for taker in takers if taker is not None]
        return found if len(found) == len(takers) else []

    def _clash(self, slot: int) -> str:
        """Say at which empty square an entry and its crossing want different letters; empty if nowhere."""
        coverage, problem = self._answers.coverage, self._problem
        for index, square in enumerate(coverage.squares_of[slot]):
            for other in coverage.slots_of[square]:
                if square in self._answers.codes or other == slot or problem.tables[other].rows == 0:
                    continue
                wanted = self._codes_at(slot, index)
                if wanted.isdisjoint(self._codes_at(other, coverage.squares_of[other].index(square))):
                    letters = [str(problem.symbols.contents[code]) for code in sorted(wanted)]
                    needs = (
                        listed(letters, "or")
                        if len(letters) <= _MOST_LETTERS
                        else f"one of {len(letters)} letters"
                    )
                    rival = problem.slots[other].name
                    return f"needs {needs} at {problem.positions[square]}, and {rival} can have none of these"
        return ""

    def _codes_at(self, slot: int, index: int) -> set[int]:
        """The symbols that an entry's fitting words have at one of its squares."""
        table, rows = self._problem.tables[slot], self._fitting_rows(slot)
        if len(rows) < table.rows:
            return set(np.unique(table.symbols[rows, index]).tolist())
        bits = table.supports.reshape(-1, table.symbol_count, table.width)[index]
        return set(np.flatnonzero(bits.any(axis=1)).tolist())
