"""Naive twin of the rules about messages, initials and checked letters: read off the grid, square by square."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from tests.naive.rules import Case, Fill, given, leaves_nothing_empty
from xwtui.model import Content, Grid, Position
from xwtui.model.answers import pieces
from xwtui.model.rules import Initials, Nina, Pangram

STEPS = {"row": [(0, 1)], "column": [(1, 0)], "diagonal": [(1, 1), (-1, 1)]}


def keeps_shapes(case: Case, squares: Fill, answers: Mapping[str, str]) -> bool:
    """Whether a fill has the messages, the initials and the checked letters that are asked for."""
    standing: dict[Position, Content] = {at: content for (at, side), content in squares.items() if side is None}
    kept = {at: content for at in case.grid.open_positions() if (content := given(case, at)) is not None}
    standing = {**standing, **kept}
    is_whole = leaves_nothing_empty(case)
    if is_whole and not all(stands(nina, case.grid, standing) for nina in case.rules.of(Nina)):
        return False
    for pangram in case.rules.of(Pangram):
        if is_whole and pangram.checked and not set(pangram.letters) <= checked_letters(case.grid, standing):
            return False
    whole = {slot.name for slot in case.grid.slots if all(given(case, at) for at in slot.positions)}
    for rule in case.rules.of(Initials):
        if is_whole and not set(rule.each) <= {answer[0] for answer in answers.values()}:
            return False
        for one, other in combinations(answers, 2):
            start = case.grid.slot(one).start
            is_one_square = start == case.grid.slot(other).start and start not in case.holes
            if answers[one][0] == answers[other][0] and not is_one_square and not {one, other} <= whole:
                return False
    return True


def checked_letters(grid: Grid, standing: Mapping[Position, Content]) -> set[str]:
    """The letters of the squares that are in two entries."""
    entries = [slot.positions for slot in grid.slots]
    checked = [at for at in standing if sum(at in squares for squares in entries) == 2]
    return {letter for at in checked for letter in standing[at].across + standing[at].down}


def stands(nina: Nina, grid: Grid, standing: Mapping[Position, Content]) -> bool:
    """Whether a message stands where it is asked for."""
    wanted = list(pieces(nina.text))
    spelled = [wanted, wanted[::-1]] if nina.backward else [wanted]
    return any(
        [standing.get(at) for at in way] in spelled
        for way in (_along(nina, grid, len(wanted)) if nina.along else _straight(nina, grid, len(wanted)))
    )


def _along(nina: Nina, grid: Grid, length: int) -> Iterator[list[Position]]:
    """Each stretch of a place; the perimeter goes round and round."""
    squares = [at for at in _named(nina.along, grid) if grid[at].is_open]
    if len(squares) >= length:
        around = squares * 2 if nina.along == "perimeter" else squares
        yield from (around[start : start + length] for start in range(len(around) - length + 1))


def _named(name: str, grid: Grid) -> list[Position]:
    rows, columns = grid.height, grid.width
    match name.split():
        case ["perimeter"]:
            on_edge = [at for at in grid.positions() if at.row in (0, rows - 1) or at.column in (0, columns - 1)]
            path, here = [Position(0, 0)], Position(0, 0)
            while len(path) < len(on_edge):
                ways = [(0, 1), (1, 0), (0, -1), (-1, 0)]
                steps = [Position(here.row + down, here.column + right) for down, right in ways]
                here = next(step for step in steps if step in on_edge and step not in path)
                path.append(here)
            return path
        case ["diagonal"]:
            return [Position(number, number) for number in range(rows)]
        case ["row", number]:
            return [Position(int(number) - 1, column) for column in range(columns)]
        case ["column", number]:
            return [Position(row, int(number) - 1) for row in range(rows)]
    return [Position.parse(part) for part in name.split(",")]


def _straight(nina: Nina, grid: Grid, length: int) -> Iterator[list[Position]]:
    """From each open square, so many open squares on in each direction, blocks left out or in the way."""
    for kind in nina.lines_taken:
        for down, right in STEPS[kind]:
            for start in grid.open_positions():
                way, here = [start], start
                while len(way) < length:
                    here = Position(here.row + down, here.column + right)
                    if here not in grid:
                        break
                    if grid[here].is_open:
                        way.append(here)
                    elif not nina.over_blocks:
                        break
                if len(way) == length:
                    yield way
