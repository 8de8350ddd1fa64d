"""Enumerations and clue markup: parsing, writing, and lookalikes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.generators import enumerations
from tests.known import known
from tests.naive.model import Letter, letters
from xwtui.clues.importing import clues_of_puzzle
from xwtui.errors import PuzzleError
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model import Puzzle
from xwtui.model.clues import AnswerEnumeration, PartBreak, WholeClue
from xwtui.model.edits import clear_entry, place_answer
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
from xwtui.model.review import Check, clue_remarks, review
from xwtui.model.snapshots import differences_between, with_snapshot
from xwtui.session.journal import change_between, changed

PARTED = AnswerEnumeration((2, 3), (PartBreak.WORD,))


def puzzle(text: str) -> Puzzle:
    return puzzle_of_grid(grid_from_text(text))


TODAY = puzzle("TODAY\n.....\n.....")
FIRST = TODAY.grid.slot("1A")


@given(enumerations())
@examples(60)
def test_an_enumeration_reads_back(made: AnswerEnumeration) -> None:
    assert AnswerEnumeration.parse(str(made)) == AnswerEnumeration.parse(made.printed) == made
    assert AnswerEnumeration.parse(made.joined(" ")) == made
    assert made.letters == sum(made.lengths)
    whole = WholeClue("Some clue", made)
    assert WholeClue.parted(str(whole)) == whole


@pytest.mark.parametrize(
    ("text", "lengths", "signs"),
    [
        ("7", (7,), ""),
        ("(3,4)", (3, 4), ","),
        ("2’1", (2, 1), "'"),
        (" 4-2 – 3 ", (4, 2, 3), "--"),
        ("1.1.1", (1, 1, 1), ".."),
        ("5 1'5, 6", (5, 1, 5, 6), ",',"),
    ],
)
def test_accepted_forms(text: str, lengths: tuple[int, ...], signs: str) -> None:
    assert AnswerEnumeration.parse(text) == AnswerEnumeration(lengths, tuple(map(PartBreak, signs)))


@pytest.mark.parametrize("text", ["", "()", "3,", ",3", "0,4", "3--4", "(3,4", "3,4)", "two", "100", "3;4"])
def test_texts_that_are_no_enumeration(text: str) -> None:
    with pytest.raises(PuzzleError, match="is not an enumeration"):
        AnswerEnumeration.parse(text)


def test_it_goes_with_its_answer_and_returns_with_it() -> None:
    told = TODAY.with_clue(FIRST, "Now").with_enumeration(FIRST, PARTED)
    other = place_answer(told, FIRST, "CIDER")
    assert (other.enumeration(FIRST), other.clue(FIRST)) == (None, "")
    assert other.stale_clues[0].clue.text == "Now"
    back = place_answer(other, FIRST, "TODAY")
    assert (back.enumeration(FIRST), back.solver_clue(FIRST)) == (PARTED, "Now (2,3)")
    assert back.with_clue(FIRST, "At present").enumeration(FIRST) == PARTED
    assert back.with_enumeration(FIRST, None) == place_answer(TODAY.with_clue(FIRST, "Now"), FIRST, "TODAY")


def test_a_waiting_enumeration_belongs_to_the_answer_when_complete() -> None:
    empty = clear_entry(TODAY.with_clue(FIRST, "Now"), FIRST).with_enumeration(FIRST, PARTED)
    assert empty.enumeration(FIRST) == PARTED
    whole = place_answer(empty, FIRST, "TODAY")
    assert whole.solver_clue(FIRST) == "Now (2,3)"


def test_an_enumeration_alone_is_not_a_clue() -> None:
    told = TODAY.with_enumeration(FIRST, PARTED)
    assert (told.clue(FIRST), told.solver_clue(FIRST)) == ("", "(2,3)")
    other = place_answer(told, FIRST, "CIDER")
    assert (other.stale_clues, other.orphaned_clues, told.offered_clues(FIRST)) == ((), (), ())
    assert Check.MISSING_CLUE in {finding.rule for finding in review(told)}


@pytest.mark.parametrize(
    ("text", "clue", "told"),
    [
        ("Now (2,3)", "Now", PARTED),
        ("Now (2,4)", "Now (2,4)", None),
        ("Now (1999)", "Now (1999)", None),
        ("(2,3)", "", PARTED),
    ],
)
def test_enumerations_typed_after_a_clue(text: str, clue: str, told: AnswerEnumeration | None) -> None:
    made = TODAY.with_whole_clue(FIRST, text)
    assert (made.clue(FIRST), made.enumeration(FIRST), made.whole_clue(FIRST)) == (clue, told, text)
    assert made.with_whole_clue(FIRST, "Now").enumeration(FIRST) is None
    (changed_clue,) = differences_between(TODAY, made).clues
    assert changed_clue.now == text


def test_a_set_enumeration_can_be_replaced_and_mismatches_are_named() -> None:
    made = TODAY.with_whole_clue(FIRST, "Now (5)").with_whole_clue(FIRST, "Now (2,4)")
    assert made.enumeration(FIRST) == AnswerEnumeration((2, 4), (PartBreak.WORD,))
    message = "the enumeration of 1A is (2,4), of 6 letters, but TODAY has 5"
    assert message in [remark.message for remark in clue_remarks(made)]
    assert message in [finding.message for finding in review(made)]
    short = clear_entry(made, FIRST).with_enumeration(FIRST, AnswerEnumeration.parse("4"))
    told = [remark.message for remark in clue_remarks(short) if remark.slot == FIRST]
    assert told[0] == "the enumeration of 1A is (4), of 4 letters, but it has 5 squares"


def test_a_typed_enumeration_replaces_the_set_one() -> None:
    told = TODAY.with_whole_clue(FIRST, "Now (5)")
    assert told.with_whole_clue(FIRST, "Now (2,3) (5)") == TODAY.with_whole_clue(FIRST, "Now (2,3)")
    in_the_clue = told.with_whole_clue(FIRST, "Apollo mission (11) (5)")
    assert (in_the_clue.clue(FIRST), in_the_clue.enumeration(FIRST)) == (
        "Apollo mission (11)",
        AnswerEnumeration((5,)),
    )


def test_letters_of_rebus_squares_count() -> None:
    made = puzzle(".....\n.....\n.....")
    slot = made.grid.slot("1A")
    whole = place_answer(made, slot, "[HEART]LESS")
    assert whole.letter_count(slot) == 9
    assert whole.with_whole_clue(slot, "Cruel (9)").enumeration(slot) == AnswerEnumeration((9,))


def test_a_clue_with_its_own_enumeration_is_not_given_another() -> None:
    made = TODAY.with_clue(FIRST, "Now (2,3; two words)").with_enumeration(FIRST, PARTED)
    assert made.solver_clue(FIRST) == "Now (2,3; two words)"
    assert made.with_whole_clue(FIRST, made.whole_clue(FIRST)) == made


def test_the_journal_stores_it() -> None:
    made = TODAY.with_clue(FIRST, "Now").with_enumeration(FIRST, PARTED)
    change = known(change_between(TODAY, made))
    assert changed(TODAY, change) == made


@pytest.mark.parametrize("suffix", [".puz", ".xd", ".al.txt", ".html", ".md"])
def test_formats_without_a_field_append_it(suffix: str) -> None:
    made = TODAY.with_clue(FIRST, "Now").with_enumeration(FIRST, PARTED)
    data = puzzle_bytes(made, suffix, lossy=True).data
    assert b"Now (2,3)" in data or b"Now \\(2,3\\)" in data


def test_ipuz_stores_it_in_its_field() -> None:
    made = TODAY.with_clue(FIRST, "Now").with_enumeration(FIRST, PARTED)
    data = puzzle_bytes(made, ".ipuz").data
    assert b'"enumeration": "2 3"' in data
    assert b'"showenumerations": true' in data
    assert read_bytes(data, ".ipuz") == made
    stale = place_answer(made, FIRST, "CIDER")
    assert read_bytes(puzzle_bytes(stale, ".ipuz").data, ".ipuz") == stale


def test_ipuz_truncates_no_enumeration() -> None:
    made = TODAY.with_clue(FIRST, "Now").with_enumeration(FIRST, PARTED)
    data = puzzle_bytes(made, ".ipuz").data.replace(b'"2 3"', b'"2 3' + 60 * b" 1" + b'"')
    assert read_bytes(data, ".ipuz").enumeration(FIRST) is None


def test_the_clue_book_stores_only_clues() -> None:
    assert not list(clues_of_puzzle(TODAY.with_enumeration(FIRST, PARTED)))
    told = TODAY.with_clue(FIRST, "Now").with_enumeration(FIRST, PARTED)
    assert [clue.text for clue in clues_of_puzzle(told)] == ["Now"]


def test_snapshots_include_it() -> None:
    made = with_snapshot(TODAY.with_enumeration(FIRST, PARTED), "v1")
    assert read_bytes(puzzle_bytes(made, ".ipuz").data, ".ipuz") == made


def test_a_format_without_clues_names_its_loss() -> None:
    (told,) = puzzle_bytes(TODAY.with_enumeration(FIRST, PARTED), ".txt", lossy=True).warnings
    assert told.endswith("the clues of 1A")


def test_it_stays_when_the_previous_answers_clue_is_cleared() -> None:
    told = place_answer(TODAY.with_clue(FIRST, "Now"), FIRST, "CIDER")
    told = told.with_enumeration(FIRST, AnswerEnumeration((5,)))
    cleared = told.without_stale_clue(FIRST)
    assert cleared.stale_clues == ()
    assert cleared.enumeration(FIRST) == AnswerEnumeration((5,))


def test_an_answer_has_one_enumeration_for_all_clues() -> None:
    waiting = clear_entry(TODAY.with_clue(FIRST, "Now").with_enumeration(FIRST, PARTED), FIRST)
    both = place_answer(waiting.with_clue(FIRST, "At present"), FIRST, "TODAY")
    assert (len(both.clues[FIRST.start, FIRST.direction].clues), both.enumeration(FIRST)) == (2, PARTED)
    without = both.with_enumeration(FIRST, None)
    for made in (both, without):
        assert read_bytes(puzzle_bytes(made, ".ipuz").data, ".ipuz") == made


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
def test_text_without_markup(text: str) -> None:
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
def test_text_with_markup(source: str, shown: list[TextRun]) -> None:
    assert parse(source) == tuple(shown)


@given(sources)
@examples(300)
def test_parsing_matches_the_naive_twin(source: str) -> None:
    found = [
        Letter(text, run.italic and not text.isspace(), run.bold and not text.isspace())
        for run in parse(source)
        for text in ([run.text] if run.reference is not None else run.text)
    ]
    assert found == letters(source)


@given(runs)
@examples(300)
def test_styled_runs_read_back(shown: list[TextRun]) -> None:
    assert parse(source_of(shown)) == normal(shown)


@given(sources)
@examples(200)
def test_any_text_can_be_escaped(text: str) -> None:
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


def test_a_number_next_to_italics_keeps_them() -> None:
    assert printed_runs("{1A}*x*", GRID) == (TextRun("1-Across*x*"),)
    assert printed_runs("*{1A}*!", GRID) == (TextRun("1-Across", True), TextRun("!"))


@pytest.mark.parametrize(
    ("text", "told", "whole"),
    [
        ("Uneven (5,4)", "9", "Uneven (5,4) (9)"),
        ("Uneven (5,4)", "5,4", "Uneven (5,4)"),
        ("Dessert (3,5; two words)", "8", "Dessert (3,5; two words)"),
    ],
)
def test_an_enumeration_is_not_hidden_by_another_in_the_clue(text: str, told: str, whole: str) -> None:
    one = WholeClue(text, AnswerEnumeration.parse(told))
    assert str(one) == whole
    assert WholeClue.parted(whole).enumeration in (one.enumeration, None)
