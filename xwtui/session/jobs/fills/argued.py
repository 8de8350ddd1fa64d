"""A search that is argued with: branch after branch, each searched by itself, told as one search.

A branch is the part of all fills that has its decisions, and has not what it rules out. Once it is exhausted, so
is its last decision beside the others: it turns round, into a thing ruled out, and what was ruled out after it,
which held only beside it, is forgotten. So every fill that is not forbidden belongs to exactly one branch, until
no decision is left to turn round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import takewhile

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.budget import NO_LIMIT, Budget
from xwtui.engine.events.event import THE_END, Event, EventKind, LikelyWord, Outcome, Thoughts, Until
from xwtui.engine.events.timeline import RecordedDecision, Stretch, ToldEvents
from xwtui.engine.problem.task import Assumptions, Task
from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Position
from xwtui.named_tuples import NamedTuple
from xwtui.session.goals import ArgumentKind, SearchArgument
from xwtui.session.run_view import RunView, view_of
from xwtui.strategies.protocol import Strategy
from xwtui.text import listed, printable

with lazy_imports():
    from xwtui.engine.fill.filler import Filler, likely_words
    from xwtui.engine.problem.problem import Problem

_OTHERS = 60
"""Words that are told beside the one that was tried last."""


class BranchDecision(NamedTuple):
    """An entry or a square that has something, or that has it not."""

    place: str
    """The entry's name, or the square's."""
    choice: str
    """The word as it is read, or the content in its text form."""
    squares: tuple[tuple[Position, Content], ...]
    """Every square of the place with its content."""
    holds: bool = True

    @property
    def is_square(self) -> bool:
        return len(self.squares) == 1 and str(self.squares[0][0]) == self.place

    @property
    def contents(self) -> tuple[Content, ...]:
        return tuple(content for _, content in self.squares)

    def is_same(self, other: BranchDecision) -> bool:
        """Whether both are about the same contents of the same place."""
        return self.place == other.place and self.contents == other.contents

    def told(self, kind: EventKind, depth: int, *, after: int = 0, other: str | None = None) -> Event:
        """The event that this is decided, or taken back."""
        if self.is_square:
            return Event(kind, depth, None, None, self.squares[0][0], 0, after, other, (self.choice,))
        return Event(kind, depth, self.place, self.choice, None, 0, after, other)

    def __str__(self) -> str:
        """`17A = OREAD`."""
        return f"{self.place} = {self.choice}"


@dataclass(frozen=True)
class BranchAssumptions:
    """What a branch takes for granted, in the order in which it came to be."""

    made: tuple[BranchDecision, ...] = ()
    """Decisions, and what was exhausted beside those before it."""
    locked: tuple[BranchDecision, ...] = ()
    """Decisions that no branch takes back."""
    forbidden: tuple[BranchDecision, ...] = ()
    """What no branch has."""

    @property
    def decisions(self) -> tuple[BranchDecision, ...]:
        return (*self.locked, *(decision for decision in self.made if decision.holds))

    @property
    def assumptions(self) -> Assumptions:
        """The part of all fills that the branch is."""
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
        """What is assumed up to the decision about a place; all of it where there is none."""
        for number, decision in enumerate(self.made):
            if decision.holds and decision.place == place:
                return replace(self, made=self.made[:number])
        return self

    def decision(self, place: str) -> BranchDecision | None:
        return next((decision for decision in self.decisions if decision.place == place), None)

    def is_locked(self, place: str) -> bool:
        return any(decision.place == place for decision in self.locked)

    def is_exhausted(self, decision: BranchDecision) -> bool:
        """Whether this was searched to its end, beside the decisions."""
        return any(not other.holds and other.is_same(decision) for other in self.made)

    def forbidding(self, refused: Iterable[BranchDecision]) -> BranchAssumptions:
        return replace(
            self, forbidden=(*self.forbidden, *(decision._replace(holds=False) for decision in refused))
        )

    def all_locked(self) -> BranchAssumptions:
        ruled_out = tuple(decision for decision in self.made if not decision.holds)
        return BranchAssumptions(ruled_out, self.decisions, self.forbidden)

    def turned(self) -> tuple[BranchAssumptions, BranchDecision] | None:
        """What the next branch assumes once this one is exhausted, and what turned round; None at the end."""
        for number in range(len(self.made) - 1, -1, -1):
            decision = self.made[number]
            if decision.holds:
                return replace(self, made=(*self.made[:number], decision._replace(holds=False))), decision
        return None

    def conflicts(self) -> Iterator[str]:
        """What of the decisions cannot be, because it is forbidden, or something else stands there."""
        standing: dict[Position, Content] = {}
        for decision in self.decisions:
            if any(other.is_same(decision) for other in self.forbidden):
                yield f"{decision} is forbidden"
            for at, content in decision.squares:
                if standing.setdefault(at, content) != content:
                    yield f"{decision} contradicts {standing[at]} at {at}"


def decisions_of(search: Strategy) -> tuple[BranchDecision, ...]:
    """The decisions of a search that are in force, the first one first."""
    task = search.task
    return tuple(
        BranchDecision(made.name, made.chosen, _as_given(task, positions, made.contents))
        for made in search.decisions
        for positions in [(made.square,) if made.square is not None else task.grid.entry(made.name).positions]
    )


def _as_given(
    task: Task, positions: Iterable[Position], contents: Iterable[Content]
) -> tuple[tuple[Position, Content], ...]:
    """Squares with contents; a given pair of letters is whole, of which an entry tells the one that it reads."""
    return tuple((at, task.given.get(at, content)) for at, content in zip(positions, contents, strict=True))


def recorded_decision(decision: RecordedDecision, grid: Grid) -> BranchDecision:
    """A decision as a time line tells it; raises VerbError where that does not tell every square."""
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
    """The problem that is argued about, and its parts."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def task(self, assumed: BranchAssumptions) -> Task:
        """The part of all fills that is left by what is assumed."""
        task, left = self.problem.task, assumed.assumptions
        standing = {**task.assumptions.standing, **left.standing}
        return replace(task, assumptions=replace(left, standing=standing))

    def part(self, assumed: BranchAssumptions) -> Problem:
        """The same, laid out; slots, squares and rows are those of the whole."""
        return replace(self.problem, task=self.task(assumed)) if assumed != BranchAssumptions() else self.problem

    def place(self, name: str) -> str:
        """An entry or a square as it is named; raises VerbError for what a fill does not decide on."""
        wanted = name.strip().upper()
        if wanted in self.problem.slot_numbers:
            return wanted
        square = str(Position.parse(name.strip().lower())) if wanted[:1] == "R" and "C" in wanted else ""
        if square in map(str, self.problem.positions):
            return square
        raise VerbError(f"{wanted}: expected an entry such as 17A or a square such as r3c4")

    def decisions_for(self, place: str, choice: str) -> list[BranchDecision]:
        """Every way in which a place may have a word or a content, by its rules and words alone."""
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
        """What a place can have in a part of all fills, as far as propagation sees; the likeliest first."""
        part = self.part(assumed)
        if not part.root.is_possible:
            return ()
        if place in part.slot_numbers:
            return likely_words(Filler(part), place, most)
        mask = part.masks(part.root.state)[part.positions.index(Position.parse(place))]
        return tuple(LikelyWord(str(content), 0, 0.0) for content in part.symbols.in_mask(mask))[:most]

    def with_others(self, thoughts: Thoughts, assumed: BranchAssumptions) -> Thoughts:
        """What a search thinks, and what else may be tried where it has decided last, unless that is locked."""
        if not assumed.decisions or assumed.is_locked(assumed.decisions[-1].place):
            return thoughts
        last = assumed.decisions[-1]
        others = thoughts.others if thoughts.tried == last.place else ()
        if not others:
            found = self.alternatives(assumed.before(last.place), last.place, _OTHERS)
            others = tuple(one for one in found if one.word != last.choice)
        return replace(thoughts, tried=last.place, chosen=last.choice, others=others)


_LONGEST = 60


class Move(NamedTuple):
    """An argument, thought through."""

    assumed: BranchAssumptions
    """Where the search goes on from."""
    argument: SearchArgument
    """What was argued; the place is empty for more than one thing."""
    said: str
    """The same in words that follow `you`, such as `choose 17A = OREAD`."""


RankPlaces = Callable[[BranchAssumptions], tuple[str, ...]]
"""Tells which places a search would decide next."""


def _moved(parts: ProblemParts, at: BranchAssumptions, argument: SearchArgument, ranked: RankPlaces) -> Move:
    """What an argument comes to in a branch that assumes so; raises VerbError where it cannot be had."""
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
    """The place that an argument is about: the one decided last, if none is named."""
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
    for made in found:
        chosen = before.with_decisions([made])
        if before.is_exhausted(made):
            reasons.append(f"{made} was fully searched: there is no fill with it here")
        elif not (trouble := next(chosen.conflicts(), "")):
            return Move(chosen, SearchArgument(ArgumentKind.CHOOSE, place, word), f"choose {made}")
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
    said = f"forbid {word} in {place}"
    return Move(assumed.forbidding(found), SearchArgument(ArgumentKind.FORBID, place, word), said)


def _skip(parts: ProblemParts, at: BranchAssumptions, place: str, ranked: RankPlaces) -> Move:
    before = at.before(place)
    others = [name for name in ranked(before) if name != place and before.decision(name) is None]
    if not others:
        raise VerbError(f"nothing else can come before {place}: this search ranks no other entry or square")
    for other in others:
        for likely in parts.alternatives(before, other, 1):
            chosen = _choose(parts, before, other, likely.word)
            said = f"postponed {place}: {other} comes first"
            return Move(chosen.assumed, SearchArgument(ArgumentKind.SKIP, place), said)
    raise VerbError(f"{listed(others, 'or')} would have no word left either")


def _lock(at: BranchAssumptions) -> Move:
    free = [made for made in at.made if made.holds]
    if not free:
        raise VerbError("everything decided here is already locked")
    named = listed([made.place for made in free[:6]] + (["others"] if len(free) > 6 else []), "and")
    return Move(at.all_locked(), SearchArgument(ArgumentKind.LOCK), f"lock {named}")


def _terms_of(assumed: BranchAssumptions) -> str:
    """What is forbidden and locked, in words to follow "no fill exists"; empty if nothing is."""
    forbidden = [f"{made.choice} in {made.place}" for made in assumed.forbidden]
    locked = [str(made) for made in assumed.locked]
    parts = [f"without {listed(list(dict.fromkeys(forbidden)), 'and')}"] if forbidden else []
    parts += [f"with {listed(locked, 'and')}"] if locked else []
    return " and ".join(parts)


OpenBranch = Callable[[BranchAssumptions], Strategy]
"""Begins the search of the part of all fills that is assumed; raises EngineError for none."""


class ArguedSearch:
    """Goes on with a search as one branch; each argument begins another one, and no fill is left out.

    It goes on, is recorded and thinks as the search itself does that it goes on with.
    """

    def __init__(self, parts: ProblemParts, whole: Strategy, open_branch: OpenBranch) -> None:
        self._parts = parts
        self._open_branch = open_branch
        self._assumed = BranchAssumptions()
        self.branch = whole
        """What is searched now."""
        self._spent = RunView(Outcome.RUNNING)
        """What the branches before this one have taken."""
        self._pending: list[tuple[Stretch, int]] = []
        self._history: list[tuple[BranchAssumptions, Move]] = []
        """What was assumed before each argument, and what that was."""
        self._is_proved = True
        """Whether each branch that is exhausted was searched everywhere."""
        self._is_ended = False

    @property
    def has_ended(self) -> bool:
        return self.branch.has_ended and not self._may_turn

    @property
    def _is_exhausted(self) -> bool:
        return self.branch.is_over and self.branch.outcome is not Outcome.FILLED

    @property
    def _may_turn(self) -> bool:
        return self._is_exhausted and self._assumed.turned() is not None

    @property
    def _has_proved(self) -> bool:
        """Whether this branch, which is exhausted, and those before it prove that there is nothing left."""
        return self._is_proved and self.branch.outcome is Outcome.IMPOSSIBLE

    # Going on

    def advance(self, budget: Budget = NO_LIMIT, until: Until = THE_END) -> Event | None:
        """Go on to an event, or to the next branch where any is waited for, and rest there."""
        if (turned := self._turn()) is not None:
            return turned if until != THE_END else None
        found = None
        if not self.branch.has_ended:
            found = self.branch.advance(budget, until)
        event = self._collected(found)
        is_refuted = event is not None and event.kind is EventKind.IMPOSSIBLE
        return (self._turn() if is_refuted else None) or event

    def _collected(self, event: Event | None) -> Event | None:
        """Keep what the branch has done; the end of one of several branches is not told."""
        stretch, missed = self.branch.take_recorded()
        if len(stretch) and stretch[len(stretch) - 1].kind is EventKind.IMPOSSIBLE:
            stretch = stretch.but_last()
        if decided := self._assumed.decisions:
            stretch = stretch.moved(len(decided), decided[-1].place)
        if len(stretch) or missed:
            self._pending.append((stretch, missed))
        if self._is_exhausted and not self._may_turn and not self._is_ended:
            self._is_ended = True
            if self._has_proved:
                event = Event(EventKind.IMPOSSIBLE, 0)
                self._pending.append((ToldEvents([event]), 0))
        return event

    def _turn(self) -> Event | None:
        """Where the branch is exhausted, begin the next one; returns the event that tells it."""
        turned = self._assumed.turned() if self._is_exhausted else None
        if turned is None:
            return None
        assumed, refuted = turned
        self._open(assumed)
        depth = len(assumed.decisions)
        left = self.branch.domain_sizes.get(refuted.place, 0)
        back_to = assumed.decisions[-1].place if depth else None
        event = refuted.told(EventKind.BACKTRACK, depth, after=left, other=back_to)
        self._pending.append((ToldEvents([event]), 0))
        self._tell_dead_end()
        return event

    def _open(self, assumed: BranchAssumptions) -> None:
        branch = self._open_branch(assumed)
        if self._is_exhausted:
            self._is_proved = self._has_proved
        self._spent = self._look()
        self.branch.close()
        self._assumed, self.branch, self._is_ended = assumed, branch, False

    # Arguing

    def argue(self, argument: SearchArgument, past: Sequence[BranchDecision] | None = None) -> None:
        """Go on as a constructor says, from here or from where the search stood in the past.

        Raises VerbError where that cannot be.
        """
        now = self._now
        if argument.kind is ArgumentKind.BACK:
            if not self._history:
                raise VerbError("there are no arguments in this search")
            assumed, last = self._history.pop()
            move = Move(assumed, SearchArgument(ArgumentKind.BACK), f"take back: {last.said}")
        else:
            at = now if past is None else self._at(past)
            move = _moved(self._parts, at, argument, self._ranked)
            self._history.append((now, move))
        self._collected(None)
        self._open(move.assumed)
        self._tell(now, move)
        self._tell_dead_end()
        self._collected(None)

    @property
    def _now(self) -> BranchAssumptions:
        """What is assumed, with the decisions of the branch."""
        return self._assumed.with_decisions(decisions_of(self.branch))

    def _at(self, past: Sequence[BranchDecision]) -> BranchAssumptions:
        """A branch that had these decisions; what was ruled out beside them then is not known any more."""
        locked = self._assumed.locked
        free = [made for made in past if not any(made.is_same(other) for other in locked)]
        assumed = BranchAssumptions(tuple(free), locked, self._assumed.forbidden)
        trouble = next(assumed.conflicts(), "")
        if trouble:
            raise VerbError(f"the search cannot continue from there: {trouble}")
        return assumed

    def _ranked(self, assumed: BranchAssumptions) -> tuple[str, ...]:
        """The places that a branch would decide first, or that its search ranks when it does."""
        with closing(self._open_branch(assumed)) as branch:
            thoughts = branch.think()
            if thoughts.is_of_last:
                branch.advance(until=Until((EventKind.DECIDE,)))
                thoughts = branch.think()
            return tuple(rank.name for rank in thoughts.ranking)

    def _tell(self, before: BranchAssumptions, move: Move) -> None:
        """Tell what was argued, and the decisions that are new by that."""
        old, new = before.decisions, move.assumed.decisions
        # how many decisions, from the first on, both have
        alike = (one.is_same(other) for one, other in zip(old, new, strict=False))
        common = len(list(takewhile(bool, alike)))
        told = [Event(EventKind.ARGUE, common, self._entry(move.argument.place), constraint=f"you {move.said}")]
        told += [made.told(EventKind.DECIDE, depth) for depth, made in enumerate(new[common:], common + 1)]
        self._pending.append((ToldEvents(told), 0))

    def _tell_dead_end(self) -> None:
        """Where the branch is refuted before it has begun: what runs empty, as far as its reason names that."""
        if not self._may_turn:
            return
        decided = self._assumed.decisions
        named = self.branch.dead_end
        taken = [(at, content) for made in decided for at, content in made.squares if str(at) == named]
        if self._entry(named) is not None:
            self._pending.append((ToldEvents([Event(EventKind.WIPE_OUT, len(decided), named)]), 0))
        elif taken and decided:
            at, content = taken[0]
            entry, wanted = self._entry(decided[-1].place), (str(content),)
            dead_end = Event(EventKind.WIPE_OUT, len(decided), entry, crossing=at, wanted=wanted)
            self._pending.append((ToldEvents([dead_end]), 0))

    def _entry(self, place: str) -> str | None:
        return place if place in self._parts.problem.slot_numbers else None

    # Looking

    def take_recorded(self) -> tuple[Stretch, int]:
        """Part of what has happened since the last call; empty once all was taken."""
        return self._pending.pop(0) if self._pending else (ToldEvents(()), 0)

    def close(self) -> None:
        self.branch.close()

    def look(self) -> RunView:
        """How it stands, but for events and time."""
        view = self._look()
        if not self._is_exhausted:
            return view
        if self._may_turn:
            task = self._parts.task(self._assumed)
            standing = {**task.assumptions.standing, **task.given}
            return replace(view, outcome=Outcome.RUNNING, reason="", squares=standing)
        if not self._has_proved:
            return replace(view, outcome=Outcome.UNKNOWN, reason=view.reason or "the search gave up")
        return replace(view, reason=f"no fill exists {_terms_of(self._assumed)}".rstrip())

    def _look(self) -> RunView:
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

    def think(self) -> Thoughts:
        return self._parts.with_others(self.branch.think(), self._now)
