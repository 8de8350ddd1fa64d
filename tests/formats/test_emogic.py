"""Templates of other generators: Emogic's o and x, TheF#WORD's dots and hashes."""

import pytest

from xwtui.errors import PuzzleFormatError
from xwtui.formats import emogic
from xwtui.formats.grid_text import grid_from_text, grid_to_text
from xwtui.formats.registry import read_bytes


@pytest.mark.parametrize("suffix", ["", ".txt"])
def test_emogic_templates_are_told_by_their_look(suffix: str) -> None:
    puzzle = read_bytes(b"xooo\r\noooo\r\noToo\r\nooox\r\n", suffix)
    assert grid_to_text(puzzle.grid) == "#...\n....\n.T..\n...#"


@pytest.mark.parametrize("suffix", ["", ".txt"])
def test_the_fsharp_word_is_grid_text(suffix: str) -> None:
    assert grid_to_text(read_bytes(b"#...\n....\n...#\n", suffix).grid) == "#...\n....\n...#"


def test_capital_o_and_x_are_letters() -> None:
    assert read_bytes(b"OXO\nXOX\nOXO", ".txt").grid == grid_from_text("OXO\nXOX\nOXO")


@pytest.mark.parametrize("data", [b"...\n...\n...", b"ooo\noo\nooo", b"oo\noo", b"ooo\n\xff\xfe\n"])
def test_other_text_is_refused(data: bytes) -> None:
    with pytest.raises(PuzzleFormatError):
        emogic.read(data)
