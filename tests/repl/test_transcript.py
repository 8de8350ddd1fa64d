"""Transcripts: a dialogue recorded in a file that replays to the same puzzle."""

import io
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.examples import examples
from tests.repl.conftest import Talk
from tests.shell.process import user_folders, xwtui
from xwtui.errors import XwtuiError
from xwtui.formats.registry import read_puzzle
from xwtui.model import Puzzle
from xwtui.repl.dialogue import puzzles_reporting_to
from xwtui.repl.line_runner import Inbox, LineRunner
from xwtui.repl.output import Output
from xwtui.repl.transcript import Transcript
from xwtui.session.session import Session

LINES = [
    "set 1A ABC",
    "set r2c2 E",
    "rebus r1c1 XY",
    "clear 1A",
    "block r1c1",
    "block r2c2",
    "bar r1c1 right",
    "symmetry none",
    "symmetry rot180",
    "circle r2c2",
    "shade r1c1:r2c2",
    "lock 1A",
    "unlock all",
    "pencil all",
    "pencil selection",
    "accept",
    "select r1c1:r2c2",
    "select none",
    "goto 2D",
    "goto r3c1",
    "set GHI",
    'clue 1A A line with "quotes" and \' more',
    "clue Here",
    "title Hearts \\\\",
    "notes é\u2028\x1b[2J",
    "rule 1A --contains B",
    "letters r1c1 AEIOU",
    "want ABC",
    "ban ABX",
    "allow ABX",
    "words --min-score 20",
    "new 4 --force",
    "undo",
    "redo",
    "fill --partial",
    "fill --seed 3",
    "reject 1A",
    "swap 1A ADG",
    "step 2",
    "stop",
    "snapshot save one",
    "snapshot return one",
    "nonsense",
    "# a comment",
    "save",
]


def ran(lines: list[str], folder: Path, *, is_strict: bool) -> Puzzle:
    """Return the puzzle after running lines in a new session; if strict, no line may be refused."""
    inbox = Inbox()
    puzzles = puzzles_reporting_to(inbox, lambda listener: Session(listener, journal_folder=folder / "journals"))
    runner = LineRunner(puzzles, inbox, Output(io.StringIO()), is_patient=True)
    puzzles.current.start()
    try:
        for line in lines:
            try:
                runner.run(line, grid_after_edits=False)
            except XwtuiError:
                assert not is_strict, line
        return puzzles.current.puzzle
    finally:
        puzzles.current.discard_changes()
        puzzles.end()


@given(before=st.lists(st.sampled_from(LINES), max_size=3), lines=st.lists(st.sampled_from(LINES), max_size=12))
@examples(20, HealthCheck.function_scoped_fixture)
def test_a_transcript_replays_to_the_same_puzzle(mini: Path, before: list[str], lines: list[str]) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        for file in ("mini.ipuz", "words.txt"):
            (folder / file).write_bytes((mini.parent / file).read_bytes())
        kept = folder / "kept.xwt"
        begun = [f"open {folder / 'mini.ipuz'}", *before, f"transcript {kept}"]
        ended = ran([*begun, *lines], folder, is_strict=False)
        with chdir(folder):
            again = ran(kept.read_text(encoding="utf-8").split("\n"), folder, is_strict=True)
        assert again == ended, kept.read_text(encoding="utf-8")


def test_a_verb_starts_and_ends_a_transcript(piped: Talk, tmp_path: Path, mini: Path) -> None:
    kept = tmp_path / "monday.xwt"
    said = piped(
        f"transcript {tmp_path / 'monday'}", "set 1A ABC", "fill --seed 5", "save", "transcript off", "undo"
    )
    assert f"recording lines in {kept}, starting from the puzzle in {tmp_path / 'monday-1.ipuz'}" in said.text
    assert f"`xwtui run {kept}` replays it" in said.text
    lines = kept.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# a transcript of xwtui")
    assert "set 1A ABC" in lines
    assert lines[lines.index("# fill --seed 5") + 1].startswith('change {"squares": ')
    assert lines[-1] == f'save --force "{mini.name}"'
    assert "! no transcript is being recorded" in piped("transcript off", puzzle=None).text


def test_a_transcript_replays_after_its_folder_is_moved(
    piped: Talk, tmp_path: Path, mini: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    kept, elsewhere = tmp_path / "monday.xwt", tmp_path_factory.mktemp("elsewhere")
    said = piped(
        f"transcript {kept}",
        "set 1A ABC",
        "want GHI",
        "words words.txt --min-score 1",
        "fill --seed 5",
        "reject 1D",
        f"export {tmp_path / 'out.txt'}",
        f"clues export {tmp_path / 'clues.md'}",
        "save",
        "transcript off",
    )
    assert str(tmp_path) not in kept.read_text(encoding="utf-8")
    moved = elsewhere / "moved"
    for path in list(tmp_path.iterdir()):
        if path.is_file() and path.name != "out.txt":
            moved.mkdir(exist_ok=True)
            path.rename(moved / path.name)
    (moved / "clues.md").write_text("of an earlier run", encoding="utf-8")
    done = xwtui("run", moved / kept.name, environment=user_folders(elsewhere), folder=Path("/"))
    assert (done.returncode, done.stderr) == (0, "")
    assert read_puzzle(moved / mini.name) == said.session.puzzle
    assert (moved / "out.txt").is_file()
    assert "ABC" in (moved / "clues.md").read_text(encoding="utf-8")


def test_a_transcript_overwrites_only_with_force_and_its_copies_never(piped: Talk, tmp_path: Path) -> None:
    kept, copy = tmp_path / "monday.xwt", tmp_path / "monday-1.ipuz"
    for path in (kept, copy):
        path.write_text("Monday: rain.\n", encoding="utf-8")
    refused = f"! {kept} already exists: choose another name, or `transcript --force {kept}` overwrites it"
    assert refused in piped(f"transcript {tmp_path / 'monday'}", "set 1A ABC").text
    assert kept.read_text(encoding="utf-8") == "Monday: rain.\n"
    piped(f"transcript --force {kept}", "set 1A ABC", "save")
    assert kept.read_text(encoding="utf-8").splitlines()[1] == 'open --force "monday-2.ipuz"'
    assert copy.read_text(encoding="utf-8") == "Monday: rain.\n"


def test_a_transcript_file_is_identified_as_one(piped: Talk, tmp_path: Path) -> None:
    assert "! transcript: the file name must end in .xwt" in piped(f"transcript {tmp_path / 'a.txt'}").text


def test_unrecorded_actions_change_nothing(piped: Talk) -> None:
    said = piped(
        "change nonsense", "change []", 'change {"squares": [[99, "open", "A", 1, false, false]]}', "check"
    )
    assert len([line for line in said.lines if line.startswith("! ") and "change" in line]) == 3


def test_short_test_solving_lines_are_recorded_as_verbs(piped: Talk, tmp_path: Path, mini: Path) -> None:
    kept = tmp_path / "kept.xwt"
    typed = ("solve", "1A ABX", "check", "note 1A too hard", "pause", "leave", "title Hearts")
    said = piped("set 1A ABC", f"transcript {kept}", *typed)
    assert "the transcript stopped" not in said.text
    lines = kept.read_text(encoding="utf-8").splitlines()
    assert {"# solve write 1A ABX", "# solve note 1A too hard", "# solve leave"} <= {*lines}
    assert lines[-1] == "title Hearts"
    with chdir(tmp_path):
        assert ran(lines, tmp_path, is_strict=True) == said.session.puzzle


def test_an_unwritable_transcript_ends_without_other_effects(
    piped: Talk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise XwtuiError("the disk is full")

    monkeypatch.setattr(Transcript, "note", fails)
    said = piped(f"transcript {tmp_path / 'kept'}", "stats", "title Hearts", "quit --force", "title After")
    assert said.text.count("! the transcript stopped: the disk is full") == 1
    assert "entries" in said.text
    assert said.session.puzzle.title != "After", "quit ended it"
