"""How searches end that nobody waits for any more, that find no time, or that fail."""

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.session.conftest import FILLS
from tests.session.listening import PATIENCE_SECONDS, Ear
from tests.session.saying import do, refuses, rows
from xwtui.engine import warmup
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.errors import XwtuiError
from xwtui.session.messages import FillEnded, FillProgress, JobFailed, LexiconFailed
from xwtui.session.session import Session
from xwtui.session.wording import ending_words


def search_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name in ("search", "race")]


def test_a_fill_out_of_time_stands_still_and_can_go_on(endless: Session, ear: Ear) -> None:
    do(endless, "fill --time 0.2")
    ended = ear.of(FillEnded)[0].run
    assert (ended.outcome, ended.paused) == (Outcome.UNKNOWN, True)
    assert ended.nodes > 0
    endless.jobs.fill.resume()
    assert endless.jobs.fill.is_running
    ear.wait_for(FillProgress, lambda progress: progress.run.nodes > ended.nodes)
    endless.jobs.fill.step()
    assert endless.wait(PATIENCE_SECONDS)
    assert endless.jobs.fill.view is not None
    assert endless.jobs.fill.view.paused
    assert endless.stop()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("fill --count 2", "found 0 of 2 before the time was over"),
        ("fill --best", "the time is up before a fill was found; the grid is as it was"),
        ("fill --all", "0 fills at least: the time was up"),
    ],
)
def test_what_time_cut_short_is_not_called_impossible(endless: Session, ear: Ear, line: str, said: str) -> None:
    do(endless, f"{line} --time 0.2")
    ended = ear.of(FillEnded)[0].run
    assert (ended.outcome, ending_words(ended)) == (Outcome.UNKNOWN, said)


def test_several_threads_out_of_time_end(endless: Session, ear: Ear) -> None:
    do(endless, "fill --time 0.2 --threads 2")
    ended = ear.of(FillEnded)[0].run
    assert (ended.outcome, ended.paused) == (Outcome.UNKNOWN, False)
    assert endless.jobs.fill.view == ended
    assert all(square.content is None for square in endless.puzzle.grid.squares)


def test_several_threads_cannot_be_stepped(endless: Session) -> None:
    endless.jobs.fill.fill(threads=2)
    refuses(endless, "step", "stop")
    assert endless.jobs.fill.is_running
    endless.stop()


def test_cancelling_from_another_thread_ends_the_wait(endless: Session, ear: Ear) -> None:
    endless.jobs.fill.fill()
    ear.wait_for(FillProgress)
    threading.Timer(0.05, endless.stop).start()
    assert endless.wait(PATIENCE_SECONDS)
    assert not endless.jobs.fill.is_running


def test_waiting_ends_at_its_time(endless: Session) -> None:
    endless.jobs.fill.fill()
    assert not endless.wait(0.05)
    endless.stop()
    assert endless.wait(PATIENCE_SECONDS)


def test_closing_ends_all_threads(endless: Session, ear: Ear) -> None:
    endless.jobs.fill.fill()
    ear.wait_for(FillProgress)
    endless.close()
    for thread in search_threads():
        thread.join(PATIENCE_SECONDS)
        assert not thread.is_alive()


def test_an_error_in_a_search_ends_in_a_message(small: Session, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Filler, nodes: int | None = None, seconds: float | None = None) -> Outcome:
        raise ZeroDivisionError("a bug")

    with monkeypatch.context() as patched:
        patched.setattr(Filler, "advance", broken)
        do(small, "fill")
    (failed,) = ear.of(JobFailed)
    assert "the search stopped: ZeroDivisionError: a bug" in failed.message
    assert not small.jobs.fill.is_running
    do(small, "fill")
    assert rows(small) in FILLS


def test_words_that_cannot_be_loaded_are_told(small: Session, ear: Ear) -> None:
    small.edit("words", lambda puzzle: replace(puzzle, words=replace(puzzle.words, lists=("nowhere",))))
    with pytest.raises(XwtuiError, match="nowhere"):
        small.wait_until_ready(PATIENCE_SECONDS)
    assert "nowhere" in ear.wait_for(LexiconFailed).message
    do(small, "fill")
    assert "nowhere" in ear.of(JobFailed)[0].message
    refuses(small, "candidates 1A", "nowhere", XwtuiError)
    small.undo()
    do(small, "fill")
    assert rows(small) in FILLS


def test_no_time_to_get_ready_is_told(small: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = threading.Event()

    def slow(
        progress: Callable[[str], None] = lambda _: None, *, counting: bool = True, improving: bool = False
    ) -> float:
        compiled.wait(PATIENCE_SECONDS)
        return 0.0

    monkeypatch.setattr(warmup, "warm_up", slow)
    with pytest.raises(XwtuiError, match="not ready"):
        small.wait_until_ready(0)
    compiled.set()
    small.wait_until_ready(PATIENCE_SECONDS)
