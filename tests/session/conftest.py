"""Sessions for tests, with separate journals and a small word list."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.session.saying import PATIENCE_SECONDS, Ear
from tests.writing import written
from xwtui.model import Puzzle, WordChoice
from xwtui.session.session import Session
from xwtui.session.verbs import word_choice

SMALL_LIST = """\
BAG;50
ICE;60
TEN;70
BIT;55
ACE;45
GEN;50
TAG;30
OXO;20
"""
"""Eight words for blank 3x3 grids."""

FILLS = {("BAG", "ICE", "TEN"), ("BIT", "ACE", "GEN")}
"""The only two fills of such a grid, each the transpose of the other."""


@pytest.fixture(autouse=True)
def _patient_verbs(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, verbs that need the words wait longer for them."""
    monkeypatch.setattr(word_choice, "_PATIENCE_SECONDS", PATIENCE_SECONDS)


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def journals(tmp_path: Path) -> Path:
    return tmp_path / "journals"


@pytest.fixture
def bench(ear: Ear, journals: Path) -> Iterator[Session]:
    """A session with a blank puzzle and no jobs started."""
    session = Session(ear, journal_folder=journals)
    yield session
    session.discard_changes()
    session.close()


@pytest.fixture
def small_list(tmp_path: Path) -> Path:
    return written(tmp_path / "small.dict", SMALL_LIST)


@pytest.fixture
def small(bench: Session, small_list: Path) -> Session:
    """A session with a blank 3x3 puzzle over the small list; it loads on first use."""
    words = WordChoice(lists=(str(small_list),), minimum_score=40)
    bench.new(replace(Puzzle.blank(3, 3), words=words))
    return bench


@pytest.fixture
def endless(bench: Session) -> Session:
    """A session with a puzzle that takes much longer to fill than any test runs."""
    bench.new(Puzzle.blank(9, 9))
    return bench


@pytest.fixture
def mini(bench: Session) -> Session:
    """A session with a blank 5x5 puzzle: 1A and 6A to 9A across, 1D to 5D down."""
    bench.new(Puzzle.blank(5, 5))
    return bench
