"""What the word lists tell of rules that are broken or cannot be kept."""

from dataclasses import replace

import pytest

from tests.ruled import asked, ruled
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Direction, Position, Puzzle, Rules, WordChoice
from xwtui.model.review import Check, Finding, review
from xwtui.words.lexicon import Lexicon
from xwtui.words.rule_findings import rule_findings
from xwtui.words.sources import Vocabulary
from xwtui.words.word_list import WordList

WORDS = WordList.from_scores(
    "words",
    {"BAKER": 60, "BAKES": 50, "BAKE": 40, "USSR": 30, "ANNA": 45, "OBOE": 70},
    {"name": ["USSR", "ANNA"], "abbreviation": ["USSR"]},
)
WORD_CHOICE = WordChoice(minimum_score=40, banned=frozenset({"OBOE"}))
LEXICON = Lexicon.build([WORDS], minimum_score=40, banned=["OBOE"])
OWN = Lexicon.build([WordList.from_scores("own", {"ANNA": 10})])
VOCABULARY = Vocabulary(LEXICON, {"own": OWN})
FIRST = (Position(0, 0), Direction.ACROSS)


def messages(grid: str, rules: Rules) -> list[str]:
    findings = rule_findings(Puzzle(grid_from_text(grid), words=WORD_CHOICE, rules=rules), VOCABULARY)
    odd = [finding.message for finding in findings if finding.rule is Check.ODD_RULE]
    assert all(message.startswith(("wanted", "no word")) for message in odd)
    assert {finding.rule for finding in findings} <= {Check.BROKEN_RULE, Check.ODD_RULE}
    return [finding.message for finding in findings]


@pytest.mark.parametrize(
    ("grid", "rules", "expected"),
    [
        ("BAKER\n#####\nBAKES", ruled(), []),
        ("BAKER\n#####\nBAKES", ruled(distinct_stems=True), ["1A BAKER and 2A BAKES repeat each other"]),
        ("BAKER\n#####\nUSSR#", ruled(distinct_stems=True), []),
        ("ANNA\n####\nUSSR", ruled(tag_limits={"name": 2}), []),
        (
            "ANNA\n####\nUSSR",
            ruled(tag_limits={"name": 1}),
            ["2 answers have the tag name, limit 1: 1A ANNA, 2A USSR"],
        ),
        (
            "ANNA\n####\n####",
            ruled(tag_limits={"name": 0}),
            ["1 answer has the tag name, limit none: 1A ANNA"],
        ),
        (
            "....\n####\n####",
            ruled(tag_limits={"slang": 1}),
            ["no word in the lists has the tag slang; there are abbreviation, name"],
        ),
        ("ANNA\n####\n####", ruled({FIRST: asked(45)}), []),
        (
            "ANNA\n####\n####",
            ruled({FIRST: asked(46)}),
            ["1A ANNA scores 45; it must score 46 or more"],
        ),
        (
            "XXXX\n####\n####",
            ruled({FIRST: asked(0, contains=("X",))}),
            [],
        ),
        ("ANNA\n####\n####", ruled({FIRST: asked(word_list="own")}), []),
        ("USSR\n####\n####", ruled({FIRST: asked(word_list="own")}), ["1A USSR is not in own"]),
        (
            "ANNA\n####\n####",
            ruled({FIRST: asked(20, word_list="own")}),
            ["1A ANNA scores 10; it must score 20 or more"],
        ),
        ("ANNA\n####\n####", ruled(wanted=("ANNA", "BAKE"), wanted_least=2), []),
        (
            "....\n####\n####",
            ruled(wanted=("OBOE", "USSR", "TUBA"), wanted_least=1),
            [
                "wanted OBOE is banned, so no fill uses it; `allow OBOE` allows it",
                "wanted USSR scores 30, below 40; fills may still use it",
                "wanted TUBA is in no word list; fills may still use it, with score 50",
            ],
        ),
        ("OBOE\n####\n####", ruled(wanted=("OBOE",), wanted_least=1), []),
        ("TUBA\n####\n####", ruled({FIRST: asked(50)}, wanted=("TUBA",)), []),
        (
            "TUBA\n####\n####",
            ruled({FIRST: asked(51)}, wanted=("TUBA",)),
            ["1A TUBA scores 50; it must score 51 or more"],
        ),
        (
            "TUBA\n####\n####",
            ruled({FIRST: asked(10)}, wanted=("OBOES",)),
            [
                "1A TUBA is in no word list; it must score 10 or more",
                "wanted OBOES has 5 letters, and no entry has that many squares",
            ],
        ),
        ("TUBA\n####\n####", ruled({FIRST: asked(word_list="own")}, wanted=("TUBA",)), ["1A TUBA is not in own"]),
    ],
)
def test_what_the_lists_tell(grid: str, rules: Rules, expected: list[str]) -> None:
    assert messages(grid, rules) == expected


def reviewed(grid: str, rules: Rules) -> list[Finding]:
    puzzle = replace(Puzzle(grid_from_text(grid)), rules=rules)
    return [finding for finding in review(puzzle) if finding.rule in (Check.BROKEN_RULE, Check.IDLE_RULE)]


@pytest.mark.parametrize(
    ("grid", "rules", "expected"),
    [
        ("BAKER\n#####\nBAKES", ruled(shared_substring=5), []),
        ("BAKER\n#####\nBAKES", ruled(shared_substring=4), ["1A BAKER and 2A BAKES share BAKE"]),
        ("BAKER\n#####\nBAKE.", ruled(shared_substring=4), []),
        ("BAKER\n#####\n#####", ruled({FIRST: asked(pattern="B.*R", contains=("AK",), lacks=("S",))}), []),
        (
            "BAKER\n#####\n#####",
            ruled({FIRST: asked(pattern="B.*S", contains=("X",), lacks=("KE",))}),
            ["1A BAKER does not contain X and contains KE and does not match B.*S"],
        ),
        ("BAKE.\n#####\n#####", ruled({FIRST: asked(lacks=("B",))}), []),
        (
            "#AKER\n#####\n#####",
            ruled({FIRST: asked(50)}),
            ["r1c1 across (no entry now) has a waiting rule: scores 50 or more"],
        ),
        ("BAKER\n#####\n#####", ruled(wanted=("OBOE", "BAKER"), wanted_least=1), []),
        (
            "BAKER\n#####\n#####",
            ruled(wanted=("OBOE", "TUBA"), wanted_least=1),
            ["of the wanted words, 1 must appear; missing: OBOE, TUBA"],
        ),
        ("BAKE.\n#####\n#####", ruled(wanted=("OBOE",), wanted_least=1, letters="Z"), []),
        ("BAKER\n#####\n#####", ruled(letters="ABQZ"), ["these letters are nowhere: Q Z"]),
        ("BAKER\n#####\n#.###", ruled(letters="ABQZ"), ["these letters are nowhere: Q Z"]),
        ("B[AQZ]ER\n####\n####", ruled(letters="ABQZ"), []),
    ],
)
def test_what_the_review_tells_without_lists(grid: str, rules: Rules, expected: list[str]) -> None:
    assert [finding.message for finding in reviewed(grid, rules)] == expected
