"""Workbenches for tests, with journals of their own and a small word list."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workbench.listening import Ear
from xwtui.workbench.workbench import Workbench

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
"""Eight words: the only fills of a blank 3x3 grid are BAG/ICE/TEN and its mirror image."""


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def journals(tmp_path: Path) -> Path:
    return tmp_path / "journals"


@pytest.fixture
def bench(ear: Ear, journals: Path) -> Iterator[Workbench]:
    """A workbench with a blank puzzle, on which nothing is started."""
    workbench = Workbench(ear, journal_folder=journals)
    yield workbench
    workbench.discard_changes()
    workbench.close()


@pytest.fixture
def small_list(tmp_path: Path) -> Path:
    path = tmp_path / "small.dict"
    path.write_text(SMALL_LIST, encoding="utf-8")
    return path
