"""Word lists that change while a puzzle is open are reread and reported; a damaged list loses no words."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.session.saying import PATIENCE_SECONDS, Ear, once_loaded
from xwtui.model import Puzzle, WordChoice
from xwtui.resources import user_lists_folder
from xwtui.session.jobs import jobs
from xwtui.session.messages import LexiconReady
from xwtui.session.session import Session
from xwtui.words import list_files


@pytest.fixture(autouse=True)
def _lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "LIST_CHECK_SECONDS", 0.01)
    monkeypatch.setattr(list_files, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(list_files, "SHRUNK_SECONDS", 0.0)
    user_lists_folder().mkdir(parents=True)


@pytest.fixture
def open_session(small: Session, ear: Ear) -> Session:
    """A session with its words loaded and messages cleared."""
    once_loaded(small, ear)
    return small


def test_a_changed_list_of_the_puzzle_is_reread(open_session: Session, small_list: Path, ear: Ear) -> None:
    assert open_session.jobs.words.score("QQQ") is None
    put(small_list, small_list.read_bytes() + b"QQQ;70\n")
    ready = ear.wait_for(LexiconReady)
    assert ready.notices == (f"word list {_shown(small_list)} has changed and was read again",)
    assert open_session.jobs.words.score("QQQ") == 70


def test_a_bad_line_is_reported_once_per_list(
    open_session: Session, small_list: Path, ear: Ear, tmp_path: Path
) -> None:
    put(small_list, small_list.read_bytes() + b"HALF;\n")
    *told, _ = ear.wait_for(LexiconReady).notices
    assert ["skipped line" in notice for notice in told] == [True]
    ear.forget()
    open_session.save(tmp_path / "elsewhere.ipuz")
    open_session.wait_until_ready(PATIENCE_SECONDS)
    assert ear.wait_for(LexiconReady).notices == (), "another file, and the same list"
    ear.forget()
    put(small_list, small_list.read_bytes() + b"TOO;\n")
    assert len([one for one in ear.wait_for(LexiconReady).notices if "skipped" in one]) == 1, "the new one alone"


@pytest.mark.parametrize("damage", [b"", b"BAG;50\n\x00\x00", b"\x1f\x8bnot gzip"])
def test_a_damaged_list_loses_no_words(open_session: Session, small_list: Path, ear: Ear, damage: bytes) -> None:
    whole = small_list.read_bytes()
    put(small_list, damage)
    ready = ear.wait_for(LexiconReady)
    assert len(ready.notices) == 1
    assert ready.notices[0].startswith("small.dict is ")
    assert ready.notices[0].endswith("; the old words stay in use")
    assert open_session.jobs.words.score("BAG") == 50
    ear.forget()
    put(small_list, whole + b"QQQ;70\n")
    ear.wait_for(LexiconReady)
    assert open_session.jobs.words.score("QQQ") == 70


def test_a_deleted_list_loses_no_words(open_session: Session, small_list: Path, ear: Ear) -> None:
    small_list.unlink()
    ready = ear.wait_for(LexiconReady)
    assert [notice.startswith("there is no word list ") for notice in ready.notices] == [True]
    assert open_session.jobs.words.score("BAG") == 50


def test_a_file_added_to_the_folder_becomes_a_layer(bench: Session, ear: Ear, small_list: Path) -> None:
    words = WordChoice(lists=(str(small_list), "default"))
    bench.new(replace(Puzzle.blank(3, 3), words=words))
    once_loaded(bench, ear)
    path = user_lists_folder() / "cities.txt"
    put(path, b"QXQXQX\nQXQXQZ\n")
    ready = ear.wait_for(LexiconReady)
    assert ready.notices == ("word list cities is a new layer: `lists` shows how it is read",)
    assert bench.jobs.words.score("QXQXQX") == 50
    ear.forget()
    put(path, b"\x00")
    ready = ear.wait_for(LexiconReady)
    assert ready.notices[0].endswith("; layer cities is unchanged")
    assert ready.notices[1] == "word list cities has changed and was read again"
    assert bench.jobs.words.score("QXQXQX") == 50
    ear.forget()
    path.unlink()
    assert ear.wait_for(LexiconReady).notices == ("word list cities is gone",)
    assert bench.jobs.words.score("QXQXQX") is None


def put(path: Path, data: bytes) -> None:
    """Write a file atomically, so that it is never seen half written."""
    new = path.with_name(f".{path.name}.new")
    new.write_bytes(data)
    new.replace(path)


def _shown(path: Path) -> str:
    text = str(path)
    return text if len(text) <= 60 else f"{text[:59]}…"
