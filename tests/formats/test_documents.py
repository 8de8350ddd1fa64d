"""Text for people and for programs: plain, Markdown, JSON."""

import json
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.examples import examples
from tests.formats.samples import sample
from tests.formats.test_bad_input import JSON_VALUES
from tests.generators import one_liners
from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import MAX_FILE_BYTES
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.json_document import document_bytes, parse_document
from xwtui.formats.markdown import escaped
from xwtui.formats.plain_text import clean_line, clean_text, decode
from xwtui.formats.registry import puzzle_bytes
from xwtui.model import Bar, Position, Puzzle
from xwtui.model.puzzle import LONGEST_TEXT


@given(st.text())
def test_no_control_character_survives(text: str) -> None:
    for character in clean_line(text, "it"):
        assert unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")


@given(st.text())
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
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


def test_notes_keep_their_lines() -> None:
    assert clean_text("one\r\n\r\ntwo \x1b[2J\rthree\n\n", "it") == "one\n\ntwo\nthree"


def test_a_text_has_an_end() -> None:
    assert len(clean_line("x" * LONGEST_TEXT, "the title")) == LONGEST_TEXT
    with pytest.raises(PuzzleFormatError, match="the title has 10,001 characters"):
        clean_line("x" * (LONGEST_TEXT + 1), "the title")


@pytest.mark.parametrize("data", ["é".encode(), b"\xef\xbb\xbf\xc3\xa9", "é".encode("utf-16")])
def test_encodings_that_are_read(data: bytes) -> None:
    assert decode(data) == "é"


@pytest.mark.parametrize(
    ("data", "message"), [(b"ab\xe9", "byte 3"), (b"a\0b", "binary"), (b"\xff\xfea", "invalid")]
)
def test_encodings_that_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(PuzzleFormatError, match=message):
        decode(data)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1, 2]", "not an object"),
        ('{"version": "http://ipuz.org/v2"', "incomplete or damaged"),
        ('{"a": "b', "Unterminated string starting at line 1, column 7"),
        ('{"a": NaN}', "NaN is not a JSON number"),
        ('{"a": -Infinity}', "-Infinity is not a JSON"),
        ('{"a": 1e999}', "too large"),
        ('{"a": ' + "9" * 5000 + "}", "too large"),
        ('{"a": 1, "a": 2}', "'a' appears twice"),
        ('{"a": ' + "[" * 60 + "]" * 60 + "}", "nested"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested"),
        ('{"a": ' * 100_000 + "1" + "}" * 100_000, "nested"),
    ],
    ids=range(11),
)
def test_json_that_is_refused(text: str, message: str) -> None:
    with pytest.raises(PuzzleFormatError, match=message):
        parse_document(text.encode())


@given(JSON_VALUES)
def test_what_is_written_is_read_again(value: object) -> None:
    document = {"field": value, "rows": [value, value]}
    assert parse_document(document_bytes(document)) == document
    assert json.loads(document_bytes(document)) == document


def test_the_deepest_document() -> None:
    text = '{"a": ' + "[" * 49 + "]" * 49 + "}"
    assert parse_document(text.encode())


def test_what_laid_out_would_be_too_large_to_be_read_again_is_not_laid_out() -> None:
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
def test_texts_show_as_they_stand(text: str) -> None:
    tokens = MarkdownIt().parse(f"x\n\n{escaped(text)}\n\nx")
    inline = [token for token in tokens if token.type == "inline"]
    shown = "".join(child.content for token in inline[1:-1] for child in token.children or [])
    assert shown == text


def test_an_untitled_page() -> None:
    assert puzzle_bytes(puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI")), ".md").data.startswith(b"# Untitled\n")
