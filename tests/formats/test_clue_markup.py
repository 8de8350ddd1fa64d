"""Italics, bold and references to entries in each format; literal asterisks are preserved."""

import json
from dataclasses import replace

import pytest

from tests.formats.published import read as read_ipuz
from tests.formats.published import written as ipuz_fields
from xwtui.clues.importing import clues_of_puzzle
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.pdf_page import REGULAR, PdfDocument, run_lines, text_width
from xwtui.formats.registry import puzzle_bytes, read_bytes, suffixes
from xwtui.model import Direction, Grid, Position, Puzzle
from xwtui.model.markup import TextRun, parse, printed

GRID = grid_from_text("ABC\nD#E\nFGH")
STYLED = "*Jaws* & **not** <b>x</b>, see {3A}, *un*{}said \\*y\\* M*A*S*H"
SHOWN = "Jaws & not <b>x</b>, see 3-Across, unsaid *y* M*A*S*H"
FIRST = (Position(0, 0), Direction.ACROSS)


@pytest.fixture
def puzzle() -> Puzzle:
    """A puzzle whose 1A uses every feature of clues."""
    return puzzle_of_grid(GRID).with_clue(GRID.slot("1A"), STYLED)


def clue_of(puzzle: Puzzle) -> str:
    return puzzle.clue(puzzle.grid.slot("1A"))


def test_ipuz_uses_html_and_stores_the_markup(puzzle: Puzzle) -> None:
    fields = ipuz_fields(puzzle)
    assert fields["clues"]["Across"][0] == [
        1,
        "<i>Jaws</i> &amp; <b>not</b> &lt;b&gt;x&lt;/b&gt;, see 3-Across, <i>un</i>said *y* M*A*S*H",
    ]
    assert fields["net.xwtui:clue-markup"] == [["r1c1", "A", clue_of(puzzle)]]
    assert "{r3c1A}" in clue_of(puzzle)
    assert read_bytes(json.dumps(fields).encode(), ".ipuz") == puzzle


def test_a_clue_changed_by_another_program_is_read_as_changed(puzzle: Puzzle) -> None:
    clues = {"Across": [[1, "<em>Shark</em> tale"]]}
    assert clue_of(read_ipuz(**{**ipuz_fields(puzzle), "clues": clues})) == "*Shark* tale"


def test_markup_expressible_in_html_needs_no_field() -> None:
    plain = puzzle_of_grid(GRID).with_clue(GRID.slot("1A"), "*Jaws* M*A*S*H")
    fields = ipuz_fields(plain)
    assert "net.xwtui:clue-markup" not in fields
    assert fields["clues"]["Across"][0] == [1, "<i>Jaws</i> M*A*S*H"]
    assert clue_of(read_ipuz(**fields)) == "*Jaws* M*A*S*H"


@pytest.mark.parametrize("source", ["See {3A} {}", "{} {3A}, *in* a way", "See {} {3A}"])
def test_spaces_that_html_collapses_keep_the_markup(source: str) -> None:
    clued = puzzle_of_grid(GRID).with_clue(GRID.slot("1A"), source)
    assert clue_of(read_ipuz(**ipuz_fields(clued))) == clue_of(clued)


def test_stored_clues_are_text_in_old_files_and_markup_in_new_ones(puzzle: Puzzle) -> None:
    old = {
        **ipuz_fields(puzzle_of_grid(GRID)),
        "net.xwtui:kept-clues": [["r1c1", "A", "ABD", "*not* italic, {1A}"]],
    }
    (kept,) = read_ipuz(**old).clues[FIRST].clues
    assert kept.text == "\\*not\\* italic, \\{1A}"
    again = read_ipuz(**ipuz_fields(read_ipuz(**old)))
    assert again.clues[FIRST].clues == (kept,)


@pytest.mark.parametrize("text", ["M*A*S*H", "*Starred clue", "See *this*", "a \\ b \\*", "{1A} {} **x**"])
def test_a_literal_asterisk_of_an_old_file_is_preserved(text: str) -> None:
    old = {**ipuz_fields(puzzle_of_grid(GRID)), "clues": {"Across": [[1, text]]}}
    puzzle = read_ipuz(**old)
    assert puzzle.printed_clue(puzzle.grid.slot("1A")) == text
    for suffix in (".ipuz", ".puz", ".jpz", ".xd"):
        again = read_bytes(puzzle_bytes(puzzle, suffix, lossy=True).data, suffix)
        assert again.printed_clue(again.grid.slot("1A")) == text
        assert len(parse(clue_of(again))) == 1, "no italics"


@pytest.mark.parametrize("suffix", [".jpz", ".xd"])
def test_formats_with_styles_of_their_own(puzzle: Puzzle, suffix: str) -> None:
    data = puzzle_bytes(puzzle, suffix).data
    inside = {".jpz": b"<i>Jaws</i> &amp; <b>not</b>", ".xd": b"{/Jaws/} & {*not*}"}[suffix]
    assert inside in data
    again = clue_of(read_bytes(data, suffix))
    assert again == "*Jaws* & **not** <b>x</b>, see 3-Across, *un*{}said \\*y\\* M\\*A\\*S\\*H"


@pytest.mark.parametrize("suffix", [".puz", ".al.txt"])
def test_plain_text_formats_report_lost_markup(puzzle: Puzzle, suffix: str) -> None:
    written = puzzle_bytes(puzzle, suffix)
    told = "has no place for italics and bold; the clues of 1A become plain text"
    assert any(told in warning for warning in written.warnings)
    again = read_bytes(written.data, ".puz" if suffix == ".puz" else ".txt")
    assert again.printed_clue(again.grid.slot("1A")) == SHOWN


def test_markdown_uses_asterisks_and_tags_within_words(puzzle: Puzzle) -> None:
    page = puzzle_bytes(puzzle, ".md").data.decode()
    assert "**1** *Jaws* \\& **not** \\<b\\>x\\</b\\>, see 3-Across, <i>un</i>said \\*y\\* M\\*A\\*S\\*H" in page


def test_text_that_xd_would_italicize_is_reported() -> None:
    plain = puzzle_of_grid(GRID).with_clue(GRID.slot("1A"), "either {/or/}")
    assert puzzle_bytes(plain, ".xd").warnings == (
        ".xd shows {/ /} as italics and {* *} as bold in the clues of 1A",
    )


def test_references_use_the_numbers_of_the_written_grid(puzzle: Puzzle) -> None:
    assert ".puz" in suffixes()
    wider = replace(puzzle, grid=grid_from_text("ABC\n#DE\nFGH"))
    assert "see 5-Across" in wider.printed_clue(wider.grid.slot("1A"))


def test_printed_lines_wrap_between_words_of_any_style() -> None:
    runs = (TextRun("one two "), TextRun("three four", italic=True), TextRun(" five", bold=True))
    PdfDocument("", "")
    width = text_width("one two three", 10, REGULAR) + 1
    found = [[run.text for run in line] for line in run_lines(runs, 10, width)]
    assert found == [["one two ", "three"], ["four", " ", "five"]]


def test_the_clue_book_stores_no_references(puzzle: Puzzle) -> None:
    elsewhere = Grid.blank(3, 3)
    assert [printed(clue.text, elsewhere) for clue in clues_of_puzzle(puzzle)] == [SHOWN]
