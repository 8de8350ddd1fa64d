"""Patterns of answers, and names that hide along lines."""

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xwtui.engine.problem.task import obeying
from xwtui.errors import EngineError, PuzzleError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import EntryRules
from xwtui.model.answers import names_along_lines
from xwtui.model.rules import pattern as pattern_rule
from xwtui.model.rules.pattern import MOST_CHOICES, MOST_REPEATS, Pattern, check_pattern, sure_letters

GRID = grid_from_text("S.AM\nASXA\n#A..\nMMSA")


def told(name: str) -> list[str]:
    return [" ".join(map(str, place)) for place in names_along_lines(GRID, name)]


def test_a_name_stands_in_order_with_any_gaps_the_narrowest_place_first() -> None:
    assert told("SAM") == ["r2c2 r3c2 r4c2", "r1c1 r1c3 r1c4", "r1c1 r2c1 r4c1"]


def test_the_narrowest_place_of_a_line_is_taken() -> None:
    grid = grid_from_text("S.SAM\n.....\n.....")
    assert [" ".join(map(str, place)) for place in names_along_lines(grid, "SAM")] == ["r1c3 r1c4 r1c5"]


def test_a_rebus_square_has_several_letters_of_it() -> None:
    grid = grid_from_text("[SA]X[ME]M\n....\n....")
    assert [" ".join(map(str, place)) for place in names_along_lines(grid, "SAM")] == ["r1c1 r1c4"]


def test_what_no_line_has_is_nowhere() -> None:
    assert told("MASX") == []


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        ".*ING",
        "[AEIOU]{3}.*",
        "(?!UN).*",
        "(ED|ING)?.+(S|ES)?",
        "(AB)+",
        "[^]A]*X",
        "A{2,3}[*+]+",
        ".*A.*E.*I.*O.*",
        r"(..).*\1",
        r"(.)(.).?\2\1",
        ".*" * MOST_REPEATS,
        "A?" * MOST_CHOICES,
        "A{40}",
    ],
)
def test_what_constructors_ask_for_is_taken(pattern: str) -> None:
    check_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(", "cannot be read"),
        ("[A", "cannot be read"),
        ("*A", "cannot be read"),
        ("[A--B]", "cannot be read"),
        ("[[A]", "cannot be read"),
        ("[[A", "cannot be read"),
        ("X[A||", "cannot be read"),
        (".*ing", "has 'i'"),
        (r"(A)\2", "cannot be read: invalid group reference 2"),
        (r"(A\1)", "cannot be read: cannot refer to an open group"),
        (r"(A)[\1]", "not a set of letters"),
        (r"(A)\0", r"has '\\\\'"),
        (r"(A)\d", r"has '\\\\'"),
        (r"(A*\1)*", "repeats a part|cannot be read"),
        ("€", "has '€'"),
        ("(A*)*", "repeats a part"),
        ("(A|AA)*B", "repeats a part"),
        ("(A?){30}", "repeats a part"),
        ("((.*)X)+", "repeats a part"),
        ("((A|B)C)*", "repeats a part"),
        ("A{99}", "more than 40 times"),
        ("A{99999999999}", "cannot be read|more than 40"),
        (".*" * (MOST_REPEATS + 1), "7 repeats"),
        ("A?" * (MOST_CHOICES + 1), "21 choices"),
        ("A" * 300, "200 characters"),
    ],
)
def test_what_cannot_be_read_or_takes_long_is_refused(pattern: str, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        check_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "letters"),
    [
        (".*CAT", ("CAT",)),
        ("CA?T", ("C", "T")),
        ("CAT*", ("CA",)),
        ("A{2}BC", ("BC",)),
        ("AB.CD", ("AB", "CD")),
        ("((A|B)X)CD", ("CD",)),
        ("CAT|DOG", ()),
        ("[AB]C", ("C",)),
    ],
)
def test_letters_that_all_matches_have_together(pattern: str, letters: tuple[str, ...]) -> None:
    assert sure_letters(pattern) == letters


@pytest.mark.filterwarnings("error::FutureWarning")
@given(st.text("AB.[]^-()|*+?{},:=!19\\", max_size=20))
def test_any_text_is_taken_or_refused_with_a_message(pattern: str) -> None:
    with suppress(PuzzleError):
        check_pattern(pattern)
        assert re.compile(pattern)


ENDLESS = Pattern("(?:A|AA)*[01]")
"""What `check_pattern` refuses: forty letters take it a life's time."""


def test_an_answer_that_takes_too_long_ends_in_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_rule, "ANSWER_SECONDS", 0.01)
    with pytest.raises(PuzzleError, match=r"the pattern '\(\?:A\|AA\)\*\[01\]' takes too long to try on AAA"):
        ENDLESS.allows()("A" * 40)
    assert ENDLESS.broken("A" * 40) == "takes too long to match with (?:A|AA)*[01]"
    with pytest.raises(EngineError, match="takes too long to try on AAA"):
        list(obeying(["A1", "A" * 40], EntryRules(ENDLESS)))
    assert list(obeying(["A1", "BA"], EntryRules(ENDLESS))) == [True, False]
