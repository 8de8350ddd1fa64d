"""`lists learn`: a folder of puzzles becomes a layer, the same each time; what cannot be read is named."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.session.listening import PATIENCE_SECONDS, Ear
from tests.session.saying import refuses
from xwtui.formats.registry import write_puzzle
from xwtui.model import Puzzle
from xwtui.model.edits import place_answer
from xwtui.resources import user_lists_folder
from xwtui.session.messages import AnswerReady
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line


def filled(*rows: str, author: str = "") -> Puzzle:
    puzzle = replace(Puzzle.blank(3, 3), author=author)
    for name, row in zip(("1A", "4A", "5A"), rows, strict=False):
        puzzle = place_answer(puzzle, puzzle.grid.slot(name), row)
    return puzzle


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "published"
    (folder / "1994").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    first = filled("BAG", "ICE", "TEN", author="Ann")
    for path in (folder / "2001-05-07.ipuz", folder / "again.puz", folder / ".hidden" / "a.ipuz"):
        write_puzzle(path, first, lossy=True)
    write_puzzle(folder / "1994" / "b.xd", filled("BAG", "OXO", "GEM", author="Bob"), lossy=True)
    write_puzzle(folder / "empty.ipuz", Puzzle.blank(3, 3))
    (folder / "broken.jpz").write_bytes(b"no puzzle")
    (folder / "readme.txt").write_text("These were published.", encoding="utf-8")
    return folder


def learned(session: Session, line: str) -> dict[str, object]:
    reply = run_line(session, line)
    assert session.wait(PATIENCE_SECONDS)
    assert reply.answer is not None
    return reply.answer().as_json


def test_a_folder_becomes_a_layer_below_the_list_that_ships(mini: Session, folder: Path, ear: Ear) -> None:
    answer = learned(mini, f"lists learn {folder}")
    target = user_lists_folder() / "learned-published.dict"
    assert answer["list"] == str(target)
    assert [answer[name] for name in ("files", "done", "puzzles", "repeated")] == [5, 5, 2, 1]
    unread = answer["unread"]
    assert isinstance(unread, list)
    assert [Path(one["file"]).name for one in unread] == ["broken.jpz", "empty.ipuz"]
    assert unread[1]["reason"].endswith("it has no finished answers")
    lines = target.read_text(encoding="utf-8").splitlines()
    assert lines[3] == "BAG;35;;2;2;1994;2001"
    assert "OXO;20;;1;1;1994;1994" in lines
    last = ear.of(AnswerReady)[-1]
    assert last.is_last
    assert any(line.startswith("skipped: ") and "broken.jpz" in line for line in last.answer.lines)
    reply = run_line(mini, "lists")
    assert reply.answer is not None
    layers = reply.answer().as_json["layers"]
    assert [layer["name"] for layer in layers] == ["mine", "default", "learned-published"]
    assert (layers[2]["scale"]["rule"], layers[2]["scale"]["guessed"]) == ("0-100", False)
    before = target.read_bytes()
    assert learned(mini, f"lists learn {folder}") == answer
    assert target.read_bytes() == before


def test_what_cannot_be_learned(mini: Session, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    answer = learned(mini, f"lists learn {tmp_path / 'none'} --as nothing")
    assert (answer["list"], answer["files"]) == (None, 0)
    assert not (user_lists_folder() / "nothing.dict").exists()
    user_lists_folder().mkdir()
    (user_lists_folder() / "own.txt").write_text("AXLE;50\n", encoding="utf-8")
    (user_lists_folder() / "other.dict").write_text("AXLE;50\n", encoding="utf-8")
    for line, message in (
        ("lists learn nowhere", "there is no folder nowhere"),
        (f"lists learn {folder} --as own", "own.txt is a list of yours that was not learned"),
        (f"lists learn {folder} --as other", "other.dict is a list of yours that was not learned"),
        (f"lists learn {folder} --as ../x", "cannot be a list's name"),
        (f"lists learn {folder} --as mine", "cannot be a list's name"),
    ):
        refuses(mini, line, message)
