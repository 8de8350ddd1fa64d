"""Text formats for people and programs: plain text, Markdown, JSON, Across Lite text, Exolve."""

import json
import re
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.examples import examples
from tests.formats.published import published
from tests.formats.samples import sample
from tests.formats.test_bad_input import JSON_VALUES
from tests.generators import one_liners, puzzles
from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import MAX_FILE_BYTES
from xwtui.formats.grid_text import grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.formats.json_document import document_bytes, parse_document
from xwtui.formats.markdown import escaped
from xwtui.formats.plain_text import clean_line, clean_text, decode
from xwtui.formats.registry import parse_bytes, puzzle_bytes, read_bytes, read_puzzle, write_puzzle
from xwtui.model import Bar, Content, Ink, Position, Puzzle, Square
from xwtui.model.edits import link
from xwtui.model.puzzle import LONGEST_TEXT
from xwtui.model.rules.nina import Nina, with_nina


@given(st.text())
def test_no_control_character_survives(text: str) -> None:
    for character in clean_line(text, "it"):
        assert unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")


@given(st.text())
def test_cleaning_text_is_idempotent(text: str) -> None:
    assert clean_text(clean_text(text, "it"), "it") == clean_text(text, "it")
    assert clean_line(clean_line(text, "it"), "it") == clean_line(text, "it")


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("a\x1b[31mred\x1b[0m", "ared"),
        ("\x1b]0;owned\x07title", "title"),
        ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("one\r\ntwo\tthree", "one two three"),
        ("a\x9b31mb", "a31mb"),
        ("\u202etxet", "txet"),
        ("nul\0nul", "nulnul"),
        ("👩‍👧 kept", "👩‍👧 kept"),
    ],
)
def test_lines(dirty: str, clean: str) -> None:
    assert clean_line(dirty, "it") == clean


def test_notes_keep_their_line_breaks() -> None:
    assert clean_text("one\r\n\r\ntwo \x1b[2J\rthree\n\n", "it") == "one\n\ntwo\nthree"


def test_text_length_is_limited() -> None:
    assert len(clean_line("x" * LONGEST_TEXT, "the title")) == LONGEST_TEXT
    with pytest.raises(PuzzleFormatError, match="the title has 10,001 characters"):
        clean_line("x" * (LONGEST_TEXT + 1), "the title")


@pytest.mark.parametrize("data", ["é".encode(), b"\xef\xbb\xbf\xc3\xa9", "é".encode("utf-16")])
def test_supported_encodings(data: bytes) -> None:
    assert decode(data) == "é"


@pytest.mark.parametrize(
    ("data", "message"), [(b"ab\xe9", "byte 3"), (b"a\0b", "binary"), (b"\xff\xfea", "invalid")]
)
def test_unsupported_encodings_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(PuzzleFormatError, match=message):
        decode(data)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1, 2]", "not an object"),
        (
            '{"version": "http://ipuz.org/v2"',
            "^this file ends in the middle, at line 1; open an earlier",
        ),
        ('{"a":\n "b', "^this file ends in the middle, at line 2; "),
        (
            '{"a": 1,\n "b" 2}',
            "^this file is damaged, at line 2; open an earlier copy",
        ),
        ("garbage", "^this is not an ipuz file, nor any other JSON$"),
        ('{"a": NaN}', "NaN is not a JSON number"),
        ('{"a": -Infinity}', "-Infinity is not a JSON"),
        ('{"a": 1e999}', "too large"),
        ('{"a": ' + "9" * 5000 + "}", "too large"),
        ('{"a": 1, "a": 2}', "'a' appears twice"),
        ('{"a": ' + "[" * 60 + "]" * 60 + "}", "nested"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested"),
        ('{"a": ' * 100_000 + "1" + "}" * 100_000, "nested"),
    ],
    ids=range(13),
)
def test_invalid_json_is_refused(text: str, message: str) -> None:
    with pytest.raises(PuzzleFormatError, match=message):
        parse_document(text.encode())


@given(JSON_VALUES)
def test_written_json_reads_back(value: object) -> None:
    document = {"field": value, "rows": [value, value]}
    assert parse_document(document_bytes(document)) == document
    assert json.loads(document_bytes(document)) == document


def test_the_deepest_accepted_document() -> None:
    text = '{"a": ' + "[" * 49 + "]" * 49 + "}"
    assert parse_document(text.encode())


def test_json_too_large_when_indented_is_written_compactly() -> None:
    document = {"puzzle": [], "large": [[number % 10] * 4 for number in range(400_000)]}
    source = json.dumps(document, separators=(",", ":")).encode()
    assert len(source) < MAX_FILE_BYTES < len(json.dumps(document))
    data = document_bytes(document)
    assert len(data) <= MAX_FILE_BYTES
    assert parse_document(data) == document


def test_a_page() -> None:
    grid = grid_from_text("AB#\nCDE\n_F[GH]").with_bars([Bar(Position(1, 1), Position(1, 2))])
    grid = grid.with_squares({Position(0, 1): replace(grid[Position(0, 1)], circle=True, shade=True)})
    puzzle = Puzzle(grid, title="A *title*", author="Me", notes="One\nTwo", copyright="©")
    puzzle = puzzle.with_clue(grid.slot("1A"), "1. <First> & #1")
    assert puzzle_bytes(puzzle, ".md").data.decode() == PAGE


PAGE = sample("web_page.html")


@given(one_liners())
@examples(100)
def test_text_is_shown_literally(text: str) -> None:
    tokens = MarkdownIt().parse(f"x\n\n{escaped(text)}\n\nx")
    inline = [token for token in tokens if token.type == "inline"]
    shown = "".join(child.content for token in inline[1:-1] for child in token.children or [])
    assert shown == text


def test_an_untitled_page() -> None:
    assert puzzle_bytes(puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI")), ".md").data.startswith(b"# Untitled\n")


FILE = sample("across_lite.txt")


@given(
    puzzles(
        lines=one_liners(max_codepoint=255),
        word_choice=False,
        bars=False,
        voids=False,
        empty=False,
        schroedinger=False,
        marks=(),
    )
)
@examples(40)
def test_across_lite_text_reads_back(puzzle: Puzzle) -> None:
    assume(len({square.content for square in puzzle.grid.squares}) < 20)
    data = puzzle_bytes(puzzle, ".al.txt").data
    assert read_bytes(data, ".txt") == published(puzzle)


def test_an_across_lite_sample_is_read(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_bytes(FILE.encode("cp1252"))
    puzzle = read_puzzle(path)
    assert grid_to_text(puzzle.grid) == "A[HEART]C\n#EF\nGHI"
    assert puzzle.grid[Position(1, 1)].circle
    assert (puzzle.title, puzzle.notes) == ("Politics: “Who, What, Where and Why”", "A note\nof two lines")
    clues = {slot.name: puzzle.clue(slot) for slot in puzzle.grid.slots}
    assert clues == {"1A": "One", "4A": "Four", "5A": "Five, <DOWN>", "2D": "", "3D": "Three"}
    assert read_bytes(FILE.encode()) == puzzle


def test_our_text_format_has_two_suffixes(tmp_path: Path) -> None:
    path = tmp_path / "P.AL.TXT"
    grid = grid_from_text("A[HEART]C\nDEF\nGHI")
    circled = Square(content=Content.of("E"), ink=Ink.PEN, circle=True)
    puzzle = puzzle_of_grid(grid.with_squares({Position(1, 1): circled}))
    write_puzzle(path, puzzle)
    text = path.read_text()
    assert "<GRID>\n\tA1C\n\tDeF\n\tGHI\n<REBUS>\n\tMARK;\n\t1:HEART:H\n<ACROSS>\n\t-\n\t-\n\t-\n<DOWN>" in text
    assert read_puzzle(path) == puzzle


def test_features_across_lite_lacks_are_named() -> None:
    grid = grid_from_text("A_C\nD[X/O]F\nGH.").with_squares(
        {Position(0, 0): Square(content=Content.of("A"), shade=True)}
    )
    puzzle = Puzzle(grid, title="Œ 🎉")
    with pytest.raises(
        PuzzleFormatError, match=r"voids at r1c2.*empty squares at r3c3.*two answers.*r2c2.*shade at r1c1"
    ):
        puzzle_bytes(puzzle, ".al.txt")
    data, warnings, _ = puzzle_bytes(puzzle, ".al.txt", lossy=True)
    assert warnings[-1] == "Across Lite text cannot hold these characters, spelled out: the title (Œ, 🎉)"
    assert read_bytes(data).title == "OE :tada:"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("3x3", "4x3", "3 rows of 4 squares"),
        ("3x3", "999x999", "grids are 3x3 to"),
        ("<GRID>", "<RIDG>", "lacks <GRID>"),
    ],
)
def test_damaged_files(old: str, new: str, message: str) -> None:
    with pytest.raises(PuzzleFormatError, match=message):
        read_bytes(FILE.replace(old, new, 1).encode())


README = sample("exolve.html")


@examples(60)
@given(puzzles(word_choice=False))
def test_exolve_reads_back(puzzle: object) -> None:
    written = puzzle_bytes(puzzle, ".exolve", lossy=True)  # type: ignore[arg-type]
    if not written.warnings:
        assert read_bytes(written.data, ".exolve") == published(puzzle, styled=True)  # type: ignore[arg-type]


def test_the_example_of_its_readme_is_read() -> None:
    puzzle, warnings = parse_bytes(README.encode())
    grid = puzzle.grid
    assert grid_to_text(grid) == "A[MEN]B\nX#E\nEAT"
    assert grid.bars == {
        Bar(Position(0, 1), Position(0, 2)),
        Bar(Position(1, 0), Position(2, 0)),
        Bar(Position(2, 1), Position(2, 2)),
    }
    assert [str(at) for at in grid.positions() if grid[at].circle] == ["r1c2"]
    assert [str(at) for at in grid.positions() if grid[at].shade] == ["r1c1", "r3c2"]
    assert (puzzle.title, puzzle.clue(grid.slot("1A"))) == ("A & B", "Men")
    told = [deviant.words for warning in warnings for deviant in warning.deviants]
    assert "the section 'nina'" in told
    assert "what explains 1A 'Def: whatever'" in told


def test_links_and_enumerations_are_kept() -> None:
    puzzle = puzzle_of_grid(grid_from_text("ABC\nD#E\nFGH"))
    puzzle = link(puzzle, [puzzle.grid.slot("1A"), puzzle.grid.slot("2D")])
    puzzle = puzzle.with_clue(puzzle.grid.entry("1A"), "Two (13) of # them [] here")
    data = puzzle_bytes(puzzle, ".exolve").data
    assert b"1, 2d Two (13) of" in data
    assert read_bytes(data, ".exolve") == puzzle


def test_zero_is_a_digit_if_some_square_has_other_content() -> None:
    puzzle = puzzle_of_grid(grid_from_text("0BC\nD.E\nF0H"))
    assert grid_to_text(read_bytes(puzzle_bytes(puzzle, ".exolve").data, ".exolve").grid) == "0BC\nD.E\nF0H"
    blank = puzzle_bytes(puzzle_of_grid(grid_from_text("...\n.#.\n...")), ".exolve").data
    allowed = blank.replace(b"exolve-grid", b"exolve-option: allow-digits\n  exolve-grid")
    assert grid_to_text(read_bytes(allowed, ".exolve").grid) == "...\n.#.\n..."
    for option, square in (("allow-digits", "0"), ("allow-chars:#0", "0"), ("rebus-cells", None)):
        text = puzzle_bytes(puzzle, ".exolve").data.decode().replace("allow-digits", option)
        content = read_bytes(text.encode(), ".exolve").grid[Position(0, 0)].content
        assert (content and content.text) == square


def test_unclued_linked_lights_read_back() -> None:
    puzzle = puzzle_of_grid(grid_from_text("ABC\nD#E\nFGH"))
    puzzle = link(puzzle, [puzzle.grid.slot("1A"), puzzle.grid.slot("2D")])
    again, warnings = parse_bytes(puzzle_bytes(puzzle, ".exolve").data)
    assert (again.grid.links, warnings) == (puzzle.grid.links, ())


def test_features_exolve_lacks_are_named() -> None:
    puzzle = puzzle_of_grid(grid_from_text("_BC\nD[X/O]E\nFGH"))
    with pytest.raises(PuzzleFormatError, match=r"voids at r1c1.*two answers in a square at r2c2"):
        puzzle_bytes(puzzle, ".exolve")
    lossy = puzzle_bytes(replace(puzzle, title="# T"), ".exolve", lossy=True)
    again = read_bytes(lossy.data, ".exolve")
    assert (again.title, grid_to_text(again.grid)) == ("# T", "#BC\nDXE\nFGH")


@pytest.mark.parametrize("change", [("exolve-begin", ""), ("width: 3", "width: 4"), ("height: 3", "height: x")])
def test_damaged_files_are_refused(change: tuple[str, str]) -> None:
    with pytest.raises(PuzzleFormatError):
        read_bytes(README.replace(*change).encode(), ".exolve")


def test_a_hidden_message_is_shown_in_place() -> None:
    puzzle = puzzle_of_grid(grid_from_text("CAB\nDAE\nFGT"))
    rules = with_nina(puzzle.rules, Nina("CAT", "", ("diagonal",)))
    asked = replace(puzzle, rules=with_nina(rules, Nina("DOG")))
    text = puzzle_bytes(asked, ".exolve").data.decode()
    assert re.findall("exolve-nina: (.*)", text) == ["r3c1 r2c2 r1c3"], "DOG stands nowhere"
    assert grid_to_text(read_bytes(text.encode()).grid) == grid_to_text(puzzle.grid)
