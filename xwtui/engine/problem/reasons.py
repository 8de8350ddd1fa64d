"""Why a problem has no fill, as far as propagation alone shows it.

An entry may be wiped out, a global constraint may be infeasible, or a few constraints may contradict each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.network import INDEX, PLACES, SHARING
from xwtui.engine.kernels.propagate.constraints import NO_LIMIT
from xwtui.engine.kernels.state import State
from xwtui.engine.problem.altered_words import MOST_WAYS
from xwtui.engine.problem.constraints import (
    NO_CONSTRAINTS,
    Chain,
    ChoiceOfWays,
    GlobalConstraints,
    Link,
    SlotCardinality,
    SquareCardinality,
)
from xwtui.engine.problem.problem import Fault, Legend, Problem
from xwtui.engine.problem.squares import SquarePairs
from xwtui.engine.problem.task import no_word_fits, nothing_fits
from xwtui.engine.problem.word_stock import stock_of
from xwtui.lazy import lazy_imports
from xwtui.model import Position

with lazy_imports():
    from xwtui.engine.problem import no_fill

_Proved = TypeVar("_Proved", bound="no_fill.Reason | None")
_Numbered: TypeAlias = SquareCardinality | SlotCardinality | Link | Chain | ChoiceOfWays | SquarePairs


def why_impossible(problem: Problem) -> no_fill.Reason | None:
    """Return why a problem has no fill, as far as that shows before any decision; None if it may have one."""
    reason = _root_fault(problem)
    return reason and limited_reason(problem, reason)


def no_fill_exists(problem: Problem, nodes: int | None = None) -> no_fill.Reason:
    """Return what a search proved that ended without a fill, and what the proof depends on."""
    return limited_reason(problem, no_fill.NoFillExists(problem.task.proof_terms, nodes))


def untried_ways(problem: Problem) -> no_fill.UntriedWays | None:
    """Return the ways to enter answers that no proof about the problem covers; None if there are none.

    If answers must differ, the only fill may need a lower-scoring answer whose entry is the same as a better
    one's.
    """
    tables = list(zip((slot.label for slot in problem.slots), problem.tables, strict=True))
    beyond_room = tuple(name for name, table in tables if not table.is_whole)
    are_to_differ = not problem.task.allow_repeats or bool(problem.constraints.word_keys)
    poorer = tuple(name for name, table in tables if table.has_best_alone and are_to_differ)
    if poorer and problem.root.fault is Fault.WORDLESS:
        poorer = ()
    return no_fill.UntriedWays(beyond_room, MOST_WAYS, poorer) if beyond_room or poorer else None


def limited_reason(problem: Problem, reason: _Proved) -> _Proved | no_fill.LimitedReason:
    """Limit a reason proved for a problem, or None for one reported elsewhere, to the ways that were tried."""
    without = untried_ways(problem)
    return reason if without is None else no_fill.LimitedReason(reason, without)


def _root_fault(problem: Problem) -> no_fill.Reason | None:
    root = problem.root
    match root.fault:
        case None:
            return None
        case Fault.WORDLESS:
            wordless = next(number for number, table in enumerate(problem.tables) if table.rows == 0)
            return no_word_fits(problem.task, problem.slots[wordless])
        case Fault.ASSUMED:
            return root.ruled_out
        case Fault.EMPTIED:
            return _emptied(problem, root.state)
        case Fault.TOO_FEW:
            for wanted in problem.constraints.slot_cardinalities:
                answers = problem.answers_left(root.state, wanted)
                if len(answers) < wanted.least:
                    spelled = sorted(stock_of(problem.task).spelled(answers))
                    return no_fill.TooFewAnswers(wanted.name, tuple(spelled), wanted.least)
    return None


def culprits(problem: Problem) -> tuple[str, ...]:
    """Return the entries that propagation shows to have no word, or none that is compatible with the other.

    Empty if a rule of the grid is at fault, or if there may be a fill.
    """
    root = problem.root
    match root.fault:
        case Fault.WORDLESS:
            return tuple(
                name for name, table in zip(problem.slot_names, problem.tables, strict=True) if not table.rows
            )
        case Fault.EMPTIED if root.state.control[states.FAILED_CONSTRAINT] < 0:
            slot, rival = int(root.state.control[states.FAILED_SLOT]), int(root.state.control[states.FAILED_RIVAL])
            is_shared = root.state.control[states.FAILED_SQUARE] < 0
            return tuple(problem.slot_names[number] for number in ((slot, rival) if is_shared else (slot,)))
    return ()


def _emptied(problem: Problem, state: State) -> no_fill.Reason:
    """Return why propagation failed before any decision, from the state that it left."""
    if state.control[states.FAILED_CONSTRAINT] >= 0:
        return _constraint_failed(problem, state)
    reason = _entry_emptied(problem, state)
    conflicting = [] if problem.constraints.is_empty else _conflicting_constraints(problem)
    return no_fill.ConflictingConstraints(tuple(conflicting), reason) if conflicting else reason


def _entry_emptied(problem: Problem, state: State) -> no_fill.Reason:
    slot, rival = int(state.control[states.FAILED_SLOT]), int(state.control[states.FAILED_RIVAL])
    entry = problem.slots[slot]
    if state.control[states.FAILED_SQUARE] < 0:
        first, second = sorted((slot, rival))
        word = problem.answer(rival, int(problem.rows_left(state, rival)[0]))
        return no_fill.SameAnswer((problem.slots[first].name, problem.slots[second].name), word)
    number = int(state.control[states.FAILED_SQUARE])
    square = problem.positions[number]
    index = entry.positions.index(square)
    pattern, forced, allowed, taken = _crossed_pattern(problem, state, slot)
    what = no_fill.WordlessEntry(entry.name, nothing_fits(problem.task, entry, pattern))
    crossing = problem.slots[rival].name if rival >= 0 else ""
    # The symbols that the entry needed at the blamed crossing, which has lost them.
    wanted = int(state.seen[int(problem.network.slots[slot, PLACES]) + index]) & ~problem.masks(state)[number]
    needed = tuple(problem.symbols.in_mask(wanted))
    table = problem.tables[slot]
    here = {problem.symbols.contents[code] for code in set(table.symbols[table.words >= 0, index].tolist())}
    if not forced and (here <= set(needed) or not (allowed or taken)):
        return no_fill.EntryEmptied(what, (), square, tuple(map(str, needed)), crossing)
    return no_fill.EntryEmptied(what, tuple(forced), square, (), crossing, allowed, taken)


def _crossed_pattern(
    problem: Problem, state: State, slot: int
) -> tuple[str, list[str], tuple[tuple[Position, tuple[str, ...]], ...], tuple[str, ...]]:
    """Return an entry's pattern with given and forced squares; what is forced; what else is allowed; taken words.

    The third value is for squares where the remaining words of a crossing leave several options: as many of these
    squares, the most restricted first, as it takes until none of the entry's words fits. The last value is words
    that fit all of it, each already taken by another entry. A made-up word, which has a negative id, is ignored.
    If words fit that only rules exclude, crossings are not to blame: then the pattern has the given squares, and
    the rest is empty.
    """
    table, entry = problem.tables[slot], problem.slots[slot]
    shown = ["?" if (content := problem.task.given.get(at)) is None else str(content) for at in entry.positions]
    given, forced = tuple(shown), list[str]()
    fits, open_squares = table.words >= 0, list[tuple[int, Position, NDArray[np.uint8]]]()
    first = int(problem.network.slots[slot, PLACES])
    for index, position in enumerate(entry.positions):
        crossing, crossed = problem.network.places[first + index, [SHARING, INDEX]].tolist()
        if position in problem.task.given or crossing < 0:
            continue
        codes = np.unique(problem.tables[crossing].symbols[problem.rows_left(state, crossing), crossed])
        if codes.size == 1:
            shown[index] = str(problem.symbols.contents[codes[0]])
            forced.append(shown[index])
            fits &= table.symbols[:, index] == codes[0]
        else:
            open_squares.append((index, position, codes))
    allowed: list[tuple[Position, tuple[str, ...]]] = []
    for index, position, codes in sorted(open_squares, key=lambda each: each[2].size):
        if not fits.any():
            break
        left = fits & np.isin(table.symbols[:, index], codes)
        if left.sum() < fits.sum():
            allowed.append((position, tuple(sorted(str(problem.symbols.contents[code]) for code in codes))))
        fits = left
    taken = _taken(problem, state, slot, np.flatnonzero(fits).tolist())
    if fits.any() and not taken:
        return "".join(given), [], (), ()
    return "".join(shown), forced, tuple(allowed), taken


def _taken(problem: Problem, state: State, slot: int, rows: Sequence[int]) -> tuple[str, ...]:
    """Return the words of an entry's rows if each is all that is left for another entry; else nothing."""
    lasting = set[str]() if problem.task.allow_repeats else {problem.answer(slot, row) for row in rows}
    found: dict[str, None] = {}
    for other in range(len(problem.slots) if lasting else 0):
        left = problem.rows_left(state, other)
        if other == slot or left.size != 1 or problem.tables[other].words[left[0]] < 0:
            continue
        if (word := problem.answer(other, int(left[0]))) in lasting:
            found[word] = None
    return tuple(found) if len(found) == len(lasting) else ()


def constraint_requirement(legend: Legend, number: int) -> no_fill.ConstraintRequirement:
    """Return the requirement of the constraint with this number."""
    match _constraint(legend, number):
        case SquareCardinality(name=name) as cardinality:
            return _counted(no_fill.ConstraintKind.SQUARES, (name,), cardinality)
        case SlotCardinality(name=name) as cardinality:
            return _counted(no_fill.ConstraintKind.ENTRIES, (name,), cardinality)
        case SquarePairs(message=message) as pairs:
            return _counted(no_fill.ConstraintKind.PAIRS, (message,) if message else (), pairs)
        case ChoiceOfWays(name=name):
            return no_fill.ConstraintRequirement(no_fill.ConstraintKind.WAYS, (name,))
        case Chain(name=name):
            return no_fill.ConstraintRequirement(no_fill.ConstraintKind.CHAIN, (name,))
        case Link() as link:
            squares = (legend.positions[link.first], legend.positions[link.second])
            return no_fill.ConstraintRequirement(no_fill.ConstraintKind.LINK, (link.name,), squares=squares)
        case _:
            return no_fill.ConstraintRequirement(
                no_fill.ConstraintKind.DIFFERENT, tuple(kind.name for kind in legend.constraints.word_keys)
            )


def _counted(
    kind: no_fill.ConstraintKind,
    names: tuple[str, ...],
    counted: SquareCardinality | SlotCardinality | SquarePairs,
) -> no_fill.ConstraintRequirement:
    return no_fill.ConstraintRequirement(
        kind, names, counted.least, counted.most if counted.most < NO_LIMIT else None
    )


def _constraint_failed(problem: Problem, state: State) -> no_fill.ConstraintFailed:
    """Return why a constraint is infeasible, from the state in which propagation failed."""
    number = int(state.control[states.FAILED_CONSTRAINT])
    requirement = constraint_requirement(problem.legend, number)
    match _constraint(problem.legend, number):
        case SquareCardinality() as cardinality:
            masks = problem.masks(state)
            must = [square for square in cardinality.squares if not masks[square] & ~cardinality.symbols]
            possible = sum(bool(masks[square] & cardinality.symbols) for square in cardinality.squares)
            names = [str(problem.positions[square]) for square in must]
            return no_fill.ConstraintFailed(
                requirement, tuple(names) if len(must) > cardinality.most else (), possible
            )
        case SlotCardinality() as cardinality:
            left = [rows[problem.rows_left(state, slot)] for slot, rows in enumerate(cardinality.rows)]
            having = [name for name, rows in zip(problem.slot_names, left, strict=True) if rows.all()]
            possible = sum(bool(rows.any()) for rows in left)
            return no_fill.ConstraintFailed(
                requirement, tuple(having) if len(having) > cardinality.most else (), possible
            )
        case SquarePairs() as pairs:
            squares, possible, are_barred = pairs.at_fault(problem.masks(state))
            names = [str(problem.positions[square]) for square in squares]
            return no_fill.ConstraintFailed(requirement, tuple(names), possible, are_barred)
        case Link() as link:
            masks = problem.masks(state)
            pair = sorted((link.first, link.second), key=lambda at: bool(masks[at] & link.symbols), reverse=True)
            return no_fill.ConstraintFailed(requirement, tuple(str(problem.positions[square]) for square in pair))
        case ChoiceOfWays() | Chain():
            return no_fill.ConstraintFailed(requirement)
        case _:
            slot, rival = int(state.control[states.FAILED_SLOT]), int(state.control[states.FAILED_RIVAL])
            taken = problem.answer(rival, int(problem.rows_left(state, rival)[0]))
            last = problem.answer(slot, int(state.control[states.FAILED_ROW]))
            entries = sorted([(rival, taken), (slot, last)])
            return no_fill.ConstraintFailed(
                requirement, tuple(f"{problem.slots[at].name} {word}" for at, word in entries)
            )


def _constraint(legend: Legend, number: int) -> _Numbered | None:
    """Return the constraint with this number; None for the word keys, which share one number."""
    kinds: tuple[Sequence[_Numbered | None], ...] = legend.constraints._replace(word_keys=(None,))  # type: ignore[arg-type, assignment]
    return list(chain.from_iterable(kinds))[number]


def _conflicting_constraints(problem: Problem) -> list[no_fill.ConstraintRequirement]:
    """Return a minimal set of constraints that propagation refutes; empty if the problem fails without them.

    Each constraint is removed in turn, for good if the rest is still refuted. All links count as one constraint,
    and so do all word keys.
    """
    parts: list[GlobalConstraints] = []
    for kind, constraints in problem.constraints._asdict().items():
        is_one = kind in {"links", "word_keys"}
        parts += [
            NO_CONSTRAINTS._replace(**{kind: some})
            for some in ([constraints] if is_one else zip(constraints))
            if some
        ]
    if not _is_possible(problem, []):
        return []
    for part in tuple(parts):
        others = [other for other in parts if other is not part]
        if not _is_possible(problem, others):
            parts = others
    return [
        no_fill.ConstraintRequirement(no_fill.ConstraintKind.SYMMETRY)
        if part.links
        else constraint_requirement(replace(problem.legend, constraints=part), len(part.choices) + len(part.pairs))
        for part in parts
    ]


def _is_possible(problem: Problem, parts: list[GlobalConstraints]) -> bool:
    """Whether propagation finds no contradiction in the problem with only these constraints."""
    kinds = zip(*parts, strict=True) if parts else ()
    joined = GlobalConstraints(*(tuple(chain.from_iterable(kind)) for kind in kinds))
    return problem.rebuilt_with(joined).propagated().is_possible
