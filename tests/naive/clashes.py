"""Naive twin of clash squares: every way to write words into a grid whose crossings need not agree.

Written from the rule's words alone, on texts: no symbols, no halves of squares, no propagation.
"""

from collections.abc import Iterator, Mapping, Sequence

from xwtui.model import Content, Direction, Grid, Position, Slot
from xwtui.model.rules.constraints import TwoReadings

Fill = dict[Position, Content]


def clash_fills(
    grid: Grid, words: Sequence[str], asked: Sequence[TwoReadings], *, allow_repeats: bool
) -> Iterator[tuple[Fill, dict[str, str]]]:
    """All fills with their answers; entries that are given whole have any answer."""

    def on(slots: Sequence[Slot], answers: dict[str, str]) -> Iterator[tuple[Fill, dict[str, str]]]:
        if not slots:
            fill = contents_of(grid, answers)
            if may_stand(grid, fill, asked) and all(obeys(grid, fill, one) for one in asked):
                yield fill, answers
            return
        slot, *others = slots
        for word in _words_for(grid, slot, words):
            if allow_repeats or word not in answers.values():
                yield from on(others, answers | {slot.name: word})

    yield from on(grid.slots, {})


def _words_for(grid: Grid, slot: Slot, words: Sequence[str]) -> list[str]:
    """The words that fit an entry beside what is given there."""
    given = [square.content if (square := grid[at]).is_given else None for at in slot.positions]
    readings = [None if content is None else content.reading(slot.direction) for content in given]
    if None not in readings:
        return ["".join(letter or "" for letter in readings)]
    fitting = (word for word in words if len(word) == len(slot))
    return [word for word in fitting if all(g in (None, letter) for g, letter in zip(readings, word, strict=True))]


def contents_of(grid: Grid, answers: Mapping[str, str]) -> Fill:
    """What each square of entries holds, the across letter and the down letter where these differ."""
    read: dict[Position, dict[Direction, str]] = {}
    for slot in grid.slots:
        for at, letter in zip(slot.positions, answers[slot.name], strict=True):
            read.setdefault(at, {})[slot.direction] = letter
    fill = {at: Content(*(way.get(side) or min(way.values()) for side in Direction)) for at, way in read.items()}
    return {at: _given(grid, at) or content for at, content in fill.items()}


def may_stand(grid: Grid, fill: Fill, asked: Sequence[TwoReadings]) -> bool:
    """Whether all squares agree where no rule lets them clash, and no given letter clashes."""
    return all(
        not content.is_letter_pair or _given(grid, at) == content or any(at in where(grid, one) for one in asked)
        for at, content in fill.items()
    )


def _given(grid: Grid, at: Position) -> Content | None:
    return grid[at].content if grid[at].is_given else None


def where(grid: Grid, asked: TwoReadings) -> list[Position]:
    """The squares that a rule is about and that two entries go through, row by row."""
    crossed = [at for at in grid.open_positions() if sum(at in slot.positions for slot in grid.slots) == 2]
    return [at for at in crossed if not asked.squares or at in asked.squares]


def obeys(grid: Grid, fill: Mapping[Position, Content], asked: TwoReadings) -> bool:
    """Whether a full grid has as many clashes as a rule asks, with its pairs, and spells its message."""
    clashes = [fill[at] for at in where(grid, asked) if fill[at].across != fill[at].down]
    if asked.pairs and any(content.across + content.down not in asked.pairs for content in clashes):
        return False
    if asked.message:
        letters = [
            content.across + content.down if asked.by is None else content.reading(asked.by) for content in clashes
        ]
        return "".join(letters) == asked.message
    if asked.least is None and asked.most is None:
        return len(clashes) == len(asked.squares)
    return (asked.least or 0) <= len(clashes) <= (len(fill) if asked.most is None else asked.most)
