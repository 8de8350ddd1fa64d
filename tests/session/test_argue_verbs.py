"""Arguing in lines: choose, forbid, lock, skip, back, at the present moment and in the past."""

import pytest

from tests.known import known
from tests.session.conftest import FILLS
from tests.session.listening import Ear
from tests.session.saying import do, refuses, rows, said
from xwtui.engine.events.event import EventKind, Outcome
from xwtui.model import Ink
from xwtui.session.messages import ArgumentRefused, FillEnded
from xwtui.session.run_view import RunView
from xwtui.session.session import Session
from xwtui.session.verbs.completion import complete

STRATEGIES = ["xwtui", "emogic-words", "top-ten", "trie:order=rows,letters=shuffled", "sorted-index"]


def view(bench: Session) -> RunView:
    assert bench.jobs.fill.view is not None
    return bench.jobs.fill.view


def decided(bench: Session) -> list[tuple[str, str]]:
    moment = known(view(bench).moment)
    return [(one.subject, one.choice) for one in moment.decisions]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_another_word_is_chosen_and_stands(small: Session, strategy: str) -> None:
    do(small, f"step --strategy {strategy}")
    [(place, tried)] = decided(small)
    thoughts = known(view(small).thoughts)
    assert (thoughts.tried, thoughts.chosen) == (place, tried)
    other = thoughts.others[0].word
    assert other in {completion.text for completion in complete(small, f"argue choose {place} ")}
    do(small, f"argue choose {place} {other}")
    assert decided(small) == [(place, other)]
    assert view(small).event is not None
    assert f"argued: you choose {place} = {other}" in said(small, "events")
    do(small, "continue")
    assert rows(small) in FILLS
    assert small.undo() == "fill"


def test_what_is_forbidden_is_in_no_fill(small: Session, ear: Ear) -> None:
    """Every row of every fill is forbidden in 1A: then nothing is left, and that is said."""
    do(small, "step")
    for word in sorted({fill[0] for fill in FILLS}):
        do(small, f"argue forbid 1A {word}")
    if small.jobs.fill.view is not None and small.jobs.fill.view.paused:
        do(small, "continue")
    ended = ear.of(FillEnded)[-1].run
    assert ended.outcome is Outcome.IMPOSSIBLE
    assert "without" in ended.reason
    assert "in 1A" in ended.reason
    assert rows(small) not in FILLS


def test_back_takes_the_ban_back(small: Session) -> None:
    do(small, "step")
    for word in sorted({fill[0] for fill in FILLS})[:-1]:
        do(small, f"argue forbid 1A {word}")
    for _ in sorted({fill[0] for fill in FILLS})[:-1]:
        do(small, "argue back")
    assert view(small).arguments == ()
    do(small, "argue back")
    do(small, "continue")
    assert rows(small) in FILLS


def test_a_lock_is_ink_and_stays(small: Session, ear: Ear) -> None:
    do(small, "step")
    [(place, word)] = decided(small)
    do(small, "argue lock")
    slot = small.puzzle.grid.slot(place)
    assert small.puzzle.grid.answer(slot) == word
    assert {small.puzzle.grid[at].ink for at in slot.positions} == {Ink.LOCKED}
    assert view(small).paused, "the search stands still as before"
    do(small, "argue choose " + place + " " + word)
    assert "locked" in ear.of(ArgumentRefused)[-1].message
    do(small, "argue back")
    assert {small.puzzle.grid[at].ink for at in slot.positions} != {Ink.LOCKED}
    do(small, "argue lock")
    do(small, "continue")
    ended = ear.of(FillEnded)[-1].run
    if ended.outcome is Outcome.FILLED:
        assert small.puzzle.grid.answer(slot) == word
    else:
        assert f"with {place} = {word}" in ended.reason


@pytest.mark.parametrize("strategy", ["xwtui", "top-ten", "qxw-cells"])
def test_an_entry_is_put_off(small: Session, strategy: str) -> None:
    do(small, f"step --strategy {strategy}")
    while not decided(small):
        do(small, "step")
    place = decided(small)[-1][0]
    before = len(decided(small))
    do(small, "argue skip")
    assert len(decided(small)) == before
    assert decided(small)[-1][0] != place
    do(small, "continue")
    assert rows(small) in FILLS


def test_one_argues_from_a_moment_in_the_past(small: Session) -> None:
    do(small, "step 2 --strategy emogic-words:words=alphabetical")
    last = view(small).last_event
    do(small, "event 1")
    first = decided(small)
    assert view(small).is_past
    do(small, "argue forbid")
    assert decided(small) == []
    assert view(small).last_event > last
    assert not view(small).is_past
    do(small, "continue")
    assert rows(small) in FILLS
    [(place, word)] = first
    assert small.puzzle.grid.answer(small.puzzle.grid.slot(place)) != word


def test_what_cannot_be_is_refused_in_words(small: Session, ear: Ear) -> None:
    refuses(small, "argue skip", "begins one")
    do(small, "step")
    do(small, "argue choose 1A ZZZZ")
    assert "1A cannot be ZZZZ" in ear.of(ArgumentRefused)[-1].message
    refuses(small, "argue choose 99A ABC", "entry")
    do(small, "argue back")
    assert "nothing has been argued" in ear.of(ArgumentRefused)[-1].message
    assert view(small).paused
    do(small, "continue")
    refuses(small, "argue skip", "over")


def test_a_search_that_goes_on_is_held_first(endless: Session) -> None:
    said(endless, "watch --speed 1")
    refuses(endless, "argue skip", "pause")
    endless.stop()


def test_the_time_line_holds_what_was_decided_before_and_after(endless: Session) -> None:
    do(endless, "until backtrack")
    do(endless, "argue skip")
    here = decided(endless)
    number = view(endless).event_number
    do(endless, "step 30")
    do(endless, f"event {number + 1}")
    assert decided(endless) == here
    do(endless, "back")
    assert any(event.kind is EventKind.ARGUE for event in view(endless).recent)


def test_a_choice_that_cannot_be_is_a_dead_end_that_the_search_goes_back_from(small: Session) -> None:
    """ICE across at the top leaves 1D to 3D no words: it is said at once, and the others follow."""
    do(small, "step")
    do(small, "argue choose 1A ICE")
    run = view(small)
    assert run.event is not None
    assert run.event.kind is EventKind.WIPE_OUT
    assert "".join(str(run.squares[at]) for at in small.puzzle.grid.slot("1A").positions) == "ICE"
    do(small, "step")
    event = known(view(small).event)
    assert event.kind is EventKind.BACKTRACK
    assert event.describe().startswith("backtrack from 1A to the start: 1A is not ICE")
    do(small, "continue")
    assert rows(small) in FILLS
