"""One line of verbs from start to end: called, waited for, and its outcome printed."""

import sys
from typing import TYPE_CHECKING

from xwtui.errors import XwtuiError
from xwtui.printing.status_line import StatusLine
from xwtui.repl.bulletin import Bulletin, News
from xwtui.repl.output import Output
from xwtui.repl.run_report import describe_events, describe_progress, describe_run
from xwtui.workbench.verbs.registry import run_line
from xwtui.workbench.verbs.verb import Reply
from xwtui.workbench.workbench import Workbench

if TYPE_CHECKING:
    from xwtui.engine.trace import Event

_TICK_SECONDS = 0.1


class LineRunner:
    """Runs lines on a workbench, waiting for the jobs that they start; Ctrl+C stops a job, not the program."""

    def __init__(self, workbench: Workbench, bulletin: Bulletin, output: Output) -> None:
        self._workbench = workbench
        self._bulletin = bulletin
        self._output = output
        self._last_event: Event | None = None

    def run(self, line: str, *, grid_after_edits: bool) -> Reply:
        """Run a line and print what it came to, the grid too where it changed.

        Raises XwtuiError where the line is wrong or its job failed, and KeyboardInterrupt where
        Ctrl+C stopped the job, after what it had reached is printed.
        """
        grid = self._workbench.puzzle.grid
        reply = run_line(self._workbench, line)
        self._output.say(*reply.lines)
        is_stopped = reply.started and self._wait()
        news = self._bulletin.take()
        self._tell(news)
        is_changed = self._workbench.puzzle.grid != grid
        if (is_changed and (grid_after_edits or reply.started)) or (news.run is not None and news.run.paused):
            self._output.grid(self._workbench)
        if is_stopped:
            raise KeyboardInterrupt
        if reply.started and news.failures:
            raise XwtuiError("; ".join(news.failures))
        self._output.fail(*news.failures)
        return reply

    def _wait(self) -> bool:
        """Wait for the jobs to end; returns whether Ctrl+C stopped them."""
        is_stopped = False
        with StatusLine(sys.stderr) as status:
            while True:
                try:
                    if self._workbench.wait(_TICK_SECONDS):
                        return is_stopped
                    status.show(describe_progress(self._bulletin))
                except KeyboardInterrupt:
                    is_stopped = True
                    self._workbench.cancel()

    def _tell(self, news: News) -> None:
        """Print what the jobs came to."""
        self._output.tell(news.notes)
        run = news.ended or news.run
        if run is not None:
            self._output.show(describe_events(run, self._last_event))
            self._output.show([describe_run(run)])
            self._last_event = run.event
        if news.counted is not None:
            self._output.say(news.counted.describe())
