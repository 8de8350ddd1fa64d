"""The verbs for hints while one draws: on and off, the next one, and write one."""

from __future__ import annotations

from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.session.verbs.types import SWITCH, number_kind
from xwtui.session.verbs.verb import Answer, Group, answered, argument, verbs_of

with lazy_imports():
    from xwtui.session.jobs import layout_hints
    from xwtui.session.layout_answers import HintsAnswer, hints_line
    from xwtui.session.messages import LayoutHintsReady
    from xwtui.session.session import Session

verb = verbs_of(Group.GRID)


_NONE = "there are no hints now; `hints on` shows some while you draw"
_ON_THEIR_WAY = "still working out the hints; ask again in a moment"


@verb(examples=("hints on", "hints off", "hints"), keywords="complete blocks, suggest blocks, block hints, ghost")
def hints(
    session: Session,
    switch: bool | None = argument("on or off; lists the ways if left out", SWITCH),
) -> Answer:
    """Preview ways to complete the layout after each block, or list them.

    Blocks are previewed where the puzzle's profile and symmetry would put them, in the way that leaves the most
    fills. `hints next` shows another way; `hints take` writes the one shown.
    """
    if switch and session.puzzle.grid.bars:
        raise VerbError(layout_hints.BARS_REFUSED)
    if switch is not None:
        session.jobs.hint(switch)
        return f"hints are {'on' if switch else 'off'}"
    if not session.jobs.layout_hints.is_on:
        return "hints are off"
    return answered(HintsAnswer(session.jobs.layout_hints.view or LayoutHintsReady(session.revision)))


@verb(examples=("hints next",))
def hints_next(session: Session) -> Answer:
    """Show another way to complete the layout."""
    ready = _ready(session)
    session.jobs.layout_hints.show(ready.shown + 1)
    return hints_line(session.jobs.layout_hints.view)


@verb(examples=("hints take", "hints take 2"))
def hints_take(
    session: Session,
    number: int | None = argument("the number of a way (default: the one shown)", number_kind(1, 99)),
) -> Answer:
    """Write the blocks of a hint; one undo removes them."""
    ready = _ready(session)
    chosen = ready.shown if number is None else number - 1
    if chosen >= len(ready.hints):
        raise VerbError(f"there is no hint {number}; there are {len(ready.hints)}")
    change = ready.hints[chosen].change
    if not change.added:
        return "the layout is complete as it stands"
    session.edit("hints take", change.apply)
    return f"done: {change.describe()}"


def _ready(session: Session) -> LayoutHintsReady:
    ready = session.jobs.layout_hints.view
    if ready is None or not ready.hints:
        none = _ON_THEIR_WAY if ready is None and session.jobs.layout_hints.is_on else _NONE
        raise VerbError(ready.reason if ready is not None and ready.reason else none)
    return ready
