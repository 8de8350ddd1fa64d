"""A command's progress on stderr: a line or table that redraws itself, or one JSON object per line."""

from __future__ import annotations

import sys
import threading
from contextlib import suppress
from types import TracebackType
from typing import Any, Literal, Self

from xwtui.engine.events.event import Outcome
from xwtui.lazy import lazy_imports
from xwtui.printing import StatusLine, warn
from xwtui.session import messages
from xwtui.session.answers import JsonShape
from xwtui.session.fill_options import Mode
from xwtui.session.run_view import Quality, RunView
from xwtui.session.wording import progress_words, standing_words
from xwtui.shell.root import print_object

with lazy_imports():
    from rich import box
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

    from xwtui.batch.races import report
    from xwtui.batch.races.report import ending_line, live_rows, progress_line
    from xwtui.batch.races.task import RaceView, RunState


class ProgressReporter:
    """The listener of a session without a face; messages arrive on the threads of jobs."""

    def __init__(self, *, is_json: bool) -> None:
        self.failures: list[str] = []
        """Errors that stopped jobs."""
        self._is_json = is_json
        self._line = StatusLine(sys.stderr)
        self._race: RaceDisplay | None = None
        self._raced: messages.RaceMoved | messages.RaceEnded | None = None
        self._lock = threading.Lock()
        self._text = ""
        self._is_on_terminal = sys.stderr.isatty()
        self._has_announced_compiling = False

    def receive(self, message: messages.Message) -> None:
        if isinstance(message, messages.JobFailed):
            self.failures.append(message.message)
        elif isinstance(message, messages.Notice):
            warn(message.text)
        elif self._is_json:
            if fields := _fields(message):
                with self._lock, suppress(OSError):
                    print_object(fields, sys.stderr)
        elif isinstance(message, messages.RaceMoved | messages.RaceEnded):
            self._raced = message
        else:
            self._text = _words(message) or self._text
            is_silent = not (self._is_on_terminal or self._has_announced_compiling)
            if isinstance(message, messages.EngineState) and message.is_compiling and is_silent:
                self._has_announced_compiling = True
                warn(f"{message.step}; all of the engine takes about half a minute")

    def show(self, text: str) -> None:
        self._text = text
        self.refresh()

    def refresh(self) -> bool:
        """Show the latest message; returns False, so that a wait loop that calls it continues."""
        if self._raced is not None:
            self._show_race()
        elif self._text and not self._is_json:
            self._line.show(self._text)
        return False

    def clear(self) -> None:
        """Show the final state of a race, and clear everything else from the terminal."""
        if self._raced is not None:
            self._show_race()
        self._text = ""
        race, self._race = self._race, None
        if race is not None:
            race.end()
        self._line.__exit__(None, None, None)

    def _show_race(self) -> None:
        message, self._raced = self._raced, None
        if self._race is None:
            self._line.__exit__(None, None, None)
            self._race = RaceDisplay()
        if message is not None:
            self._race.show(message.view)

    def __enter__(self) -> Self:
        self._line.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()


def _words(message: messages.Message) -> str:
    match message:
        case messages.EngineState(step=step):
            return "loading the engine" if step is None else str(step)
        case messages.FillProgress(run):
            return f"{run.doing}: {standing_words(run)}"
        case messages.EstimateReady(estimate=estimate):
            return f"counting: {estimate.describe()}"
        case messages.FindingsReady(findings=findings):
            return progress_words(findings)
        case messages.AnswerReady(answer=answer):
            return answer.headline
    return ""


def _fields(message: messages.Message) -> dict[str, Any]:
    """Return a message as a JSON object, with its kind in `event`."""
    match message:
        case messages.EngineState(phase=phase, step=None):
            return {"event": "engine", "phase": phase.value, "part": None, "text": message.text}
        case messages.EngineState(step=step) if step is not None:
            part = {"phase": step.stage.value, "part": step.part.value}
            return {"event": "engine", **part, "seconds": step.seconds, "text": str(step)}
        case messages.FillProgress(run) | messages.FillEnded(run):
            event = "ended" if isinstance(message, messages.FillEnded) else "search"
            return {"event": event, **JsonShape("mode status=outcome seconds~6").of(run), **_figures(run)}
        case messages.EstimateReady(estimate=estimate) | messages.CountEnded(estimate=estimate):
            return {"event": "count", **JsonShape("text=describe log10 counted").of(estimate)}
        case messages.FindingsReady(findings=findings, is_last=is_last):
            fields = {"answer": findings.answer, "progress": findings.progress}
            return {"event": "findings", **fields, "last": is_last}
        case messages.AnswerReady(answer=answer, is_last=is_last):
            return {"event": "answer", "text": answer.headline, "last": is_last}
        case messages.RaceMoved(view) | messages.RaceEnded(view):
            over = sum(run.state.is_over for run in view.statuses)
            return {"event": "race", "over": over, "runs": len(view.statuses), "seconds": round(view.seconds, 6)}
    return {}


def _figures(run: RunView) -> dict[str, Any]:
    """Return the figures that are meaningful in a run's mode."""
    match run.mode, run.quality:
        case Mode.FILL | Mode.ALL, _:
            return JsonShape("nodes backtracks depth" + " fills=found" * (run.mode is Mode.ALL)).of(run)
        case Mode.PARTIAL, _:
            return {"squares": run.found, "wanted": run.wanted}
        case Mode.DIVERSE, _:
            return {"fills": run.found, "wanted": run.wanted}
        case _, Quality() as quality:
            return JsonShape("value bound mean_score lowest_score rounds").of(quality)
    return {"squares_changed": run.found} if run.mode.is_of_entry and run.outcome is Outcome.FILLED else {}


_STYLES = {
    "WAITING": "dim",
    "PREPARING": "dim",
    "FILLED": "green",
    "IMPOSSIBLE": "green",
    "CRASHED": "red",
    "FOUL": "red",
    "OUT_OF_TIME": "yellow",
    "GAVE_UP": "yellow",
    "REFUSED": "dim",
    "STOPPED": "dim",
}
_HEADING_ROWS = 4


class RaceDisplay:
    """Shows a race on stderr until `end`: a self-redrawing table on a terminal, else one line per finished run."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        if self._console.is_terminal:
            self._live.start()
        self._printed: set[int] = set()

    def show(self, view: RaceView) -> None:
        if self._console.is_terminal:
            self._live.update(self._table(view), refresh=True)
            return
        for number, run in enumerate(view.statuses):
            if run.state.is_over and number not in self._printed:
                self._printed.add(number)
                print(f"xwtui: {ending_line(run)}", file=sys.stderr)

    def _table(self, view: RaceView) -> Table:
        rows = live_rows(view)
        room = max(self._console.height - _HEADING_ROWS, 1)
        if len(rows) > room:
            rows.sort(key=lambda row: row.state is not RunState.RUNNING)
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, caption_justify="left")
        for column in report.LIVE_COLUMNS:
            side: Literal["left", "right"] = "right" if column.is_number else "left"
            table.add_column(column.heading, justify=side, no_wrap=True, overflow="ellipsis")
        for row in rows[:room]:
            table.add_row(*row.cells, style=_STYLES.get(row.state.name) if row.state else None)
        table.caption = f"{progress_line(view)}, {view.seconds:.0f} s; Ctrl+C stops"
        return table

    def end(self) -> None:
        self._live.stop()
