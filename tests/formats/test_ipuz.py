"""ipuz, the native format: it stores the whole puzzle, in our and other forms, and preserves foreign fields."""

import html.parser
import json
import re
from contextlib import suppress
from dataclasses import replace
from typing import Any

import ipuz
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.examples import examples
from tests.formats.published import document, read, written
from tests.formats.test_round_trips import FIRST, GRID, LINES
from tests.generators import puzzles
from tests.known import clue_texts
from tests.ruled import asked, ruled
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.formats.intake import Deviation
from xwtui.formats.ipuz_extensions import RULES, SNAPSHOTS, read_rules, unread_snapshots, without_unread
from xwtui.formats.plain_text import to_html
from xwtui.formats.registry import parse_bytes, puzzle_bytes, read_bytes
from xwtui.model import (
    Bar,
    Content,
    Direction,
    Grid,
    Ink,
    Position,
    Puzzle,
    RebusPlacing,
    Rules,
    Square,
    Symmetry,
    WordChoice,
)
from xwtui.model.clues import unsettled
from xwtui.model.markup import printed
from xwtui.model.snapshots import MOST_SNAPSHOTS, returned, with_snapshot


@given(puzzles())
def test_write_then_read_is_identity(puzzle: Puzzle) -> None:
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data, ".ipuz") == puzzle


@given(puzzles(largest=5))
@examples(50)
def test_the_ipuz_package_accepts_our_files(puzzle: Puzzle) -> None:
    read_by_other = ipuz.read(puzzle_bytes(puzzle, ".ipuz").data.decode())
    assert read_by_other["dimensions"] == {"width": puzzle.grid.width, "height": puzzle.grid.height}
    assert sum(map(len, read_by_other["clues"].values())) == len(puzzle.grid.slots)


def test_an_empty_grid_can_be_written() -> None:
    blank = Puzzle.blank(15, 15)
    assert read_bytes(puzzle_bytes(blank, ".json").data, ".json") == blank
    assert "title" not in written(blank)


def test_files_are_formatted_for_version_control() -> None:
    lines = puzzle_bytes(Puzzle.blank(15, 15), ".ipuz").data.decode().splitlines()
    assert sum(line.startswith("[") for line in lines) == 15 + 15 + 30
    assert max(map(len, lines)) < 320


def test_standard_fields_are_used() -> None:
    grid = grid_from_text("A.#\n[HEART][X/TIMES]_\n...")
    grid = grid.with_squares(
        {
            Position(0, 0): replace(grid[Position(0, 0)], circle=True, ink=Ink.LOCKED),
            Position(0, 1): Square(shade=True),
        }
    ).with_bars({Bar(Position(2, 0), Position(2, 1)), Bar(Position(1, 1), Position(2, 1))})
    fields = written(Puzzle(grid, unsettled({(Position(0, 0), Direction.ACROSS): "Q & A"}), notes="n"))
    assert fields["version"] == "http://ipuz.org/v2"
    assert fields["puzzle"] == [
        [{"cell": 1, "style": {"shapebg": "circle"}}, {"cell": 2, "style": {"color": "dcdcdc"}}, "#"],
        [3, 0, None],
        [0, {"cell": 4, "style": {"barred": "TL"}}, 0],
    ]
    assert fields["solution"] == [
        ["A", 0, "#"],
        ["HEART", {"value": "X/TIMES", "Across": "X", "Down": "TIMES"}, None],
        [0, 0, 0],
    ]
    assert fields["clues"]["Across"][0] == [1, "Q &amp; A"]
    assert fields["net.xwtui:ink"] == ["L..", "pp.", "..."]


def test_clues_wait_for_their_entry_to_return() -> None:
    puzzle = Puzzle(
        grid_from_text("...\n...\n..."), unsettled({(Position(0, 1), Direction.ACROSS): "after a block"})
    )
    fields = written(puzzle)
    assert fields["net.xwtui:unplaced-clues"] == [["r1c2", "A", "after a block"]]
    assert read_bytes(json.dumps(fields).encode()) == puzzle


def test_foreign_fields_are_written_back() -> None:
    fields = document(
        kind=["http://ipuz.org/crossword#1", "https://libipuz.org/barred#1"],
        publisher="P",
        styles={"s": {"color": "00ff00"}},
        saved=[["A", 0, 0], [0, 0, 0], [0, 0, 0]],
        puzzle=[
            [{"cell": 1, "style": {"color": "ff0000", "divided": "/", "shapebg": "circle"}}, 2, 3],
            [4, 0, 0],
            [5, 0, 0],
        ],
        clues={"Across": [{"number": 1, "clue": "one", "enumeration": "3"}]},
    )
    fields["com.example:nested"] = {"deep": [1, 2.5, None, True]}
    again = written(read_bytes(json.dumps(fields).encode()))
    for key in ("kind", "publisher", "styles", "saved", "puzzle", "com.example:nested"):
        assert again[key] == fields[key], key
    assert again["clues"]["Across"][0] == {"number": 1, "clue": "one", "enumeration": "3"}


@pytest.mark.parametrize(
    ("fields", "notes", "again"),
    [
        ({"intro": "shown"}, "shown", {"notes": "shown", "intro": "shown"}),
        ({"notes": "n", "intro": "n"}, "n", {"notes": "n", "intro": "n"}),
        ({"notes": "n"}, "n", {"notes": "n", "intro": "n"}),
        ({"notes": "n", "intro": "shown"}, "n", {"notes": "n", "intro": "shown"}),
        ({}, "", {}),
    ],
)
def test_the_intro_repeats_the_notes(fields: dict[str, str], notes: str, again: dict[str, str]) -> None:
    puzzle = read(**fields)
    assert puzzle.notes == notes
    assert {key: text for key, text in written(puzzle).items() if key in ("notes", "intro")} == again


def test_surrogates_in_foreign_fields_do_not_prevent_saving() -> None:
    data = json.dumps(document(origin="\ud800", title="t\ud800")).encode()
    puzzle = read_bytes(data)
    assert puzzle.title == "t"
    assert written(puzzle)["origin"] == "\ud800"


def test_a_symmetry_that_does_not_fit_is_detected_again() -> None:
    wide = {
        "dimensions": {"width": 4, "height": 3},
        "puzzle": [[0] * 4] * 3,
        "solution": [["A"] * 4] * 3,
        "net.xwtui:symmetry": "diagonal",
    }
    assert read(**wide).symmetry is Symmetry.ROTATION_180


def test_word_choice() -> None:
    words = WordChoice(("mine.dict", "default"), 55, frozenset({"ESNE"}), {"QI": 70})
    puzzle = Puzzle(grid_from_text("...\n...\n..."), words=words)
    assert written(puzzle)["net.xwtui:words"] == {
        "lists": ["mine.dict", "default"],
        "minimum_score": 55,
        "banned": ["ESNE"],
        "scores": {"QI": 70},
    }
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data).words == words


def test_preferences_of_words() -> None:
    words = WordChoice(preferred=("mine.dict",), recent="../published")
    puzzle = Puzzle(grid_from_text("...\n...\n..."), words=words)
    field = written(puzzle)["net.xwtui:words"]
    assert (field["preferred"], field["recent"]) == (["mine.dict"], "../published")
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data).words == words


NO_WORDS = {"lists": [], "minimum_score": 40, "banned": [], "scores": {}}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"kind": ["http://ipuz.org/sudoku#1"]}, "holds no crossword"),
        ({"puzzle": None, "solution": None}, "not an ipuz puzzle: it has no grid"),
        ({"puzzle": [[1, 2, 3]], "solution": None}, "3x3 to 40x40"),
        ({"net.xwtui:words": {"lists": [], "minimum_score": 400, "banned": [], "scores": {}}}, "choice of words"),
        ({"net.xwtui:words": {**NO_WORDS, "preferred": "mine"}}, "choice of words"),
        ({"net.xwtui:words": {**NO_WORDS, "recent": 3}}, "choice of words"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_invalid_documents_are_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(PuzzleFormatError, match=message):
        read(**fields)


def test_content_reads_as_in_the_model() -> None:
    assert read(solution=[["A", "B", "C"], ["D", "x/times", "F"], ["G", "H", "I"]]).grid[
        Position(1, 1)
    ].content == Content("X", "TIMES")


class Shown(html.parser.HTMLParser):
    """Text as a browser shows it: line breaks, without white space after them."""

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
def test_standard_html_fields_show_the_text_unchanged(first: str, second: str) -> None:
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


def test_lines_stay_separate_when_tags_are_removed() -> None:
    assert re.sub("<[^>]*>", "", to_html("one\ntwo\n\nthree")) == "one\ntwo\n\nthree"


@pytest.mark.parametrize("source", ["one<br>two", "one<br/>\ntwo", "<p>one</p><p>two</p>", "one\ntwo"])
def test_lines_of_notes_of_other_programs(source: str) -> None:
    assert [line for line in read(notes=source).notes.split("\n") if line] == ["one", "two"]


def test_files_of_version_1_store_plain_text() -> None:
    ours = {"net.xwtui:ink": ["ppp", "ppp", "ppp"]}
    puzzle = read(**ours, clues={"Across": [[1, "<i>one</i> & two"]]}, title="a < b", notes="&amp;lt; <br>")
    assert clue_texts(puzzle)[FIRST] == "<i>one</i> & two"
    assert (puzzle.title, puzzle.notes) == ("a < b", "&lt; <br>")
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data) == puzzle


def test_content_of_other_programs_is_pen() -> None:
    grid = read().grid
    assert {square.ink for square in grid.squares} == {Ink.PEN}
    assert read().symmetry is Symmetry.ROTATION_180


def test_every_standard_form_of_values_is_read() -> None:
    solution = [
        [{"value": "a"}, ["HEART"], ["X", "O"]],
        [{"Across": "IE", "Down": "EI"}, {"value": None}, ""],
        [{"value": "É"}, 0, None],
    ]
    grid = read(
        solution=solution, puzzle=[[{"cell": 1}, "2", 3], [4, 0, {"cell": 0, "style": None}], [5, 0, 0]]
    ).grid
    assert grid_to_text(grid) == "A[HEART][X/O]\n[IE/EI]..\nÉ.."


def test_custom_block_and_empty_symbols() -> None:
    grid = read(
        block="B",
        empty="-",
        puzzle=[["B", 1, 2], [3, "-", {"cell": "-"}], [4, "-", {"cell": "B"}]],
        solution=[["B", "A", "-"], ["C", {"value": "D"}, ""], ["-", "B", "B"]],
    ).grid
    assert grid_to_text(grid) == "#A.\nCD.\n.##"


def test_without_a_solution_squares_are_empty_except_given_letters() -> None:
    fields = document(puzzle=[[1, 2, 3], [4, {"cell": 0, "value": "Z"}, 0], [5, 0, 0]])
    del fields["solution"], fields["dimensions"]
    assert grid_to_text(read_bytes(json.dumps(fields).encode()).grid) == "...\n.Z.\n..."


def test_styles_by_name_highlights_and_bars_on_every_side() -> None:
    puzzle = read(
        styles={"ring": {"shapebg": "circle", "color": "ff0000"}},
        puzzle=[
            [{"cell": 1, "style": "ring"}, 2, {"cell": 3, "style": {"highlight": True}}],
            [4, {"cell": 0, "style": {"barred": "TRBL"}}, 0],
            [{"cell": 5, "style": {"barred": "BL"}}, 0, {"cell": 0, "style": "unknown"}],
        ],
    )
    middle = Position(1, 1)
    assert puzzle.grid[Position(0, 0)].circle
    assert puzzle.grid[Position(0, 0)].shade
    assert puzzle.grid[Position(0, 2)].shade
    assert puzzle.grid.bars == {
        Bar.between(middle, neighbour)
        for neighbour in (Position(0, 1), Position(1, 0), Position(1, 2), Position(2, 1))
    }


CLUES = {(Position(0, 0), Direction.ACROSS): "one", (Position(1, 0), Direction.ACROSS): "four & five"}


@pytest.mark.parametrize(
    "across",
    [
        [[1, "one"], [4, "four & five"]],
        [["1", "one"], ["4.", "four &amp; five"]],
        ["one", "four & five"],
        [{"number": 1, "clue": "one"}, {"numbers": ["4", "5"], "clue": "four & five", "enumeration": "3"}],
        [{"number": "1", "clue": " o\x1b[1mne\n"}, {"label": "4", "clue": "four  & five", "answer": "DEF"}],
    ],
)
@pytest.mark.parametrize("group", ["Across", "across", "Across:Aries"])
def test_every_standard_form_of_clues_is_read(across: list[Any], group: str) -> None:
    assert clue_texts(read(clues={group: across, "Down": []})) == CLUES


def test_derived_fields_are_not_stored() -> None:
    across = [{"number": "1", "clue": "one", "answer": "ABC", "cells": [[1, 1], [2, 1], [3, 1]], "hints": ["h"]}]
    again = written(read(clues={"Across": across}))
    assert again["clues"]["Across"][0] == {"number": 1, "clue": "one", "hints": ["h"]}


def test_clue_numbers_are_those_in_the_file() -> None:
    puzzle = read(
        puzzle=[[10, 20, 30], [40, 0, 0], [50, 0, 0]], clues={"Across": [[10, "one"], [40, "four & five"]]}
    )
    assert clue_texts(puzzle) == CLUES


def test_clues_without_an_entry_are_kept() -> None:
    puzzle = read(clues={"Across": [[1, "one"], [99, "lost"], [4, "four & five"]], "Zones": [[1, "zone"]]})
    assert clue_texts(puzzle) == CLUES
    fields = written(puzzle)
    assert fields["net.xwtui:unplaced-clues"] == [["99", "A", "lost"]]
    assert fields["clues"]["Zones"] == [[1, "zone"]]
    assert read_bytes(json.dumps(fields).encode()) == puzzle


def test_old_jsonp_wrapping_and_a_byte_order_mark() -> None:
    plain = json.dumps(document()).encode()
    assert read_bytes(b"ipuz(" + plain + b")") == read_bytes(b"\xef\xbb\xbf" + plain) == read()
    assert read_bytes(json.dumps(document()).encode("utf-16")) == read()


def test_blocks_of_a_diagramless_come_from_the_solution() -> None:
    grid = read(solution=[["A", "B", "#"], ["D", "E", "F"], ["#", "H", "I"]]).grid
    assert grid_to_text(grid) == "AB#\nDEF\n#HI"


def test_ink_that_does_not_match_the_grid_leaves_everything_in_pen() -> None:
    for rows in (["..."], [1, 2, 3], "...", ["..", "..", ".."]):
        assert read(**{"net.xwtui:ink": rows}) == read()


WHOLE = puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI"))
SECOND = puzzle_of_grid(grid_from_text("AB#\nDEF\nGHI"))


def again(puzzle: Puzzle) -> Puzzle:
    return read_bytes(puzzle_bytes(puzzle, ".ipuz").data, ".ipuz")


def read_with(snapshots: Any) -> Puzzle:
    return read_bytes(json.dumps(written(WHOLE) | {SNAPSHOTS: snapshots}).encode(), ".ipuz")


@given(st.lists(puzzles(largest=5), min_size=2, max_size=3))
@examples(40)
def test_snapshots_read_back(states: list[Puzzle]) -> None:
    snapshots: dict[str, Puzzle] = {}
    for number, state in enumerate(states):
        snapshots = dict(with_snapshot(state.with_snapshots(snapshots), f"v{number}").snapshots)
    puzzle = again(states[-1].with_snapshots(snapshots))
    assert puzzle == states[-1].with_snapshots(snapshots)
    for number, state in enumerate(states):
        assert returned(puzzle, f"v{number}") == state.with_snapshots(snapshots)


def test_fields_of_other_programs_are_written_once() -> None:
    read = read_bytes(json.dumps(written(WHOLE) | {"com.example:big": "x" * 1000}).encode(), ".ipuz")
    kept = again(with_snapshot(read, "v1"))
    assert puzzle_bytes(kept, ".ipuz").data.count(b"x" * 1000) == 1
    assert returned(kept, "v1") == kept


@pytest.mark.parametrize(
    "fields", [17, None, "text", [], {}, {"puzzle": 3}, {"puzzle": [[1]]}, {**written(WHOLE), "clues": 3}]
)
def test_a_bad_snapshot_is_preserved_and_reported(fields: Any) -> None:
    good = written(SECOND)
    puzzle = read_with({"good": good, "bad": fields})
    assert returned(puzzle, "good").grid == SECOND.grid
    assert unread_snapshots(puzzle) == ("bad",)
    assert written(puzzle)[SNAPSHOTS]["bad"] == fields
    assert again(puzzle) == puzzle
    assert not unread_snapshots(without_unread(puzzle, "bad"))


@pytest.mark.parametrize("value", [17, "text", [1, 2]])
def test_an_invalid_snapshot_field_is_reported(value: Any) -> None:
    puzzle = read_with(value)
    assert not puzzle.snapshots
    assert unread_snapshots(puzzle) == ("damaged",)
    assert again(puzzle) == puzzle


@pytest.mark.parametrize("name", ["", "x" * 41, "a\u001b[2J", " v1"])
def test_invalid_snapshot_names_are_ignored(name: str) -> None:
    puzzle = read_with({name: written(SECOND)})
    assert not puzzle.snapshots
    assert unread_snapshots(puzzle) == (name,)


def test_only_the_maximum_number_of_snapshots_is_read() -> None:
    puzzle = read_with({f"v{number}": written(SECOND) for number in range(MOST_SNAPSHOTS + 5)})
    assert len(puzzle.snapshots) == MOST_SNAPSHOTS
    assert len(unread_snapshots(puzzle)) == 5


def test_nested_snapshots_are_ignored() -> None:
    puzzle = read_with({"v1": written(SECOND) | {SNAPSHOTS: {"v2": written(SECOND)}}})
    assert list(puzzle.snapshots) == ["v1"]
    assert not puzzle.snapshots["v1"].snapshots


@pytest.mark.parametrize("suffix", [".puz", ".xd", ".txt"])
def test_other_formats_do_not_mention_snapshots(suffix: str) -> None:
    assert puzzle_bytes(with_snapshot(SECOND, "v1"), suffix) == puzzle_bytes(SECOND, suffix)


BLANK = Grid.blank(5, 5)
CORNER = Position(0, 0)


@given(puzzles(largest=5))
def test_written_rules_read_back(puzzle: Puzzle) -> None:
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data, ".ipuz").rules == puzzle.rules


def test_a_puzzle_without_rules_has_no_field() -> None:
    assert RULES not in json.loads(puzzle_bytes(Puzzle.blank(5, 5), ".ipuz").data)


def test_a_handwritten_rules_field_is_read() -> None:
    rules = read_rules(
        {
            "entries": [
                ["r1c1", "A", {"minimum_score": 60, "contains": ["ING"]}],
                ["r9c9", "D", {"pattern": "A*"}],
            ],
            "squares": {"r1c1": ["A", "HEART", "X/TIMES"], "r9c1": ["A"]},
            "placings": [{"contents": ["[HEART]"], "least": 1, "most": 2}],
            "of a later version": [1, 2],
        },
        BLANK,
    )
    assert rules == ruled(
        entries={(CORNER, Direction.ACROSS): asked(60, contains=("ING",))},
        squares={CORNER: (Content.of("A"), Content.of("HEART"), Content("X", "TIMES"))},
        placings=(RebusPlacing((Content.of("HEART"),), 1, 2),),
    )


def test_a_rule_impossible_for_its_entry_is_reported() -> None:
    fields = {"entries": [["r1c1", "A", {}], ["r2c3", "D", {"pattern": "("}]]}
    with pytest.raises(PuzzleFormatError, match=r"r2c3 down: the pattern '\(' cannot be read"):
        read_rules(fields, BLANK)


@pytest.mark.parametrize(
    "value",
    [
        [],
        "rules",
        {"entries": {}},
        {"entries": [["r1c1", "X", {}]]},
        {"entries": [["r0c1", "A", {}]]},
        {"entries": [["r1c1", "A", {"pattern": "("}]]},
        {"entries": [["r1c1", "A", {"pattern": "(A|AA)*B"}]]},
        {"entries": [["r1c1", "A", {"minimum_score": True}]]},
        {"entries": [["r1c1", "A", {"minimum_score": 101}]]},
        {"entries": [["r1c1", "A", {"contains": "ING"}]]},
        {"entries": [["r1c1", "A", {"word_list": 5}]]},
        {"squares": {"r1c1": "AE"}},
        {"squares": {"r1c1": ["€"]}},
        {"squares": {"here": ["A"]}},
        {"shared_substring": -3},
        {"shared_substring": 2.5},
        {"distinct_stems": 1},
        {"stem_groups": [["a b"]]},
        {"tag_limits": {"NAME": 2}},
        {"tag_limits": {"name": "2"}},
        {"wanted": ["OBOE"], "wanted_least": 2},
        {"wanted": ["x" * 41]},
        {"letters": "A A"},
        {"placings": [{"contents": ["HEART"]}]},
        {"placings": [{"contents": [], "least": 1, "most": 2}]},
        {"placings": [{"contents": ["HEART"], "least": 5, "most": 2}]},
    ],
)
def test_damaged_rules_end_in_one_clear_message(value: Any) -> None:
    document = json.loads(puzzle_bytes(Puzzle.blank(5, 5), ".ipuz").data)
    document[RULES] = value
    with pytest.raises(PuzzleFormatError, match="the rules in this file"):
        read_bytes(json.dumps(document).encode(), ".ipuz")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["r1c1", "A"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["minimum_score", "pattern", "contents", "least", "most", "r1c1"]), inner
        )
    ),
    max_leaves=8,
)
names = st.sampled_from(["entries", "squares", "stem_groups", "tag_limits", "wanted", "letters", "placings"])


@given(st.dictionaries(names, json_values, max_size=3))
def test_any_value_is_read_or_refused(value: Any) -> None:
    with suppress(PuzzleFormatError):
        assert isinstance(read_rules(value, BLANK), Rules)


def test_an_unknown_rule_is_reported() -> None:
    """From a package that is not installed, or a later xwtui."""
    rules = {
        "every": {"no_doubles": True},
        "entries": [["r1c1", "A", {"contains": ["A"], "odd": 1}]],
        "moons": [2],
    }
    document = {"dimensions": {"width": 3, "height": 3}, "puzzle": [[0] * 3] * 3, "net.xwtui:rules": rules}
    _, [warning] = parse_bytes(json.dumps(document).encode(), ".ipuz")
    assert warning.deviation is Deviation.LEFT_OUT
    assert sorted(each.words for each in warning.deviants) == [
        "the rule 'moons'",
        "the rule 'no_doubles'",
        "the rule 'odd'",
    ]


@pytest.mark.parametrize("entries", [5, True, "entries", {"entries": 1}])
def test_a_rules_field_without_a_list_is_damaged(entries: object) -> None:
    document = {"dimensions": {"width": 3, "height": 3}, "puzzle": [[0] * 3] * 3, RULES: {"entries": entries}}
    with pytest.raises(PuzzleFormatError, match="damaged"):
        parse_bytes(json.dumps(document).encode(), ".ipuz")
