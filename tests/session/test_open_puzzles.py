"""Several puzzles open at once, each with its own session."""

import gc
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.session.saying import PATIENCE_SECONDS, refuses, rows, said
from xwtui.errors import PuzzleFormatError, VerbError
from xwtui.formats.grid_text import grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.formats.registry import write_puzzle
from xwtui.model import Puzzle
from xwtui.session.messages import Message, PuzzleChanged
from xwtui.session.open_puzzles import MOST_OPEN, OpenPuzzles, puzzles_of
from xwtui.session.recovery import discarded_copies, find_recoveries
from xwtui.session.session import Session

ALPHABET = puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI"))

NO_COPY = "a.ipuz is not saved; it will be offered at the next start, since no copy can be kept: "


class Face:
    """Receives messages of all sessions, and records which one comes to the front."""

    def __init__(self) -> None:
        self.heard: list[tuple[Session, Message]] = []
        self.changes = 0

    def hear(self, session: Session, message: Message) -> None:
        self.heard.append((session, message))

    def note_change(self, _: Session) -> None:
        self.changes += 1


@pytest.fixture
def face() -> Face:
    return Face()


@pytest.fixture
def puzzles(face: Face, journals: Path) -> Iterator[OpenPuzzles]:
    """Open puzzles, as the screen has them."""
    found = OpenPuzzles(lambda listener: Session(listener, journal_folder=journals), face.hear, opens_tabs=True)
    found.on_change(face.note_change)
    yield found
    for session in found.sessions:
        session.discard_changes()
    found.end()


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "a.ipuz", tmp_path / "b.ipuz"]
    for path in paths:
        write_puzzle(path, ALPHABET)
    return paths


def line(puzzles: OpenPuzzles, *lines: str) -> str:
    """Run lines in the front puzzle, and return the last answer."""
    return [said(puzzles.current, one) for one in lines][-1]


def test_the_first_file_replaces_the_empty_grid(puzzles: OpenPuzzles, files: list[Path]) -> None:
    line(puzzles, f"open {files[0]}")
    assert [one.name for one in puzzles.tabs] == ["a.ipuz"]


def test_a_file_is_identified_regardless_of_how_its_path_is_written(
    puzzles: OpenPuzzles, files: list[Path]
) -> None:
    roundabout = files[0].parent / "puzzles" / ".." / "a.ipuz"
    roundabout.parent.parent.mkdir()
    line(puzzles, f"open {roundabout}", f"open {files[0]}")
    assert [one.name for one in puzzles.tabs] == ["a.ipuz"]
    line(puzzles, f"open {files[1]}", f"open {roundabout}")
    assert [one.name for one in puzzles.tabs] == ["a.ipuz", "b.ipuz"]
    assert puzzles.current.document.path == files[0]


def test_another_file_gets_its_own_tab(puzzles: OpenPuzzles, files: list[Path], face: Face) -> None:
    line(puzzles, f"open {files[0]}", "set 1A XYZ")
    first = puzzles.current
    assert line(puzzles, f"open {files[1]}") == "b.ipuz: 3×3, 6 entries"
    assert line(puzzles, "tab").splitlines() == ["  1 a.ipuz*", "▸ 2 b.ipuz"]
    assert puzzles.current is not first
    assert rows(first)[0] == "XYZ"
    assert face.changes == 1


def test_each_has_its_own_undo_cursor_and_journal(puzzles: OpenPuzzles, files: list[Path], journals: Path) -> None:
    line(puzzles, f"open {files[0]}", "set 1A XYZ", f"open {files[1]}", "set 4A PQR", "goto r3c3")
    first, second = puzzles.sessions
    assert (rows(first), rows(second)) == (("XYZ", "DEF", "GHI"), ("ABC", "PQR", "GHI"))
    line(puzzles, "tab 1", "undo")
    assert (rows(first), rows(second)) == (("ABC", "DEF", "GHI"), ("ABC", "PQR", "GHI"))
    assert (str(first.cursor.position), str(second.cursor.position)) == ("r1c1", "r3c3")
    line(puzzles, "redo")
    puzzles.end()
    assert {one.source for one in find_recoveries(journals)} == set(files)


def test_opening_an_open_file_brings_it_to_the_front(puzzles: OpenPuzzles, files: list[Path]) -> None:
    line(puzzles, f"open {files[0]}", f"open {files[1]}", f"open {files[0]}")
    assert [(one.name, one.is_current) for one in puzzles.tabs] == [("a.ipuz", True), ("b.ipuz", False)]


def test_an_unreadable_file_opens_no_tab(puzzles: OpenPuzzles, files: list[Path], tmp_path: Path) -> None:
    line(puzzles, f"open {files[0]}")
    refuses(puzzles.current, f"open {tmp_path / 'none.ipuz'}", None, PuzzleFormatError)
    assert [one.name for one in puzzles.tabs] == ["a.ipuz"]


def test_new_and_tab_open(puzzles: OpenPuzzles, files: list[Path]) -> None:
    line(puzzles, "new 5", "set 1A HEART", "new 7", f"tab open {files[0]}")
    assert [(one.name, one.is_modified) for one in puzzles.tabs] == [
        ("untitled", True),
        ("untitled", False),
        ("a.ipuz", False),
    ]
    line(puzzles, "new --force 5")
    assert [one.name for one in puzzles.tabs] == ["untitled"] * 3


def test_next_and_previous_wrap_around(puzzles: OpenPuzzles, files: list[Path]) -> None:
    line(puzzles, f"open {files[0]}", f"open {files[1]}")
    assert line(puzzles, "tab next") == "tab 1 of 2: a.ipuz"
    assert line(puzzles, "tab previous") == "tab 2 of 2: b.ipuz"
    refuses(puzzles.current, "tab 3", "there is no tab 3: 1 to 2")
    refuses(puzzles.current, "tab x", "name a tab by its number")


def test_closing_asks_about_unsaved_work(puzzles: OpenPuzzles, files: list[Path], journals: Path) -> None:
    line(puzzles, f"open {files[0]}")
    refuses(puzzles.current, "tab close", "one puzzle is open")
    line(puzzles, f"open {files[1]}", "set 1A XYZ")
    refuses(puzzles.current, "tab close", r"b\.ipuz has unsaved changes")
    assert len(puzzles.sessions) == 2
    told = line(puzzles, "tab close --force")
    assert told == "closed b.ipuz; `discarded` brings it back for 30 days, without undo; tab 1 of 1: a.ipuz"
    puzzles.end()
    assert not find_recoveries(journals)
    (copy,) = discarded_copies(journals)
    assert grid_to_text(copy.puzzle.grid).startswith("XYZ")


def test_saved_puzzles_are_closed_without_a_copy(puzzles: OpenPuzzles, files: list[Path]) -> None:
    line(puzzles, f"open {files[0]}", f"open {files[1]}")
    assert line(puzzles, "tab close --force") == "closed b.ipuz; tab 1 of 1: a.ipuz"
    assert line(puzzles, "quit --force") == ""
    assert line(puzzles, "discarded") == "nothing was discarded"


def test_forced_quit_keeps_a_copy_of_each_unsaved_puzzle(
    puzzles: OpenPuzzles, files: list[Path], journals: Path
) -> None:
    line(puzzles, f"open {files[0]}", "set 1A XYZ", f"open {files[1]}", "new 3", "set 1A QED")
    refuses(puzzles.current, "quit", r"or `quit --force` discards them$")
    assert line(puzzles, "quit --force").splitlines() == [
        "a.ipuz is not saved; `discarded` brings it back for 30 days, without undo",
        "untitled is not saved; `discarded` brings it back for 30 days, without undo",
    ]
    puzzles.end()
    assert not find_recoveries(journals)
    copies = [grid_to_text(copy.puzzle.grid)[:3] for copy in discarded_copies(journals)]
    assert sorted(copies) == ["QED", "XYZ"]


@pytest.mark.parametrize("giving_way", ["quit --force", "new 4 --force"])
def test_work_that_cannot_be_copied_is_released_and_offered_again(
    puzzles: OpenPuzzles, files: list[Path], journals: Path, giving_way: str
) -> None:
    line(puzzles, f"open {files[0]}", "set 1A XYZ")
    (journals / "discarded").write_text("in the way")
    told = line(puzzles, giving_way)
    assert NO_COPY in told
    if giving_way.startswith("quit"):
        assert told.startswith(NO_COPY)
        puzzles.end()
    (recovery,) = find_recoveries(journals)
    assert grid_to_text(recovery.puzzle.grid).startswith("XYZ")


@pytest.mark.parametrize(
    ("taking", "begun"),
    [
        ("open {} --force", "b.ipuz: 3×3, 6 entries; "),
        ("new 4 --force", "new: 4×4, rot180 symmetry; "),
        ("theme answers ALPHABETICALLY, ALPHABETICALLY --force", ""),
    ],
)
def test_forced_replacement_keeps_a_copy_of_unsaved_work(
    puzzles: OpenPuzzles, files: list[Path], journals: Path, taking: str, begun: str
) -> None:
    line(puzzles, f"open {files[0]}", "set 1A XYZ")
    told = line(puzzles, taking.format(files[1]))
    assert told.startswith(begun)
    assert told.endswith("a.ipuz is not saved; `discarded` brings it back for 30 days, without undo")
    assert len(puzzles.sessions) == 1
    (copy,) = discarded_copies(journals)
    assert grid_to_text(copy.puzzle.grid).startswith("XYZ")
    assert "discarded" not in line(puzzles, "new 3 --force", "new 4 --force")


def test_a_failed_forced_open_discards_nothing(puzzles: OpenPuzzles, files: list[Path], journals: Path) -> None:
    line(puzzles, f"open {files[0]}", "set 1A XYZ")
    files[1].write_text("no puzzle")
    refuses(puzzles.current, f"open --force {files[1]}", None, PuzzleFormatError)
    assert rows(puzzles.current)[0] == "XYZ"
    assert line(puzzles, "discarded") == "nothing was discarded"
    assert puzzles.current.document.journal.last == puzzles.current.puzzle


def test_the_number_of_open_puzzles_is_limited(puzzles: OpenPuzzles) -> None:
    for _ in range(MOST_OPEN - 1):
        puzzles.new(Puzzle.blank(3, 3))
    with pytest.raises(VerbError, match="the maximum"):
        puzzles.new(Puzzle.blank(3, 3))


def test_messages_name_their_session(puzzles: OpenPuzzles, files: list[Path], face: Face) -> None:
    line(puzzles, f"open {files[0]}", f"open {files[1]}")
    first, second = puzzles.sessions
    face.heard.clear()
    said(first, "set 1A XYZ")
    assert [session for session, one in face.heard if isinstance(one, PuzzleChanged)] == [first]
    assert second.puzzle == ALPHABET


def test_a_job_continues_in_the_background(puzzles: OpenPuzzles, small_list: Path) -> None:
    line(puzzles, "new 3", f"words {small_list}", "fill", "new 5")
    first = puzzles.sessions[0]
    assert first.wait(PATIENCE_SECONDS)
    assert rows(first) in [("BAG", "ICE", "TEN"), ("BIT", "ACE", "GEN")]
    assert not puzzles.current.document.is_begun


def test_a_background_puzzle_frees_its_problem_and_is_recounted_in_front(
    puzzles: OpenPuzzles, small_list: Path
) -> None:
    line(puzzles, "new 3", f"words {small_list}")
    first, jobs = puzzles.current, puzzles.current.jobs
    first.wait_until_ready(PATIENCE_SECONDS)
    jobs.candidates.start("1A")
    until(lambda: jobs.candidates._board is not None and bool(jobs.live_counts.view.entries.options))
    assert jobs.candidates._board is not None
    board, options = weakref.ref(jobs.candidates._board), jobs.live_counts.view.entries.options
    problem = weakref.ref(jobs.candidates._board.problem)
    line(puzzles, "new 5")
    until(lambda: board() is None and problem() is None)  # without a garbage collection
    assert jobs.live_counts.view.entries.options == options
    until(lambda: not jobs.live_counts.is_busy)
    jobs.refresh()
    assert not jobs.live_counts.is_busy
    line(puzzles, "tab 1")
    until(lambda: jobs.candidates._board is not None and jobs.live_counts.view.entries.options is not options)
    assert jobs.live_counts.view.entries.options == options


def until(is_so: Callable[[], bool]) -> None:
    """Wait for other threads."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_words_are_shared(puzzles: OpenPuzzles, files: list[Path], small_list: Path) -> None:
    line(puzzles, f"open {files[0]}", f"words {small_list}", f"open {files[1]}", f"words {small_list}")
    first, second = puzzles.sessions
    for session in (first, second):
        session.wait_until_ready(PATIENCE_SECONDS)
    assert first.jobs.words.lexicon is second.jobs.words.lexicon


def test_settings_carry_over(puzzles: OpenPuzzles, files: list[Path]) -> None:
    line(puzzles, f"open {files[0]}", "live on", f"open {files[1]}")
    assert puzzles.current.settings.live_fill
    line(puzzles, "live off", "tab 1")
    assert not puzzles.current.settings.live_fill


def test_equal_file_names_are_distinguished_by_folder(puzzles: OpenPuzzles, tmp_path: Path) -> None:
    for name in ("one/a.ipuz", "two/a.ipuz", "x/three/b.ipuz", "y/three/b.ipuz", "c.ipuz"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_puzzle(path, ALPHABET)
        puzzles.begin(path)
    names = [tab.name for tab in puzzles.tabs]
    assert names == ["one/a.ipuz", "two/a.ipuz", "x/three/b.ipuz", "y/three/b.ipuz", "c.ipuz"]
    assert "one/a.ipuz" in said(puzzles.current, "tab 1")


def test_a_new_tab_is_the_last_one(puzzles: OpenPuzzles, files: list[Path]) -> None:
    """Other tabs keep their numbers, whichever is in front."""
    for path in files:
        puzzles.begin(path)
    puzzles.show(1)
    puzzles.new(Puzzle.blank(3, 3))
    assert [tab.name for tab in puzzles.tabs] == ["a.ipuz", "b.ipuz", "untitled"]
    assert puzzles.tabs[-1].is_current


def test_closed_puzzles_are_freed(journals: Path) -> None:
    puzzles = OpenPuzzles(lambda listener: Session(listener, journal_folder=journals), lambda *_: None)
    assert puzzles_of(puzzles.current) is puzzles
    puzzles.end()
    left = (weakref.ref(puzzles), weakref.ref(puzzles.current))
    del puzzles
    gc.collect()
    assert [one() for one in left] == [None, None]
