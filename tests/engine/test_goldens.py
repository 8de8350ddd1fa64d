"""The same seeds make the same fills, searches and answers as recorded."""

import json

import pytest

from tests.engine.golden_cases import GOLDENS, cases
from tests.examples import is_deep

CASES = cases()
SLOW = {"exact count"}
"""Takes ten seconds; `count/test_exact.py` compares small exact counts with a naive count."""
RECORDED = json.loads(GOLDENS.read_text(encoding="utf-8"))


def test_every_case_is_recorded() -> None:
    assert sorted(CASES) == sorted(RECORDED)


@pytest.mark.parametrize("name", [name for name in CASES if is_deep() or name not in SLOW])
def test_the_answer_is_the_one_recorded(name: str) -> None:
    assert json.loads(json.dumps(CASES[name]())) == RECORDED[name]
