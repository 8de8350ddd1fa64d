"""Squares that read one letter across and another one down: pairs of squares, of which so many differ.

Three constraints in one, as `kernels/propagate/pairs.py` keeps them: a table over the two squares of each pair, a
cardinality of those that differ, and an automaton over their letters, which spells a message.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.network import SYMBOLS
from xwtui.engine.kernels.propagate.constraints import NO_LIMIT
from xwtui.engine.kernels.propagate.pairs import HEADER, PAIR_COLUMNS
from xwtui.engine.problem.segmentation import Requirements
from xwtui.engine.problem.squares import Squares
from xwtui.engine.problem.symbols import signed

_ANY_SYMBOL = (1 << SYMBOLS) - 1


class SquarePairs(NamedTuple):
    """Of some pairs of squares so many differ, and all others agree; or their letters spell a message."""

    verb: str
    """That of the rule that asks it."""
    pairs: tuple[tuple[int, int], ...]
    """Numbers of squares, row by row, those of the across entry first."""
    letters: int
    """The symbols of pairs that can differ, as bits."""
    least: int
    most: int
    allowed: tuple[tuple[int, int], ...] | None = None
    """The symbols that may differ, two by two; None for any."""
    steps: tuple[tuple[int, int], ...] = ()
    """For each letter of a message the symbols of both squares, as bits."""
    message: str = ""
    given: int = 0
    """Pairs that are given."""

    @property
    def fewest(self) -> int:
        """How many differ at most where no more are to than must."""
        return min(max(self.least, self.given), self.most)

    def at_fault(self, masks: Sequence[int]) -> tuple[list[int], int, bool]:
        """The squares, one of a pair, that differ and should not, by the symbols left in each square.

        Then how many pairs can differ, and whether those squares may not differ at all, as they do. None are told
        where the message is at fault.
        """
        must, can = self._counted(masks)
        if self.message and len(can) >= self.least:
            return [], len(can), False
        barred = [square for square in must if square not in can]
        return barred or (must if len(must) > self.most else []), len(can), bool(barred)

    def _counted(self, masks: Sequence[int]) -> tuple[list[int], list[int]]:
        """The across squares of the pairs that differ for certain, and of those that may."""
        must: list[int] = []
        can: list[int] = []
        for one, other in self.pairs:
            across, down = masks[one], masks[other]
            must += [] if across & down else [one]
            can += [one] if self._can_differ(across & self.letters, down & self.letters) else []
        return must, can

    def _can_differ(self, across: int, down: int) -> bool:
        if self.allowed is None:
            return bool(across and down) and (across | down).bit_count() > 1
        return any(across >> one & 1 and down >> other & 1 for one, other in self.allowed)


def pair_records(asked: Sequence[SquarePairs]) -> NDArray[np.int64]:
    """The records that the kernels read; nothing where there are none."""
    cells: list[int] = []
    for each in asked:
        allowed = each.allowed or ()
        steps = [(signed(one), signed(other)) for one, other in each.steps]
        following = len(cells) + HEADER + PAIR_COLUMNS * (len(each.pairs) + len(allowed) + len(steps))
        cells += [following, len(each.pairs), len(allowed), len(steps)]
        cells += [each.least, each.most, each.fewest, 0 if each.allowed == () else signed(each.letters)]
        cells += [cell for pair in (*each.pairs, *allowed, *steps) for cell in pair]
    return np.array(cells, np.int64)


def square_pairs(requirements: Requirements, squares: Squares) -> Iterator[SquarePairs]:
    """What the rules of a task ask of pairs; while squares stay empty, none need to differ."""
    task, symbols = requirements.task, requirements.symbols

    def codes(pairs: Sequence[str]) -> Iterator[tuple[int, int]]:
        """The symbols of pairs of letters, but for those that the alphabet lacks."""
        for pair in pairs:
            across, down = map(symbols.letters_mask, pair)
            if across and down:
                yield across.bit_length() - 1, down.bit_length() - 1

    def wanted(letter: str) -> int:
        """The symbols that a step of a message wants."""
        return symbols.letters_mask(letter) if letter else _ANY_SYMBOL

    for asked in task.rules.two_readings:
        places = [at for at in asked.places(task.grid, task.rules.squares) if at in task.split]
        numbers = [squares.numbers.get(at, ()) for at in places]
        least, most = asked.bounds
        is_told = bool(asked.message) and task.fills_the_rest
        yield SquarePairs(
            asked.verb,
            tuple((pair[0], pair[1]) for pair in numbers if len(pair) == 2),
            symbols.plain.mask,
            least if task.fills_the_rest else 0,
            NO_LIMIT if most is None else most,
            tuple(codes(asked.pairs)) if asked.pairs else None,
            tuple((wanted(one), wanted(other)) for one, other in asked.steps) if is_told else (),
            asked.message if is_told else "",
            sum(at in task.given for at in places),
        )
