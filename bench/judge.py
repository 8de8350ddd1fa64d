"""The referee: finds faults in a fill, using only the model's naive twins."""

from collections import Counter
from collections.abc import Mapping, Sequence

from tests.naive.model import naive_answers, naive_slots
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text


def objection(template: Sequence[str], filled: Sequence[str], words: Mapping[str, int]) -> str:
    """Return what is wrong with a fill of a template from these words, or the empty string.

    Every slot of three or more squares must take a listed word, and no word may repeat.
    """
    if [_layout(row) for row in filled] != [_layout(row) for row in template]:
        return "it is another grid"
    try:
        grid = grid_from_text("\n".join(filled))
    except PuzzleFormatError as error:
        return str(error)
    answers = naive_answers(grid)
    if unfilled := naive_slots(grid).keys() - answers.keys():
        return f"{sorted(unfilled)[0]} is not filled"
    if unlisted := [answer for answer in answers.values() if answer not in words]:
        return f"{unlisted[0]} is not in the list"
    repeated = [answer for answer, times in Counter(answers.values()).items() if times > 1]
    return f"{repeated[0]} comes twice" if repeated else ""


def _layout(row: str) -> str:
    return "".join("#" if square == "#" else "." for square in row)
