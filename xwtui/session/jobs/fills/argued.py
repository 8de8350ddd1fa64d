"""A search that can be argued with: branch after branch, each searched by itself, told as one search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from xwtui.engine.events.event import Event, EventKind, Outcome
from xwtui.engine.events.timeline import Stretch, ToldEvents
from xwtui.errors import VerbError
from xwtui.model import Content, Position
from xwtui.session.goals import ArgumentKind, Goal, SearchArgument
from xwtui.session.jobs.fills.stepper import Branches, Ground, Recorder
from xwtui.session.jobs.fills.trail import Stand, Trail
from xwtui.session.run_view import RunView
from xwtui.text import listed, printable

if TYPE_CHECKING:
    from xwtui.engine.events.event import Thoughts
    from xwtui.strategies.protocol import Proof

_LONGEST = 60


class Move(NamedTuple):
    """An argument, thought through."""

    trail: Trail
    """Where the search goes on from."""
    argument: SearchArgument
    """What was argued; the place is empty for more than one thing."""
    said: str
    """The same in words that follow `you`, such as `choose 17A = OREAD`."""


def _moved(
    ground: Ground, at: Trail, argument: SearchArgument, ranked: Callable[[Trail], tuple[str, ...]]
) -> Move:
    """What an argument comes to where the trail stands so; raises VerbError where it cannot be had.

    `ranked` tells which places a search would decide next.
    """
    if ground.problem.constraints.clashes:
        raise VerbError("a search that lets squares clash cannot be argued with; `clash off` takes that away")
    match argument.kind:
        case ArgumentKind.CHOOSE:
            return _choose(ground, at, _place(ground, at, argument.place), argument.word)
        case ArgumentKind.FORBID:
            return _forbid(ground, at, argument)
        case ArgumentKind.SKIP:
            return _skip(ground, at, _place(ground, at, argument.place), ranked)
        case _:
            return _lock(at)


def _place(ground: Ground, at: Trail, named: str) -> str:
    """The place that an argument is about: the one decided last, if none is named."""
    place = ground.place(named) if named else at.decisions[-1].place if at.decisions else ""
    if not place:
        raise VerbError("nothing is decided here yet: name an entry too, such as `argue choose 17A WORD`")
    if at.is_locked(place):
        raise VerbError(f"{place} is locked in this search; `argue back` takes the lock back")
    return place


def _choose(ground: Ground, at: Trail, place: str, word: str) -> Move:
    stands = ground.stands(place, word)
    if not stands:
        raise VerbError(f"{place} cannot be {printable(word, _LONGEST)}: its words and rules do not have that")
    before, reasons = at.before(place), [""]
    for stand in stands:
        chosen = before.with_decisions([stand])
        if before.is_exhausted(stand):
            reasons.append(f"{stand} was searched to its end: there is no fill with it here")
        elif not (trouble := next(chosen.conflicts(), "")):
            return Move(chosen, SearchArgument(ArgumentKind.CHOOSE, place, word), f"choose {stand}")
        else:
            reasons.append(trouble)
    raise VerbError(reasons[-1])


def _forbid(ground: Ground, at: Trail, argument: SearchArgument) -> Move:
    place = _place(ground, at, argument.place)
    decided = at.decision(place)
    word = argument.word or (decided.choice if decided else "")
    if not word:
        raise VerbError(f"nothing stands in {place} yet: name the word, such as `argue forbid {place} WORD`")
    stands = ground.stands(place, word)
    if not stands:
        raise VerbError(f"{place} cannot be {printable(word, _LONGEST)} anyway")
    trail = at.before(place) if decided is not None and decided.choice == word else at
    said = f"forbid {word} in {place}"
    return Move(trail.forbidding(stands), SearchArgument(ArgumentKind.FORBID, place, word), said)


def _skip(ground: Ground, at: Trail, place: str, ranked: Callable[[Trail], tuple[str, ...]]) -> Move:
    before = at.before(place)
    others = [name for name in ranked(before) if name != place and before.decision(name) is None]
    if not others:
        raise VerbError(f"there is nothing to decide before {place}: this search ranks no other entry or square")
    for other in others:
        for likely in ground.alternatives(before, other, 1):
            chosen = _choose(ground, before, other, likely.word)
            said = f"put {place} off: {other} comes first"
            return Move(chosen.trail, SearchArgument(ArgumentKind.SKIP, place), said)
    raise VerbError(f"no word is left for {listed(others, 'or')} either")


def _lock(at: Trail) -> Move:
    free = [stand for stand in at.stands if stand.holds]
    if not free:
        raise VerbError("nothing is decided here that is not locked already")
    named = listed([stand.place for stand in free[:6]] + (["others"] if len(free) > 6 else []), "and")
    return Move(at.all_locked(), SearchArgument(ArgumentKind.LOCK), f"lock {named}")


def _terms_of(trail: Trail) -> str:
    """What is forbidden and locked, in words to follow "no fill exists"; empty if nothing is."""
    forbidden = [f"{stand.choice} in {stand.place}" for stand in trail.forbidden]
    locked = [str(stand) for stand in trail.locked]
    parts = [f"without {listed(list(dict.fromkeys(forbidden)), 'and')}"] if forbidden else []
    parts += [f"with {listed(locked, 'and')}"] if locked else []
    return " and ".join(parts)


def _same_length(one: tuple[Stand, ...], other: tuple[Stand, ...]) -> int:
    """How many decisions, from the first on, two orders of them have in common."""
    count = 0
    for first, second in zip(one, other, strict=False):
        if not first.is_same(second):
            break
        count += 1
    return count


_OTHERS = 60
"""Words that are told beside the one that was tried last."""


class _Spent(NamedTuple):
    """What the branches before this one have taken."""

    nodes: int = 0
    backtracks: int = 0
    restarts: int = 0
    deepest: int = 0


class ArguedStepper:
    """Searches the whole first, as one branch; each argument begins another one, and none is left out."""

    def __init__(self, branches: Branches) -> None:
        self._branches = branches
        self._trail = Trail()
        self._branch = branches.open(self._trail)
        self._spent = _Spent()
        self._pending: list[tuple[Stretch, int]] = []
        self._history: list[tuple[Trail, Move]] = []
        """How it stood before each argument, and what that was."""
        self._is_argued = False
        self._is_proved = True
        """Whether each branch that is exhausted was searched everywhere."""
        self._is_ended = False

    @property
    def is_over(self) -> bool:
        """Whether it has ended, with a fill or without."""
        return self._branch.is_over and not self._may_turn

    @property
    def can_go_on(self) -> bool:
        """Whether there is more to come."""
        return self._may_turn or self._branch.can_go_on

    @property
    def _may_turn(self) -> bool:
        return self._branch.is_exhausted and self._trail.turned() is not None

    # Going on

    def go_on(self, goal: Goal, seconds: float) -> Event | None:
        """Search on for a moment, up to the next event that may matter to the goal; returns that."""
        if goal.steps is not None:
            return self.step(seconds)
        return self._turn() or self._collected(self._branch.go_on(goal, seconds))

    def step(self, seconds: float) -> Event | None:
        """Go on to the next event, and rest there; None if the time is up, or the search is over."""
        event = self._turn() or self._collected(self._branch.step(seconds))
        if event is not None and event.kind is EventKind.IMPOSSIBLE and self._is_argued:
            return self._turn() or event
        return event

    def _collected(self, event: Event | None) -> Event | None:
        """Keep what the branch has done; the end of one of several branches is not told."""
        self._branch.record(self)
        if self._branch.is_exhausted and self._is_argued and not self._may_turn and not self._is_ended:
            self._is_ended = True
            if self._is_proved and self._branch.is_proved:
                event = Event(EventKind.IMPOSSIBLE, 0)
                self._pending.append((ToldEvents([event]), 0))
        return event

    def take(self, stretch: Stretch, *, missed: int = 0) -> None:
        """Take what the branch has done, as a part of the whole."""
        if self._is_argued and len(stretch) and stretch[len(stretch) - 1].kind is EventKind.IMPOSSIBLE:
            stretch = stretch.but_last()
        decided = self._trail.decisions
        if decided:
            stretch = stretch.moved(len(decided), decided[-1].place)
        self._pending.append((stretch, missed))

    def _turn(self) -> Event | None:
        """Where the branch is exhausted, begin the next one; returns the event that tells it."""
        turned = self._trail.turned() if self._branch.is_exhausted else None
        if turned is None:
            return None
        trail, refuted = turned
        self._open(trail)
        depth = len(trail.decisions)
        left = self._branch.look().domain_sizes.get(refuted.place, 0)
        back_to = trail.decisions[-1].place if depth else None
        event = refuted.told(EventKind.BACKTRACK, depth, after=left, other=back_to)
        self._pending.append((ToldEvents([event]), 0))
        self._tell_dead_end()
        return event

    def _open(self, trail: Trail) -> None:
        """Leave this branch for another one."""
        branch = self._branches.open(trail)
        if self._branch.is_exhausted:
            self._is_proved = self._is_proved and self._branch.is_proved
        view = self._look()
        self._spent = _Spent(view.nodes, view.backtracks, view.restarts, view.deepest)
        self._branch.close()
        self._trail, self._branch, self._is_ended = trail, branch, False

    # Arguing

    def argue(self, argument: SearchArgument, past: Sequence[Stand] | None = None) -> None:
        """Go on as a constructor says, from here or from where the search stood in the past.

        Raises VerbError where that cannot be.
        """
        now = self._now
        if argument.kind is ArgumentKind.BACK:
            move = self._taken_back()
        else:
            at = now if past is None else self._at(past)
            move = _moved(self._branches.ground, at, argument, self._ranked)
            self._history.append((now, move))
        self._collected(None)
        self._open(move.trail)
        self._is_argued = True
        self._tell(now, move)
        self._tell_dead_end()
        self._collected(None)

    @property
    def _now(self) -> Trail:
        """The trail with the decisions of the branch."""
        return self._trail.with_decisions(self._branch.decisions())

    def _at(self, past: Sequence[Stand]) -> Trail:
        """The trail that had these decisions; what was ruled out beside them then is not known any more."""
        locked = self._trail.locked
        free = [stand for stand in past if not any(stand.is_same(other) for other in locked)]
        trail = Trail(tuple(free), locked, self._trail.forbidden)
        trouble = next(trail.conflicts(), "")
        if trouble:
            raise VerbError(f"one cannot go on from there any more: {trouble}")
        return trail

    def _ranked(self, trail: Trail) -> tuple[str, ...]:
        with closing(self._branches.open(trail)) as branch:
            return branch.ranked()

    def _taken_back(self) -> Move:
        if not self._history:
            raise VerbError("nothing has been argued in this search")
        trail, last = self._history.pop()
        return Move(trail, SearchArgument(ArgumentKind.BACK), f"take back: {last.said}")

    def _tell(self, before: Trail, move: Move) -> None:
        """Tell what was argued, and the decisions that are new by that."""
        old, new = before.decisions, move.trail.decisions
        common = _same_length(old, new)
        told = [Event(EventKind.ARGUE, common, self._entry(move.argument.place), constraint=f"you {move.said}")]
        told += [stand.told(EventKind.DECIDE, depth) for depth, stand in enumerate(new[common:], common + 1)]
        self._pending.append((ToldEvents(told), 0))

    def _tell_dead_end(self) -> None:
        """Where the branch is refuted before it has begun: what runs empty, as far as its reason names that."""
        if not self._may_turn:
            return
        decided = self._trail.decisions
        named = self._branch.dead_end
        taken = [(at, content) for stand in decided for at, content in stand.squares if str(at) == named]
        if self._entry(named) is not None:
            self._pending.append((ToldEvents([Event(EventKind.WIPE_OUT, len(decided), named)]), 0))
        elif taken and decided:
            at, content = taken[0]
            entry, wanted = self._entry(decided[-1].place), (str(content),)
            dead_end = Event(EventKind.WIPE_OUT, len(decided), entry, crossing=at, wanted=wanted)
            self._pending.append((ToldEvents([dead_end]), 0))

    def _entry(self, place: str) -> str | None:
        return place if place in self._branches.ground.problem.slot_numbers else None

    # Recording

    @property
    def progress(self) -> int:
        """How far the branch has come; of use as long as nobody has argued."""
        return self._branch.progress

    def catch_up(self, progress: int, seconds: float) -> bool:
        """Go on for a moment up to where another search, with which nobody argued either, had come."""
        is_there = self._branch.catch_up(progress, seconds)
        self._collected(None)
        return is_there

    @property
    def incumbent(self) -> Mapping[Position, Content]:
        """The best fill so far of the branch, where that goes on to better ones."""
        return self._branch.incumbent

    @property
    def rounds(self) -> int:
        """How often it has tried to find a better one."""
        return self._branch.rounds

    @property
    def proof(self) -> Proof | None:
        """Why there is no fill, of a search that writes proofs and has come to that; none of one argued with."""
        return None if self._is_argued else self._branch.proof

    def close(self) -> None:
        """Let go of what the branch's search holds."""
        self._branch.close()

    def begin_recording(self) -> None:
        """Keep what happens from now on, in every branch."""
        self._branches.is_recorded = True
        self._branch.begin_recording()

    def decisions(self) -> tuple[Stand, ...]:
        """The decisions in force, the first one first."""
        return self._now.decisions

    def record(self, recorder: Recorder) -> None:
        """Record what has happened since the last call."""
        pending, self._pending = self._pending, []
        for stretch, missed in pending:
            recorder.take(stretch, missed=missed)

    # Looking

    def look(self) -> RunView:
        """How it stands, but for events and time."""
        view = self._look()
        if not self._branch.is_exhausted or not self._is_argued:
            return view
        if self._may_turn:
            task = self._branches.ground.task(self._trail)
            standing = {**task.assumptions.standing, **task.given}
            return replace(view, outcome=Outcome.RUNNING, reason="", squares=standing)
        if not (self._is_proved and self._branch.is_proved):
            return replace(view, outcome=Outcome.UNKNOWN, reason=view.reason or "the search gave up")
        return replace(view, reason=f"no fill exists {_terms_of(self._trail)}".rstrip())

    def _look(self) -> RunView:
        view, deeper = self._branch.look(), len(self._trail.decisions)
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
        """What it would decide next, and why; and what else may be tried where it has decided last."""
        thoughts, decided = self._branch.think(), self._now.decisions
        if not decided or self._trail.is_locked(decided[-1].place):
            return thoughts
        last = decided[-1]
        others = thoughts.others if thoughts.tried == last.place else ()
        if not others:
            found = self._branches.ground.alternatives(self._now.before(last.place), last.place, _OTHERS)
            others = tuple(one for one in found if one.word != last.choice)
        return replace(thoughts, tried=last.place, chosen=last.choice, others=others)
