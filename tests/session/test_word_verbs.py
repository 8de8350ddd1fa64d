"""Verbs of words, clues and the title page, and what they keep out."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.session.saying import refuses, said
from xwtui.errors import PuzzleError, XwtuiError
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model import Puzzle, WordChoice
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line


def test_words(mini: Session, small_list: Path) -> None:
    assert said(mini, "words") == "words: default, scores from 40"
    run_line(mini, f"words {small_list} default --min-score 45")
    assert mini.puzzle.words.lists == (str(small_list), "default")
    assert mini.puzzle.words.minimum_score == 45
    run_line(mini, "words --min-score 50")
    assert mini.puzzle.words.lists == (str(small_list), "default")
    refuses(mini, "words nowhere", "there is no word list 'nowhere'")
    run_line(mini, "ban axle crème")
    assert mini.puzzle.words.banned == {"AXLE", "CREME"}
    assert "banned: AXLE, CREME" in said(mini, "words")
    run_line(mini, "allow AXLE")
    assert mini.puzzle.words.banned == {"CREME"}
    refuses(mini, "allow AXLE", "not banned: AXLE", PuzzleError)
    assert said(mini, "score axle 70") == "AXLE: 70, your own score"
    assert said(mini, "score AXLE") == "AXLE: 70, your own score"
    run_line(mini, "score AXLE none")
    assert not mini.puzzle.words.scores
    run_line(mini, "undo")
    assert mini.puzzle.words.scores == {"AXLE": 70}


def test_preferences(mini: Session, small_list: Path, tmp_path: Path) -> None:
    (tmp_path / "published").mkdir()
    said_so = said(mini, f"prefer {small_list} --recent {tmp_path / 'published'}")
    assert f"preferred: {small_list}" in said_so
    assert f"avoided: answers of the puzzles in {tmp_path / 'published'}" in said_so
    run_line(mini, "prefer default")
    assert mini.puzzle.words.preferred == ("default",)
    assert mini.puzzle.words.recent == str(tmp_path / "published")
    run_line(mini, "prefer none --recent none")
    assert mini.puzzle.words == WordChoice()
    run_line(mini, "undo")
    assert mini.puzzle.words.preferred == ("default",)
    refuses(mini, "prefer --recent nowhere", "there is no folder nowhere", XwtuiError)


def test_a_list_of_the_puzzles_folder_stays_a_name(mini: Session, small_list: Path) -> None:
    mini.save(small_list.parent / "heart.ipuz")
    run_line(mini, "words small.dict")
    assert mini.puzzle.words.lists == ("small.dict",)


@pytest.mark.parametrize(
    "text", ["It can't be bought", '"Hamlet" role', "a  b", "-30-", "--clear", "100% 'so'", "ends with \\", "# 1"]
)
def test_a_text_is_taken_as_it_was_typed(mini: Session, text: str) -> None:
    run_line(mini, f"clue 1A {text}")
    assert mini.puzzle.clue(mini.puzzle.grid.slot("1A")) == text
    run_line(mini, f"title A {text}")
    assert mini.puzzle.title == f"A {text}"


def test_clues_and_title_page(mini: Session) -> None:
    assert said(mini, "clue") == "1A: no clue"
    assert said(mini, "clue Seat of love") == "1A: Seat of love"
    assert said(mini, "clue 1A") == "1A: Seat of love"
    assert said(mini, "clue --clear 1A") == "1A: no clue"
    for field in ("title", "author", "copyright", "notes"):
        assert said(mini, f"{field} Some {field}") == f"{field}: Some {field}"
        assert getattr(mini.puzzle, field) == f"Some {field}"
        run_line(mini, f"{field} --clear")
        assert said(mini, field) == f"{field}: none"


def test_control_characters_stay_out(mini: Session) -> None:
    run_line(mini, "title a\x1b[31mb\x07c\u202ed")
    assert mini.puzzle.title == "a[31mbcd"
    mini.edit("evil", lambda puzzle: _titled(puzzle, "\x1b]0;evil\x07"))
    assert all(line.isprintable() for line in run_line(mini, "title").lines)
    with pytest.raises(XwtuiError) as caught:
        run_line(mini, "open \x1b[31mnowhere")
    assert str(caught.value).isprintable()


def _titled(puzzle: Puzzle, title: str) -> Puzzle:
    return replace(puzzle, title=title)


def test_check_and_stats(mini: Session) -> None:
    run_line(mini, "set 1A HEART")
    assert "empty square: 20 empty squares" in said(mini, "check")
    assert "entries: 10, filled: 1" in said(mini, "stats")
    assert "still being loaded" in said(mini, "stats")


def test_the_verb_says_what_wins_and_the_file_keeps_it(bench: Session, tmp_path: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text("AXLE\nOXEN\n", encoding="utf-8")
    told = said(bench, f"words {tmp_path / 'two.txt'} {tmp_path / 'one.txt'} --scale").splitlines()
    assert told[1].endswith(f"two.txt wins over {tmp_path / 'one.txt'}")
    assert told[2] == "lists without scores: scored by how many lists have a word, and by its length"
    assert read_bytes(puzzle_bytes(bench.puzzle, ".ipuz").data, ".ipuz").words.is_graded
    run_line(bench, "words --no-scale")
    assert not bench.puzzle.words.is_graded
