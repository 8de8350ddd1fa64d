"""What a search did and came to, as lines of text."""

from collections.abc import Iterator

from xwtui.engine.events.event import Outcome
from xwtui.printing import Line, Span, Style
from xwtui.racing.report import progress_line
from xwtui.repl.bulletin import Bulletin
from xwtui.session.fill_options import Mode
from xwtui.session.run_view import RunView
from xwtui.session.wording import PARTIAL_HINT, counted, ending_words, place_words, progress_words, standing_words

_DEEPEST_INDENT = 8

_STYLES = {
    Outcome.FILLED: Style.GOOD,
    Outcome.IMPOSSIBLE: Style.ERROR,
    Outcome.UNKNOWN: Style.WARNING,
    Outcome.CANCELLED: Style.WARNING,
}


def describe_events(run: RunView, last_seen: int) -> Iterator[Line]:
    """The events of a search that was led to where it stands, but for those up to the number seen last.

    They are indented by depth. Of one that ran out of time, the latest few are of no interest.
    """
    if not run.paused or run.outcome is Outcome.UNKNOWN:
        return
    new = run.event_number - last_seen
    for event in run.recent[-new:] if new > 0 else run.recent:
        yield (Span("  " * min(event.depth, _DEEPEST_INDENT) + event.describe(), Style.LABEL),)


def describe_run(run: RunView) -> Line:
    """How a search stands or ended, in a line."""
    if run.mode is not Mode.FILL:
        is_without = run.outcome is Outcome.IMPOSSIBLE and not run.squares
        style = Style.WARNING if run.stopped else Style.ERROR if is_without else Style.GOOD
        return (Span(ending_words(run), style),)
    figures = f"{counted(run.nodes, 'node')}, {counted(run.backtracks, 'backtrack')}, {run.seconds:.2f} s"
    match run.outcome:
        case Outcome.FILLED:
            text = f"filled: {figures}"
        case Outcome.IMPOSSIBLE:
            text = f"impossible: {run.reason or 'there is no fill with these words'}; {PARTIAL_HINT}"
        case Outcome.UNKNOWN:
            goes_on = "`continue` goes on, " if run.paused else ""
            text = f"not decided yet: {figures}; {goes_on}{PARTIAL_HINT}"
        case Outcome.CANCELLED:
            text = f"stopped, the grid is as it was: {figures}"
        case _:
            where = f"{place_words(run)}: " if run.is_past else ""
            text = (
                f"{where}stands still at depth {run.depth}: {figures}; step, back, continue, until, accept or stop"
            )
    return (Span(text, _STYLES.get(run.outcome, Style.PLAIN)),)


def describe_progress(bulletin: Bulletin) -> str:
    """How far the running job is, for the status line."""
    news = bulletin.latest
    if news.run is not None:
        run = news.run
        doing = "" if run.mode is Mode.FILL else f"{run.mode.doing}: "
        return f"{doing}{standing_words(run)}; Ctrl+C stops"
    if news.race is not None:
        return f"{progress_line(news.race)}; Ctrl+C stops"
    if news.findings is not None:
        return f"{progress_words(news.findings)}; Ctrl+C stops"
    if news.estimate is not None:
        return f"{news.estimate.describe()}; Ctrl+C stops"
    return f"{bulletin.engine}; Ctrl+C stops"
