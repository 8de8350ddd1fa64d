"""Why a problem has no fill, in the words of a constructor, as far as propagation alone shows it.

An entry may have run empty, a global constraint may not be met, or a few constraints may be at odds with
each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeAlias

from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.network import INDEX, PLACES, SHARING
from xwtui.engine.kernels.state import State
from xwtui.engine.problem.constraints import (
    NO_CONSTRAINTS,
    NO_LIMIT,
    Chain,
    ChoiceOfWays,
    Clashes,
    GlobalConstraints,
    Link,
    SlotCardinality,
    SquareCardinality,
    WordKeys,
)
from xwtui.engine.problem.problem import Fault, Problem, RuledOut
from xwtui.engine.problem.task import no_word_fits, nothing_fits
from xwtui.engine.problem.treated_words import MOST_WAYS
from xwtui.text import first_named, listed

_Numbered: TypeAlias = SquareCardinality | SlotCardinality | Link | Chain | ChoiceOfWays | Clashes

_MOST_LETTERS = 8
"""Letters that are named one by one."""
_MOST_NAMED = 5
"""Entries, squares or words that are named, if there are more."""


def why_impossible(problem: Problem) -> str:
    """Say why a problem has no fill, as far as that is seen before any decision; empty where it may have one."""
    reason = _root_fault(problem)
    return f"{reason}{left_out(problem)}" if reason else ""


def no_fill_exists(problem: Problem) -> str:
    """What a search has proved that ended without a fill, and what the proof rests on."""
    return f"no fill exists {problem.task.proof_terms}{left_out(problem)}"


def left_out(problem: Problem) -> str:
    """Say, behind a proof, of which entries not all that may be entered for their answers was tried."""
    names = [slot.label for slot, table in zip(problem.slots, problem.tables, strict=True) if not table.is_whole]
    if not names:
        return ""
    return (
        f"; the {MOST_WAYS:,} best ways to enter an answer otherwise were tried, not all, in {first_named(names)}"
    )


def _root_fault(problem: Problem) -> str:
    root = problem.root
    match root.fault:
        case None:
            return ""
        case Fault.WORDLESS:
            wordless = next(number for number, table in enumerate(problem.tables) if table.rows == 0)
            return no_word_fits(problem.task, problem.slots[wordless])
        case Fault.ASSUMED:
            return _ruled_out_failure(root.ruled_out) if root.ruled_out else ""
        case Fault.EMPTIED:
            return _emptied_failure(problem, root.state)
        case Fault.TOO_FEW:
            return too_few_answers(problem, root.state)


def culprits(problem: Problem) -> tuple[str, ...]:
    """Name the entries that have no word left, or none beside each other, where propagation shows no fill.

    None are named where a rule of the grid is at fault, or where there may be a fill.
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


def _ruled_out_failure(ruled_out: RuledOut) -> str:
    """Say what the assumptions leave nothing."""
    if ruled_out.content is None:
        return f"{ruled_out.place} can be nothing else"
    return f"{ruled_out.place} cannot be {ruled_out.content}"


def _emptied_failure(problem: Problem, state: State) -> str:
    """Say why propagation ran empty before any decision, from the state that it left."""
    if state.control[states.FAILED_CONSTRAINT] >= 0:
        return constraint_failure(problem, state)
    reason = _entry_failure(problem, state)
    conflicting = [] if problem.constraints.is_empty else conflicting_constraints(problem)
    return f"{listed(conflicting, 'and')} cannot be had: {reason}" if conflicting else reason


def _entry_failure(problem: Problem, state: State) -> str:
    """Say why an entry ran empty."""
    slot, rival = int(state.control[states.FAILED_SLOT]), int(state.control[states.FAILED_RIVAL])
    entry = problem.slots[slot]
    if state.control[states.FAILED_SQUARE] < 0:
        return _last_word_taken(problem, state, slot, rival)
    square = problem.positions[int(state.control[states.FAILED_SQUARE])]
    pattern, forced = _forced_pattern(problem, state, slot)
    unfit = f"{entry.name}: {nothing_fits(problem.task, entry, pattern)}"
    if forced:
        return f"{unfit}; its crossings force {listed(forced, 'and')}"
    contents = [str(content) for content in problem.symbols.in_mask(_wanted(problem, state))]
    if not contents:
        return unfit
    wanted = listed(contents, "or") if len(contents) <= _MOST_LETTERS else f"one of {len(contents)} letters"
    if rival < 0:
        return f"{unfit}; at {square} the rules leave none for it, and it needs {wanted}"
    return f"{unfit}; at {square} it needs {wanted}, and {problem.slots[rival].name} can have none of these"


def _wanted(problem: Problem, state: State) -> int:
    """The symbols that the emptied slot needed at the crossing blamed, which has lost them."""
    slot, square = int(state.control[states.FAILED_SLOT]), int(state.control[states.FAILED_SQUARE])
    first = int(problem.network.slots[slot, PLACES])
    index = problem.slots[slot].positions.index(problem.positions[square])
    return int(state.seen[first + index]) & ~problem.masks(state)[square]


def _last_word_taken(problem: Problem, state: State, slot: int, rival: int) -> str:
    """Say that two entries can only have the same answer."""
    first, second = sorted((slot, rival))
    word = problem.answer(rival, int(problem.rows_left(state, rival)[0]))
    return f"{problem.slots[first].name} and {problem.slots[second].name} would both be {word}"


def _forced_pattern(problem: Problem, state: State, slot: int) -> tuple[str, list[str]]:
    """An entry with its given squares and those that the words left for its crossings force; and these."""
    shown: list[str] = []
    forced: list[str] = []
    entry = problem.slots[slot]
    for place, position in enumerate(entry.positions, int(problem.network.slots[slot, PLACES])):
        crossing, index = problem.network.places[place, [SHARING, INDEX]].tolist()
        given = problem.task.given.get(position)
        contents = {given} if given else set()
        if crossing >= 0 and not contents:
            codes = problem.tables[crossing].symbols[problem.rows_left(state, crossing), index]
            contents = {problem.symbols.contents[code] for code in set(codes.tolist())}
            forced += map(str, contents if len(contents) == 1 else ())
        shown.append(str(contents.pop()) if len(contents) == 1 else "?")
    return "".join(shown), forced


def describe_constraint(problem: Problem, number: int) -> str:
    """What a constraint asks for, such as `at most 2 entries with the tag abbreviation`."""
    match _constraint(problem, number):
        case SquareCardinality() as cardinality:
            return f"{_range(cardinality, 'square')} with {cardinality.name}"
        case SlotCardinality() as cardinality:
            return f"{_range(cardinality, 'entry', 'entries')} with {cardinality.name}"
        case ChoiceOfWays() | Chain() as named:
            return named.name
        case Link() as link:
            return f"{problem.positions[link.first]} and {problem.positions[link.second]} alike in {link.name}"
        case Clashes() as clashes:
            spelling = f" that spell {clashes.message}" if clashes.message else ""
            return f"{_range(clashes, 'clash square')}{spelling}"
        case _:
            return f"no two answers that {_shared(problem.constraints.word_keys)}"


def constraint_failure(problem: Problem, state: State) -> str:
    """Say why a constraint cannot be met at all, from the state in which propagation found out."""
    match _constraint(problem, int(state.control[states.FAILED_CONSTRAINT])):
        case SquareCardinality() as cardinality:
            return _square_failure(problem, state, cardinality)
        case SlotCardinality() as cardinality:
            return _slot_failure(problem, state, cardinality)
        case ChoiceOfWays() as choice:
            return f"no place is left for {choice.name}"
        case Link() as link:
            return _link_failure(problem, state, link)
        case Chain() as message:
            return f"the entries cannot spell {message.name} in their order"
        case Clashes() as clashes:
            return _clash_failure(problem, state, clashes)
        case _:
            return _key_failure(problem, state)


def _constraint(problem: Problem, number: int) -> _Numbered | None:
    """The constraint of a number; None for that of the keys of words, which are numbered as one."""
    kinds: tuple[Sequence[_Numbered | None], ...] = problem.constraints._replace(word_keys=(None,))  # type: ignore[arg-type, assignment]
    return list(chain.from_iterable(kinds))[number]


def _square_failure(problem: Problem, state: State, cardinality: SquareCardinality) -> str:
    masks = problem.masks(state)
    holding = [square for square in cardinality.squares if not masks[square] & ~cardinality.symbols]
    possible = sum(bool(masks[square] & cardinality.symbols) for square in cardinality.squares)
    names = [str(problem.positions[square]) for square in holding]
    return _count_failure(cardinality, "hold", names, _only(possible, "square"))


def _slot_failure(problem: Problem, state: State, cardinality: SlotCardinality) -> str:
    left = [rows[problem.rows_left(state, slot)] for slot, rows in enumerate(cardinality.rows)]
    having = [name for name, rows in zip(problem.slot_names, left, strict=True) if rows.all()]
    possible = sum(bool(rows.any()) for rows in left)
    return _count_failure(cardinality, "have", having, _only(possible, "entry", "entries"))


def _count_failure(
    cardinality: SquareCardinality | SlotCardinality, verb: str, must: list[str], possible: str
) -> str:
    """Too many must have what is counted, or too few can."""
    if len(must) > cardinality.most:
        return f"{_named(must)} {verb} {cardinality.name}, and {cardinality.most} at most may"
    return f"{possible} can {verb} {cardinality.name}, and {wanted_words(cardinality.least)}"


def _clash_failure(problem: Problem, state: State, clashes: Clashes) -> str:
    must, can = ([clashes.pairs[pair][0] for pair in pairs] for pairs in clashes.counted(problem.masks(state)))
    if clashes.message and len(can) >= clashes.least:
        return f"squares that clash cannot spell {clashes.message} in their order"
    barred = [square for square in must if square not in can]
    if barred or len(must) > clashes.most:
        names = _named([str(problem.positions[square]) for square in barred or must])
        allowed = "as is not allowed" if barred else f"and {clashes.most} at most may"
        return f"{names} {'clashes' if len(barred or must) == 1 else 'clash'}, {allowed}"
    return f"{_only(len(can), 'square')} can clash, and {wanted_words(clashes.least)}"


def _link_failure(problem: Problem, state: State, link: Link) -> str:
    masks = problem.masks(state)
    pair = [link.first, link.second]
    pair.sort(key=lambda square: bool(masks[square] & link.symbols), reverse=True)
    holder, other = (str(problem.positions[square]) for square in pair)
    return f"{holder} must hold {link.name}, and its mirror {other} cannot"


def _key_failure(problem: Problem, state: State) -> str:
    slot, rival = int(state.control[states.FAILED_SLOT]), int(state.control[states.FAILED_RIVAL])
    taken = problem.answer(rival, int(problem.rows_left(state, rival)[0]))
    last = problem.answer(slot, int(state.control[states.FAILED_ROW]))
    entries = sorted([(rival, taken), (slot, last)])
    names = " and ".join(f"{problem.slots[number].name} {word}" for number, word in entries)
    return f"{names} {_shared(problem.constraints.word_keys)}"


def _shared(word_keys: Sequence[WordKeys]) -> str:
    return listed([kind.name for kind in word_keys], "or")


def _range(cardinality: SquareCardinality | SlotCardinality | Clashes, one: str, many: str = "") -> str:
    """How many a cardinality asks for: `at least 1 square`, `4 to 6 squares`."""
    if cardinality.most >= NO_LIMIT:
        return f"at least {_count(cardinality.least, one, many)}"
    if cardinality.least == cardinality.most:
        return _count(cardinality.most, one, many)
    if cardinality.least == 0:
        return f"at most {_count(cardinality.most, one, many)}"
    return f"{cardinality.least} to {_count(cardinality.most, one, many)}"


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


def conflicting_constraints(problem: Problem) -> list[str]:
    """The fewest constraints that propagation refutes together; none if it refutes the problem without any.

    Each is left out in turn, for good if what is left is still refuted. Symmetry counts as one, and so do keys.
    """
    parts: list[GlobalConstraints] = []
    for kind, asked in problem.constraints._asdict().items():
        is_one = kind in {"links", "word_keys"}
        parts += [NO_CONSTRAINTS._replace(**{kind: some}) for some in ([asked] if is_one else zip(asked)) if some]
    if not _is_possible(problem, []):
        return []
    for part in tuple(parts):
        others = [other for other in parts if other is not part]
        if not _is_possible(problem, others):
            parts = others
    return [_describe(problem, part) for part in parts]


def _is_possible(problem: Problem, parts: list[GlobalConstraints]) -> bool:
    """Whether propagation leaves something of a problem with these constraints alone."""
    kinds = zip(*parts, strict=True) if parts else ()
    joined = GlobalConstraints(*(tuple(chain.from_iterable(kind)) for kind in kinds))
    return problem.laid_out_anew(joined).propagate_root()[1]


def _describe(problem: Problem, part: GlobalConstraints) -> str:
    return (
        "symmetry"
        if part.links
        else describe_constraint(replace(problem, constraints=part), len(part.choices) + len(part.clashes))
    )


def too_few_answers(problem: Problem, state: State) -> str:
    """Say that a propagated state leaves fewer different answers than a cardinality wants; empty if not so."""
    for cardinality in problem.constraints.slot_cardinalities:
        if cardinality.least > 0 and not problem.allow_repeats:
            answers = _answers_left(problem, state, cardinality)
            if len(answers) < cardinality.least:
                fitting = f"only {_named(answers)}" if answers else "none of these"
                wanted = wanted_words(cardinality.least)
                return f"entries with {cardinality.name}: {fitting} can stand in the grid, and {wanted}"
    return ""


def _answers_left(problem: Problem, state: State, cardinality: SlotCardinality) -> list[str]:
    """The different answers that count for a cardinality and that some slot can still take."""
    answers: dict[int, str] = {}
    for slot, counted in enumerate(cardinality.rows):
        left = problem.rows_left(state, slot)
        for row in left[counted[left]].tolist():
            answers.setdefault(int(problem.tables[slot].words[row]), problem.answer(slot, row))
    return sorted(answers.values())
