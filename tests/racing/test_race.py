"""The race with real processes: who takes part, who fails, and how it is ended."""

from tests.racing.races import WORDS, course_of, endless_course, order_of
from xwtui.racing.race import run_race
from xwtui.racing.state import State
from xwtui.racing.view import RaceView

LETTERS = "emogic-letters"


def test_every_entrant_runs_with_every_seed_and_is_judged() -> None:
    order = order_of(LETTERS, "double-trie", seeds=2, cores=2)
    told: list[RaceView] = []
    view = run_race(course_of(), order, told=told.append)
    assert [(one.entrant, one.seed) for one in view.standings] == [
        (LETTERS, 0),
        ("double-trie", 0),
        (LETTERS, 1),
        ("double-trie", 1),
    ]
    for one in view.standings:
        assert (one.state, one.squares, one.all_squares) == (State.FILLED, 9, 9)
        assert "".join(one.grid) in ("ABCDEFGHI", "ADGBEHCFI")
        assert one.mean_score == sum(sorted(WORDS.values())[2:]) / 6
        assert one.nodes > 0
    assert told[-1].standings == view.standings
    assert view.is_over
    assert not view.is_stopped


def test_a_race_that_is_cancelled_ends_with_what_there_is() -> None:
    seen: list[RaceView] = []
    view = run_race(
        endless_course(),
        order_of(LETTERS, seeds=3),
        cancelled=lambda: any(one.state is State.RUNNING for view in seen for one in view.standings),
        told=seen.append,
    )
    assert view.is_stopped
    assert {one.state for one in view.standings} == {State.STOPPED}
