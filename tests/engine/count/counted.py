"""Counts by letter walks alone."""

from math import prod

from xwtui.engine.count.letter_count import LetterCount
from xwtui.engine.count.parts import OpenPart, open_parts
from xwtui.engine.problem.problem import Problem


def walked(problem: Problem, walkers: int = 1) -> int:
    """The fills of a problem without constraints, by letter walks alone."""
    if not problem.root.is_possible:
        return 0
    return prod([_walked(problem, part, walkers) for part in open_parts(problem, problem.root.state)])


def _walked(problem: Problem, part: OpenPart, walkers: int) -> int:
    count = LetterCount.of(part, problem.positions.__getitem__, lambda: False)
    assert count is not None
    count.employ(walkers)
    while not count.is_done:
        for walker in range(walkers):
            count.advance(walker, 1_000)
    return count.fills
