"""Theme answers: in which entries, and in which order, they leave most room; and which candidates fit best."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, permutations

from xwtui.engine.crew import never
from xwtui.engine.redesign.ranking import Ranking, Watch, rank
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

    def brief(self) -> str:
        """The same in few cells: here as it is."""
        return self.describe()

    def as_json(self) -> Mapping[str, object]:
        """The answers, by entry, for programs."""
        return {"answers": dict(self.answers)}


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
    watch = Watch(seconds, cancelled)
    ways = _arrangements(task, answers, symmetry, direction, watch.is_over)
    first = next(ways, None)
    if first is None and not watch.is_over():
        lengths = ", ".join(str(len(answer)) for answer in answers)
        raise EngineError(f"no symmetric entries {direction.word} take answers of {lengths} letters")
    alternatives = ((way, with_answers(task, way.answers)) for way in chain([first] if first else [], ways))
    return rank(alternatives, searched=_SEARCHED, watch=watch, seed=seed, found=found)


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
    watch = Watch(seconds, cancelled)
    return rank(alternatives, searched=_SEARCHED, watch=watch, seed=seed, found=found)


def with_answers(task: Task, answers: Mapping[str, str]) -> Task:
    """The task with answers written in pen in some entries, one letter a square."""
    changes = {
        at: replace(task.grid[at], content=Content.of(letter), ink=Ink.PEN)
        for name, answer in answers.items()
        for at, letter in zip(task.grid.slot(name).positions, answer, strict=True)
    }
    return replace(task, grid=task.grid.with_squares(changes))


def _arrangements(
    task: Task,
    answers: Sequence[str],
    symmetry: Symmetry,
    direction: Direction,
    is_over: Callable[[], bool],
) -> Iterator[Arrangement]:
    """Every way of the answers into entries, the set of which is its own mirror image; ends once it is over."""
    orders = list(dict.fromkeys(permutations(answers)))
    for chosen in _mirrored_sets(_families(task, symmetry, direction), len(answers)):
        for order in orders:
            if is_over():
                return
            if all(_fits(task, slot, answer) for slot, answer in zip(chosen, order, strict=True)):
                names = (slot.name for slot in chosen)
                yield Arrangement(dict(zip(names, order, strict=True)))


def _families(task: Task, symmetry: Symmetry, direction: Direction) -> list[tuple[Slot, ...]]:
    """The entries that are still open, each with its mirror images; without those with an image that is none."""
    slots = {frozenset(slot.positions): slot for slot in _open_slots(task, direction)}
    families: list[tuple[Slot, ...]] = []
    for slot in slots.values():
        images = _images(task, slot, symmetry)
        family = tuple(other for squares, other in slots.items() if squares <= images)
        if {at for other in family for at in other.positions} == images and family not in families:
            families.append(family)
    return families


def _images(task: Task, slot: Slot, symmetry: Symmetry) -> frozenset[Position]:
    """The squares of an entry and of its mirror images."""
    height, width = task.grid.height, task.grid.width
    return frozenset(at for position in slot.positions for at in symmetry.orbit(position, height, width))


def _mirrored_sets(families: Sequence[tuple[Slot, ...]], size: int) -> Iterator[tuple[Slot, ...]]:
    """Every union of families with so many entries, from top to bottom."""
    if size == 0:
        yield ()
    for index, family in enumerate(families):
        if len(family) <= size:
            for rest in _mirrored_sets(families[index + 1 :], size - len(family)):
                yield tuple(sorted((*family, *rest), key=lambda slot: slot.start))


def _open_slots(task: Task, direction: Direction) -> list[Slot]:
    return [slot for slot in task.grid.slots if slot.direction is direction and task.given_answer(slot) is None]


def _fits(task: Task, slot: Slot, answer: str) -> bool:
    """Whether an answer has as many letters as an entry has squares, and agrees with those that are given."""
    return len(slot) == len(answer) and all(
        at not in task.given or task.given[at] == Content.of(letter)
        for at, letter in zip(slot.positions, answer, strict=True)
    )
