"""The file of `fill --proof`: written where there is no fill, checked, and no file anywhere else."""

import os
from pathlib import Path

import pytest

from bench.check_proof import check
from tests.session.conftest import FILLS, SMALL_LIST
from tests.session.listening import Ear
from tests.session.saying import do, refuses, rows
from xwtui.formats.grid_text import grid_to_text
from xwtui.session.messages import FillEnded, JobFailed
from xwtui.session.overwriting import ExistsAlreadyError
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.session.wording import proof_words


def said(ear: Ear) -> str:
    """What is said of the proof at the end of the last run."""
    return proof_words(ear.of(FillEnded)[-1].run)


def test_it_is_written_and_accepted(small: Session, ear: Ear, tmp_path: Path) -> None:
    run_line(small, "set r1c1 Q")
    path = tmp_path / "none.proof"
    do(small, f"fill --proof {path}")
    assert said(ear) == f"the proof is in {path}"
    assert check(grid_to_text(small.puzzle.grid), SMALL_LIST, path.read_text().splitlines()) >= 1


def test_files_are_written_over_where_this_session_has_left_them_or_by_force(
    small: Session, ear: Ear, tmp_path: Path
) -> None:
    run_line(small, "set r1c1 Q")
    line, formula = f"fill --strategy sat --proof {tmp_path / 'none.drat'}", tmp_path / "none.cnf"
    do(small, line)
    do(small, line)
    assert said(ear) == f"the proof is in {tmp_path / 'none.drat'}"
    formula.write_text("Monday: rain.\n", encoding="utf-8")
    refuses(small, line, r"none\.cnf already exists", ExistsAlreadyError)
    do(small, f"{line} --force")
    assert formula.read_text(encoding="utf-8") != "Monday: rain.\n"


def test_there_is_no_file_where_there_is_a_fill(small: Session, ear: Ear, tmp_path: Path) -> None:
    do(small, f"fill --proof {tmp_path / 'none.proof'}")
    assert rows(small) in FILLS
    assert said(ear) == f"no proof was written to {tmp_path / 'none.proof'}: there is a fill"
    assert not list(tmp_path.glob("*.proof"))


def test_rules_are_refused(small: Session, ear: Ear, tmp_path: Path) -> None:
    run_line(small, "rule --most A 1")
    do(small, f"fill --proof {tmp_path / 'none.proof'}")
    assert "cannot cover rules" in ear.of(JobFailed)[-1].message
    assert not list(tmp_path.glob("*.proof"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("fill --strategy double-trie --proof none.proof", "by xwtui or sat"),
        ("fill --all --proof none.proof", "works only with one"),
        ("fill --best --proof none.proof", "one plain fill"),
        ("fill --threads 2 --proof none.proof", "omit --threads"),
        ("fill --proof none.drat", r"end in \.proof"),
        ("fill --strategy sat --proof none.proof", r"end in \.drat"),
        ("fill --proof nowhere/none.proof", "there is no folder nowhere"),
    ],
)
def test_wrong_use_is_told_before_a_search(small: Session, line: str, message: str) -> None:
    refuses(small, line, message)


def test_a_disk_that_is_full_is_told(
    small: Session, ear: Ear, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_line(small, "set r1c1 Q")

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "write", full)
    do(small, f"fill --proof {tmp_path / 'none.proof'}")
    monkeypatch.undo()
    assert "No space left on device" in ear.of(JobFailed)[-1].message
    assert not list(tmp_path.glob("*.proof"))
