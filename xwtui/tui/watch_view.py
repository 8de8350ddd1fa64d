"""What the watch screen shows of a search at one event, as fragments and as a picture."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from textwrap import wrap

from textual.geometry import Size

from xwtui.model import Direction, Grid, Position
from xwtui.session.fill_options import Mode
from xwtui.session.run_view import RunView
from xwtui.session.watch_wording import decision_lines, place_words, story_lines, thought_lines
from xwtui.session.wording import counted, standing_words
from xwtui.text import printable
from xwtui.tui.faces import has_colours, heat_shown
from xwtui.tui.picture import NOWHERE, Picture, SearchView
from xwtui.tui.themes import Palette
from xwtui.tui.widgets.painted import Fragment, TwoEnds

_LONGEST = 160
_LEAST_STORY = 6
"""Lines for the event and its story, however much else there is."""
_MARK, _TRACK = "●", "─"


class Colouring(enum.Enum):
    """What the squares' grounds tell; the value is the name in the legend."""

    NONE = "none"
    DEPTH = "depth"
    AGE = "age"
    BLAME = "blame"

    @property
    def next(self) -> Colouring:
        every = list(Colouring)
        return every[(every.index(self) + 1) % len(every)]


_ENDS = {
    Colouring.DEPTH: ("first", "last"),
    Colouring.AGE: ("old", "new"),
    Colouring.BLAME: ("never", "most"),
}


def legend(colouring: Colouring, palette: Palette) -> list[Fragment]:
    """What the grounds mean."""
    if colouring is Colouring.NONE:
        return [(" c: colour by depth, age, blame   b r s n: to backtrack, restart, end, entry", palette.muted)]
    low, high = _ENDS[colouring]
    name = {Colouring.BLAME: "blamed for dead ends"}.get(colouring, f"decided, by {colouring.value}")
    if not has_colours(palette):
        return [(f" {name}: 0 {low} … 9 {high}", palette.muted)]
    steps = [("  ", style) for style in palette.heats]
    return [(f" {name}: {low} ", palette.muted), *steps, (f" {high}", palette.muted)]


def shares(run: RunView, blame: Mapping[Position, float], colouring: Colouring) -> Mapping[Position, float]:
    """How far each square is on the scale of a colouring, 0 to 1."""
    if colouring is Colouring.BLAME:
        return blame
    if run.moment is None or colouring is Colouring.NONE:
        return {}
    if colouring is Colouring.DEPTH:
        deepest = max(len(run.moment.decisions), 1)
        return {at: depth / deepest for at, depth in run.moment.decision_depth.items()}
    ages = run.moment.decision_age
    oldest = max(ages.values(), default=0) or 1
    return {at: 1 - age / oldest for at, age in ages.items()}


def watched_picture(
    grid: Grid, run: RunView | None, search: SearchView, heat: Mapping[Position, float]
) -> Picture:
    """The grid at the event, whose entry or square is the current one."""
    if run is None:
        return Picture(grid, NOWHERE)
    cursor, direction = NOWHERE, Direction.ACROSS
    if run.event is not None:
        slot = grid.slots_by_name.get(run.event.slot or "")
        if slot is not None:
            cursor, direction = slot.positions[0], slot.direction
        elif run.event.crossing is not None and run.event.crossing in grid:
            cursor = run.event.crossing
    return Picture(
        grid,
        cursor,
        direction,
        search.squares,
        search.undone,
        searching=search.is_on,
        heat=heat_shown(heat, grid),
    )


def panel_lines(run: RunView | None, size: Size, palette: Palette) -> list[list[Fragment]]:
    """The event in words, its story, what comes next and why."""
    if run is None or run.event is None:
        return [[(" → begins a search, Space lets it run", palette.muted)]]
    lines = _wrapped(run.event.describe(), size.width, palette, palette.accent)
    thoughts = thought_lines(run.thoughts)
    room = max(size.height - len(thoughts) - 1, _LEAST_STORY)
    for line in story_lines(run):
        lines += _wrapped(line, size.width, palette, palette.text)
    del lines[room:]
    lines.append([])
    for thought in thoughts:
        style = palette.heading if thought.is_heading else palette.text
        lines.append([(f" {printable(thought.text, _LONGEST)}", style)])
    return lines


def decided_lines(run: RunView | None, palette: Palette) -> list[list[Fragment]]:
    """The decisions in force."""
    if run is None or run.event is None or run.moment is None or not run.moment.decisions:
        return []
    told = decision_lines(run.moment.decisions)
    heading = [(" decided, the latest first", palette.heading)]
    return [heading, *([(f" {printable(line, _LONGEST)}", palette.muted)] for line in told)]


def _wrapped(text: str, width: int, palette: Palette, style: object) -> list[list[Fragment]]:
    """A line of words over as many lines as it takes, the second moved in."""
    pieces = wrap(printable(text, _LONGEST), max(width - 2, 10), subsequent_indent="  ")
    return [[(f" {piece}", style)] for piece in pieces]  # type: ignore[list-item]


def scrubber(run: RunView | None, width: int, palette: Palette) -> list[Fragment]:
    """The time line: a mark where one stands among what is recorded."""
    said = f" {place_words(run)}" if run is not None else ""
    room = max(width - len(said) - 2, 4)
    if run is None or run.last_event <= run.first_event:
        return [(f" {_TRACK * room}", palette.line), (said, palette.text)]
    place = (run.event_number - run.first_event) * (room - 1) // (run.last_event - run.first_event)
    return [
        (f" {_TRACK * place}", palette.line),
        (_MARK, palette.accent),
        (_TRACK * (room - 1 - place), palette.line),
        (said, palette.text),
    ]


def figures(run: RunView | None, speed: int, palette: Palette, *, is_running: bool) -> TwoEnds:
    """How much the search has done, and how fast."""
    pace = (f"  {speed:,} events/s", palette.muted)
    if run is None:
        return TwoEnds([pace])
    if run.mode is not Mode.FILL:  # it has no events
        state = run.mode.doing if is_running else run.outcome.value
        return TwoEnds([(f" {state}", palette.search), (f"  {standing_words(run)}", palette.muted)])
    rate = f"{run.nodes / run.seconds:,.0f} nodes/s" if run.seconds > 0 else ""
    told = (
        f"depth {run.depth}",
        counted(run.nodes, "node"),
        counted(run.backtracks, "backtrack"),
        counted(run.restarts, "restart"),
        rate,
    )
    pieces = [(f"  {one}", palette.muted) for one in told if one]
    is_running = is_running and not run.paused
    state = "going on" if is_running else "in the past" if run.is_past else "stands still"
    if not is_running and not run.paused:
        state = run.outcome.value
    return TwoEnds([(f" {state}", palette.search), *pieces, pace], spare=pieces[:1:-1])
