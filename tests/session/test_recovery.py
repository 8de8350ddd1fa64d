"""Recovery of unsaved work, and damaged files."""

import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.examples import examples
from tests.formats.test_bad_input import mutated
from tests.formats.torture import IS_DEEP
from tests.known import known
from tests.session.saying import killed, refuses, said
from xwtui.clues.book import reading
from xwtui.errors import ClueBookError, PuzzleError, XwtuiError
from xwtui.formats.registry import read_puzzle, write_puzzle
from xwtui.grids.profiles import read_profile
from xwtui.model import Content, Kind, Position, Puzzle, edits
from xwtui.resources import profiles_folder, themes_folder
from xwtui.session import journal as journal_module
from xwtui.session import recovery as recovery_module
from xwtui.session.journal import Journal
from xwtui.session.keys.key_map import read_key_file
from xwtui.session.recent import RecentPuzzles, VerbUses
from xwtui.session.recovery import copy_of_discarded, find_recoveries
from xwtui.session.session import Session
from xwtui.session.settings import Settings, load_settings, save_settings
from xwtui.tui.themes import load_themes, load_user_themes
from xwtui.words.layers import read_choices
from xwtui.words.personal_list import PersonalList

BLANK = Puzzle.blank(3, 3)
DAY = 24 * 3600


def letter(session: Session, square: int, text: str) -> None:
    """Write a letter, as an edit labeled with it."""
    at = Position(*divmod(square, 3))
    session.edit(f"set {text}{square}", lambda puzzle: edits.set_square(puzzle, at, Content.of(text)))


def working(journals: Path, path: Path | None = None, letters: str = "", begun: Puzzle = BLANK) -> Session:
    """Return a session with letters written to a file, or to a puzzle without one."""
    session = Session(journal_folder=journals)
    if path is None:
        session.new(begun, "design")
    else:
        session.open(path)
    for square, text in enumerate(letters):
        letter(session, square, text)
    return session


def recovered(journals: Path, times: int = 1) -> Session:
    """Return a session that recovered the work, after `times` - 1 others that did so and were killed."""
    session = Session(journal_folder=journals)
    (recovery,) = session.recoveries()
    session.recover(recovery)
    if times > 1:
        killed(session)
        return recovered(journals, times - 1)
    return session


def undone(session: Session) -> list[str]:
    """Return the labels of all undo steps, the last edit first."""
    labels = []
    while (label := session.undo()) is not None:
        labels.append(label)
    return labels


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "heart.ipuz"
    write_puzzle(path, BLANK)
    return path


@pytest.fixture
def left(journals: Path, path: Path) -> Path:
    """A file with three edits left by a killed process."""
    killed(working(journals, path, "CAT"))
    return path


def saved_again(path: Path, days: int) -> Puzzle:
    """Overwrite the file with another puzzle, dated `days` after the last edit."""
    (recovery,) = find_recoveries(path.parent / "journals")
    other = edits.set_square(BLANK, Position(2, 2), Content.of("X"))
    write_puzzle(path, other)
    at = recovery.at.timestamp() + days * DAY
    os.utime(path, (at, at))
    return other


@pytest.mark.parametrize("times", [1, 2])
def test_edits_can_be_undone_one_by_one(journals: Path, left: Path, times: int) -> None:
    """Even if the recovering process was killed, too."""
    session = recovered(journals, times)
    work = session.puzzle
    assert undone(session) == ["set T2", "set A1", "set C0"]
    assert session.puzzle == read_puzzle(left)
    assert not session.document.is_modified, "what the file has is not unsaved"
    assert [session.redo() for _ in range(3)] == ["set C0", "set A1", "set T2"]
    assert session.puzzle == work
    session.save()
    assert read_puzzle(left) == work


def test_edits_without_a_file_are_undone_to_the_blank_grid(journals: Path) -> None:
    killed(working(journals, letters="CAT"))
    session = recovered(journals, 2)
    assert undone(session) == ["set T2", "set A1", "set C0"]
    assert session.puzzle == BLANK


def test_a_recovered_run_is_undone_to_the_blank_grid(journals: Path) -> None:
    session = working(journals)
    session.journal_pending(edits.set_square(BLANK, Position(0, 0), Content.of("C")), "fill")
    killed(session)
    session = recovered(journals)
    assert undone(session) == ["fill"]
    assert session.puzzle == BLANK


def test_unnamed_puzzles_are_described_by_content(journals: Path) -> None:
    blocked = edits.set_kind(BLANK, Position(1, 1), Kind.BLOCK)
    for texts in ("CAT", "DO", ""):
        killed(working(journals, letters=texts, begun=BLANK if texts else blocked))
    recoveries = find_recoveries(journals)
    told = [one.describe().partition("(")[2].partition(")")[0] for one in recoveries]
    assert sorted(told) == ["2 letters, 1A DO?", "3 letters, 1A CAT", "no letters, 1 block"]
    assert {"untitled 3×3 CAT", "untitled 3×3 DO?"} < {one.row_name for one in recoveries}


def test_undo_of_unsaved_work_without_a_file_returns_to_its_start(journals: Path) -> None:
    begun = edits.set_square(BLANK, Position(2, 2), Content.of("X"))
    killed(working(journals, letters="C", begun=begun))
    session = recovered(journals)
    assert undone(session) == ["set C0"]
    assert session.puzzle == begun


def test_a_run_without_result_is_no_edit(journals: Path, path: Path) -> None:
    session = working(journals, path, "C")
    session.journal_pending(edits.set_square(session.puzzle, Position(1, 1), Content.of("X")), "fill")
    session.journal_pending(session.puzzle, "fill")
    letter(session, 1, "A")
    killed(session)
    assert undone(recovered(journals)) == ["set A1", "set C0"]


def test_the_result_of_a_killed_run_is_one_edit(journals: Path, path: Path) -> None:
    session = working(journals, path, "C")
    for text in "XYZ":
        session.journal_pending(edits.set_square(session.puzzle, Position(1, 1), Content.of(text)), "fill")
    last = session.document.journal.last
    killed(session)
    session = recovered(journals)
    assert session.puzzle == last
    assert undone(session) == ["fill", "set C0"]


def test_a_compacted_journal_has_the_edits_since(
    journals: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = working(journals, path, "C")
    monkeypatch.setattr(journal_module, "LARGEST_BYTES", 1)
    letter(session, 1, "A")
    monkeypatch.undo()
    letter(session, 2, "T")
    killed(session)
    session = recovered(journals)
    assert undone(session) == ["set T2", "recover"]
    assert session.puzzle == BLANK


def test_a_journal_of_an_earlier_version_is_one_edit(journals: Path, left: Path) -> None:
    (journal,) = journals.glob("*.journal")
    journal.write_bytes(journal.read_bytes().replace(b'"xwtui": 3', b'"xwtui": 2'))
    session = recovered(journals)
    assert undone(session) == ["recover"]
    assert session.puzzle == BLANK


STEPS: tuple[Callable[[Session, int], object], ...] = (
    lambda session, number: letter(session, number % 9, "ABCDEFG"[number % 7]),
    lambda session, number: letter(session, 8 - number % 9, "HIJ"[number % 3]),
    lambda session, _: session.undo(),
    lambda session, _: session.redo(),
    lambda session, number: said(session, f"snapshot save shot{number}"),
    lambda session, number: said(session, f"title T{number}"),
    lambda session, _: session.save(),
)


@examples(25)
@given(story=st.lists(st.sampled_from(STEPS), max_size=12))
@example(story=[STEPS[0], STEPS[6], STEPS[2], STEPS[1]])
def test_undo_after_recovery_matches_undo_before(
    tmp_path_factory: pytest.TempPathFactory, story: list[Callable[[Session, int], object]]
) -> None:
    """Down to the last save if nothing was written after undoing it, and from the start of the journal."""
    folder = tmp_path_factory.mktemp("story")
    write_puzzle(folder / "p.ipuz", BLANK)
    session = Session(journal_folder=folder / "journals")
    session.open(folder / "p.ipuz")
    for number, step in enumerate(story):
        step(session, number)
    work = session.puzzle
    is_modified = session.document.is_modified
    killed(session)
    assert len(session.recoveries()) == is_modified
    if not is_modified:
        return
    again = recovered(folder / "journals")
    assert again.puzzle == work
    saved = read_puzzle(folder / "p.ipuz")
    would_have = Session(journal_folder=folder / "other journals")
    write_puzzle(folder / "other.ipuz", BLANK)
    would_have.open(folder / "other.ipuz")
    for number, step in enumerate(story):
        step(would_have, number)
    assert reaches(again, saved) == reaches(would_have, saved)


def reaches(session: Session, puzzle: Puzzle) -> bool:
    """Whether undo or redo reaches the grid and title of a puzzle."""
    states = [session.puzzle]
    for way in (session.undo, session.redo):
        while (label := way()) is not None:
            assert not label.startswith(("recover", "undo"))
            states.append(session.puzzle)
    return (puzzle.grid, puzzle.title) in [(state.grid, state.title) for state in states]


def test_undoing_saved_edits_adds_no_steps(journals: Path, path: Path) -> None:
    session = working(journals, path, "CA")
    session.save()
    session.undo()
    session.undo()
    letter(session, 2, "T")
    killed(session)
    session = recovered(journals)
    work = session.puzzle
    assert undone(session) == ["set T2"]
    assert session.puzzle == BLANK
    assert session.redo() == "set T2"
    assert session.puzzle == work


def test_edits_undone_after_saving_can_be_redone(journals: Path, path: Path) -> None:
    session = working(journals, path, "C")
    session.save()
    session.undo()
    killed(session)
    session = recovered(journals)
    assert session.puzzle == BLANK
    assert undone(session) == []
    assert session.redo() == "set C0"
    assert session.puzzle == read_puzzle(path)


@pytest.mark.parametrize(
    ("days", "words"), [(2, "the file was saved after that, "), (-2, "the file was changed after the work began")]
)
def test_the_offer_for_a_changed_file_shows_both_times(journals: Path, left: Path, days: int, words: str) -> None:
    (before,) = find_recoveries(journals)
    assert "the file" not in before.describe()
    saved_again(left, days)
    (recovery,) = find_recoveries(journals)
    assert recovery.file_changed_at is not None
    assert words in recovery.describe()
    for at in (recovery.at, recovery.file_changed_at):
        assert f"{at:%d %B %H:%M}" in recovery.describe()


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("version", [b"3", b"2"])
def test_a_changed_file_is_not_overwritten(journals: Path, left: Path, times: int, version: bytes) -> None:
    """Not even by work recovered twice, or written by an earlier version."""
    (journal,) = journals.glob("*.journal")
    lines = journal.read_bytes()
    if version == b"2":
        begin, end = lines.index(b'"base"'), lines.index(b'"goes_on"')
        journal.write_bytes((lines[:begin] + lines[end:]).replace(b'"xwtui": 3', b'"xwtui": 2'))
    other = saved_again(left, 2)
    session = recovered(journals, times)
    work = session.puzzle
    with pytest.raises(PuzzleError, match="changed by another program"):
        session.save()
    assert read_puzzle(left) == other
    session.save(left.with_name("mine.ipuz"))
    assert (read_puzzle(left), read_puzzle(left.with_name("mine.ipuz"))) == (other, work)


def test_a_changed_file_is_overwritten_with_force(journals: Path, left: Path) -> None:
    saved_again(left, 2)
    session = recovered(journals)
    work = session.puzzle
    session.save(force=True)
    assert read_puzzle(left) == work
    letter(session, 5, "Z")
    session.save()
    assert find_recoveries(journals) == ()


def test_undo_to_a_changed_file_is_labeled_recover(journals: Path, left: Path) -> None:
    other = saved_again(left, 2)
    session = recovered(journals)
    assert undone(session) == ["set T2", "set A1", "recover"]
    assert session.puzzle == other


def test_opening_announces_unsaved_work_and_recover_resumes_it(journals: Path, left: Path) -> None:
    session = Session(journal_folder=journals)
    told = said(session, f"open {left}")
    assert "there is unsaved work on heart.ipuz" in told
    assert "last edit: set T2: `recover` restores it" in told
    assert session.puzzle == BLANK
    assert "continuing with unsaved work on heart.ipuz" in said(session, "recover")
    assert undone(session) == ["set T2", "set A1", "set C0"]
    refuses(session, "recover", r"there is no unsaved work on heart\.ipuz")


def test_recover_lists_work_on_other_puzzles(journals: Path, left: Path) -> None:
    session = Session(journal_folder=journals)
    assert left.exists()
    refuses(
        session, "recover", r"no unsaved work on untitled; there is unsaved work on heart\.ipuz: `xwtui` without a"
    )


def test_opening_and_editing_keeps_the_unsaved_work(journals: Path, left: Path) -> None:
    session = Session(journal_folder=journals)
    said(session, f"open {left}")
    letter(session, 4, "V")
    session.save()
    (recovery,) = find_recoveries(journals)
    assert "the file was" in recovery.describe()
    said(session, "recover")
    with pytest.raises(PuzzleError, match="changed by another program"):
        session.save()


def test_discarded_work_is_listed_newest_first_and_restored_without_a_file(journals: Path, left: Path) -> None:
    (recovery,) = find_recoveries(journals)
    older = recovery.discard()
    os.utime(older, (recovery.at.timestamp() - DAY,) * 2)
    bench = working(journals, letters="Z")
    newer = copy_of_discarded(bench.document)
    os.utime(newer, (recovery.at.timestamp(),) * 2)
    bench.discard_changes()
    bench.new(BLANK)
    first, second, how = said(bench, "discarded").splitlines()
    assert first.startswith("1  untitled, ")
    assert second.startswith("2  heart, ")
    assert second.endswith("3 letters, 1A CAT")
    assert how == "`discarded NUMBER` brings one back"
    refuses(bench, "discarded 3", "there is no discarded work 3")
    before = left.read_bytes()
    assert "heart, " in said(bench, "discarded 2")
    assert bench.puzzle == recovery.puzzle
    assert bench.document.path is None
    assert bench.document.is_modified
    kept = [path.read_bytes() for path in journals.rglob("*") if path.is_file()]
    assert any(b"discarded work brought back" in journal for journal in kept), "what its last edit is called"
    refuses(bench, "discarded 1", "unsaved changes")
    assert left.read_bytes() == before
    older.write_text("no puzzle")
    assert older.name in said(bench, "discarded").splitlines()[0]


def test_only_restored_work_is_read_and_only_once(journals: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Session(journal_folder=journals)
    for text in "XY":
        bench.new(BLANK)
        letter(bench, 0, text)
        copy_of_discarded(bench.document)
    bench.new(BLANK)
    read: list[Path] = []

    def reading(path: Path) -> Puzzle:
        read.append(path)
        return read_puzzle(path)

    monkeypatch.setattr(recovery_module, "read_puzzle", reading)
    said(bench, "discarded 2")
    assert len(read) == 1


def test_no_discarded_work_is_reported(journals: Path) -> None:
    assert said(Session(journal_folder=journals), "discarded") == "nothing was discarded"


MOST = 4_000 if IS_DEEP else 200
"""Files per kind."""

STATES = [edits.set_square(BLANK, Position(0, 0), Content.of(letter)) for letter in "ABCDE"]


def a_journal(folder: Path) -> Path:
    journal = Journal(None, folder)
    for puzzle in STATES:
        journal.record(f"edit {puzzle.grid[Position(0, 0)].content}", puzzle)
    path = known(journal.path)
    journal.close()
    return path


def a_book(path: Path) -> None:
    with reading(path) as connection:
        if connection is not None:
            connection.execute("SELECT count(*), max(text) FROM clues").fetchall()


def samples(folder: Path) -> dict[str, tuple[bytes, Callable[[Path], object]]]:
    """Return a valid file of each kind, and its reader."""
    save_settings(Settings(theme="slate"), folder / "settings")
    (folder / "book").touch()
    a_book(folder / "book")
    theme = (themes_folder() / "dark.toml").read_bytes()
    looks = load_themes()
    return {
        "settings": ((folder / "settings").read_bytes(), load_settings),
        "profile": ((profiles_folder() / "british.toml").read_bytes(), read_profile),
        "keys": (b'base = "crosshare"\n[keys]\n"ctrl+d" = "stats"\n', read_key_file),
        "lists": (b'order = ["a"]\noff = []\n[scales]\na = "auto"\n', read_choices),
        "theme": (theme, lambda path: load_user_themes(looks, path.parent)),
        "mine": (b"AXLE;60\nOREO;50\n", lambda path: PersonalList(path).read()),
        "recent": (json.dumps([str(folder / "a.ipuz")]).encode(), lambda path: RecentPuzzles(path).files),
        "uses": (b'{"fill": 3}', lambda path: VerbUses(path).of("fill")),
        "book": ((folder / "book").read_bytes(), a_book),
        "journal": (a_journal(folder / "journals").read_bytes(), lambda path: find_recoveries(path.parent)),
    }


KINDS = ("settings", "profile", "keys", "lists", "theme", "mine", "recent", "uses", "book", "journal")
SUFFIXES = {"journal": ".journal", "book": ".sqlite"}


@pytest.mark.parametrize("kind", KINDS)
def test_mutated_files_of_the_user(tmp_path: Path, kind: str) -> None:
    good, read = samples(tmp_path)[kind]
    rng = random.Random(kind)
    folder = tmp_path / "damaged"
    folder.mkdir()
    path = folder / f"own{SUFFIXES.get(kind, '.toml')}"
    path.write_bytes(good)
    read(path)
    for number in range(MOST):
        data = mutated(good, rng)
        path.write_bytes(data)
        told = ""
        try:
            read(path)
        except XwtuiError as error:
            told = str(error)
        except BaseException as error:
            error.add_note(f"file {number} of {kind}, which begins {data[:200]!r}")
            raise
        assert told.isprintable()


@pytest.mark.parametrize("damage", [b'[[0, "open", 7, 0, 0, 0]]', b"[7]", b"{}", b'[[0, "open", "?", 9, 0, 0]]'])
def test_a_damaged_journal_is_recovered_up_to_the_damage_with_a_warning(tmp_path: Path, damage: bytes) -> None:
    path = a_journal(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    begin, end = lines[4].index(b'"squares": ') + 11, lines[4].index(b', "clues"')
    lines[4] = lines[4][:begin] + damage.replace(b"{}", b'{"a": []}') + lines[4][end:]
    path.write_bytes(b"".join(lines))
    (recovery,) = find_recoveries(tmp_path)
    assert recovery.puzzle == STATES[2]
    assert recovery.lost == 2
    assert recovery.describe().endswith("its journal is damaged: 2 changes cannot be read")


def test_a_clue_book_with_unnamed_tables_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "clues.sqlite"
    path.touch()
    a_book(path)
    data = path.read_bytes().replace(b"CREATE TABLE clues", b"CREATE TABLE cl\xff\xfes")
    path.write_bytes(data.replace(b"UNIQUE INDEX", b"UNIQUE IND\xff\xff"))
    with pytest.raises(ClueBookError, match="renamed to"):
        a_book(path)
    (aside,) = tmp_path.glob("clues-damaged-*.sqlite")
    assert b"\xff\xfe" in aside.read_bytes()
