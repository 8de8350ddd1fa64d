"""The verbs for snapshots and linked lights, the linked answer elsewhere, and what is saved."""

import json
from pathlib import Path

import pytest

from tests.known import known
from tests.session.saying import Ear, found, refuses, rows, said
from xwtui.errors import PuzzleError, VerbError
from xwtui.formats.ipuz_extensions import SNAPSHOTS, unread_snapshots
from xwtui.model import Direction, Position, Puzzle
from xwtui.model.review import Check, review
from xwtui.model.snapshots import differences_between
from xwtui.session.journal import change_between
from xwtui.session.messages import Notice, Severity
from xwtui.session.recovery import find_recoveries
from xwtui.session.session import Session
from xwtui.session.verbs.questions import FindingsAnswer
from xwtui.session.verbs.registry import run_line
from xwtui.tui.grid_editor import GridEditor

FIRST = ("symmetry none", "set 1A HEART", "lock 1A", "clue 1A Pump", "rule 6A --match A.*", "title First")
SECOND = ("unlock 1A", "set r1c1 B", "block r5c5", "circle r3c3", "clue 1A Zoo", "rule 6A off", "title Second")


def kept(bench: Session) -> Puzzle:
    """A puzzle with letters, inks, clues and rules, saved as snapshot v1."""
    said(bench, *FIRST, "snapshot save v1")
    return bench.puzzle


def test_return_restores_the_whole_puzzle_and_can_be_undone(mini: Session) -> None:
    first = kept(mini)
    said(mini, *SECOND, "words --min-score 20")
    second = mini.puzzle
    assert said(mini, "snapshot return v1") == "restored v1; undo reverts that"
    assert mini.puzzle == first
    said(mini, "undo")
    assert mini.puzzle == second
    assert said(mini, "redo", "snapshot return v1") == "the puzzle already matches v1"


def test_a_name_with_spaces_is_shown_as_it_must_be_typed(mini: Session) -> None:
    told = said(mini, "set 1A HEART", 'snapshot save "first try"')
    assert told == 'kept as "first try"; `snapshot return "first try"` brings it back'
    said(mini, "clear 1A", "snapshot save v2", *told.split("`")[1:2])
    assert rows(mini)[0] == "HEART"
    assert said(mini, "snapshot list").splitlines()[0] == '"first try" and now: no difference'
    assert said(mini, "clear 1A", "snapshot compare 'first try'").startswith('"first try" → now: 5 squares')
    with pytest.raises(PuzzleError, match='there is no snapshot "no such"; there are "first try" and v2'):
        run_line(mini, "snapshot show no such")


def test_undo_past_a_snapshot_keeps_it(mini: Session) -> None:
    kept(mini)
    said(mini, "undo", "undo", "undo", "undo", "undo", "set 1A BEARS")
    assert rows(mini)[0] == "BEARS"
    said(mini, "snapshot return v1")
    assert rows(mini)[0] == "HEART"


def test_compare_reports_differences(mini: Session) -> None:
    kept(mini)
    assert said(mini, "snapshot compare v1") == "v1 and now: no difference"
    said(mini, *SECOND)
    assert said(mini, "snapshot compare v1").splitlines() == [
        "v1 → now: 7 squares, 4 entries, 1 clue, 1 rule and title",
        "  1A: HEART → BEART",
        "  9A: ????? → ????",
        "  1D: H???? → B????",
        "  5D: T???? → T???",
        "  blocks at r5c5",
        "  ink at r1c2, r1c3, r1c4, r1c5",
        "  circles or shade at r3c3",
        "  clue of 1A: Pump → Zoo",
        "  rule removed: 6A: matches A.*",
        "  title: First → Second",
    ]


def test_another_alphabet_and_a_note_on_another_clue_differ(mini: Session) -> None:
    said(mini, "set 1A HEART", "solve", "solve note 1A why", "solve leave", "snapshot save v1", "alphabet german")
    assert said(mini, "snapshot compare v1").splitlines()[1:] == ["  alphabet: english → german"]
    said(mini, "undo", "solve", "solve note --clear 1A", "solve note 6A why", "solve leave")
    told = "  solver's notes: r1c1 across: why → r2c1 across: why"
    assert said(mini, "snapshot compare v1").splitlines()[1:] == [told]


def test_compare_as_json_has_both_values(mini: Session) -> None:
    kept(mini)
    said(mini, *SECOND, "snapshot save v2", "clear all")
    answer = found(mini, "snapshot compare v1 v2").as_json
    assert (answer["snapshot"], answer["other"], answer["same"]) == ("v1", "v2", False)
    assert answer["squares"][0] == {
        "square": "r1c1",
        "differs": ["content"],
        "then": {"kind": "open", "content": "H", "ink": "locked", "circle": False, "shade": False},
        "now": {"kind": "open", "content": "B", "ink": "pen", "circle": False, "shade": False},
    }
    assert answer["entries"][0] == {"entry": "1A", "then": "HEART", "now": "BEART"}
    assert answer["clues"] == [{"entry": "1A", "then": "Pump", "now": "Zoo"}]
    assert answer["rules"] == {"then": ["6A: matches A.*"], "now": []}
    assert answer["settings"] == [{"name": "title", "then": "First", "now": "Second"}]


def test_grids_of_other_sizes_are_compared(mini: Session) -> None:
    said(mini, "set 1A HEART", "snapshot save small")
    states = mini.puzzle.snapshots
    mini.new(Puzzle.blank(6, 6).with_snapshots(states))
    lines = said(mini, "snapshot compare small").splitlines()
    assert lines[0] == "small → now: 16 squares, 12 entries and size"
    assert lines[-1] == "  size: 5×5 → 6×6"
    said(mini, "snapshot return small")
    assert rows(mini)[0] == "HEART"
    assert mini.cursor.position in mini.puzzle.grid


def test_list_and_show(mini: Session) -> None:
    assert said(mini, "snapshot list") == "there are no snapshots yet; `snapshot save NAME` saves one"
    kept(mini)
    said(mini, "unlock 1A", "clear all", 'snapshot save "the empty one"')
    assert said(mini, "snapshot list").splitlines() == [
        "v1 → now: 5 squares, 6 entries and 1 clue",
        '"the empty one" and now: no difference',
    ]
    assert said(mini, "snapshot show v1").splitlines()[:2] == ["v1: 5×5, 1/10 entries, 0 blocks", "  HEART"]
    assert found(mini, "snapshot list").as_json["snapshots"][1]["name"] == "the empty one"


def test_drop_removes_a_snapshot(mini: Session) -> None:
    kept(mini)
    before = mini.puzzle
    assert said(mini, "snapshot drop v1") == "dropped v1"
    assert mini.puzzle == before.with_snapshots({})
    refuses(mini, "snapshot return v1", "there is no snapshot v1; there are none yet", PuzzleError)


def test_a_name_is_reused_only_with_replace(mini: Session) -> None:
    kept(mini)
    said(mini, "unlock 1A", "clear all")
    refuses(mini, "snapshot save v1", "the snapshot v1 already exists; `--replace`", PuzzleError)
    assert said(mini, "snapshot save v1 --replace", "snapshot compare v1") == "v1 and now: no difference"
    refuses(mini, "snapshot save now", "choose another name")


def test_snapshots_are_unsaved_work_until_they_are_saved(mini: Session, tmp_path: Path) -> None:
    mini.save(tmp_path / "a.ipuz")
    assert not mini.document.is_modified
    said(mini, "snapshot save v1")
    assert mini.document.is_modified
    mini.save()
    mini.open(tmp_path / "a.ipuz")
    assert list(mini.puzzle.snapshots) == ["v1"]


def test_snapshots_survive_a_crash(ear: Ear, mini: Session, journals: Path) -> None:
    first = kept(mini)
    said(mini, "set 6A ABBEY", "snapshot save v2", "undo")
    last = mini.puzzle
    mini.close()
    [recovery] = find_recoveries(journals)
    assert recovery.puzzle == last
    after = Session(ear, journal_folder=journals)
    after.recover(recovery)
    assert said(after, "snapshot return v1")
    assert after.puzzle.with_snapshots(first.snapshots) == first
    after.discard_changes()
    after.close()


def test_a_file_with_a_bad_snapshot_opens_with_a_warning(ear: Ear, mini: Session, tmp_path: Path) -> None:
    path = tmp_path / "a.ipuz"
    mini.save(path)
    path.write_text(
        path.read_text("utf-8").replace('"puzzle":', f'"{SNAPSHOTS}": {{"v1": 17}}, "puzzle":'), "utf-8"
    )
    mini.open(path)
    words = "unreadable snapshots stay unchanged in the file: v1"
    assert Notice(words, Severity.WARNING) in ear.messages
    assert said(mini, "snapshot list") == words
    refuses(mini, "snapshot save v1", "`--replace`")
    said(mini, "snapshot drop v1")
    assert not unread_snapshots(mini.puzzle)


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
    """Return the answer of a line as data."""
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
def test_invalid_links_are_refused(linked: Session, line: str, message: str) -> None:
    before = linked.puzzle
    refuses(linked, line, message, (VerbError, PuzzleError))
    assert linked.puzzle is before


def test_a_light_is_in_at_most_one_link(linked: Session) -> None:
    assert said(linked, "link 3D 4A 2D") == "3D,4A,2D  POPPINSPAPYOPPA  15 squares"
    assert len(linked.puzzle.grid.links) == 1


def test_undo_and_the_journal_keep_links(linked: Session) -> None:
    after = linked.puzzle
    run_line(linked, "undo")
    assert not linked.puzzle.grid.links
    assert change_between(linked.puzzle, after) is None  # the journal stores the whole puzzle then
    differing = differences_between(linked.puzzle, after).settings
    assert [(one.name, one.then, one.now) for one in differing] == [("linked lights", "", "1A and 3D")]
    run_line(linked, "redo")
    assert linked.puzzle == after


def test_links_follow_their_lights_and_wait_for_missing_ones(linked: Session) -> None:
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


def test_a_grid_with_a_linked_answer_is_full_when_all_answers_are(linked: Session, tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("\n".join(f"{answer};50" for answer in linked.puzzle.answers.values()), "utf-8")
    said(linked, f"words {mine}", "initials --each MZ")
    assert "these letters begin no answer: Z" in said(linked, "check")
    said(linked, "initials off")
    assert isinstance(answer := found(linked, "why"), FindingsAnswer)
    assert answer.findings.title == "the grid is full"


def test_links_are_saved(linked: Session, tmp_path: Path) -> None:
    before = linked.puzzle
    said(linked, f"save {tmp_path / 'nanny.ipuz'}", f"open {tmp_path / 'nanny.ipuz'}")
    assert linked.puzzle.grid.links == before.grid.links
    assert linked.puzzle.answers == before.answers


def typed(session: Session, letters: str) -> GridEditor:
    """Return an editor over the emptied grid that has typed letters from 1A's first square on."""
    said(session, "clear all")
    editor = GridEditor(session)
    editor.go_to_entry("1A")
    for letter in letters:
        editor.type_letter(letter)
    return editor


def test_typing_continues_in_the_next_light_and_ends_with_the_answer(linked: Session) -> None:
    editor = typed(linked, "marypo")
    assert linked.cursor.place == (Position(2, 5), Direction.DOWN), "the third of the squares of 3D"
    for letter in "ppin":
        editor.type_letter(letter)
    assert linked.puzzle.answer(linked.puzzle.grid.entry("1A")) == "MARYPOPPIN"
    with pytest.raises(PuzzleError, match="X was not written: 1A,3D has 10 squares"):
        editor.type_letter("x")


def test_backspace_returns_to_the_previous_light(linked: Session) -> None:
    editor = typed(linked, "maryp")
    for _ in range(2):
        editor.erase_back()
    assert linked.puzzle.grid.pattern(linked.puzzle.grid.entry("1A")) == "MAR???????"
    assert linked.cursor.place == (Position(0, 3), Direction.ACROSS)


def test_home_and_end_use_the_whole_answer(linked: Session) -> None:
    editor = typed(linked, "ma")
    editor.entry_end(1)
    assert linked.cursor.place == (Position(5, 5), Direction.DOWN)
    editor.entry_end(-1)
    assert linked.cursor.place == (Position(0, 0), Direction.ACROSS)


def test_pasting_continues_in_the_next_light(linked: Session) -> None:
    editor = typed(linked, "ma")
    assert editor.paste("RY POPPINS") == 1
    assert linked.puzzle.answer(linked.puzzle.grid.entry("1A")) == "MARYPOPPIN"
    assert linked.cursor.place == (Position(5, 5), Direction.DOWN)


def test_a_square_read_twice_is_typed_twice_and_left_by_one_backspace(bench: Session) -> None:
    said(bench, "new 5x5", "link 1A 5D")
    editor = typed(bench, "embarr")
    assert bench.cursor.place == (Position(1, 4), Direction.DOWN)
    for letter in "asse":
        editor.type_letter(letter)
    assert bench.puzzle.answer(bench.puzzle.grid.entry("1A")) == "EMBARRASSE"
    said(bench, "clear r1c5")
    editor.go_to_entry("5D")
    editor.erase_back()
    assert bench.cursor.place == (Position(0, 3), Direction.ACROSS)
    assert bench.puzzle.grid.pattern(bench.puzzle.grid.slot("1A")) == "EMB??"


def test_a_solver_types_through_linked_lights(linked: Session) -> None:
    solving = linked.document.solving
    editor = GridEditor(solving)
    editor.go_to_entry("1A")
    for letter in "marypoppin":
        editor.type_letter(letter)
    assert all(solving.attempt.grid[at].content for at in linked.puzzle.grid.entry("1A").positions)


@pytest.mark.parametrize("label", ["1A,3D", "1a, 3d"])
def test_a_linked_answer_is_addressed_by_its_displayed_name(linked: Session, label: str) -> None:
    assert said(linked, f"set {label} MARY POPPIN") == "1A,3D: MARYPOPPIN"
    assert said(linked, f"clue {label} Nanny, nearly (4,6)") == "1A,3D: Nanny, nearly (4,6)"
    assert said(linked, f"enumeration {label}") == "1A,3D MARYPOPPIN: (4,6)"
    run_line(linked, f"goto {label}")
    assert linked.cursor.place == (Position(0, 0), Direction.ACROSS)
    assert said(linked, f"unlink {label}") == "nothing is linked; `link 1A 5D` links two entries"
    refuses(linked, f"goto {label}", r"(?i)1A,3D names several squares")


@pytest.mark.parametrize("lights", ["1A 3D", "1A,3D", "1A, 3D", "1A ,3D"])
def test_lights_are_listed_with_or_without_commas(linked: Session, lights: str) -> None:
    assert said(linked, "unlink 1A", f"link {lights}") == "1A,3D  MARYPOPPIN  10 squares"
    assert "r1c1 across, r1c6 down" in said(linked, "unlink 1A", f"latent drop {lights}")
