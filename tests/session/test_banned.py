"""Banned words that stand in the grid are named: by what bans them, by `check`, and by an export."""

import pytest

from tests.session.listening import PATIENCE_SECONDS
from tests.session.saying import do, found, rows, said
from xwtui.model import Content, Position, edits
from xwtui.model.review import Check
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.session.verbs.review import ReviewAnswer


@pytest.fixture
def full(small: Session) -> Session:
    """BAG, ICE, TEN across in pencil, with their words read."""
    small.start()
    small.wait_until_ready(PATIENCE_SECONDS)
    fill = {Position(at // 3, at % 3): Content.of(letter) for at, letter in enumerate("BAGICETEN")}
    small.edit("pencil", lambda puzzle: edits.write_fill(puzzle, fill))
    return small


def banned(bench: Session) -> list[str]:
    bench.wait_until_ready(PATIENCE_SECONDS)
    answer = found(bench, "check")
    assert isinstance(answer, ReviewAnswer)
    return [finding.message for finding in answer.findings if finding.rule is Check.BANNED]


STANDS = "BAG is at 1A: `reject 1A` or `refill` replaces it"


@pytest.mark.parametrize(
    ("line", "reply", "finding"),
    [
        ("ban BAG OXO", "banned: BAG, OXO", "1A BAG is banned in this puzzle"),
        ("score BAG 0", "BAG: 0, your own score", "1A BAG has the score 0 in this puzzle"),
        ("ban BAG --everywhere", "banned in every puzzle: BAG", "1A BAG is banned by your own list"),
        ("score BAG 0 --mine", "BAG: 0, in your own list: never used", "1A BAG is banned by your own list"),
        ("never BAG", "BAG: 0 in your own list: no fill uses it", "1A BAG is banned by your own list"),
    ],
)
def test_what_bans_an_answer_says_where_it_stands_and_check_finds_it(
    full: Session, line: str, reply: str, finding: str
) -> None:
    assert said(full, line).splitlines() == [reply, STANDS]
    assert banned(full) == [finding]
    assert full.jobs.words.banned(full.puzzle) >= {"BAG"}
    run_line(full, "undo")
    assert banned(full) == []
    assert "BAG" not in full.jobs.words.banned(full.puzzle)


def test_what_replaces_it_goes_by_its_ink_and_by_what_is_empty(full: Session) -> None:
    for line in ("score TAG 60", "score TIT 60", "clear r3c3"):
        run_line(full, line)
    assert said(full, "ban BAG").splitlines()[1:] == ["BAG is at 1A: `reject 1A` or `fill` replaces it"]
    full.wait_until_ready(PATIENCE_SECONDS)
    do(full, "fill")
    assert rows(full) == ("TAG", "ICE", "TEN")
    run_line(full, "undo")
    run_line(full, "lock 1A")
    assert said(full, "ban BAG").splitlines()[1:] == [
        "BAG is at 1A and is locked: `unlock 1A` lets you replace it"
    ]
    for line in ("unlock 1A", "set 1A BAG"):
        run_line(full, line)
    assert said(full, "ban BAG").splitlines()[1:] == [
        "BAG is at 1A in pen: `pencil 1A` lets other words replace it"
    ]


@pytest.mark.parametrize("line", ["ban OXO", "score BAG 10", "raise BAG"])
def test_nothing_is_said_of_what_does_not_stand_or_is_not_banned(full: Session, line: str) -> None:
    assert "stands" not in said(full, line)
    assert banned(full) == []


def test_a_word_that_the_puzzle_scores_is_not_banned_by_the_personal_list(full: Session) -> None:
    run_line(full, "score BAG 60")
    assert "stands" not in said(full, "ban BAG --everywhere")
    assert banned(full) == []


def test_an_export_says_that_a_banned_word_stands(full: Session) -> None:
    run_line(full, "ban BAG")
    assert "1A BAG is banned in this puzzle" in said(full, "export --preview")
