"""Text that looks like a place is a place or an error in every verb; it is never written as letters."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.naive.model import naive_squares
from tests.session.saying import refuses, rows, said
from xwtui.errors import LockedError, PuzzleError, VerbError, XwtuiError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import BLOCK, VOID, Bar, Content, Grid, Ink, Position, Puzzle, Square
from xwtui.model.selection import area_named, is_never_letters, looks_like_place
from xwtui.session.session import Session
from xwtui.session.verbs.kinds import place_forms
from xwtui.session.verbs.registry import VERBS, run_line
from xwtui.session.verbs.verb import Group, Verb

PLAIN_PLACES = [
    "r1c1:r1c2",
    "r1c1:R3C3,5A",
    "1A,15A",
    "1A,",
    "1A/5A",
    "1A-5A",
    "1A;2D",
    "1A..5A",
    "r1c1,r1c2",
    "r1c1-r1c2",
    "r3c5",
    "r99c99",
]
"""Places that nobody would mean as letters."""

OTHER_PLACES = ["r3c", "r3", "99A", "17X", "17", "row 7", "row 99", "column 3", "col3", "perimeter", "Perimeter"]
OTHER_PLACES += ["diagonal", "antidiagonal", "row 7,1A", "perimeter,row 99,", "col 2,diagonal"]
"""Text that is a place if a place is expected, and letters otherwise."""

TEXTS = ("title", "author", "copyright", "notes")
TAKING = [
    verb
    for verb in VERBS.values()
    if verb.command.params and verb.group not in (Group.FILE, Group.SESSION) and verb.name not in TEXTS
]
FIRST = [verb for verb in TAKING if verb.arguments and place_forms(verb.arguments[0])]


@pytest.fixture
def nine(bench: Session) -> Iterator[Session]:
    """A blank 9x9, wide enough to hold any place name as letters; background jobs are stopped."""
    run_line(bench, "new 9 9 --force")
    yield bench
    bench.stop()


def letters(bench: Session) -> set[str]:
    """Return all words and contents of the puzzle, and the letters of its rows, without the places in rules."""
    puzzle = bench.puzzle
    allowed = {str(content) for contents in puzzle.rules.squares.values() for content in contents}
    words = {*puzzle.words.banned, *puzzle.words.scores, *puzzle.rules.wanted}
    rules = (*puzzle.rules.grid, *puzzle.rules.entries.values())
    others = {re.sub(r"Position\([^)]*\)", "", repr(rule)) for rule in rules}
    return allowed | words | set(rows(bench)) | {text for text in others if any(map(str.isdigit, text))}


def try_line(bench: Session, line: str) -> None:
    """Run a line, which may fail, and stop any job it starts."""
    with suppress(XwtuiError):
        run_line(bench, line)
    bench.stop()


@pytest.mark.parametrize("verb", TAKING, ids=lambda verb: verb.name)
def test_no_verb_writes_a_plain_place_as_letters(nine: Session, verb: Verb) -> None:
    for place in PLAIN_PLACES:
        for line in (f"{verb.name} {place} X", f"{verb.name} {place}", f"{verb.name} 1A {place}"):
            try_line(nine, line)
            assert not any(map(str.isdigit, "".join(letters(nine)))), line
            assert verb.name == "clue" or not nine.puzzle.clues


@pytest.mark.parametrize("verb", FIRST, ids=lambda verb: verb.name)
def test_no_verb_writes_a_place_as_letters_if_it_accepts_places(nine: Session, verb: Verb) -> None:
    for place in (*PLAIN_PLACES, *OTHER_PLACES):
        for line in (f"{verb.name} {place} X", f"{verb.name} {place}"):
            try_line(nine, line)
            found = "".join(letters(nine))
            assert not any(map(str.isdigit, found)), line
            assert "PERIM" not in found
            assert "ROW" not in found
            assert not nine.puzzle.clues, line


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            "set r1c1:r1c2 X",
            "r1c1:r1c2 names several squares; expected an entry such as 17A or a square such as r3c12",
        ),
        ("clue 1A/5A Foo", "1A/5A names several squares; expected an entry such as 17A"),
        ("clue row 7 Foo", "row 7 names several squares"),
        ("set perimeter", "perimeter names several squares"),
        ("goto row 7", "row 7 names several squares"),
        ("set r3c X", "'r3c' is not a square"),
        ("set 1A r1c1:r1c2", "'r1c1:r1c2' is a place; letters are expected here"),
        ("ban 1A,15A", "'1A,15A' is a place"),
        ("letters 1A/15A A", "'1A/15A' is not a rectangle"),
        ("letters 1A,99A A", "no entry '99A'"),
        ("select 1A,,10A", "put commas between places, such as 17A,5D"),
        ("goto 1A, 10A", "1A,10A names several squares"),
        ("bar r1c1:r9c1 left", "r1c1 has no neighbor left"),
        ("lock row 10", "this grid has rows 1 to 9"),
        ("lock column 0", "this grid has columns 1 to 9"),
        ("fill --only row 12", "this grid has rows 1 to 9"),
        ("rebus r1c1 CAT CAT", "a square holds letters or digits without spaces, unlike CAT CAT"),
        ("set r1c1 CAT CAT", "a square holds letters or digits without spaces"),
    ],
)
def test_errors_for_invalid_places(nine: Session, line: str, problem: str) -> None:
    before = nine.puzzle
    refuses(nine, line, problem.replace(".", r"\."), XwtuiError)
    assert nine.puzzle is before


def test_letters_of_several_entries(nine: Session) -> None:
    run_line(nine, "letters 1A,17A AE")
    allowed = nine.puzzle.rules.squares
    assert {at.row for at in allowed} == {0, nine.puzzle.grid.slot("17A").start.row}
    assert {str(content) for contents in allowed.values() for content in contents} == {"A", "E"}


def test_bars_at_the_edge_are_left_out_when_other_squares_have_one(nine: Session) -> None:
    said(nine, "symmetry none", "bar row 2 right")
    assert nine.puzzle.grid.bars == {Bar(Position(1, column), Position(1, column + 1)) for column in range(8)}


def test_words_that_only_start_like_places_are_letters(nine: Session) -> None:
    run_line(nine, "set rowboater")
    assert rows(nine)[0] == "ROWBOATER"
    run_line(nine, "set 10A crème brûl")
    assert rows(nine)[1] == "CREMEBRUL"
    run_line(nine, "clue Row your boat 7 times")
    assert nine.puzzle.clue(nine.puzzle.grid.slot("1A")) == "Row your boat 7 times"
    run_line(nine, "clue 24/7")
    assert nine.puzzle.clue(nine.puzzle.grid.slot("1A")) == "24/7"


def test_rows_columns_and_the_perimeter_are_places(nine: Session) -> None:
    assert said(nine, "select row 2").startswith("9 squares selected")
    assert said(nine, "select column 3", "select row 1 column 1").startswith("17 squares selected")
    assert said(nine, "select perimeter").startswith("32 squares selected")
    assert said(nine, "set 1A ABCDEFGHI", "lock row 1") == "locked: row 1, 9 squares"
    assert said(nine, "unlock r1c1:r2c3") == "unlocked: r1c1:r2c3, 3 squares"
    assert said(nine, "pencil column 1") == "in pencil now: column 1, 1 square"
    assert said(nine, "accept r1c1:r3c3") == "accepted: r1c1:r3c3"
    run_line(nine, "clear r1c1:r1c3")
    assert rows(nine)[0] == "???DEFGHI"


@pytest.mark.parametrize(
    ("place", "called"),
    [
        ("1A", "1A"),
        ("row 1", "row 1"),
        ("r1c1:r1c3", "r1c1:r1c3"),
        ("all", "everything written"),
        ("1D", "everything written in 1D"),
    ],
)
def test_locked_squares_are_not_cleared_and_this_is_reported(nine: Session, place: str, called: str) -> None:
    said(nine, "set 1A ABCDEFGHI", "lock 1A")
    before = nine.puzzle
    refuses(nine, f"clear {place}", f"^{called} is locked; unlock it first$", LockedError)
    refuses(nine, "clear r1c1", r"^r1c1 is locked with A; unlock it first$", LockedError)
    assert nine.puzzle == before


@pytest.mark.parametrize(("place", "row"), [("1A", "ABC??????"), ("all", "ABC??????"), ("r1c3:r1c4", "ABC?EFGHI")])
def test_partly_locked_places_are_cleared_except_for_locks(nine: Session, place: str, row: str) -> None:
    said(nine, "set 1A ABCDEFGHI", "lock r1c1:r1c3")
    stay = "1 locked square stays" if ":" in place else "3 locked squares stay"
    assert said(nine, f"clear {place}") == f"cleared: {place}; {stay}"
    assert rows(nine)[0] == row


SQUARES = ["7A", "r2c3", "r3c4:r1c2", "row 3", "column 2", "perimeter", "diagonal", "antidiagonal", "all"]
SQUARES += ["selection", "row 3,diagonal", "antidiagonal,7A,col 2", "perimeter,r3c3,row 3", "1D,2D"]
SQUARES += ["1D, 2D", "row 3, diagonal ,7A", "1D 2D", "row 3 r1c1 column 2"]


@pytest.mark.parametrize("place", SQUARES)
def test_squares_mean_the_same_in_every_verb(bench: Session, place: str) -> None:
    bench.new(Puzzle(grid_from_text("AB#DE\nFGHIJ\nKL#OP\nQRSTU\nVW#YZ\n")))
    said(bench, "select r2c1:r2c3,r4c4", f"select {place}")
    expected = bench.selection.squares
    assert len(expected) == 1 or place != "r2c3"
    took: dict[str, set[Position]] = {}
    for line in ("lock", "unlock", "pencil", "accept", "clear", *(["circle", "shade"] if place != "all" else [])):
        before = bench.puzzle.grid
        run_line(bench, f"{line} {place}")
        after = bench.puzzle.grid
        took[line] = {at for at in before.positions() if before[at] != after[at]}
    if place != "all":
        run_line(bench, f"letters {place} AE")
        took["letters"] = {*bench.puzzle.rules.squares}
        said(bench, f"solve erase {place}", f"block {place}")
    assert took == dict.fromkeys(took, expected)


@given(
    st.sampled_from(["perimeter", "diagonal", "antidiagonal", "row 2", "r3c3:r2c1", "1D,6A"]),
    st.dictionaries(
        st.builds(Position, st.integers(0, 4), st.integers(0, 4)),
        st.tuples(st.sampled_from("AB"), st.sampled_from(Ink)),
        max_size=3,
    ),
    st.text("AB", min_size=3, max_size=16),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_message_is_written_unless_ink_contradicts_it(
    bench: Session, place: str, written: dict[Position, tuple[str, Ink]], message: str
) -> None:
    blank = Puzzle.blank(5, 5)
    stand = {at: Square(content=Content.of(letter), ink=ink) for at, (letter, ink) in written.items()}
    bench.new(blank.with_grid(blank.grid.with_squares(stand)))
    grid = bench.puzzle.grid
    along = [at for part in place.split(",") for at in naive_squares(grid, part)]
    along = [at for number, at in enumerate(along) if at not in along[:number]]
    message = (message * 16)[: len(along)] if len(message) > 4 else message
    wanted = dict(zip(along, message, strict=False))
    is_free = all(str(grid[at].content) == letter for at, letter in wanted.items() if grid[at].is_given)
    if len(message) == len(along) and is_free:
        run_line(bench, f"spell {place} {message}")
        after = bench.puzzle.grid
        assert all(str(after[at].content) == letter and after[at].is_given for at, letter in wanted.items())
        assert all(after[at] == grid[at] for at in grid.positions() if at not in wanted or grid[at].is_given)
    else:
        refuses(bench, f"spell {place} {message}", None, PuzzleError)
        assert bench.puzzle.grid == grid


@pytest.mark.parametrize(
    ("line", "error", "problem"),
    [
        ("spell diagonal HEARTS", PuzzleError, "the message takes 6 squares, not 5"),
        (
            "spell row 1 HEART",
            PuzzleError,
            "other letters there are in pen: r1c2 has X, not E; `clear` removes them",
        ),
        ("spell column 5 HEART", LockedError, "r2c5 is locked with Z; unlock it first"),
        ("spell row 9 HEART", VerbError, "this grid has rows 1 to 5"),
        ("spell diagonal row 1", PuzzleError, "'ROW1' is a place"),
    ],
)
def test_a_message_that_does_not_fit_is_reported(
    bench: Session, line: str, error: type[XwtuiError], problem: str
) -> None:
    bench.new(Puzzle.blank(5, 5))
    said(bench, "set r1c2 X", "set r2c5 Z", "lock r2c5")
    refuses(bench, line, problem, error)


def test_a_message_follows_its_squares(bench: Session) -> None:
    bench.new(Puzzle(grid_from_text("...\n.#.\n...\n")))
    assert said(bench, 'spell perimeter "Old kings!"') == "perimeter: OLDKINGS, from r1c1 to r2c1"
    assert rows(bench) == ("OLD", "S?K", "GNI")
    assert said(bench, "undo") == "undone: spell perimeter"
    assert said(bench, "select r1c1:r1c3", "spell selection T[HE]O") == "selection: T[HE]O, from r1c1 to r1c3"


def test_help_mentions_all_squares_for_verbs_that_take_them(bench: Session) -> None:
    for name in ("lock", "block", "bar", "fill", "shares", "letters", "solve check"):
        assert "row 7, column 3, perimeter, diagonal, antidiagonal" in said(bench, f"help {name}")
    assert "perimeter" not in said(bench, "help goto")
    assert "  lock " in said(bench, "help antidiagonal")


def kinds(grid: Grid) -> list[str]:
    signs = {BLOCK: "#", VOID: "_"}
    return ["".join(signs.get(square, ".") for square in row) for row in grid.rows()]


def test_many_blocks_are_one_edit(nine: Session) -> None:
    run_line(nine, "block r1c4 r2c4:r3c4 r9c6")
    assert kinds(nine.puzzle.grid)[:3] == ["...#....."] * 3
    assert kinds(nine.puzzle.grid)[-3:] == [".....#..."] * 3, "with mirror images, and no square turned twice"
    assert said(nine, "undo") == "undone: block r1c4 and 3 more"
    assert kinds(nine.puzzle.grid) == ["." * 9] * 9
    said(nine, "block column 1", "block r1c1:r2c1")
    assert kinds(nine.puzzle.grid)[:3] == ["........#", "........#", "#.......#"], "back where all are blocks"
    said(nine, "block row 1", "void r1c1:r2c2")
    assert kinds(nine.puzzle.grid)[:2] == ["__#######", "__......#"]


def test_marks_of_an_entry_and_a_region(nine: Session) -> None:
    said(nine, "block r1c4", "circle 1A r2c1:r2c2")
    grid = nine.puzzle.grid
    assert [str(at) for at in grid.positions() if grid[at].circle] == ["r1c1", "r1c2", "r1c3", "r2c1", "r2c2"]
    run_line(nine, "shade r1c3:r1c5")
    grid = nine.puzzle.grid
    assert [str(at) for at in grid.positions() if grid[at].shade] == ["r1c3", "r1c5"], "blocks bear no marks"


def test_the_grammar_of_places() -> None:
    grid = Grid.blank(3, 3)
    assert area_named(grid, "row 2, r1c1").squares == (
        *(Position(1, column) for column in range(3)),
        Position(0, 0),
    )
    assert len(area_named(grid, "Perimeter").squares) == 8
    assert all(looks_like_place(text) for text in (*PLAIN_PLACES, *OTHER_PLACES))
    assert all(is_never_letters(text) for text in PLAIN_PLACES)
    assert not any(is_never_letters(text) for text in OTHER_PLACES)
    for word in ("HEART", "row", "X/TIMES", "R2D2", "24/7", "perimeters", "A1", "3DPRINTER", ""):
        assert not looks_like_place(word)
    for word in ("3,4", "5,row", ",", "diagonals"):
        assert not looks_like_place(word)
    with pytest.raises(PuzzleError):
        area_named(grid, "1A/4A")


def test_a_missing_folder_is_not_created(nine: Session, tmp_path: Path) -> None:
    refuses(nine, f"save {tmp_path / 'no' / 'such.ipuz'}", f"there is no folder {tmp_path / 'no'}", XwtuiError)
    assert not (tmp_path / "no").exists()
