"""Answers that are forms of one word are told, once."""

import pytest

from tests.ruled import ruled
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Puzzle
from xwtui.model.review import Check
from xwtui.words.answer_findings import word_findings
from xwtui.words.lexicon import Lexicon
from xwtui.words.vocabulary import Vocabulary
from xwtui.words.word_list import WordList

WORDS = WordList.from_scores("words", {"ONE": 50, "ONES": 50, "BAKE": 50, "BAKER": 50, "BAKES": 50, "CAT": 50})
VOCABULARY = Vocabulary(Lexicon.build([WORDS]))


@pytest.mark.parametrize(
    ("grid", "expected"),
    [
        ("ONE.\n####\nONES", []),
        ("ONE#\n####\nONES", ["1A ONE and 2A ONES are forms of one word"]),
        ("BAKER\n#####\nBAKES", []),
        ("BAKER\n#####\nBAKE#", ["1A BAKER and 2A BAKE are forms of one word"]),
        ("CAT\n###\nCAT", []),
    ],
)
def test_near_duplicates(grid: str, expected: list[str]) -> None:
    findings = word_findings(Puzzle(grid_from_text(grid)), VOCABULARY)
    assert [finding.message for finding in findings] == expected
    assert all(finding.rule is Check.NEAR_DUPLICATE for finding in findings)


def test_the_rule_about_stems_tells_of_them_instead() -> None:
    puzzle = Puzzle(grid_from_text("ONE#\n####\nONES"), rules=ruled(distinct_stems=True))
    assert [finding.rule for finding in word_findings(puzzle, VOCABULARY)] == [Check.BROKEN_RULE]
