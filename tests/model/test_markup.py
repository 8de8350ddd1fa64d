"""The markup of clues: what is read as italics and what stays a star; the twin and the round trip."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.naive.markup import Letter, letters
from xwtui.formats.grid_text import grid_from_text
from xwtui.model.markup import (
    Reference,
    TextRun,
    as_markup,
    normal,
    numbered,
    parse,
    placed,
    printed,
    printed_runs,
    references,
    source_of,
)

GRID = grid_from_text("ABC\nD#E\nFGH")

sources = st.text(alphabet='*\\{}ab1 A-"é', max_size=14) | st.lists(
    st.sampled_from(["*", "**", "***", "****", "a", " ", ".", "{}", "{1A}", "{r1c1D-}", "\\", "\\*"]), max_size=12
).map("".join)
runs = st.lists(
    st.tuples(st.text(alphabet="ab *\\{}1A.", max_size=5), st.booleans(), st.booleans()).map(
        lambda own: TextRun(*own)
    )
    | st.builds(lambda i, b: TextRun("{1A}", i, b, Reference("1A")), st.booleans(), st.booleans()),
    max_size=6,
)


@pytest.mark.parametrize(
    "text",
    [
        "M*A*S*H", "*Starred clue", "* The asterisk", "5 * 3 * 2", "2*3*4", "f*** or s***", "*", "**", "a **b",
        "Say ____", "snake_case_name", "C:\\xw", "¯\\_(ツ)_/¯", "{braces}", "{17}", "}{", "*Bread and *butter",
        "**** film", "a* b*",
    ],
)  # fmt: skip
def test_text_that_stays_as_it_is(text: str) -> None:
    assert parse(text) == (TextRun(text),)
    assert as_markup(text) == text


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("*Jaws* star", [TextRun("Jaws", italic=True), TextRun(" star")]),
        ("**Not** a bird", [TextRun("Not", bold=True), TextRun(" a bird")]),
        ("(*Jaws*'s \"*bite*\")", [
            TextRun("("), TextRun("Jaws", True), TextRun("'s \""), TextRun("bite", True), TextRun('")')]),
        ("***both*** of *them **here***", [
            TextRun("both", True, True), TextRun(" of "), TextRun("them ", True), TextRun("here", True, True)]),
        ("*a **b* c**", [TextRun("a ", True), TextRun("b", True, True), TextRun(" c", False, True)]),
        ("*un*{}said", [TextRun("un", True), TextRun("said")]),
        ("\\*not\\* this", [TextRun("*not* this")]),
        ("*Film like *Jaws*", [TextRun("*Film like "), TextRun("Jaws", True)]),
        ("*a* *b*", [TextRun("a b", True)]),
        ("see {1a}, *{r1c1D-}*", [
            TextRun("see "), TextRun("{1A}", reference=Reference("1A")), TextRun(", "),
            TextRun("{r1c1D-}", True, reference=Reference("r1c1D", True))]),
    ],
)  # fmt: skip
def test_what_is_markup(source: str, shown: list[TextRun]) -> None:
    assert parse(source) == tuple(shown)


@given(sources)
@examples(300)
def test_as_the_twin_reads_it(source: str) -> None:
    found = [
        Letter(text, run.italic and not text.isspace(), run.bold and not text.isspace())
        for run in parse(source)
        for text in ([run.text] if run.reference is not None else run.text)
    ]
    assert found == letters(source)


@given(runs)
@examples(300)
def test_runs_are_written_and_read_again(shown: list[TextRun]) -> None:
    assert parse(source_of(shown)) == normal(shown)


@given(sources)
@examples(200)
def test_any_text_can_be_shown_as_it_is(text: str) -> None:
    assert printed(as_markup(text), GRID) == text
    assert not any(run.italic or run.bold or run.reference for run in parse(as_markup(text)))


def test_references_follow_their_entries() -> None:
    kept = placed("{1a}, {3A-} and {2D}, not {7D} nor \\{1A}", GRID)
    assert kept == "{r1c1A}, {r3c1A-} and {r1c3D}, not {7D} nor \\{1A}"
    assert numbered(kept, GRID) == "{1A}, {3A-} and {2D}, not {7D} nor \\{1A}"
    assert printed(kept, GRID) == "1-Across, 3- and 2-Down, not {7D} nor {1A}"
    moved = grid_from_text("AB\nCD\nEF".replace("\n", "#\n") + "#")
    assert printed(kept, moved) == "1-Across, 4- and {r1c3D}, not {7D} nor {1A}"
    assert [each.target for each in references(kept)] == ["r1c1A", "r3c1A", "r1c3D", "7D"]
    assert [each.slot(moved) is None for each in references(kept)] == [False, False, True, True]
    assert printed("{r0c1A} {r9c99D}", GRID) == "{r0c1A} {r9c99D}", "no places"


def test_a_number_beside_italics_leaves_them_as_they_were() -> None:
    assert printed_runs("{1A}*x*", GRID) == (TextRun("1-Across*x*"),)
    assert printed_runs("*{1A}*!", GRID) == (TextRun("1-Across", True), TextRun("!"))
