"""The sizes of the grid, and what the large one has room for: a rebus in full, and how good entries are."""

from itertools import pairwise

import pytest
from textual.geometry import Size

from tests.tui.conftest import OpenStage
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid, Position, Puzzle
from xwtui.session.messages import LexiconReady
from xwtui.tui.drawings import Close, Drawing, Lined, drawings_for, roomiest
from xwtui.tui.picture import Band, Tint, tints
from xwtui.tui.widgets.grid_view import GridView

FILLED = """\
CAT#.
O.O#.
W[HEARTOFGOLD]P..
"""


@pytest.mark.parametrize(
    ("side", "size", "wanted"),
    [
        (15, (80, 24), Close(3)),
        (21, (100, 30), Close(3)),
        (15, (100, 40), Lined(3)),
        (15, (120, 40), Lined(4)),
        (21, (120, 40), Close(3)),
        (5, (80, 24), Lined(3)),
        (9, (179, 60), Lined(4)),
        (15, (180, 50), Lined(6, 2)),
        (21, (180, 50), Lined(4)),
        (15, (200, 60), Lined(6, 2)),
        (21, (200, 60), Lined(4)),
        (25, (200, 60), Lined(4)),
    ],
)
async def test_a_grid_is_drawn_as_large_as_there_is_room(
    stage: OpenStage, side: int, size: tuple[int, int], wanted: Drawing
) -> None:
    async with stage(Puzzle.blank(side, side), size=size) as on:
        view = on.editor.desk.grid
        assert view._drawing == wanted
        taken = wanted.size(on.grid)
        assert taken.width <= view.content_size.width
        assert taken.height <= view.content_size.height
        panel = on.editor.desk.entries.region
        assert view.region.right <= panel.x
        assert panel.right <= size[0]
        assert panel.width >= 30
        assert on.editor.desk.candidates.region.height >= 3
        lines = on.text().splitlines()
        assert any(f"{side}×{side}" in line for line in lines[:2]), "the title is seen"
        assert any(" 1A " in line and "across" in line for line in lines[:2]), "and the entry"
        assert any("ENTRIES" in line for line in lines)
        assert "F5" in lines[-1]


def test_a_size_that_does_not_fit_gives_way_to_the_next_smaller_one() -> None:
    grid, screen = Grid.blank(15, 15), Size(300, 100)
    drawings = drawings_for(screen)
    for larger, smaller in pairwise(drawings):
        assert roomiest(grid, larger.size(grid).width + larger.frame, 200, screen) == larger
        assert roomiest(grid, larger.size(grid).width + larger.frame - 1, 200, screen) == smaller
    assert roomiest(grid, 10, 10, screen) is None


async def test_a_rebus_is_seen_in_full_where_squares_are_large(stage: OpenStage) -> None:
    async with stage(Puzzle(grid_from_text(FILLED)), size=(200, 60)) as on:
        text = on.text()
    assert "HEARTOFGOLD" in text


SCORES = {"CAT": 60, "COW": 55, "TOP": 41, "WHEARTOFGOLDP": None}


def test_a_square_is_as_good_as_its_weakest_entry() -> None:
    found = tints(Puzzle(grid_from_text(FILLED)), SCORES.get)
    assert found[Position(0, 1)] == Tint(Band.GOOD, 60)
    assert found[Position(0, 0)] == found[Position(1, 0)] == Tint(Band.FAIR, 55)
    assert found[Position(0, 2)] == found[Position(1, 2)] == Tint(Band.WEAK, 41)
    assert Position(1, 1) not in found, "its entry is not finished"
    assert [found[at].sign for at in ((Position(0, 1)), Position(0, 0), Position(0, 2))] == ["", "", "41"]


def _tinted(view: GridView) -> bool:
    return view.picture is not None and bool(view.picture.tints)


async def test_tints_come_with_large_squares_and_go_with_a_key(stage: OpenStage) -> None:
    async with stage(Puzzle(grid_from_text(FILLED)), size=(200, 60)) as on:
        await on.tell(LexiconReady(126_000, 0.1))
        assert _tinted(on.editor.desk.grid)
        assert "weakest entry: below 50 50 to 59 from 60" in on.text()
        await on.press("dollar_sign")
        assert not _tinted(on.editor.desk.grid)
        assert "weakest entry" not in on.text()
        await on.press("dollar_sign")
        assert _tinted(on.editor.desk.grid)
        await on.pilot.resize_terminal(120, 40)
        await on.pilot.pause()
        assert not _tinted(on.editor.desk.grid)
        await on.pilot.resize_terminal(200, 60)
        await on.pilot.pause()
        assert _tinted(on.editor.desk.grid)
    async with stage(Puzzle(grid_from_text(FILLED)), size=(80, 24)) as on:
        await on.tell(LexiconReady(126_000, 0.1))
        assert not _tinted(on.editor.desk.grid)


async def test_nothing_is_tinted_without_colours(stage: OpenStage) -> None:
    async with stage(Puzzle(grid_from_text(FILLED)), size=(200, 60), theme="mono") as on:
        await on.tell(LexiconReady(126_000, 0.1))
        assert not _tinted(on.editor.desk.grid)
        assert "weakest entry" not in on.text()
