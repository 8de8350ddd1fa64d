"""Naive twins of partial fills: what one is, and the most squares that one can fill, by trying everything."""

from collections.abc import Mapping, Sequence

from tests.naive_engine import Words, given_content, read_answer, slot_words
from xwtui.model import Content, Grid, Position, Slot

Squares = Mapping[Position, Content]


def given_squares(grid: Grid) -> dict[Position, Content]:
    """The given content of the squares that stand in entries."""
    positions = {position for slot in grid.slots for position in slot.positions}
    given = {position: given_content(grid, position) for position in positions}
    return {position: content for position, content in given.items() if content}


def check_partial(
    grid: Grid, squares: Squares, answers: Mapping[str, str], words: Words, *, allow_repeats: bool = False
) -> None:
    """Judge a partial fill: whole entries are allowed and differ, given squares stand, no square for nothing."""
    given = given_squares(grid)
    assert {position: squares.get(position) for position in given} == given
    whole = [slot for slot in grid.slots if all(position in squares for position in slot.positions)]
    assert dict(answers) == {slot.name: read_answer(squares, slot) for slot in whole}
    assert squares.keys() == given.keys() | {position for slot in whole for position in slot.positions}
    free = [slot for slot in whole if not all(position in given for position in slot.positions)]
    for slot in free:
        row = tuple(squares[position] for position in slot.positions)
        assert slot_words(grid, slot, words).get(answers[slot.name]) == row, f"{slot.name} is no word"
    if not allow_repeats:
        for slot in free:
            others = [answers[other.name] for other in whole if other != slot]
            assert answers[slot.name] not in others, f"{slot.name} {answers[slot.name]} is repeated"


def naive_most_filled(grid: Grid, words: Words, *, allow_repeats: bool = False) -> int:
    """The most squares that a partial fill has, given ones among them."""
    given = given_squares(grid)
    options = [
        (slot, slot_words(grid, slot, words))
        for slot in grid.slots
        if not all(position in given for position in slot.positions)
    ]
    whole = [slot for slot in grid.slots if all(position in given for position in slot.positions)]
    used = [] if allow_repeats else [read_answer(given, slot) for slot in whole]
    return _most(options, given, (), used, allow_repeats)


def _most(
    options: Sequence[tuple[Slot, dict[str, tuple[Content, ...]]]],
    squares: Squares,
    left_open: tuple[Slot, ...],
    used: list[str],
    allow_repeats: bool,
) -> int:
    if any(all(position in squares for position in slot.positions) for slot in left_open):
        return -1
    if not options:
        return len(squares)
    (slot, rows), *rest = options
    most = _most(rest, squares, (*left_open, slot), used, allow_repeats)
    for word, row in rows.items():
        placed = dict(zip(slot.positions, row, strict=True))
        agrees = all(squares.get(position, content) == content for position, content in placed.items())
        if agrees and (allow_repeats or word not in used):
            most = max(most, _most(rest, {**squares, **placed}, left_open, [*used, word], allow_repeats))
    return most
