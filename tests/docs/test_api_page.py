"""The examples of docs/api.md do what the page says, and what Python can ask is what the verbs can."""

import doctest
import inspect
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from xwtui import api, insight
from xwtui.engine.budget import ANSWERING_SECONDS, COUNTING_SECONDS, DESIGNING_SECONDS
from xwtui.session.verbs.registry import VERBS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "api.md"
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "puzzles").symlink_to(ROOT / "puzzles")
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    blocks = _BLOCK.findall(text)
    assert len(blocks) == text.count("\n```python\n") > 5
    test = doctest.DocTestParser().get_doctest("".join(blocks), {}, PAGE.name, str(PAGE), 0)
    ran = doctest.DocTestRunner().run(test)
    assert ran.attempted == text.count("\n>>> ")
    assert ran.failed == 0


ASKED_IN_BOTH = {
    api.fill: "fill",
    api.improve: "improve",
    api.count: "count",
    api.candidates: "candidates",
    api.explain: "why",
    api.what_if: "whatif blocks",
    insight.design: "design",
}
"""The verb that does the same as a function."""

SAID_OTHERWISE = {
    "objective": "by",
    "directions": "direction",
    "is_quick": "quick",
    "most_words": "max_words",
    "most_blocks": "max_blocks",
}
OF_PYTHON = {"cancelled", "progress", "better", "words", "folder", "clock"}
"""What a verb has from its session."""
FROM_PYTHON_ALONE = {
    "count": {"allow_repeats"},
    "candidates": {"allow_repeats"},
    "why": {"allow_repeats", "trying", "seed", "threads"},  # the word that is tried is an argument
    "whatif blocks": {"allow_repeats", "seed", "threads"},
}
"""What the verbs have no option for."""


@pytest.mark.parametrize("function", ASKED_IN_BOTH, ids=lambda function: function.__name__)
def test_what_is_asked_from_python_is_an_option_of_the_verb(function: Callable[..., object]) -> None:
    verb = ASKED_IN_BOTH[function]
    options = {str(option.name) for option in VERBS[verb].options}
    shared = insight.DesignAsked if function is insight.design else api.SearchAsked
    told = inspect.signature(function).parameters.values()
    own = {each.name for each in told if each.kind is inspect.Parameter.KEYWORD_ONLY}
    asked = {SAID_OTHERWISE.get(name, name) for name in (own | shared.__annotations__.keys()) - OF_PYTHON}
    assert asked - options == FROM_PYTHON_ALONE.get(verb, set())


@pytest.mark.parametrize(
    ("verb", "seconds"),
    [
        ("count", COUNTING_SECONDS),
        ("shares", COUNTING_SECONDS),
        ("why", ANSWERING_SECONDS),
        ("whatif blocks", ANSWERING_SECONDS),
        ("whatif themers", ANSWERING_SECONDS),
        ("heat", ANSWERING_SECONDS),
        ("design", DESIGNING_SECONDS),
    ],
)
def test_verbs_tell_the_seconds_that_python_takes(verb: str, seconds: float) -> None:
    option = next(each for each in VERBS[verb].options if each.name == "seconds")
    assert f"(default: {seconds:g})" in str(option.help)
    assert option.default == f"{seconds:g}" or verb == "design"  # whose 0 is no limit
