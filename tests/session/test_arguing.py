"""Arguing with a search, against the naive fills: every fill that is not forbidden is found, each once."""

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.small_problems import lexicon_of, problem_of, small_grids, word_lists
from tests.examples import examples
from tests.naive.engine import naive_fills, read_answer
from tests.session.arguing import AllBranches
from tests.session.listening import PATIENCE_SECONDS
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import ANY_EVENT, EventKind
from xwtui.engine.events.timeline import Timeline
from xwtui.engine.problem.task import Task
from xwtui.errors import XwtuiError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Position
from xwtui.session.goals import ArgumentKind, SearchArgument
from xwtui.session.jobs.fills.argued import ArguedSearch
from xwtui.session.jobs.fills.assumptions import BranchAssumptions
from xwtui.session.jobs.fills.watching import record
from xwtui.session.recording import Recording
from xwtui.strategies.xwtui_engine import XwtuiEngine

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
"""Events of a search; one with more fills than that is passed over."""
_SECONDS = 60.0


class Dispute:
    """A search that is argued with at random, and what it must come to."""

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
        """Say something; returns whether it was taken up."""
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
            argued = self.search.look().arguments[-1]
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
        """Whether a fill is neither forbidden nor beside what is locked."""
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


def check_time_line(dispute: Dispute) -> None:
    """The time line's decisions in force are those of the search, at its end and in between."""
    timeline = Timeline(dispute.grid)
    timeline.extend(dispute.recording.kept())
    if len(timeline):
        told = [(one.subject, one.choice) for one in timeline.at(len(timeline) - 1).decisions]
        assert told == [(one.place, one.choice) for one in dispute.search._now.decisions]


def test_what_is_recorded_from_a_step_on_is_recorded_at_full_speed_too() -> None:
    words = {a + b + c + d: 50 for a in "ABCD" for b in "AEB" for c in "ACD" for d in "ABE"}
    problem = problem_of(grid_from_text("....\n....\n....\n...."), words)
    search = XwtuiEngine.on(problem)
    search.advance(Budget(PATIENCE_SECONDS), ANY_EVENT)
    search.record()
    search.advance(Budget(PATIENCE_SECONDS))
    recording = Recording(problem.grid, standing=())
    record(search, recording)
    assert recording.length > 0
    assert recording.kept()[-1].kind is EventKind.SOLVED
