"""Count the fills of a narrow grid with repeats allowed, by a transfer matrix, column by column.

The state holds, for each row, the prefix of its current word, and the prefix of the current down word. Nothing
else to the left matters. The module knows only words and letters and does not use the engine.
"""

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping

State = tuple[str, ...]
"""Each row's current prefix; the last item is the prefix of the down word."""


def strip_fills(rows: list[str], words: Iterable[str]) -> int:
    """Count the fills of rows of `.` and `#`. Every run of two or more open squares is a word of the list."""
    beginnings: dict[tuple[int, str], str] = {}
    for word in set(words):
        for end in range(len(word)):
            known = beginnings.get((len(word), word[:end]), "")
            beginnings[len(word), word[:end]] = known + (word[end] if word[end] not in known else "")
    states: Mapping[State, int] = {("",) * (len(rows) + 1): 1}
    for column in range(len(rows[0])):
        for row in range(len(rows)):
            states = _settle(states, row, _runs(rows, row, column), beginnings)
    return sum(states.values())


def _runs(rows: list[str], row: int, column: int) -> tuple[int, int, bool, bool]:
    """Return the run lengths across and down through a square (block: 0), and whether each ends there."""
    if rows[row][column] == "#":
        return 0, 0, True, True
    line, pole = rows[row], "".join(line[column] for line in rows)
    return _length(line, column), _length(pole, row), _ends(line, column), _ends(pole, row)


def _length(line: str, at: int) -> int:
    before = len(line[:at]) - line[:at].rfind("#") - 1
    after = line[at:].find("#")
    return before + (after if after >= 0 else len(line) - at)


def _ends(line: str, at: int) -> bool:
    return at + 1 == len(line) or line[at + 1] == "#"


def _settle(
    states: Mapping[State, int],
    row: int,
    runs: tuple[int, int, bool, bool],
    beginnings: Mapping[tuple[int, str], str],
) -> Mapping[State, int]:
    across, down, ends_across, ends_down = runs
    if across == 0:
        return states
    following: Tally[State] = Tally()
    for state, fills in states.items():
        for letter in _letters(across, state[row], down, state[-1], beginnings):
            own = "" if ends_across or across == 1 else state[row] + letter
            pole = "" if ends_down or down == 1 else state[-1] + letter
            following[*state[:row], own, *state[row + 1 : -1], pole] += fills
    return following


def _letters(
    across: int, own: str, down: int, pole: str, beginnings: Mapping[tuple[int, str], str]
) -> Iterator[str]:
    """Yield the letters that extend both prefixes. A run of one square is unconstrained."""
    if across == 1:
        yield from beginnings.get((down, pole), "")
        return
    allowed = beginnings.get((across, own), "")
    if down == 1:
        yield from allowed
        return
    others = beginnings.get((down, pole), "")
    yield from (letter for letter in allowed if letter in others)
