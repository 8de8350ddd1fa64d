"""The keys that are pressed where their answers are timed."""

from itertools import islice

from bench.keys import _walk
from xwtui.formats.grid_text import grid_from_text


def test_arrows_walk_from_the_first_entry_to_the_edge_and_back() -> None:
    walked = [effect for _, effect in islice(_walk(grid_from_text("#...\n....\n....\n...#")), 5)]
    assert walked == ["r1c3 ", "r1c4 ", "r1c3 ", "r1c2 ", "r1c3 "]
