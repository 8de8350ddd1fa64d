"""Hidden messages, initials and checked letters: fills compared with a naive twin; entering and wording."""

import json
from contextlib import suppress
from dataclasses import replace
from random import Random
from string import ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.problem.rule_cases import LETTERS, check_kept, local_case, problem_of, whole_grid_case
from tests.examples import examples
from tests.naive.agreeing import TooManyTriesError
from tests.naive.rules import Case, Square, keeps_shapes
from tests.session.saying import do, rows, said
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import why_impossible
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.ipuz_extensions import RULES, read_rules
from xwtui.formats.registry import puzzle_bytes
from xwtui.model import Content, Grid, Position, Puzzle, Rules
from xwtui.model.review import Check, review
from xwtui.model.rules import Initials, Nina, Pangram
from xwtui.model.rules.base import GridRule
from xwtui.session.session import Session
from xwtui.strategies.board import WholeGrid
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList


def shaped_rule(chance: Random) -> GridRule:
    """Return a message, initials, or letters that must be checked."""
    text = "".join(chance.choices(LETTERS, k=chance.randint(2, 4)))
    lines = tuple(chance.sample(("row", "column", "diagonal"), k=chance.randint(1, 3)))
    place = chance.choice(["perimeter", "row 2", "column 1", "r1c1,r2c2,r1c3"])
    return chance.choice(
        [
            Nina(text, "", lines, chance.random() < 0.5, chance.random() < 0.5),
            Nina(text, place, backward=chance.random() < 0.5),
            Initials(chance.choice(["", "A", "AB"])),
            Pangram(chance.choice(["A", "BC"]), checked=True),
        ]
    )


def shaped_case(chance: Random) -> Case:
    """Return a case of other rules with one or two of these."""
    case = chance.choice([local_case, whole_grid_case])(chance)
    shaped = {type(rule): rule for rule in (shaped_rule(chance), shaped_rule(chance))}
    others = [rule for rule in case.rules.grid if type(rule) not in shaped]
    return replace(case, rules=replace(case.rules, grid=(*others, *shaped.values())))


def check_shapes(case: Case, seed: int) -> int:
    return check_kept(case, lambda squares, answers: keeps_shapes(case, squares, answers), seed)


@examples(300)
@given(st.integers(0, 1 << 32))
def test_fills_match_the_naive_twin(seed: int) -> None:
    with suppress(TooManyTriesError, EngineError):  # the latter for initials of a slash square
        check_shapes(shaped_case(Random(seed)), seed % 7)


def test_many_seeded_cases_of_messages_can_be_filled() -> None:
    chance = Random(1)
    fillable = 0
    for _ in range(100):
        case = local_case(chance)
        nina = next(rule for _ in iter(int, 1) if isinstance(rule := shaped_rule(chance), Nina))
        with suppress(TooManyTriesError):
            fillable += check_shapes(replace(case, rules=replace(case.rules, grid=(nina,))), 1) > 0
    assert fillable > 5


@examples(60)
@given(st.integers(0, 1 << 32))
def test_classic_strategies_judge_full_grids_like_the_naive_twin(seed: int) -> None:
    case = replace(shaped_case(Random(seed)), holes=frozenset())
    problem = problem_of(replace(case, rules=replace(case.rules, grid=())))
    filler = Filler(problem, seed=seed % 7)
    if filler.advance(nodes=10_000) is not Outcome.FILLED:
        return
    shaped = [rule for rule in case.rules.grid if isinstance(rule, Nina | Initials)]
    asked = replace(case, rules=Rules(grid=tuple(shaped)))
    whole = WholeGrid(replace(problem.task, rules=asked.rules))
    squares: dict[Square, Content] = {(at, None): content for at, content in filler.fill().items()}
    keeps = keeps_shapes(asked, squares, filler.answers())
    assert (whole.breach(filler.answers(), filler.fill()) == "") is keeps


# Entered, listed, undone


@pytest.mark.parametrize(
    ("line", "rule", "told"),
    [
        ("nina oboe", Nina("OBOE"), "nina: OBOE in any row, column or diagonal, forward"),
        (
            "nina MY NINA --row --column --backward",
            Nina("MYNINA", "", ("row", "column"), backward=True),
            "nina: MYNINA in any row or column, forward or backward",
        ),
        (
            "nina AB --diagonal --over-blocks",
            Nina("AB", "", ("diagonal",), over_blocks=True),
            "nina: AB in any diagonal, forward, over blocks",
        ),
        (
            'spell perimeter "my message" --start any --backward',
            Nina("MYMESSAGE", "perimeter", backward=True),
            "MYMESSAGE along perimeter, from any square, forward or backward; perimeter has 16 squares",
        ),
        (
            "spell row 2 ABC --start any",
            Nina("ABC", "row 2"),
            "ABC along row 2, from any square, forward; row 2 has 5 squares",
        ),
        (
            "spell 6A ABC --start any",
            Nina("ABC", "r2c1:r2c5"),
            "ABC along r2c1:r2c5, from any square, forward; 6A has 5 squares",
        ),
        (
            "spell 6A,1D,r5c5 ABC --start any",
            Nina("ABC", "r2c1,r2c2,r2c3,r2c4,r2c5,r1c1,r3c1,r4c1,r5c1,r5c5"),
            "ABC along r2c1,r2c2,r2c3,r2c4,r2c5,r1c1,r3c1,r4c1,r5c1,r5c5, from any square, forward; "
            "6A,1D,r5c5 has 10 squares",
        ),
        ("initials on", Initials(), "initials: all different"),
        ("initials on --each AB", Initials("AB"), "initials: all different, A B each once"),
        ("initials --each on", Initials(ascii_uppercase), "initials: all different, A to Z each once"),
        ("pangram QZ --checked", Pangram("QZ", checked=True), "pangram: Q Z each where answers cross"),
    ],
)
def test_a_rule_is_entered_listed_and_undone(mini: Session, line: str, rule: GridRule, told: str) -> None:
    assert said(mini, line) == told
    assert mini.puzzle.rules.grid == (rule,)
    assert said(mini, "rules") == "\n".join(rule.lines())
    said(mini, "undo")
    assert mini.puzzle.rules.is_empty


def test_rules_can_be_dropped(mini: Session) -> None:
    said(mini, "nina OBOE", "spell perimeter TUBA --start any", "nina [O]FF", "initials on")
    assert said(mini, "nina OBOE off").splitlines() == [
        "nina: TUBA along perimeter, from any square, forward",
        "nina: OFF in any row, column or diagonal, forward",
    ]
    assert said(mini, "nina off") == "no message is hidden"
    assert said(mini, "initials off") == "answers may begin with the same letter"
    assert mini.puzzle.rules.is_empty


# In a file, reviewed, filled, explained


def test_the_rules_are_stored_in_ipuz() -> None:
    rules = Rules(
        grid=(
            Pangram("ABC", checked=True),
            Nina("MY[CH]", "", ("row",), backward=True, over_blocks=True),
            Nina("AB", "r1c1:r3c3,row 2"),
            Initials("XYZ"),
        )
    )
    written = json.loads(puzzle_bytes(replace(Puzzle.blank(5, 5), rules=rules), ".ipuz").data)[RULES]
    assert written == {
        "letters": "ABC",
        "letters_checked": True,
        "ninas": [
            {"text": "MY[CH]", "lines": ["row"], "backward": True, "over_blocks": True},
            {"text": "AB", "along": "r1c1:r3c3,row 2"},
        ],
        "initials_differ": True,
        "initials_each": "XYZ",
    }
    assert read_rules(written, Grid.blank(5, 5)) == rules


def broken(rows: str, rule: GridRule) -> list[str]:
    """Return the review's messages about a grid under one rule."""
    found = review(Puzzle(grid_from_text(rows), rules=Rules(grid=(rule,))))
    return [finding.message for finding in found if finding.rule is Check.BROKEN_RULE]


def test_the_review_names_what_is_missing() -> None:
    bag = "BAG\nICE\nTEN\n"
    assert broken(bag, Nina("BCN")) == []
    assert broken(bag, Nina("BCN", "", ("row", "column"))) == ["BCN is not in any row or column, forward"]
    assert broken(bag, Nina("TIBAG", "perimeter")) == []
    assert broken(bag, Nina("GABIT", "perimeter")) == ["GABIT is not along perimeter, from any square, forward"]
    assert broken(bag, Nina("GABIT", "perimeter", backward=True)) == []
    assert broken(bag, Initials()) == []
    assert broken("BAG\n#I#\nBEN\n", Initials()) == ["1A BAG and 3A BEN both begin with B"]
    assert broken("BAG\n#I#\nTEN\n", Initials("BTAX")) == ["these letters begin no answer: X"]
    assert broken("BAG\n#I#\nTEN\n", Pangram("BA", checked=True)) == [
        "these letters are in no square where answers cross: B"
    ]


def test_a_fill_in_a_session_obeys(small: Session) -> None:
    """The two fills are transposes of each other, and only one has IC in a row."""
    said(small, "nina IC --row")
    do(small, "fill")
    assert rows(small) == ("BAG", "ICE", "TEN")
    said(small, "clear all", "nina off", "nina AC --row")
    do(small, "fill")
    assert rows(small) == ("BIT", "ACE", "GEN")


@pytest.mark.parametrize(
    ("rows", "rule", "reason"),
    [
        ("...\n###\n...\n", Nina("BO", "", ("column",)), "there is no place left for BO in any column, forward"),
        ("...\n###\n...\n###\n...\n", Initials(), "there is no place left for 3 different initials"),
        (
            "...\n###\n...\n",
            Pangram("B", checked=True),
            "no square can hold B where answers cross, and 1 is required",
        ),
    ],
)
def test_an_unreachable_rule_is_reported_before_any_search(rows: str, rule: GridRule, reason: str) -> None:
    words = Lexicon.build([WordList.from_scores("words", {"BAG": 50, "BOG": 50, "TAG": 50})])
    problem = Problem.build(grid_from_text(rows), words, rules=Rules(grid=(rule,)))
    assert reason in str(why_impossible(problem))


def test_a_message_that_fits_nowhere_is_refuted_without_search() -> None:
    """Each position fails by itself, so none is tried letter by letter in combination with the rest of another."""
    words = Lexicon.build(
        [WordList.from_scores("words", {a + b + c: 50 for a in "ABC" for b in "ABC" for c in "AB"})]
    )
    problem = Problem.build(grid_from_text("...\n...\n...\n"), words, rules=Rules(grid=(Nina("CC", "column 3"),)))
    filler = Filler(problem, seed=1)
    assert filler.advance(nodes=10) is Outcome.IMPOSSIBLE


def test_two_entries_from_one_square_share_their_initial_unless_it_may_read_two_ways() -> None:
    words = Lexicon.build([WordList.from_scores("words", {"BAG": 50, "BIT": 50, "TEN": 50, "BEN": 50})])
    grid = grid_from_text("...\n.##\n...\n")
    filler = Filler(Problem.build(grid, words, rules=Rules(grid=(Initials(),))))
    assert filler.advance(nodes=100) is Outcome.FILLED
    assert filler.answers() == {"1A": "BAG", "1D": "BIT", "2A": "TEN"}
    slash = {Position(0, 0): (Content.of("B"), Content("X", "BY"))}
    with pytest.raises(EngineError, match="r1c1 begins two entries and may read two ways"):
        Problem.build(grid, words, rules=Rules(squares=slash, grid=(Initials(),)))
