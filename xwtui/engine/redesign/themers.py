"""Theme answers: in which entries, and in which order, they leave most room; and which candidates fit best."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from xwtui.engine.crew import never
from xwtui.engine.redesign.ranking import Ranking, rank
from xwtui.engine.task import Task
from xwtui.errors import EngineError
from xwtui.model import Content, Direction, Ink, Position, Slot
from xwtui.model.symmetry import Symmetry

_SEARCHED = 12
MOST_THEMERS = 7
"""Theme answers that are arranged at once."""


@dataclass(frozen=True)
class Arrangement:
    """Theme answers in their entries."""

    answers: Mapping[str, str]
    """The answer of each entry, by its name, from top to bottom."""

    def describe(self) -> str:
        """`20A HEARTTOHEART, 36A BRAVEHEART`."""
        return ", ".join(f"{name} {answer}" for name, answer in self.answers.items())


def theme_arrangements(
    task: Task,
    answers: Sequence[str],
    symmetry: Symmetry,
    *,
    direction: Direction = Direction.ACROSS,
    seconds: float | None = None,
    seed: int = 0,
    cancelled: Callable[[], bool] = never,
    found: Callable[[Ranking[Arrangement]], None] | None = None,
) -> Ranking[Arrangement]:
    """Rank the ways of all these answers into entries of one direction, mirrored entries both being taken.

    Only entries that are not given count. Raises EngineError for more than seven answers, and where
    their lengths find no place.
    """
    if len(answers) > MOST_THEMERS:
        raise EngineError(f"{len(answers)} theme answers are too many to arrange; {MOST_THEMERS} at most")
    ways = list(_arrangements(task, answers, symmetry, direction))
    if not ways:
        lengths = ", ".join(str(len(answer)) for answer in answers)
        raise EngineError(f"no symmetric entries {direction.word} take answers of {lengths} letters")
    alternatives = ((way, with_answers(task, way.answers)) for way in ways)
    return rank(alternatives, searched=_SEARCHED, seconds=seconds, seed=seed, cancelled=cancelled, found=found)


def theme_candidates(
    task: Task,
    candidates: Sequence[str],
    *,
    direction: Direction = Direction.ACROSS,
    seconds: float | None = None,
    seed: int = 0,
    cancelled: Callable[[], bool] = never,
    found: Callable[[Ranking[Arrangement]], None] | None = None,
) -> Ranking[Arrangement]:
    """Rank single theme answers by how well the grid can be filled with each in the entry that suits it best."""
    alternatives = (
        (Arrangement({slot.name: answer}), with_answers(task, {slot.name: answer}))
        for answer in dict.fromkeys(candidates)
        for slot in _open_slots(task, direction)
        if _fits(task, slot, answer)
    )
    return rank(alternatives, searched=_SEARCHED, seconds=seconds, seed=seed, cancelled=cancelled, found=found)


def with_answers(task: Task, answers: Mapping[str, str]) -> Task:
    """The task with answers written in pen in some entries, one letter a square."""
    changes = {
        at: replace(task.grid[at], content=Content.of(letter), ink=Ink.PEN)
        for name, answer in answers.items()
        for at, letter in zip(task.grid.slot(name).positions, answer, strict=True)
    }
    return replace(task, grid=task.grid.with_squares(changes))


def _arrangements(
    task: Task, answers: Sequence[str], symmetry: Symmetry, direction: Direction
) -> Iterator[Arrangement]:
    """Every way of the answers into entries, the set of which is its own mirror image."""
    slots = _open_slots(task, direction)
    height, width = task.grid.height, task.grid.width
    mirrors = {
        slot: frozenset(at for position in slot.positions for at in symmetry.orbit(position, height, width))
        for slot in slots
    }
    for order in dict.fromkeys(permutations(answers)):
        yield from _placed(task, order, slots, mirrors)


def _placed(
    task: Task, order: Sequence[str], slots: Sequence[Slot], mirrors: Mapping[Slot, frozenset[Position]]
) -> Iterator[Arrangement]:
    """The ways of answers in this order, from top to bottom."""

    def on(index: int, first: int, taken: tuple[Slot, ...]) -> Iterator[tuple[Slot, ...]]:
        if index == len(order):
            squares = {at for slot in taken for at in slot.positions}
            if all(mirrors[slot] <= squares for slot in taken):
                yield taken
            return
        for number in range(first, len(slots)):
            if _fits(task, slots[number], order[index]):
                yield from on(index + 1, number + 1, (*taken, slots[number]))

    for taken in on(0, 0, ()):
        names = (slot.name for slot in taken)
        yield Arrangement(dict(zip(names, order, strict=True)))


def _open_slots(task: Task, direction: Direction) -> list[Slot]:
    return [slot for slot in task.grid.slots if slot.direction is direction and task.given_answer(slot) is None]


def _fits(task: Task, slot: Slot, answer: str) -> bool:
    """Whether an answer has as many letters as an entry has squares, and agrees with those that are given."""
    return len(slot) == len(answer) and all(
        at not in task.given or task.given[at] == Content.of(letter)
        for at, letter in zip(slot.positions, answer, strict=True)
    )
