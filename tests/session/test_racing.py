"""The verbs that race, on a session with real threads and processes."""

import csv
from pathlib import Path

import pytest

from tests.known import known
from tests.session.saying import Ear, refuses, said
from xwtui.errors import XwtuiError
from xwtui.racing.task import RunState
from xwtui.session.messages import RaceEnded, RaceMoved
from xwtui.session.overwriting import ExistsAlreadyError
from xwtui.session.session import Session
from xwtui.session.verbs.completion import complete
from xwtui.session.verbs.registry import run_line

LETTERS = "emogic-letters"


def test_a_race_runs_beside_the_face_and_is_saved(small: Session, ear: Ear, tmp_path: Path) -> None:
    assert run_line(small, f"race {LETTERS},trie --seeds 2 --time 1000 --threads 1").started
    ended = ear.wait_for(RaceEnded)
    assert small.wait()
    assert ended.view is small.jobs.race.view
    assert [one.state for one in ended.view.standings] == [RunState.FILLED] * 4
    assert ear.of(RaceMoved)[0].view.standings[0].state is RunState.WAITING
    assert "2/2" in said(small, "race show")
    path = tmp_path / "race.csv"
    assert str(path) in said(small, f"race save {path}")
    with path.open(newline="") as file:
        assert len(list(csv.reader(file))) == 5
    run_line(small, f"race save {path}")
    path.write_text("Monday: rain.\n", encoding="utf-8")
    with pytest.raises(ExistsAlreadyError, match=f"{path} already exists: choose another name, or `race save"):
        run_line(small, f"race save {path}")
    assert path.read_text(encoding="utf-8") == "Monday: rain.\n"
    run_line(small, f"race save --force {path}")
    assert path.read_text(encoding="utf-8") != "Monday: rain.\n"


def test_stop_ends_the_race_at_once_with_what_there_is(endless: Session, ear: Ear) -> None:
    run_line(endless, f"race {LETTERS} --time 80000")
    ear.wait_for(RaceMoved, lambda moved: any(one.state is RunState.RUNNING for one in moved.view.standings))
    assert endless.jobs.race.is_running
    assert run_line(endless, "stop").lines == ("stopped",)
    [ended] = ear.of(RaceEnded)
    assert ended.view.is_stopped
    assert {one.state for one in ended.view.standings} == {RunState.STOPPED}
    assert not endless.jobs.race.is_running
    assert endless.wait()
    assert ear.of(RaceEnded) == [ended]
    assert not endless.jobs.race.stop()


def test_a_race_takes_the_place_of_another(endless: Session, ear: Ear) -> None:
    run_line(endless, f"race {LETTERS} --time 80000")
    ear.wait_for(RaceMoved, lambda moved: any(one.state is RunState.RUNNING for one in moved.view.standings))
    run_line(endless, "race trie --time 0.01 --seeds 1")
    ended = ear.wait_for(RaceEnded)
    assert ended.view.entrants == ("trie",)
    assert endless.jobs.race.view is ended.view


def test_a_race_that_cannot_be_run_is_told(small: Session, ear: Ear, small_list: Path) -> None:
    small_list.unlink()
    run_line(small, f"race {LETTERS}")
    small.wait()
    assert not small.jobs.race.is_running
    assert known(small.jobs.race.view).is_stopped


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("race show", "there is no race yet"),
        ("race save race.csv", "there is no race yet"),
        ("race topten", "did you mean top-ten"),
        ("race --seeds 0", "not a whole number from 1"),
        ("race --seeds 2 --seed 4294967295", "use a smaller --seed"),
    ],
)
def test_what_cannot_be_done_is_told(small: Session, line: str, message: str) -> None:
    refuses(small, line, message, XwtuiError)


def test_a_race_is_written_only_as_what_it_can_be(small: Session, ear: Ear, tmp_path: Path) -> None:
    run_line(small, f"race {LETTERS} --seeds 1")
    ear.wait_for(RaceEnded)
    refuses(small, f"race save {tmp_path / 'race.puz'}", r"saved as \.json, \.csv, \.svg", XwtuiError)


def test_strategies_are_offered_one_after_the_other(small: Session) -> None:
    assert "xwtui" in [one.text for one in complete(small, "race xw")]
    assert "xwtui,top-ten" in [one.text for one in complete(small, "race xwtui,to")]
