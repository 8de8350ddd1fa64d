"""Which files may be overwritten, and which process has a file open."""

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
    """Return all files here of types that can be saved or exported."""
    return {path for path in Path().rglob("*") if path.suffix in (".ipuz", ".txt")}


def remedy_of(session: Session, line: str) -> str:
    """Return the command suggested when this line is refused."""
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
def test_files_are_kept_and_the_suggested_command_writes_them(cat: Session, line: str, lost: str) -> None:
    before = puzzles_here()
    remedy = remedy_of(cat, line)
    assert Path(lost).read_text() == DIARY
    run_line(cat, remedy)
    assert read_puzzle(Path(lost)).grid == cat.puzzle.grid
    assert puzzles_here() == before


def test_file_names_with_control_characters_are_refused(cat: Session) -> None:
    Path("a\x1b[2J.txt").write_text(DIARY)
    with pytest.raises(ExistsAlreadyError, match=r"^a\\x1b\[2J\.txt already exists: choose another name, or "):
        run_line(cat, "export a\x1b[2J.txt")


def test_exporting_again_overwrites_until_another_program_changes_the_file(cat: Session) -> None:
    said(cat, "export out.txt", "set 1A XYZ", "export out.txt")
    assert Path("out.txt").read_text().startswith("XYZ")
    Path("out.txt").write_text(DIARY + DIARY)
    assert remedy_of(cat, "export out.txt") == "export --force out.txt"
    said(cat, "export --force out.txt", "export out.txt", "new 3 --force")
    assert remedy_of(cat, "export out.txt --lossy") == "export --force --lossy out.txt"


def test_a_later_session_exports_again_until_another_program_changes_the_file(
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


def test_unknown_stored_options_are_ignored_when_exporting_again(cat: Session, ear: Ear, journals: Path) -> None:
    """The exports file may have been edited, or written by an older version."""
    said(cat, "save cat.ipuz", "export out.txt")
    kept = json.loads(exports_file().read_text())
    for one in kept.values():
        one[2] = {"paper": 3, "of a later version": True}
    exports_file().write_text(json.dumps(kept))
    later = Session(ear, journal_folder=journals)
    said(later, "open cat.ipuz", "set 1A XYZ", "export again")
    assert Path("out.txt").read_text().startswith("XYZ")
    later.close()


def test_exporting_all_formats_creates_the_folder_but_not_its_parent(cat: Session, tmp_path: Path) -> None:
    refuses(cat, "export --all nowhere/out", f"cannot make {tmp_path / 'nowhere/out'}: there is no folder")
    assert not Path("nowhere").exists()


def test_exporting_all_formats_skips_existing_files(cat: Session) -> None:
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


def test_exporting_all_formats_treats_stale_clues_as_single_exports_do(cat: Session) -> None:
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


def test_a_commands_own_source_and_missing_files_may_be_written(tmp_path: Path) -> None:
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
def test_numbered_files_continue_after_existing_ones(taken: set[int], count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for number in taken:
            Path(folder, f"{number}.txt").write_text(DIARY)
        paths, notes = numbered_free(lambda number: Path(folder, f"{number}.txt"), count)
        rows = (range(start, start + count) for start in range(1, 8))
        free = next(row for row in rows if taken.isdisjoint(row))
        assert paths == [Path(folder, f"{number}.txt") for number in free]
        assert bool(notes) == (count > 0 and free[0] > 1)


def test_an_empty_file_may_be_overwritten(cat: Session) -> None:
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
def test_no_search_starts_if_its_output_would_overwrite_a_file(cat: Session, line: str, lost: str) -> None:
    run_line(cat, "clear 1A")
    Path(lost).write_text(DIARY)
    refused = f"{lost} already exists: choose another name, or --force overwrites it"
    refuses(cat, line, f"^{re.escape(refused)}$", ExistsAlreadyError)
    assert not cat.jobs.fill.is_running
    assert cat.jobs.fill.view is None
    assert Path(lost).read_text() == DIARY


def test_an_export_never_replaces_the_working_file(cat: Session) -> None:
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


def test_an_export_type_may_start_with_a_dot(cat: Session) -> None:
    said(cat, "save work.ipuz", "export .TXT")
    assert (Path("work.txt").is_file(), Path(".TXT").exists()) == (True, False)


def test_all_exports_are_repeated_with_their_options(cat: Session, ear: Ear, journals: Path) -> None:
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


def test_a_repeated_export_never_replaces_the_working_file(cat: Session) -> None:
    said(cat, "export out.ipuz", "export out.txt", "ban ABCDE", "save out.ipuz --force")
    saved = Path("out.ipuz").read_bytes()
    assert said(cat, "export --force").splitlines()[0] == f"exported: {Path('out.txt').absolute()}"
    assert Path("out.ipuz").read_bytes() == saved


def test_the_suggested_overwriting_command_keeps_with_work(cat: Session) -> None:
    Path("copy.ipuz").write_text(DIARY)
    assert remedy_of(cat, "export copy.ipuz --with-work") == "export --force --with-work copy.ipuz"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_puzzle(tmp_path / "p.ipuz", Puzzle.blank(5, 5))
    return tmp_path / "p.ipuz"


def is_held(path: Path, folder: Path) -> bool:
    """Whether another process sees the file as held by this one."""
    command = [sys.executable, "-c", HOLDS, str(path), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        told = known(process.stdout).readline()
        process.kill()
    return told.startswith("Holder(")


def test_another_process_is_warned_until_the_holder_is_killed(path: Path, journals: Path) -> None:
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


def test_saving_after_the_holder_is_gone_takes_over_the_file(path: Path, journals: Path) -> None:
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


def test_a_process_does_not_conflict_with_itself(path: Path, journals: Path) -> None:
    one, two = Session(journal_folder=journals), Session(journal_folder=journals)
    for bench in (one, two, one):
        bench.open(path)
        assert bench.document.in_use_words == ""
    two.close()
    assert is_held(path, journals), "the first one has it still"
    one.close()
    with open_elsewhere(path, journals):
        pass


def test_a_session_without_files_holds_no_file(path: Path, journals: Path) -> None:
    bench = Session(journal_folder=journals, overrides=Overrides(holds_files=False))
    bench.open(path)
    bench.save(path.with_name("q.ipuz"))
    bench.save()
    assert not journals.exists()
    bench.close()


def test_an_unreadable_holder_and_an_unmakeable_folder_are_harmless(tmp_path: Path) -> None:
    assert Holder().words == "is open in another xwtui"
    (tmp_path / "file").touch()
    assert Presence(tmp_path / "p.ipuz", tmp_path / "file").other is None
