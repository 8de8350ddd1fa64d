"""What a letter walk remembers: the same counts in the same steps, wherever it lies, and nothing at rest."""

from itertools import product

import numpy as np
import pytest

from tests.engine.small_problems import problem_of
from xwtui.engine.count import walk_layout
from xwtui.engine.count.estimator import Counter
from xwtui.engine.count.exact import Counting, _PartCount
from xwtui.engine.count.letter_count import LetterCount
from xwtui.engine.count.parts import open_parts
from xwtui.engine.count.walk_layout import fresh_memory, with_room
from xwtui.engine.kernels.count.walk_arrays import IN_PLACE
from xwtui.engine.problem.problem import Problem
from xwtui.model import Grid

NEVER, AT_ONCE = 0, 1 << 40


def problem() -> Problem:
    words = [*product("ABC", repeat=3), *product("ABC", repeat=5)]
    return problem_of(Grid.blank(3, 5), {"".join(letters): 50 for letters in words}, allow_repeats=True)


def walk_of(posed: Problem) -> LetterCount:
    walk = LetterCount.of(open_parts(posed, posed.root.state)[0], posed.positions.__getitem__, lambda: False)
    assert walk is not None
    return walk


def parts_of(counting: Counting) -> list[_PartCount]:
    assert counting._parts is not None
    return counting._parts


def walked(walk: LetterCount) -> tuple[int, int]:
    """The count, and the letters that it took."""
    walk.employ(1)
    while not walk.is_done:
        walk.advance(0, 500)
    return walk.fills, walk.letters


def test_a_count_takes_as_many_letters_wherever_what_it_remembers_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    posed, results = problem(), []
    for few in (NEVER, AT_ONCE, 1000):
        monkeypatch.setattr(walk_layout, "_FEW", few)
        results.append(walked(walk_of(posed)))
    assert results[0] == results[1] == results[2]


def test_pairs_come_to_their_places_when_they_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = fresh_memory(digits=1, most_bytes=1 << 10)
    assert len(memory.pairs) == 16
    memory.pairs[[3, 9]] = 2, 1
    memory.entries[2:6] = np.arange(16).reshape(4, 4)
    memory.used[0] = 2
    assert with_room(memory) is memory
    monkeypatch.setattr(walk_layout, "_FEW", 9)
    placed = with_room(memory)
    assert placed.used[0] == IN_PLACE
    assert (placed.entries[20:22] == memory.entries[2:4]).all()
    assert (placed.entries[8:10] == memory.entries[4:6]).all()
    assert np.count_nonzero(placed.entries.any(axis=1)) == 4
    assert with_room(placed) is placed


def test_a_count_that_few_are_remembered_for_touches_little() -> None:
    memory = fresh_memory(digits=2, most_bytes=1 << 20)
    assert memory.entries.nbytes + memory.pairs.nbytes <= 1.1 * (1 << 20)


def test_at_rest_nothing_is_remembered_and_the_count_goes_on() -> None:
    counting = Counting(problem())
    counting.go_on(nodes=2_500)
    (part,) = parts_of(counting)
    assert part._walk is not None
    before = counting.effort
    assert before > 0
    counting.rest()
    assert not part._walk._walkers
    assert counting.effort == before
    assert counting.go_on().count == walked(walk_of(problem()))[0]
    assert not part._walk._walkers


def test_a_counter_at_rest_remembers_nothing() -> None:
    counter = Counter(problem())
    counter.exact(nodes=2_500)
    (part,) = parts_of(counter._counting)
    assert part._walk is not None
    counter.rest()
    assert not part._walk._walkers
