"""Naive twins of the fill engine and of linked lights: fills, their enumeration, and propagation."""

from collections.abc import Iterable, Iterator, Mapping

from tests.naive.agreeing import agreeing
from xwtui.model import Content, Direction, Grid, Position, Slot

Words = Mapping[str, int]
"""The allowed words with their scores."""


def given_content(grid: Grid, position: Position) -> Content | None:
    """Return the content that every fill must keep, if any."""
    square = grid[position]
    return square.content if square.is_given else None


Path = tuple[tuple[Position, Direction], ...]
"""The squares that an answer reads, each with its direction."""


def naive_paths(grid: Grid) -> dict[str, Path]:
    """Return each entry's path by name; linked lights are named by the first."""
    own = {slot.key: (slot.name, _path_of(slot)) for slot in grid.slots}
    for first, *others in (link for link in grid.links if all(light in own for light in link)):
        name, path = own[first]
        own[first] = (name, sum((own.pop(other)[1] for other in others), path))
    return dict(own.values())


def _path_of(slot: Slot) -> Path:
    return tuple((at, slot.direction) for at in slot.positions)


def naive_ways(grid: Grid, path: Path, words: Iterable[str]) -> dict[str, dict[Position, Content]]:
    """Return words that fit the given squares, with their contents; a whole given answer need not be listed."""
    given = {at: content for at, _ in path if (content := given_content(grid, at)) is not None}
    if all(at in given for at, _ in path):
        return {"".join(given[at].reading(way) for at, way in path): given}
    ways = {word: _laid(given, path, word) for word in words}
    return {word: laid for word, laid in ways.items() if laid is not None}


def _laid(squares: Mapping[Position, Content], path: Path, word: str) -> dict[Position, Content] | None:
    laid = dict(squares)
    for at, way in path:
        if not word:
            return None
        content = laid.setdefault(at, Content.of(word[0]))
        if not word.startswith(content.reading(way)):
            return None
        word = word[len(content.reading(way)) :]
    return None if word else laid


def slot_words(grid: Grid, slot: Slot, words: Words) -> dict[str, tuple[Content, ...]]:
    """Return words that fit a slot's given squares; a whole given answer need not be listed."""
    ways = naive_ways(grid, _path_of(slot), words)
    return {word: tuple(laid[at] for at in slot.positions) for word, laid in ways.items()}


def naive_fills(
    grid: Grid, words: Iterable[str], *, allow_repeats: bool = False
) -> Iterator[dict[Position, Content]]:
    """Yield all fills."""
    options = {name: [*naive_ways(grid, path, words).items()] for name, path in naive_paths(grid).items()}
    return (squares for squares, _ in agreeing(options, allow_repeats=allow_repeats))


def naive_propagation(grid: Grid, words: Words, *, allow_repeats: bool = False) -> dict[str, set[str]] | None:
    """Return the words of each slot at the fixpoint of propagation; None on a wipe-out.

    A word is removed if a square has lost its content there. A square loses contents that no word of a slot
    supports. The only word left in a slot is removed from all other slots.
    """
    rows = {slot: slot_words(grid, slot, words) for slot in grid.slots}
    left = {slot: set(rows[slot]) for slot in grid.slots}
    while all(left.values()):
        before = {slot: set(kept) for slot, kept in left.items()}
        for slot in grid.slots:
            for other in grid.slots:
                if other != slot:
                    _confront(rows, left, slot, other, allow_repeats)
        if left == before:
            return {slot.name: kept for slot, kept in left.items()}
    return None


def _confront(
    rows: Mapping[Slot, Mapping[str, tuple[Content, ...]]],
    left: dict[Slot, set[str]],
    slot: Slot,
    other: Slot,
    allow_repeats: bool,
) -> None:
    """Remove from `other` the words that `slot` rules out."""
    if len(left[slot]) == 1 and not allow_repeats:
        left[other] -= left[slot]
    for position in set(slot.positions) & set(other.positions):
        here, there = slot.positions.index(position), other.positions.index(position)
        contents = {rows[slot][word][here] for word in left[slot]}
        left[other] = {word for word in left[other] if rows[other][word][there] in contents}


def check_fill(grid: Grid, fill: Mapping[Position, Content], words: Words, *, allow_repeats: bool = False) -> None:
    """Check a fill: all squares of entries filled, given ones kept, every answer allowed, all different."""
    needed = {position for slot in grid.slots for position in slot.positions}
    assert set(fill) == needed
    for position in needed:
        assert given_content(grid, position) in (None, fill[position]), f"{position} was given"
    answers = [read_answer(fill, slot) for slot in grid.slots]
    for slot, answer in zip(grid.slots, answers, strict=True):
        is_given = all(given_content(grid, position) for position in slot.positions)
        assert is_given or answer in words, f"{slot.name} {answer} is no word"
        assert is_given or all(
            given_content(grid, position) or len(fill[position].across) == 1 for position in slot.positions
        )
    if not allow_repeats:
        assert len(set(answers)) == len(answers), f"repeated answers in {sorted(answers)}"


def read_answer(fill: Mapping[Position, Content], slot: Slot) -> str:
    """Return the answer that a fill gives a slot."""
    return "".join(fill[position].reading(slot.direction) for position in slot.positions)
