"""Text in ipuz is HTML: ours shows as it is, that of other programs is read, that of older files kept."""

import html.parser
import re

import pytest
from hypothesis import example, given

from tests.clued import clue_texts
from tests.formats.ipuz_documents import read, written
from tests.formats.test_round_trips import FIRST, GRID, LINES
from xwtui.formats.plain_text import to_html
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model import Puzzle
from xwtui.model.clues import unsettled
from xwtui.model.markup import printed


class Shown(html.parser.HTMLParser):
    """What a browser shows of a text: a line break as one, and no white space that follows it."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.text = ""
        self.feed(source)
        self.close()

    def handle_data(self, data: str) -> None:
        self.text += data.removeprefix("\n") if self.text.endswith("\n") else data

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.text += {"br": "\n"}.get(tag, "")


@given(LINES, LINES)
@example("<i>one</i>", "&lt;")
@example("a < b & c", "&copy 1 <script>")
def test_what_is_html_by_the_standard_shows_the_text_as_it_is(first: str, second: str) -> None:
    notes = "\n".join(line for line in (first, second) if line)
    clues = {FIRST: first} if first else {}
    puzzle = Puzzle(GRID, unsettled(clues), title=first, author=second, copyright=second, notes=notes)
    fields = written(puzzle)
    assert Shown(fields["clues"]["Across"][0][1]).text == printed(first, GRID)
    assert Shown(fields.get("title", "")).text == first
    assert Shown(fields.get("author", "")).text == second
    assert Shown(fields.get("notes", "")).text == Shown(fields.get("intro", "")).text == notes
    assert fields.get("copyright", "") == second, "plain text by the standard"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("H<sub>2</sub>O &amp; CO<sub>2</sub>", "H2O & CO2"),
        ("one<br>two<BR/>three", "one two three"),
        ("R&D, AT&T", "R&D, AT&T"),
        ("I <3 U, a < b > c", "I <3 U, a < b > c"),
        ("Fill <in> the <BLANK>", "Fill <in> the <BLANK>"),
        ("&lt;i&gt; in HTML", "<i> in HTML"),
        ("&amp;lt; in HTML", "&lt; in HTML"),
        ("caf&eacute; &#8212; &#x201c;x&quot;", 'café — “x"'),
    ],
)
def test_html_of_other_programs(source: str, text: str) -> None:
    puzzle = read(clues={"Across": [[1, source]]}, title=source, author=source, copyright=source)
    assert (clue_texts(puzzle)[FIRST], puzzle.title, puzzle.author, puzzle.copyright) == (text,) * 4


def test_italics_and_bold_of_other_programs() -> None:
    source = "<b>Bold</b> <I class='x'>move</I>"
    puzzle = read(clues={"Across": [[1, source]]}, title=source)
    assert (clue_texts(puzzle)[FIRST], puzzle.title) == ("**Bold** *move*", "Bold move")


def test_lines_stay_apart_where_tags_are_left_out() -> None:
    assert re.sub("<[^>]*>", "", to_html("one\ntwo\n\nthree")) == "one\ntwo\n\nthree"


@pytest.mark.parametrize("source", ["one<br>two", "one<br/>\ntwo", "<p>one</p><p>two</p>", "one\ntwo"])
def test_lines_of_notes_of_other_programs(source: str) -> None:
    assert [line for line in read(notes=source).notes.split("\n") if line] == ["one", "two"]


def test_files_of_the_first_version_hold_their_text_as_it_is() -> None:
    ours = {"net.xwtui:ink": ["ppp", "ppp", "ppp"]}
    puzzle = read(**ours, clues={"Across": [[1, "<i>one</i> & two"]]}, title="a < b", notes="&amp;lt; <br>")
    assert clue_texts(puzzle)[FIRST] == "<i>one</i> & two"
    assert (puzzle.title, puzzle.notes) == ("a < b", "&lt; <br>")
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data) == puzzle
