"""A job of one function: what is told of the newest request alone, once it is stopped, and where it fails."""

import threading
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.session.listening import PATIENCE_SECONDS
from xwtui.model import Puzzle
from xwtui.session.jobs.engine_loader import EngineLoader
from xwtui.session.jobs.job import Job, JobContext, Reporter, Snapshot
from xwtui.session.jobs.scheduler import Scheduler
from xwtui.session.jobs.word_loader import WordLoader
from xwtui.session.messages import JobFailed, Message, Notice
from xwtui.session.problem_specification import CounterHolder, ProblemHolder


class Asked(NamedTuple):
    text: str
    may_end: threading.Event


class Spelling(Job[Asked, str]):
    """Tells the first letter, and at the end the whole."""

    def work(self, request: Asked, reporter: Reporter[str]) -> str:
        reporter.tell(request.text[0])
        assert request.may_end.wait(PATIENCE_SECONDS)
        if request.text == "bad":
            raise ZeroDivisionError("a bug")
        return request.text

    def message(self, request: Asked, view: str, *, is_last: bool) -> Message:
        return Notice(f"{view}." if is_last else view)


@pytest.fixture
def scheduler() -> Iterator[Scheduler]:
    scheduler = Scheduler()
    yield scheduler
    scheduler.close()


class Desk:
    """A job, and what it has told."""

    def __init__(self, scheduler: Scheduler, *, tells_when_stopped: bool = False) -> None:
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
        self.job = Spelling(context, "spelling", "no spelling", tells_when_stopped=tells_when_stopped)

    def ask(self, text: str) -> threading.Event:
        """Begin, and wait for the first letter; what is returned lets the work end."""
        asked = Asked(text, threading.Event())
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


def test_each_view_is_kept_and_told_and_the_last_as_such(scheduler: Scheduler) -> None:
    desk = Desk(scheduler)
    may_end = desk.ask("abc")
    assert (desk.job.view, desk.job.is_busy) == ("a", True)
    may_end.set()
    desk.wait_for("abc.")
    assert desk.told == ["a", "abc."]
    assert desk.job.view == "abc"


def test_what_was_asked_before_is_told_no_more(scheduler: Scheduler) -> None:
    desk = Desk(scheduler, tells_when_stopped=True)
    may_end = desk.ask("abc")
    newest = Asked("xyz", threading.Event())
    desk.job.ask(newest)
    assert desk.job.view is None
    may_end.set()
    newest.may_end.set()
    desk.wait_for("xyz.")
    assert desk.told == ["a", "x", "xyz."]


@pytest.mark.parametrize("tells_when_stopped", [False, True])
def test_what_is_stopped_tells_what_it_has_where_that_is_wanted(
    scheduler: Scheduler, tells_when_stopped: bool
) -> None:
    desk = Desk(scheduler, tells_when_stopped=tells_when_stopped)
    may_end = desk.ask("abc")
    assert desk.job.stop()
    may_end.set()
    assert scheduler.wait(PATIENCE_SECONDS)
    assert desk.told == (["a", "abc."] if tells_when_stopped else ["a"])
    assert not desk.job.stop()


def test_a_failure_is_told_and_the_next_request_is_worked_on(scheduler: Scheduler) -> None:
    desk = Desk(scheduler)
    desk.ask("bad").set()
    desk.wait_for("no spelling: ZeroDivisionError: a bug")
    desk.ask("abc").set()
    desk.wait_for("abc.")
