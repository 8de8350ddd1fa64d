"""What rules about the whole grid come to: how much is asked of it, and of a part of it."""

import pytest

from tests.engine.small_problems import lexicon_of
from tests.ruled import asked, ruled
from xwtui.engine.problem.constraints import GlobalConstraints
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Direction, Grid, Position, RebusPlacing, Rules

TWO_ENTRIES = grid_from_text("...\n###\n...\n")
TOP = [Position(0, column) for column in range(3)]
LEXICON = lexicon_of({"CAT": 50, "COT": 50, "DOG": 50, "EMU": 50})


def constraints(
    grid: Grid, rules: Rules, *, selection: list[Position] | None = None, repeats: bool = False
) -> GlobalConstraints:
    return Problem.build(grid, LEXICON, rules=rules, selection=selection, allow_repeats=repeats).constraints


def test_wanted_words_have_a_cardinality_each_where_all_are_wanted() -> None:
    cardinalities = constraints(TWO_ENTRIES, ruled(wanted=("CAT", "DOG"), wanted_least=2)).slot_cardinalities
    assert [(cardinality.name, cardinality.least) for cardinality in cardinalities] == [
        ("the wanted word CAT", 1),
        ("the wanted word DOG", 1),
    ]
    (cardinality,) = constraints(
        TWO_ENTRIES, ruled(wanted=("CAT", "DOG", "EMU"), wanted_least=2)
    ).slot_cardinalities
    assert (cardinality.name, cardinality.least) == ("a wanted word", 2)


def test_a_wanted_word_counts_once_where_repeats_are_allowed() -> None:
    rules = ruled(wanted=("CAT", "DOG"), wanted_least=1)
    assert constraints(TWO_ENTRIES, rules).word_keys == ()
    assert [keys.name for keys in constraints(TWO_ENTRIES, rules, repeats=True).word_keys] == [
        "are the same wanted word"
    ]


@pytest.mark.parametrize(("grid", "asked"), [("...\n###\n...\n", 0), ("...\n###\nEMU\n", 1)])
def test_a_selection_must_have_what_is_wanted_only_if_nothing_stays_empty_beside_it(grid: str, asked: int) -> None:
    wanted = constraints(grid_from_text(grid), ruled(wanted=("CAT",), wanted_least=1), selection=TOP)
    assert [cardinality.least for cardinality in wanted.slot_cardinalities] == [1] * asked
    letters = constraints(grid_from_text(grid), ruled(letters="D"), selection=TOP)
    assert [cardinality.least for cardinality in letters.square_cardinalities] == [1] * asked
    placing = RebusPlacing((Content.of("AT"),), 1, 2, each=True)
    placed = constraints(grid_from_text(grid), ruled(placings=(placing,)), selection=TOP)
    assert [(cardinality.least, cardinality.most) for cardinality in placed.square_cardinalities] == [(asked, 2)]


def test_a_word_is_barred_as_a_whole_answer_only() -> None:
    grid = grid_from_text("..[AT]\n###\n###\n")
    words = lexicon_of({"CAAT": 50, "CAT": 50})
    barred = ruled(entries={(Position(0, 0), Direction.ACROSS): asked(barred=("CAT",))})
    assert Problem.build(grid, words, rules=barred).root.is_possible
    only_two = grid_from_text(".[AT]#\n###\n###\n")
    assert not Problem.build(only_two, words, rules=barred).root.is_possible
