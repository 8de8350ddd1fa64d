"""The verbs of the clue book, its suggestions for an entry, and word definitions."""

import json
import time
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.session.saying import PATIENCE_SECONDS, Ear, found, refuses, said
from xwtui.clues.book import ClueBook, ClueSource, NewClue
from xwtui.errors import ClueBookError, VerbError
from xwtui.session.messages import AnswerReady, Notice, Severity
from xwtui.session.session import Session
from xwtui.session.settings import Settings, load_settings
from xwtui.session.verbs.book import SOURCE
from xwtui.session.verbs.registry import run_line


@pytest.fixture(autouse=True)
def book(monkeypatch: pytest.MonkeyPatch) -> ClueBook:
    monkeypatch.setattr("xwtui.session.jobs.answer_job._KEEP_SECONDS", PATIENCE_SECONDS)
    return ClueBook()


@pytest.fixture
def clued(bench: Session, tmp_path: Path) -> Session:
    """A puzzle with an answer and its clue, saved as axle.ipuz."""
    said(bench, "new 4 --force", "set 1A AXLE", "title Wheels", "author A. C.", "clue 1A Shaft on a Subaru")
    bench.save(tmp_path / "axle.ipuz")
    bench.jobs.book.close()
    return bench


def test_saving_a_puzzle_adds_its_clues_to_the_book(clued: Session, book: ClueBook, tmp_path: Path) -> None:
    (clue,) = book.clues_of("AXLE")
    assert (clue.text, clue.source.title, clue.source.is_own) == ("Shaft on a Subaru", "Wheels", True)
    assert clue.source.name == str(tmp_path / "axle.ipuz")
    before = time.strftime("%Y-%m-%d")
    said(clued, "clue 1A Wheel bar", "set 1A OBOE", "clue 1A Reed", "save")
    clued.jobs.book.close()
    own = {"answer": "AXLE", "text": "Wheel bar", "own": True, "title": "Wheels", "author": "A. C.", "times": 1}
    (told,) = found(clued, "book show AXLE").as_json["clues"]
    assert told.pop("date") in (before, time.strftime("%Y-%m-%d"))
    assert told == own | {"source": str(tmp_path / "axle.ipuz")}
    assert [clue.text for clue in book.clues_of("AXLE")] == ["Wheel bar"], "also of an answer that stood before"
    assert book.search("reed")


def test_a_session_closed_immediately_has_stored_its_clues(journals: Path, book: ClueBook, tmp_path: Path) -> None:
    session = Session(journal_folder=journals)
    said(session, "new 4", "set 1A AXLE", "clue 1A Shaft", f"save {tmp_path / 'a.ipuz'}")
    session.close()
    assert book.search("shaft")


def test_storing_clues_can_be_turned_off_permanently(clued: Session, book: ClueBook) -> None:
    book.forget("/")
    assert said(clued, "book keep off", "book keep") == "saving a puzzle does not add its clues to the clue book"
    assert not load_settings().keep_clues
    said(clued, "clue 1A Wheel bar", "save")
    clued.jobs.book.close()
    assert book.tally().clues == 0
    assert "adds its clues" in said(clued, "book keep on")
    assert load_settings() == Settings()


def test_a_failing_book_is_reported_and_the_puzzle_saved(clued: Session, ear: Ear) -> None:
    run_line(clued, "clue 1A Wheel bar")
    with patch("xwtui.clues.book.ClueBook.keep", side_effect=ClueBookError("the disk is full")):
        run_line(clued, "save")
        clued.jobs.book.close()
    assert not clued.document.is_modified
    notices = [one for one in ear.messages if isinstance(one, Notice)]
    assert notices == [Notice("the clues are not in the clue book: the disk is full", Severity.WARNING)]


def test_importing_a_folder(clued: Session, ear: Ear, tmp_path: Path) -> None:
    folder = tmp_path / "lists"
    folder.mkdir()
    (folder / "list.txt").write_text("AXLE|Wheel bar\nOBOE|Reed\n")
    (folder / "bad.puz").write_bytes(b"?")
    answer = found(clued, f"book import {folder}")
    first, second = answer.lines
    assert first == "2 new clues from 2 files; 1 file skipped"
    assert second.startswith(f"  {folder}/bad.puz: ")
    assert answer.as_json["new_clues"] == 2
    last = [one for one in ear.messages if isinstance(one, AnswerReady)][-1]
    assert last.is_last
    assert (
        found(clued, f"book import {folder}").lines[0]
        == "0 new clues from 2 files; 1 file already in the clue book; 1 file skipped"
    )
    assert said(clued, "book").splitlines() == [
        "3 clues of 2 answers from 2 sources; your own are added when you save a puzzle",
        f"  yours     {tmp_path}: 1 file, 1 clue",
        f"  imported  {folder}: 1 file, 2 clues",
    ]
    assert said(clued, "book search wheel b") == "AXLE  Wheel bar  (list)"
    assert said(clued, "book search nothing") == "the clue book has nothing for 'nothing'"
    assert said(clued, "book show axle").splitlines()[1] == "AXLE  Wheel bar  (list)"
    assert said(clued, f"book forget {folder}") == f"2 clues from {folder} forgotten"
    refuses(clued, f"book forget {folder}", "the clue book has no clues from")


def test_importing_a_missing_path(clued: Session, tmp_path: Path) -> None:
    run_line(clued, f"book import {tmp_path / 'nowhere'}")
    assert clued.wait(PATIENCE_SECONDS)
    with pytest.raises(VerbError, match="stopped before anything was read"):
        clued.jobs.book.answer()


def test_suggesting_and_taking(clued: Session, book: ClueBook) -> None:
    book.keep(ClueSource("/old.puz", "Old", date="1999"), [NewClue("AXLE", "Bar"), NewClue("AXLE", "Axles, one")])
    told = said(clued, "clue --clear 1A", "clue suggest 1A").splitlines()
    assert told[0] == "1A AXLE"
    assert told[1].startswith("  1  yours     Shaft on a Subaru  (Wheels, A. C., 20")
    assert told[2] == "  2  imported  Bar  (Old, 1999)"
    assert told[3] == "  3  gloss     A shaft on which a wheel rotates  (noun)"
    document = found(clued, "clue suggest 1A").as_json
    assert [one["kind"] for one in document["suggestions"]] == ["own", "imported", "gloss"]
    assert json.dumps(document)
    assert said(clued, "clue suggest 1A --take 2") == "1A: Bar"
    assert said(clued, "clue 1A") == "1A: Bar"
    assert said(clued, "undo", "clue 1A").startswith("1A: no clue\n1A: offered: Shaft on a Subaru (yours, ")
    refuses(clued, "clue suggest 1A --take 9", "clues are suggested for 1A AXLE; there is no number 9")
    refuses(clued, "clue suggest 5A", "5A is not complete")
    run_line(clued, "set 5A QZXV")
    refuses(clued, "clue suggest 5A --take 1", r"^no clues are suggested for 5A QZXV; there is no number 1$")
    book.keep(ClueSource("/odd.puz", "Odd"), [NewClue("QZXV", "Nonsense")])
    refuses(clued, "clue suggest 5A --take 2", r"^1 clue is suggested for 5A QZXV; there is no number 2$")


def test_defining(clued: Session) -> None:
    assert said(clued, "define axles").splitlines() == [
        "AXLES: plural of AXLE",
        "  1  noun: a shaft on which a wheel rotates",
    ]
    assert said(clued, "define XQZW") == "WordNet does not have XQZW"
    (definition, *_) = found(clued, "define cab").as_json["definitions"]
    assert (definition["base"], definition["form"]) == ("CAB", None)
    assert "taxi" in {word for sense in definition["senses"] for word in sense["synonyms"]}


def test_sources_are_offered(clued: Session, tmp_path: Path) -> None:
    offers = [item.value for item in SOURCE.offers(clued, str(tmp_path))]
    assert offers == [str(tmp_path), str(tmp_path / "axle.ipuz")]


def test_a_clue_from_the_book_is_offered_for_an_unclued_answer(clued: Session, book: ClueBook) -> None:
    run_line(clued, "set 6A AXLE")
    assert said(clued, "clue 6A").splitlines()[1].startswith("6A: offered: Shaft on a Subaru (this puzzle"), (
        "the puzzle's"
    )
    said(clued, "new 4 --force", "new 4 --force", "set 1A AXLE", "set 5A OBOE")
    first, offered = said(clued, "clue 1A").splitlines()
    assert first == "1A: no clue"
    assert offered.startswith("1A: offered: Shaft on a Subaru (yours, Wheels, A. C., 20")
    assert offered.endswith("; `clue --take 1A` takes it)")
    assert said(clued, "clue 5A") == "5A: no clue"
    book.keep(ClueSource("emogic.txt"), [NewClue("OBOE", "Reed")])
    assert said(clued, "clue --take 5A", "clue --take 1A", "clues").count("Shaft on a Subaru") == 1
    assert clued.puzzle.printed_clue(clued.puzzle.grid.slot("5A")) == "Reed"
    book.path.write_bytes(b"no book at all" * 100)
    assert said(clued, "clue --clear 1A", "clue 1A") == "1A: no clue"


def test_unclued_answers_take_clues_of_the_puzzle_or_book_in_one_edit(bench: Session, book: ClueBook) -> None:
    said(
        bench,
        "new 4 --force",
        "set 1A AXLE",
        "clue 1A Shaft on a Subaru",
        "set 1A OBOE",
        "set 6A AXLE",
        "set 7A TREE",
    )
    bench.jobs.book.close()
    book.keep(
        ClueSource("/a.csv", "A list", "", "2020-02-03"),
        [NewClue("OBOE", "Reed"), NewClue("TREE", "See 1-Across")],
    )
    before, answer = bench.puzzle, found(bench, "clues take")
    assert answer.lines == [
        "2 clues taken; 1 answer still without a clue",
        "  1A OBOE: Reed (the clue book's, A list, 2020-02-03)",
        "  6A AXLE: Shaft on a Subaru (this puzzle)",
    ]
    assert answer.as_json["taken"][1] == {
        "entry": "6A",
        "answer": "AXLE",
        "clue": "Shaft on a Subaru",
        "source": "this puzzle",
    }
    said(bench, "undo")
    assert bench.puzzle == before
    assert said(bench, "redo", "clues take").startswith("0 clues taken; 1 answer still")
