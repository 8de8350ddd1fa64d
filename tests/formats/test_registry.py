"""Formats by suffix and by look, and what is told about files that are none."""

import io
import os
from pathlib import Path

import pytest

from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import MAX_FILE_BYTES
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.registry import puzzle_bytes, read_bytes, read_puzzle, suffixes, take_stream, write_puzzle
from xwtui.model import Direction, Ink, Position, Puzzle, Square
from xwtui.model.clues import unsettled

CLUES = unsettled({(Position(0, 0), Direction.ACROSS): "clue"})
PUZZLE = Puzzle(grid_from_text("ABC\nD[EF]G\nHIJ"), CLUES, title="T")


def test_the_suffixes() -> None:
    assert suffixes() == (
        ".ipuz",
        ".json",
        ".puz",
        ".utf8.puz",
        ".jpz",
        ".xml",
        ".xd",
        ".exolve",
        ".al.txt",
        ".txt",
    )


@pytest.mark.parametrize("suffix", suffixes())
@pytest.mark.parametrize("named", [True, False])
def test_every_format_is_told_by_its_look(suffix: str, named: bool) -> None:
    data = puzzle_bytes(PUZZLE, suffix, lossy=True).data
    puzzle = read_bytes(data, suffix.upper() if named else "")
    assert puzzle.grid == PUZZLE.grid
    assert take_stream(io.BytesIO(data)).puzzle == puzzle


@pytest.mark.parametrize("suffix", suffixes())
def test_files(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"puzzle{suffix}"
    write_puzzle(path, PUZZLE, lossy=True)
    assert read_puzzle(path).grid == PUZZLE.grid
    other = path.rename(tmp_path / "puzzle.download")
    assert read_puzzle(other).grid == PUZZLE.grid


def test_a_ragged_grid_without_a_name_is_still_told_as_a_grid() -> None:
    with pytest.raises(PuzzleFormatError, match="row 2 has 2 squares"):
        read_bytes(b"...\n..\n...\n")


@pytest.mark.parametrize("data", [b"hello, world! this is a letter", b"\x89PNG\r\n\x1a\n\0\0", b"<xml/>"])
def test_bytes_that_are_no_puzzle(data: bytes) -> None:
    with pytest.raises(PuzzleFormatError, match=r"no puzzle that xwtui can read; it reads \.ipuz"):
        read_bytes(data)


@pytest.mark.parametrize("suffix", ["", *suffixes()])
@pytest.mark.parametrize("data", [b"", b" \n\n"])
def test_empty_files(suffix: str, data: bytes) -> None:
    with pytest.raises(PuzzleFormatError, match="the file is empty"):
        read_bytes(data, suffix)


@pytest.mark.parametrize("suffix", ["", ".cfp", ".doc", "\x1b[31m"])
def test_suffixes_that_cannot_be_written(suffix: str) -> None:
    with pytest.raises(
        PuzzleFormatError, match=r"xwtui writes \.ipuz, \.json, \.puz, \.utf8\.puz, \.jpz, \.xml, \.xd, "
    ) as caught:
        puzzle_bytes(PUZZLE, suffix)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(("name", "example"), [("heart", "heart.puz"), ("-", "puzzle.puz"), ("a.doc", "a.puz")])
def test_a_name_that_says_no_format(name: str, example: str, tmp_path: Path) -> None:
    with pytest.raises(PuzzleFormatError, match="the end of the name says the format") as caught:
        write_puzzle(tmp_path / name, PUZZLE)
    assert f"as in {example}; xwtui writes .ipuz" in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(PuzzleFormatError, match=r"cannot read .*missing\.puz: No such file"):
        read_puzzle(tmp_path / "missing.puz")
    with pytest.raises(PuzzleFormatError, match="is a folder"):
        read_puzzle(tmp_path)
    with pytest.raises(PuzzleFormatError, match="cannot read"):
        read_puzzle(Path("nul\0.puz"))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read every file")
def test_a_forbidden_file(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text("...\n...\n...")
    path.chmod(0)
    with pytest.raises(PuzzleFormatError, match="Permission denied"):
        read_puzzle(path)


def test_messages_name_the_file_harmlessly(tmp_path: Path) -> None:
    path = tmp_path / "\x1b[31mbad.txt"
    path.write_text("..\n..")
    with pytest.raises(PuzzleFormatError, match=r"bad\.txt: grids are 3x3") as caught:
        read_puzzle(path)
    assert str(caught.value).isprintable()


def test_a_file_is_not_read_beyond_the_bound(tmp_path: Path) -> None:
    path = tmp_path / "huge.puz"
    with path.open("wb") as file:
        file.truncate(50 * MAX_FILE_BYTES)
    with pytest.raises(PuzzleFormatError, match="larger than a puzzle can be"):
        read_puzzle(path)


def test_errors_name_a_few_squares_and_count_the_rest() -> None:
    with pytest.raises(PuzzleFormatError, match=r"empty squares at r1c1, .* and 213 more"):
        puzzle_bytes(Puzzle.blank(15, 15), ".puz")


def test_ink_is_kept_by_the_native_format_alone() -> None:
    square = PUZZLE.grid[Position(0, 0)]
    locked = PUZZLE.with_grid(
        PUZZLE.grid.with_squares({Position(0, 0): Square(content=square.content, ink=Ink.LOCKED)})
    )
    inks = {
        suffix: read_bytes(puzzle_bytes(locked, suffix, lossy=True).data).grid[Position(0, 0)].ink
        for suffix in suffixes()
    }
    assert {suffix for suffix, ink in inks.items() if ink is Ink.LOCKED} == {".ipuz", ".json"}


@pytest.mark.parametrize("suffix", [".ipuz", ".xd"])
def test_a_word_in_a_text_makes_no_puzzle_of_another_program(suffix: str) -> None:
    """Pages of PuzzleMe set `rawc`, and so does a drawcard."""
    puzzle = Puzzle(grid_from_text("ABC\nDEF\nHIJ"), CLUES, title="T", notes="a drawcard")
    assert read_bytes(puzzle_bytes(puzzle, suffix).data).notes == "a drawcard"
