import pickle

import pytest

from tests.racing.races import task_of
from xwtui.errors import EngineError
from xwtui.racing.task import RaceOrder, read_entrants, seeds_from
from xwtui.strategies.registry import STRATEGIES


@pytest.mark.parametrize("texts", [(), ("all",), ("ALL",), (" ",)])
def test_every_strategy_starts_if_none_is_named(texts: tuple[str, ...]) -> None:
    entrants = list(map(str, read_entrants(texts)))
    assert entrants == [name for name in STRATEGIES if name != "sat"], "whose clauses are too many for most grids"
    assert list(map(str, read_entrants(["sat"]))) == ["sat"]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("xwtui,top-ten",), ["xwtui", "top-ten"]),
        (("xwtui", "top-ten"), ["xwtui", "top-ten"]),
        (("xwtui,XWTUI,xwtui:noise=20",), ["xwtui"]),
        (("emogic-letters:walk=snake,supply=masks,xwtui",), ["emogic-letters:walk=snake,supply=masks", "xwtui"]),
        (
            ("xwtui:order=score,decide=squares,xwtui:jump=no",),
            ["xwtui:order=score,decide=squares", "xwtui:jump=no"],
        ),
    ],
)
def test_commas_part_entrants_and_options(texts: tuple[str, ...], expected: list[str]) -> None:
    assert list(map(str, read_entrants(texts))) == expected


def test_too_many_and_unknown_entrants_are_refused() -> None:
    with pytest.raises(EngineError, match="51 strategies are too many"):
        read_entrants([f"xwtui:patience={number}" for number in range(1, 52)])
    with pytest.raises(EngineError, match="did you mean top-ten"):
        read_entrants(["xwtui,topten"])


def test_all_entrants_run_with_a_seed_before_the_next_seed() -> None:
    order = RaceOrder(read_entrants(["xwtui,top-ten"]), seeds_from(7, 2))
    assert [(str(start.entrant), start.seed) for start in order.starts] == [
        ("xwtui", 7),
        ("top-ten", 7),
        ("xwtui", 8),
        ("top-ten", 8),
    ]


def test_a_task_comes_whole_through_a_pickle() -> None:
    task = task_of("A..\n...\n...")
    again = pickle.loads(pickle.dumps(task))
    assert again.puzzle == task.puzzle
    assert again.engine_task.lexicon.fingerprint == task.engine_task.lexicon.fingerprint
    assert again.engine_task.lexicon is again.vocabulary.lexicon
    table = again.engine_task.lexicon.layers[0].table(3)
    assert table.words() == task.engine_task.lexicon.layers[0].table(3).words()
    assert not table.letters.flags.writeable
