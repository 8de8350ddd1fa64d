"""`fill --all`: through every fill by any strategy, counted, the first ones kept to choose from."""

from dataclasses import replace

import pytest

from tests.session.conftest import FILLS
from tests.session.listening import Ear
from tests.session.saying import do, refuses, rows, said
from xwtui.engine.events.event import Outcome
from xwtui.model import Puzzle, WordChoice
from xwtui.session.fill_options import MOST_KEPT
from xwtui.session.messages import FillEnded, FillProgress
from xwtui.session.run_view import RunView
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.session.wording import ending_words, standing_words

SYMMETRIC = ["CAT", "ACE", "TEN"]
"""A list whose one fill of a 3x3 square has every word twice."""


def ended(ear: Ear) -> RunView:
    [end] = ear.of(FillEnded)
    return end.run


@pytest.mark.parametrize("options", ["", "--strategy emogic-letters", "--strategy top-ten", "--strategy xwtui"])
def test_all_fills_are_counted_and_kept(small: Session, ear: Ear, options: str) -> None:
    do(small, f"fill --all {options}")
    run = ended(ear)
    assert (run.outcome, run.found, run.reason) == (Outcome.FILLED, 2, "")
    assert ending_words(run).startswith("2 fills, all that there are")
    assert (run.placements is not None) == ("letters" in options)
    assert ("letters placed" in ending_words(run)) == ("letters" in options)
    assert rows(small) == ("???", "???", "???")
    taken = set()
    for number in (1, 2):
        said(small, f"take {number}")
        taken.add(rows(small))
    assert taken == FILLS


def test_words_may_stand_twice_if_asked(bench: Session, ear: Ear, small: Session) -> None:
    words = replace(small.puzzle.words, lists=(), scores=dict.fromkeys(SYMMETRIC, 90), minimum_score=89)
    bench.new(replace(Puzzle.blank(3, 3), words=words))
    do(bench, "fill --all --strategy double-trie")
    with_others = ended(ear).found
    ear.forget()
    do(bench, "fill --all --strategy double-trie --allow-repeats")
    assert ended(ear).found > with_others


def test_a_search_that_does_not_find_all_says_so(small: Session, ear: Ear) -> None:
    do(small, "fill --all --strategy emogic-words:backtrack=emogic")
    run = ended(ear)
    assert run.outcome is Outcome.UNKNOWN
    assert "at least: with these options emogic-words does not find all" in ending_words(run)


def test_no_fill_is_proved(small: Session, ear: Ear) -> None:
    run_line(small, "set r1c1 Q")
    do(small, "fill --all --strategy emogic-words")
    assert ended(ear).outcome is Outcome.IMPOSSIBLE
    assert ending_words(ended(ear)).startswith("impossible: 1A: no word fits Q??")


def test_stopped_it_leaves_the_first_fills(bench: Session, ear: Ear) -> None:
    bench.new(replace(Puzzle.blank(4, 4), words=WordChoice(minimum_score=30)))
    assert run_line(bench, "fill --all --strategy top-ten").started
    ear.wait_for(FillProgress, lambda message: message.run.found > 1)
    shown = ear.of(FillProgress)[-1].run
    assert len(shown.squares) == 16
    assert "fills, " in standing_words(shown)
    assert bench.stop()
    assert 1 < len(bench.fills.kept) <= MOST_KEPT
    assert rows(bench) == ("????",) * 4
    assert ended(ear).outcome is Outcome.CANCELLED
    assert "at least: it was stopped" in ending_words(ended(ear))


def test_time_ends_it(bench: Session, ear: Ear) -> None:
    bench.new(replace(Puzzle.blank(4, 4), words=WordChoice(minimum_score=30)))
    do(bench, "fill --all --time 0.5")
    run = ended(ear)
    assert (run.outcome, run.reason) == (Outcome.UNKNOWN, "the time was up")


@pytest.mark.parametrize("line", ["fill --all --best", "fill --all --count 3", "fill --partial --all"])
def test_it_is_one_thing_of_four(small: Session, line: str) -> None:
    refuses(small, line, "ask for one of them")


def test_it_is_one_search(small: Session) -> None:
    refuses(small, "fill --all --threads 2", "--all goes through fills in one search")
