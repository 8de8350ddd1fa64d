"""Grid text, and format detection."""

import io
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import given

from tests.formats.published import published
from tests.generators import grids
from tests.known import known
from xwtui.errors import PuzzleFormatError
from xwtui.formats import registry
from xwtui.formats.base import MAX_FILE_BYTES, Format
from xwtui.formats.grid_text import EMOGIC_FORMAT, found_symmetry, grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.formats.intake import Intake
from xwtui.formats.registry import (
    formats_to_write,
    load_stream,
    puzzle_bytes,
    read_bytes,
    read_puzzle,
    suffixes,
    write_puzzle,
)
from xwtui.model import BLOCK, OPEN, VOID, Bar, Content, Direction, Grid, Ink, Position, Puzzle, Square, Symmetry
from xwtui.model.clues import unsettled


def test_every_kind_of_square() -> None:
    grid = grid_from_text("A.#\n_[HEART]7\n[X/TIMES]b.")
    assert grid.squares == (
        Square(content=Content.of("A"), ink=Ink.PEN),
        OPEN,
        BLOCK,
        VOID,
        Square(content=Content.of("HEART"), ink=Ink.PEN),
        Square(content=Content.of("7"), ink=Ink.PEN),
        Square(content=Content("X", "TIMES"), ink=Ink.PEN),
        Square(content=Content.of("B"), ink=Ink.PEN),
        OPEN,
    )


@pytest.mark.parametrize(
    "text",
    ["...\n.#.\n...", "\ufeff...\r\n.#.\r\n...\r\n\r\n", "\n\n   . . .\n   . # .\n   . . .\n", "...\n .#.\n..."],
)
def test_spaces_and_line_endings_do_not_matter(text: str) -> None:
    assert grid_to_text(grid_from_text(text)) == "...\n.#.\n..."


@given(grids(bars=False, marks=()))
def test_write_then_read_is_identity(grid: Grid) -> None:
    inked = published(puzzle_of_grid(grid)).grid
    assert grid_from_text(grid_to_text(grid)) == inked
    assert read_bytes(puzzle_bytes(puzzle_of_grid(grid), ".txt").data, ".txt").grid == inked


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("...\n..\n...", "row 2 has 2 squares, row 1 has 3"),
        ("...\n\n...", "row 2 has 0 squares"),
        ("..\n..", "3x3 to 40x40"),
        ("...\n.?.\n...", r"r2c2: '\?' is not a square"),
        ("...\n.[HEART\n...", "row 2: '\\[' at square 2 is never closed"),
        ("...\n.[].\n...", "r2c2"),
        ("...\n.[ABCDEFGHIJKLM].\n...", "r2c2"),
        ("." * 41 + "\n" + "." * 41 + "\n" + "." * 41, "41 columns"),
        ("...\n" * 41, "41 lines"),
        ("..\x1b[31m.\n...\n...", "r1c3"),
    ],
)
def test_invalid_grids_are_refused(text: str, message: str) -> None:
    with pytest.raises(PuzzleFormatError, match=message) as caught:
        grid_from_text(text)
    assert len(str(caught.value)) < 200
    assert str(caught.value).isprintable()


def test_a_line_of_ten_megabytes_is_refused() -> None:
    with pytest.raises(PuzzleFormatError, match="10,000,000 characters"):
        grid_from_text("A" * 10_000_000)


def test_the_symmetry_is_detected() -> None:
    cases = {
        "#..\n...\n..#": Symmetry.ROTATION_180,
        "#.#\n...\n...": Symmetry.LEFT_RIGHT,
        "#..\n...\n#..": Symmetry.UP_DOWN,
        "...\n#..\n.##": Symmetry.NONE,
        "#..\n...\n...": Symmetry.DIAGONAL,
        "..#\n...\n...": Symmetry.ANTIDIAGONAL,
        "#...\n....\n....": Symmetry.NONE,
    }
    for text, symmetry in cases.items():
        assert found_symmetry(grid_from_text(text)) is symmetry, text


def test_features_text_lacks_are_named() -> None:
    grid = grid_from_text("...\n...\n...").with_squares(
        {Position(0, 1): Square(circle=True), Position(2, 2): Square(shade=True)}
    )
    puzzle = Puzzle(grid, title="T").with_clue(grid.slot("1D"), "down")
    with pytest.raises(PuzzleFormatError, match=r"circles at r1c2.*shade at r3c3"):
        puzzle_bytes(puzzle, ".txt")
    written = puzzle_bytes(puzzle, ".txt", lossy=True)
    assert written.data == b"...\n...\n...\n"
    assert len(written.warnings) == 4


def test_a_grid_without_title_and_clues_is_a_warning() -> None:
    puzzle = Puzzle(grid_from_text("...\n...\n..."), title="T", notes="N")
    puzzle = puzzle.with_clue(puzzle.grid.slot("1D"), "down")
    written = puzzle_bytes(puzzle, ".txt")
    assert written.data == b"...\n...\n...\n"
    assert written.warnings == (
        "grid text has no place for the title and notes",
        "grid text has no place for the clues of 1D",
    )


@pytest.mark.parametrize("suffix", ["", ".txt"])
def test_emogic_templates_are_recognized(suffix: str) -> None:
    puzzle = read_bytes(b"xooo\r\noooo\r\noToo\r\nooox\r\n", suffix)
    assert grid_to_text(puzzle.grid) == "#...\n....\n.T..\n...#"


@pytest.mark.parametrize("suffix", ["", ".txt"])
def test_the_fsharp_word_is_read_as_grid_text(suffix: str) -> None:
    assert grid_to_text(read_bytes(b"#...\n....\n...#\n", suffix).grid) == "#...\n....\n...#"


def test_capital_o_and_x_are_letters() -> None:
    assert read_bytes(b"OXO\nXOX\nOXO", ".txt").grid == grid_from_text("OXO\nXOX\nOXO")


@pytest.mark.parametrize("data", [b"...\n...\n...", b"ooo\noo\nooo", b"oo\noo", b"ooo\n\xff\xfe\n"])
def test_other_text_is_refused(data: bytes) -> None:
    read_template = known(EMOGIC_FORMAT.read)
    with pytest.raises(PuzzleFormatError):
        read_template(data, Intake())


def test_the_detected_symmetry_includes_bars() -> None:
    one, image = (Bar(Position(row, column), Position(row, column + 1)) for row, column in ((0, 1), (3, 1)))
    mirror = Bar(Position(0, 2), Position(0, 3))
    found = [found_symmetry(Grid.blank(4, 5).with_bars(bars)) for bars in ((one,), (one, image), (one, mirror))]
    assert found == [Symmetry.NONE, Symmetry.UP_DOWN, Symmetry.LEFT_RIGHT]


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
def test_every_format_is_recognized_by_content(suffix: str, named: bool) -> None:
    data = puzzle_bytes(PUZZLE, suffix, lossy=True).data
    puzzle = read_bytes(data, suffix.upper() if named else "")
    assert puzzle.grid == PUZZLE.grid
    assert load_stream(io.BytesIO(data)).puzzle == puzzle


@pytest.mark.parametrize("suffix", suffixes())
def test_files(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"puzzle{suffix}"
    write_puzzle(path, PUZZLE, lossy=True)
    assert read_puzzle(path).grid == PUZZLE.grid
    other = path.rename(tmp_path / "puzzle.download")
    assert read_puzzle(other).grid == PUZZLE.grid


def test_a_ragged_grid_without_a_name_is_still_recognized() -> None:
    with pytest.raises(PuzzleFormatError, match="row 2 has 2 squares"):
        read_bytes(b"...\n..\n...\n")


@pytest.mark.parametrize("data", [b"hello, world! this is a letter", b"\x89PNG\r\n\x1a\n\0\0", b"<xml/>"])
def test_bytes_that_are_no_puzzle(data: bytes) -> None:
    with pytest.raises(PuzzleFormatError, match=r"not a puzzle that xwtui can read; it reads \.ipuz"):
        read_bytes(data)


@pytest.mark.parametrize("suffix", ["", *suffixes()])
@pytest.mark.parametrize("data", [b"", b" \n\n"])
def test_empty_files_are_refused(suffix: str, data: bytes) -> None:
    with pytest.raises(PuzzleFormatError, match="the file is empty"):
        read_bytes(data, suffix)


@pytest.mark.parametrize("suffix", ["", ".cfp", ".doc", "\x1b[31m"])
def test_suffixes_that_cannot_be_written_are_refused(suffix: str) -> None:
    with pytest.raises(
        PuzzleFormatError, match=r"xwtui writes \.ipuz, \.json, \.puz, \.utf8\.puz, \.jpz, \.xml, \.xd, "
    ) as caught:
        puzzle_bytes(PUZZLE, suffix)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(("name", "example"), [("heart", "heart.puz"), ("-", "puzzle.puz"), ("a.doc", "a.puz")])
def test_an_unknown_suffix_is_refused(name: str, example: str, tmp_path: Path) -> None:
    with pytest.raises(PuzzleFormatError, match="the end of the name sets the format") as caught:
        write_puzzle(tmp_path / name, PUZZLE)
    assert f"as in {example}; xwtui writes .ipuz" in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_unopenable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PuzzleFormatError, match=r"cannot read .*missing\.puz: No such file"):
        read_puzzle(tmp_path / "missing.puz")
    with pytest.raises(PuzzleFormatError, match="is a folder"):
        read_puzzle(tmp_path)
    with pytest.raises(PuzzleFormatError, match="cannot read"):
        read_puzzle(Path("nul\0.puz"))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read every file")
def test_a_forbidden_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text("...\n...\n...")
    path.chmod(0)
    with pytest.raises(PuzzleFormatError, match="Permission denied"):
        read_puzzle(path)


def test_messages_escape_file_names(tmp_path: Path) -> None:
    path = tmp_path / "\x1b[31mbad.txt"
    path.write_text("..\n..")
    with pytest.raises(PuzzleFormatError, match=r"bad\.txt: grids are 3x3") as caught:
        read_puzzle(path)
    assert str(caught.value).isprintable()


def test_oversized_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "huge.puz"
    with path.open("wb") as file:
        file.truncate(50 * MAX_FILE_BYTES)
    with pytest.raises(PuzzleFormatError, match="larger than a puzzle can be"):
        read_puzzle(path)


def test_errors_name_a_few_squares_and_count_the_rest() -> None:
    with pytest.raises(PuzzleFormatError, match=r"empty squares at r1c1, .* and 213 more"):
        puzzle_bytes(Puzzle.blank(15, 15), ".puz")


def test_only_the_native_format_stores_ink() -> None:
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
def test_a_word_in_a_text_is_not_mistaken_for_another_format(suffix: str) -> None:
    """Pages of PuzzleMe set `rawc`, which also occurs in "drawcard"."""
    puzzle = Puzzle(grid_from_text("ABC\nDEF\nHIJ"), CLUES, title="T", notes="a drawcard")
    assert read_bytes(puzzle_bytes(puzzle, suffix).data).notes == "a drawcard"


def test_writable_formats_are_listed_by_first_suffix() -> None:
    written = formats_to_write()
    assert {("ipuz", ".ipuz"), (".jpz", ".jpz"), ("PDF of the solution", ".key.pdf")} <= {*written}
    assert "CrossFire" not in {name for name, _ in written}


def test_a_plugin_format_with_a_used_suffix_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    faults: list[str] = []

    def judged(_: str, fault: Callable[[object], str], known: Sequence[Format]) -> Iterable[Format]:
        for own in ((".new", ".puz"), (".new",), (".new",)):
            faults.append(fault(Format("two", own, None, None)))
        return known

    monkeypatch.setattr(registry, "plugins", judged)
    registry.all_formats.__wrapped__()
    assert faults == ["its suffix .puz is in use", "", "its suffix .new is in use"]
