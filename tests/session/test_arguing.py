"""Arguing with a search by verbs; results are compared with the list of all fills."""

from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.small_problems import lexicon_of, problem_of, small_grids, word_lists
from tests.examples import examples
from tests.known import known
from tests.naive.engine import naive_fills, read_answer
from tests.session.conftest import FILLS
from tests.session.saying import PATIENCE_SECONDS, Ear, do, refuses, rows, run_of, said
from xwtui.engine.budget import NO_LIMIT, Budget
from xwtui.engine.events.event import ANY_EVENT, THE_END, Event, EventKind, Outcome, Until
from xwtui.engine.events.timeline import Timeline
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.errors import XwtuiError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Ink, Position
from xwtui.session.goals import ArgumentKind, SearchArgument
from xwtui.session.jobs.fills.argued import ArguedSearch, BranchAssumptions, ProblemParts
from xwtui.session.jobs.fills.stepped import record
from xwtui.session.messages import ArgumentRefused, FillEnded
from xwtui.session.recording import Recording
from xwtui.session.session import Session
from xwtui.session.verbs.completion import complete
from xwtui.strategies.protocol import Strategy
from xwtui.strategies.registry import StrategyChoice
from xwtui.strategies.xwtui_engine import XwtuiEngine

Fill = frozenset[tuple[Position, Content]]


class ThroughAll:
    """A strategy that passes over the fills it finds, and records them."""

    def __init__(self, strategy: Strategy, found: list[Fill]) -> None:
        strategy.record()
        self._searching = strategy
        self._found = found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._searching, name)

    @property
    def has_ended(self) -> bool:
        return self._searching.is_over

    @property
    def outcome(self) -> Outcome:
        if not self._searching.is_over:
            return Outcome.RUNNING
        return Outcome.IMPOSSIBLE if self._searching.is_complete else Outcome.UNKNOWN

    def advance(self, budget: Budget = NO_LIMIT, until: Until = THE_END) -> Event | None:
        event: Event | None = self._searching.advance(budget, until)
        if event is not None and event.kind is EventKind.SOLVED:
            self._found.append(frozenset(self._searching.squares.items()))
        if event is None:
            next(self._searching.run(), None)
        return event


class AllBranches:
    """A strategy's branches, which find every fill."""

    def __init__(self, task: Task, strategy: str, seed: int) -> None:
        self.parts = ProblemParts(Problem.of(task))
        self.found: list[Fill] = []
        self._choice, self._seed = StrategyChoice.parse(strategy).for_all(), seed

    def open(self, assumed: BranchAssumptions) -> Any:
        return ThroughAll(self._choice.make(self.parts.task(assumed), self._seed), self.found)


STRATEGIES = ["xwtui", "emogic-words", "top-ten", "trie:order=rows,letters=shuffled", "sorted-index"]


def decided(bench: Session) -> list[tuple[str, str]]:
    moment = known(run_of(bench).moment)
    return [(one.subject, one.choice) for one in moment.decisions]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_another_word_can_be_chosen_and_stays(small: Session, strategy: str) -> None:
    do(small, f"step --strategy {strategy}")
    [(place, tried)] = decided(small)
    report = known(run_of(small).decision_report)
    assert (report.tried, report.chosen) == (place, tried)
    other = report.others[0].word
    assert other in {completion.text for completion in complete(small, f"argue choose {place} ")}
    do(small, f"argue choose {place} {other}")
    assert decided(small) == [(place, other)]
    assert run_of(small).event is not None
    assert f"argued: you choose {place} = {other}" in said(small, "events")
    do(small, "continue")
    assert rows(small) in FILLS
    assert small.undo() == "fill"


def test_a_forbidden_word_is_in_no_fill(small: Session, ear: Ear) -> None:
    """Every row of every fill is forbidden in 1A; then nothing is left, which is reported."""
    do(small, "step")
    for word in sorted({fill[0] for fill in FILLS}):
        do(small, f"argue forbid 1A {word}")
    if small.jobs.fill.view is not None and small.jobs.fill.view.paused:
        do(small, "continue")
    ended = ear.wait_for(FillEnded).run
    assert ended.outcome is Outcome.IMPOSSIBLE
    assert "without" in ended.reason
    assert "in 1A" in ended.reason
    assert rows(small) not in FILLS


def test_back_undoes_a_ban(small: Session) -> None:
    do(small, "step")
    for word in sorted({fill[0] for fill in FILLS})[:-1]:
        do(small, f"argue forbid 1A {word}")
    for _ in sorted({fill[0] for fill in FILLS})[:-1]:
        do(small, "argue back")
    assert run_of(small).arguments == ()
    do(small, "argue back")
    do(small, "continue")
    assert rows(small) in FILLS


def test_a_lock_is_ink_and_is_kept(small: Session, ear: Ear) -> None:
    do(small, "step")
    [(place, word)] = decided(small)
    do(small, "argue lock")
    slot = small.puzzle.grid.slot(place)
    assert small.puzzle.grid.answer(slot) == word
    assert {small.puzzle.grid[at].ink for at in slot.positions} == {Ink.LOCKED}
    assert run_of(small).paused, "the search stands still as before"
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
def test_an_entry_can_be_deferred(small: Session, strategy: str) -> None:
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


def test_arguing_from_an_earlier_event(small: Session) -> None:
    do(small, "step 2 --strategy emogic-words:words=alphabetical")
    last = run_of(small).last_event
    do(small, "event 1")
    first = decided(small)
    assert run_of(small).is_past
    do(small, "argue forbid")
    assert decided(small) == []
    assert run_of(small).last_event > last
    assert not run_of(small).is_past
    do(small, "continue")
    assert rows(small) in FILLS
    [(place, word)] = first
    assert small.puzzle.grid.answer(small.puzzle.grid.slot(place)) != word


def test_impossible_requests_are_refused_with_a_reason(small: Session, ear: Ear) -> None:
    refuses(small, "argue skip", "starts one")
    do(small, "step")
    do(small, "argue choose 1A ZZZZ")
    assert "1A cannot be ZZZZ" in ear.of(ArgumentRefused)[-1].message
    refuses(small, "argue choose 99A ABC", "entry")
    do(small, "argue back")
    assert "there are no arguments" in ear.of(ArgumentRefused)[-1].message
    assert run_of(small).paused
    do(small, "continue")
    refuses(small, "argue skip", "over")


def test_a_running_search_is_paused_first(endless: Session) -> None:
    said(endless, "watch --speed 1")
    refuses(endless, "argue skip", "pause")
    endless.stop()


def test_the_timeline_has_decisions_before_and_after(endless: Session) -> None:
    do(endless, "until backtrack")
    do(endless, "argue skip")
    here = decided(endless)
    number = run_of(endless).event_number
    do(endless, "step 30")
    do(endless, f"event {number + 1}")
    assert decided(endless) == here
    do(endless, "back")
    assert any(event.kind is EventKind.ARGUE for event in run_of(endless).recent)


def test_an_impossible_choice_is_a_dead_end_and_backtracks(small: Session) -> None:
    """ICE across at the top wipes out 1D to 3D. This is reported immediately, and the other choices follow."""
    do(small, "step")
    do(small, "argue choose 1A ICE")
    run = run_of(small)
    assert known(run.event).kind is EventKind.WIPE_OUT
    assert "".join(str(run.squares[at]) for at in small.puzzle.grid.slot("1A").positions) == "ICE"
    do(small, "step")
    event = known(run_of(small).event)
    assert event.kind is EventKind.BACKTRACK
    assert event.describe().startswith("backtrack from 1A to the start: 1A is not ICE")
    do(small, "continue")
    assert rows(small) in FILLS


COMPLETE = (
    "xwtui",
    "emogic-letters",
    "emogic-letters:walk=snake,backtrack=naive",
    "emogic-words",
    "trie",
    "trie:order=fewest",
    "sorted-index",
    "fsharp-word:back=step",
    "qxw-cells",
    "copeland",
    "top-ten",
    "permuted-index:repeats=no",
)
_MOST_STEPS = 3_000
"""Event limit per search; searches with more fills are skipped."""
_SECONDS = 60.0


class Dispute:
    """A search with random arguments, and its expected result."""

    def __init__(self, grid: Grid, words: dict[str, int], strategy: str, chance: Random) -> None:
        self.grid, self.chance = grid, chance
        self.branches = AllBranches(Task(grid, lexicon_of(words)), strategy, chance.randrange(100))
        self.search = ArguedSearch(
            self.branches.parts, self.branches.open(BranchAssumptions()), self.branches.open
        )
        self.recording = Recording(grid)
        self.forbidden: list[tuple[str, str]] = []
        self.locked: dict[Position, Content] = {}
        self.said: list[tuple[list[tuple[str, str]], dict[Position, Content]]] = []

    def step(self, events: int) -> None:
        for _ in range(events):
            if not self.search.has_ended:
                self.search.advance(Budget(_SECONDS), ANY_EVENT)
        record(self.search, self.recording)

    def argue(self) -> bool:
        """Make a random argument; return whether it was accepted."""
        kind = self.chance.choice(list(ArgumentKind))
        decided = self.search._now.decisions
        before = (list(self.forbidden), dict(self.locked))
        place = self.chance.choice(decided).place if decided and self.chance.random() < 0.5 else ""
        argument = SearchArgument(kind, place, self._word(place, kind))
        try:
            self.search.argue(argument)
        except XwtuiError:
            return False
        finally:
            record(self.search, self.recording)
        if kind is ArgumentKind.BACK:
            self.forbidden, self.locked = self.said.pop()
            return True
        self.said.append(before)
        if kind is ArgumentKind.FORBID:
            argued = self.search.view().arguments[-1]
            self.forbidden.append((argued.place, argued.word))
        if kind is ArgumentKind.LOCK:
            self.locked |= {at: content for one in decided for at, content in one.squares}
        return True

    def _word(self, place: str, kind: ArgumentKind) -> str:
        decided = self.search._now.decisions
        named = place or (decided[-1].place if decided else "")
        if not named or (kind is ArgumentKind.FORBID and self.chance.random() < 0.5):
            return ""
        likely = self.branches.parts.alternatives(self.search._now.before(named), named, 5)
        return self.chance.choice(likely).word if likely else ""

    def is_allowed(self, fill: dict[Position, Content]) -> bool:
        """Whether a fill satisfies all bans and locks."""
        for place, word in self.forbidden:
            slot = self.grid.slots_by_name.get(place)
            if slot is None and str(fill[Position.parse(place)]) == word:
                return False
            if slot is not None and read_answer(fill, slot) == word:
                return False
        return all(fill[at] == content for at, content in self.locked.items())


@pytest.mark.parametrize("strategy", COMPLETE)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=True))
@examples(15)
def test_every_fill_that_is_not_forbidden_is_found_once(
    strategy: str, grid: Grid, words: dict[str, int], chance: Random
) -> None:
    dispute = Dispute(grid, words, strategy, chance)
    for _ in range(chance.randint(1, 6)):
        dispute.step(chance.randint(0, 12))
        if not dispute.search.has_ended and not dispute.branches.found:
            dispute.argue()
    found_before = len(dispute.branches.found)
    for _ in range(_MOST_STEPS):
        if dispute.search.has_ended:
            break
        dispute.step(1)
    assume(dispute.search.has_ended)
    needed = {at for slot in grid.slots for at in slot.positions}
    fills = [{at: fill[at] for at in needed} for fill in naive_fills(grid, words)]
    expected = {frozenset(fill.items()) for fill in fills if dispute.is_allowed(fill)}
    found = [frozenset((at, fill[at]) for at in needed) for fill in map(dict, dispute.branches.found)]
    assert len(set(found)) == len(found), "a fill came twice"
    assert set(found) == expected or found_before
    check_time_line(dispute)


@pytest.mark.parametrize("strategy", ["xwtui", "top-ten", "trie"])
def test_a_given_two_letter_square_is_argued_about_as_a_whole(strategy: str) -> None:
    """Its entry shows the letter that it reads; the chosen word and the later search give the same fill."""
    for seed, shape in product(range(20), ("###\n###\n#.[B/C]", "###\n#..\n#.[B/C]")):
        words = {"AB": 50, "CB": 40, "AC": 50, "CC": 30}
        dispute = Dispute(grid_from_text(shape), words, strategy, Random(seed))
        for _ in range(3):
            dispute.step(1)
            if not dispute.search.has_ended and not dispute.branches.found:
                dispute.argue()
        while not dispute.search.has_ended:
            dispute.step(1)
        found = [frozenset(fill) for fill in dispute.branches.found]
        assert len(set(found)) == len(found), seed


def check_time_line(dispute: Dispute) -> None:
    """Check that decisions on the timeline match the search, at its end and in between."""
    timeline = Timeline(dispute.grid)
    timeline.extend(dispute.recording.kept())
    if len(timeline):
        told = [(one.subject, one.choice) for one in timeline.at(len(timeline) - 1).decisions]
        assert told == [(one.place, one.choice) for one in dispute.search._now.decisions]


def test_recording_from_a_step_continues_at_full_speed() -> None:
    words = {a + b + c + d: 50 for a in "ABCD" for b in "AEB" for c in "ACD" for d in "ABE"}
    problem = problem_of(grid_from_text("....\n....\n....\n...."), words)
    search = XwtuiEngine.on(problem)
    search.advance(Budget(PATIENCE_SECONDS), ANY_EVENT)
    search.record()
    search.advance(Budget(PATIENCE_SECONDS))
    recording = Recording(problem.grid, decisions=())
    record(search, recording)
    assert recording.length > 0
    assert recording.kept()[-1].kind is EventKind.SOLVED
