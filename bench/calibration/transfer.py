"""The fills of a narrow grid with repeats allowed, by a transfer matrix: square after square, column by column.

What counts is, for each row, the letters of its word so far, and those of the word down; nothing else of
what stands to the left. It knows words and letters only, and nothing of the engine.
"""

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping

State = tuple[str, ...]
"""For each row the letters of its word so far, and last those of the word down."""


def strip_fills(rows: list[str], words: Iterable[str]) -> int:
    """Count the fills of rows of `.` and `#`: every run of two open squares or more is a word of the list."""
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
    """The lengths of the runs across and down through a square (0: a block), and whether they end in it."""
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
    """The letters that words of these lengths have after these beginnings; runs of one square ask nothing."""
    if across == 1:
        yield from beginnings.get((down, pole), "")
        return
    allowed = beginnings.get((across, own), "")
    if down == 1:
        yield from allowed
        return
    others = beginnings.get((down, pole), "")
    yield from (letter for letter in allowed if letter in others)
