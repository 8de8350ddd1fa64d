"""Test-solving compared with a naive twin: letters entered, checked, revealed; the clock, notes and verbs."""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.model import NaiveSolver
from tests.session.saying import refuses, said
from xwtui.errors import LockedError, XwtuiError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Ink, Kind, Position, Puzzle
from xwtui.model.edits import clear_squares, set_kind, set_square
from xwtui.model.review import Check, review
from xwtui.session.session import Session
from xwtui.session.solving import Checked, KeptAttempt, Solving, Stopwatch, checked_words, clock_words
from xwtui.session.verbs.registry import run_line

ANSWERS = ("A", "B", "HEART", "X/TIMES", None)
ENTERED = ("", "A", "B", "HEART", "X", "TIMES", "X/TIMES")
SQUARES = 4

steps = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.integers(0, SQUARES - 1), st.sampled_from(ENTERED)),
        st.tuples(st.sampled_from(["check", "reveal"]), st.sets(st.integers(0, SQUARES - 1)), st.just("")),
    ),
    max_size=12,
)


def strip_of(answers: list[str | None]) -> Grid:
    """Return a grid whose first row has these answers."""
    grid = Grid.blank(3, SQUARES)
    return grid.with_squares(
        {
            Position(0, column): replace(grid[Position(0, column)], content=Content.parse(text))
            for column, text in enumerate(answers)
            if text is not None
        }
    )


@given(st.lists(st.sampled_from(ANSWERS), min_size=SQUARES, max_size=SQUARES), steps)
def test_solving_matches_the_naive_twin(answers: list[str | None], done: list[tuple[str, object, str]]) -> None:
    puzzle = Puzzle(strip_of(answers))
    solving, naive = Solving(lambda: puzzle), NaiveSolver(dict(enumerate(answers)))
    for what, where, text in done:
        if isinstance(where, int):
            naive.write(where, text)
            at = Position(0, where)
            with suppress(LockedError):
                if text:
                    solving.edit("write", partial(set_square, position=at, content=Content.parse(text)))
                else:
                    solving.edit("erase", partial(clear_squares, positions=[at]))
        else:
            assert isinstance(where, set)
            getattr(naive, what)(where)
            getattr(solving, what)([Position(0, column) for column in where])
    attempt = solving.attempt
    squares = {column: attempt.grid[Position(0, column)] for column in range(SQUARES)}
    assert {at: own.content.text for at, own in squares.items() if own.content is not None} == naive.letters
    assert {at for at, own in squares.items() if own.ink is Ink.LOCKED} == naive.kept
    assert {at.column for at in attempt.wrong} == naive.wrong
    assert {at.column for at in attempt.revealed} == naive.revealed
    assert puzzle == Puzzle(strip_of(answers)), "the puzzle is never changed"


def test_the_clock_pauses_and_resumes() -> None:
    now = [100.0]
    clock = Stopwatch(lambda: now[0])
    assert (clock.seconds, clock.is_going) == (0.0, False)
    clock.go()
    now[0] += 5
    clock.go()
    now[0] += 2
    clock.rest()
    clock.rest()
    now[0] += 60
    assert clock.seconds == 7
    clock.go()
    now[0] += 1
    assert (clock.seconds, clock.is_going) == (8, True)
    clock.reset()
    assert (clock.seconds, clock.is_going) == (0, False)
    assert [clock_words(seconds) for seconds in (0, 65.9, 3609)] == ["0:00", "1:05", "1:00:09"]


def finished() -> Puzzle:
    puzzle = Puzzle(grid_from_text("CAT\nO#[EX]\nGEN\n"))
    return puzzle.with_clue(puzzle.grid.slot("1A"), "Pet").with_clue(puzzle.grid.slot("3A"), "Unit, for short")


def test_letters_stay_when_the_puzzle_changes() -> None:
    held = [finished()]
    solving = Solving(lambda: held[0])
    for column, letter in enumerate("CAX"):
        solving.edit("w", partial(set_square, position=Position(0, column), content=Content.of(letter)))
    solving.check([Position(0, 0), Position(0, 1), Position(0, 2)])
    solving.reveal([Position(2, 0)])
    held[0] = set_square(held[0], Position(0, 0), Content.of("B"))
    attempt = solving.attempt
    assert attempt.grid[Position(0, 0)].ink is Ink.PEN, "C is right no more"
    assert attempt.grid[Position(0, 1)].ink is Ink.LOCKED
    assert attempt.wrong == {Position(0, 2)}
    assert attempt.revealed == {Position(2, 0)}
    held[0] = replace(held[0], grid=set_kind(held[0], Position(2, 0), Kind.BLOCK).grid)
    assert not solving.attempt.grid[Position(2, 0)].is_open
    assert solving.attempt.revealed == frozenset()
    solving.cursor.move_to(Position(2, 2))
    held[0] = Puzzle.blank(3, 3)
    assert solving.attempt.wrong == frozenset(), "there is no answer that it could be wrong beside"
    assert solving.attempt.grid[Position(0, 1)].content == Content.of("A")
    assert solving.attempt.grid[Position(0, 1)].ink is Ink.PEN


def test_the_verbs_solve_without_touching_the_puzzle(bench: Session) -> None:
    bench.new(finished())
    before = bench.puzzle
    assert said(bench, "solve").startswith("0 of 8 squares, 0:0")
    assert run_line(bench, "solve write 1A cow").solves
    assert said(bench, "solve check") == "wrong: r1c2, r1c3; 1 right"
    refuses(bench, "solve write 1A DOG", "known to be right")
    assert said(bench, "solve write 1A CAT", "solve clues 1A") == "  1A  CAT  Pet"
    assert said(bench, "solve reveal 1D").splitlines()[0] == "1D: 2 revealed"
    assert said(bench, "solve check r2c3") == "nothing entered here"
    said(bench, "solve write 2D T[EX]N", "solve erase all")
    assert said(bench, "solve clues 1A") == "  1A  C??  Pet", "what is known to be right stays"
    said(bench, "solve write 1A CAT", "solve write 2D TON", "solve write 3A GEN")
    assert "something is wrong" in said(bench, "solve pause")
    assert "solved in" in said(bench, "solve write 2D T[EX]N", "solve leave")
    said(bench, "solve check")
    refuses(bench, "solve write 1A CAT", "^1A: nothing entered; squares known to be right stay as they are$")
    assert bench.puzzle == before
    assert not bench.document.is_modified
    assert said(bench, "solve").startswith("solved in"), "it is kept"
    assert said(bench, "solve --anew").startswith("0 of 8 squares")
    refuses(bench, "solve write 1A CATS", None, XwtuiError)


def test_entered_letters_persist_across_restarts(bench: Session, journals: Path, tmp_path: Path) -> None:
    bench.new(finished())
    bench.save(tmp_path / "cats.ipuz")
    said(bench, "solve write 1A COX", "solve check 1A", "solve reveal r3c1")
    bench.document.solving.clock.reset(75.0)
    run_line(bench, "solve leave")
    again = Session(journal_folder=journals)
    again.open(tmp_path / "cats.ipuz")
    solving = again.document.solving
    assert solving.attempt == bench.document.solving.attempt
    assert solving.clock.seconds == 75.0
    run_line(again, "solve --anew")
    again.close()
    third = Session(journal_folder=journals)
    third.open(tmp_path / "cats.ipuz")
    assert not third.document.solving.is_begun
    third.close()


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "[]",
        "{",
        '{"letters": 3}',
        '{"letters": {"r1c1": "?"}, "right": [], "wrong": [], "revealed": []}',
        "\0",
    ],
)
def test_a_damaged_solving_file_is_ignored(tmp_path: Path, damage: str) -> None:
    kept = KeptAttempt(tmp_path, lambda: tmp_path / "cats.ipuz")
    solving = Solving(finished, kept=kept)
    solving.edit("w", partial(set_square, position=Position(0, 0), content=Content.of("C")))
    solving.leave()
    (path,) = tmp_path.glob("*.json")
    assert Solving(finished, kept=kept).is_begun
    path.write_text(damage, encoding="utf-8")
    assert not Solving(finished, kept=kept).is_begun


def test_letters_for_a_changed_grid_are_kept_where_they_fit(tmp_path: Path) -> None:
    kept = KeptAttempt(tmp_path, lambda: tmp_path / "cats.ipuz")
    solving = Solving(finished, kept=kept)
    solving.reveal(list(solving.answers.open_positions()))
    solving.leave()
    smaller = Puzzle(grid_from_text("CAR\nO#.\nGEN\n"))
    attempt = Solving(lambda: smaller, kept=kept).attempt
    assert attempt.grid[Position(0, 1)].ink is Ink.LOCKED
    assert attempt.grid[Position(0, 2)].ink is Ink.PEN, "it is right no more"
    assert Position(0, 2) not in attempt.revealed


def test_notes_return_to_the_clue_writer(bench: Session) -> None:
    bench.new(finished())
    assert said(bench, "solve note 1A") == "1A: no note"
    assert said(bench, "solve note 1A too easy; [sic]") == "1A: too easy; [sic]"
    assert "1A  CAT     Pet  (noted while solving: too easy; [sic])" in said(bench, "clues")
    assert "note from solving: 1A, noted while solving: too easy; [sic]" in said(bench, "clue 1A")
    (note,) = [one for one in review(bench.puzzle) if one.rule is Check.SOLVER_NOTE]
    assert (note.message, len(note.where)) == ("1A, noted while solving: too easy; [sic]", 3)
    assert bench.document.is_modified, "notes are saved with the puzzle"
    assert said(bench, "undo", "solve note 1A") == "1A: no note"
    assert said(bench, "redo", "solve note --clear 1A") == "1A: no note"
    refuses(bench, "solve note --clear 1A again", "use either a text")
    refuses(bench, f"solve note 1A {'a' * 10_001}", "at most 10,000 are allowed")


def test_wrong_squares_are_named_in_reading_order() -> None:
    wrong = frozenset({Position(0, 10), Position(0, 2), Position(10, 0), Position(9, 0)})
    assert (
        checked_words(Checked(frozenset(), wrong, frozenset(), frozenset())) == "wrong: r1c3, r1c11, r10c1, r11c1"
    )


def test_a_grid_without_entries_is_not_solved(bench: Session) -> None:
    bench.new(Puzzle(grid_from_text("#.#\n.#.\n#.#\n")))
    refuses(bench, "solve", "no entries")


def test_an_unfinished_puzzle_is_solved_as_far_as_possible(bench: Session) -> None:
    bench.new(Puzzle(grid_from_text("CAT\n...\n...\n")))
    said(bench, "solve write 1A CAT", "solve write 4A DOG")
    assert said(bench, "solve check") == "3 right; 6 with no answer in the puzzle"
    assert "the puzzle is not finished" in said(bench, "solve write 5A EMU", "solve")
