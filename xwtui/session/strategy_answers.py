"""What is answered of the strategies: which there are, and what a race between them came to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xwtui.engine.events.event import Outcome
from xwtui.session.answers import FilesWritten, VerbAnswer

if TYPE_CHECKING:
    from xwtui.racing.task import RaceView
    from xwtui.strategies.protocol import Strategy

_REPORT_WIDTH = 76
_WIDEST_REPORT = 100


@dataclass(frozen=True)
class StrategiesAnswer(VerbAnswer):
    """Which strategies there are, with their options."""

    strategies: tuple[type[Strategy], ...]

    @property
    def lines(self) -> Sequence[str]:
        """Each with its summary, and an indented line an option."""
        lines = []
        for strategy in self.strategies:
            lines.append(f"{strategy.name}: {strategy.summary}")
            lines += [f"    {one.name}={one.default}  {one.help}: {one.expected}" for one in strategy.options]
        return lines

    @property
    def as_json(self) -> dict[str, Any]:
        """The same by names."""
        return {
            "strategies": [
                {
                    "name": strategy.name,
                    "summary": strategy.summary,
                    "options": [
                        {"name": one.name, "default": str(one.default), "help": one.help, "expected": one.expected}
                        for one in strategy.options
                    ],
                }
                for strategy in self.strategies
            ]
        }


@dataclass(frozen=True)
class RaceAnswer(VerbAnswer):
    """A race that is over, or was stopped."""

    view: RaceView
    work = "race"
    stopped = "this is the race so far"

    @property
    def verdict(self) -> Outcome:
        """What is known of the grid by now."""
        from xwtui.racing.export import status  # noqa: PLC0415  (only once there was a race)

        return Outcome(status(self.view))

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.view.seconds

    @property
    def lines(self) -> Sequence[str]:
        """The summary over the seeds, the survival plot, and why runs failed."""
        return self.report("", _REPORT_WIDTH)

    @property
    def as_json(self) -> dict[str, Any]:
        """As in the file of a race."""
        from xwtui.racing.export import race_as_json  # noqa: PLC0415

        return race_as_json(self.view)

    def report(self, times: str, columns: int) -> Sequence[str]:
        """The same in as many columns as there are."""
        from xwtui.racing.report import report_lines  # noqa: PLC0415

        return report_lines(self.view, min(columns, _WIDEST_REPORT))

    def write(self, path: Path, *, lossy: bool) -> FilesWritten:
        """Write it as JSON, as CSV, or as a plot."""
        from xwtui.racing.export import write_race  # noqa: PLC0415

        write_race(path, self.view)
        return FilesWritten((path,))
