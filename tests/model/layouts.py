"""Random block patterns without letters: cheaper to draw than whole grids."""

from hypothesis import strategies as st

from xwtui.model import BLOCK, OPEN, VOID, Bar, Direction, Grid

_SQUARES = st.sampled_from([OPEN, OPEN, OPEN, OPEN, BLOCK, BLOCK, VOID])


@st.composite
def layouts(draw: st.DrawFn, *, largest: int = 7, square: bool = False) -> Grid:
    """Grids of open squares, blocks, voids and a few bars."""
    height = draw(st.integers(3, largest))
    width = height if square else draw(st.integers(3, largest))
    grid = Grid(height, width, tuple(draw(st.lists(_SQUARES, min_size=height * width, max_size=height * width))))
    bars = [Bar(at, at.step(way)) for at in grid.positions() for way in Direction if at.step(way) in grid]
    return grid.with_bars(draw(st.sets(st.sampled_from(bars), max_size=4)))
