"""The worker: newest request only, errors told, ended on demand."""

import itertools
import os
import sys
import threading

import pytest

from tests.session.listening import PATIENCE_SECONDS
from xwtui.errors import EngineError
from xwtui.session.jobs.scheduler import IsStopped, Worker, what_failed

_numbers = itertools.count(1)


class Desk:
    """Records what a worker does; each piece of work waits until it is let go."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.stale: list[str] = []
        self.failures: list[str] = []
        self.idle = threading.Condition()
        self.let_go = threading.Event()
        self.name = f"desk {next(_numbers)}"
        self.worker = Worker(self.name, self.work, self.failures.append, self.idle)

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


def test_only_the_newest_of_what_waits_is_done() -> None:
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


def test_interrupted_work_is_stopped_and_what_waits_forgotten() -> None:
    desk = Desk()
    desk.worker.submit("first")
    desk.wait_for_begun("first")
    desk.worker.submit("second")
    desk.worker.interrupt()
    desk.let_go.set()
    desk.wait_for_rest()
    assert (desk.begun, desk.stale) == (["first"], ["first"])
    desk.worker.close()


def test_an_error_is_told_and_work_goes_on() -> None:
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


def test_an_error_of_work_that_nobody_wants_is_not_told() -> None:
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


def test_errors_are_told_in_one_line() -> None:
    assert what_failed(EngineError("17A: no word fits")) == "17A: no word fits"
    assert what_failed(MemoryError()) == "there is not enough memory for this"
    assert what_failed(ValueError("two\nlines\x1b")).isprintable()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no niceness of their own")
def test_the_face_goes_first() -> None:
    """A thread that reckons, and those that it begins, are nicer than the one that asks."""
    told: list[int] = []
    idle = threading.Condition()

    def niceness() -> None:
        told.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    def work(request: int, is_stopped: IsStopped) -> None:
        niceness()
        thread = threading.Thread(target=niceness)
        thread.start()
        thread.join()

    worker: Worker[int] = Worker("nice", work, lambda message: None, idle)
    worker.submit(1)
    with idle:
        assert idle.wait_for(lambda: not worker.is_busy, PATIENCE_SECONDS)
    worker.close()
    niceness()
    child, grandchild, mine = told
    assert child == grandchild == min(mine + 5, 19)
