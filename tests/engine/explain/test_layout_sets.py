"""Sets of entries that conflict by themselves, where nothing is given: smallest, and named by their reasons."""

import re
from random import Random

import pytest

from tests.engine.small_problems import lexicon_of
from tests.naive.engine import naive_fills
from xwtui.engine.explain import explain as explaining
from xwtui.engine.explain.choices import GivenLayout, NoRepeats
from xwtui.engine.explain.explain import explain
from xwtui.engine.explain.explanation import Answer
from xwtui.engine.problem.task import Task
from xwtui.model import BLOCK, OPEN, Grid, Slot


def random_layout(seed: int) -> tuple[Grid, dict[str, int]]:
    rng = Random(seed)
    height, width = rng.choice([(3, 3), (3, 4), (4, 4), (4, 5), (5, 5)])
    blocks = rng.choice([0, 0.1, 0.2])
    grid = Grid(height, width, tuple(BLOCK if rng.random() < blocks else OPEN for _ in range(height * width)))
    return grid, {"".join(rng.choices("ABC", k=rng.randint(2, 5))): 50 for _ in range(rng.randint(5, 40))}


def can_stand(slots: list[Slot], words: dict[str, int], *, repeated: bool = False) -> bool:
    """Whether words fit some entries together, different ones unless `repeated`, whatever the others hold."""

    def go_on(left: list[Slot], letters: dict[object, str], used: frozenset[str]) -> bool:
        if not left:
            return True
        places = left[0].positions
        return any(
            go_on(left[1:], {**letters, **dict(zip(places, word, strict=True))}, used | {word})
            for word in (words.keys() if repeated else words.keys() - used)
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
        if conflict.choices == (NoRepeats(),):
            assert can_stand(list(grid.entries), words, repeated=True)
            continue
        assert not can_stand(slots, words, repeated=True)
        assert all(can_stand([slot for slot in slots if slot is not one], words, repeated=True) for one in slots)


def test_a_grid_that_only_repeated_words_fill_is_not_blamed_on_its_blocks() -> None:
    grid, words = Grid.blank(3, 3), {"ABC": 50, "BCA": 40, "CAB": 60}
    explanation = explain(Task(grid, lexicon_of(words)))
    (conflict,) = explanation.conflicts
    assert conflict.describe().startswith("Only fills that use a word twice fit the blocks (")
    (remedy,) = explanation.remedies
    assert remedy.describe().startswith("fill with repeated words (`fill --allow-repeats`), as ")
    assert set(remedy.answers.values()) <= words.keys()
    assert explain(Task(grid, lexicon_of(words), allow_repeats=True)).answer is Answer.FILLABLE


def test_where_no_part_can_be_shown_in_conflict_none_is_called_smallest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explaining, "_PART_NODES", 1)
    unnamed = 0
    for seed in range(20, 60):
        grid, words = random_layout(seed)
        for conflict in explain(Task(grid, lexicon_of(words))).conflicts:
            (choice,) = conflict.choices
            if choice == NoRepeats():
                assert can_stand(list(grid.entries), words, repeated=True)
                continue
            assert isinstance(choice, GivenLayout)
            slots = [grid.entry(name) for name in choice.entries]
            assert not can_stand(slots, words)
            if conflict.is_smallest:
                assert all(can_stand([slot for slot in slots if slot is not one], words) for one in slots)
            unnamed += not conflict.entries
    assert unnamed, "no grid takes more nodes than a part may"
