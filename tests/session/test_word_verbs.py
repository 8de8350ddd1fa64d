"""The verbs that choose words, banned words in the grid, and entries that become non-words."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.session.saying import PATIENCE_SECONDS, do, found, found_as, refuses, rows, said
from xwtui.errors import PuzzleError, XwtuiError
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model import Content, Position, Puzzle, WordChoice, edits
from xwtui.model.review import Check
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.session.verbs.review import ReviewAnswer


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
    run_line(mini, "ban ACE BAG CAB DAB")
    assert said(mini, "words").splitlines()[-1] == "banned: ACE, BAG, CAB, CREME, DAB"
    assert said(mini, "score axle 70") == "AXLE: 70, your score in this puzzle"
    assert said(mini, "score AXLE") == "AXLE: 70, your score in this puzzle"
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


def test_a_list_in_the_puzzles_folder_is_stored_by_name(mini: Session, small_list: Path) -> None:
    mini.save(small_list.parent / "heart.ipuz")
    run_line(mini, "words small.dict")
    assert mini.puzzle.words.lists == ("small.dict",)


@pytest.mark.parametrize(
    "text", ["It can't be bought", '"Hamlet" role', "a  b", "-30-", "--clear", "100% 'so'", "ends with \\", "# 1"]
)
def test_a_text_is_kept_as_typed(mini: Session, text: str) -> None:
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


def test_control_characters_are_removed(mini: Session) -> None:
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


def test_the_verb_reports_precedence_and_the_file_stores_it(bench: Session, tmp_path: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text("AXLE\nOXEN\n", encoding="utf-8")
    told = said(bench, f"words {tmp_path / 'two.txt'} {tmp_path / 'one.txt'} --scale").splitlines()
    assert told[1].endswith(f"two.txt wins over {tmp_path / 'one.txt'}")
    assert told[2] == "lists without scores: scored by how many lists have a word, and by its length"
    assert read_bytes(puzzle_bytes(bench.puzzle, ".ipuz").data, ".ipuz").words.is_graded
    run_line(bench, "words --no-scale")
    assert not bench.puzzle.words.is_graded


def test_check_lists_repeats_considered_intentional(bench: Session) -> None:
    grid = grid_from_text("BAKER\n#####\nBAKES")
    bench.edit("bakers", lambda puzzle: replace(puzzle, grid=grid))
    bench.start()
    bench.wait_until_ready(PATIENCE_SECONDS)
    assert "near-duplicate answers: 1A BAKER and 2A BAKES repeat each other" in said(bench, "check")
    told = said(bench, "lock 1A 2A", "check").splitlines()
    assert "repeats of locked answers, taken as meant: 1A BAKER and 2A BAKES" in told
    assert told[-1].startswith("no other repeats found by roots")
    assert found(bench, "check").as_json["meant_repeats"] == [["1A", "2A"]]


@pytest.fixture
def full(small: Session) -> Session:
    """BAG, ICE, TEN across in pencil, with their words loaded."""
    small.start()
    small.wait_until_ready(PATIENCE_SECONDS)
    fill = {Position(at // 3, at % 3): Content.of(letter) for at, letter in enumerate("BAGICETEN")}
    small.edit("pencil", lambda puzzle: edits.write_fill(puzzle, fill))
    return small


def banned(bench: Session) -> list[str]:
    bench.wait_until_ready(PATIENCE_SECONDS)
    answer = found_as(ReviewAnswer, bench, "check")
    return [finding.message for finding in answer.findings if finding.rule is Check.BANNED]


STANDS = "BAG is at 1A: `reject 1A` or `refill` replaces it"


@pytest.mark.parametrize(
    ("line", "reply", "finding"),
    [
        ("ban BAG OXO", "banned: BAG, OXO", "1A BAG is banned in this puzzle"),
        ("score BAG 0", "BAG: 0, your score in this puzzle", "1A BAG has the score 0 in this puzzle"),
        ("ban BAG --everywhere", "banned in every puzzle: BAG", "1A BAG is banned by your own list"),
        ("score BAG 0 --mine", "BAG: 0, in your own list: never used", "1A BAG is banned by your own list"),
        ("never BAG", "BAG: 0 in your own list: no fill uses it", "1A BAG is banned by your own list"),
    ],
)
def test_banning_an_answer_reports_where_it_stands_and_check_finds_it(
    full: Session, line: str, reply: str, finding: str
) -> None:
    assert said(full, line).splitlines() == [reply, STANDS]
    assert banned(full) == [finding]
    assert full.jobs.words.banned(full.puzzle) >= {"BAG"}
    run_line(full, "undo")
    assert banned(full) == []
    assert "BAG" not in full.jobs.words.banned(full.puzzle)


def test_the_suggested_replacement_depends_on_ink_and_empty_squares(full: Session) -> None:
    said(full, "score TAG 60", "score TIT 60", "clear r3c3")
    assert said(full, "ban BAG").splitlines()[1:] == ["BAG is at 1A: `reject 1A` or `fill` replaces it"]
    full.wait_until_ready(PATIENCE_SECONDS)
    do(full, "fill")
    assert rows(full) == ("TAG", "ICE", "TEN")
    said(full, "undo", "lock 1A")
    assert said(full, "ban BAG").splitlines()[1:] == [
        "BAG is at 1A and is locked: `unlock 1A` lets you replace it"
    ]
    said(full, "unlock 1A", "set 1A BAG")
    assert said(full, "ban BAG").splitlines()[1:] == [
        "BAG is at 1A in pen: `pencil 1A` lets other words replace it"
    ]


@pytest.mark.parametrize("line", ["ban OXO", "score BAG 10", "raise BAG"])
def test_nothing_is_reported_for_absent_or_allowed_words(full: Session, line: str) -> None:
    assert "stands" not in said(full, line)
    assert banned(full) == []


def test_a_word_scored_by_the_puzzle_is_not_banned_by_the_personal_list(full: Session) -> None:
    run_line(full, "score BAG 60")
    assert "stands" not in said(full, "ban BAG --everywhere")
    assert banned(full) == []


def test_an_export_reports_banned_words_in_the_grid(full: Session) -> None:
    run_line(full, "ban BAG")
    assert "1A BAG is banned in this puzzle" in said(full, "export --preview")


@pytest.fixture
def crossed(small: Session) -> Session:
    """BAG, ICE, TEN across and BIT, ACE, GEN down, with their words loaded."""
    small.start()
    small.wait_until_ready(PATIENCE_SECONDS)
    said(small, "set 1A BAG", "set 4A ICE", "set 5A TEN")
    assert rows(small) == ("BAG", "ICE", "TEN")
    assert small.unlisted_crossings == ()
    return small


def nonsense(bench: Session) -> list[str]:
    return [f"{entry.slot.name} {entry.answer}" for entry in bench.unlisted_crossings]


def test_an_answer_reports_crossings_that_become_non_words(crossed: Session) -> None:
    assert said(crossed, "set 1A TAG").splitlines() == ["1A: TAG", "now in no list: 1D TIT"]
    assert nonsense(crossed) == ["1D TIT"]
    assert "unlisted answer: 1 answer is in no list: 1D TIT" in said(crossed, "check")
    assert said(crossed, "set 4A OXO").splitlines()[1] == "now in no list: 1D TOT, 2D AXE, 3D GON"
    run_line(crossed, "undo")
    assert nonsense(crossed) == ["1D TIT"]
    run_line(crossed, "set 1A BAG")
    assert nonsense(crossed) == []
    assert "unlisted" not in said(crossed, "check")
    run_line(crossed, "undo")
    assert nonsense(crossed) == ["1D TIT"]
    run_line(crossed, "redo")
    assert nonsense(crossed) == []


def test_a_deliberately_written_answer_is_not_reported(crossed: Session) -> None:
    assert said(crossed, "set 1A QQQ").splitlines() == ["1A: QQQ", "now in no list: 1D QIT, 2D QCE, 3D QEN"]
    assert nonsense(crossed) == ["1D QIT", "2D QCE", "3D QEN"]
    said(crossed, "undo", "redo")
    assert nonsense(crossed) == ["1D QIT", "2D QCE", "3D QEN"]
    run_line(crossed, "score QIT 50")
    assert crossed.jobs.words.wait(lambda: False) is not None
    assert nonsense(crossed) == ["2D QCE", "3D QEN"], "a score of one's own makes a word of it"


def test_a_square_reports_both_of_its_entries(crossed: Session) -> None:
    assert said(crossed, "set r1c1 Z").splitlines() == ["r1c1: Z", "now in no list: 1A ZAG, 1D ZIT"]
    assert said(crossed, "rebus r1c1 BE").splitlines() == ["r1c1: [BE]", "now in no list: 1A BEAG, 1D BEIT"]
    run_line(crossed, "clear r1c1")
    assert nonsense(crossed) == [], "what is not complete is no answer"


def test_another_puzzle_starts_without_reports(crossed: Session) -> None:
    said(crossed, "set 1A QQQ", "new 3 --force")
    assert nonsense(crossed) == []


def test_without_words_nothing_is_reported(bench: Session) -> None:
    said(bench, "new 3 --force", "set 1A BAG", "set 4A ICE", "set 5A TEN")
    assert said(bench, "set 1A QQQ") == "1A: QQQ"
    assert bench.unlisted_crossings == ()
