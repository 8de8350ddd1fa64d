"""A rule is one file: one that is written here, of cardinalities alone, is kept by every fill and judged."""

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

from tests.engine.agreement import check_fills
from tests.engine.problem.rule_cases import LETTERS, problem_of, whole_grid_case
from tests.examples import examples
from tests.naive.rules import Case, TooManyTriesError, fills, leaves_nothing_empty
from tests.naive.rules import given as given_content
from xwtui.errors import EngineError
from xwtui.model import Content, Grid, Position, Rules
from xwtui.model.rules.base import GridRule, Rule
from xwtui.model.rules.clash import ClashSquares
from xwtui.model.rules.constraints import AnswerCount, Constraint, LetterCount, TwoReadings
from xwtui.model.rules.registry import ENTRY_KINDS, GRID_KINDS
from xwtui.strategies.board import WholeGrid

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Quota(GridRule):
    """So many squares hold a letter, and so many answers are names."""

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
        """Anything goes."""

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
def test_fills_are_those_of_the_naive_twin(seed: int) -> None:
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


def test_letters_are_not_counted_where_a_square_may_read_two_ways() -> None:
    quota, clash = Quota("A", 0, 1, 0), ClashSquares(TwoReadings(least=1))
    case = Case(Grid.blank(3, 3), {"ABC": 50}, rules=Rules(grid=(quota, clash)))
    with pytest.raises(EngineError, match="may read two ways"):
        problem_of(case)


KNOWN_ELSEWHERE = {
    "MinimumScore": {"engine.explain.explanation"},  # which propose another score
    "Pattern": {"engine.explain.explanation", "engine.problem.task"},
    "SharedStems": {
        "engine.improve.plain_fill",
        "words.repeats",
        "words.rule_findings",
    },  # without a rule, too
    "Barred": {"session.jobs.question_job", "session.kept_out"},
    "Pangram": {"engine.warmup"},
    "Nina": {"session.verbs.marks"},  # whose `spell` writes one
    "RebusPlacing": {"model"},
}
"""Who outside of `model/rules` names a kind of rule, by its class; all others know constraints alone."""


def test_nothing_else_names_a_rule() -> None:
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
    "two_readings": {"problem.task", "problem.squares"},  # where squares are split, and what is asked of the pairs
    "treated_entries": {"problem.task", "problem.treated_words", "problem.told_answers"},
}
"""Where the engine knows what clash squares and latent letters come to; all else sees pairs, rows and chains."""


def test_the_engine_names_neither_clash_squares_nor_latent_letters() -> None:
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
    "RebusPlacing": {"asked"},
    "Nina": {"where"},
}
"""What a kind of rule says that no other one does; any other name would be one that its base has otherwise."""


@pytest.mark.parametrize("kind", [*ENTRY_KINDS, *GRID_KINDS], ids=lambda kind: kind.__name__)
def test_a_rule_says_what_its_base_asks(kind: type[Rule]) -> None:
    asked = {name for base in kind.__mro__[1:] for name in (*vars(base), *vars(base).get("__annotations__", ()))}
    said = {
        name
        for name, value in vars(kind).items()
        if not name.startswith("_") and isinstance(value, FunctionType | property | classmethod)
    }
    assert said - asked == OWN.get(kind.__name__, set())
