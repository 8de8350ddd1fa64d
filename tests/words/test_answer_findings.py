"""Answers that are forms of one word are told, once."""

from dataclasses import replace

import pytest

from tests.ruled import ruled
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Ink, Puzzle, Rules
from xwtui.model.edits import set_ink
from xwtui.model.review import Check
from xwtui.model.rules import SharedStems
from xwtui.words.lexicon import Lexicon
from xwtui.words.repeats import AnswerRepeats
from xwtui.words.rule_findings import word_findings
from xwtui.words.sources import Vocabulary
from xwtui.words.word_list import WordList

WORDS = WordList.from_scores("words", {"ONE": 50, "ONES": 50, "BAKE": 50, "BAKER": 50, "BAKES": 50, "CAT": 50})
VOCABULARY = Vocabulary(Lexicon.build([WORDS]))


@pytest.mark.parametrize(
    ("grid", "expected"),
    [
        ("ONE.\n####\nONES", []),
        ("ONE#\n####\nONES", ["1A ONE and 2A ONES repeat each other"]),
        ("BAKER\n#####\nBAKES", ["1A BAKER and 2A BAKES repeat each other"]),
        ("BAKER\n#####\nBAKE#", ["1A BAKER and 2A BAKE repeat each other"]),
        ("CAT\n###\nCAT", []),
    ],
)
def test_repeats_are_told(grid: str, expected: list[str]) -> None:
    findings = word_findings(Puzzle(grid_from_text(grid)), VOCABULARY)
    assert [finding.message for finding in findings] == expected
    assert all(finding.rule is Check.NEAR_DUPLICATE for finding in findings)


def test_the_rule_about_stems_tells_of_them_instead() -> None:
    puzzle = Puzzle(grid_from_text("ONE#\n####\nONES"), rules=ruled(distinct_stems=True))
    assert [finding.rule for finding in word_findings(puzzle, VOCABULARY)] == [Check.BROKEN_RULE]


def test_check_and_statistics_tell_of_the_same_repeats() -> None:
    """Groups count for both, with stems off neither tells of any, and two locked answers may repeat each other."""
    grid = grid_from_text("BAKER\n#####\nBAKES\n#####\nONES#\n#####\nCAT##")
    grouped = ruled(distinct_stems=True, stem_groups=(frozenset({"CAT", "ONES"}),))
    off = Rules(grid=(SharedStems(is_asked=False),))
    locked = set_ink(Puzzle(grid), grid.slot("1A").positions, Ink.LOCKED)
    both = set_ink(locked, grid.slot("2A").positions, Ink.LOCKED)
    bakers, others = ("1A", "2A"), ("3A", "4A")
    for puzzle, rules, expected in (
        (Puzzle(grid), Rules(), [bakers]),
        (Puzzle(grid), grouped, [bakers, others]),
        (Puzzle(grid), off, []),
        (locked, ruled(distinct_stems=True), [bakers]),
        (both, Rules(), []),
        (both, grouped, [others]),
    ):
        asked = replace(puzzle, rules=rules)
        assert list(AnswerRepeats.of_puzzle(asked, VOCABULARY.lexicon).pairs) == expected
        told = [found.message for found in word_findings(asked, VOCABULARY)]
        assert told == [
            f"{one} {puzzle.answers[one]} and {other} {puzzle.answers[other]} repeat each other"
            for one, other in expected
        ]


LETTERS = Vocabulary(Lexicon.build([WordList.from_scores("words", {"BAG": 50, "ICE": 50, "TEN": 50, "BIT": 50})]))


def unlisted(puzzle: Puzzle) -> list[str]:
    return [found.message for found in word_findings(puzzle, LETTERS) if found.rule is Check.UNLISTED]


def test_answers_in_no_list_are_named() -> None:
    puzzle = Puzzle(grid_from_text("BAG\nICE\nTEN"))
    assert unlisted(puzzle) == ["2 answers are in no list: 2D ACE, 3D GEN"]
    clued = puzzle.with_clue(puzzle.grid.slot("2D"), "One spot")
    assert unlisted(clued) == ["1 answer is in no list: 3D GEN"], "a clue tells that the answer is meant"
    assert unlisted(set_ink(clued, clued.grid.slot("3D").positions, Ink.LOCKED)) == []
    crossed = [found.message for found in word_findings(clued, LETTERS, [clued.grid.slot("2D")])]
    assert "2 answers are in no list: 2D ACE, 3D GEN" in crossed
    wanted = replace(puzzle, rules=ruled(wanted=("ACE", "GEN"), wanted_least=2))
    assert unlisted(wanted) == []


def test_a_theme_answer_that_crosses_nothing_yet_is_not_named() -> None:
    assert unlisted(Puzzle(grid_from_text("XYZ\n...\n..."))) == []
    assert unlisted(Puzzle(grid_from_text("XYZ\n..#\n..."))) == []
