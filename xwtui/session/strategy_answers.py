"""What is answered of the strategies: which there are, and what a race between them came to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from xwtui.engine.events.event import Outcome
from xwtui.lazy import lazy_imports
from xwtui.session.answers import FilesWritten, VerbAnswer
from xwtui.session.json_shape import JsonShape

with lazy_imports():
    from xwtui.racing.export import race_as_json, status, write_race
    from xwtui.racing.report import report_lines
    from xwtui.racing.task import RaceView
    from xwtui.strategies.protocol import Strategy

_REPORT_WIDTH = 76
_WIDEST_REPORT = 100


class StrategiesAnswer(VerbAnswer):
    """Which strategies there are, with their options."""

    strategies: tuple[type[Strategy], ...]
    json = JsonShape(
        (
            "strategies",
            JsonShape(
                "name summary",
                ("options", JsonShape("name", lambda one: {"default": str(one.default)}, "help expected")),
            ),
        )
    )

    @property
    def lines(self) -> Sequence[str]:
        lines = []
        for strategy in self.strategies:
            lines.append(f"{strategy.name}: {strategy.summary}")
            lines += [f"    {one.name}={one.default}  {one.help}: {one.expected}" for one in strategy.options]
        return lines


class RaceAnswer(VerbAnswer):
    """A race that is over, or was stopped."""

    view: RaceView
    work = "race"
    stopped = "this is the race so far"

    @property
    def verdict(self) -> Outcome:
        return Outcome(status(self.view))

    @property
    def seconds(self) -> float:
        return self.view.seconds

    @property
    def lines(self) -> Sequence[str]:
        return self.report("", _REPORT_WIDTH)

    @property
    def as_json(self) -> dict[str, Any]:
        return race_as_json(self.view)

    def report(self, times: str, columns: int) -> Sequence[str]:
        return report_lines(self.view, min(columns, _WIDEST_REPORT))

    def write(self, path: Path, *, lossy: bool) -> FilesWritten:
        write_race(path, self.view)
        return FilesWritten((path,))
