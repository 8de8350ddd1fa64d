"""The personal list, and learned lists."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.session.saying import PATIENCE_SECONDS, Ear, found, once_loaded, refuses, said
from xwtui.errors import PuzzleError, WordListError
from xwtui.formats.ipuz import write
from xwtui.formats.registry import write_puzzle
from xwtui.model import Puzzle
from xwtui.model.edits import place_answer
from xwtui.resources import personal_list_path, user_lists_folder
from xwtui.session.messages import AnswerReady, LexiconReady, Notice
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line


def file_lines() -> list[str]:
    path = personal_list_path()
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [line for line in lines if not line.startswith("#")]


def test_scores_go_to_the_file_and_not_into_the_puzzle(mini: Session) -> None:
    before = mini.puzzle
    assert said(mini, "score ahso 0 --mine") == "AHSO: 0, in your own list: never used"
    assert said(mini, "score AXLE 70 --mine") == "AXLE: 70, in your own list"
    assert said(mini, "ban OREO --everywhere") == "banned in every puzzle: OREO"
    assert file_lines() == ["AHSO;0", "AXLE;70", "OREO;0"]
    assert mini.puzzle is before
    assert not mini.document.is_modified
    assert said(mini, "score AXLE 30") == "AXLE: 30, your score in this puzzle"
    assert said(mini, "score AXLE --mine") == (
        "AXLE: 70, in your own list\nin this puzzle AXLE has its own score, 30, which counts here"
    )
    assert said(mini, "score AXLE none --mine") == "AXLE: not in your own list"
    assert said(mini, "allow AHSO --everywhere") == "allowed in every puzzle: AHSO"
    assert file_lines() == ["OREO;0"]
    refuses(mini, "allow OREO", "not banned: OREO; `allow OREO --everywhere`", PuzzleError)
    refuses(mini, "allow AXLE --everywhere", "not banned by your own list: AXLE", PuzzleError)


def test_bans_of_the_puzzle_do_not_use_the_list(mini: Session) -> None:
    personal_list_path().parent.mkdir(parents=True)
    personal_list_path().write_bytes(b"\0 no list")
    assert said(mini, "ban OREO", "allow OREO") == "allowed: OREO"
    refuses(mini, "allow OREO --everywhere", "binary", WordListError)


def test_a_disabled_list_is_reported(mini: Session) -> None:
    run_line(mini, "lists off mine")
    assert said(mini, "never AHSO") == (
        "AHSO: 0 in your own list: no fill uses it\nyour own list is off: `lists on mine` turns it on"
    )


def test_undo_reverts_the_line_in_the_file(mini: Session) -> None:
    personal_list_path().parent.mkdir(parents=True)
    personal_list_path().write_text("# good\nAXLE;60\n", encoding="utf-8")
    said(mini, "score AXLE 5 --mine", "ban AHSO OREO --everywhere", "title Hearts")
    assert file_lines() == ["AXLE;5", "AHSO;0", "OREO;0"]
    assert said(mini, "undo", "undo") == "undone: ban AHSO OREO --everywhere"
    assert file_lines() == ["AXLE;5"]
    run_line(mini, "undo")
    assert personal_list_path().read_text(encoding="utf-8") == "# good\nAXLE;60\n"
    assert said(mini, "redo", "redo") == "redone: ban AHSO OREO --everywhere"
    assert file_lines() == ["AXLE;5", "AHSO;0", "OREO;0"]


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("never AHSO", "never AHSO"),
        ("ban AHSO --everywhere", "ban AHSO --everywhere"),
        ("score AHSO 5 --mine", "score AHSO --mine"),
        ("raise AHSO", "raise AHSO"),
    ],
)
def test_repeated_undo_stops_before_an_edit_of_the_personal_list(journals: Path, line: str, label: str) -> None:
    now = 0.0
    bench = Session(journal_folder=journals, clock=lambda: now)
    bench.wait_until_ready(PATIENCE_SECONDS)
    bench.can_ask_user = True
    assert said(bench, line, "undo") == f"undone: {label}", "nothing else was done since"
    bench.wait_until_ready(PATIENCE_SECONDS)
    said(bench, line, "title Hearts", "title Darts")
    written = file_lines()
    assert written
    for _ in range(2):
        run_line(bench, "undo")
    for _ in range(20):
        now += 0.9
        refuses(bench, "undo", f"`{label}` is for all your puzzles; wait, then undo again")
        assert file_lines() == written
    now += 1.0
    assert said(bench, "undo") == f"undone: {label}"
    assert not file_lines()
    assert said(bench, "redo", "title Hearts", "undo") == "undone: title"
    now += 5.0
    refuses(bench, "undo", "undo stops here")
    bench.discard_changes()
    bench.close()


def test_consecutive_personal_list_edits_can_be_undone_in_a_row(bench: Session) -> None:
    bench.wait_until_ready(PATIENCE_SECONDS)
    bench.can_ask_user = True
    assert said(bench, "never AHSO", "never OREO", "raise AXLE", "undo", "undo", "undo") == "undone: never AHSO"


def test_a_line_changed_by_hand_is_kept_and_reported(mini: Session, ear: Ear) -> None:
    run_line(mini, "score AXLE 5 --mine")
    personal_list_path().write_text("AXLE;55\n", encoding="utf-8")
    run_line(mini, "undo")
    assert file_lines() == ["AXLE;55"]
    assert [notice.text for notice in ear.of(Notice)] == ["changed in your own list since, so left alone: AXLE"]
    assert mini.document.history.undo_label is None


def test_an_uneditable_file_is_named_and_nothing_recorded(mini: Session) -> None:
    personal_list_path().parent.mkdir(parents=True)
    personal_list_path().write_bytes(b"AXLE;60\nCR\xc8ME;50\n")
    refuses(mini, "score AXLE 5 --mine", r"mine\.dict: line 2 is not UTF-8 text", WordListError)
    assert mini.document.history.undo_label is None


def test_raise_lower_and_never(small: Session) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    for verb in ("raise", "lower", "never"):
        with pytest.raises(PuzzleError, match=f"as in `{verb} AXLE`"):
            run_line(small, verb)
    small.edit("BAG", lambda puzzle: place_answer(puzzle, puzzle.grid.slot("1A"), "BAG"))
    assert said(small, "raise") == "BAG: 60 in your own list, 50 before"
    assert said(small, "raise") == "BAG: 70 in your own list, 60 before"
    assert said(small, "lower OXO") == "OXO: 10 in your own list, 20 before"
    assert said(small, "lower OXO", "lower OXO") == "OXO: 1 in your own list, 1 before"
    refuses(small, "lower QQQ", "QQQ is in no list", PuzzleError)
    assert said(small, "raise QQQ") == "QQQ: 60 in your own list, in no list before"
    assert said(small, "never").splitlines() == [
        "BAG: 0 in your own list: no fill uses it",
        "BAG is at 1A in pen: `pencil 1A` lets other words replace it",
    ]
    assert file_lines() == ["BAG;0", "OXO;1", "QQQ;60"]
    run_line(small, "score BAG 90")
    assert said(small, "raise") == (
        "BAG: 10 in your own list, 0 before\nin this puzzle BAG has its own score, 90, which counts here"
    )


def test_a_step_starts_from_the_current_score_of_the_lists(small: Session) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    said(small, "raise BAG", "score BAG none --mine")
    assert said(small, "lower BAG") == "BAG: 40 in your own list, 50 before"
    assert said(small, "score BAG none --mine", "score BAG") == "BAG: 50"


def test_a_personal_score_applies_after_words_reload(small: Session, ear: Ear) -> None:
    once_loaded(small, ear)
    run_line(small, "ban BAG --everywhere")
    ear.wait_for(LexiconReady)
    assert not small.jobs.words.allows("BAG")
    assert not [word for word in small.jobs.candidates.find("1A") if word.alive]
    ear.forget()
    run_line(small, "undo")
    ear.wait_for(LexiconReady)
    assert small.jobs.words.allows("BAG")
    assert [word.word for word in small.jobs.candidates.find("1A") if word.alive] == ["BIT", "BAG"]
    assert [message.notices for message in ear.of(LexiconReady)] == [()]


def test_a_wanted_word_is_placed_even_if_the_personal_list_bans_it(small: Session) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    run_line(small, "want BAG")
    assert said(small, "ban BAG ICE --everywhere").splitlines() == [
        "banned in every puzzle: BAG, ICE",
        "BAG is required by `want` in this puzzle, so it stays allowed here",
    ]
    small.wait_until_ready(PATIENCE_SECONDS)
    assert small.jobs.words.lexicon is not None
    assert small.jobs.words.lexicon.banned == {"ICE"}


def test_the_puzzle_file_contains_nothing_of_the_personal_list(mini: Session) -> None:
    said(mini, "ban AHSO --everywhere", "score AXLE 90 --mine")
    assert write(mini.puzzle).data == write(Puzzle.blank(5, 5)).data


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


def test_a_folder_becomes_a_layer_below_the_default_list(mini: Session, folder: Path, ear: Ear) -> None:
    answer = found(mini, f"lists learn {folder}").as_json
    target = user_lists_folder() / "learned-published.dict"
    assert answer["list"] == str(target)
    assert [answer[name] for name in ("files", "done", "puzzles", "repeated")] == [5, 5, 2, 1]
    unread = answer["unread"]
    assert isinstance(unread, list)
    assert [Path(one["file"]).name for one in unread] == ["broken.jpz", "empty.ipuz"]
    assert unread[1]["reason"].endswith("it has no complete answers")
    lines = target.read_text(encoding="utf-8").splitlines()
    assert lines[3] == "BAG;35;;2;2;1994;2001"
    assert "OXO;20;;1;1;1994;1994" in lines
    last = ear.of(AnswerReady)[-1]
    assert last.is_last
    assert any(line.startswith("skipped: ") and "broken.jpz" in line for line in last.answer.lines)
    layers = found(mini, "lists").as_json["layers"]
    assert [layer["name"] for layer in layers] == ["mine", "default", "learned-published"]
    assert (layers[2]["scale"]["rule"], layers[2]["scale"]["guessed"]) == ("0-100", False)
    before = target.read_bytes()
    assert found(mini, f"lists learn {folder}").as_json == answer
    assert target.read_bytes() == before


def test_folders_that_cannot_be_learned(mini: Session, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    answer = found(mini, f"lists learn {tmp_path / 'none'} --as nothing").as_json
    assert (answer["list"], answer["files"]) == (None, 0)
    assert not (user_lists_folder() / "nothing.dict").exists()
    user_lists_folder().mkdir()
    (user_lists_folder() / "own.txt").write_text("AXLE;50\n", encoding="utf-8")
    (user_lists_folder() / "other.dict").write_text("AXLE;50\n", encoding="utf-8")
    for line, message in (
        ("lists learn nowhere", "there is no folder nowhere"),
        (f"lists learn {folder} --as own", "own.txt is not from `lists learn`"),
        (f"lists learn {folder} --as other", "other.dict is not from `lists learn`"),
        (f"lists learn {folder} --as ../x", "cannot be a list's name"),
        (f"lists learn {folder} --as mine", "is the name of a list that xwtui keeps"),
    ):
        refuses(mini, line, message)
