"""The letters that squares can still take, told after each change, and asked for."""

import pytest

from tests.session.listening import PATIENCE_SECONDS, Ear
from tests.session.saying import found, refuses
from xwtui.engine.events.event import Outcome
from xwtui.errors import PuzzleError, VerbError
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.model import Content, Position
from xwtui.session.messages import LettersReady
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line

FIRST, LAST = Position(0, 0), Position(0, 2)


def test_letters_follow_each_change(small: Session, ear: Ear) -> None:
    small.start()
    letters = ear.wait_for(LettersReady).letters
    assert letters.forced[FIRST] == Content.of("B"), "BAG or BIT, either way"
    assert set(letters.shares[LAST]) == {Content.of("G"), Content.of("T")}
    run_line(small, "set r1c3 T")
    revision = small.revision
    later = ear.wait_for(LettersReady, lambda message: message.revision == revision).letters
    assert LAST not in later.shares
    assert later.forced[Position(1, 1)] == Content.of("C")
    ear.forget()
    run_line(small, "circle r2c2")
    assert ear.of(LettersReady)[-1].revision == small.revision, "the problem is the same"


def test_the_shares_of_a_square(small: Session) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    assert found(small, "shares r1c1").lines == ["r1c1: B is forced"]
    (told,) = found(small, "shares r1c3").lines
    assert sorted(told.replace("r1c3: ", "").split("  ")) == ["G 50%", "T 50%"]
    run_line(small, "set r1c3 T")
    refuses(small, "shares r1c3", "r1c3 is given: T", PuzzleError)
    run_line(small, "set r1c1 X")
    none = found(small, "shares r2c2")
    assert none.lines == ["nothing fits: the grid has no fill"]
    assert none.verdict is Outcome.IMPOSSIBLE
    assert found(small, "shares 1A").lines == none.lines
    with pytest.raises(VerbError):
        run_line(small, "shares HEART")


def test_the_shares_of_several_squares_and_of_all(small: Session) -> None:
    run_line(small, "set 1A BAG")
    two = found(small, "shares r2c1 r3c3")
    assert [line.split(":")[0] for line in two.lines] == ["r2c1", "r3c3"]
    every = found(small, "shares all").as_json["squares"]
    assert list(every) == [f"r{row}c{column}" for row in (2, 3) for column in (1, 2, 3)]
    assert every["r2c1"] == {"forced": "I", "shares": {"I": 1.0}, "intervals": {}}


def test_a_square_in_no_entry_has_no_letters_to_share(small: Session) -> None:
    small.wait_until_ready(PATIENCE_SECONDS)
    run_line(small, "symmetry none")
    run_line(small, "block r2c2")
    refuses(small, "shares r2c2", "r2c2 is no open square", PuzzleError)


def test_of_squares_that_no_fill_writes_what_is_given_is_told(bench: Session) -> None:
    bench.new(puzzle_of_grid(grid_from_text("AB#\n###\n##.")))
    refuses(bench, "shares r1c1:r1c2,r3c3", r"r1c1:r1c2,r3c3 is given: A B$", PuzzleError)
    refuses(bench, "shares r3c3", "r3c3 is in no entry", PuzzleError)
