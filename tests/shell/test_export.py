"""Third-party files in the shell, and the verb `export`: warnings, and what a format cannot represent."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import puz
import pytest

from tests.formats.published import document
from tests.formats.test_puz import made_by_others
from tests.session.saying import refuses
from tests.shell.conftest import Run
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.intake import ReadOptions
from xwtui.formats.registry import (
    formats_to_write,
    puzzle_bytes,
    read_puzzle,
    suffixes,
    suffixes_to_write,
    write_puzzle,
)
from xwtui.model import Bar, Position, Puzzle
from xwtui.session.messages import Message, Notice
from xwtui.session.session import Session
from xwtui.session.verbs.export import ExportForm, export_all, export_to, look_at
from xwtui.session.verbs.registry import run_line


@pytest.fixture
def puzzle() -> Puzzle:
    """A puzzle with a bar, a void, a rebus, a square with two answers, and a clue with an emoji."""
    grid = grid_from_text("A[HEART]C\nD[X/O]_\nEFG").with_bars([Bar.between(Position(2, 0), Position(2, 1))])
    whole = Puzzle(grid, title="T")
    for slot in grid.slots:
        whole = whole.with_clue(slot, f"🎉 {slot.name}")
    return whole


def test_every_format_is_written_and_read_back(puzzle: Puzzle, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    answer = export_all(folder, "p", puzzle, ExportForm(lossy=True))
    assert {path.name for path in folder.iterdir()} == {f"p{suffix}" for _, suffix in formats_to_write()}
    lost = {each.suffix: each.lost for each in answer.formats}
    assert lost[".svg"] == ("SVG has no place for the clues",)
    assert lost[".ipuz"] == lost[".jpz"] == lost[".html"] == lost[".md"] == ()
    assert [what.partition(" at ")[0] for what in lost[".puz"]] == [
        ".puz cannot hold bars",
        ".puz cannot hold the clues",
        ".puz cannot hold voids",
        ".puz cannot hold two answers in a square",
        lost[".puz"][-1],
    ]
    assert lost[".puz"][-1].startswith(".puz cannot hold these characters, spelled out: the clue of 1A (🎉), ")
    for suffix in suffixes():
        if suffix not in (".json", ".xml"):
            assert read_puzzle(folder / f"p{suffix}").grid.height == 3
    assert answer.missing == ("the puzzle has no author",)


def test_an_option_of_the_file_names_its_verb(run: Run) -> None:
    result = run("export", "a.ipuz", "-o", "a.puz", status=2)
    assert "Name the file after the puzzle: xwtui export GRID FILE" in result.stderr
    assert "Name the file" not in run("watch", "a.search", "-o", "a.puz").stderr
    assert "Name the file" not in run("clues", "a.ipuz", "export", "-o", "a.csv").stderr


def test_a_preview_gives_the_same_warnings_and_writes_nothing(puzzle: Puzzle, tmp_path: Path) -> None:
    written = export_all(tmp_path, "p", puzzle, ExportForm(lossy=True))
    looked_at = look_at(puzzle)
    assert looked_at.formats == tuple(replace(each, path=None) for each in written.formats)
    assert [each.suffix for each in look_at(puzzle, ".puz").formats] == [".puz"]
    assert ".jpz: keeps everything meant for others" in looked_at.lines
    with pytest.raises(PuzzleFormatError, match=r"xwtui writes \.ipuz, .*, not '\.doc'"):
        look_at(puzzle, ".doc")


def test_a_format_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    rows = "\n".join("".join(f"[{first}{second}]" for second in "ABCDEFG") for first in "TUVWXYZ")
    answer = export_all(tmp_path, "p", Puzzle(grid_from_text(rows)), ExportForm(lossy=True))
    refused = {each.suffix: each.refusal for each in answer.formats if each.refusal}
    assert refused == {".al.txt": "Across Lite text cannot hold more than 21 different rebus strings"}
    assert not (tmp_path / "p.al.txt").exists()


@pytest.mark.parametrize(
    ("name", "stem"), [("heart.al.txt", "heart"), ("x.key.ipuz", "x.key"), ("x.solution.ipuz", "x.solution")]
)
def test_names_with_two_dots_get_a_file_of_each_format(run: Run, name: str, stem: str, tmp_path: Path) -> None:
    """Each has its own format, whatever the rest of its name suggests."""
    path = tmp_path / name
    filled = Puzzle(grid_from_text("ABC\nDEF\nGHI"), title="T")
    write_puzzle(path, filled)
    run("export", path, "--all", tmp_path / "out", status=0)
    out = tmp_path / "out"
    assert {each.name for each in out.iterdir()} == {f"{stem}{suffix}" for _, suffix in formats_to_write()}
    for suffix in (".txt", ".al.txt", ".pdf", ".key.pdf", ".svg", ".solution.svg", ".png", ".solution.png"):
        assert (out / f"{stem}{suffix}").read_bytes() == puzzle_bytes(filled, suffix, lossy=True).data


def written(path: Path) -> tuple[int, int, bytes]:
    """Return a file's identity, modification time and contents."""
    return path.stat().st_ino, path.stat().st_mtime_ns, path.read_bytes()


@pytest.mark.parametrize("name", ["p.ipuz", "p.puz", "p.al.txt"])
def test_the_puzzles_own_file_is_not_exported_over(
    run: Run, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer reports it."""
    path = tmp_path / name
    write_puzzle(path, Puzzle(grid_from_text("ABC\nDEF\nGHI"), title="T"))
    before = written(path)
    monkeypatch.chdir(tmp_path)
    done = run("export", name, "--all", ".", "--json", status=0)
    assert written(path) == before
    refused = {each["suffix"]: each["refused"] for each in json.loads(done.stdout)["formats"] if each["refused"]}
    assert refused == {name.removeprefix("p"): f"{name} is the puzzle's own file and was left unchanged"}
    assert len(list(tmp_path.glob("p.*"))) == len(formats_to_write())


def test_the_own_file_is_recognized_under_another_name(puzzle: Puzzle, tmp_path: Path) -> None:
    """Through a symbolic link to its folder."""
    own = tmp_path / "p.ipuz"
    write_puzzle(own, puzzle)
    before = written(own)
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    answer = export_all(tmp_path / "link", "p", puzzle, ExportForm(lossy=True), own)
    assert [each.suffix for each in answer.formats if each.refusal] == [".ipuz"]
    assert written(own) == before


@pytest.mark.parametrize("suffix", suffixes_to_write())
def test_every_written_suffix_can_be_previewed(suffix: str, tmp_path: Path) -> None:
    filled = Puzzle(grid_from_text("ABC\nDEF\nGHI"), title="T")
    (looked_at,) = look_at(filled, suffix).formats
    (written,) = export_to(tmp_path / f"p{suffix}", filled, ExportForm(lossy=True)).formats
    assert looked_at == replace(written, path=None)


def test_from_the_shell(run: Run, puzzle: Puzzle, tmp_path: Path) -> None:
    path = tmp_path / "p.ipuz"
    write_puzzle(path, puzzle)

    def call(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return run("export", path, *arguments)

    looked_at = json.loads(call("--preview", "--json").stdout)
    assert {each["suffix"] for each in looked_at["formats"]} == {suffix for _, suffix in formats_to_write()}
    assert all(each["file"] is None and each["refused"] is None for each in looked_at["formats"])
    for_one = json.loads(call("--preview", "--for", "crosshare", "--json").stdout)
    assert [each["suffix"] for each in for_one["formats"]] == [".ipuz", ".puz"]
    assert "--for excludes --with-work" in call("q.ipuz", "--for", "puzzmo", "--with-work").stderr
    done = call("--all", tmp_path / "out")
    assert done.returncode == 0
    assert f"exported: {tmp_path / 'out' / 'p.html'}" in done.stdout
    refused = call(tmp_path / "q.puz")
    assert refused.returncode != 0
    assert "cannot hold bars" in refused.stderr
    assert call(tmp_path / "q.jpz").returncode == 0
    assert read_puzzle(tmp_path / "q.jpz").grid.bars == puzzle.grid.bars


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A file with a mark in a square, and a clue without an entry."""
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


def test_every_command_with_a_grid_warns_and_has_strict(run: Run, odd: Path) -> None:
    assert run("check", str(odd)).stderr.count("r1c1 '$' as [DOLLAR]") == 1
    run("check", str(odd), "--strict", status=2)


def test_warnings_as_data(run: Run, odd: Path) -> None:
    told = json.loads(run("warnings", str(odd), "--json").stdout)["warnings"]
    assert [warning["kind"] for warning in told] == ["squares", "unplaced"]
    assert told[0]["places"] == [{"where": "r1c1", "file": "$", "now": "as [DOLLAR]"}]


def test_a_key_from_the_shell(run: Run, locked: Path) -> None:
    out = locked.with_name("out.ipuz")
    for key in ("4711", "any"):
        run("convert", str(locked), str(out), "--key", key, status=0)
        assert read_puzzle(out).grid.is_filled
        out.unlink()
    wrong = run("convert", str(locked), str(out), "--key", "1111")
    assert (wrong.returncode, out.exists()) == (2, False)
    assert "the key 1111 does not unlock its solution" in wrong.stderr


def test_a_session_warns_once_and_preserves_the_rest(odd: Path, locked: Path, tmp_path: Path) -> None:
    heard: list[Message] = []
    session = Session(heard.append, journal_folder=tmp_path / "journal")
    try:
        session.open(odd)
        (notice,) = (message for message in heard if isinstance(message, Notice))
        assert notice.text.startswith("squares with content that xwtui cannot hold: r1c1 ")
        assert notice.text.endswith("; 1 more: `warnings` lists them")
        assert "  9A 'lost'" in run_line(session, "warnings").lines
        refuses(session, f"open {odd} --strict --force", "refused by --strict", PuzzleFormatError)
        assert session.document.path == odd
        run_line(session, f"open {locked} --key any --force")
        assert session.puzzle.grid.is_filled
        with pytest.raises(PuzzleFormatError, match="does not unlock"):
            session.open(locked, options=ReadOptions(key="1111"))
    finally:
        session.close()


def test_no_command_overwrites_a_foreign_file(run: Run, odd: Path) -> None:
    """It is refused before any work is done; with --force it is written."""
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


def test_the_shell_suggests_options_instead_of_verb_lines(run: Run, odd: Path, tmp_path: Path) -> None:
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
