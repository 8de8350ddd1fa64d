"""Edits, undo and redo, opening and saving, and the contents of an exported .ipuz."""

import json
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.session.saying import CORNER, Ear, killed, refuses, said, write
from xwtui.errors import LockedError, PuzzleError, PuzzleFormatError, XwtuiError
from xwtui.formats import ipuz_extensions
from xwtui.formats.registry import puzzle_bytes, read_bytes, read_puzzle, write_file, write_puzzle
from xwtui.model import Content, Direction, Ink, Kind, Position, Puzzle, WordChoice, edits
from xwtui.resources import SAMPLES, is_shipped_puzzle, puzzles_folder
from xwtui.session.document import Document
from xwtui.session.messages import CursorMoved, Notice, PuzzleChanged, Saved
from xwtui.session.overwriting import ExistsAlreadyError
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line


def letter_at(bench: Session, position: Position = CORNER) -> str:
    return str(bench.puzzle.grid[position].content or "")


def test_an_edit_sends_a_message_and_raises_the_revision(bench: Session, ear: Ear) -> None:
    write(bench, "A")
    assert letter_at(bench) == "A"
    assert bench.revision == 1
    assert ear.messages == [PuzzleChanged("write A")]


def test_an_edit_without_effect_is_not_recorded(bench: Session, ear: Ear) -> None:
    assert not bench.edit("nothing", lambda puzzle: puzzle)
    write(bench, "A")
    ear.forget()
    write(bench, "A")
    assert bench.document.history.edits == 1
    assert ear.messages == []


def test_an_edit_that_fails_changes_nothing(bench: Session) -> None:
    write(bench, "A")
    bench.edit("lock", lambda puzzle: edits.set_ink(puzzle, [CORNER], Ink.LOCKED))
    before, revision = bench.puzzle, bench.revision
    with pytest.raises(LockedError):
        write(bench, "B")
    assert (bench.puzzle, bench.revision) == (before, revision)


def test_undo_and_redo(bench: Session, ear: Ear) -> None:
    write(bench, "A")
    write(bench, "B")
    assert bench.undo() == "write B"
    assert letter_at(bench) == "A"
    assert bench.redo() == "write B"
    assert letter_at(bench) == "B"
    assert bench.redo() is None
    assert [m.label for m in ear.of(PuzzleChanged)][-2:] == ["undo write B", "redo write B"]


@pytest.mark.parametrize(
    ("letters", "labels"),
    [
        ("C0 A1.1 T2.2", ["C", "A", "T"]),
        ("C0 A0.9 T1.8", ["C to T"]),
        ("C0 A0.5 T9", ["C to A", "T"]),
        ("C0 A0.5 undo X0.6 T0.7", ["X to T"]),
        ("C0 title A0.1 T0.2", ["C", "title", "A to T"]),
        ("C0 A0.5 other T0.7 X0.8", ["C to A", "T to X"]),
    ],
)
def test_letters_typed_in_an_entry_within_a_second_are_one_undo_step(
    journals: Path, letters: str, labels: list[str]
) -> None:
    now = 0.0
    bench = Session(journal_folder=journals, clock=lambda: now)
    bench.new(Puzzle.blank(9, 9))
    slot, column = bench.puzzle.grid.slot("1A"), 0
    for word in letters.split():
        if word == "undo":
            bench.undo()
        elif word == "title":
            said(bench, "title Hearts")
        elif word == "other":
            slot = bench.puzzle.grid.slot("1D")
        else:
            at, content, now = Position(0, column), Content.of(word[0]), float(word[1:])
            bench.edit(word[0], partial(edits.set_square, position=at, content=content), along=slot, is_typed=True)
            column += 1
    left = [bench.puzzle]
    undone = []
    while (label := bench.undo()) is not None:
        undone.append(label)
        left.append(bench.puzzle)
    assert undone == labels[::-1]
    while bench.redo() is not None:
        pass
    bench.close()
    again = Session(journal_folder=journals, clock=lambda: now)
    again.recover(again.recoveries()[0])
    assert again.puzzle == left[0]
    assert [again.undo() for _ in labels] == undone
    assert again.puzzle == left[-1]


LETTERS = st.lists(st.tuples(st.sampled_from("ABC"), st.integers(0, 2), st.integers(0, 2)), max_size=12)


@given(letters=LETTERS, undone=st.integers(0, 15))
def test_redo_is_the_inverse_of_undo(
    tmp_path_factory: pytest.TempPathFactory, letters: object, undone: int
) -> None:
    bench = Session(journal_folder=tmp_path_factory.mktemp("journals"))
    bench.new(Puzzle.blank(3, 3))
    states = [bench.puzzle]
    assert isinstance(letters, list)
    for letter, row, column in letters:
        write(bench, letter, Position(row, column))
        if bench.puzzle != states[-1]:
            states.append(bench.puzzle)
    steps = min(undone, len(states) - 1)
    for expected in reversed(states[len(states) - 1 - steps : -1]):
        assert bench.undo() is not None
        assert bench.puzzle == expected
    assert bench.document.is_modified == (bench.puzzle != states[0])
    for expected in states[len(states) - steps :]:
        assert bench.redo() is not None
        assert bench.puzzle == expected
    bench.discard_changes()


def test_the_cursor_moves_and_turns(bench: Session, ear: Ear) -> None:
    bench.cursor.move_to(Position(2, 3), Direction.DOWN)
    bench.cursor.move_to(Position(2, 3))
    assert bench.cursor.place == (Position(2, 3), Direction.DOWN)
    assert bench.cursor.slot is not None
    assert bench.cursor.slot.name == "4D"
    assert ear.messages == [CursorMoved()]
    with pytest.raises(PuzzleError):
        bench.cursor.move_to(Position(15, 0))


def test_the_cursor_finds_the_crossing_entry(bench: Session) -> None:
    bench.edit("block", lambda puzzle: edits.set_kind(puzzle, Position(0, 1), Kind.BLOCK))
    bench.cursor.move_to(CORNER, Direction.ACROSS)
    assert bench.cursor.slot is not None
    assert bench.cursor.slot.name == "1D"


def test_save_open_and_save_again(bench: Session, ear: Ear, tmp_path: Path) -> None:
    write(bench, "A")
    assert bench.document.is_modified
    path = bench.save(tmp_path / "heart")
    assert path == tmp_path / "heart.ipuz"
    assert ear.messages[-1] == Saved(path)
    assert not bench.document.is_modified
    write(bench, "B")
    bench.save()
    bench.new(Puzzle.blank(3, 3))
    bench.open(path)
    assert letter_at(bench) == "B"
    assert bench.document.folder == tmp_path
    assert bench.undo() is None


def test_a_puzzle_without_a_file_needs_a_name(bench: Session) -> None:
    with pytest.raises(PuzzleError, match="no file yet"):
        bench.save()


@pytest.mark.parametrize("name", ["kept", "kept.ipuz"])
def test_saving_to_a_folder_is_refused(bench: Session, tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    with pytest.raises(PuzzleError, match=f"{name} is a folder; name a file in it, as in `save .*/heart.ipuz`"):
        bench.save(folder, force=True)
    assert [path.name for path in tmp_path.iterdir() if path.name != "journals"] == [name]


def test_only_native_files_can_be_saved_to(bench: Session, tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="use export"):
        bench.save(tmp_path / "heart.puz")


def test_an_imported_puzzle_is_saved_next_to_its_file(bench: Session, tmp_path: Path) -> None:
    write_puzzle(tmp_path / "grid.txt", Puzzle.blank(3, 3))
    bench.open(tmp_path / "grid.txt")
    write(bench, "A")
    assert bench.save() == tmp_path / "grid.ipuz"
    assert "A" not in (tmp_path / "grid.txt").read_text()


def test_an_opened_template_is_not_overwritten_by_a_plain_save(bench: Session, tmp_path: Path) -> None:
    shipped = puzzles_folder() / "templates"
    before = sorted(shipped.iterdir())
    bench.open(shipped / "15x15-01.txt")
    with pytest.raises(PuzzleError, match=r"15x15-01\.txt ships with xwtui: name a file of your own"):
        bench.save()
    assert sorted(shipped.iterdir()) == before
    bench.save(tmp_path / "own")
    assert bench.document.path == tmp_path / "own.ipuz"
    bench.save()


def test_every_shipped_sample_is_recognized() -> None:
    files = [file for file in puzzles_folder().rglob("*") if file.is_file() and file.name != "README.md"]
    assert {file.name for file in files if file.parent == puzzles_folder()} == {*SAMPLES}
    assert all(map(is_shipped_puzzle, files))


@pytest.fixture(params=["by its path", "through a link"])
def sample(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A sample in a checkout other than this installation."""
    checkout = tmp_path / "checkout"
    for folder in ("xwtui", "puzzles"):
        (checkout / folder).mkdir(parents=True)
    (checkout / "xwtui" / "resources.py").touch()
    (checkout / "puzzles" / SAMPLES[0]).write_bytes((puzzles_folder() / SAMPLES[0]).read_bytes())
    (tmp_path / "link").symlink_to(checkout)
    return (checkout if request.param == "by its path" else tmp_path / "link") / "puzzles" / SAMPLES[0]


def test_a_sample_of_any_checkout_is_overwritten_only_with_force(bench: Session, sample: Path) -> None:
    as_shipped = sample.read_bytes()
    bench.open(sample)
    write(bench, "Q")
    assert bench.document.needs_name
    told = f"{sample.name} ships with xwtui: name a file of your own, as in `save heart.ipuz`"
    refuses(bench, "save", f"{told}; `save --force` overwrites it", PuzzleError)
    assert sample.read_bytes() == as_shipped
    said(bench, "save --force")
    assert "Q" in sample.read_text()
    assert bench.document.needs_name


def test_a_sample_saved_under_another_name_belongs_to_the_user(bench: Session, sample: Path) -> None:
    bench.open(sample)
    bench.save(sample.with_name("mine.ipuz"))
    write(bench, "Q")
    assert not bench.document.needs_name
    said(bench, "save")
    assert not bench.document.is_modified


def test_recovered_work_on_a_sample_needs_a_name(bench: Session, sample: Path, journals: Path) -> None:
    bench.open(sample)
    write(bench, "Q")
    killed(bench)
    again = Session(journal_folder=journals)
    (recovery,) = again.recoveries()
    again.recover(recovery)
    assert again.document.needs_name
    with pytest.raises(PuzzleError, match="ships with xwtui"):
        again.save()
    again.close()


def test_an_imported_file_with_a_double_suffix_is_saved_under_its_stem(bench: Session, tmp_path: Path) -> None:
    """The whole suffix `.al.txt` is the format, not part of the name."""
    write_puzzle(tmp_path / "grid.al.txt", Puzzle.blank(3, 3), lossy=True)
    bench.open(tmp_path / "grid.al.txt")
    assert bench.save() == tmp_path / "grid.ipuz"


def test_another_file_is_not_overwritten(bench: Session, tmp_path: Path) -> None:
    other = tmp_path / "other.ipuz"
    write_puzzle(other, Puzzle.blank(4, 4))
    write(bench, "A")
    with pytest.raises(ExistsAlreadyError, match="already exists"):
        bench.save(other)
    assert read_puzzle(other) == Puzzle.blank(4, 4)
    bench.save(other, force=True)
    assert read_puzzle(other).grid.height == 15


def test_a_file_changed_by_another_program_is_not_overwritten(
    bench: Session, journals: Path, tmp_path: Path
) -> None:
    write(bench, "A")
    path = bench.save(tmp_path / "shared.ipuz")
    other = Session(journal_folder=journals)
    other.open(path)
    write(other, "B")
    other.save()
    write(bench, "C")
    with pytest.raises(PuzzleError, match="changed by another program"):
        bench.save()
    assert str(read_puzzle(path).grid[CORNER].content) == "B"
    bench.save(force=True)
    assert str(read_puzzle(path).grid[CORNER].content) == "C"


def test_a_failed_save_keeps_file_and_journal(
    bench: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(bench, "A")
    path = bench.save(tmp_path / "heart.ipuz")
    write(bench, "B")
    before = path.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise PuzzleFormatError(f"cannot write {path}: No space left on device")

    monkeypatch.setattr("xwtui.session.document.write_puzzle", full)
    with pytest.raises(PuzzleFormatError, match="No space left"):
        bench.save()
    assert path.read_bytes() == before
    assert bench.document.is_modified
    assert bench.document.journal.path is not None


def test_an_unwritable_journal_is_reported_once_and_the_edit_made(
    bench: Session, ear: Ear, journals: Path
) -> None:
    journals.write_text("a file where the folder should be")
    write(bench, "A")
    write(bench, "B")
    assert letter_at(bench) == "B"
    assert len(ear.of(Notice)) == 1
    assert "not being backed up" in ear.of(Notice)[0].text
    journals.unlink()
    write(bench, "C")
    assert bench.document.journal.path is not None


def test_a_document_knows_its_name(tmp_path: Path) -> None:
    assert Document(Puzzle.blank(3, 3)).name == "untitled"
    assert Document(Puzzle.blank(3, 3), tmp_path / "a.ipuz").name == "a.ipuz"


def test_a_title_carries_over_to_a_new_grid(tmp_path: Path) -> None:
    bench = Session(journal_folder=tmp_path / "journals")
    bench.new(Puzzle.blank(5, 5))
    said(bench, "title Hearts", "author Ann", "new 11x11-01")
    assert (bench.puzzle.title, bench.puzzle.author, bench.puzzle.grid.width) == ("Hearts", "Ann", 11)
    assert bench.document.is_modified, "the title is nowhere else"
    refuses(bench, "new 5", "unsaved changes")
    said(bench, "new 5 --force")
    assert bench.puzzle.title == ""
    said(bench, "title Hearts", "set 1A SNAIL")
    refuses(bench, "new 7", "unsaved changes")
    bench.close()


def test_saving_to_a_missing_folder_names_the_command_that_makes_it(small: Session, tmp_path: Path) -> None:
    target = tmp_path / "new" / "below" / "heart.ipuz"
    refuses(
        small,
        f"save {target}",
        f"there is no folder {target.parent}; `save --force {target}` makes it",
        XwtuiError,
    )
    run_line(small, f"save --force {target}")
    assert target.is_file()


def test_clearing_an_entry_names_crossings_that_lose_a_pen_letter(small: Session) -> None:
    said(small, "set r1c1 B", "set r1c2 A")
    assert run_line(small, "clear 1D").lines == ("cleared: 1D; including letters in pen from 1A",)


PUBLIC = {"net.xwtui:version", "net.xwtui:clue-markup", "net.xwtui:entered"}
"""Our extension fields needed to read the standard fields, and no others."""

SECRETS = ("GHX", "secret.dict", "SECRETWORD", "a remark", "before the block", "my-state", "nyt", "SECRETNINA")


@pytest.fixture
def worked(bench: Session, tmp_path: Path) -> Puzzle:
    """A full puzzle that uses every extension field of ours."""
    (tmp_path / "secret.dict").write_text("ABC;50\nDEF;50\n")
    lines = (
        "new 3 --force",
        *("set 1A ABC", "clue 1A First", "set 4A DEF", "set 5A GHX", "clue 5A Secret clue", "set 5A GHI"),
        "snapshot save my-state",
    )
    said(bench, *lines)
    made = bench.puzzle
    words = WordChoice((str(tmp_path / "secret.dict"),), 10, frozenset({"SECRETWORD"}))
    slot = made.grid.slots[0]
    return replace(made, words=words, solver_notes={slot.key: "a remark"}, profile="nyt")


def document(puzzle: Puzzle, *, published: bool, lossy: bool = True) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(puzzle_bytes(puzzle, ".ipuz", lossy=lossy, published=published).data)
    return found


def test_exports_contain_only_the_extension_fields_needed_for_reading(worked: Puzzle) -> None:
    everything = document(worked, published=False)
    known = {value for value in vars(ipuz_extensions).values() if str(value).startswith("net.xwtui:")}
    assert {name for name in everything if name.startswith("net.xwtui:")} <= known
    shown = document(worked, published=True)
    assert {name for name in shown if name.startswith("net.")} <= PUBLIC
    kept, exported = json.dumps(everything), json.dumps(shown)
    assert [secret for secret in SECRETS if secret in exported] == []
    assert len([secret for secret in SECRETS if secret in kept]) >= 5


def test_our_future_fields_stay_private_and_foreign_fields_are_exported(
    worked: Puzzle,
) -> None:
    foreign = {"net.xwtui:later": "mine", "difficulty": "Hard", "org.example:field": 3}
    shown = document(replace(worked, foreign=foreign), published=True)
    assert {name: shown.get(name) for name in foreign} == {**foreign, "net.xwtui:later": None}


def test_what_solvers_see_is_read_back_unchanged(worked: Puzzle) -> None:
    seen = read_bytes(puzzle_bytes(worked, ".ipuz", lossy=True, published=True).data, ".ipuz")
    assert [square.content for square in seen.grid.squares] == [square.content for square in worked.grid.squares]
    assert [seen.clue(slot) for slot in seen.grid.slots] == [worked.clue(slot) for slot in worked.grid.slots]
    fresh = Puzzle(seen.grid)
    hidden = ("words", "rules", "snapshots", "solver_notes", "profile")
    assert {name: getattr(seen, name) for name in hidden} == {name: getattr(fresh, name) for name in hidden}
    assert {field.name for field in fields(Puzzle)} >= set(hidden)


def test_letters_of_another_alphabet_are_read_back(tmp_path: Path) -> None:
    spanish = read_puzzle(Path(__file__).parents[2] / "puzzles" / "spanish-11x11.ipuz")
    write_file(tmp_path / "p.ipuz", spanish, published=True)
    assert read_puzzle(tmp_path / "p.ipuz").alphabet == spanish.alphabet


def test_a_stale_clue_is_refused_as_in_other_formats(bench: Session) -> None:
    said(bench, "new 3 --force", "set 1A ABC", "clue 1A Secret clue", "set 1A ABD")
    with pytest.raises(PuzzleFormatError, match=r"cannot hold clues of other answers at 1A \(of ABC\)"):
        document(bench.puzzle, published=True, lossy=False)
    assert "Secret clue" not in json.dumps(document(bench.puzzle, published=True))


def test_preview_and_answer_list_what_is_left_out(worked: Puzzle) -> None:
    kept_back = puzzle_bytes(worked, ".ipuz", lossy=True, published=True).kept_back
    assert kept_back == (
        "word lists, bans and scores",
        "the profile",
        "clues of other answers",
        "notes made while solving",
        "snapshots",
    )
    in_pencil = edits.write_fill(Puzzle.blank(3, 3), {Position(0, 0): Content.of("A")})
    told = "which letters are pencil or locked (all letters are in the file)"
    assert puzzle_bytes(in_pencil, ".ipuz", published=True).kept_back == (told,)
    assert puzzle_bytes(worked, ".ipuz", lossy=True).kept_back == ()
    assert puzzle_bytes(Puzzle(worked.grid), ".ipuz", published=True).kept_back == ()
