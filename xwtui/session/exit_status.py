"""The exit status of each end of a fill, for the commands and for the lines of a script."""

from collections.abc import Mapping

from xwtui.engine.events.event import Outcome
from xwtui.exits import Exit
from xwtui.session.fill_options import Mode
from xwtui.session.run_view import RunView

STATUSES: Mapping[Outcome, Exit] = {
    Outcome.FILLED: Exit.OK,
    Outcome.IMPOSSIBLE: Exit.IMPOSSIBLE,
    Outcome.UNKNOWN: Exit.UNKNOWN,
    Outcome.CANCELLED: Exit.INTERRUPTED,
}
"""The exit status of each end of a search."""


def run_status(view: RunView) -> Exit:
    """Done where there is what was asked for, or as good a fill as time allowed.

    A partial fill says whether a whole one could be; of all fills, whether these are all.
    """
    is_done = view.mode in (Mode.BEST, Mode.IMPROVE) and view.quality is not None
    is_done = is_done or (view.mode is Mode.DIVERSE and view.found > 0)
    if is_done and view.outcome is not Outcome.CANCELLED:
        return Exit.OK
    return STATUSES.get(view.outcome, Exit.UNKNOWN)
