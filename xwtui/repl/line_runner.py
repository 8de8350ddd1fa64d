"""One line of verbs from start to end: called, waited for, and its outcome printed."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xwtui.engine.outcome import Outcome
from xwtui.printing.paint import Style
from xwtui.printing.status_line import StatusLine
from xwtui.repl.bulletin import Bulletin
from xwtui.repl.output import Output
from xwtui.workbench.messages import RunView
from xwtui.workbench.verbs.registry import run_line
from xwtui.workbench.verbs.verb import Reply
from xwtui.workbench.workbench import Workbench

if TYPE_CHECKING:
    from xwtui.engine.trace import Event

_TICK_SECONDS = 0.1
_MOST_EVENTS = 12


class LineRunner:
    """Runs lines on a workbench, waiting for the jobs that they start; Ctrl+C stops a job, not the program."""

    def __init__(self, workbench: Workbench, bulletin: Bulletin, output: Output) -> None:
        self._workbench = workbench
        self._bulletin = bulletin
        self._output = output

    def run(self, line: str, *, grid_after_edits: bool) -> Reply:
        """Run a line and print what it came to, the grid too where it changed.

        Raises XwtuiError where the line is wrong, and KeyboardInterrupt where Ctrl+C stopped a job,
        after what the job had reached is printed.
        """
        workbench = self._workbench
        revision, run_before = workbench.revision, workbench.run
        reply = run_line(workbench, line)
        self._output.say(*reply.lines)
        is_stopped = reply.started and self._wait()
        run = workbench.run
        if reply.started and run is not None and run is not run_before:
            self._tell_run(run, run_before)
        is_changed = grid_after_edits and (workbench.revision != revision or run is not run_before)
        if is_changed or (reply.started and run is not run_before):
            self._output.grid(workbench)
        self._output.tell(self._bulletin.take())
        if is_stopped:
            raise KeyboardInterrupt
        return reply

    def _wait(self) -> bool:
        """Wait for the jobs to end; returns whether Ctrl+C stopped them."""
        is_stopped = False
        with StatusLine(sys.stderr) as status:
            while True:
                try:
                    if self._workbench.wait(_TICK_SECONDS):
                        return is_stopped
                    status.show(self._progress())
                except KeyboardInterrupt:
                    is_stopped = True
                    self._workbench.cancel()

    def _progress(self) -> str:
        run = self._workbench.run
        if run is None or not run.nodes:
            return self._bulletin.engine
        return (
            f"{run.nodes:,} nodes, depth {run.depth}, {run.backtracks:,} backtracks, "
            f"{run.seconds:.0f} s, Ctrl+C stops"
        )

    def _tell_run(self, run: RunView, before: RunView | None) -> None:
        """Print the events of a step, and how a search stands or ended."""
        if run.paused:
            for event in _new_events(run.recent, before.event if before is not None else None):
                self._output.say(f"{'  ' * min(event.depth, 8)}{event.describe()}", style=Style.LABEL)
        self._output.say(describe_run(run), style=_OUTCOME_STYLES.get(run.outcome, Style.PLAIN))


_OUTCOME_STYLES = {
    Outcome.FILLED: Style.GOOD,
    Outcome.IMPOSSIBLE: Style.ERROR,
    Outcome.UNKNOWN: Style.WARNING,
    Outcome.CANCELLED: Style.WARNING,
}


def _new_events(recent: "Sequence[Event]", last_seen: "Event | None") -> "Sequence[Event]":
    """The events after the one seen last, a dozen at most."""
    seen = [number for number, event in enumerate(recent) if event is last_seen]
    return recent[seen[-1] + 1 if seen else 0 :][-_MOST_EVENTS:]


def describe_run(run: RunView) -> str:
    """How a search stands or ended, in a line."""
    figures = f"{run.nodes:,} nodes, {run.backtracks:,} backtracks, {run.seconds:.2f} s"
    match run.outcome:
        case Outcome.FILLED:
            return f"filled: {figures}"
        case Outcome.IMPOSSIBLE:
            return f"impossible: {run.reason or 'there is no fill with these words'}"
        case Outcome.UNKNOWN:
            more = "; `continue` goes on" if run.paused else ""
            return f"not decided yet: {figures}{more}"
        case Outcome.CANCELLED:
            return f"stopped: {figures}"
        case _:
            return f"paused at depth {run.depth}: {figures}; step, continue, until, accept or stop"
