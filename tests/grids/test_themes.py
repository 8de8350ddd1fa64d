"""A theme as it is typed, and a template with its answers in place."""

import pytest

from xwtui.errors import WordListError
from xwtui.grids.templates import find_templates, read_theme, themed_puzzle
from xwtui.model import Ink
from xwtui.model.alphabet import ENGLISH


def test_answers_are_told_from_sizes_and_bounds() -> None:
    answers, wanted = read_theme("Heart to heart, lo[cat]ionscout, 15x15, <78, =36b, <", ENGLISH)
    assert answers == ("HEARTTOHEART", "LO[CAT]IONSCOUT")
    assert (wanted.across, wanted.size, wanted.most_words, wanted.most_blocks) == ((12, 11), (15, 15), 77, 36)
    assert read_theme(" , ", ENGLISH).answers == ()
    three = read_theme("braveheart; sweetheart\nheartache", ENGLISH).answers
    assert three == ("BRAVEHEART", "SWEETHEART", "HEARTACHE")
    with pytest.raises(WordListError):
        read_theme("LO[CAT", ENGLISH)


@pytest.mark.parametrize(
    "text",
    [
        "15x15 <78 braveheart, heart throb",
        "braveheart, heart throb 15x15 <78",
        "braveheart 15x15; heart <78 throb",
        "braveheart, heart throb, 15x15 < 78",
    ],
)
def test_sizes_and_bounds_stand_anywhere_among_the_answers(text: str) -> None:
    answers, wanted = read_theme(text, ENGLISH)
    assert answers == ("BRAVEHEART", "HEARTTHROB")
    assert (wanted.size, wanted.most_words) == ((15, 15), 77)


def test_answers_are_locked_in_the_entries_found_from_top_to_bottom() -> None:
    answers, wanted = read_theme("dogcatchers, LO[CAT]IONSCOUT, 15x15", ENGLISH)
    found = find_templates(wanted)[0]
    puzzle = themed_puzzle(found, answers, ENGLISH)
    assert [puzzle.grid.pattern(slot) for slot in found.slots] == list(answers)
    assert all(puzzle.grid[at].ink is Ink.LOCKED for slot in found.slots for at in slot.positions)
    assert sum(square.content is not None for square in puzzle.grid.squares) == 22


def test_an_answer_without_an_entry_is_left_out() -> None:
    answers, wanted = read_theme("dogcatchers, twelveletter, dogcatcherx, 15x15", ENGLISH)
    found = find_templates(wanted)[0]
    assert found.lacks.across == (12,)
    puzzle = themed_puzzle(found, answers, ENGLISH)
    assert [puzzle.grid.pattern(slot) for slot in found.slots] == ["DOGCATCHERS", "DOGCATCHERX"]
