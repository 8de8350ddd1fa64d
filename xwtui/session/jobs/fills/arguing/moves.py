"""What an argument does to the trail: where the search goes on from, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from xwtui.errors import VerbError
from xwtui.session.jobs.fills.arguing.argument import ArgumentKind, SearchArgument
from xwtui.session.jobs.fills.arguing.branches import Ground
from xwtui.session.jobs.fills.arguing.trail import Stand, Trail
from xwtui.text import listed, printable

_LONGEST = 60


class Move(NamedTuple):
    """An argument, thought through."""

    trail: Trail
    """Where the search goes on from."""
    argument: SearchArgument
    """What was argued; the place is empty for more than one thing."""
    said: str
    """The same in words that follow `you`, such as `choose 17A = OREAD`."""


def moved(ground: Ground, at: Trail, argument: SearchArgument, ranked: Callable[[Trail], tuple[str, ...]]) -> Move:
    """What an argument comes to where the trail stands so; raises VerbError where it cannot be had.

    `ranked` tells which places a search would decide next.
    """
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


def words_of(trail: Trail) -> str:
    """What is forbidden and locked, in words to follow "no fill exists"; empty if nothing is."""
    forbidden = [f"{stand.choice} in {stand.place}" for stand in trail.forbidden]
    locked = [str(stand) for stand in trail.locked]
    parts = [f"without {listed(list(dict.fromkeys(forbidden)), 'and')}"] if forbidden else []
    parts += [f"with {listed(locked, 'and')}"] if locked else []
    return " and ".join(parts)


def same_length(one: tuple[Stand, ...], other: tuple[Stand, ...]) -> int:
    """How many decisions, from the first on, two orders of them have in common."""
    count = 0
    for first, second in zip(one, other, strict=False):
        if not first.is_same(second):
            break
        count += 1
    return count
