"""Naive twins of the model: slots, crossings, symmetries, places, test-solving and markup."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from xwtui.model import Bar, Grid, Kind, Position, Symmetry

Place = tuple[int, int]
Mark = TypeVar("Mark")


def naive_slots(grid: Grid) -> dict[str, tuple[Place, ...]]:
    """Return the squares of each slot by name, by splitting lines of text at blocks, voids and bars."""
    rows = [[(row, column) for column in range(grid.width)] for row in range(grid.height)]
    columns = [[(row, column) for row in range(grid.height)] for column in range(grid.width)]
    across = [run for line in rows for run in _runs(grid, line)]
    down = [run for line in columns for run in _runs(grid, line)]
    starts = sorted({run[0] for run in across + down})
    number = {start: index for index, start in enumerate(starts, start=1)}
    named = {f"{number[run[0]]}A": run for run in sorted(across)}
    return named | {f"{number[run[0]]}D": run for run in sorted(down)}


def _runs(grid: Grid, line: list[Place]) -> list[tuple[Place, ...]]:
    text = ""
    places: list[Place | None] = []
    for index, place in enumerate(line):
        if index and Bar(Position(*line[index - 1]), Position(*place)) in grid.bars:
            text += "|"
            places.append(None)
        text += "o" if grid[Position(*place)].kind is Kind.OPEN else "#"
        places.append(place)
    found = re.finditer("oo+", text)
    return [tuple(place for place in places[match.start() : match.end()] if place) for match in found]


def naive_checked(grid: Grid) -> set[Place]:
    """Return every square shared by an across and a down slot."""
    slots = naive_slots(grid)
    across, down = ({at for name in slots if name.endswith(way) for at in slots[name]} for way in "AD")
    return across & down


def naive_orbit(symmetry: Symmetry, place: Place, height: int, width: int) -> set[Place]:
    """Return a place and its images, by transforming a whole table of places until nothing is new."""
    table = [[(row, column) for column in range(width)] for row in range(height)]
    images = moved(symmetry, table)
    orbit = {place}
    while True:
        grown = orbit | {images[row][column] for row, column in orbit}
        if grown == orbit:
            return orbit
        orbit = grown


def moved(symmetry: Symmetry, table: list[list[Mark]]) -> list[list[Mark]]:
    """Return a table rotated or mirrored."""
    upside_down = table[::-1]
    match symmetry:
        case Symmetry.NONE:
            return table
        case Symmetry.ROTATION_180:
            return [row[::-1] for row in upside_down]
        case Symmetry.ROTATION_90:
            return [list(row) for row in zip(*upside_down, strict=True)]
        case Symmetry.LEFT_RIGHT:
            return [row[::-1] for row in table]
        case Symmetry.UP_DOWN:
            return upside_down
        case Symmetry.DIAGONAL:
            return [list(row) for row in zip(*table, strict=True)]
        case Symmetry.ANTIDIAGONAL:
            return [list(row) for row in zip(*[row[::-1] for row in upside_down], strict=True)]


def naive_regions(grid: Grid) -> list[set[Place]]:
    """Return the connected parts: squares start with unique labels, then neighbors agree on the lower one."""
    label: dict[Place, int] = {(at.row, at.column): index for index, at in enumerate(grid.open_positions())}
    while _agree(grid, label):
        pass
    parts: dict[int, set[Place]] = {}
    for place, mark in label.items():
        parts.setdefault(mark, set()).add(place)
    return list(parts.values())


def _agree(grid: Grid, label: dict[Place, int]) -> bool:
    changed = False
    for row, column in list(label):
        for neighbour in ((row, column + 1), (row + 1, column)):
            bar = Bar(Position(row, column), Position(*neighbour))
            if neighbour not in label or bar in grid.bars:
                continue
            lower = min(label[row, column], label[neighbour])
            changed |= label[row, column] != label[neighbour]
            label[row, column] = label[neighbour] = lower
    return changed


def naive_answers(grid: Grid) -> Mapping[str, str]:
    """Return the finished entries, read square by square."""
    answers = {}
    for name, places in naive_slots(grid).items():
        contents = [grid[Position(*place)].content for place in places]
        texts = [content and (content.across if name.endswith("A") else content.down) for content in contents]
        if all(texts):
            answers[name] = "".join(text or "" for text in texts)
    return answers


def naive_squares(grid: Grid, part: str) -> list[Position]:
    """Return the squares of one place in the grid, in order."""
    word = part.lower()
    if word == "perimeter":
        return _walk_around(grid)
    if word in ("diagonal", "antidiagonal"):
        return _ordered(
            grid,
            lambda at: at.row == at.column if word == "diagonal" else at.row + at.column == grid.width - 1,
            lambda at: at.column,
        )
    if word.startswith("row"):
        return _ordered(grid, lambda at: at.row + 1 == int(word[3:]), lambda at: at.column)
    if word.startswith("col"):
        number = int(word.removeprefix("column").removeprefix("col"))
        return _ordered(grid, lambda at: at.column + 1 == number, lambda at: at.row)
    if word.startswith("r"):
        first, _, last = word.partition(":")
        one, other = Position.parse(first), Position.parse(last or first)
        return _ordered(
            grid,
            lambda at: all(map(_is_between, one, at, other)),
            lambda at: (abs(at.row - one.row), abs(at.column - one.column)),
        )
    return next([*slot.positions] for slot in grid.slots if slot.name.lower() == word)


def _is_between(one: int, number: int, other: int) -> bool:
    return one <= number <= other or other <= number <= one


def _ordered(
    grid: Grid, has: Callable[[Position], bool], key: Callable[[Position], int | tuple[int, int]]
) -> list[Position]:
    return sorted(filter(has, grid.positions()), key=key)


def _walk_around(grid: Grid) -> list[Position]:
    """Return the perimeter: walk to the wall, turn right, and repeat until back in the corner."""
    at, found = Position(0, 0), []
    turns = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    while at not in found:
        found.append(at)
        ahead = Position(at.row + turns[0][0], at.column + turns[0][1])
        if ahead not in grid:
            turns.append(turns.pop(0))
            ahead = Position(at.row + turns[0][0], at.column + turns[0][1])
        at = ahead
    return found


@dataclass
class NaiveSolver:
    """Entered text by square, with a slash if across and down differ; None if empty."""

    answers: Mapping[int, str | None]
    letters: dict[int, str] = field(default_factory=dict)
    wrong: set[int] = field(default_factory=set)
    kept: set[int] = field(default_factory=set)
    revealed: set[int] = field(default_factory=set)

    def is_right(self, square: int) -> bool:
        answer, letters = self.answers[square], self.letters[square]
        return answer is not None and letters in (answer, *answer.split("/"))

    def write(self, square: int, text: str) -> None:
        """Overwrite squares not known to be right; an empty text erases."""
        if square in self.kept or self.letters.get(square, "") == text:
            return
        self.wrong.discard(square)
        self.letters.pop(square, None)
        if text:
            self.letters[square] = text

    def check(self, squares: Iterable[int]) -> None:
        for square in squares:
            if square in self.letters and self.answers[square] is not None:
                (self.kept if self.is_right(square) else self.wrong).add(square)

    def reveal(self, squares: Iterable[int]) -> None:
        for square in squares:
            answer = self.answers[square]
            if answer is None:
                continue
            if square not in self.letters or not self.is_right(square):
                self.revealed.add(square)
                self.letters[square] = answer
            self.wrong.discard(square)
            self.kept.add(square)


SIGN, WORD = ".", "a"


class Letter(NamedTuple):
    """A character, or a whole reference, with its style."""

    text: str
    italic: bool
    bold: bool


def letters(source: str) -> list[Letter]:
    """Return the characters that a clue shows, with styles for all except spaces."""
    shown: list[Letter] = []
    tokens = _tokens(source)
    for index, (kind, text) in enumerate(tokens):
        if kind in ("text", "reference"):
            shown.append(Letter(text, _is_on(tokens, index, 1), _is_on(tokens, index, 2)))
        elif kind == "stars":
            used = sum(size for size in (1, 2) if _does(tokens, index, size))
            shown += [Letter("*", _is_on(tokens, index, 1, True), _is_on(tokens, index, 2, True))] * (
                len(text) - used
            )
    return [letter if letter.text.strip() else Letter(letter.text, False, False) for letter in shown]


def _tokens(source: str) -> list[tuple[str, str]]:
    if not source:
        return []
    if found := re.match(r"\\([\\*{])", source):
        return [("text", found[1]), *_tokens(source[2:])]
    if found := re.match(r"\*+", source):
        stars = [("stars", found[0])] if len(found[0]) < 4 else [("text", "*")] * len(found[0])
        return [*stars, *_tokens(source[found.end() :])]
    if source.startswith("{}"):
        return [("nothing", ""), *_tokens(source[2:])]
    if found := re.match(r"\{(\d{1,3}[ADad]|r\d{1,2}c\d{1,2}[AD])-?\}", source):
        text = found[0] if found[0].startswith("{r") else found[0].upper()
        return [("reference", text), *_tokens(source[found.end() :])]
    return [("text", source[0]), *_tokens(source[1:])]


def _look(tokens: list[tuple[str, str]], index: int) -> str:
    if not 0 <= index < len(tokens):
        return " "
    kind, text = tokens[index]
    return {"reference": WORD, "nothing": SIGN}.get(kind, text[:1])


def _opens(tokens: list[tuple[str, str]], index: int) -> bool:
    return not _look(tokens, index + 1).isspace() and not _look(tokens, index - 1).isalnum()


def _closes(tokens: list[tuple[str, str]], index: int) -> bool:
    return not _look(tokens, index - 1).isspace() and not _look(tokens, index + 1).isalnum()


def _stars_of(tokens: list[tuple[str, str]], size: int) -> list[int]:
    return [i for i, (kind, text) in enumerate(tokens) if kind == "stars" and len(text) in (size, 3)]


def _pairs(tokens: list[tuple[str, str]], size: int, begin: int = 0) -> list[tuple[int, int]]:
    """Return delimiter pairs from a token on: the first closing one, with the last opening one before it."""
    stars = [index for index in _stars_of(tokens, size) if index >= begin]
    for end in stars:
        openers = [index for index in stars if index < end and _opens(tokens, index)]
        if openers and _closes(tokens, end):
            return [(openers[-1], end), *_pairs(tokens, size, end + 1)]
    return []


def _does(tokens: list[tuple[str, str]], index: int, size: int) -> bool:
    return any(index in pair for pair in _pairs(tokens, size))


def _is_on(tokens: list[tuple[str, str]], index: int, size: int, is_star: bool = False) -> bool:
    """Whether a token is inside a pair; unmatched asterisks are outside."""
    return any(first < index < last for first, last in _pairs(tokens, size))
