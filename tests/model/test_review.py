"""Review findings in the grid and in clues."""

import pytest
from hypothesis import given

from tests.generators import grids, layouts
from tests.naive.model import naive_orbit, naive_regions, naive_slots
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.model import Bar, Grid, Position, Puzzle, Symmetry
from xwtui.model.edits import place_answer
from xwtui.model.review import Check, Finding, clue_remarks, regions, remarks_by_entry, review

GRID = grid_from_text("[HEART]ACHE\nO.#.O\nR.#.N\nSTABL")


def clued(**clues: str) -> Puzzle:
    puzzle = puzzle_of_grid(GRID)
    for slot in puzzle.grid.slots:
        puzzle = puzzle.with_clue(slot, clues.get(f"_{slot.name}", f"clue of {slot.name}"))
    return puzzle


def said(puzzle: Puzzle) -> list[tuple[str, Check]]:
    return [(remark.slot.name, remark.fault) for remark in clue_remarks(puzzle)]


def test_correct_clues_have_no_findings() -> None:
    assert said(clued()) == []


@pytest.mark.parametrize(
    "clue", ["Heartache!", "A heart ache", "It makes the heart sink", "*Ache* of love", "HÉART"]
)
def test_words_of_the_answer_in_the_clue(clue: str) -> None:
    (remark,) = clue_remarks(clued(_1A=clue))
    assert remark.fault is Check.TELLING_CLUE
    assert "from its answer, HEARTACHE" in remark.message or "contains its answer, HEARTACHE" in remark.message


@pytest.mark.parametrize("clue", ["Eart", "Hea it", "Ach", "Each", "Heartfelt"])
def test_chance_occurrences_of_words(clue: str) -> None:
    assert said(clued(_1A=clue)) == []


def test_a_repeated_clue_is_reported_for_both_and_once_in_the_review() -> None:
    puzzle = clued(_1A="Sad  feeling", _1D="*sad* feeling.", _2D="See 1-Across", _7A="See 1-Across")
    assert said(puzzle) == [("1A", Check.REPEATED_CLUE), ("1D", Check.REPEATED_CLUE)]
    findings = [finding for finding in review(puzzle) if finding.rule is Check.REPEATED_CLUE]
    assert [finding.message for finding in findings] == ["1A has the same clue as 1D"]


def test_long_clues_are_measured_as_printed() -> None:
    assert said(clued(_1A="x" * 505, _1D="*" + "x" * 504 + "*")) == []
    assert said(clued(_1A="x" * 506)) == [("1A", Check.LONG_CLUE)]


def test_references_to_missing_entries() -> None:
    puzzle = clued(_1A="See {1D} and {99A}", _1D="with {1a-}")
    (remark,) = clue_remarks(puzzle)
    assert (remark.slot.name, remark.message) == ("1A", "the clue of 1A refers to {99A}, which does not exist")
    assert Check.LOST_REFERENCE in {finding.rule for finding in review(puzzle)}


def test_missing_and_stale_clues() -> None:
    puzzle = puzzle_of_grid(grid_from_text("ABC\nD#E\nFGH")).with_clue(GRID.slot("1A"), "first three")
    changed = place_answer(puzzle, puzzle.grid.slot("1A"), "ABD")
    assert said(changed)[:2] == [("1A", Check.STALE_CLUE), ("3A", Check.MISSING_CLUE)]
    assert [remark.message for remark in remarks_by_entry(changed)["1A"]] == ["1A ABD has the clue of ABC"]


@pytest.mark.parametrize("clue", ["Sad state (9)", "Sad (5,4)", "Sad? (5-2-2)!", "Sad (5,4; two words)"])
def test_an_enumeration_that_fits(clue: str) -> None:
    assert enumerations(clue) == []


@pytest.mark.parametrize(
    ("clue", "message"),
    [
        ("Sad state", "the clue of 1A does not end in an enumeration such as (9)"),
        ("Sad (state)", "the clue of 1A does not end in an enumeration such as (9)"),
        ("(9) Sad", "the clue of 1A does not end in an enumeration such as (9)"),
        ("Sad (4,4)", "the clue of 1A says (4,4), but HEARTACHE has 9 letters"),
    ],
)
def test_a_missing_or_wrong_enumeration(clue: str, message: str) -> None:
    assert enumerations(clue) == [message]
    assert message in [finding.message for finding in review(clued(_1A=clue), wants_enumerations=True)]
    assert said(clued(_1A=clue)) == [], "nobody wants one"


def enumerations(clue: str) -> list[str]:
    """Return the findings on 1A's clue if the outlet requires enumerations."""
    remarks = remarks_by_entry(clued(_1A=clue), wants_enumerations=True).get("1A", ())
    return [remark.message for remark in remarks if remark.fault is Check.ENUMERATION]


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("See 99-Down", "99-Down"),
        ("with 1-Across and 12-down", "12-Down"),
        ("5-, 12- and 30-Across", "12-Across, 30-Across"),
        ("See 9 Across", "9-Across"),
        ("See 12", "12"),
        ("See 5", ""),
        ("3-Down's rival", ""),
        ("Windows 10 down the drain", ""),
        ("Catch 22: across the board", ""),
        ("007-Down", "007-Down"),
    ],
)
def test_plain_text_references_in_clues_are_checked(text: str, lost: str) -> None:
    """The grid has 1, 4 and 5 across, and 1, 2 and 3 down."""
    puzzle = puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI"))
    remarks = clue_remarks(puzzle.with_clue(puzzle.grid.slot("1A"), text))
    found = [one.message for one in remarks if one.fault is Check.LOST_REFERENCE]
    assert found == ([f"the clue of 1A refers to {lost}, which does not exist"] if lost else [])


def found(text: str, symmetry: Symmetry = Symmetry.NONE) -> dict[Check, list[Finding]]:
    findings: dict[Check, list[Finding]] = {}
    for finding in review(Puzzle(grid_from_text(text), symmetry=symmetry)):
        findings.setdefault(finding.rule, []).append(finding)
    return findings


def test_a_finished_puzzle_has_no_findings() -> None:
    puzzle = Puzzle(grid_from_text("BIT\nICE\nTEN"))
    square = Puzzle(grid_from_text("CAB\nORE\nDYE"))
    for slot in square.grid.slots:
        square = square.with_clue(slot, f"Clue {slot.name}")
    assert review(square) == ()
    assert {finding.rule for finding in review(puzzle)} == {Check.DUPLICATE, Check.MISSING_CLUE}


def test_duplicate_answers_are_named_with_their_entries() -> None:
    duplicate = found("BIT\nICE\nTEN")[Check.DUPLICATE]
    assert [finding.message for finding in duplicate] == [
        "1A and 1D are both BIT",
        "4A and 2D are both ICE",
        "5A and 3D are both TEN",
    ]
    assert Position(0, 0) in duplicate[0].where
    assert Check.DUPLICATE not in found("CAB\nORE\nDYE")


def test_three_equal_answers_are_one_finding_and_a_rebus_counts_as_letters() -> None:
    for rows, message in (
        ("AAA\n#.#\nAAA\n#.#\nAAA", "1A and 3A and 4A are all AAA"),
        ("[AB]C#\n...\nABC", "1A and 5A are both ABC"),
    ):
        (finding,) = found(rows)[Check.DUPLICATE]
        assert finding.message == message


def test_unchecked_squares() -> None:
    (finding,) = found("...\n.#.\n...\n.#.\n...")[Check.UNCHECKED]
    assert finding.message == "7 unchecked squares: r1c2, r2c1, r2c3, r3c2, r4c1, r4c3, r5c2"
    assert [str(position) for position in finding.where] == finding.message.partition(": ")[2].split(", ")
    assert Check.UNCHECKED not in found("...\n...\n...")


def test_slots_of_two_letters() -> None:
    two = found("..#\n...\n...")[Check.TWO_LETTERS]
    assert [finding.message for finding in two] == ["1A has only two squares", "4D has only two squares"]
    assert two[0].where == (Position(0, 0), Position(0, 1))
    assert Check.TWO_LETTERS not in found("...\n...\n...")


def test_a_disconnected_grid_names_the_smaller_part() -> None:
    (finding,) = found("...#.\n...#.\n...#.")[Check.DISCONNECTED]
    assert finding.message == "3 squares cut off at r1c5, r2c5, r3c5"
    assert Check.DISCONNECTED not in found("...#.\n.....\n...#.")


def test_a_wall_of_bars_also_disconnects() -> None:
    wall = [Bar(Position(row, 1), Position(row, 2)) for row in range(3)]
    grid = Grid.blank(3, 4)
    assert Check.DISCONNECTED not in {finding.rule for finding in review(Puzzle(grid.with_bars(wall[:2])))}
    assert Check.DISCONNECTED in {finding.rule for finding in review(Puzzle(grid.with_bars(wall)))}


def test_broken_symmetry_names_the_squares() -> None:
    (finding,) = found("#..\n...\n...", Symmetry.ROTATION_180)[Check.SYMMETRY]
    assert finding.message == "2 squares without a mirror image under rot180: r1c1, r3c3"
    assert Check.SYMMETRY not in found("#..\n...\n..#", Symmetry.ROTATION_180)
    assert Check.SYMMETRY not in found("#..\n...\n...", Symmetry.NONE)


def test_a_bar_without_its_mirror_image_breaks_the_symmetry() -> None:
    bar = Bar(Position(0, 0), Position(0, 1))
    mirror = Bar(Position(2, 1), Position(2, 2))
    one_sided = Puzzle(Grid.blank(3, 3).with_bars([bar]))
    messages = [finding.message for finding in review(one_sided) if finding.rule is Check.SYMMETRY]
    assert messages == ["the bar between r1c1 and r1c2 has no mirror"]
    both = Puzzle(Grid.blank(3, 3).with_bars([bar, mirror]))
    assert Check.SYMMETRY not in {finding.rule for finding in review(both)}


def test_an_impossible_symmetry_is_a_finding_not_an_error() -> None:
    (finding,) = found("...\n...\n...\n...", Symmetry.ROTATION_90)[Check.SYMMETRY]
    assert "needs a square grid" in finding.message


def test_missing_clues_are_counted_and_named() -> None:
    puzzle = Puzzle(grid_from_text("CAB\nORE\nDYE"))
    for slot in puzzle.grid.slots[1:]:
        puzzle = puzzle.with_clue(slot, f"Clue {slot.name}")
    assert [finding.message for finding in review(puzzle)] == ["1 entry has no clue: 1A"]
    (finding,) = found("CAB\nORE\nDYE")[Check.MISSING_CLUE]
    assert finding.message == "6 entries have no clue: 1A, 4A, 5A, 1D, 2D, 3D"


def test_long_lists_are_truncated() -> None:
    (finding,) = found("\n".join(["." * 10] * 10))[Check.EMPTY]
    assert finding.message.startswith("100 empty squares: r1c1, ")
    assert finding.message.endswith(" and 92 more")
    assert len(finding.where) == 100


def test_empty_squares() -> None:
    (finding,) = found("CA.\nORE\nDYE")[Check.EMPTY]
    assert finding.message == "1 empty square: r1c3"
    assert Check.EMPTY not in found("CAB\nORE\nDYE")


def test_a_grid_without_open_squares_can_be_reviewed() -> None:
    assert review(Puzzle(grid_from_text("###\n###\n###"))) == ()


@given(layouts())
def test_regions_match_the_naive_twin(grid: Grid) -> None:
    assert sorted(sorted(region) for region in regions(grid)) == sorted(
        sorted(part) for part in naive_regions(grid)
    )


@given(layouts())
def test_findings_match_the_naive_twins(grid: Grid) -> None:
    puzzle = Puzzle(grid)
    rules = {finding.rule for finding in review(puzzle)}
    slots = naive_slots(grid)
    places = {(at.row, at.column) for at in grid.open_positions()}
    checked = {
        letter: {place for name, squares in slots.items() if name.endswith(letter) for place in squares}
        for letter in ("A", "D")
    }
    assert (Check.UNCHECKED in rules) == (not places <= checked["A"] & checked["D"])
    assert (Check.TWO_LETTERS in rules) == any(len(squares) == 2 for squares in slots.values())
    assert (Check.DISCONNECTED in rules) == (len(naive_regions(grid)) > 1)
    assert (Check.EMPTY in rules) == bool(places)
    assert (Check.MISSING_CLUE in rules) == bool(slots)


@given(layouts())
def test_symmetry_is_broken_where_an_image_differs(grid: Grid) -> None:
    bare = grid.with_bars([])
    for symmetry in Symmetry:
        if symmetry.needs_square_grid and grid.height != grid.width:
            continue
        kept = all(
            bare[Position(*image)].kind is bare[position].kind
            for position in bare.positions()
            for image in naive_orbit(symmetry, (position.row, position.column), bare.height, bare.width)
        )
        rules = {finding.rule for finding in review(Puzzle(bare, symmetry=symmetry))}
        assert (Check.SYMMETRY in rules) != kept


@given(grids(largest=4))
def test_findings_refer_to_squares_of_the_grid(grid: Grid) -> None:
    for finding in review(Puzzle(grid)):
        assert all(position in grid for position in finding.where)
        assert finding.message


@pytest.mark.parametrize(
    ("clue", "tells"),
    [
        ("Cat of the house", True),
        ("It's the cat's whiskers", True),
        ("Scatter", False),
        ("C. A. T.", True),
        ("Câ t", True),
        ("Feline", False),
        ("", False),
    ],
)
def test_a_clue_that_contains_its_answer(clue: str, tells: bool) -> None:
    puzzle = Puzzle(grid_from_text("CAT\n###\n..."))
    puzzle = puzzle.with_clue(puzzle.grid.slot("1A"), clue)
    found = [finding.message for finding in review(puzzle) if finding.rule is Check.TELLING_CLUE]
    assert found == (["the clue of 1A contains its answer, CAT"] if tells else [])
