"""Which global demands are at odds with the grid, the words, or each other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from xwtui.engine.demands.layout import lay_out_demands
from xwtui.engine.demands.quotas import Demands
from xwtui.engine.demands.reasons import describe_demand, wanted_words
from xwtui.engine.problem.arrays import steered
from xwtui.text import listed

if TYPE_CHECKING:
    from xwtui.engine.demands.quotas import SlotQuota
    from xwtui.engine.kernels.state import State
    from xwtui.engine.problem.problem import Problem

_MOST_NAMED = 5


def with_demands(problem: Problem, demands: Demands) -> Problem:
    """The same problem with other demands."""
    tables = list({id(table): table for table in problem.tables}.values())
    arrays = lay_out_demands(demands, problem.tables, tables, problem.network.places)
    return replace(problem, demands=demands, network=replace(steered(problem.network), **arrays._asdict()))


def conflicting_demands(problem: Problem) -> list[str]:
    """Demands, as few as can be, that propagation refutes together; none if it refutes the problem without any.

    Each is left out in turn, for good if what is left is still refuted. Symmetry counts as one, and so do keys.
    """
    demands = problem.demands
    parts = [Demands(square_quotas=(quota,)) for quota in demands.square_quotas]
    parts += [Demands(slot_quotas=(quota,)) for quota in demands.slot_quotas]
    parts += [Demands(links=demands.links)] * bool(demands.links)
    parts += [Demands(word_keys=demands.word_keys)] * bool(demands.word_keys)
    if not _is_possible(problem, []):
        return []
    for part in tuple(parts):
        others = [other for other in parts if other is not part]
        if not _is_possible(problem, others):
            parts = others
    return [_describe(problem, part) for part in parts]


def _is_possible(problem: Problem, parts: list[Demands]) -> bool:
    """Whether propagation leaves something of a problem with these demands alone."""
    joined = Demands(
        tuple(quota for part in parts for quota in part.square_quotas),
        tuple(quota for part in parts for quota in part.slot_quotas),
        tuple(link for part in parts for link in part.links),
        tuple(keys for part in parts for keys in part.word_keys),
    )
    return with_demands(problem, joined).propagate_root()[1]


def _describe(problem: Problem, part: Demands) -> str:
    return "symmetry" if part.links else describe_demand(replace(problem, demands=part), 0)


def too_few_answers(problem: Problem, state: State) -> str:
    """Say that fewer different answers than a quota wants are left in a propagated state; empty if not so."""
    for quota in problem.demands.slot_quotas:
        if quota.least > 0 and not problem.allow_repeats:
            answers = _answers_left(problem, state, quota)
            if len(answers) < quota.least:
                more = len(answers) - _MOST_NAMED
                named = [*answers[:_MOST_NAMED], f"{more} more"] if more > 1 else answers
                fitting = f"only {listed(named, 'and')}" if answers else "none of these"
                return (
                    f"entries with {quota.name}: {fitting} can stand in the grid, and {wanted_words(quota.least)}"
                )
    return ""


def _answers_left(problem: Problem, state: State, quota: SlotQuota) -> list[str]:
    """The different answers that count for a quota and that some slot can still take."""
    answers: dict[int, str] = {}
    for slot, counted in enumerate(quota.rows):
        left = problem.rows_left(state, slot)
        for row in left[counted[left]].tolist():
            answers.setdefault(int(problem.tables[slot].words[row]), problem.word(slot, row))
    return sorted(answers.values())
