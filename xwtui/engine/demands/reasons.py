"""Global demands in the words of a constructor: what they ask for, and why they cannot be met."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xwtui.engine.demands.quotas import NO_LIMIT, Link, SlotQuota, SquareQuota, WordKeys
from xwtui.engine.kernels.state import FAILED_DEMAND, FAILED_RIVAL, FAILED_ROW, FAILED_SLOT
from xwtui.text import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xwtui.engine.kernels.state import State
    from xwtui.engine.problem.problem import Problem

_MOST_NAMED = 5


def describe_demand(problem: Problem, number: int) -> str:
    """What a demand asks for, such as `at most 2 entries with the tag abbreviation`."""
    match _demand(problem, number):
        case SquareQuota() as quota:
            return f"{_range(quota, 'square')} with {quota.name}"
        case SlotQuota() as quota:
            return f"{_range(quota, 'entry', 'entries')} with {quota.name}"
        case Link() as link:
            return f"{problem.positions[link.first]} and {problem.positions[link.second]} alike in {link.name}"
        case _:
            return f"no two answers that {_shared(problem.demands.word_keys)}"


def demand_failure(problem: Problem, state: State) -> str:
    """Say why a demand cannot be met at all, from the state in which propagation found out."""
    match _demand(problem, int(state.control[FAILED_DEMAND])):
        case SquareQuota() as quota:
            return _square_failure(problem, state, quota)
        case SlotQuota() as quota:
            return _slot_failure(problem, state, quota)
        case Link() as link:
            return _link_failure(problem, state, link)
        case _:
            return _key_failure(problem, state)


def _demand(problem: Problem, number: int) -> SquareQuota | SlotQuota | Link | None:
    """The demand of a number; None for that of the keys of words, which has the last one."""
    demands = problem.demands
    numbered: list[SquareQuota | SlotQuota | Link] = [*demands.square_quotas, *demands.slot_quotas, *demands.links]
    return numbered[number] if number < len(numbered) else None


def _square_failure(problem: Problem, state: State, quota: SquareQuota) -> str:
    masks = problem.masks(state)
    holding = [square for square in quota.squares if not masks[square] & ~quota.symbols]
    if len(holding) > quota.most:
        names = _named([str(problem.positions[square]) for square in holding])
        return f"{names} hold {quota.name}, and {quota.most} at most may"
    possible = sum(bool(masks[square] & quota.symbols) for square in quota.squares)
    return f"{_only(possible, 'square')} can hold {quota.name}, and {wanted_words(quota.least)}"


def _slot_failure(problem: Problem, state: State, quota: SlotQuota) -> str:
    left = [rows[problem.rows_left(state, slot)] for slot, rows in enumerate(quota.rows)]
    having = [name for name, rows in zip(problem.slot_names, left, strict=True) if rows.all()]
    if len(having) > quota.most:
        return f"{_named(having)} have {quota.name}, and {quota.most} at most may"
    possible = sum(bool(rows.any()) for rows in left)
    return f"{_only(possible, 'entry', 'entries')} can have {quota.name}, and {wanted_words(quota.least)}"


def _link_failure(problem: Problem, state: State, link: Link) -> str:
    masks = problem.masks(state)
    pair = [link.first, link.second]
    pair.sort(key=lambda square: bool(masks[square] & link.symbols), reverse=True)
    holder, other = (str(problem.positions[square]) for square in pair)
    return f"{holder} must hold {link.name}, and its mirror {other} cannot"


def _key_failure(problem: Problem, state: State) -> str:
    slot, rival = int(state.control[FAILED_SLOT]), int(state.control[FAILED_RIVAL])
    taken = problem.word(rival, int(problem.rows_left(state, rival)[0]))
    last = problem.word(slot, int(state.control[FAILED_ROW]))
    entries = sorted([(rival, taken), (slot, last)])
    names = " and ".join(f"{problem.slots[number].name} {word}" for number, word in entries)
    return f"{names} {_shared(problem.demands.word_keys)}"


def _shared(word_keys: Sequence[WordKeys]) -> str:
    return listed([kind.name for kind in word_keys], "or")


def _range(quota: SquareQuota | SlotQuota, one: str, many: str = "") -> str:
    """How many a quota asks for: `at least 1 square`, `4 to 6 squares`."""
    if quota.most >= NO_LIMIT:
        return f"at least {_count(quota.least, one, many)}"
    if quota.least == quota.most:
        return _count(quota.most, one, many)
    if quota.least == 0:
        return f"at most {_count(quota.most, one, many)}"
    return f"{quota.least} to {_count(quota.most, one, many)}"


def _only(number: int, one: str, many: str = "") -> str:
    return f"only {_count(number, one, many)}" if number else f"no {one}"


def wanted_words(number: int) -> str:
    """How many are wanted: `1 is wanted`."""
    return f"{number} {'is' if number == 1 else 'are'} wanted"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _named(names: list[str]) -> str:
    """The names, all of them if they are few."""
    more = len(names) - _MOST_NAMED
    return listed([*names[:_MOST_NAMED], f"{more} more"] if more > 1 else names, "and")
