"""Clash squares: entering, storing, reviewing, filling under and explaining the rule."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.problem.test_rules import random_asked
from tests.examples import examples
from tests.naive.constraints import obeys, where
from tests.session.saying import Ear, do, found, on_three_by_three, said
from xwtui import problem_of
from xwtui.engine.fill.partial import partial_fill
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.ipuz_extensions import read_rules, rules_field
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model import Content, Puzzle, Rules, Square
from xwtui.model.review import Check, breaches, review
from xwtui.model.rules.clash import ClashSquares
from xwtui.session.messages import ArgumentRefused
from xwtui.session.session import Session
from xwtui.session.verbs.completion import complete
from xwtui.session.verbs.registry import run_line
from xwtui.strategies.board import Board

WORDS = "ABC;50\nABD;50\nBCD;50\nCAD;50\nDAB;50\nCAB;50\nBAD;50\nADD;50\nDAD;50\nCCD;50\n"


@pytest.fixture
def grid3(bench: Session, tmp_path: Path) -> Session:
    """A blank 3x3 grid, and words of which no six fill it without clashes."""
    return on_three_by_three(bench, WORDS, tmp_path)


def clashes(bench: Session) -> dict[str, str]:
    """Return the clash squares with their contents."""
    grid = bench.puzzle.grid
    contents = {at: grid[at].content for at in grid.open_positions()}
    return {
        str(at): content.text for at, content in contents.items() if content is not None and content.is_letter_pair
    }


# Entered and shown


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("clash --exactly 3", "clash: exactly 3 squares"),
        ("clash --at-least 2 --at-most 4", "clash: 2 to 4 squares"),
        ("clash --at-least 1", "clash: at least 1 square"),
        ("clash r1c1", "clash: r1c1"),
        ("clash 1A", "clash: each of r1c1, r1c2, r1c3"),
        (
            "clash row 2 --at-most 1 --pairs xo,ox",
            "clash: at most 1 square of r2c1, r2c2, r2c3, across/down one of X/O O/X",
        ),
        ('clash --spell "No!"', "clash: exactly 2 squares, their across letters spell NO"),
        ("clash --spell NOON --by both", "clash: exactly 2 squares, their letters spell NOON"),
        (
            "clash perimeter --spell N --by down",
            "clash: exactly 1 square of r1c1, r1c2, r1c3, r2c1, r2c3, r3c1 and 2 more, their down letters spell N",
        ),
    ],
)
def test_the_rule_is_shown_stored_and_undone(grid3: Session, line: str, shown: str) -> None:
    assert said(grid3, line) == shown
    assert said(grid3, "rules") == said(grid3, "clash")
    kept = read_bytes(puzzle_bytes(grid3.puzzle, ".ipuz").data, ".ipuz")
    assert kept.rules == grid3.puzzle.rules
    run_line(grid3, "undo")
    assert said(grid3, "clash") == "across and down letters agree"


def test_a_new_rule_for_the_same_squares_replaces_the_old(grid3: Session) -> None:
    said(grid3, "clash row 1 --exactly 1", "clash row 1 --exactly 2")
    assert said(grid3, "clash --at-most 1").count("clash:") == 2
    assert said(grid3, "clash row 1 off") == "clash: at most 1 square"
    assert said(grid3, "clash off") == "across and down letters agree"


def test_a_rule_without_a_message_survives_rotation_and_reading(grid3: Session) -> None:
    for line in ("clash --exactly 2", "clash --exactly 2 --by down"):
        said(grid3, "clash off", line, "rotate right")
        puzzle = grid3.puzzle
        assert read_rules(rules_field(puzzle.rules), puzzle.grid) == puzzle.rules


def test_places_and_sides_are_completed(grid3: Session) -> None:
    assert "perimeter" in [offer.text for offer in complete(grid3, "clash per")]
    assert {"across", "down", "both"} <= {offer.text for offer in complete(grid3, "clash --spell AB --by ")}


@examples(100)
@given(st.integers(0, 1 << 32))
def test_every_rule_reads_back(seed: int) -> None:
    grid = grid_from_text("....\n....\n....")
    rules = Rules(grid=(ClashSquares(random_asked(Random(seed), grid)),))
    assert read_rules(rules_field(rules), grid) == rules


# Reviewed


@examples(300)
@given(st.integers(0, 1 << 32))
def test_the_review_matches_the_naive_twin(seed: int) -> None:
    rng = Random(seed)
    grid = grid_from_text(rng.choice(["...\n...\n...", "...\n.#.\n...", "....\n##..\n...."]))
    crossed = [at for at in grid.open_positions() if sum(at in slot.positions for slot in grid.slots) == 2]
    letters = {at: rng.choice("ABC") for at in grid.open_positions()}
    held = {at: Content.of(letter) for at, letter in letters.items()}
    for at in rng.sample(crossed, min(len(crossed), rng.randint(0, 4))):
        held[at] = Content(letters[at], rng.choice([other for other in "ABC" if other != letters[at]]))
    asked = random_asked(rng, grid)
    full = grid.with_squares({at: Square(content=content) for at, content in held.items()})
    puzzle = Puzzle(full, rules=Rules(grid=(ClashSquares(asked),)))
    assert (not list(breaches(puzzle))) is obeys(full, held, asked), (asked, held)
    assert where(full, asked) == asked.places(full, {})


def test_the_review_names_the_squares(grid3: Session) -> None:
    run_line(grid3, "clash r2c2")
    assert "broken rule" not in said(grid3, "check")
    assert "r2c2 holds A both ways but must clash" in said(grid3, "set 4A CAD", "set 2D DAB", "check")
    assert "broken rule" not in said(grid3, "set r2c2 A/B", "check")
    assert "r2c2 holds [A/B], which is not one of B/A" in said(grid3, "clash r2c2 --pairs BA", "check")
    run_line(grid3, "clash off")
    assert "1 square clashes; asked for: exactly 0 squares" in said(grid3, "clash --at-most 0", "check")
    assert "r2c2 cannot clash" in said(grid3, "clash r2c2", "block r2c1", "check")


# Obeyed


@pytest.mark.parametrize(
    ("line", "number"),
    [("clash --exactly 3", 3), ("clash --at-least 2", 2), ("clash row 2", 3), ("clash --spell AB --by down", 2)],
)
def test_a_fill_has_the_required_clashes(grid3: Session, line: str, number: int) -> None:
    run_line(grid3, line)
    do(grid3, "fill --seed 1 --threads 1")
    assert grid3.puzzle.grid.is_filled
    assert len(clashes(grid3)) >= number
    assert Check.BROKEN_RULE not in {finding.rule for finding in review(grid3.puzzle)}


def test_why_names_the_rule_and_what_fills_without_it(small: Session) -> None:
    run_line(small, "clash --at-least 1 --pairs XO,OX")
    small.wait_until_ready()
    told = "\n".join(found(small, "why").lines)
    assert "the rule “clash: at least 1 square, across/down one of X/O O/X” cannot work together" in told
    assert "drop the rule “clash" in told
    assert "(a fill was found)" in told


def test_given_pairs_count_and_are_kept(grid3: Session) -> None:
    said(grid3, "set r1c1 C/D", "clash --exactly 2")
    do(grid3, "fill --seed 1 --threads 1")
    assert clashes(grid3)["r1c1"] == "C/D"
    assert len(clashes(grid3)) == 2


def test_writing_an_answer_keeps_the_crossing_letter_in_clash_squares(grid3: Session) -> None:
    said(grid3, "clash r1c1 r2c2", "set 1A ABC", "set 1D DAB")
    assert clashes(grid3) == {"r1c1": "A/D"}
    assert [grid3.puzzle.grid.answer(slot) for slot in grid3.puzzle.grid.slots[:1]] == ["ABC"]
    run_line(grid3, "set 1A CAB")
    assert clashes(grid3) == {"r1c1": "C/D"}, "an answer that is written again leaves the other its letter, too"
    run_line(grid3, "set 1A DAB")
    assert clashes(grid3) == {}


def test_a_swap_and_an_improved_fill_obey_the_rule(grid3: Session) -> None:
    run_line(grid3, "clash --exactly 4")
    do(grid3, "fill --seed 1 --threads 1")
    before = grid3.puzzle.grid
    assert found(grid3, "swap 1A").lines
    do(grid3, "reject 1A")
    assert grid3.puzzle.grid != before
    assert len(clashes(grid3)) == 4
    do(grid3, "improve --seed 1 --threads 1")
    assert len(clashes(grid3)) == 4
    assert not list(breaches(grid3.puzzle))


def test_fillers_without_clash_squares_refuse(grid3: Session) -> None:
    run_line(grid3, "clash --exactly 3")
    grid3.wait_until_ready()
    problem = problem_of(grid3.puzzle, words=grid3.jobs.words.lexicon)
    with pytest.raises(EngineError, match="leave holes, let squares clash"):
        Board(problem.task)
    with pytest.raises(EngineError, match="partial fills do not support clash squares"):
        partial_fill(problem)


def test_searches_with_clash_squares_cannot_be_argued_with(grid3: Session, ear: Ear) -> None:
    run_line(grid3, "clash --exactly 3")
    do(grid3, "step")
    do(grid3, "argue choose 1A ABC")
    assert "cannot argue with a search" in ear.of(ArgumentRefused)[-1].message
    do(grid3, "continue")
    assert len(clashes(grid3)) == 3
