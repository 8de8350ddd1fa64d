"""What is written over and what is not, and which process has a file open."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.known import known
from tests.session.saying import HOLDS, Ear, open_elsewhere, refuses, said
from xwtui.errors import PuzzleFormatError
from xwtui.formats.registry import formats_to_write, read_puzzle, write_puzzle
from xwtui.model import Puzzle
from xwtui.resources import exports_file
from xwtui.session.overwriting import ExistsAlreadyError, check_free, numbered_free
from xwtui.session.presence import Holder, Presence
from xwtui.session.session import Session
from xwtui.session.settings import Overrides
from xwtui.session.verbs.export import EXPORTED
from xwtui.session.verbs.registry import run_line

DIARY = "Monday: rain.\n"


@pytest.fixture
def cat(bench: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """A full puzzle, a diary and a folder with a design, in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("diary.txt").write_text(DIARY)
    Path("my designs").mkdir()
    Path("my designs", "one.ipuz").write_text(DIARY)
    said(bench, "new 3 --force", "set 1A ABC", "set 4A DEF", "set 5A GHI")
    return bench


def puzzles_here() -> set[Path]:
    """All files of kinds that are saved or exported here."""
    return {path for path in Path().rglob("*") if path.suffix in (".ipuz", ".txt")}


def remedy_of(session: Session, line: str) -> str:
    """The line that is offered where this one is refused."""
    with pytest.raises(ExistsAlreadyError) as caught:
        run_line(session, line)
    return caught.value.remedy.strip("`")


@pytest.mark.parametrize(
    ("line", "lost"),
    [
        ("export diary.txt", "diary.txt"),
        ("export diary.txt --lossy", "diary.txt"),
        ('export "my designs/one.ipuz"', "my designs/one.ipuz"),
        ('save "my designs/one.ipuz"', "my designs/one.ipuz"),
        ('save "my designs/one"', "my designs/one.ipuz"),
    ],
)
def test_what_is_there_stays_and_the_line_that_is_offered_writes_just_there(
    cat: Session, line: str, lost: str
) -> None:
    before = puzzles_here()
    remedy = remedy_of(cat, line)
    assert Path(lost).read_text() == DIARY
    run_line(cat, remedy)
    assert read_puzzle(Path(lost)).grid == cat.puzzle.grid
    assert puzzles_here() == before


def test_a_file_of_a_name_that_no_terminal_may_show_is_refused_in_words(cat: Session) -> None:
    Path("a\x1b[2J.txt").write_text(DIARY)
    with pytest.raises(ExistsAlreadyError, match=r"^a\\x1b\[2J\.txt already exists: choose another name, or "):
        run_line(cat, "export a\x1b[2J.txt")


def test_a_puzzle_is_exported_again_until_somebody_else_writes_the_file(cat: Session) -> None:
    said(cat, "export out.txt", "set 1A XYZ", "export out.txt")
    assert Path("out.txt").read_text().startswith("XYZ")
    Path("out.txt").write_text(DIARY + DIARY)
    assert remedy_of(cat, "export out.txt") == "export --force out.txt"
    said(cat, "export --force out.txt", "export out.txt", "new 3 --force")
    assert remedy_of(cat, "export out.txt --lossy") == "export --force --lossy out.txt"


def test_a_later_session_of_the_same_puzzle_exports_again_until_somebody_else_writes_the_file(
    cat: Session, ear: Ear, journals: Path
) -> None:
    said(cat, "save cat.ipuz", "export out.txt", "save dog.ipuz")
    later = Session(ear, journal_folder=journals)
    said(later, "open cat.ipuz", "set 1A XYZ", "export out.txt")
    assert Path("out.txt").read_text().startswith("XYZ")
    run_line(later, "open dog.ipuz --force")
    assert remedy_of(later, "export out.txt") == "export --force out.txt"
    run_line(later, "open cat.ipuz")
    Path("out.txt").write_text(DIARY)
    assert remedy_of(later, "export out.txt") == "export --force out.txt"
    exports_file().write_text('{"a": [')
    run_line(later, "export new.txt")
    later.close()


def test_options_that_no_export_has_are_left_out_where_all_is_exported_again(
    cat: Session, ear: Ear, journals: Path
) -> None:
    """Whoever edits the file of exports, or an older version has written it."""
    said(cat, "save cat.ipuz", "export out.txt")
    kept = json.loads(exports_file().read_text())
    for one in kept.values():
        one[2] = {"paper": 3, "of a later version": True}
    exports_file().write_text(json.dumps(kept))
    later = Session(ear, journal_folder=journals)
    said(later, "open cat.ipuz", "set 1A XYZ", "export again")
    assert Path("out.txt").read_text().startswith("XYZ")
    later.close()


def test_all_formats_go_to_a_folder_that_is_made_but_not_with_one_around_it(cat: Session, tmp_path: Path) -> None:
    refuses(cat, "export --all nowhere/out", f"cannot make {tmp_path / 'nowhere/out'}: there is no folder")
    assert not Path("nowhere").exists()


def test_all_formats_are_written_but_over_files_that_are_there(cat: Session) -> None:
    run_line(cat, "export --all out")
    assert len(list(Path("out").iterdir())) == len(formats_to_write())
    assert "already exists" not in said(cat, "export --all out")
    Path("out", "untitled.txt").write_text(DIARY)
    lines = said(cat, "export --all out").splitlines()
    assert [line for line in lines if "already exists" in line] == [
        ".txt: untitled.txt already exists: choose another name, or `export --force --all out` overwrites it"
    ]
    assert Path("out", "untitled.txt").read_text() == DIARY
    run_line(cat, "export --force --all out")
    assert Path("out", "untitled.txt").read_text() != DIARY


def test_all_formats_are_as_careful_with_clues_of_other_answers_as_each_alone(cat: Session) -> None:
    said(cat, "clue 1A Beginning", "set 1A XYZ")
    told = said(cat, "export --all untitled")
    Path("alone").mkdir()
    refused = []
    for _, suffix in formats_to_write():
        try:
            run_line(cat, f"export alone/untitled{suffix}")
        except PuzzleFormatError as error:
            refused.append(f"{suffix}: {error}")
    assert [line for line in told.splitlines() if "(of ABC)" in line and line.startswith(".")] == refused
    assert refused[1].startswith(".puz: .puz cannot hold clues of other answers at 1A")
    assert {path.name for path in Path("untitled").iterdir()} == {path.name for path in Path("alone").iterdir()}
    run_line(cat, "export --all untitled --lossy")
    assert len(list(Path("untitled").iterdir())) == len(formats_to_write())


def test_the_source_of_a_command_and_what_is_no_file_may_be_written_to(tmp_path: Path) -> None:
    grid = tmp_path / "grid.txt"
    grid.write_text(DIARY)
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    for path, source in ((grid, grid), (tmp_path / "link" / "grid.txt", grid), (tmp_path / "new.txt", grid)):
        check_free(path, source=str(source))
    check_free(tmp_path)
    for other in (None, "-", str(tmp_path / "none.txt")):
        with pytest.raises(
            ExistsAlreadyError, match=r"grid\.txt already exists: choose another name, or --force "
        ):
            check_free(grid, source=other)


@given(taken=st.sets(st.integers(1, 6)), count=st.integers(0, 3))
@examples(40)
def test_files_with_numbers_go_on_behind_those_that_are_there(taken: set[int], count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for number in taken:
            Path(folder, f"{number}.txt").write_text(DIARY)
        paths, notes = numbered_free(lambda number: Path(folder, f"{number}.txt"), count)
        rows = (range(start, start + count) for start in range(1, 8))
        free = next(row for row in rows if taken.isdisjoint(row))
        assert paths == [Path(folder, f"{number}.txt") for number in free]
        assert bool(notes) == (count > 0 and free[0] > 1)


def test_an_empty_file_is_as_good_as_none(cat: Session) -> None:
    Path("out.txt").touch()
    run_line(cat, "export out.txt")
    assert Path("out.txt").stat().st_size > 0


@pytest.mark.parametrize(
    ("line", "lost"),
    [
        ("fill --seed 1 --trace a.trace", "a.trace"),
        ("fill --proof a.proof", "a.proof"),
        ("fill --strategy sat --proof a.drat", "a.drat"),
        ("fill --strategy sat --proof a.drat", "a.cnf"),
    ],
)
def test_no_search_begins_that_would_write_over_a_file(cat: Session, line: str, lost: str) -> None:
    run_line(cat, "clear 1A")
    Path(lost).write_text(DIARY)
    refused = f"{lost} already exists: choose another name, or --force overwrites it"
    refuses(cat, line, f"^{re.escape(refused)}$", ExistsAlreadyError)
    assert not cat.jobs.fill.is_running
    assert cat.jobs.fill.view is None
    assert Path(lost).read_text() == DIARY


def test_no_export_takes_the_place_of_the_work(cat: Session) -> None:
    said(cat, "ban ABCDE", "save work.ipuz")
    saved = Path("work.ipuz").read_bytes()
    Path("link.ipuz").symlink_to("work.ipuz")
    for line in ("work.ipuz", "work.ipuz --force", "link.ipuz --force", "./work.ipuz --with-work"):
        refuses(cat, f"export {line}", "that is your puzzle's own file: use `save`")
    assert Path("work.ipuz").read_bytes() == saved
    assert said(cat, "export ipuz").splitlines()[0] == f"exported: {Path('work.export.ipuz').absolute()}"
    assert (Path("work.ipuz").read_bytes(), Path("work.export.ipuz").is_file()) == (saved, True)
    offered = EXPORTED.offers(cat, "ipuz")
    assert [(str(item.value), item.help) for item in offered] == [("ipuz", "ipuz: work.export.ipuz")]


def test_the_kind_of_an_export_may_begin_with_its_dot(cat: Session) -> None:
    said(cat, "save work.ipuz", "export .TXT")
    assert (Path("work.txt").is_file(), Path(".TXT").exists()) == (True, False)


def test_all_that_was_exported_is_written_again_at_once_with_its_options(
    cat: Session, ear: Ear, journals: Path
) -> None:
    asked = "name a file such as heart.puz, a format such as pdf, or --all and a folder"
    refuses(cat, "export", f"nothing was exported from this puzzle yet: {asked}")
    said(cat, "ban ABCDE", "save cat.ipuz", "export out.txt", "export out.ipuz --with-work", "export gone.xd")
    Path("gone.xd").unlink()
    refuses(cat, "export --lossy", f"export: {asked}")
    later = Session(ear, journal_folder=journals)
    for session in (cat, later):
        said(session, "open cat.ipuz", "set 1A XYZ")
        assert [item.value for item in EXPORTED.offers(session, "ag")] == ["again"]
        assert said(session, "export again").splitlines()[:2] == [
            f"exported: {Path(name).absolute()}" for name in ("out.txt", "out.ipuz")
        ]
        assert (Path("out.txt").read_text()[:3], "ABCDE" in Path("out.ipuz").read_text()) == ("XYZ", True)
        assert not Path("gone.xd").exists()
        said(session, "undo", "export")
    Path("out.txt").write_text(DIARY)
    said(later, "export --force out.txt")
    Path("out.txt").write_text(DIARY)
    told = said(later, "export").splitlines()
    assert [line.split(" already")[0] for line in told[:2]] == [
        f"exported: {Path('out.ipuz').absolute()}",
        f".txt: {Path('out.txt').absolute()}",
    ]
    assert Path("out.txt").read_text() == DIARY
    later.close()


def test_no_repeated_export_takes_the_place_of_the_work(cat: Session) -> None:
    said(cat, "export out.ipuz", "export out.txt", "ban ABCDE", "save out.ipuz --force")
    saved = Path("out.ipuz").read_bytes()
    assert said(cat, "export --force").splitlines()[0] == f"exported: {Path('out.txt').absolute()}"
    assert Path("out.ipuz").read_bytes() == saved


def test_the_line_that_writes_over_a_file_keeps_the_work_in_it(cat: Session) -> None:
    Path("copy.ipuz").write_text(DIARY)
    assert remedy_of(cat, "export copy.ipuz --with-work") == "export --force --with-work copy.ipuz"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_puzzle(tmp_path / "p.ipuz", Puzzle.blank(5, 5))
    return tmp_path / "p.ipuz"


def is_held(path: Path, folder: Path) -> bool:
    """Whether another process finds the file held by this one."""
    command = [sys.executable, "-c", HOLDS, str(path), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        told = known(process.stdout).readline()
        process.kill()
    return told.startswith("Holder(")


def test_another_process_is_told_until_it_is_killed(path: Path, journals: Path) -> None:
    with open_elsewhere(path, journals) as other:
        presence = Presence(path, journals)
        assert presence.other is not None
        assert presence.other.pid == other.pid
        assert f"process {other.pid} of " in presence.other.words
        assert Presence(path.with_name("q.ipuz"), journals).other is None
        bench = Session(journal_folder=journals)
        assert said(bench, f"open {path}").startswith("p.ipuz: 5×5, 10 entries; p.ipuz is open in another xwtui: ")
        assert "is open in another xwtui" in said(bench, "save")
        bench.close()
        other.kill()
        other.wait()
        presence.hold(path)
        assert presence.other is None
        presence.release()


def test_the_one_who_saves_when_the_other_is_gone_has_the_file_from_then_on(path: Path, journals: Path) -> None:
    bench = Session(journal_folder=journals)
    with open_elsewhere(path, journals) as other:
        bench.open(path)
        bench.save()
        assert bench.document.in_use_words, "the other one has it still"
        other.kill()
        other.wait()
    assert "another xwtui" not in said(bench, "save")
    assert is_held(path, journals), "it is ours now"
    bench.close()


def test_a_process_is_no_other_to_itself(path: Path, journals: Path) -> None:
    one, two = Session(journal_folder=journals), Session(journal_folder=journals)
    for bench in (one, two, one):
        bench.open(path)
        assert bench.document.in_use_words == ""
    two.close()
    assert is_held(path, journals), "the first one has it still"
    one.close()
    with open_elsewhere(path, journals):
        pass


def test_a_session_that_leaves_nothing_behind_holds_no_file(path: Path, journals: Path) -> None:
    bench = Session(journal_folder=journals, overrides=Overrides(holds_files=False))
    bench.open(path)
    bench.save(path.with_name("q.ipuz"))
    bench.save()
    assert not journals.exists()
    bench.close()


def test_a_holder_that_cannot_be_read_and_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    assert Holder().words == "is open in another xwtui"
    (tmp_path / "file").touch()
    assert Presence(tmp_path / "p.ipuz", tmp_path / "file").other is None
