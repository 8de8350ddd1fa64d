"""A search that the constructor argues with: several branches, searched one by one, presented as one search.

A branch is the set of fills that have its decisions and avoid what it rules out. When it is exhausted, its last
decision is refuted, given the decisions before it. The next branch rules that decision out instead. What was ruled
out after the decision held only together with it, and is dropped. So every fill that is not forbidden belongs to
exactly one branch. The search ends when no decision is left to refute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import takewhile
from typing import NamedTuple

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.budget import NO_LIMIT, Budget
from xwtui.engine.events.event import THE_END, DecisionReport, Event, EventKind, LikelyWord, Outcome, Until
from xwtui.engine.events.timeline import DecodedEvents, EventSequence, RecordedDecision
from xwtui.engine.problem.task import Assumptions, Task
from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Position
from xwtui.session.goals import ArgumentKind, SearchArgument
from xwtui.session.run_view import RunView, view_of
from xwtui.strategies.protocol import Strategy
from xwtui.text import listed, printable

with lazy_imports():
    from xwtui.engine.fill.filler import Filler, likely_words
    from xwtui.engine.problem.problem import Problem

_OTHERS = 60
"""Number of alternatives reported for the last decision."""


class BranchDecision(NamedTuple):
    """A decision that an entry or a square has certain contents, or that it has not."""

    place: str
    """Name of the entry or square."""
    choice: str
    """The word as read, or the square's content as text."""
    squares: tuple[tuple[Position, Content], ...]
    """Every square of the place, with its content."""
    holds: bool = True

    @property
    def is_square(self) -> bool:
        return len(self.squares) == 1 and str(self.squares[0][0]) == self.place

    @property
    def contents(self) -> tuple[Content, ...]:
        return tuple(content for _, content in self.squares)

    def is_same(self, other: BranchDecision) -> bool:
        """Whether both decisions put the same contents in the same place."""
        return self.place == other.place and self.contents == other.contents

    def event(self, kind: EventKind, depth: int, *, after: int = 0, other: str | None = None) -> Event:
        """Return the event of making or undoing this decision."""
        if self.is_square:
            return Event(kind, depth, None, None, self.squares[0][0], 0, after, other, (self.choice,))
        return Event(kind, depth, self.place, self.choice, None, 0, after, other)

    def __str__(self) -> str:
        """Format the decision, such as `17A = OREAD`."""
        return f"{self.place} = {self.choice}"


@dataclass(frozen=True)
class BranchAssumptions:
    """The assumptions of a branch, in the order in which they were made."""

    made: tuple[BranchDecision, ...] = ()
    """Decisions, and choices ruled out because they were exhausted under the decisions before them."""
    locked: tuple[BranchDecision, ...] = ()
    """Decisions that no branch undoes."""
    forbidden: tuple[BranchDecision, ...] = ()
    """Choices that no branch makes."""

    @property
    def decisions(self) -> tuple[BranchDecision, ...]:
        return (*self.locked, *(decision for decision in self.made if decision.holds))

    @property
    def assumptions(self) -> Assumptions:
        """The assumptions as the engine takes them."""
        entries: dict[str, set[tuple[Content, ...]]] = {}
        squares: dict[Position, set[Content]] = {}
        for decision in (*self.forbidden, *self.made):
            if not decision.holds and decision.is_square:
                squares.setdefault(decision.squares[0][0], set()).add(decision.squares[0][1])
            elif not decision.holds:
                entries.setdefault(decision.place, set()).add(decision.contents)
        return Assumptions(
            {at: content for decision in self.decisions for at, content in decision.squares},
            {name: frozenset(rows) for name, rows in entries.items()},
            {at: frozenset(contents) for at, contents in squares.items()},
        )

    def with_decisions(self, decisions: Iterable[BranchDecision]) -> BranchAssumptions:
        return replace(self, made=(*self.made, *decisions))

    def before(self, place: str) -> BranchAssumptions:
        """Return the assumptions made before the decision about a place; all of them if there is none."""
        for number, decision in enumerate(self.made):
            if decision.holds and decision.place == place:
                return replace(self, made=self.made[:number])
        return self

    def decision(self, place: str) -> BranchDecision | None:
        return next((decision for decision in self.decisions if decision.place == place), None)

    def is_locked(self, place: str) -> bool:
        return any(decision.place == place for decision in self.locked)

    def is_exhausted(self, decision: BranchDecision) -> bool:
        """Whether this choice was searched exhaustively under the present decisions."""
        return any(not other.holds and other.is_same(decision) for other in self.made)

    def forbidding(self, refused: Iterable[BranchDecision]) -> BranchAssumptions:
        return replace(
            self, forbidden=(*self.forbidden, *(decision._replace(holds=False) for decision in refused))
        )

    def all_locked(self) -> BranchAssumptions:
        ruled_out = tuple(decision for decision in self.made if not decision.holds)
        return BranchAssumptions(ruled_out, self.decisions, self.forbidden)

    def next_branch(self) -> tuple[BranchAssumptions, BranchDecision] | None:
        """After exhaustion, return the next branch's assumptions and the decision refuted; None at the end."""
        for number in range(len(self.made) - 1, -1, -1):
            decision = self.made[number]
            if decision.holds:
                return replace(self, made=(*self.made[:number], decision._replace(holds=False))), decision
        return None

    def conflicts(self) -> Iterator[str]:
        """Yield the reasons why the decisions are impossible: forbidden, or contradicting each other."""
        placed: dict[Position, Content] = {}
        for decision in self.decisions:
            if any(other.is_same(decision) for other in self.forbidden):
                yield f"{decision} is forbidden"
            for at, content in decision.squares:
                if placed.setdefault(at, content) != content:
                    yield f"{decision} contradicts {placed[at]} at {at}"


def decisions_of(search: Strategy) -> tuple[BranchDecision, ...]:
    """Return the decisions of a search that are in force, in order."""
    task = search.task
    return tuple(
        BranchDecision(decision.name, decision.chosen, _as_given(task, positions, decision.contents))
        for decision in search.decisions
        for positions in [
            (decision.square,) if decision.square is not None else task.grid.entry(decision.name).positions
        ]
    )


def _as_given(
    task: Task, positions: Iterable[Position], contents: Iterable[Content]
) -> tuple[tuple[Position, Content], ...]:
    """Pair squares with contents; a given slash square keeps both letters, although an entry reads only one."""
    return tuple((at, task.given.get(at, content)) for at, content in zip(positions, contents, strict=True))


def recorded_decision(decision: RecordedDecision, grid: Grid) -> BranchDecision:
    """Convert a decision of a timeline; raises VerbError if the timeline does not know all its squares."""
    written = dict(decision.squares)
    slot = grid.entries_by_name.get(decision.subject)
    positions = slot.positions if slot is not None else tuple(written)
    squares = tuple(
        (at, content)
        for at in positions
        if (content := grid[at].content if grid[at].is_given else written.get(at) or grid[at].content)
    )
    if len(squares) < len(positions) or not squares:
        raise VerbError(
            f"the squares of {decision.subject} = {decision.choice} at that point are unknown: argue at the end"
        )
    return BranchDecision(decision.subject, decision.choice, squares)


class ProblemParts:
    """The fill problem that is argued about, and its branches as problems."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def task(self, assumed: BranchAssumptions) -> Task:
        """Return the task that is restricted by the assumptions."""
        task, left = self.problem.task, assumed.assumptions
        contents = {**task.assumptions.contents, **left.contents}
        return replace(task, assumptions=replace(left, contents=contents))

    def part(self, assumed: BranchAssumptions) -> Problem:
        """Return the problem restricted by the assumptions; it shares slots, squares and rows with the whole."""
        return replace(self.problem, task=self.task(assumed)) if assumed != BranchAssumptions() else self.problem

    def place(self, name: str) -> str:
        """Normalize the name of an entry or square; raises VerbError if a fill does not decide on it."""
        wanted = name.strip().upper()
        if wanted in self.problem.slot_numbers:
            return wanted
        square = str(Position.parse(name.strip().lower())) if wanted[:1] == "R" and "C" in wanted else ""
        if square in map(str, self.problem.positions):
            return square
        raise VerbError(f"{wanted}: expected an entry such as 17A or a square such as r3c4")

    def decisions_for(self, place: str, choice: str) -> list[BranchDecision]:
        """Return all ways for a place to have a word or content, considering only its own words and rules."""
        problem = self.problem
        slot = problem.slot_numbers.get(place)
        if slot is None:
            at = Position.parse(place)
            content = Content.parse(choice)
            mask = problem.masks(problem.root.state)[problem.positions.index(at)]
            is_allowed = content in problem.symbols.contents and mask >> problem.symbols.code(content) & 1
            return [BranchDecision(place, choice, ((at, content),))] if is_allowed else []
        rows = [row for row, word in enumerate(problem.words(slot)) if word == choice]
        contents, table = problem.symbols.contents, problem.tables[slot].symbols
        positions = problem.slots[slot].positions
        return [
            BranchDecision(
                place, choice, _as_given(problem.task, positions, (contents[code] for code in table[row].tolist()))
            )
            for row in rows
        ]

    def alternatives(self, assumed: BranchAssumptions, place: str, most: int) -> tuple[LikelyWord, ...]:
        """Return what a place can have in a branch after propagation, likeliest first."""
        part = self.part(assumed)
        if not part.root.is_possible:
            return ()
        if place in part.slot_numbers:
            return likely_words(Filler(part), place, most)
        mask = part.masks(part.root.state)[part.positions.index(Position.parse(place))]
        return tuple(LikelyWord(str(content), 0, 0.0) for content in part.symbols.in_mask(mask))[:most]

    def with_others(self, report: DecisionReport, assumed: BranchAssumptions) -> DecisionReport:
        """Add to a search's decision report the alternatives to its last decision, unless that is locked."""
        if not assumed.decisions or assumed.is_locked(assumed.decisions[-1].place):
            return report
        last = assumed.decisions[-1]
        others = report.others if report.tried == last.place else ()
        if not others:
            found = self.alternatives(assumed.before(last.place), last.place, _OTHERS)
            others = tuple(one for one in found if one.word != last.choice)
        return replace(report, tried=last.place, chosen=last.choice, others=others)


_LONGEST = 60


class Move(NamedTuple):
    """An argument with its consequence for the search."""

    assumed: BranchAssumptions
    """The assumptions from which the search continues."""
    argument: SearchArgument
    """The argument; its place is empty if it concerns several places."""
    description: str
    """The argument in words that follow `you`, such as `choose 17A = OREAD`."""


RankPlaces = Callable[[BranchAssumptions], tuple[str, ...]]
"""Returns the places that a search would decide next."""


def _move_for(parts: ProblemParts, at: BranchAssumptions, argument: SearchArgument, ranked: RankPlaces) -> Move:
    """Work out an argument in a branch with the assumptions `at`; raises VerbError if it is impossible."""
    if parts.problem.constraints.pairs:
        raise VerbError("you cannot argue with a search that has clash squares; `clash off` removes them")
    match argument.kind:
        case ArgumentKind.CHOOSE:
            return _choose(parts, at, _place(parts, at, argument.place), argument.word)
        case ArgumentKind.FORBID:
            return _forbid(parts, at, argument)
        case ArgumentKind.SKIP:
            return _skip(parts, at, _place(parts, at, argument.place), ranked)
        case _:
            return _lock(at)


def _place(parts: ProblemParts, at: BranchAssumptions, named: str) -> str:
    """Return the place that an argument is about; by default the one decided last."""
    place = parts.place(named) if named else at.decisions[-1].place if at.decisions else ""
    if not place:
        raise VerbError("nothing is decided here yet: name the entry too, as in `argue choose 17A WORD`")
    if at.is_locked(place):
        raise VerbError(f"{place} is locked in this search; `argue back` removes the lock")
    return place


def _choose(parts: ProblemParts, at: BranchAssumptions, place: str, word: str) -> Move:
    found = parts.decisions_for(place, word)
    if not found:
        raise VerbError(f"{place} cannot be {printable(word, _LONGEST)}: its words and rules do not allow it")
    before, reasons = at.before(place), [""]
    for decision in found:
        chosen = before.with_decisions([decision])
        if before.is_exhausted(decision):
            reasons.append(f"{decision} was fully searched: there is no fill with it here")
        elif not (trouble := next(chosen.conflicts(), "")):
            return Move(chosen, SearchArgument(ArgumentKind.CHOOSE, place, word), f"choose {decision}")
        else:
            reasons.append(trouble)
    raise VerbError(reasons[-1])


def _forbid(parts: ProblemParts, at: BranchAssumptions, argument: SearchArgument) -> Move:
    place = _place(parts, at, argument.place)
    decided = at.decision(place)
    word = argument.word or (decided.choice if decided else "")
    if not word:
        raise VerbError(f"{place} is still empty: name the word, as in `argue forbid {place} WORD`")
    found = parts.decisions_for(place, word)
    if not found:
        raise VerbError(f"{place} cannot be {printable(word, _LONGEST)} anyway")
    assumed = at.before(place) if decided is not None and decided.choice == word else at
    description = f"forbid {word} in {place}"
    return Move(assumed.forbidding(found), SearchArgument(ArgumentKind.FORBID, place, word), description)


def _skip(parts: ProblemParts, at: BranchAssumptions, place: str, ranked: RankPlaces) -> Move:
    before = at.before(place)
    others = [name for name in ranked(before) if name != place and before.decision(name) is None]
    if not others:
        raise VerbError(f"nothing else can come before {place}: this search ranks no other entry or square")
    for other in others:
        for likely in parts.alternatives(before, other, 1):
            chosen = _choose(parts, before, other, likely.word)
            description = f"postponed {place}: {other} comes first"
            return Move(chosen.assumed, SearchArgument(ArgumentKind.SKIP, place), description)
    raise VerbError(f"{listed(others, 'or')} would have no word left either")


def _lock(at: BranchAssumptions) -> Move:
    free = [decision for decision in at.made if decision.holds]
    if not free:
        raise VerbError("everything decided here is already locked")
    named = listed([decision.place for decision in free[:6]] + (["others"] if len(free) > 6 else []), "and")
    return Move(at.all_locked(), SearchArgument(ArgumentKind.LOCK), f"lock {named}")


def _terms_of(assumed: BranchAssumptions) -> str:
    """Return what is forbidden and locked, in words to follow "no fill exists"; empty if nothing is."""
    forbidden = [f"{decision.choice} in {decision.place}" for decision in assumed.forbidden]
    locked = [str(decision) for decision in assumed.locked]
    parts = [f"without {listed(list(dict.fromkeys(forbidden)), 'and')}"] if forbidden else []
    parts += [f"with {listed(locked, 'and')}"] if locked else []
    return " and ".join(parts)


OpenBranch = Callable[[BranchAssumptions], Strategy]
"""Starts a search under the assumptions; raises EngineError if they are impossible."""


class ArguedSearch:
    """Continues a search as one branch; each argument starts another branch, and no fill is skipped.

    It advances, records and reports its decisions in the same way as the search that it continues.
    """

    def __init__(self, parts: ProblemParts, whole: Strategy, open_branch: OpenBranch) -> None:
        self._parts = parts
        self._open_branch = open_branch
        self._assumed = BranchAssumptions()
        self.branch = whole
        """The search of the current branch."""
        self._spent = RunView(Outcome.RUNNING)
        """The effort of the earlier branches."""
        self._pending: list[tuple[EventSequence, int]] = []
        self._history: list[tuple[BranchAssumptions, Move]] = []
        """The assumptions before each argument, and the argument."""
        self._is_proved = True
        """Whether each exhausted branch was searched completely."""
        self._is_ended = False

    @property
    def has_ended(self) -> bool:
        return self.branch.has_ended and not self._has_next

    @property
    def _is_exhausted(self) -> bool:
        return self.branch.is_over and self.branch.outcome is not Outcome.FILLED

    @property
    def _has_next(self) -> bool:
        return self._is_exhausted and self._assumed.next_branch() is not None

    @property
    def _has_proved(self) -> bool:
        """Whether this exhausted branch and the earlier ones prove that no fill is left."""
        return self._is_proved and self.branch.outcome is Outcome.IMPOSSIBLE

    # Advancing

    def advance(self, budget: Budget = NO_LIMIT, until: Until = THE_END) -> Event | None:
        """Advance to an event, or (if any event will do) to the next branch, and pause there."""
        if (next_branch := self._open_next()) is not None:
            return next_branch if until != THE_END else None
        found = None
        if not self.branch.has_ended:
            found = self.branch.advance(budget, until)
        event = self._collect(found)
        is_refuted = event is not None and event.kind is EventKind.IMPOSSIBLE
        return (self._open_next() if is_refuted else None) or event

    def _collect(self, event: Event | None) -> Event | None:
        """Collect the branch's events; the end of a branch is left out unless it is the last."""
        stretch, missed = self.branch.take_recorded()
        if len(stretch) and stretch[len(stretch) - 1].kind is EventKind.IMPOSSIBLE:
            stretch = stretch.without_last()
        if decided := self._assumed.decisions:
            stretch = stretch.moved(len(decided), decided[-1].place)
        if len(stretch) or missed:
            self._pending.append((stretch, missed))
        if self._is_exhausted and not self._has_next and not self._is_ended:
            self._is_ended = True
            if self._has_proved:
                event = Event(EventKind.IMPOSSIBLE, 0)
                self._pending.append((DecodedEvents([event]), 0))
        return event

    def _open_next(self) -> Event | None:
        """Start the next branch if this one is exhausted; returns the event that reports it."""
        next_branch = self._assumed.next_branch() if self._is_exhausted else None
        if next_branch is None:
            return None
        assumed, refuted = next_branch
        self._open(assumed)
        depth = len(assumed.decisions)
        left = self.branch.domain_sizes.get(refuted.place, 0)
        back_to = assumed.decisions[-1].place if depth else None
        event = refuted.event(EventKind.BACKTRACK, depth, after=left, other=back_to)
        self._pending.append((DecodedEvents([event]), 0))
        self._record_dead_end()
        return event

    def _open(self, assumed: BranchAssumptions) -> None:
        branch = self._open_branch(assumed)
        if self._is_exhausted:
            self._is_proved = self._has_proved
        self._spent = self._branch_view()
        self.branch.close()
        self._assumed, self.branch, self._is_ended = assumed, branch, False

    # Arguing

    def argue(self, argument: SearchArgument, past: Sequence[BranchDecision] | None = None) -> None:
        """Continue with an argument, from here or the past; raises VerbError if that is impossible."""
        now = self._now
        if argument.kind is ArgumentKind.BACK:
            if not self._history:
                raise VerbError("there are no arguments in this search")
            assumed, last = self._history.pop()
            move = Move(assumed, SearchArgument(ArgumentKind.BACK), f"take back: {last.description}")
        else:
            at = now if past is None else self._past_assumptions(past)
            move = _move_for(self._parts, at, argument, self._ranked)
            self._history.append((now, move))
        self._collect(None)
        self._open(move.assumed)
        self._record_move(now, move)
        self._record_dead_end()
        self._collect(None)

    @property
    def _now(self) -> BranchAssumptions:
        return self._assumed.with_decisions(decisions_of(self.branch))

    def _past_assumptions(self, past: Sequence[BranchDecision]) -> BranchAssumptions:
        """Return a branch with these decisions; what was ruled out at that time is no longer known."""
        locked = self._assumed.locked
        free = [decision for decision in past if not any(decision.is_same(other) for other in locked)]
        assumed = BranchAssumptions(tuple(free), locked, self._assumed.forbidden)
        trouble = next(assumed.conflicts(), "")
        if trouble:
            raise VerbError(f"the search cannot continue from there: {trouble}")
        return assumed

    def _ranked(self, assumed: BranchAssumptions) -> tuple[str, ...]:
        """Return the places that a branch would decide first, or that its search ranks when it decides."""
        with closing(self._open_branch(assumed)) as branch:
            report = branch.report_decision()
            if report.is_of_last:
                branch.advance(until=Until((EventKind.DECIDE,)))
                report = branch.report_decision()
            return tuple(rank.name for rank in report.ranking)

    def _record_move(self, before: BranchAssumptions, move: Move) -> None:
        old, new = before.decisions, move.assumed.decisions
        # number of leading decisions that both have
        alike = (one.is_same(other) for one, other in zip(old, new, strict=False))
        common = len(list(takewhile(bool, alike)))
        events = [
            Event(EventKind.ARGUE, common, self._entry(move.argument.place), constraint=f"you {move.description}")
        ]
        events += [
            decision.event(EventKind.DECIDE, depth) for depth, decision in enumerate(new[common:], common + 1)
        ]
        self._pending.append((DecodedEvents(events), 0))

    def _record_dead_end(self) -> None:
        """Record the wipe-out if the branch fails before it starts, as far as its reason names the place."""
        if not self._has_next:
            return
        decided = self._assumed.decisions
        named = self.branch.dead_end
        taken = [(at, content) for decision in decided for at, content in decision.squares if str(at) == named]
        if self._entry(named) is not None:
            self._pending.append((DecodedEvents([Event(EventKind.WIPE_OUT, len(decided), named)]), 0))
        elif taken and decided:
            at, content = taken[0]
            entry, wanted = self._entry(decided[-1].place), (str(content),)
            dead_end = Event(EventKind.WIPE_OUT, len(decided), entry, crossing=at, wanted=wanted)
            self._pending.append((DecodedEvents([dead_end]), 0))

    def _entry(self, place: str) -> str | None:
        return place if place in self._parts.problem.slot_numbers else None

    # Views

    def take_recorded(self) -> tuple[EventSequence, int]:
        """Return some of the events since the last call; empty once all were taken."""
        return self._pending.pop(0) if self._pending else (DecodedEvents(()), 0)

    def close(self) -> None:
        self.branch.close()

    def view(self) -> RunView:
        """Return a view of the search, without its events and times."""
        view = self._branch_view()
        if not self._is_exhausted:
            return view
        if self._has_next:
            task = self._parts.task(self._assumed)
            contents = {**task.assumptions.contents, **task.given}
            return replace(view, outcome=Outcome.RUNNING, reason="", squares=contents)
        if not self._has_proved:
            return replace(view, outcome=Outcome.UNKNOWN, reason=view.reason or "the search gave up")
        return replace(view, reason=f"no fill exists {_terms_of(self._assumed)}".rstrip())

    def _branch_view(self) -> RunView:
        view, deeper = view_of(self.branch), len(self._assumed.decisions)
        return replace(
            view,
            nodes=view.nodes + self._spent.nodes,
            backtracks=view.backtracks + self._spent.backtracks,
            restarts=view.restarts + self._spent.restarts,
            depth=view.depth + deeper,
            deepest=max(view.deepest + deeper, self._spent.deepest),
            arguments=tuple(move.argument for _, move in self._history),
        )

    def report_decision(self) -> DecisionReport:
        return self._parts.with_others(self.branch.report_decision(), self._now)
