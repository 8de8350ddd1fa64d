"""Which squares stand in which entries, and so which are filled when only some entries are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from xwtui.engine.problem import Problem
from xwtui.model import Content, Position


class Coverage:
    """The squares and slots of a problem, by their numbers, as partial fills look at them."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        number = {position: square for square, position in enumerate(problem.positions)}
        self.squares_of = tuple(tuple(number[at] for at in slot.positions) for slot in problem.slots)
        """The squares of each slot."""
        through: list[list[int]] = [[] for _ in number]
        for slot, squares in enumerate(self.squares_of):
            for square in squares:
                through[square].append(slot)
        self.slots_of = tuple(map(tuple, through))
        """The slots through each square."""
        self.given: Mapping[int, int] = {
            number[at]: problem.symbols.code(content) for at, content in problem.task.given.items() if at in number
        }
        """The code of each given square."""
        self.wordless = tuple(slot for slot, table in enumerate(problem.tables) if table.rows == 0)
        """The slots for which there is no word at all."""
        self.asked = frozenset(
            square
            for squares, is_required in zip(self.squares_of, problem.is_required, strict=True)
            for square in squares
            if is_required
        )
        """The squares that are to be filled: those of the entries asked for."""

    @cached_property
    def whole_given(self) -> frozenset[int]:
        """The slots all of whose squares are given."""
        return frozenset(slot for slot, squares in enumerate(self.squares_of) if self.given.keys() >= {*squares})

    @cached_property
    def given_answers(self) -> PartialAnswers:
        """The partial fill that adds nothing to what is given: tables of whole given entries have one row."""
        return PartialAnswers(self, dict.fromkeys(self.whole_given, 0))

    def through(self, squares: Iterable[int]) -> set[int]:
        """The slots through any of some squares."""
        return {slot for square in squares for slot in self.slots_of[square]}

    def lost(self, loose: Collection[int]) -> set[int]:
        """The squares asked for that stay empty where some slots are let go: not given, all their slots let go."""
        return {
            square
            for slot in loose
            for square in self.squares_of[slot]
            if square in self.asked
            and square not in self.given
            and all(other in loose for other in self.slots_of[square])
        }

    def neighbours(self, slot: int) -> set[int]:
        """The slots that cross a slot."""
        return self.through(self.squares_of[slot]) - {slot}


@dataclass(frozen=True, eq=False)
class PartialAnswers:
    """The entries of a partial fill: the row of each slot that has an answer."""

    coverage: Coverage
    rows: Mapping[int, int]

    @cached_property
    def codes(self) -> Mapping[int, int]:
        """The code of each square that is filled: given, or in an answer."""
        codes = dict(self.coverage.given)
        for slot, row in self.rows.items():
            symbols = self.coverage.problem.tables[slot].symbols[row].tolist()
            codes.update(zip(self.coverage.squares_of[slot], symbols, strict=True))
        return codes

    @cached_property
    def holes(self) -> frozenset[int]:
        """The squares asked for and left empty."""
        return self.coverage.asked - self.codes.keys()

    @cached_property
    def scores(self) -> list[int]:
        """The scores of the answers that are not given whole."""
        found = self.rows.keys() - self.coverage.whole_given
        return [self.coverage.problem.score(slot, self.rows[slot]) for slot in found]

    @property
    def mean_score(self) -> float:
        """The mean of the scores; 0 where there are none."""
        return sum(self.scores) / len(self.scores) if self.scores else 0.0

    @property
    def rank(self) -> tuple[int, int]:
        """What one partial fill is better than another by: squares filled, then scores, of open entries 0."""
        return -len(self.holes), sum(self.scores)

    def squares(self) -> dict[Position, Content]:
        """The content of each filled square, of a selection those in it."""
        problem, selection = self.coverage.problem, self.coverage.problem.task.selection
        return {
            problem.positions[square]: problem.symbols.contents[code]
            for square, code in self.codes.items()
            if selection is None or problem.positions[square] in selection
        }

    def words(self) -> dict[str, str]:
        """The answer of each entry that has one, by its name."""
        problem = self.coverage.problem
        return {problem.slots[slot].name: problem.word(slot, row) for slot, row in self.rows.items()}
