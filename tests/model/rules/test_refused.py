"""What no rule takes: lines typed in error, damaged files, values out of bounds; and what `why` would drop."""

import pytest

from xwtui.engine.explain.explain import explain
from xwtui.engine.problem.task import Task
from xwtui.errors import PuzzleError, PuzzleFormatError, XwtuiError
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.ipuz_extensions import read_rules
from xwtui.model import Content, Direction, EntryRules, Grid, Position, Puzzle, Rules
from xwtui.model.rules import Initials, Nina
from xwtui.model.rules.answer_limits import GlueLimit
from xwtui.model.rules.entry_rules import MOST_CONTENTS, LetterLimit
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

FIRST = (Position(0, 0), Direction.ACROSS)
ONE_Q = LetterLimit("Q", 1)
TOO_MANY = tuple(Content.of(f"X{number}") for number in range(MOST_CONTENTS + 1))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("spell perimeter ABCDEFGHIJKLMNOPQ --start any", "the message takes 17 squares, and perimeter has 16"),
        ("spell row 1 ABCDEF", "the message takes 6 squares, not 5"),
        ("spell row 1 ABCDE --backward", "--backward needs --start any"),
        ("spell row 1 A --start any", "a hidden message needs two or more letters"),
        ("nina OBOE off TUBA", "put `off` last"),
        ("nina TUBA off", "there is no hidden message TUBA"),
        ("nina --row", "name the message to hide"),
        ("pangram --checked", "say which letters"),
        ("initials off --each on", "cannot have --each"),
        ("glue 50", "say how many"),
        ("rule 1A --most QQ 1", "'QQ' is not a single letter"),
        ("rule 1A --most ? 1", "no letter"),
        ("rule 1A --most Q 41", "not a whole number from 0 to 40"),
        ("rule 1A --most Q", "requires 2 arguments"),
        ("rule --most Q 1 --min 60", "--most without an entry is for every answer, and --min is not"),
        ("clash --pairs AB", "say how many squares clash, or which"),
        ("clash r1c1 --pairs ABC", "a pair is two different letters"),
        ("clash r1c1 --pairs AA", "a pair is two different letters"),
        ("clash --exactly 2 --at-most 3", "--exactly excludes"),
        ("clash --at-least 3 --at-most 2", "the minimum, 3, is above the maximum, 2"),
        ("clash --spell ABC --exactly 2", "takes 3 squares, not 2"),
        ("clash --spell ABC --by both", "an even number"),
        ("clash --spell ABC --by sideways", "not across, down or both"),
        (f"clash --spell {'A' * 61}", "61 squares of a message are too many"),
        ("clash r9c9", "not on this grid"),
        ("clash off r1c1", "put `off` last"),
        ("clash 1A off", "no clash rule is for exactly these squares"),
    ],
)
def test_mistakes_are_told_and_change_nothing(mini: Session, line: str, message: str) -> None:
    with pytest.raises(XwtuiError) as caught:
        run_line(mini, line)
    assert message in str(caught.value)
    assert mini.puzzle.rules.is_empty


LIMITS: list[object] = [{"QQ": 1}, {"q": 1}, {"Q": -1}, {"Q": 41}, {"Q": True}, {"Q": "1"}, ["Q"], None]


@pytest.mark.parametrize(
    "field",
    [
        {"ninas": [{"text": "A"}]},
        {"ninas": [{"text": "A B"}]},
        {"ninas": [{"text": "AB", "along": "17A"}]},
        {"ninas": [{"text": "AB", "along": "\x1b[2J"}]},
        {"ninas": [{"text": "AB", "lines": ["spiral"]}]},
        {"ninas": [{"text": "AB", "lines": []}]},
        {"ninas": ["AB"]},
        {"initials_differ": 1},
        {"initials_differ": True, "initials_each": "AA"},
        {"initials_differ": True, "initials_each": "a"},
        {"letters": "AB", "letters_checked": "yes"},
        {"clashes": [{"squares": ["r1c1"], "by": "up"}]},
        {"clashes": [{"squares": "r1c1"}]},
        {"clashes": [{"least": True}]},
        {"clashes": [{"pairs": ["AB"]}]},
        {"clashes": [{"squares": ["r1"]}]},
        {"score_limits": {}},
        {"score_limits": [1]},
        {"score_limits": [{"below": 50}]},
        {"score_limits": [{"below": "50", "most": 1}]},
        *({"every": {"letter_limits": limits}} for limits in LIMITS),
        *({"entries": [["r1c1", "A", {"letter_limits": limits}]]} for limits in LIMITS),
    ],
)
def test_damaged_rules_are_refused(field: dict[str, object]) -> None:
    with pytest.raises(PuzzleFormatError, match="the rules in this file"):
        read_rules(field, Grid.blank(5, 5))


@pytest.mark.parametrize(
    "rule",
    [
        *(GlueLimit(101, 1), GlueLimit(50, -1), GlueLimit(50, 1, 41)),
        *(LetterLimit("", 1), LetterLimit("AB", 1), LetterLimit("é", 1), LetterLimit("Q", -1)),
    ],
)
def test_what_no_puzzle_can_be_asked_is_an_error(rule: GlueLimit | LetterLimit) -> None:
    with pytest.raises(PuzzleError):
        rule.check()


@pytest.mark.parametrize(
    "rules",
    [
        *(Rules(grid=(GlueLimit(50, 1), GlueLimit(101, 1))), Rules(squares={FIRST[0]: TOO_MANY})),
        *(EntryRules(ONE_Q, LetterLimit("AB", 1)), Rules(every=EntryRules(LetterLimit("AB", 1)))),
        Rules({FIRST: EntryRules(LetterLimit("AB", 1))}),
    ],
)
def test_all_that_rules_hold_is_checked(rules: Rules | EntryRules) -> None:
    with pytest.raises(PuzzleError):
        rules.check()


@pytest.mark.parametrize(
    ("rows", "rules", "told"),
    [
        ("...\n###\n...", Rules(grid=(Nina("BO", "", ("column",)),)), "rule “nina: BO in any column, forward”"),
        ("...\n###\n...", Rules(grid=(Initials(),)), "rule “initials: all different”"),
        ("Q..\n###\n###", Rules(every=EntryRules(ONE_Q)), "rule that every answer has Q at most once"),
        ("Q..\n###\n###", Rules({FIRST: EntryRules(ONE_Q)}), "rule that 1A has Q at most once"),
    ],
)
def test_why_names_the_rule_and_dropping_it_is_a_remedy(rows: str, rules: Rules, told: str) -> None:
    listed = ("QAQ",) if "Q" in rows else ("BAG", "BOG")
    words, grid = Lexicon.build([WordList.from_scores("words", dict.fromkeys(listed, 50))]), grid_from_text(rows)
    explanation = explain(Task(grid, words, rules=rules))
    assert [choice.describe() for choice in explanation.conflicts[0].choices] == [f"the {told}"]
    (remedy,) = [remedy for remedy in explanation.remedies if remedy.describe() == f"drop the {told}"]
    assert remedy.apply(Puzzle(grid, rules=rules)).rules.is_empty
