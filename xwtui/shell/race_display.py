"""A race on stderr, as it goes on."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich import box
from rich.console import Console
from rich.live import Live
from rich.table import Table

from xwtui.racing.report import LIVE_COLUMNS, Column, Row, ending_line, live_rows, progress_line
from xwtui.racing.task import RaceView, RunState

_STYLES = {
    RunState.WAITING: "dim",
    RunState.PREPARING: "dim",
    RunState.FILLED: "green",
    RunState.IMPOSSIBLE: "green",
    RunState.CRASHED: "red",
    RunState.FOUL: "red",
    RunState.OUT_OF_TIME: "yellow",
    RunState.GAVE_UP: "yellow",
    RunState.REFUSED: "dim",
    RunState.STOPPED: "dim",
}
_HEADING_ROWS = 4


class RaceDisplay:
    """Shows the race on stderr: a table that rewrites itself on a terminal, else a line for each run's end."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._told: set[int] = set()

    def show(self, view: RaceView) -> None:
        if self._console.is_terminal:
            self._live.update(self._table(view), refresh=True)
        else:
            self._tell_ends(view)

    def _table(self, view: RaceView) -> Table:
        rows = live_rows(view)
        room = max(self._console.height - _HEADING_ROWS, 1)
        if len(rows) > room:
            rows.sort(key=lambda row: row.state is not RunState.RUNNING)
        table = _table_of(LIVE_COLUMNS, rows[:room])
        table.caption = f"{progress_line(view)}, {view.seconds:.0f} s; Ctrl+C stops"
        return table

    def _tell_ends(self, view: RaceView) -> None:
        for number, run in enumerate(view.standings):
            if run.state.is_over and number not in self._told:
                self._told.add(number)
                print(f"xwtui: {ending_line(run)}", file=sys.stderr)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()


def _table_of(columns: Sequence[Column], rows: Sequence[Row]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, caption_justify="left")
    for column in columns:
        table.add_column(
            column.heading,
            justify="right" if column.is_number else "left",
            no_wrap=True,
            overflow="ellipsis",
        )
    for row in rows:
        table.add_row(*row.cells, style=_STYLES.get(row.state) if row.state else None)
    return table
