"""Invalid rules; and a rule written in this test from cardinalities alone, which every fill obeys."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.problem.rule_cases import LETTERS, problem_of, whole_grid_case
from tests.engine.small_problems import check_fills
from tests.examples import examples
from tests.naive.agreeing import TooManyTriesError
from tests.naive.rules import Case, fills, leaves_nothing_empty
from tests.naive.rules import given as given_content
from xwtui.engine.explain.explain import explain
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError, PuzzleError, PuzzleFormatError, XwtuiError
from xwtui.formats.grid_text import grid_from_text
from xwtui.formats.ipuz_extensions import read_rules
from xwtui.model import Content, Direction, EntryRules, Grid, Position, Puzzle, Rules
from xwtui.model.rules import Initials, Nina
from xwtui.model.rules.answer_limits import GlueLimit
from xwtui.model.rules.base import GridRule, Rule
from xwtui.model.rules.clash import ClashSquares
from xwtui.model.rules.constraints import AnswerCount, Constraint, LetterCount, TwoReadings
from xwtui.model.rules.entry_rules import MOST_CONTENTS, LetterLimit
from xwtui.model.rules.registry import ENTRY_KINDS, GRID_KINDS
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.strategies.board import WholeGrid
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
        ("nina ZORP row 3", "'ROW 3' is a place; `[R]OW 3` hides these letters"),
        ("nina ZORP 17a", "'17A' is a place; `[1]7A` hides these letters"),
        ("nina perimeter", "'PERIMETER' is a place; `[P]ERIMETER` hides these letters"),
        ("spell row 1 column 3", "'COLUMN3' is a place"),
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
def test_errors_are_reported_and_change_nothing(mini: Session, line: str, message: str) -> None:
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
def test_impossible_rules_raise(rule: GlueLimit | LetterLimit) -> None:
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
def test_all_fields_of_rules_are_validated(rules: Rules | EntryRules) -> None:
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
def test_why_names_the_rule_and_proposes_to_drop_it(rows: str, rules: Rules, told: str) -> None:
    listed = ("QAQ",) if "Q" in rows else ("BAG", "BOG")
    words, grid = Lexicon.build([WordList.from_scores("words", dict.fromkeys(listed, 50))]), grid_from_text(rows)
    explanation = explain(Task(grid, words, rules=rules))
    assert [choice.describe() for choice in explanation.conflicts[0].choices] == [f"the {told}"]
    (remedy,) = [remedy for remedy in explanation.remedies if remedy.describe() == f"drop the {told}"]
    assert remedy.apply(Puzzle(grid, rules=rules)).rules.is_empty


ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Quota(GridRule):
    """A number of squares hold a letter, and a number of answers are names."""

    letter: str
    least: int
    most: int | None
    names: int

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        names = AnswerCount("the tag name", self.names, tag="name")
        return (LetterCount(self.letter, self.least, self.most), names)

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Sequence[Self]:
        return ()

    @classmethod
    def written(cls, rules: Sequence[Self]) -> dict[str, Any]:
        return {}

    def check(self) -> None:
        """Accept any values."""

    def lines(self) -> Iterator[str]:
        yield "quota"


def quota_case(chance: Random) -> Case:
    case = whole_grid_case(chance)
    least = chance.choice([0, 0, 1, 2])
    quota = Quota(chance.choice(LETTERS), least, chance.choice([None, least, 2, 4]), chance.choice([0, 0, 1]))
    return replace(case, holes=frozenset(), rules=replace(case.rules, grid=(*case.rules.grid, quota)))


def keeps(case: Case, squares: Mapping[Position, Content], answers: Mapping[str, str]) -> bool:
    """The naive twin of the rule."""
    (quota,) = case.rules.of(Quota)
    kept = {at: content for at in case.grid.open_positions() if (content := given_content(case, at)) is not None}
    shown = {at for at, content in {**kept, **squares}.items() if quota.letter in content.across + content.down}
    names = [word for word in answers.values() if word in case.tags.get("name", ())]
    is_enough = not leaves_nothing_empty(case) or (len(shown) >= quota.least and len(names) >= quota.names)
    return is_enough and (quota.most is None or len(shown) <= max(quota.most, len(shown & kept.keys())))


@examples(100)
@given(st.integers(0, 1 << 32))
def test_fills_match_the_naive_twin(seed: int) -> None:
    case = quota_case(Random(seed))
    with suppress(TooManyTriesError):
        found = [
            ({at: content for (at, _), content in squares.items()}, answers)
            for squares, answers in fills(case, most_tries=4_000)
        ]
        expected = [frozenset(squares.items()) for squares, answers in found if keeps(case, squares, answers)]
        check_fills(problem_of(case), expected, seed % 7)
        alone = replace(case, rules=Rules(grid=case.rules.of(Quota)), allow_repeats=True)
        judge = WholeGrid(problem_of(alone).task)
        for squares, answers in found:
            assert (judge.breach(answers, squares) == "") == keeps(case, squares, answers)


def test_letters_are_not_counted_if_a_square_may_read_two_ways() -> None:
    quota, clash = Quota("A", 0, 1, 0), ClashSquares(TwoReadings(least=1))
    case = Case(Grid.blank(3, 3), {"ABC": 50}, rules=Rules(grid=(quota, clash)))
    with pytest.raises(EngineError, match="may read two ways"):
        problem_of(case)


KNOWN_ELSEWHERE = {
    "MinimumScore": {"engine.explain.explanation"},  # which propose another score
    "Pattern": {"engine.explain.explanation", "engine.problem.task"},
    "SharedStems": {
        "engine.improve.plain_fill",
        "session.verbs.review",
        "words.repeats",
        "words.rule_findings",
    },  # also without a rule
    "Barred": {"session.jobs.question_job", "session.exclusions"},
    "Pangram": {"engine.rehearsal"},
    "Nina": {"session.verbs.marks"},  # whose `spell` writes one
    "RebusPlacing": {"model"},
}
"""Modules outside `model/rules` that name a kind of rule, by class; all others know only constraints."""


def test_no_other_module_names_a_rule() -> None:
    kinds = {kind.__name__ for kind in (*ENTRY_KINDS, *GRID_KINDS)}
    found: dict[str, set[str]] = {}
    for path in (ROOT / "xwtui").rglob("*.py"):
        module = ".".join(path.relative_to(ROOT / "xwtui").with_suffix("").parts).removesuffix(".__init__")
        if not module.startswith("model.rules"):
            imported = {
                alias.name
                for node in ast.walk(ast.parse(path.read_text()))
                if isinstance(node, ast.ImportFrom) and str(node.module).startswith("xwtui.model.rules")
                for alias in node.names
            }
            for name in imported & kinds:
                found.setdefault(name, set()).add(module)
    assert found == KNOWN_ELSEWHERE


CONSTRAINTS_IN_THE_ENGINE = {
    # where squares are split, and where constraints on pairs are
    "two_readings": {"problem.task", "problem.squares"},
    "altered_entries": {"problem.task", "problem.altered_words", "problem.recorded_answers"},
}
"""Engine modules that know clash squares and latent letters; all others see pairs, rows and chains."""


def test_other_engine_modules_name_neither_clash_squares_nor_latent_letters() -> None:
    rules, constraints = set[str](), {name: set[str]() for name in CONSTRAINTS_IN_THE_ENGINE}
    for path in (ROOT / "xwtui" / "engine").rglob("*.py"):
        module, text = (
            ".".join(path.relative_to(ROOT / "xwtui" / "engine").with_suffix("").parts),
            path.read_text(),
        )
        if re.search("clash|latent", text, re.IGNORECASE):
            rules.add(module)
        for name, modules in constraints.items():
            if re.search(rf"\b{name}\b", text):
                modules.add(module)
    assert rules == {"repair.closest", "repair.repair"}, "what clashes there is what stands and has no fill"
    assert constraints == CONSTRAINTS_IN_THE_ENGINE


OWN = {
    "Nina": {"where"},
}
"""Names that only one kind of rule defines; any other name would be a misspelled override."""


@pytest.mark.parametrize("kind", [*ENTRY_KINDS, *GRID_KINDS], ids=lambda kind: kind.__name__)
def test_a_rule_overrides_only_names_of_its_base(kind: type[Rule]) -> None:
    asked = {name for base in kind.__mro__[1:] for name in (*vars(base), *vars(base).get("__annotations__", ()))}
    said = {
        name
        for name, value in vars(kind).items()
        if not name.startswith("_") and isinstance(value, FunctionType | property | classmethod)
    }
    assert said - asked == OWN.get(kind.__name__, set())
