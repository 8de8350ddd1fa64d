"""Files of others from the shell and in a session: warnings, `--strict`, `--key`, and the verb `warnings`."""

import json
from collections.abc import Mapping
from pathlib import Path

import puz
import pytest

from tests.formats.ipuz_documents import document
from tests.formats.test_puz_reading import made_by_others
from tests.shell.conftest import Run
from tests.shell.process import user_folders
from xwtui.errors import PuzzleFormatError
from xwtui.formats.intake import ReadOptions
from xwtui.formats.registry import read_puzzle
from xwtui.session.messages import Message, Notice
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A file with a sign in a square, and a clue of no entry."""
    path = tmp_path / "odd.ipuz"
    rows = [["$", "B", "C"], ["D", "E", "F"], ["G", "H", "I"]]
    path.write_text(json.dumps(document(solution=rows, clues={"Across": [[9, "lost"]]})))
    return path


@pytest.fixture
def locked(tmp_path: Path) -> Path:
    path = tmp_path / "locked.puz"
    file: puz.Puzzle = made_by_others("OATENARTS")
    file.lock_solution(4711)
    path.write_bytes(file.tobytes())
    return path


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    return user_folders(tmp_path)


def test_convert_warns_and_strict_refuses(run: Run, odd: Path) -> None:
    out = odd.with_name("out.ipuz")
    refused = run("convert", str(odd), str(out), "--strict")
    assert (refused.returncode, out.exists()) == (2, False)
    assert (
        "refused by --strict: squares with content that xwtui cannot hold: r1c1 '$' as [DOLLAR]" in refused.stderr
    )
    converted = run("convert", str(odd), str(out), "--json", status=0)
    squares, clues = converted.stderr.splitlines()
    told = json.loads(converted.stdout)["warnings"]
    assert [f"xwtui: {odd}: {warning}" for warning in told] == [squares, clues]
    assert squares.endswith("r1c1 '$' as [DOLLAR]")
    assert clues.endswith("9A 'lost'")
    again = run("convert", str(out), str(out), "--strict", "--force")
    assert (again.returncode, again.stderr) == (0, "")


def test_every_command_with_a_grid_warns_and_may_be_strict(run: Run, odd: Path) -> None:
    assert run("check", str(odd)).stderr.count("r1c1 '$' as [DOLLAR]") == 1
    assert run("check", str(odd), "--strict").returncode == 2


def test_warnings_as_data(run: Run, odd: Path) -> None:
    told = json.loads(run("warnings", str(odd), "--json").stdout)["warnings"]
    assert [warning["kind"] for warning in told] == ["squares", "unplaced"]
    assert told[0]["places"] == [{"where": "r1c1", "file": "$", "now": "as [DOLLAR]"}]


def test_a_key_from_the_shell(run: Run, locked: Path) -> None:
    out = locked.with_name("out.ipuz")
    for key in ("4711", "any"):
        assert run("convert", str(locked), str(out), "--key", key).returncode == 0
        assert read_puzzle(out).grid.is_filled
        out.unlink()
    wrong = run("convert", str(locked), str(out), "--key", "1111")
    assert (wrong.returncode, out.exists()) == (2, False)
    assert "the key 1111 does not unlock its solution" in wrong.stderr


def test_a_session_tells_once_and_keeps_the_rest(odd: Path, locked: Path, tmp_path: Path) -> None:
    heard: list[Message] = []
    session = Session(heard.append, journal_folder=tmp_path / "journal")
    try:
        session.open(odd)
        (notice,) = (message for message in heard if isinstance(message, Notice))
        assert notice.text.startswith("squares with content that xwtui cannot hold: r1c1 ")
        assert notice.text.endswith("; 1 more: `warnings` lists them")
        assert "  9A 'lost'" in run_line(session, "warnings").lines
        with pytest.raises(PuzzleFormatError, match="refused by --strict"):
            run_line(session, f"open {odd} --strict --force")
        assert session.document.path == odd
        run_line(session, f"open {locked} --key any --force")
        assert session.puzzle.grid.is_filled
        with pytest.raises(PuzzleFormatError, match="does not unlock"):
            session.open(locked, options=ReadOptions(key="1111"))
    finally:
        session.close()


def test_no_command_writes_over_a_file_of_somebody_else(run: Run, odd: Path) -> None:
    """Said before any work is done; with --force it is written."""
    diary, grid = odd.with_name("diary.txt"), odd.with_name("grid.txt")
    diary.write_text("Monday: rain.\n")
    grid.write_text("ABC\nDEF\nGHI\n")
    for words in (
        ("convert", grid, diary),
        ("export", grid, diary),
        ("snapshot", grid, "save", "one", "-o", diary, "--lossy"),
    ):
        refused = run(*map(str, words))
        assert (refused.returncode, diary.read_text()) == (2, "Monday: rain.\n")
        assert f"{diary} already exists: choose another name, or --force overwrites it\n" in refused.stderr
        assert (run(*map(str, words), "--force").returncode, diary.read_text()) == (0, grid.read_text())
        diary.write_text("Monday: rain.\n")


def test_the_shell_names_options_in_place_of_lines_of_verbs(run: Run, odd: Path, tmp_path: Path) -> None:
    grid, sheet = odd.with_name("grid.txt"), tmp_path / "clues.md"
    grid.write_text("ABC\nDEF\nGHI\n")
    for words in (("clues", grid, "export", sheet), ("export", grid, tmp_path / "out.puz", "--lossy")):
        run(*words)
        (tmp_path / "out.puz").write_text("Monday: rain.\n")
        refused = run(*words)
        told = refused.stdout + refused.stderr
        assert "exists: choose another name, or --force overwrites it" in told
        assert "`export" not in told
        assert "`clues export" not in told
