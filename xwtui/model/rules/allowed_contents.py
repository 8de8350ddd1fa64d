"""The rule of a square: the only contents, letters or rebus, that it may take. A given square is not asked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from xwtui.model.grid import Grid
from xwtui.model.rules.checks import check_count, read_content, read_list, read_mapping
from xwtui.model.rules.kinds import Breach
from xwtui.model.square import Content
from xwtui.model.where import Position
from xwtui.text import first_named

MOST_CONTENTS = 64
"""Contents that one square may be restricted to."""

AllowedContents = Mapping[Position, tuple[Content, ...]]
"""What each square with a rule may hold."""


def check_allowed(contents: Collection[Content]) -> None:
    """Raise PuzzleError for too many contents of one square."""
    check_count(len(contents), MOST_CONTENTS, "contents of one square")


def contents_words(contents: Iterable[Content]) -> str:
    """What a square may hold: `only A E I [HEART]`."""
    return f"only {' '.join(map(str, contents))}"


def allowed_lines(squares: AllowedContents) -> Iterator[str]:
    """The rules of squares, those that may hold the same in one line."""
    by_contents: dict[tuple[Content, ...], list[str]] = {}
    for square in sorted(squares):
        by_contents.setdefault(squares[square], []).append(str(square))
    for contents, names in by_contents.items():
        yield f"{first_named(names)}: {contents_words(contents)}"


def allowed_breaches(grid: Grid, squares: AllowedContents) -> Iterator[Breach]:
    """The squares that hold what their rule does not allow."""
    for square, allowed in sorted(squares.items()):
        content = grid[square].content
        if content is not None and content not in allowed:
            yield Breach(f"{square} holds {content}; it allows {' '.join(map(str, allowed))}", (square,))


def idle_squares(grid: Grid, squares: AllowedContents) -> Iterator[Breach]:
    """The rules that wait for a square to be open."""
    for square in sorted(squares):
        if not grid[square].is_open:
            yield Breach(f"{square} has a rule for its letters but is a {grid[square].kind.value}", (square,))


def read_allowed(value: Any) -> dict[Position, tuple[Content, ...]]:
    """The rules of squares as a file has them; raises DamageError and PuzzleError."""
    return {
        Position.parse(where): tuple(map(read_content, read_list(contents)))
        for where, contents in read_mapping(value).items()
    }


def written_allowed(squares: AllowedContents) -> dict[str, list[str]]:
    """The same for a file."""
    return {str(at): list(map(str, squares[at])) for at in sorted(squares)}
