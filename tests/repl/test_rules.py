"""Dialogues about the constructor's rules."""

from pathlib import Path

from tests.repl.conftest import CTRL_D, Talk
from xwtui.formats.registry import read_puzzle
from xwtui.model import Content, Position


def test_rules_are_kept_and_listed_again(typed: Talk, mini: Path) -> None:
    said = typed(
        'rule 1A --min 50 --match "[AC].*"\r' + "want ABC --least 1\r" + "rules\r" + "save\r" + CTRL_D,
    )
    assert "1A: scores 50 or more, matches [AC].*" in said.lines
    assert "wanted: ABC" in said.lines
    kept = read_puzzle(mini).rules
    assert kept == said.session.puzzle.rules
    assert kept.wanted == ("ABC",)


def test_a_fill_obeys_the_rule_of_an_entry(piped: Talk) -> None:
    free = piped("rule 1A --match C.*", "rule 1D off", "fill", "rules off", "rules")
    assert "impossible: " in free.text
    assert "no rules: answers are in the word list and differ, and that is all" in free.lines
    ruled = piped("rule 1A --match ..C", "fill")
    assert ruled.rows() == ["abc", "def", "ghi"]
    turned = piped("rule 1A --lacks C", "fill")
    assert turned.rows() == ["adg", "beh", "cfi"]


def test_a_fill_obeys_the_letters_of_a_square(piped: Talk) -> None:
    assert piped("letters r1c2 DX", "fill").rows() == ["adg", "beh", "cfi"]


def test_squares_with_a_rule_are_drawn_otherwise_while_they_are_empty(piped: Talk) -> None:
    said = piped("letters r1c2 DX", "set r1c1 A")
    assert said.rows() == ["A◦·", "···", "···"]


def test_a_rule_is_taken_back_by_undo(piped: Talk) -> None:
    said = piped("distinct --substring 2", "undo", "rules")
    assert "undone: distinct" in said.lines
    assert said.session.puzzle.rules.is_empty


def test_an_own_list_lies_beside_the_puzzle(piped: Talk, mini: Path) -> None:
    (mini.parent / "own.txt").write_text("ADG\nXYZ\n")
    said = piped("rule 1A --list own.txt", "fill")
    assert "1A: from own.txt" in said.lines
    assert said.rows() == ["adg", "beh", "cfi"]


def test_check_tells_which_rules_are_broken(piped: Talk) -> None:
    said = piped("set 1A ABX", "rule 1A --lacks X --min 90", "want ABC NEW", "limit name 0", "check")
    found = [line.strip() for line in said.lines]
    assert "1A ABX contains X" in found[found.index("broken rule, 2:") :]
    assert "1A ABX scores 56; it is to score 90 or more" in found
    odd = found[found.index("odd rule, 2:") :]
    assert "wanted NEW is in no word list; a fill may place it all the same, with 50 points" in odd
    assert "no word in the lists has the tag name; the lists have no tags" in odd


def test_a_rebus_square_of_that_name_and_the_placing_of_new_ones(piped: Talk) -> None:
    said = piped("rebus r1c1 PLACE", "rebus place HEART X/TIMES --squares 1..2 --each")
    assert said.session.puzzle.grid[Position(0, 0)].content == Content.of("PLACE")
    assert "rebus place: 1..2 new squares with [HEART] or [X/TIMES], each at least once" in said.lines
