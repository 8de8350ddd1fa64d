"""The same seeds make the same fills, searches and answers as ever."""

import json

import pytest

from tests.engine.golden_cases import GOLDENS, compute

RECORDED = json.loads(GOLDENS.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def computed() -> dict[str, object]:
    """All cases, as JSON gives them back."""
    answers: dict[str, object] = json.loads(json.dumps(compute()))
    return answers


def test_every_case_is_recorded(computed: dict[str, object]) -> None:
    assert sorted(computed) == sorted(RECORDED)


@pytest.mark.parametrize("name", RECORDED)
def test_the_answer_is_the_one_recorded(name: str, computed: dict[str, object]) -> None:
    assert computed[name] == RECORDED[name]
