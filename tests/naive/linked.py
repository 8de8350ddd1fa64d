"""Naive twin of linked lights: entries as lists of squares and directions, and all their fills."""

from collections.abc import Iterator, Mapping, Sequence

from tests.naive.engine import Words, given_content
from xwtui.model import Content, Direction, Grid, Position

Path = tuple[tuple[Position, Direction], ...]
"""The squares that an answer reads, each with the direction in which it does."""


def naive_paths(grid: Grid) -> dict[str, Path]:
    """What each entry reads, by its name; linked lights go by the first."""
    own = {slot.key: (slot.name, tuple((at, slot.direction) for at in slot.positions)) for slot in grid.slots}
    for first, *others in (link for link in grid.links if all(light in own for light in link)):
        name, path = own[first]
        own[first] = (name, sum((own.pop(other)[1] for other in others), path))
    return dict(own.values())


def naive_linked_fills(grid: Grid, words: Words, *, allow_repeats: bool = False) -> list[dict[Position, Content]]:
    """All fills, by plain backtracking, entry after entry."""
    options = [_ways(grid, path, words) for path in naive_paths(grid).values()]
    return list(_fill_on(options, {}, [], allow_repeats))


def _ways(grid: Grid, path: Path, words: Words) -> dict[str, Mapping[Position, Content]]:
    given = {at: content for at, _ in path if (content := given_content(grid, at)) is not None}
    if all(at in given for at, _ in path):
        return {"".join(given[at].reading(way) for at, way in path): given}
    ways = {word: _laid(given, path, word) for word in words}
    return {word: laid for word, laid in ways.items() if laid is not None}


def _laid(given: Mapping[Position, Content], path: Path, word: str) -> dict[Position, Content] | None:
    laid: dict[Position, Content] = dict(given)
    for at, way in path:
        if not word:
            return None
        content = laid.setdefault(at, Content.of(word[0]))
        if not word.startswith(content.reading(way)):
            return None
        word = word[len(content.reading(way)) :]
    return None if word else laid


def _fill_on(
    options: Sequence[Mapping[str, Mapping[Position, Content]]],
    squares: dict[Position, Content],
    used: list[str],
    allow_repeats: bool,
) -> Iterator[dict[Position, Content]]:
    if not options:
        yield squares
        return
    for word, laid in options[0].items():
        agrees = all(squares.get(at, content) == content for at, content in laid.items())
        if agrees and (allow_repeats or word not in used):
            yield from _fill_on(options[1:], {**squares, **laid}, [*used, word], allow_repeats)
