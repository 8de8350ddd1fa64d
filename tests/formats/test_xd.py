""".xd and JPZ: round trips, and the conventions of other programs."""

import base64
import io
import itertools
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypuz
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.formats.published import published
from tests.formats.samples import sample
from tests.generators import puzzles
from tests.known import clue_texts
from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import MAX_FILE_BYTES
from xwtui.formats.grid_text import grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.formats.registry import parse_bytes, puzzle_bytes, read_bytes, write_puzzle
from xwtui.model import BLOCK, Bar, Content, Direction, Ink, Position, Puzzle, Square
from xwtui.model.edits import place_answer

CORPUS_FILE = sample("corpus.xd")


@given(
    st.sampled_from(["circle", "shade"]).flatmap(
        lambda mark: puzzles(word_choice=False, bars=False, empty=False, marks=(mark,))
    )
)
@examples(60)
def test_xd_reads_back(puzzle: Puzzle) -> None:
    assert read_bytes(puzzle_bytes(puzzle, ".xd").data, ".xd") == published(puzzle, styled=True)


@given(puzzles(word_choice=False, bars=False, marks=()))
@examples(40)
def test_unfinished_grids_read_back(puzzle: Puzzle) -> None:
    assert read_bytes(puzzle_bytes(puzzle, ".xd").data, ".xd") == published(puzzle, styled=True)


def test_a_corpus_file_is_read() -> None:
    puzzle = read_bytes(CORPUS_FILE.encode())
    assert grid_to_text(puzzle.grid) == "[HEART]ACHE\nB#[IE/EI]#E\nTINES"
    assert puzzle.grid[Position(0, 0)].ink is Ink.PEN
    assert (puzzle.title, puzzle.author, puzzle.notes) == ("Small one", "A. Constructor", "Notes of\ntwo lines.")
    clues = {slot.name: puzzle.clue(slot) for slot in puzzle.grid.slots}
    assert clues["1A"] == "Sadness."
    assert clues["4A"] == "Prongs - or ~ so"
    assert clues["1D"] == "Vital \\ throb."
    assert puzzle.foreign["net.xwtui:unplaced-clues"] == (("9", "D", "Nowhere."),)
    again = puzzle_bytes(puzzle, ".xd").data.decode()
    assert "Editor: E. Ditor\nDate: 1955-01-01" in again
    assert "A1. Sadness. ~ HEARTACHE" in again


def test_unknown_headers_survive_the_native_format() -> None:
    puzzle = read_bytes(CORPUS_FILE.encode())
    native = read_bytes(puzzle_bytes(puzzle, ".ipuz").data)
    assert native.foreign["net.xwtui:xd-headers"] == {"Editor": "E. Ditor", "Date": "1955-01-01"}
    assert "Editor: E. Ditor" in puzzle_bytes(native, ".xd").data.decode()


DETAILED = """\
A1. One ~ ABC
A1 ^Refs: D2, A4
A1 ^Hint: Letters: the first ones
A4. Four ~ DEF
A4 ^Refs: A9
A9 ^Hint: nowhere
D1. Down ~ ADG
"""


def test_clue_metadata_survives_and_follows_renumbering() -> None:
    found, warnings = parse_bytes(f"ABC\nDEF\nGHI\n\n\n{DETAILED}".encode(), ".xd")
    assert [warning.places for warning in warnings] == [("Hint of 9A",)]
    native = read_bytes(puzzle_bytes(found, ".ipuz").data)
    written = puzzle_bytes(native, ".xd").data.decode()
    assert "A1. One ~ ABC\nA1 ^Refs: D2 A4\nA1 ^Hint: Letters: the first ones\nA4. Four" in written
    assert "A4 ^Refs: A9\n" in written
    assert read_bytes(written.encode(), ".xd") == read_bytes(puzzle_bytes(found, ".xd").data, ".xd")
    other = replace(found, grid=found.grid.with_squares({Position(0, 0): BLOCK, Position(0, 1): BLOCK}))
    renumbered = puzzle_bytes(other, ".xd", lossy=True).data.decode()
    assert "A2 ^Refs: A9" in renumbered, "4A is 2A now"
    assert "^Hint" not in renumbered, "1A is no more"
    first = found.grid.slot("1A")
    changed = puzzle_bytes(place_answer(found, first, "XYZ"), ".xd", lossy=True).data.decode()
    assert "A1 ^" not in changed, "it was said of another answer's clue"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_sections_in_any_order(end: str) -> None:
    text = "## Clues\n\nA1. One ~ ABC\n\n## Design\n\nA1. no\n\n## grid\nABC\nDEF\nGHI\n\n## Metadata\nTitle: T\n"
    puzzle = read_bytes(text.replace("\n", end).encode(), ".xd")
    assert puzzle.title == "T"
    assert puzzle.clue(puzzle.grid.slot("1A")) == "One"


def test_the_smallest_file_is_a_grid() -> None:
    assert read_bytes(b"ABC\nD#F\nG_.\n", ".xd").grid == grid_from_text("ABC\nD#F\nG_.")


def test_commas_in_the_rebus_header() -> None:
    grid = read_bytes(b"Rebus: 1=HEART,2=CLUB\n\n\n1BC\nDEF\nGH2\n", ".xd").grid
    assert grid_to_text(grid) == "[HEART]BC\nDEF\nGH[CLUB]"


def test_notes_in_a_header() -> None:
    assert read_bytes(b"Title: T\nNotes: see 1A\n\n\nABC\nDEF\nGHI\n").notes == "see 1A"


@pytest.mark.parametrize(("header", "circle", "shade"), [("circle", True, False), ("shaded", False, True)])
def test_special_squares(header: str, circle: bool, shade: bool) -> None:
    grid = read_bytes(f"Special: {header}\nRebus: b=BE 1=ON\n\n\naCD\nEbF\n1HI\n".encode(), ".xd").grid
    assert grid[Position(0, 0)] == Square(content=Content.of("A"), ink=Ink.PEN, circle=circle, shade=shade)
    assert grid[Position(1, 1)] == Square(content=Content.of("BE"), ink=Ink.PEN, circle=circle, shade=shade)
    assert grid[Position(2, 0)] == Square(content=Content.of("ON"), ink=Ink.PEN)


def test_lowercase_letters_without_a_header_are_letters() -> None:
    assert grid_to_text(read_bytes(b"abc\nDEF\nGHI", ".xd").grid) == "ABC\nDEF\nGHI"


BARRED = (  # as Puzzmo's tools write a grid whose entries end at bars not marked in it
    "## Metadata\n\ntitle: T\n\n## Grid\n\nABC\nD.E\nFGH\n\n## Clues\n\nA1. x ~ ABC\n\nD1. x ~ ADF\n"
    "\n## Design\n\n<style>L { bar-left: true }</style>\n\n.L.\n.#.\n...\n"
)


@pytest.mark.parametrize(
    ("text", "grid"),
    [
        ("## Grid\n##ABC\n#DEFG\n#HI##\n", "##ABC\n#DEFG\n#HI##"),
        (
            "Title: T\n\n\nABC.X\nD.EFG\nHIJKL\n\n\nA1. a ~ ABC\nA4. b ~ EFG\nA6. c ~ HIJKL\n",
            "ABC#X\nD#EFG\nHIJKL",
        ),
        ("Title: T\n\n\nABC\nD.E\nFGH\n\n\nA1. a ~ ABC\nA4. b ~ D.E\nA5. c ~ FGH\n", "ABC\nD.E\nFGH"),
        ("Title: T\nRebus: .=DOT\n\n\nABC\nD.E\nFGH\n\n\nA1. a ~ ABC\nD3. b ~ CEH\n", "ABC\nD[DOT]E\nFGH"),
        (BARRED, "ABC\nD#E\nFGH"),
    ],
    ids=["no headings", "blocks by clues", "empty squares", "a rebus", "blocks by a design"],
)
def test_dots_and_rows_of_blocks_are_interpreted(text: str, grid: str) -> None:
    assert grid_to_text(read_bytes(text.encode()).grid) == grid


def test_empty_values_are_written_as_other_readers_expect() -> None:
    puzzle = puzzle_of_grid(grid_from_text("A.C\nDEF\nGHI"))
    puzzle = puzzle.with_clue(puzzle.grid.slot("4A"), "Four")
    text = puzzle_bytes(puzzle, ".xd").data.decode()
    assert "A-C\nDEF\nGHI" in text
    assert "A1. [XXX] ~ A-C\nA4. Four ~ DEF" in text
    assert read_bytes(text.encode()) == puzzle


def test_two_clues_for_one_entry_are_joined() -> None:
    puzzle = read_bytes(b"ABC\nDEF\nGHI\n\n\nA1. One ~ ABC\nA1. Two ~ ABC\n", ".xd")
    assert clue_texts(puzzle) == {(Position(0, 0), Direction.ACROSS): "One / Two"}


DESIGNED = sample("designed.xd")


def test_a_design_section_gives_circles_shade_and_bars_even_after_the_notes() -> None:
    puzzle, warnings = parse_bytes(DESIGNED.encode(), ".xd")
    grid = puzzle.grid
    assert not warnings
    assert puzzle.notes == "A note."
    assert [str(at) for at in grid.positions() if grid[at].circle] == ["r2c2", "r3c2"]
    assert [str(at) for at in grid.positions() if grid[at].shade] == ["r1c3", "r2c1"]
    assert grid.bars == {Bar(Position(0, 1), Position(0, 2))}, "a bar at the edge is none"
    assert puzzle.clue(grid.slot("4A")) == "Four"
    written = puzzle_bytes(puzzle, ".xd")
    assert read_bytes(written.data, ".xd") == puzzle
    assert [warning.partition(" below")[0] for warning in written.warnings] == [
        ".xd has bars, shade, marks of empty squares and the notes"
    ]


def test_a_file_without_a_design_has_its_sections_in_standard_order() -> None:
    puzzle = replace(puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI")), notes="Two\n\nlines")
    text = puzzle_bytes(puzzle, ".xd").data.decode()
    header, grid, clues, notes = text.split("\n\n\n")
    assert (header, grid, notes) == ("Title: Untitled", "ABC\nDEF\nGHI", "Two\n\nlines\n")
    assert clues.startswith("A1. [XXX] ~ ABC")
    assert read_bytes(text.encode(), ".xd") == puzzle


@pytest.mark.parametrize("notes", ["1. One", "## Design", "## Notes\nA1. x", "<!-- kept -->"])
def test_notes_that_look_like_other_sections_stay_notes(notes: str) -> None:
    puzzle = replace(puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI")), notes=notes)
    assert read_bytes(puzzle_bytes(puzzle, ".xd").data, ".xd") == puzzle


@pytest.mark.parametrize("comment", ["<!-- by\nhand -->\n", "// by hand\n", "# by hand\n"])
def test_comments_and_keys_on_separate_lines_drop_nothing(comment: str) -> None:
    for head in ("", "## Metadata\n"):
        grid_head, clue_head = ("## Grid\n", "## Clues\n") if head else ("", "")
        text = f"{comment}{head}Title: T\n❶=XYZ\n\n\n{grid_head}❶BC\nDEF\nGHI\n\n\n{clue_head}A1. a ~ XYZBC\n"
        puzzle = read_bytes(text.encode(), ".xd")
        assert (puzzle.title, grid_to_text(puzzle.grid)) == ("T", "[XYZ]BC\nDEF\nGHI")


def test_shade_with_a_circle_is_named() -> None:
    square = Square(content=Content.of("E"), circle=True, shade=True)
    grid = grid_from_text("ABC\nDEF\nGHI").with_squares({Position(1, 1): square})
    with pytest.raises(PuzzleFormatError, match="shade in circled squares at r2c2"):
        puzzle_bytes(puzzle_of_grid(grid), ".xd")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Title: T\n", "it has no grid"),
        ("## Metadata\nTitle: T\n## Clues\nA1. x ~ Y", "it has no grid"),
        ("ABC\nDE\nGHI", "row 2 has 2 squares"),
        ("A" * 50 + "\nABC\nDEF", "more than 40"),
        ("AB\nCD", "3x3 to 40x40"),
    ],
)
def test_invalid_files_are_refused(text: str, message: str) -> None:
    with pytest.raises(PuzzleFormatError, match=message):
        read_bytes(text.encode(), ".xd")


def test_a_digit_is_its_own_key_and_a_design_distinguishes_blocks() -> None:
    grid = grid_from_text("AB[HEART]\nD#F\nGH1").with_bars([Bar(Position(0, 0), Position(0, 1))])
    text = puzzle_bytes(puzzle_of_grid(grid), ".xd").data.decode()
    assert "Rebus: 2=HEART 1=1\n" in text
    assert "## Grid\n\nAB2\nD#F\nGH1\n" in text
    assert "\n.A.\n.#.\n..." in text


SAMPLES = Path(pypuz.__file__).parent / "test_files"

CELLS = "".join(
    f'<cell x="{x}" y="{y}" solution="{letter}"/>'
    for y, row in enumerate(("ABC", "DEF", "GHI"), start=1)
    for x, letter in enumerate(row, start=1)
)
WORDS = '<word id="1" x="1-3" y="1"/><word id="2" x="2" y="1-3"/>'


def jpz(clues: str, *, cells: str = CELLS, words: str = WORDS, grid: str = 'width="3" height="3"') -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?><crossword-compiler xmlns="http://crossword.info/xml/crossword-compiler">'
        '<rectangular-puzzle xmlns="http://crossword.info/xml/rectangular-puzzle"><metadata><title>T</title></metadata>'
        f"<crossword><grid {grid}>{cells}</grid>{words}<clues><title><b>Across</b></title>{clues}</clues>"
        "</crossword></rectangular-puzzle></crossword-compiler>"
    ).encode()


def zipped(data: bytes, name: str = "p.xml") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return buffer.getvalue()


@given(puzzles(word_choice=False))
@examples(40)
def test_jpz_reads_back(puzzle: Puzzle) -> None:
    assert read_bytes(puzzle_bytes(puzzle, ".jpz").data, ".jpz") == published(puzzle, styled=True)


def test_pypuz_reads_our_files(tmp_path: Path) -> None:
    grid = grid_from_text("A[HEART]C\nD[X/TIMES]_\nG.I").with_bars([Bar.between(Position(0, 0), Position(0, 1))])
    puzzle = Puzzle(grid, title="Ťitle & <co>", author="Á")
    for slot in grid.slots:
        puzzle = puzzle.with_clue(slot, f"<b>{slot.name}</b> & “more”")
    write_puzzle(tmp_path / "p.jpz", puzzle)
    read = pypuz.Puzzle().fromJPZ(str(tmp_path / "p.jpz"))
    assert read.grid.solutionArray() == [["A", "HEART", "C"], ["D", "X/TIMES", "_"], ["G", None, "I"]]
    assert read.grid.cellAt(1, 0).style["barred"] == "L"
    assert (read.metadata.title, read.metadata.author) == ("Ťitle & <co>", "Á")
    clues = {clue.number + clues["title"][0]: clue.clue for clues in read.clues for clue in clues["clues"]}
    assert clues == {slot.name: f"<b>{slot.name}</b> & “more”" for slot in grid.slots}


@pytest.mark.parametrize("name", ["3x.jpz", "3x.xml"])
def test_a_third_party_file_is_read(name: str) -> None:
    puzzle = read_bytes((SAMPLES / name).read_bytes(), name[2:])
    assert grid_to_text(puzzle.grid) == "#AD\n[BA][NA][NA]\nAT#"
    assert (puzzle.title, puzzle.author) == ("Test 3x3", "Alex Boisvert")
    assert puzzle.clue(puzzle.grid.slot("3D")) == "Sheep's cry"
    assert [str(at) for at in puzzle.grid.positions() if puzzle.grid[at].circle] == ["r1c3", "r2c2", "r3c1"]
    assert read_bytes((SAMPLES / name).read_bytes()) == puzzle


def test_a_crossfire_file() -> None:
    data = (SAMPLES / "3x.cfp").read_bytes()
    puzzle = read_bytes(data, ".cfp")
    assert grid_to_text(puzzle.grid) == "#AB\nCDE\nF[GHI]#"
    assert [str(at) for at in puzzle.grid.positions() if puzzle.grid[at].circle] == ["r1c2", "r3c1"]
    assert puzzle.clue(puzzle.grid.slot("3D")) == "*clue* 6"
    assert (puzzle.title, puzzle.notes) == ("Test Puzzle", "this is a note")
    assert read_bytes(data) == puzzle


@pytest.mark.parametrize("encode", [bytes, base64.b64encode], ids=["json", "base64"])
def test_a_file_of_amuse_labs(encode: Any) -> None:
    words = [
        {"x": 0, "y": 0, "clueNum": 1, "acrossNotDown": True, "clue": {"clue": "R&D <i>x</i>"}},
        {"x": 0, "y": 0, "clueNum": 1, "acrossNotDown": False, "clue": {"clue": "Down"}},
    ]
    box = [["A", "D", "G"], ["BE", "\0", "H"], ["C", "F", "I"]]
    cells = [{"x": 0, "y": 0, "isCircled": True}, {"x": 2, "y": 1, "bottomWall": True}]
    document = {"w": 3, "h": 3, "box": box, "cellInfos": cells, "placedWords": words, "title": "T", "author": "A"}
    data = encode(json.dumps(document).encode())
    puzzle = read_bytes(data)
    assert grid_to_text(puzzle.grid) == "A[BE]C\nD#F\nGHI"
    assert puzzle.grid[Position(0, 0)].circle
    assert puzzle.grid.bars == {Bar.between(Position(1, 2), Position(2, 2))}
    assert {slot.name: puzzle.clue(slot) for slot in puzzle.grid.slots if puzzle.clue(slot)} == {
        "1A": "R&D *x*",
        "1D": "Down",
    }
    assert read_bytes(data, ".json") == puzzle


@pytest.mark.parametrize(
    ("clue", "text"),
    [
        ("plain", "plain"),
        ("Before <i>inside</i> and <span>after</span> it", "Before *inside* and after it"),
        ("<i>First</i> then", "*First* then"),
        ("R&amp;D &lt;b&gt; &#233;", "R&D <b> é"),
        ("one<br/>two", "one two"),
        ("<b>B</b> <i> x </i>*y* M*A*S*H", "**B** *x* \\*y\\* M\\*A\\*S\\*H"),
        ("", ""),
    ],
)
def test_a_clue_keeps_its_whole_text(clue: str, text: str) -> None:
    puzzle = read_bytes(jpz(f'<clue word="1" number="1">{clue}</clue>'), ".jpz")
    assert puzzle.clue(puzzle.grid.slot("1A")) == text


def test_clues_match_entries_by_squares_and_wait_if_there_is_none() -> None:
    clues = '<clue word="2" number="2">Down</clue><clue word="9" number="7">Lost</clue>'
    puzzle = read_bytes(jpz(clues), ".jpz")
    assert clue_texts(puzzle) == {(Position(0, 1), Direction.DOWN): "Down"}
    assert puzzle.foreign == {"net.xwtui:unplaced-clues": (("7", "A", "Lost"),)}


@pytest.mark.parametrize(("second", "kept"), [("7", ""), ("3,4", " (3)")])
def test_lengths_are_enumerations_if_some_have_several_words(second: str, kept: str) -> None:
    clues = f'<clue word="1" number="1" format="3">X</clue><clue word="2" number="2" format="{second}">Y</clue>'
    puzzle = read_bytes(jpz(clues), ".jpz")
    slot = puzzle.grid.slot("1A")
    assert (puzzle.clue(slot), puzzle.solver_clue(slot)) == ("X", f"X{kept}")


def test_an_enumeration_without_a_clue_is_kept() -> None:
    clues = '<clue word="1" number="1" format="1-2">X</clue><clue word="2" number="2" format="3"/>'
    puzzle = read_bytes(jpz(clues), ".jpz")
    data = puzzle_bytes(puzzle, ".jpz").data
    assert b'format="1-2">X<' in data
    again = read_bytes(data, ".jpz")
    assert {str(again.enumeration(slot)) for slot in again.grid.slots} == {"1-2", "3", "None"}
    assert again == puzzle


def test_bars_with_false_values_are_ignored() -> None:
    cells = CELLS.replace('solution="B"', 'solution="B" left-bar="false" right-bar="true"')
    grid = read_bytes(jpz("", cells=cells), ".jpz").grid
    assert grid.bars == {Bar.between(Position(0, 1), Position(0, 2))}
    assert grid[Position(0, 1)].content == Content.of("B")


def test_latin_1_and_zip() -> None:
    data = jpz('<clue word="1" number="1">Café</clue>').decode().replace("UTF-8", "ISO-8859-1").encode("latin-1")
    puzzle = read_bytes(zipped(data), ".jpz")
    assert puzzle.clue(puzzle.grid.slot("1A")) == "Café"
    assert read_bytes(zipped(data)) == puzzle


BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE z [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
    + b"]><rectangular-puzzle>&j;</rectangular-puzzle>"
)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (BOMB, "defines entities of its own"),
        (b'<!DOCTYPE z [<!ENTITY a SYSTEM "file:///etc/passwd">]><z>&a;</z>', "defines entities of its own"),
        (zipped(b" " * (MAX_FILE_BYTES + 1)), "larger than a puzzle can be .* once unzipped"),
        (zipped(b"", "folder/"), "zipped .jpz file is empty"),
        (zipped(jpz(""))[:200], "zipped .jpz file is damaged"),
        (jpz("")[:300], "XML file is incomplete or damaged"),
        (b"<a>" * 100_000 + b"</a>" * 100_000, "50 deep"),
        (b"<rectangular-puzzle/>", "no crossword in Crossword Compiler"),
        (jpz("", grid='width="999999999" height="3"'), "grids are 3x3 to"),
        (jpz("", grid='width="three" height="3"'), "damaged"),
        (jpz("<clue>" + "<i>" * 3_000 + "x" + "</i>" * 3_000 + "</clue>"), "50 deep"),
        (jpz("<clue/>" * 10_001), "too many for a puzzle"),
        (b'<?xml version="1.0" encoding="nonesuch"?><a/>', "encoding|damaged"),
    ],
    ids=itertools.count(),
)
def test_hostile_and_damaged_files_have_one_message(data: bytes, message: str) -> None:
    with pytest.raises(PuzzleFormatError, match=message) as caught:
        read_bytes(data, ".jpz")
    assert str(caught.value).isprintable()


def test_words_far_outside_the_grid_take_no_time() -> None:
    words = '<word id="1" x="1-999999999" y="1"/><word id="2"><cells x="1-40" y="1-40"/></word>'
    puzzle = read_bytes(jpz('<clue word="1" number="1">X</clue>', words=words), ".jpz")
    assert puzzle.clue(puzzle.grid.slot("1A")) == "X"


def test_stale_clues_are_named() -> None:
    puzzle = puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI"))
    puzzle = puzzle.with_clue(puzzle.grid.slot("1A"), "Letters")
    changed = puzzle.with_grid(grid_from_text("XBC\nDEF\nGHI"))
    with pytest.raises(PuzzleFormatError, match="clues of other answers at 1A"):
        puzzle_bytes(changed, ".jpz")


def test_two_colors_are_reported_as_one_shade() -> None:
    data = puzzle_bytes(puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI")), ".jpz").data.decode()
    one = data.replace('solution="A"', 'solution="A" background-color="#ff0000"')
    two = one.replace('solution="B"', 'solution="B" background-color="#00ff00"')
    assert not parse_bytes(one.encode(), ".jpz").warnings
    [warning] = parse_bytes(two.encode(), ".jpz").warnings
    assert warning.words.endswith("all shaded ones '00ff00, ff0000' in one shade")
