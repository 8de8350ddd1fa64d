"""The same seeds make the same fills, searches and answers as ever."""

import json

import pytest

from tests.engine.golden_cases import GOLDENS, cases

CASES = cases()
RECORDED = json.loads(GOLDENS.read_text(encoding="utf-8"))


def test_every_case_is_recorded() -> None:
    assert sorted(CASES) == sorted(RECORDED)


@pytest.mark.parametrize("name", CASES)
def test_the_answer_is_the_one_recorded(name: str) -> None:
    assert json.loads(json.dumps(CASES[name]())) == RECORDED[name]
