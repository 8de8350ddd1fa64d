"""The worker, and a single-function job: newest request only, errors reported, stopped on demand."""

import itertools
import os
import sys
import threading
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.session.saying import PATIENCE_SECONDS
from xwtui.errors import EngineError
from xwtui.model import Puzzle
from xwtui.session.jobs.engine_loader import EngineLoader
from xwtui.session.jobs.job import Job, JobContext, Reporter, Snapshot
from xwtui.session.jobs.scheduler import IsStopped, Scheduler, Worker, failure_text
from xwtui.session.jobs.word_loader import WordLoader
from xwtui.session.messages import JobFailed, Message, Notice
from xwtui.session.problem_holders import CounterHolder, ProblemHolder

_numbers = itertools.count(1)


class Desk:
    """Records a worker's tasks; each blocks until it is released."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.stale: list[str] = []
        self.failures: list[str] = []
        scheduler = Scheduler()
        self.idle = scheduler.changed
        self.let_go = threading.Event()
        self.name = f"desk {next(_numbers)}"
        self.worker = Worker(scheduler, self.name, self.work, self.failures.append)

    def work(self, request: str, is_stopped: IsStopped) -> None:
        with self.idle:
            self.begun.append(request)
            self.idle.notify_all()
        assert self.let_go.wait(PATIENCE_SECONDS)
        if is_stopped():
            self.stale.append(request)
        if request == "bad":
            raise ZeroDivisionError("a bug")

    def wait_for_begun(self, request: str) -> None:
        with self.idle:
            assert self.idle.wait_for(lambda: request in self.begun, PATIENCE_SECONDS)

    def wait_for_rest(self) -> None:
        with self.idle:
            assert self.idle.wait_for(lambda: not self.worker.is_busy, PATIENCE_SECONDS)


def test_only_the_newest_waiting_request_runs() -> None:
    desk = Desk()
    desk.worker.submit("first")
    desk.wait_for_begun("first")
    for request in ("second", "third", "fourth"):
        desk.worker.submit(request)
    desk.let_go.set()
    desk.wait_for_rest()
    assert desk.begun == ["first", "fourth"]
    assert desk.stale == ["first"]
    desk.worker.close()


def test_an_interrupt_stops_work_and_drops_waiting_requests() -> None:
    desk = Desk()
    desk.worker.submit("first")
    desk.wait_for_begun("first")
    desk.worker.submit("second")
    desk.worker.interrupt()
    desk.let_go.set()
    desk.wait_for_rest()
    assert (desk.begun, desk.stale) == (["first"], ["first"])
    desk.worker.close()


def test_an_error_is_reported_and_work_continues() -> None:
    desk = Desk()
    desk.let_go.set()
    desk.worker.submit("bad")
    desk.wait_for_rest()
    assert desk.failures == ["ZeroDivisionError: a bug"]
    desk.worker.submit("good")
    desk.wait_for_begun("good")
    desk.wait_for_rest()
    desk.worker.close()
    desk.worker.join(PATIENCE_SECONDS)
    assert desk.name not in [thread.name for thread in threading.enumerate()]


def test_an_error_of_superseded_work_is_not_reported() -> None:
    desk = Desk()
    desk.worker.submit("bad")
    desk.wait_for_begun("bad")
    desk.worker.interrupt()
    desk.let_go.set()
    desk.wait_for_rest()
    assert desk.failures == []
    desk.worker.close()


def test_a_closed_worker_does_nothing() -> None:
    desk = Desk()
    desk.worker.close()
    desk.worker.submit("late")
    desk.worker.join(0)
    assert desk.begun == []


def test_errors_are_shown_line_by_line_without_control_characters() -> None:
    assert failure_text(EngineError("17A: no word fits")) == "17A: no word fits"
    assert failure_text(MemoryError()) == "there is not enough memory for this"
    assert failure_text(ValueError("two\nlines\x1b")) == "ValueError: two\nlines\\x1b"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no niceness of their own")
def test_worker_threads_have_lower_priority() -> None:
    """A worker thread, and threads it starts, have a higher niceness than the calling thread."""
    told: list[int] = []
    scheduler = Scheduler()
    idle = scheduler.changed

    def niceness() -> None:
        told.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    def work(request: int, is_stopped: IsStopped) -> None:
        niceness()
        thread = threading.Thread(target=niceness)
        thread.start()
        thread.join()

    worker: Worker[int] = Worker(scheduler, "nice", work, lambda message: None)
    worker.submit(1)
    with idle:
        assert idle.wait_for(lambda: not worker.is_busy, PATIENCE_SECONDS)
    worker.close()
    niceness()
    child, grandchild, mine = told
    assert child == grandchild == min(mine + 5, 19)


class SpellingRequest(NamedTuple):
    text: str
    may_end: threading.Event


class Spelling(Job[SpellingRequest, str]):
    """Reports the first letter, and the whole text at the end."""

    def work(self, request: SpellingRequest, reporter: Reporter[str]) -> str:
        reporter.report(request.text[0])
        assert request.may_end.wait(PATIENCE_SECONDS)
        if request.text == "bad":
            raise ZeroDivisionError("a bug")
        return request.text

    def message(self, request: SpellingRequest, view: str, *, is_last: bool) -> Message:
        return Notice(f"{view}." if is_last else view)


@pytest.fixture
def scheduler() -> Iterator[Scheduler]:
    scheduler = Scheduler()
    yield scheduler
    scheduler.close()


class JobDesk:
    """A job, and its reports."""

    def __init__(self, scheduler: Scheduler, *, reports_when_stopped: bool = False) -> None:
        self.told: list[str] = []
        self._heard = threading.Condition()
        context = JobContext(
            self._hear,
            lambda: Snapshot(Puzzle.blank(3, 3), None, 0),
            lambda: None,
            scheduler,
            EngineLoader(self._hear, scheduler),
            WordLoader(self._hear, scheduler),
            ProblemHolder(),
            CounterHolder(),
        )
        self.job = Spelling(context, "spelling", "no spelling", reports_when_stopped=reports_when_stopped)

    def ask(self, text: str) -> threading.Event:
        """Start, and wait for the first letter; the returned event lets the work finish."""
        asked = SpellingRequest(text, threading.Event())
        self.job.ask(asked)
        self.wait_for(text[0])
        return asked.may_end

    def wait_for(self, text: str) -> None:
        with self._heard:
            assert self._heard.wait_for(lambda: text in self.told, PATIENCE_SECONDS)

    def _hear(self, message: Message) -> None:
        assert isinstance(message, Notice | JobFailed)
        with self._heard:
            self.told.append(message.text if isinstance(message, Notice) else message.message)
            self._heard.notify_all()


def test_each_view_is_kept_and_reported_and_the_last_marked(scheduler: Scheduler) -> None:
    desk = JobDesk(scheduler)
    may_end = desk.ask("abc")
    assert (desk.job.view, desk.job.is_busy) == ("a", True)
    may_end.set()
    desk.wait_for("abc.")
    assert desk.told == ["a", "abc."]
    assert desk.job.view == "abc"


def test_superseded_requests_report_nothing_more(scheduler: Scheduler) -> None:
    desk = JobDesk(scheduler, reports_when_stopped=True)
    may_end = desk.ask("abc")
    newest = SpellingRequest("xyz", threading.Event())
    desk.job.ask(newest)
    assert desk.job.view is None
    may_end.set()
    newest.may_end.set()
    desk.wait_for("xyz.")
    assert desk.told == ["a", "x", "xyz."]


@pytest.mark.parametrize("reports_when_stopped", [False, True])
def test_a_stopped_request_reports_its_result_if_wanted(scheduler: Scheduler, reports_when_stopped: bool) -> None:
    desk = JobDesk(scheduler, reports_when_stopped=reports_when_stopped)
    may_end = desk.ask("abc")
    assert desk.job.stop()
    may_end.set()
    assert scheduler.wait(PATIENCE_SECONDS)
    assert desk.told == (["a", "abc."] if reports_when_stopped else ["a"])
    assert not desk.job.stop()


def test_a_failure_is_reported_and_the_next_request_runs(scheduler: Scheduler) -> None:
    desk = JobDesk(scheduler)
    desk.ask("bad").set()
    desk.wait_for("no spelling: ZeroDivisionError: a bug")
    desk.ask("abc").set()
    desk.wait_for("abc.")
