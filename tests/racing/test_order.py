import pickle

import pytest

from tests.racing.races import course_of
from xwtui.errors import EngineError
from xwtui.racing.order import RaceOrder, read_entrants, seeds_from
from xwtui.strategies.registry import STRATEGIES


@pytest.mark.parametrize("texts", [(), ("all",), ("ALL",), (" ",)])
def test_every_strategy_starts_if_none_is_named(texts: tuple[str, ...]) -> None:
    assert list(map(str, read_entrants(texts))) == list(STRATEGIES)


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


def test_a_course_comes_whole_through_a_pickle() -> None:
    course = course_of("A..\n...\n...")
    again = pickle.loads(pickle.dumps(course))
    assert again.puzzle == course.puzzle
    assert again.task.lexicon.fingerprint == course.task.lexicon.fingerprint
    assert again.task.lexicon is again.vocabulary.lexicon
    table = again.task.lexicon.layers[0].table(3)
    assert table.words() == course.task.lexicon.layers[0].table(3).words()
    assert not table.letters.flags.writeable
