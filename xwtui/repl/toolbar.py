"""The line below the prompt: words filled, the emptiest entry, the fills that remain, the engine."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from xwtui.model import Grid
from xwtui.repl.bulletin import Bulletin
from xwtui.session.session import Session

if TYPE_CHECKING:
    from xwtui.engine.candidates.options import SlotOptions


def toolbar_text(session: Session, bulletin: Bulletin) -> str:
    """The parts that are known, in an order that stays."""
    grid = session.puzzle.grid
    filled = sum(grid.answer(slot) is not None for slot in grid.slots)
    parts = [f"{filled}/{len(grid.slots)} words"]
    latest = session.jobs.live_counts.view
    if latest.reason:
        parts.append(f"no fill: {latest.reason}")
    else:
        parts.append(_emptiest(grid, latest.options))
        if latest.estimate is not None:
            parts.append(latest.estimate.describe() + (" (before the last change)" if latest.stale else ""))
    return " " + "  ·  ".join(part for part in [*parts, bulletin.engine] if part)


def _emptiest(grid: Grid, options: Mapping[str, "SlotOptions"]) -> str:
    """The unfinished entry with the fewest options."""
    open_slots = [slot.name for slot in grid.slots if slot.name in options and grid.answer(slot) is None]
    if not open_slots:
        return ""
    name = min(open_slots, key=lambda name: options[name].after_propagation)
    return f"emptiest {name}: {options[name].after_propagation:,}"
