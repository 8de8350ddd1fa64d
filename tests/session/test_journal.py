"""The journal, and recovery after a process ended without saving."""

import json
import os
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.generators import puzzles
from xwtui.errors import PuzzleError, PuzzleFormatError
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.model import Content, EntryRules, Position, Puzzle, Rules, edits
from xwtui.model.edits import with_entry_rules
from xwtui.model.rules import Barred
from xwtui.session import journal as journal_module
from xwtui.session import run_view
from xwtui.session.journal import Journal
from xwtui.session.recovery import KEPT_DAYS, Recovery, find_recoveries
from xwtui.session.session import Session
from xwtui.session.settings import Overrides

BLANK = Puzzle.blank(3, 3)


def with_letter(letter: str, puzzle: Puzzle = BLANK) -> Puzzle:
    return edits.set_square(puzzle, Position(0, 0), Content.of(letter))


def leave_behind(folder: Path, *states: Puzzle, source: Path | None = None) -> Journal:
    """Return a journal as left by a killed process: written, and no longer locked."""
    journal = Journal(source, folder)
    for number, puzzle in enumerate(states):
        journal.record(f"edit {number}", puzzle)
    journal.close()
    return journal


def only(folder: Path) -> Recovery:
    (recovery,) = find_recoveries(folder)
    return recovery


def test_nothing_is_written_before_the_first_change(journals: Path) -> None:
    Journal(None, journals)
    assert not journals.exists()


def test_the_journal_of_a_running_process_is_not_offered(journals: Path) -> None:
    journal = Journal(None, journals)
    journal.record("edit", with_letter("A"))
    assert find_recoveries(journals) == ()
    journal.close()
    assert only(journals).puzzle == with_letter("A")


def test_the_last_change_is_offered(journals: Path, tmp_path: Path) -> None:
    leave_behind(journals, with_letter("A"), with_letter("B"), source=tmp_path / "heart.ipuz")
    recovery = only(journals)
    assert recovery.puzzle == with_letter("B")
    assert (recovery.label, recovery.source) == ("edit 1", tmp_path / "heart.ipuz")
    assert abs((datetime.now() - recovery.at).total_seconds()) < 3600
    assert "heart.ipuz" in recovery.describe()


@examples(50)
@given(puzzle=puzzles())
def test_every_puzzle_is_recovered_whole(tmp_path_factory: pytest.TempPathFactory, puzzle: Puzzle) -> None:
    folder = tmp_path_factory.mktemp("journals")
    leave_behind(folder, puzzle)
    assert only(folder).puzzle == puzzle


@examples(40)
@given(states=st.lists(puzzles(), min_size=2, max_size=4), chance=st.randoms(use_true_random=False))
def test_every_change_is_recovered(
    tmp_path_factory: pytest.TempPathFactory, states: list[Puzzle], chance: Random
) -> None:
    """Puzzles of equal shape that differ in squares, clues and texts, and other puzzles."""
    first = states[0]
    size = len(first.grid.squares)
    for other in states[1:]:
        squares = tuple(
            chance.choice((old, chance.choice(other.grid.squares))) for old in first.grid.squares[:size]
        )
        rules = chance.choice((first.rules, Rules()))
        changed = replace(first, grid=replace(first.grid, squares=squares), rules=rules)
        states.append(replace(changed, title=other.title, notes=other.notes))
    chance.shuffle(states)
    folder = tmp_path_factory.mktemp("journals")
    leave_behind(folder, *states)
    assert only(folder).puzzle == states[-1]


def test_edits_are_written_as_changes_not_whole_puzzles(journals: Path) -> None:
    blank = Puzzle.blank(21, 21)
    leave_behind(journals, blank, with_letter("A", blank), replace(with_letter("A", blank), title="Hearts"))
    (path,) = journals.iterdir()
    _, whole, letter, title = path.read_bytes().splitlines()
    assert len(letter) < 200 < len(whole)
    assert len(title) < 200
    assert only(journals).puzzle == replace(with_letter("A", blank), title="Hearts")


@pytest.mark.parametrize(
    "other",
    [
        with_entry_rules(BLANK, BLANK.grid.slots[0], EntryRules(Barred(("OBOE",)))),
        BLANK.with_clue(BLANK.grid.slots[0], "First"),
    ],
    ids=["a rule", "a clue"],
)
def test_additions_and_removals_are_recovered(journals: Path, other: Puzzle) -> None:
    leave_behind(journals, BLANK, other)
    (path,) = journals.iterdir()
    assert b"ipuz" not in path.read_bytes().splitlines()[-1]
    assert only(journals).puzzle == other
    only(journals).discard()
    leave_behind(journals, other, BLANK)
    assert only(journals).puzzle == BLANK


def test_journals_of_whole_puzzles_can_be_read(journals: Path) -> None:
    """The format of earlier versions."""
    leave_behind(journals, with_letter("A"))
    (path,) = journals.iterdir()
    header, whole = path.read_bytes().splitlines()
    path.unlink()
    leave_behind(journals, with_letter("B"))
    (path,) = journals.iterdir()
    path.write_bytes(
        b"\n".join([header.replace(b'"xwtui": 2', b'"xwtui": 1'), path.read_bytes().splitlines()[1], whole, b""])
    )
    assert only(journals).puzzle == with_letter("A")


def test_records_based_on_a_damaged_line_are_skipped(journals: Path) -> None:
    leave_behind(journals, with_letter("A"), with_letter("B"), with_letter("C"))
    (path,) = journals.iterdir()
    header, whole, second, third = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([header, whole, second[:-5], third, b""]))
    assert only(journals).puzzle == with_letter("A")


def test_the_newest_work_is_offered_first(journals: Path) -> None:
    leave_behind(journals, with_letter("A"))
    leave_behind(journals, with_letter("B"))
    assert [r.puzzle for r in find_recoveries(journals)] == [with_letter("B"), with_letter("A")]


def test_cleared_work_is_not_offered(journals: Path) -> None:
    journal = Journal(None, journals)
    journal.record("edit", with_letter("A"))
    journal.clear()
    assert list(journals.iterdir()) == []
    journal.record("edit", with_letter("B"))
    journal.close()
    assert only(journals).puzzle == with_letter("B")


def test_work_identical_to_its_file_is_removed(journals: Path, tmp_path: Path) -> None:
    path = tmp_path / "heart.ipuz"
    write_puzzle(path, with_letter("A"))
    leave_behind(journals, with_letter("A"), source=path)
    assert find_recoveries(journals) == ()
    assert list(journals.iterdir()) == []


@pytest.mark.parametrize("torn", [2, 10, 40])
def test_a_truncated_last_line_is_skipped(journals: Path, torn: int) -> None:
    leave_behind(journals, with_letter("A"), with_letter("B"))
    (path,) = journals.iterdir()
    path.write_bytes(path.read_bytes()[:-torn])
    assert only(journals).puzzle == with_letter("A")


@given(data=st.binary(max_size=300))
def test_any_bytes_in_the_folder_are_harmless(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("journals")
    (folder / "bad.journal").write_bytes(data)
    assert find_recoveries(folder) == ()


@given(fields=st.dictionaries(st.sampled_from(["label", "at", "ipuz"]), st.none() | st.floats() | st.text()))
def test_odd_records_are_harmless(tmp_path_factory: pytest.TempPathFactory, fields: dict[str, object]) -> None:
    folder = tmp_path_factory.mktemp("journals")
    header = {"xwtui": 1, "session": "s", "number": 1, "source": None}
    (folder / "odd.journal").write_text(json.dumps(header) + "\n" + json.dumps(fields) + "\n")
    assert find_recoveries(folder) == ()


def test_a_long_journal_is_compacted(journals: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "LARGEST_BYTES", 2_000)
    journal = Journal(None, journals)
    for number in range(50):
        journal.record("edit", with_letter("ABCDEFGHIJ"[number % 10]))
        (path,) = journals.iterdir()
        assert path.stat().st_size <= 4_000
    journal.close()
    assert only(journals).puzzle == with_letter("J")


def test_the_later_of_two_files_of_one_session_is_used(journals: Path) -> None:
    journal = leave_behind(journals, with_letter("A"))
    (first,) = journals.iterdir()
    kept = first.read_bytes()
    journal.record("later", with_letter("B"))
    journal.close()
    first.write_bytes(kept)
    assert only(journals).puzzle == with_letter("B")
    assert not first.exists()


def test_a_write_that_fails_halfway_corrupts_nothing(journals: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(None, journals)
    journal.record("edit", with_letter("A"))
    write_all = journal_module._write_all

    def half(file: int, data: bytes) -> None:
        write_all(file, data[: len(data) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal_module, "_write_all", half)
    with pytest.raises(OSError, match="No space"):
        journal.record("edit", with_letter("B"))
    monkeypatch.setattr(journal_module, "_write_all", write_all)
    journal.record("edit", with_letter("C"))
    journal.close()
    assert only(journals).puzzle == with_letter("C")


def test_recovering_continues_the_work(journals: Path, tmp_path: Path) -> None:
    path = tmp_path / "heart.ipuz"
    write_puzzle(path, BLANK)
    leave_behind(journals, with_letter("A"), source=path)
    bench = Session(journal_folder=journals)
    bench.recover(bench.recoveries()[0])
    assert bench.puzzle == with_letter("A")
    assert bench.document.path == path
    assert bench.document.is_modified
    bench.close()
    assert only(journals).puzzle == with_letter("A")
    bench.recover(only(journals))
    assert bench.undo() == "edit 0"
    assert bench.puzzle == BLANK
    bench.redo()
    bench.save()
    assert find_recoveries(journals) == ()


def test_a_session_without_files_keeps_no_journal(journals: Path) -> None:
    bench = Session(journal_folder=journals, overrides=Overrides(holds_files=False))
    bench.edit("write", lambda _: with_letter("A"))
    bench.journal_pending(with_letter("B"), "fill")
    assert bench.undo() == "write"
    assert bench.redo() == "write"
    assert bench.document.is_modified
    bench.close()
    assert not journals.exists()


def test_recovered_work_without_a_file_is_unsaved(journals: Path) -> None:
    leave_behind(journals, with_letter("A"))
    bench = Session(journal_folder=journals)
    bench.recover(only(journals))
    assert bench.document.is_modified
    bench.close()
    assert only(journals).puzzle == with_letter("A")


def test_only_one_of_two_processes_recovers_the_work(journals: Path) -> None:
    leave_behind(journals, with_letter("A"))
    one, other = Session(journal_folder=journals), Session(journal_folder=journals)
    offer = only(journals)
    one.recover(offer)
    before = other.puzzle
    with pytest.raises(PuzzleError, match="already"):
        other.recover(offer)
    assert other.puzzle == before
    one.discard_changes()


def test_discarded_work_is_not_offered_again(journals: Path) -> None:
    leave_behind(journals, with_letter("A"))
    copy = only(journals).discard()
    assert find_recoveries(journals) == ()
    assert read_puzzle(copy) == with_letter("A")


def test_copies_of_discarded_work_expire(journals: Path) -> None:
    leave_behind(journals, with_letter("A"))
    copy = only(journals).discard()
    begun = copy.stat().st_mtime
    os.utime(copy, (begun, begun - (KEPT_DAYS - 1) * 24 * 3600))
    find_recoveries(journals)
    assert copy.exists()
    os.utime(copy, (begun, begun - (KEPT_DAYS + 1) * 24 * 3600))
    find_recoveries(journals)
    assert not copy.exists()


def test_work_that_cannot_be_copied_is_not_discarded(journals: Path) -> None:
    leave_behind(journals, with_letter("A"))
    (journals / "discarded").write_text("in the way")
    with pytest.raises(PuzzleFormatError):
        only(journals).discard()
    assert only(journals).puzzle == with_letter("A")


def test_undoing_back_to_the_saved_state_removes_the_journal(bench: Session, journals: Path) -> None:
    bench.edit("write", lambda puzzle: edits.set_square(puzzle, Position(0, 0), Content.of("A")))
    assert len(list(journals.iterdir())) == 1
    bench.undo()
    assert list(journals.iterdir()) == []


def test_closing_keeps_unsaved_work(bench: Session, journals: Path) -> None:
    bench.edit("write", lambda puzzle: edits.set_square(puzzle, Position(0, 0), Content.of("A")))
    bench.close()
    assert only(journals).label == "write"


def test_opening_another_puzzle_drops_the_journal(bench: Session, journals: Path) -> None:
    bench.edit("write", lambda puzzle: edits.set_square(puzzle, Position(0, 0), Content.of("A")))
    bench.new(BLANK)
    assert list(journals.iterdir()) == []


def test_a_result_journalled_while_closing_leaves_no_open_journal(
    journals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(journal_folder=journals)
    is_writing, may_go_on = Event(), Event()

    def edit_of_run(puzzle: Puzzle, *_: object) -> tuple[Puzzle, str]:
        is_writing.set()
        may_go_on.wait()
        return with_letter("A", puzzle), "fill"

    monkeypatch.setattr(session.jobs.fill, "result_if_stopped", lambda: ("options", "view"))
    monkeypatch.setattr(run_view, "edit_of_run", edit_of_run)
    worker, closing = Thread(target=session._journal_run), Thread(target=session.close)
    worker.start()
    is_writing.wait()
    closing.start()
    closing.join(0.2)  # without a lock, it has ended by now
    may_go_on.set()
    worker.join()
    closing.join()
    assert session.document.journal.path is None
    assert len(find_recoveries(journals)) == 1
