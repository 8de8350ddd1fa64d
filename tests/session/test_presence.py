"""Which process has a puzzle open: told to others, and gone with its process, however that ends."""

import subprocess
import sys
from pathlib import Path

from tests.known import known
from tests.session.elsewhere import HOLDS, open_elsewhere
from tests.session.saying import said
from xwtui.formats.registry import write_puzzle
from xwtui.model import Puzzle
from xwtui.session.presence import Holder, Presence
from xwtui.session.session import Session
from xwtui.session.settings import Overrides


def is_held(path: Path, folder: Path) -> bool:
    """Whether another process finds the file held by this one."""
    command = [sys.executable, "-c", HOLDS, str(path), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        told = known(process.stdout).readline()
        process.kill()
    return told.startswith("Holder(")


def test_another_process_is_told_until_it_is_killed(tmp_path: Path) -> None:
    path, folder = tmp_path / "p.ipuz", tmp_path / "journals"
    write_puzzle(path, Puzzle.blank(5, 5))
    with open_elsewhere(path, folder) as other:
        presence = Presence(path, folder)
        assert presence.other is not None
        assert presence.other.pid == other.pid
        assert f"process {other.pid} of " in presence.other.words
        assert Presence(tmp_path / "q.ipuz", folder).other is None
        bench = Session(journal_folder=folder)
        assert said(bench, f"open {path}").startswith("p.ipuz: 5×5, 10 entries; p.ipuz is open in another xwtui: ")
        assert "is open in another xwtui" in said(bench, "save")
        bench.close()
        other.kill()
        other.wait()
        presence.hold(path)
        assert presence.other is None
        presence.release()


def test_the_one_who_saves_when_the_other_is_gone_has_the_file_from_then_on(tmp_path: Path) -> None:
    path, folder = tmp_path / "p.ipuz", tmp_path / "journals"
    write_puzzle(path, Puzzle.blank(5, 5))
    bench = Session(journal_folder=folder)
    with open_elsewhere(path, folder) as other:
        bench.open(path)
        bench.save()
        assert bench.document.held_words, "the other one has it still"
        other.kill()
        other.wait()
    assert "another xwtui" not in said(bench, "save")
    assert is_held(path, folder), "it is ours now"
    bench.close()


def test_a_process_is_no_other_to_itself(tmp_path: Path) -> None:
    path, folder = tmp_path / "p.ipuz", tmp_path / "journals"
    write_puzzle(path, Puzzle.blank(5, 5))
    one, two = Session(journal_folder=folder), Session(journal_folder=folder)
    for bench in (one, two, one):
        bench.open(path)
        assert bench.document.held_words == ""
    two.close()
    assert is_held(path, folder), "the first one has it still"
    one.close()
    with open_elsewhere(path, folder):
        pass


def test_a_session_that_leaves_nothing_behind_holds_no_file(tmp_path: Path) -> None:
    path, folder = tmp_path / "p.ipuz", tmp_path / "journals"
    write_puzzle(path, Puzzle.blank(5, 5))
    bench = Session(journal_folder=folder, overrides=Overrides(holds_files=False))
    bench.open(path)
    bench.save(tmp_path / "q.ipuz")
    bench.save()
    assert not folder.exists()
    bench.close()


def test_a_holder_that_cannot_be_read_and_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    assert Holder().words == "is open in another xwtui"
    (tmp_path / "file").touch()
    assert Presence(tmp_path / "p.ipuz", tmp_path / "file").other is None
