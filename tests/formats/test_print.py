"""PDF, SVG and PNG, and the solving page in headless Chromium: their contents match the puzzle."""

import io
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from tests.examples import is_deep
from tests.formats.readers import NODE, NPM
from tests.formats.torture import IS_DEEP, clued, filled, template
from xwtui.errors import PuzzleFormatError
from xwtui.formats import pdf
from xwtui.formats.base import printed_on
from xwtui.formats.clues import _languages
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.pdf_page import PdfDocument, paper, usual_paper
from xwtui.formats.registry import puzzle_bytes, read_puzzle, write_puzzle
from xwtui.model import Bar, Grid, Position, Puzzle
from xwtui.model.edits import link
from xwtui.resources import puzzles_folder
from xwtui.words.alphabets import find_alphabet

PDFTOTEXT = shutil.which("pdftotext")
needs_pdftotext = pytest.mark.skipif(
    PDFTOTEXT is None, reason="needs pdftotext (on Debian: apt install poppler-utils)"
)
SVG = "{http://www.w3.org/2000/svg}"
LONG = "Łódź’s “café” " + "very " * 120 + "end"


def pages(puzzle: Puzzle, suffix: str, folder: Path) -> list[str]:
    """Return the text of each page, words separated by single spaces."""
    assert PDFTOTEXT is not None
    path = folder / f"p{suffix}"
    write_puzzle(path, puzzle, lossy=True)
    done = subprocess.run([PDFTOTEXT, "-layout", str(path), "-"], capture_output=True, check=True, timeout=300)
    return [" ".join(page.replace(" × ", "×").split()) for page in done.stdout.decode().split("\f")[:-1]]


def with_a_clue(name: str, clue: str = "A clue") -> Puzzle:
    puzzle = read_puzzle(puzzles_folder() / "templates" / f"{name}.txt")
    for slot in puzzle.grid.slots:
        puzzle = puzzle.with_clue(slot, f"{clue} {slot.name}")
    return replace(puzzle, title="The *Title*", author="Ann Ö. Nymous")


@pytest.mark.parametrize(
    ("environment", "is_a4"),
    [
        ({}, False),
        ({"LANG": "C.UTF-8"}, False),
        ({"LANG": "en_US.UTF-8"}, False),
        ({"LANG": "sv_SE.UTF-8"}, True),
        ({"LANG": "en_US.UTF-8", "LC_PAPER": "de_DE@euro"}, True),
        ({"LC_ALL": "en_CA", "LANG": "fr_FR"}, False),
    ],
)
def test_the_paper_size_is_that_of_the_country(environment: dict[str, str], is_a4: bool) -> None:
    assert (usual_paper(environment) == "a4") is is_a4


@pytest.mark.parametrize("suffix", [".pdf", ".key.pdf", ".manuscript.pdf"])
@pytest.mark.parametrize(("chosen", "size"), [("a4", b"595.2756 841.8898"), ("letter", b"612 792")])
def test_pages_have_the_paper_size(suffix: str, chosen: str, size: bytes) -> None:
    with printed_on(chosen):
        data = puzzle_bytes(with_a_clue("mini-5x5"), suffix).data
    assert set(re.findall(rb"/MediaBox \[ 0 0 ([0-9. ]+) \]", data)) == {size}


SIZES = ("mini-5x5", "9x9-01", "13x13-01", "15x15-01", "21x21-01", "23x23-01", "25x25-01")
LONG_PAGES = SIZES if is_deep() else SIZES[:2]
"""Grids with multiline clues; a large one takes seconds."""


@pytest.mark.parametrize(
    ("clue", "name"),
    [
        *product(["A clue", "A clue that is somewhat longer than the others are"], SIZES),
        *((LONG, name) for name in LONG_PAGES),
    ],
)
def test_no_one_or_two_clues_are_left_alone_below_the_grid(
    clue: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Any] = []
    made = pdf._layout

    def layout(grid: Grid, *arguments: Any) -> Any:
        kept.append((grid, made(grid, *arguments)))
        return kept[-1][1]

    monkeypatch.setattr(pdf, "_layout", layout)
    puzzle_bytes(with_a_clue(name, clue), ".pdf")
    ((grid, found),) = kept
    bottom = found.top - grid.height * found.square
    columns: dict[float, list[bool]] = {}
    for placed in found.lines:
        if placed.page == 0 and placed.column.top <= bottom:
            columns.setdefault(placed.column.left, []).append(bool(placed.line.number))
    assert all(sum(is_first) >= 3 or len(is_first) >= 6 for is_first in columns.values())


@needs_pdftotext
@pytest.mark.parametrize(("name", "count"), [("mini-5x5", 1), ("15x15-01", 1), ("21x21-01", 1), ("25x25-01", 2)])
def test_solver_pages_contain_every_clue_once(name: str, count: int, tmp_path: Path) -> None:
    puzzle = with_a_clue(name)
    found = pages(puzzle, ".pdf", tmp_path)
    assert len(found) == count
    assert "The *Title*" in found[0]
    assert "by Ann Ö. Nymous" in found[0]
    named = re.findall(r"A clue (\d+[AD])", " ".join(found))
    assert sorted(named) == sorted(slot.name for slot in puzzle.grid.slots)


@needs_pdftotext
def test_long_clues_take_as_many_pages_as_they_need(tmp_path: Path) -> None:
    found = pages(with_a_clue("mini-5x5", LONG), ".pdf", tmp_path)
    text = " ".join(found)
    assert text.count("very") == 120 * len(with_a_clue("mini-5x5").grid.slots)
    huge = with_a_clue("mini-5x5")
    huge = huge.with_clue(huge.grid.slot("1A"), "x" * 10_000)
    assert len(pages(huge, ".pdf", tmp_path)) < 6


@needs_pdftotext
@pytest.mark.parametrize("suffix", [".pdf", ".manuscript.pdf"])
def test_numbers_of_linked_lights_are_printed_together(suffix: str, tmp_path: Path) -> None:
    puzzle = with_a_clue("mini-5x5")
    slots = puzzle.grid.slots_by_name
    puzzle = link(puzzle, [slots["1A"], slots["2D"]])
    assert "1/2D A clue 1A" in " ".join(pages(puzzle, suffix, tmp_path))


@pytest.mark.parametrize("suffix", [".pdf", ".key.pdf"])
def test_a_title_of_any_length_leaves_room_for_the_grid(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Truncation is reported, and the author still has a line."""
    drawn: list[tuple[float, float]] = []

    def draw_grid(
        document: PdfDocument, grid: Grid, left: float, top: float, square: float, *, solved: bool = False
    ) -> None:
        drawn.append((top, square))

    monkeypatch.setattr(PdfDocument, "draw_grid", draw_grid)
    puzzle = replace(with_a_clue("15x15-01"), title="title " * 1_600, notes="notes " * 1_600)
    cut = " has no room for the end of the title"
    warnings = puzzle_bytes(puzzle, suffix).warnings
    assert [warning for warning in warnings if cut in warning]
    ((top, square),) = drawn
    assert top > paper().height / 3
    assert square > 14
    assert not [warning for warning in puzzle_bytes(with_a_clue("15x15-01"), suffix).warnings if "room" in warning]
    if PDFTOTEXT is not None:
        assert "by Ann Ö. Nymous" in pages(puzzle, suffix, tmp_path)[0]


def test_text_truncated_or_omitted_in_a_manuscript_is_reported_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines of title, address and notes, the copyright, and an author missing from the address."""
    settings = tmp_path / "settings.toml"
    monkeypatch.setattr("xwtui.user_files.settings_path", lambda: settings)
    settings.write_text('address = "Ann Ö. Nymous\\nTown"\n', encoding="utf-8")
    puzzle = replace(puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI")), author="Ann Ö. Nymous", notes="🎉")
    assert puzzle_bytes(puzzle, ".manuscript.pdf").warnings == (
        "PDF cannot show these characters, spelled out: the notes (🎉)",
    )
    settings.write_text('address = "' + "line\\n" * 9 + '"\n', encoding="utf-8")
    long = replace(puzzle, title="title " * 100, copyright="(c)", notes="note\n" * 9)
    assert puzzle_bytes(long, ".manuscript.pdf").warnings == (
        "PDF has no place for the author and copyright",
        "PDF has no room for the end of the name and address, the title, the notes",
    )


@pytest.mark.parametrize(
    ("suffix", "lost"),
    [
        (".svg", "SVG has no place for the author, copyright and notes"),
        (".solution.svg", "SVG has no place for the author, copyright and notes"),
        (".png", "PNG has no place for the title, author, copyright and notes"),
        (".solution.png", "PNG has no place for the title, author, copyright and notes"),
        (".key.pdf", "PDF of the solution has no place for the notes"),
    ],
)
def test_an_image_reports_omitted_titles(suffix: str, lost: str) -> None:
    puzzle = puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI"))
    assert puzzle_bytes(puzzle, suffix).warnings == ()
    titled = replace(puzzle, title="T", author="A", copyright="C", notes="N")
    assert puzzle_bytes(titled, suffix).warnings == (lost,)


@needs_pdftotext
def test_a_manuscript(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text('address = "Ann Ö. Nymous\\n1 Some Street\\nTown"\n', encoding="utf-8")
    monkeypatch.setattr("xwtui.user_files.settings_path", lambda: settings)
    puzzle = puzzle_of_grid(grid_from_text("ABC\nD#[HEART]\nEFG"))
    for slot in puzzle.grid.slots:
        puzzle = puzzle.with_clue(slot, f"A clue {slot.name}")
    empty, filled, clues = pages(replace(puzzle, notes="A note"), ".manuscript.pdf", tmp_path)
    for page in (empty, filled, clues):
        for line in ("1 Some Street", "3×3", "4 words", "1 block", "Untitled"):
            assert line in page
    assert "HEART" not in empty
    assert "HEART" in filled
    assert "A note" in filled
    assert "ACROSS 1 A clue 1A ABC 3 A clue 3A EFG DOWN 1 A clue 1D ADE 2 A clue 2D CHEARTG" in clues


@needs_pdftotext
def test_the_solution_has_letters_and_the_puzzle_page_has_none(tmp_path: Path) -> None:
    puzzle = puzzle_of_grid(grid_from_text("ABC\nD#[HEART]\nEFG"))
    assert "HEART" in pages(puzzle, ".key.pdf", tmp_path)[0]
    assert "HEART" not in pages(puzzle, ".pdf", tmp_path)[0]


def test_a_pdf_names_missing_glyphs_and_is_reproducible() -> None:
    puzzle = with_a_clue("mini-5x5")
    puzzle = puzzle.with_clue(puzzle.grid.slots[0], "🎉 Łódź")
    data, warnings, _ = puzzle_bytes(puzzle, ".pdf")
    assert warnings == (
        f"PDF cannot show these characters, spelled out: the clue of {puzzle.grid.slots[0].name} (🎉)",
    )
    assert puzzle_bytes(puzzle, ".pdf").data == data


def test_an_unfilled_manuscript_notes_it() -> None:
    assert puzzle_bytes(with_a_clue("mini-5x5"), ".manuscript.pdf").warnings == (
        "PDF shows an unfinished grid: 21 squares are empty",
    )


def drawn(suffix: str) -> ElementTree.Element:
    grid = grid_from_text("A#C\nD[HEART]_\nG[X/TIMES]I").with_bars([Bar.between(Position(2, 0), Position(2, 1))])
    at = Position(0, 0)
    grid = grid.with_squares({at: replace(grid[at], circle=True, shade=True)})
    return ElementTree.fromstring(puzzle_bytes(Puzzle(grid, title="T & <t>"), suffix).data)


def test_an_svg_has_every_square_number_and_mark() -> None:
    root = drawn(".svg")
    assert root.findtext(f"{SVG}title") == "T & <t>"
    fills = [element.get("fill") for element in root.iter(f"{SVG}rect")]
    assert (len(fills), fills.count("#000000"), fills.count("#dbdbdb")) == (8, 1, 1)
    assert len(list(root.iter(f"{SVG}circle"))) == 1
    assert [line.get("stroke-width") for line in root.iter(f"{SVG}line")].count("4") == 1
    assert [text.text for text in root.iter(f"{SVG}text")] == ["1", "2", "3", "4"]


def test_an_svg_of_the_solution_has_the_letters() -> None:
    letters = [text.text for text in drawn(".solution.svg").iter(f"{SVG}text") if not (text.text or "").isdigit()]
    assert letters == ["A", "C", "D", "HEART", "G", "X/TIMES", "I"]


def test_a_png_is_drawn_square_by_square() -> None:
    puzzle = puzzle_of_grid(grid_from_text("###\nABC\n_DE"))
    image = Image.open(io.BytesIO(puzzle_bytes(puzzle, ".png").data))
    solved = Image.open(io.BytesIO(puzzle_bytes(puzzle, ".solution.png").data))
    assert image.size == (196, 196)
    middles = [(8 + 60 * column + 30, 8 + 60 * row + 45) for row in range(3) for column in range(3)]
    assert [image.getpixel(at) for at in middles] == [0] * 3 + [255] * 6
    letter = (68 + 20, 68 + 20, 68 + 50, 68 + 56)
    assert solved.crop(letter).getextrema() == (0, 255)
    assert sum(image.crop(letter).histogram()[:250]) == 0


def test_the_word_manuscript_has_all_clues_with_answers() -> None:
    docx = pytest.importorskip("docx")
    puzzle = read_puzzle(puzzles_folder() / "finished-mini-casual-friday.ipuz")
    puzzle = puzzle.with_clue(puzzle.grid.slots[0], "As in *Jaws*")
    with printed_on("a4"):
        document = docx.Document(io.BytesIO(puzzle_bytes(puzzle, ".docx", lossy=True).data))
    rows = [[cell.text for cell in row.cells] for table in document.tables for row in table.rows]
    assert rows == [
        [str(slot.number), puzzle.printed_clue(slot), puzzle.answer(slot)] for slot in puzzle.grid.slots
    ]
    first = document.tables[0].rows[0].cells[1].paragraphs[0].runs
    assert [(run.text, bool(run.italic)) for run in first] == [("As in ", False), ("Jaws", True)]
    assert [paragraph.text for paragraph in document.paragraphs if "Heading" in paragraph.style.name] == [
        puzzle.title,
        "Across",
        "Down",
    ]
    assert len(document.inline_shapes) == 2
    assert round(document.sections[0].page_width.mm) == 210


def test_the_missing_word_library_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "docx", None)
    with pytest.raises(PuzzleFormatError, match=r"in the checkout of xwtui, run `.* '\.\[docx\]'`"):
        puzzle_bytes(with_a_clue("mini-5x5"), ".docx")


def test_a_word_document_has_no_control_characters() -> None:
    docx = pytest.importorskip("docx")
    puzzle = replace(with_a_clue("mini-5x5"), title="a\x07b", author="x\x00y", notes="n\x07z")
    document = docx.Document(io.BytesIO(puzzle_bytes(puzzle, ".docx", lossy=True).data))
    assert document.core_properties.title == "ab"
    assert {"ab", "nz"} <= {one.text for one in document.paragraphs}


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
HAS_DRIVER = (NPM / "node_modules" / "playwright-core").is_dir()
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None or NODE is None or not HAS_DRIVER,
    reason=f"needs chromium (on Debian: apt install chromium), node, and 'npm ci' in {NPM.name}/",
)

HOSTILE = "</script><script>document.title='hacked'</script><b>&amp; “é” 猫"


@pytest.fixture
def puzzle() -> Puzzle:
    """A[HEART]C / D#[X/TIMES] / EFG with a circle, shade, a bar, and clues that look like HTML."""
    grid = grid_from_text("A[HEART]C\nD#[X/TIMES]\nEFG").with_bars([Bar.between(Position(2, 0), Position(2, 1))])
    corner = replace(grid[Position(0, 0)], circle=True, shade=True)
    whole = Puzzle(grid.with_squares({Position(0, 0): corner}), title=HOSTILE, author="A", notes="Two\nlines")
    for slot in grid.slots:
        whole = whole.with_clue(slot, f"{HOSTILE} {slot.name}")
    return whole


def play(puzzle: Puzzle, folder: Path, steps: Sequence[Any], *, touch: bool = False) -> list[Any]:
    """Run steps on the page and return what each look saw; no network request or error may occur."""
    assert NODE is not None
    assert CHROMIUM is not None
    path = folder / "p.html"
    write_puzzle(path, puzzle)
    command = [NODE, str(NPM / "play.js"), CHROMIUM, str(path), *(["touch"] if touch else [])]
    done = subprocess.run(
        command, input=json.dumps(steps), capture_output=True, check=True, text=True, timeout=300
    )
    result = json.loads(done.stdout)
    assert result["asked"] == []
    assert result["errors"] == []
    seen: list[Any] = result["seen"]
    return seen


@needs_chromium
def test_a_puzzle_is_displayed_and_solved_with_keys(puzzle: Puzzle, tmp_path: Path) -> None:
    start, typed, checked, kept, solved, late = play(
        puzzle,
        tmp_path,
        [
            ["look"],
            *[["type", "a"], ["press", "Insert"], ["type", "heart"], ["press", "Enter"], ["type", "z"], ["look"]],
            *[["select", "check", "all"], ["wait", 61], ["look"]],
            *[["reload"], ["look"]],
            # to the wrong square, then along the remaining words
            *[["tap", ".cell:nth-child(3)"], ["press", "Backspace"], ["type", "c"]],
            *[["tap", ".cell:nth-child(4)"], ["type", "de"]],
            *[
                ["tap", ".cell:nth-child(6)"],
                ["press", "Escape"],
                ["type", "times"],
                ["press", "Enter"],
                ["type", "g"],
            ],
            *[["tap", ".cell:nth-child(8)"], ["type", "f"], ["look"]],
            *[["wait", 30], ["look"]],
        ],
    )
    assert start["title"] == HOSTILE
    assert HOSTILE in start["heading"]
    assert "Two\nlines" in start["heading"]
    assert start["letters"] == ["", "", "", "", "#", "", "", "", ""]
    assert start["numbers"] == [str(puzzle.grid.numbers.get(at, "")) for at in puzzle.grid.positions()]
    assert start["clues"] == [f"{slot.number} {puzzle.printed_clue(slot)}" for slot in puzzle.grid.slots]
    assert start["clue"] == f"1A {HOSTILE} 1A"
    assert (start["here"], start["word"]) == (0, [0, 1, 2])
    marks = [set(names.split()) - {"cell", "word", "here"} for names in start["marks"]]
    assert marks == [{"circle", "shade"}, set(), set(), set(), {"block"}, set(), set(), {"left"}, set()]
    assert typed["letters"][:3] == ["A", "HEART", "Z"]
    assert typed["wrong"] == []
    assert checked["wrong"] == [2]
    minutes, _, seconds = checked["timer"].partition(":")
    assert int(minutes) * 60 + int(seconds) >= 61
    assert kept["letters"] == checked["letters"]
    assert kept["wrong"] == [2]
    assert solved["letters"] == ["A", "HEART", "C", "D", "#", "TIMES", "E", "F", "G"]
    assert solved["message"] == "Solved!"
    assert late["timer"] == solved["timer"]


@needs_chromium
@pytest.mark.skipif(not IS_DEEP, reason="the deep profile alone: another start of a browser")
def test_by_touch(puzzle: Puzzle, tmp_path: Path) -> None:
    key = "#keys button:text-is('{}')".format
    typed, erased, revealed, cleared = play(
        puzzle,
        tmp_path,
        [
            *[["tap", ".cell:nth-child(1)"], ["tap", key("A")], ["tap", key("D")], ["look"]],
            *[["tap", key("⌫")], ["look"]],
            *[["tap", "#several"], ["type", "d"], ["tap", "#rebus-done"]],
            *[["select", "reveal", "all"], ["look"], ["tap", "#restart"], ["look"]],
        ],
        touch=True,
    )
    assert [typed["letters"][index] for index in (0, 3)] == ["A", "D"]
    assert typed["here"] == 6
    assert [erased["letters"][index] for index in (0, 3)] == ["A", ""]
    assert revealed["letters"] == ["A", "HEART", "C", "D", "#", "X/TIMES", "E", "F", "G"]
    assert revealed["message"] == "Solved!"
    assert set(cleared["letters"]) == {"", "#"}


@needs_chromium
def test_printing_is_complete_and_squares_on_a_phone_are_large_enough(tmp_path: Path) -> None:
    grid = filled(template("21x21-01"), 1)
    screen, printed, both = play(
        clued(grid, "Large"),
        tmp_path,
        [
            ["look"],
            ["media", "print"],
            ["look"],
            ["media", "screen"],
            ["tap", "#solved-too"],
            ["media", "print"],
            ["look"],
        ],
        touch=True,
    )
    assert screen["square"] >= 17
    assert screen["cut"], "the lists scroll beside the grid"
    assert not printed["cut"]
    assert printed["shown"] == ["#grid", "#lists"]
    assert both["shown"] == ["#grid", "#lists", "#solution"]
    assert len(printed["clues"]) == len(grid.slots)


@needs_chromium
def test_no_empty_page_is_printed(tmp_path: Path) -> None:
    """A British daily puzzle nearly fills its page."""
    [pages] = play(read_puzzle(puzzles_folder() / "british-15x15.ipuz"), tmp_path, [["pages"]])
    assert pages == 1


def document_of(puzzle: Puzzle) -> dict[str, Any]:
    page = puzzle_bytes(puzzle, ".html").data.decode()
    document: dict[str, Any] = json.loads(page.partition('id="puzzle">')[2].partition("<")[0])
    return document


def test_labels_and_keys_match_the_alphabet(puzzle: Puzzle) -> None:
    swedish = replace(puzzle, words=replace(puzzle.words, alphabet=find_alphabet("swedish")))
    document = document_of(swedish)
    assert (document["labels"]["lang"], document["labels"]["across"]) == ("sv", "Vågrätt")
    assert document["keys"] == ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM", "ÅÄÖ"]
    assert document_of(puzzle)["keys"] == ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"]
    assert "## Vågrätt" in puzzle_bytes(swedish, ".md").data.decode()
    assert len({frozenset(each) for each in _languages().values()}) == 1, "each language has all labels"


def test_the_page_is_self_contained(puzzle: Puzzle) -> None:
    page = puzzle_bytes(puzzle, ".html").data.decode()
    assert page.count("</script>") == 2
    assert "http" not in page.replace("http-equiv", "")
    assert "default-src 'none'" in page
