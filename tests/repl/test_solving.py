"""Test-solving in the REPL: short lines while it goes on, all other verbs as always."""

from tests.repl.conftest import Talk


def test_short_lines_are_meant_for_the_solving(piped: Talk) -> None:
    edits = ("set 1A ABC", "set 4A DEF", "set 5A GHI", "solve")
    said = piped(*edits, "1A ABX", "check", "1a", "reveal r1c3", "note 1A hm", "erase 4A", "clue 1A", "5A GHI")
    assert "0 of 9 squares" in said.text
    assert "wrong: r1c3; 2 right" in said.text
    assert "  1A  ABX  no clue yet" in said.text
    assert "r1c3: 1 revealed" in said.text
    assert "1A: hm" in said.text
    assert "1A, noted while solving: hm" in said.text
    assert said.rows() == ["A'B'C'", "···", "GHI"]
    grid = said.session.puzzle.grid
    assert [grid.answer(grid.slot(name)) for name in ("1A", "4A", "5A")] == ["ABC", "DEF", "GHI"]


def test_after_leaving_lines_are_verbs_again(piped: Talk) -> None:
    said = piped("set 1A ABC", "solve", "1A XXX", "leave", "1A ABX", "show")
    assert "! there is no verb '1A'" in said.text
    assert said.rows()[0] == "ABC"


def test_the_prompt_tells_that_one_solves(typed: Talk) -> None:
    said = typed("solve\n4A DEF\nquit --force\n")
    assert "3 of 9 squares" in said.text
    assert said.session.document.solving.is_on


def test_nothing_of_it_is_read_before_it_is_asked_for(typed: Talk) -> None:
    said = typed("set 1A ABC\nshow\nquit --force\n")
    assert "solving" not in vars(said.session.document)
