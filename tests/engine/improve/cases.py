"""What the tests of the improver share: a problem that no search sees to its end, and a stop at some moment."""

from random import Random

from tests.engine.small_problems import problem_of
from xwtui.engine.fill.portfolio import fill
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Position


class Stopper:
    """Cancels after so many looks."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def __call__(self) -> bool:
        self.looks -= 1
        return self.looks < 0


def wide_problem() -> tuple[Problem, dict[Position, Content]]:
    """A grid with so many fills that no search sees them all, and one of them."""
    rng = Random(1)
    words = {
        first + second + third + fourth: rng.randint(0, 100)
        for first in "ABCDEF"
        for second in "ABCDEF"
        for third in "ABCDEF"
        for fourth in "ABCDEF"
    }
    grid = grid_from_text("....#....\n" * 4 + "#########\n" + "....#....\n" * 4)
    problem = problem_of(grid, words)
    return problem, dict(fill(problem).squares)
