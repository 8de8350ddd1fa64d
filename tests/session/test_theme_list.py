"""What is typed where grids are laid out: the theme, its rows, its line of `design`, the query for layouts."""

import pytest

from xwtui.errors import VerbError, XwtuiError
from xwtui.model.alphabet import ENGLISH
from xwtui.session.theme_list import ThemeList, ThemeRow


def theme(*typed: str, current: int = 0) -> ThemeList:
    found = ThemeList()
    for text in typed:
        found = found.typed(text, current, ENGLISH)
    return found


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        (("sweet heart, Braveheart",), "design SWEETHEART BRAVEHEART"),
        (("sweetheart", "17a=", "braveheart"), "design 17a=SWEETHEART BRAVEHEART"),
        (("17A=sweetheart", "="), "design SWEETHEART"),
        (("17A=sweetheart", "r4c1="), "design r4c1=SWEETHEART"),
        (("sweetheart", "heartbreak!"), "design SWEETHEART --revealer HEARTBREAK"),
        (("sweetheart", "heartbreak!", "!"), "design HEARTBREAK --revealer SWEETHEART"),
        (("sweetheart", "!", "!"), "design SWEETHEART"),
        (("lo[cat]ion, 21x21, <140",), "design LO[CAT]ION --size 21x21 --max-words 139"),
        (("kindred", "<76", "<74"), "design KINDRED --max-words 73"),
        (("kindred, 70 words",), "design KINDRED --min-words 70 --max-words 70"),
        (('"kindred spirit" "braveheart", snail',), "design KINDREDSPIRIT BRAVEHEART SNAIL"),
        (
            ("heart to heart 21x21 <140 --rebus HEART",),
            "design HEARTTOHEART --size 21x21 --max-words 139 --rebus HEART",
        ),
        (("kindred", "--rebus HEART --pairs", "--rebus=CAT"), "design KINDRED --pairs --rebus CAT"),
    ],
)
def test_what_is_typed_becomes_a_line_of_design(typed: tuple[str, ...], line: str) -> None:
    found = theme(*typed)
    assert found.line == line
    assert ThemeList.of_line(line, ENGLISH).line == line


def test_rows_tell_squares_places_and_pairs() -> None:
    found = theme("sweetheart, r9c1=braveheart, kindred, heartbreak!", "--rebus HEART")
    assert found.rows == [
        ThemeRow("SWEETHEART", 6, partner=2),
        ThemeRow("BRAVEHEART", 6, "R9C1", partner=1),
        ThemeRow("KINDRED", 7),
        ThemeRow("HEARTBREAK", 6, is_last=True),
    ]
    assert [row.partner for row in theme("one, two, three, nine", "--pairs").rows] == [2, 1, 4, 3]


def test_an_answer_is_dropped_with_what_is_said_of_it() -> None:
    found = theme("sweetheart, heartbreak!")
    assert found.without(1).line == "design SWEETHEART"
    assert found.without(0).line == "design --revealer HEARTBREAK"


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("17A=", "add an answer for it first"),
        ("!", "puts it last"),
        ("--klingon 3", "has no option --klingon"),
        ("--rebus", "needs a value"),
        ("kindred, kindred", "is already there"),
        ("[", "."),
    ],
)
def test_what_cannot_be_is_refused(typed: str, complaint: str) -> None:
    with pytest.raises((VerbError, XwtuiError), match=complaint):
        theme(typed)


@pytest.mark.parametrize(
    ("standing", "typed", "asked", "answers", "is_theme"),
    [
        ("", "15x15 11,11 <78 <=38b british", "15x15 11,11 <=77 <=38b british", (), False),
        ("", "brave heart, LO[CAT]ION 15x15", "15x15 10,6", ("BRAVEHEART", "LO[CAT]ION"), True),
        ("", "British", "7", ("BRITISH",), True),
        ("", "british, museum", "7,6", ("BRITISH", "MUSEUM"), True),
        ("", "heart to heart --rebus heart", "8", ("[HEART]TOHEART",), True),
        ("", "17A=kindred!, 12D=", "7", ("KINDRED",), True),
        ("kindred, 21x21, <140, --rebus DR", "", "21x21 6 <=139", ("KIN[DR]ED",), False),
        ("kindred, 21x21", "15x15 address", "15x15 7,7", ("KINDRED", "ADDRESS"), True),
        ("kindred", ">=70 <=38b", "7 >=70 <=38b", ("KINDRED",), False),
    ],
)
def test_one_query_says_what_a_grid_is_to_be(
    standing: str, typed: str, asked: str, answers: tuple[str, ...], is_theme: bool
) -> None:
    query = theme(*filter(None, [standing])).query(typed, ENGLISH)
    assert (query.wanted.query, query.answers, query.is_theme) == (asked, answers, is_theme)


def test_what_finds_templates_draws_layouts_as_well() -> None:
    query = ThemeList().query("13x13 <=60 >=20b british", ENGLISH)
    assert query.drawing_line == "layouts --size 13x13 --max-words 60 --min-blocks 20 --profile british"
    assert ThemeList().query("", ENGLISH).drawing_line == "layouts"
