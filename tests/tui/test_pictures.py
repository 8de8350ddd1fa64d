"""A few whole screens as text, stored so that visual changes appear in reviews.

`DRAW_PICTURES=1 pytest tests/tui/test_pictures.py` redraws them. Colors, clocks, paths and versions are omitted.
"""

import os
from pathlib import Path

from tests.known import candidate, known
from tests.tui.conftest import OpenStage
from tests.tui.still import Stage
from xwtui.engine.candidates.options import SlotOptions
from xwtui.engine.count.estimate import Estimate, Instrument
from xwtui.engine.events.event import Event, EventKind, Outcome
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Position, Puzzle
from xwtui.session.messages import (
    CandidatesReady,
    EnginePhase,
    EngineState,
    EstimateReady,
    LexiconReady,
    OptionsReady,
)
from xwtui.session.run_view import RunView

FOLDER = Path(__file__).parent / "pictures"

GRID = """\
....#.....#....
....#.....#....
SWEET[HEART]...#.....
....#...#......
###.....#...###
....#.....#....
.....#....#....
..MERRY#[X/TIMES]ABCDE.
....#....#.....
....#.....#....
###...#.....###
......#...#....
.....#.........
....#.....#....
....#.....#....
"""


def puzzle() -> Puzzle:
    blank = Puzzle(grid_from_text(GRID), title="Heart to Heart")
    return blank.with_clue(blank.grid.slot("17A"), "Darlings, at heart")


async def tell_figures(on: Stage) -> None:
    """Send the messages of a fully loaded session."""
    slots = on.grid.slots
    options = {slot.name: SlotOptions(40 * len(slot), 7 * index) for index, slot in enumerate(slots, start=1)}
    words = (candidate("CAT", 60, True), candidate("DOG", 50, True), candidate("EMU", 40, False))
    now = on.bench.revision
    await on.tell(
        EngineState(EnginePhase.READY),
        LexiconReady(126_000, 0.1),
        OptionsReady(now, options),
        EstimateReady(now, Estimate(Instrument.PARTICLES, log10=38.4, low=37.9, high=38.8, runs=8)),
    )
    here = known(on.bench.cursor.slot)
    await on.tell(CandidatesReady(now, here.name, words))


async def compare(on: Stage, name: str) -> None:
    path = FOLDER / f"{name}.txt"
    drawn = "\n".join(line.rstrip() for line in on.text().splitlines()) + "\n"
    if os.environ.get("DRAW_PICTURES"):
        path.write_text(drawn, encoding="utf-8")
    assert drawn == path.read_text(encoding="utf-8")


async def test_the_editor_at_80_by_24(stage: OpenStage) -> None:
    async with stage(puzzle()) as on:
        await tell_figures(on)
        await compare(on, "editor-80x24")


async def test_a_stepped_search_at_120_by_40(stage: OpenStage) -> None:
    async with stage(puzzle(), size=(120, 40)) as on:
        await tell_figures(on)
        squares = {Position(0, column): Content.of(letter) for column, letter in enumerate("ALOE")}
        event = Event(EventKind.BACKTRACK, 2, slot="5A", word="SNAIL", other="1A", after=31)
        view = RunView(
            Outcome.RUNNING,
            squares=squares,
            event=event,
            nodes=12,
            backtracks=3,
            depth=2,
            deepest=5,
            paused=True,
            depth_history=(1, 2, 3, 5, 4, 2),
        )
        await on.show_run(view)
        await compare(on, "search-120x40")
