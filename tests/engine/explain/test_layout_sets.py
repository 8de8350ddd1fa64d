"""Sets of entries that conflict by themselves, where nothing is given: smallest, and named by their reasons."""

import re
from random import Random

import pytest

from tests.engine.small_problems import lexicon_of
from tests.naive.engine import naive_fills
from xwtui.engine.explain import explain as explaining
from xwtui.engine.explain.choices import GivenLayout
from xwtui.engine.explain.explain import explain
from xwtui.engine.problem.task import Task
from xwtui.model import BLOCK, OPEN, Grid, Slot


def random_layout(seed: int) -> tuple[Grid, dict[str, int]]:
    rng = Random(seed)
    height, width = rng.choice([(3, 3), (3, 4), (4, 4), (4, 5), (5, 5)])
    blocks = rng.choice([0, 0.1, 0.2])
    grid = Grid(height, width, tuple(BLOCK if rng.random() < blocks else OPEN for _ in range(height * width)))
    return grid, {"".join(rng.choices("ABC", k=rng.randint(2, 5))): 50 for _ in range(rng.randint(5, 40))}


def can_stand(slots: list[Slot], words: dict[str, int]) -> bool:
    """Whether different words fit some entries together, whatever the others hold."""

    def go_on(left: list[Slot], letters: dict[object, str], used: frozenset[str]) -> bool:
        if not left:
            return True
        places = left[0].positions
        return any(
            go_on(left[1:], {**letters, **dict(zip(places, word, strict=True))}, used | {word})
            for word in words.keys() - used
            if len(word) == len(places)
            and all(letters.get(at, letter) == letter for at, letter in zip(places, word, strict=True))
        )

    return go_on(slots, {}, frozenset())


@pytest.mark.parametrize("seed", range(20, 60))
def test_a_set_called_smallest_is_and_its_reason_names_no_other_entry(seed: int) -> None:
    grid, words = random_layout(seed)
    explanation = explain(Task(grid, lexicon_of(words)))
    assert bool(explanation.conflicts) == (next(iter(naive_fills(grid, words)), None) is None)
    for conflict in explanation.conflicts:
        slots = [grid.entry(name) for name in conflict.entries]
        assert set(re.findall(r"\b\d+[AD]\b", conflict.reason)) <= {slot.name for slot in slots}
        assert not can_stand(slots, words)
        assert conflict.is_smallest
        assert all(can_stand([slot for slot in slots if slot is not one], words) for one in slots)


def test_where_no_part_can_be_shown_in_conflict_none_is_called_smallest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explaining, "_PART_NODES", 1)
    proved = 0
    for seed in range(20, 60):
        grid, words = random_layout(seed)
        for conflict in explain(Task(grid, lexicon_of(words))).conflicts:
            (layout,) = conflict.choices
            assert isinstance(layout, GivenLayout)
            slots = [grid.entry(name) for name in layout.entries]
            assert not can_stand(slots, words)
            if conflict.is_smallest:
                assert all(can_stand([slot for slot in slots if slot is not one], words) for one in slots)
            proved += not conflict.entries
    assert proved, "no grid takes more nodes than a part may"
