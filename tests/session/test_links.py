"""Linked lights in a session: `link` and `unlink`, what the verbs make of the whole answer, and what is kept."""

import json
from pathlib import Path

import pytest

from tests.known import known
from tests.session.saying import refuses, said
from xwtui.errors import PuzzleError, VerbError
from xwtui.model import Direction, Position
from xwtui.model.review import Check, review
from xwtui.model.snapshots import differences_between
from xwtui.session.journal import change_between
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.tui.hand import Hand

NANNY = "MARY#P\nA##O#O\nB#SPAP\nL##P#P\nESSAYI\n#####N"


@pytest.fixture
def linked(bench: Session) -> Session:
    """MARYPOPPIN in 1A and 3D."""
    said(bench, "new 6x6", "symmetry none")
    for number, row in enumerate(NANNY.splitlines(), start=1):
        for column, letter in enumerate(row, start=1):
            run_line(bench, f"block r{number}c{column}" if letter == "#" else f"set r{number}c{column} {letter}")
    assert said(bench, "link 1A 3D") == "1A,3D  MARYPOPPIN  10 squares"
    return bench


def answer_of(bench: Session, line: str) -> dict[str, object]:
    """The answer of a line as data."""
    answer = known(run_line(bench, line).answer)
    return json.loads(json.dumps(answer().as_json))  # type: ignore[no-any-return]


def test_links_are_listed_as_data(linked: Session) -> None:
    assert answer_of(linked, "link") == {
        "links": [
            {
                "entry": "1A",
                "lights": ["1A", "3D"],
                "pattern": "MARYPOPPIN",
                "answer": "MARYPOPPIN",
                "squares": 10,
                "clue": None,
            }
        ],
        "waiting": [],
    }
    assert said(linked, "unlink 3D") == "nothing is linked; `link 1A 5D` links two entries"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("link 1A", "two or more entries, each named once"),
        ("link 1A 1A", "two or more entries, each named once"),
        ("unlink 4A", "4A is not linked"),
        ("unlink r5c5", "r5c5 is not linked"),
        ("set 1A MARYPOPPI", "MARYPOPPI takes 9 squares; 1A,3D has 10"),
    ],
)
def test_what_cannot_be_is_refused(linked: Session, line: str, message: str) -> None:
    before = linked.puzzle
    refuses(linked, line, message, (VerbError, PuzzleError))
    assert linked.puzzle is before


def test_a_light_is_in_one_link_at_most(linked: Session) -> None:
    assert said(linked, "link 3D 4A 2D") == "3D,4A,2D  POPPINSPAPYOPPA  15 squares"
    assert len(linked.puzzle.grid.links) == 1


def test_undo_and_the_journal_keep_links(linked: Session) -> None:
    after = linked.puzzle
    run_line(linked, "undo")
    assert not linked.puzzle.grid.links
    assert change_between(linked.puzzle, after) is None  # the journal has the whole puzzle then
    differing = differences_between(linked.puzzle, after).settings
    assert [(one.name, one.then, one.now) for one in differing] == [("linked lights", "", "1A and 3D")]
    run_line(linked, "redo")
    assert linked.puzzle == after


def test_links_follow_their_lights_and_wait_for_those_that_are_gone(linked: Session) -> None:
    assert said(linked, "block r2c1") == ""
    whole = linked.puzzle.grid.entry("1A")
    assert (whole.label, linked.puzzle.grid.answer(whole)) == ("1A,3D", "MARYPOPPIN")
    told = said(linked, "block r1c6")
    assert told == "1A and r1c6 down (no entry now): the link waits until all of them exist again"
    assert said(linked, "link") == told
    assert [finding.message for finding in review(linked.puzzle) if finding.rule is Check.IDLE_LINK] == [told]
    assert said(linked, "block r1c6", "link").startswith("1A,3D")


def test_the_whole_answer_is_written_read_and_clued_once(linked: Session) -> None:
    said(linked, "clear all", "set 3D MARYPOPPIN")
    puzzle = linked.puzzle
    assert puzzle.answers["1A"] == "MARYPOPPIN"
    assert "3D" not in puzzle.answers
    assert said(linked, "clue 3D Flying nanny (4,6)") == "1A,3D: Flying nanny (4,6)"
    assert said(linked, "enumeration 1A") == "1A,3D MARYPOPPIN: (4,6)"
    assert "  3D  POPPIN      See 1 Across" in said(linked, "clues")
    assert "3D" not in said(linked, "clues --open")
    assert said(linked, "unlink 1A", "clue 1A").startswith("1A: clue of MARYPOPPIN")


def test_statistics_count_a_linked_answer_once(linked: Session) -> None:
    linked_figures = answer_of(linked, "stats")
    said(linked, "unlink 1A")
    assert (linked_figures["entries"], answer_of(linked, "stats")["entries"]) == (5, 6)


def test_links_are_saved(linked: Session, tmp_path: Path) -> None:
    before = linked.puzzle
    said(linked, f"save {tmp_path / 'nanny.ipuz'}", f"open {tmp_path / 'nanny.ipuz'}")
    assert linked.puzzle.grid.links == before.grid.links
    assert linked.puzzle.answers == before.answers


def typed(session: Session, letters: str) -> Hand:
    """A hand over the grid, emptied, that has typed letters from the first square of 1A on."""
    said(session, "clear all")
    hand = Hand(session)
    hand.go_to_entry("1A")
    for letter in letters:
        hand.letter(letter)
    return hand


def test_typing_goes_on_from_one_light_in_the_next_and_ends_with_the_answer(linked: Session) -> None:
    hand = typed(linked, "marypo")
    assert linked.cursor.place == (Position(2, 5), Direction.DOWN), "the third of the squares of 3D"
    for letter in "ppin":
        hand.letter(letter)
    assert linked.puzzle.answer(linked.puzzle.grid.entry("1A")) == "MARYPOPPIN"
    with pytest.raises(PuzzleError, match="X was not written: 1A,3D has 10 squares"):
        hand.letter("x")


def test_backspace_comes_back_into_the_light_before(linked: Session) -> None:
    hand = typed(linked, "maryp")
    for _ in range(2):
        hand.erase_back()
    assert linked.puzzle.grid.pattern(linked.puzzle.grid.entry("1A")) == "MAR???????"
    assert linked.cursor.place == (Position(0, 3), Direction.ACROSS)


def test_the_ends_of_an_entry_are_those_of_the_whole_answer(linked: Session) -> None:
    hand = typed(linked, "ma")
    hand.entry_end(1)
    assert linked.cursor.place == (Position(5, 5), Direction.DOWN)
    hand.entry_end(-1)
    assert linked.cursor.place == (Position(0, 0), Direction.ACROSS)


def test_what_is_pasted_goes_on_in_the_next_light(linked: Session) -> None:
    hand = typed(linked, "ma")
    assert hand.paste("RY POPPINS") == 1
    assert linked.puzzle.answer(linked.puzzle.grid.entry("1A")) == "MARYPOPPIN"
    assert linked.cursor.place == (Position(5, 5), Direction.DOWN)


def test_a_square_that_an_answer_reads_twice_is_typed_twice_and_left_by_one_backspace(bench: Session) -> None:
    said(bench, "new 5x5", "link 1A 5D")
    hand = typed(bench, "embarr")
    assert bench.cursor.place == (Position(1, 4), Direction.DOWN)
    for letter in "asse":
        hand.letter(letter)
    assert bench.puzzle.answer(bench.puzzle.grid.entry("1A")) == "EMBARRASSE"
    said(bench, "clear r1c5")
    hand.go_to_entry("5D")
    hand.erase_back()
    assert bench.cursor.place == (Position(0, 3), Direction.ACROSS)
    assert bench.puzzle.grid.pattern(bench.puzzle.grid.slot("1A")) == "EMB??"


def test_a_solver_types_through_linked_lights(linked: Session) -> None:
    solving = linked.document.solving
    hand = Hand(solving)
    hand.go_to_entry("1A")
    for letter in "marypoppin":
        hand.letter(letter)
    assert all(solving.attempt.grid[at].content for at in linked.puzzle.grid.entry("1A").positions)


@pytest.mark.parametrize("label", ["1A,3D", "1a, 3d"])
def test_a_linked_answer_goes_by_the_name_that_it_is_shown_by(linked: Session, label: str) -> None:
    assert said(linked, f"set {label} MARY POPPIN") == "1A,3D: MARYPOPPIN"
    assert said(linked, f"clue {label} Nanny, nearly (4,6)") == "1A,3D: Nanny, nearly (4,6)"
    assert said(linked, f"enumeration {label}") == "1A,3D MARYPOPPIN: (4,6)"
    run_line(linked, f"goto {label}")
    assert linked.cursor.place == (Position(0, 0), Direction.ACROSS)
    assert said(linked, f"unlink {label}") == "nothing is linked; `link 1A 5D` links two entries"
    refuses(linked, f"goto {label}", r"(?i)1A,3D names several squares")


@pytest.mark.parametrize("lights", ["1A 3D", "1A,3D", "1A, 3D", "1A ,3D"])
def test_lights_are_listed_with_commas_and_without(linked: Session, lights: str) -> None:
    assert said(linked, "unlink 1A", f"link {lights}") == "1A,3D  MARYPOPPIN  10 squares"
    assert "r1c1 across, r1c6 down" in said(linked, "unlink 1A", f"latent drop {lights}")
