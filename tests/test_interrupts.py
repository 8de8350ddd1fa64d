"""Searches interrupted by Ctrl+C or a signal."""

import signal
import time
from collections.abc import Iterator

import pytest

from xwtui.errors import XwtuiError
from xwtui.interrupts import (
    Terminated,
    handling_signals,
    interrupt_flag,
    preserving_termination,
    stopped_by,
    stopping_signal,
)

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(autouse=True)
def as_on_a_terminal() -> Iterator[None]:
    """Restore default signal handling, in case the test runner ignores or handles signals."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    with handling_signals():
        yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize(("number", "raised"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, Terminated)])
def test_the_first_signal_sets_the_flag_and_the_second_raises(
    number: signal.Signals, raised: type[BaseException]
) -> None:
    before = signal.getsignal(number)
    calls: list[str] = []
    with interrupt_flag(lambda: calls.append("stop")) as is_pressed:
        assert not is_pressed()
        signal.raise_signal(number)
        assert is_pressed()
        with pytest.raises(raised):
            signal.raise_signal(number)
    assert calls == ["stop"]
    assert signal.getsignal(number) == before
    assert stopping_signal() == number


def test_repeated_signals_of_a_closing_terminal_are_handled() -> None:
    with interrupt_flag() as is_pressed:
        for number in (signal.SIGHUP, signal.SIGHUP, signal.SIGTERM):
            signal.raise_signal(number)
        assert is_pressed()
    signal.raise_signal(signal.SIGHUP)
    assert stopped_by() == "SIGHUP"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_outside_a_search_the_program_exits_with_the_signal_status(number: signal.Signals) -> None:
    with pytest.raises(Terminated) as caught:
        signal.raise_signal(number)
    assert caught.value.code == 128 + number
    assert stopped_by() == number.name
    signal.raise_signal(signal.SIGHUP)


@pytest.mark.parametrize("number", SIGNALS)
def test_signals_ignored_by_the_caller_stay_ignored(number: signal.Signals) -> None:
    signal.signal(number, signal.SIG_IGN)
    with handling_signals(), interrupt_flag() as is_pressed:
        signal.raise_signal(number)
        assert signal.getsignal(number) is signal.SIG_IGN
        assert not is_pressed()
    assert signal.getsignal(number) is signal.SIG_IGN


class _Signals:
    """Receives a signal during its finalizer, where Python drops exceptions."""

    def __init__(self, number: signal.Signals) -> None:
        self._number = number

    def __del__(self) -> None:
        signal.raise_signal(self._number)


@pytest.mark.parametrize(
    ("number", "raised"),
    [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, Terminated), (signal.SIGHUP, Terminated)],
)
def test_a_signal_dropped_in_a_finalizer_is_raised_again(
    number: signal.Signals, raised: type[BaseException], capfd: pytest.CaptureFixture[str]
) -> None:
    def lose() -> None:
        _Signals(number)
        time.sleep(60)  # until the exception is raised

    with pytest.raises(raised):
        lose()
    assert capfd.readouterr().err == ""


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_other_dropped_exceptions_are_reported_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        def __del__(self) -> None:
            raise ValueError("dropped")

    told: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", lambda dropped: told.append(str(dropped.exc_value)))
    with handling_signals():
        Failing()
    assert told == ["dropped"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_a_library_turns_into_an_error_still_ends_the_program(number: signal.Signals) -> None:
    """Reportlab opens fonts with a bare `except`: any exception becomes an error about opening the file."""

    def open_font() -> None:
        try:
            signal.raise_signal(number)
        except:  # noqa: E722
            raise LookupError("cannot open the font") from None

    with pytest.raises(LookupError), preserving_termination():
        raise LookupError("before any signal")
    with pytest.raises(Terminated) as caught, preserving_termination():
        open_font()
    assert caught.value.code == 128 + number
    with pytest.raises(XwtuiError), preserving_termination():
        raise XwtuiError("the disk is full")
