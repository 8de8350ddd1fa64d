"""Every mode is one protocol of a search, and a search is wrapped only once somebody watches it."""

import pytest

from tests.engine.small_problems import problem_of
from tests.known import known
from tests.session.listening import PATIENCE_SECONDS, Ear
from xwtui.engine.events.event import Outcome
from xwtui.model import Grid
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.jobs.fills.run import FillRun, RunControl
from xwtui.session.jobs.fills.search import DirectSearch, ModeSearch, PlainSearch
from xwtui.session.jobs.fills.watching import Watched
from xwtui.session.messages import FillProgress
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line


def running(bench: Session) -> ModeSearch:
    run = known(bench.jobs.fill._run)
    assert run.search is not None
    return run.search


def test_a_fill_is_recorded_only_once_it_is_stepped(endless: Session, ear: Ear) -> None:
    run_line(endless, "fill")
    ear.wait_for(FillProgress)
    assert type(running(endless)) is PlainSearch
    run_line(endless, "step")
    assert endless.wait(PATIENCE_SECONDS)
    assert type(running(endless)) is Watched
    assert endless.stop()


WORDS = {"BAG": 50, "ICE": 60, "TEN": 70, "BIT": 55, "ACE": 45, "GEN": 50}


@pytest.mark.parametrize("mode", [mode for mode in Mode if not mode.is_of_entry])
def test_each_mode_is_driven_alike(mode: Mode) -> None:
    threads = 1 if mode is Mode.FILL else 2
    run = FillRun(FillOptions(mode, seconds=PATIENCE_SECONDS, threads=threads), seed=1)
    view = known(run.work(problem_of(Grid.blank(3, 3), WORDS), RunControl(lambda: False, lambda _: None)))
    assert view.verdict is Outcome.FILLED
    assert isinstance(run.search, PlainSearch if mode is Mode.FILL else DirectSearch)
    assert (run.search.has_ended, run.recording) == (True, None)
