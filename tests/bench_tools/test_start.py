"""What the bench of starts tells."""

from pathlib import Path
from time import sleep
from typing import Self

import pytest

from bench import start
from bench.fillers import clock
from bench.memory import Memory


class Waited:
    """A terminal with a screen that takes its time, and not the processor's."""

    process = 1

    def __init__(self, *_: object) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def expect(self, _: str) -> None:
        sleep(0.05)


@pytest.mark.parametrize("is_of_processor", [False, True])
def test_seconds_of_a_screen_are_those_that_it_takes_beside_those_of_its_processor(
    is_of_processor: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "Keyboard", Waited)
    monkeypatch.setattr(start, "processor_seconds", lambda _: 7.0)
    monkeypatch.setattr(Memory, "of", lambda _: Memory(1.0, 1.0, 1.0))
    monkeypatch.setattr(clock, "is_processor_time", lambda: is_of_processor)
    found = start._until(Path("any.ipuz"), "F5")
    assert found.seconds >= 0.05
    assert found.cpu_seconds == 7.0
