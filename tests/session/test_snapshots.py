"""The verbs for snapshots."""

from pathlib import Path

import pytest

from tests.session.saying import Ear, found, refuses, rows, said
from xwtui.errors import PuzzleError
from xwtui.formats.ipuz_extensions import SNAPSHOTS, unread_snapshots
from xwtui.model import Puzzle
from xwtui.session.messages import Notice, Severity
from xwtui.session.recovery import find_recoveries
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line

FIRST = ("symmetry none", "set 1A HEART", "lock 1A", "clue 1A Pump", "rule 6A --match A.*", "title First")
SECOND = ("unlock 1A", "set r1c1 B", "block r5c5", "circle r3c3", "clue 1A Zoo", "rule 6A off", "title Second")


def kept(bench: Session) -> Puzzle:
    """A puzzle with letters, inks, clues and rules, kept as v1."""
    said(bench, *FIRST, "snapshot save v1")
    return bench.puzzle


def test_return_brings_back_the_whole_puzzle_and_undo_the_other(mini: Session) -> None:
    first = kept(mini)
    said(mini, *SECOND, "words --min-score 20")
    second = mini.puzzle
    assert said(mini, "snapshot return v1") == "restored v1; undo reverts that"
    assert mini.puzzle == first
    said(mini, "undo")
    assert mini.puzzle == second
    assert said(mini, "redo", "snapshot return v1") == "the puzzle already matches v1"


def test_a_name_with_blanks_is_said_as_it_is_to_be_typed(mini: Session) -> None:
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


def test_compare_tells_what_differs(mini: Session) -> None:
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


def test_compare_in_json_has_the_values_of_both(mini: Session) -> None:
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


def test_drop_forgets(mini: Session) -> None:
    kept(mini)
    before = mini.puzzle
    assert said(mini, "snapshot drop v1") == "dropped v1"
    assert mini.puzzle == before.with_snapshots({})
    refuses(mini, "snapshot return v1", "there is no snapshot v1; there are none yet", PuzzleError)


def test_a_name_is_taken_again_only_with_a_word(mini: Session) -> None:
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
