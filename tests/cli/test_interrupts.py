"""A search that is told to stop, by Ctrl+C or from outside."""

import signal

import pytest

from xwtui.cli.interrupts import interrupt_flag


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_raises_the_flag_and_the_second_ends_it(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    calls: list[str] = []
    with interrupt_flag(lambda: calls.append("stop")) as is_pressed:
        assert not is_pressed()
        signal.raise_signal(number)
        assert is_pressed()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
    assert calls == ["stop"]
    assert signal.getsignal(number) == before
