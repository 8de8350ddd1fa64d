"""The startup benchmark."""

from pathlib import Path
from time import sleep
from typing import Self

import pytest

from bench import start
from bench.fillers import clock
from bench.memory import Memory


class Waited:
    """A terminal whose screen takes wall time but no processor time."""

    process = 1

    def __init__(self, *_: object) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def expect(self, _: str) -> None:
        sleep(0.05)


@pytest.mark.parametrize("is_of_processor", [False, True])
def test_screen_times_include_wall_time_and_processor_time(
    is_of_processor: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "Keyboard", Waited)
    monkeypatch.setattr(start, "processor_seconds", lambda _: 7.0)
    monkeypatch.setattr(Memory, "of", lambda _: Memory(1.0, 1.0, 1.0))
    monkeypatch.setattr(clock, "is_processor_time", lambda: is_of_processor)
    found = start._until(Path("any.ipuz"), "F5")
    assert found.seconds >= 0.05
    assert found.cpu_seconds == 7.0
