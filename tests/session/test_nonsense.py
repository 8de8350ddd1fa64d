"""Writing across finished answers: which are no words then is said at once, and known until it is mended."""

import pytest

from tests.session.listening import PATIENCE_SECONDS
from tests.session.saying import rows, said
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line


@pytest.fixture
def full(small: Session) -> Session:
    """BAG, ICE, TEN across and BIT, ACE, GEN down, with their words read."""
    small.start()
    small.wait_until_ready(PATIENCE_SECONDS)
    for line in ("set 1A BAG", "set 4A ICE", "set 5A TEN"):
        run_line(small, line)
    assert rows(small) == ("BAG", "ICE", "TEN")
    assert small.nonsense_entries == ()
    return small


def nonsense(bench: Session) -> list[str]:
    return [f"{entry.slot.name} {entry.answer}" for entry in bench.nonsense_entries]


def test_an_answer_across_others_tells_which_are_no_words_now(full: Session) -> None:
    assert said(full, "set 1A TAG").splitlines() == ["1A: TAG", "now in no list: 1D TIT"]
    assert nonsense(full) == ["1D TIT"]
    assert "unlisted answer: 1 answer is in no list: 1D TIT" in said(full, "check")
    assert said(full, "set 4A OXO").splitlines()[1] == "now in no list: 1D TOT, 2D AXE, 3D GON"
    run_line(full, "undo")
    assert nonsense(full) == ["1D TIT"]
    run_line(full, "set 1A BAG")
    assert nonsense(full) == []
    assert "unlisted" not in said(full, "check")
    run_line(full, "undo")
    assert nonsense(full) == ["1D TIT"]
    run_line(full, "redo")
    assert nonsense(full) == []


def test_what_is_written_as_an_answer_is_meant(full: Session) -> None:
    assert said(full, "set 1A QQQ").splitlines() == ["1A: QQQ", "now in no list: 1D QIT, 2D QCE, 3D QEN"]
    assert nonsense(full) == ["1D QIT", "2D QCE", "3D QEN"]
    for line in ("undo", "redo"):
        run_line(full, line)
    assert nonsense(full) == ["1D QIT", "2D QCE", "3D QEN"]
    run_line(full, "score QIT 50")
    assert full.jobs.words.wait(lambda: False) is not None
    assert nonsense(full) == ["2D QCE", "3D QEN"], "a score of one's own makes a word of it"


def test_a_square_between_two_answers_tells_of_both(full: Session) -> None:
    assert said(full, "set r1c1 Z").splitlines() == ["r1c1: Z", "now in no list: 1A ZAG, 1D ZIT"]
    assert said(full, "rebus r1c1 BE").splitlines() == ["r1c1: [BE]", "now in no list: 1A BEAG, 1D BEIT"]
    run_line(full, "clear r1c1")
    assert nonsense(full) == [], "what is not complete is no answer"


def test_another_puzzle_begins_with_nothing(full: Session) -> None:
    run_line(full, "set 1A QQQ")
    run_line(full, "new 3 --force")
    assert nonsense(full) == []


def test_without_words_nothing_can_be_told(bench: Session) -> None:
    for line in ("new 3 --force", "set 1A BAG", "set 4A ICE", "set 5A TEN"):
        run_line(bench, line)
    assert said(bench, "set 1A QQQ") == "1A: QQQ"
    assert bench.nonsense_entries == ()
