"""Several puzzles in the REPL: one in front, which takes the lines."""

from pathlib import Path

from tests.repl.conftest import Talk
from xwtui.session.recovery import discarded_copies, find_recoveries


def test_what_is_unsaved_is_not_replaced(piped: Talk, tmp_path: Path) -> None:
    said = piped("set 1A BAG", f"save {tmp_path / 'other.ipuz'}", "set 4A ICE", "new 5")
    assert "! other.ipuz has unsaved changes: `save` first, `tab open FILE` opens another" in said.text
    assert said.rows()[:2] == ["BAG", "ICE"]


def test_a_fill_goes_to_the_puzzle_in_front(piped: Talk, mini: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.ipuz"
    other.write_bytes(mini.read_bytes())
    said = piped("set 1A BAG", f"tab open {other}", "fill", "tab", "tab next")
    assert "filled:" in said.text
    assert "  1 mini.ipuz*" in said.text
    assert "▸ 2 other.ipuz*" in said.text
    assert "tab 1 of 2: mini.ipuz" in said.text
    assert said.rows()[0] == "BAG"


def test_quitting_thinks_of_every_puzzle(piped: Talk, mini: Path, tmp_path: Path, journals: Path) -> None:
    other = tmp_path / "other.ipuz"
    other.write_bytes(mini.read_bytes())
    said = piped("set 1A BAG", f"tab open {other}", "set 1A ICE", "quit")
    assert "! mini.ipuz and other.ipuz have unsaved changes" in said.text
    assert not find_recoveries(journals)
    assert {one.path.name[:5] for one in discarded_copies(journals)} == {"mini-", "other"}


def test_work_of_every_dead_puzzle_is_offered(typed: Talk, piped: Talk, mini: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.ipuz"
    other.write_bytes(mini.read_bytes())
    piped("set 1A BAG", f"tab open {other}", "set 1A ICE")
    said = typed("yes\nyes\ntab\nquit --force\n", None)
    assert "  1 mini.ipuz*" in said.text
    assert "▸ 2 other.ipuz*" in said.text, "which was worked on last"
