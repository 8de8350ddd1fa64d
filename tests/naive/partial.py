"""Naive twins of partial fills: what one is, and the most squares that one can fill, by trying everything."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count

from tests.naive.rules import Case, Square, TooManyTriesError, given, obeys_all, slot_rows
from tests.ruled import Ruled
from xwtui.model import Content, Position, Slot

Squares = Mapping[Position, Content]
Rows = Sequence[tuple[str, tuple[Content, ...]]]


def asked_slots(case: Case) -> list[Slot]:
    """The entries that are to be filled."""
    return [
        slot for slot in case.grid.slots if case.selection is None or not case.selection.isdisjoint(slot.positions)
    ]


def given_squares(case: Case) -> dict[Position, Content]:
    """The given content of the squares that stand in entries asked for."""
    positions = {position for slot in asked_slots(case) for position in slot.positions}
    return {position: content for position in positions if (content := given(case, position))}


def is_whole_given(case: Case, slot: Slot) -> bool:
    """Whether every square of an entry is given."""
    return all(given(case, position) for position in slot.positions)


def of_a_part(case: Case) -> Case:
    """The case without what is asked of whole fills alone: so many at least, and mirrors."""
    rules = Ruled.of(case.rules)
    placings = tuple(replace(placing, least=0, symmetric=False, each=False) for placing in rules.placings)
    return replace(case, rules=replace(rules, wanted_least=0, letters="", placings=placings).rules())


def check_partial(case: Case, squares: Squares, answers: Mapping[str, str]) -> None:
    """Judge a partial fill: whole entries are allowed and differ, given squares stand, no square for nothing."""
    kept = given_squares(case)
    assert {position: squares.get(position) for position in kept} == kept
    whole = [slot for slot in case.grid.slots if all(position in squares for position in slot.positions)]
    spelled = {slot.name: "".join(squares[at].reading(slot.direction) for at in slot.positions) for slot in whole}
    assert dict(answers) == spelled
    assert squares.keys() == kept.keys() | {position for slot in whole for position in slot.positions}
    for slot in whole:
        row = (spelled[slot.name], tuple(squares[at] for at in slot.positions))
        assert row in slot_rows(case, slot), f"{slot.name} may not be {row}"
        if not is_whole_given(case, slot) and not case.allow_repeats:
            others = [spelled[other.name] for other in whole if other != slot]
            assert spelled[slot.name] not in others, f"{spelled[slot.name]} is repeated"
    assert obeys_all(of_a_part(case), {(at, None): content for at, content in squares.items()}, spelled)


def naive_most_filled(case: Case, *, most_tries: int = 1 << 62) -> int:
    """The most squares that a partial fill has, given ones too; TooManyTriesError if that takes too long."""
    kept = given_squares(case)
    slots = [slot for slot in case.grid.slots if not is_whole_given(case, slot)]
    options = sorted(((slot, slot_rows(case, slot)) for slot in slots), key=lambda option: len(option[1]))
    whole = [slot for slot in case.grid.slots if is_whole_given(case, slot)]
    answers = {slot.name: "".join(kept[at].reading(slot.direction) for at in slot.positions) for slot in whole}
    return _Brute(of_a_part(case), most_tries).most(options, kept, (), answers)


class _Brute:
    """Tries every word and no word for each entry in turn."""

    def __init__(self, case: Case, most_tries: int) -> None:
        self._case = case
        self._most_tries = most_tries
        self._tries = count()

    def most(
        self,
        options: Sequence[tuple[Slot, Rows]],
        squares: Squares,
        left_open: tuple[Slot, ...],
        answers: Mapping[str, str],
    ) -> int:
        if next(self._tries) > self._most_tries:
            raise TooManyTriesError
        if any(all(position in squares for position in slot.positions) for slot in left_open):
            return -1
        if not options:
            held: dict[Square, Content] = {(at, None): content for at, content in squares.items()}
            return len(squares) if obeys_all(self._case, held, answers) else -1
        (slot, rows), *rest = options
        best = self.most(rest, squares, (*left_open, slot), answers)
        for word, way in rows:
            placed = dict(zip(slot.positions, way, strict=True))
            agrees = all(squares.get(position, content) == content for position, content in placed.items())
            if agrees and (self._case.allow_repeats or word not in answers.values()):
                now = {**answers, slot.name: word}
                best = max(best, self.most(rest, {**squares, **placed}, left_open, now))
        return best
