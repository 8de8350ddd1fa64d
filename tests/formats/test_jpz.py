"""JPZ as it is written and read, and read with it CrossFire and Amuse Labs."""

import base64
import io
import itertools
import json
import zipfile
from pathlib import Path
from typing import Any

import pypuz
import pytest
from hypothesis import given

from tests.clued import clue_texts
from tests.examples import examples
from tests.formats.published import published
from tests.generators import puzzles
from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import MAX_FILE_BYTES
from xwtui.formats.grid_text import grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.formats.registry import puzzle_bytes, read_bytes, take_bytes, write_puzzle
from xwtui.model import Bar, Content, Direction, Position, Puzzle

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
def test_write_then_read_is_identity(puzzle: Puzzle) -> None:
    assert read_bytes(puzzle_bytes(puzzle, ".jpz").data, ".jpz") == published(puzzle, styled=True)


def test_pypuz_reads_what_is_written(tmp_path: Path) -> None:
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
def test_a_file_of_another_program(name: str) -> None:
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
def test_a_clue_is_its_whole_text(clue: str, text: str) -> None:
    puzzle = read_bytes(jpz(f'<clue word="1" number="1">{clue}</clue>'), ".jpz")
    assert puzzle.clue(puzzle.grid.slot("1A")) == text


def test_clues_go_by_their_squares_and_wait_where_there_is_no_entry() -> None:
    clues = '<clue word="2" number="2">Down</clue><clue word="9" number="7">Lost</clue>'
    puzzle = read_bytes(jpz(clues), ".jpz")
    assert clue_texts(puzzle) == {(Position(0, 1), Direction.DOWN): "Down"}
    assert puzzle.foreign == {"net.xwtui:unplaced-clues": (("7", "A", "Lost"),)}


@pytest.mark.parametrize(("second", "kept"), [("7", ""), ("3,4", " (3)")])
def test_lengths_are_enumerations_where_some_tell_of_words(second: str, kept: str) -> None:
    clues = f'<clue word="1" number="1" format="3">X</clue><clue word="2" number="2" format="{second}">Y</clue>'
    puzzle = read_bytes(jpz(clues), ".jpz")
    slot = puzzle.grid.slot("1A")
    assert (puzzle.clue(slot), puzzle.solver_clue(slot)) == ("X", f"X{kept}")


def test_an_enumeration_is_kept_where_there_is_no_clue_yet() -> None:
    clues = '<clue word="1" number="1" format="1-2">X</clue><clue word="2" number="2" format="3"/>'
    puzzle = read_bytes(jpz(clues), ".jpz")
    data = puzzle_bytes(puzzle, ".jpz").data
    assert b'format="1-2">X<' in data
    again = read_bytes(data, ".jpz")
    assert {str(again.enumeration(slot)) for slot in again.grid.slots} == {"1-2", "3", "None"}
    assert again == puzzle


def test_bars_that_are_false_are_none() -> None:
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


def test_words_far_off_the_grid_take_no_time() -> None:
    words = '<word id="1" x="1-999999999" y="1"/><word id="2"><cells x="1-40" y="1-40"/></word>'
    puzzle = read_bytes(jpz('<clue word="1" number="1">X</clue>', words=words), ".jpz")
    assert puzzle.clue(puzzle.grid.slot("1A")) == "X"


def test_stale_clues_are_named() -> None:
    puzzle = puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI"))
    puzzle = puzzle.with_clue(puzzle.grid.slot("1A"), "Letters")
    changed = puzzle.with_grid(grid_from_text("XBC\nDEF\nGHI"))
    with pytest.raises(PuzzleFormatError, match="clues of other answers at 1A"):
        puzzle_bytes(changed, ".jpz")


def test_two_colours_are_told_to_be_one_shade() -> None:
    data = puzzle_bytes(puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI")), ".jpz").data.decode()
    one = data.replace('solution="A"', 'solution="A" background-color="#ff0000"')
    two = one.replace('solution="B"', 'solution="B" background-color="#00ff00"')
    assert not take_bytes(one.encode(), ".jpz").warnings
    [warning] = take_bytes(two.encode(), ".jpz").warnings
    assert warning.words.endswith("all shaded ones '00ff00, ff0000' in one shade")
