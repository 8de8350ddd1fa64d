"""The tour, the traditions page and the library page: their lines and scripts do what the text says."""

import doctest
import inspect
import itertools
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import puz
import pytest

from tests.session.saying import said
from tests.shell.process import user_folders, xwtui
from xwtui import api, insight
from xwtui.engine.budget import ANSWERING_SECONDS, COUNTING_SECONDS, DESIGNING_SECONDS
from xwtui.formats.registry import read_puzzle
from xwtui.model import Kind
from xwtui.model.review import Check, review
from xwtui.resources import puzzles_folder
from xwtui.session.keys.key_map import own_map
from xwtui.session.keys.names import key_cap
from xwtui.session.session import Session
from xwtui.session.verbs.registry import VERBS
from xwtui.session.verbs.searching import VerbSearch
from xwtui.tui.screens.menu import catalogue

PAGE = Path(__file__).parents[2] / "docs" / "tour.md"
_BLOCK = re.compile(r"^```\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_whole_tour_runs(tmp_path: Path) -> None:
    lines = "".join(_BLOCK.findall(PAGE.read_text(encoding="utf-8")))
    done = xwtui("run", "-", environment=user_folders(tmp_path / "home"), stdin=lines, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    grid = read_puzzle(tmp_path / "two-hearts.ipuz").grid
    contents = [square.content for square in grid.squares if square.kind is Kind.OPEN]
    assert None not in contents
    exported = puz.read(str(tmp_path / "two-hearts.puz"))
    assert exported.title == "Two Hearts"
    assert exported.rebus().get_rebus_squares() == [5 * 11 + 9]
    assert exported.solution.replace(".", "") == "".join(str(content).strip("[")[0] for content in contents)


@pytest.mark.parametrize(
    "verb", ["design", "new", "block", "set", "lock", "fill", "improve", "why", "clue", "solve", "save", "export"]
)
def test_the_tour_covers_a_constructors_work(verb: str) -> None:
    blocks = _BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert [line for block in blocks for line in block.splitlines() if line.startswith(f"{verb} ")]


_TASKS = PAGE.read_text(encoding="utf-8").partition("<!-- tasks -->")[2].partition("<!-- end of tasks -->")[0]
TASKS = [re.findall(r"`([^`]+)`", row) for row in _TASKS.splitlines() if row.startswith("| ") and "`" in row]


def test_there_are_twenty_nine_tasks() -> None:
    assert len(TASKS) == 29


@pytest.mark.parametrize("cells", TASKS, ids=itertools.count())
def test_each_task_takes_three_keys_or_one_search(cells: list[str]) -> None:
    *keys, search = cells if cells[0] != "Ctrl+P" else cells[:-1]
    assert 1 <= len(keys) <= 3
    done_by = [one.target for key in keys for one in own_map().bindings if key_cap(one.key) == key]
    assert len(done_by) >= len(keys), "each of them is a key of the program"
    offered = list(catalogue(own_map()))
    first = offered[VerbSearch([item.searchable for item in offered]).found(search)[0][0]]
    assert first.name in (done_by if done_by != ["palette"] else cells[-1:]), search


TRADITIONS = (Path(__file__).parents[2] / "docs" / "traditions.md").read_text(encoding="utf-8")
SECTIONS = [
    TRADITIONS.partition(title)[2].partition("\n## ")[0] for title in ("## Clash squares", "## Messages, initials")
]
RULES = [
    line
    for section in SECTIONS
    for row in section.splitlines()
    if row.startswith("| `")
    for line in re.findall(r"`([^`]+)`", row.split("|")[1])
]
SCRIPT = [
    shlex.split(line)[1:]
    for section in SECTIONS
    for line in section.partition("```sh\n")[2].partition("```")[0].splitlines()
]


@pytest.mark.parametrize("line", RULES)
def test_each_line_of_the_table_is_a_valid_rule(bench: Session, line: str) -> None:
    said(bench, "new 15x15-01 --force", line)
    assert bench.puzzle.rules.grid


@pytest.mark.parametrize("line", SCRIPT, ids=lambda line: line[0])
def test_the_script_does_what_the_page_says(line: list[str], tmp_path: Path) -> None:
    line = [word.replace("puzzles/", f"{puzzles_folder()}/", 1) for word in line]
    done = xwtui(*line, environment=user_folders(tmp_path / "home"), folder=tmp_path)
    if line[0] == "why":
        fault = "only 24 squares can clash" if "clash" in done.stdout else "MANYHAPPYRETURNS along perimeter"
        assert fault in done.stdout
        assert "(a fill was found)" in done.stdout
        return
    assert done.returncode == 0, done.stderr
    filled = read_puzzle(tmp_path / line[-1])
    assert filled.grid.is_filled
    assert filled.rules.grid
    assert Check.BROKEN_RULE not in {finding.rule for finding in review(filled)}


def test_lines_about_linked_lights_give_the_shown_answers(tmp_path: Path) -> None:
    dialogue = TRADITIONS.partition("## Linked lights")[2].split("```")[1].strip()
    lines = [line.removeprefix(": ") for line in dialogue.splitlines() if line.startswith(": ")]
    session = Session(journal_folder=tmp_path)
    answers = [f": {line}\n{said(session, line)}" for line in lines]
    session.close()
    assert "\n".join(answers).splitlines() == [line.rstrip() for line in dialogue.splitlines()]


ROOT = Path(__file__).parents[2]
API_PAGE = ROOT / "docs" / "api.md"
_API_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "puzzles").symlink_to(ROOT / "puzzles")
    monkeypatch.chdir(tmp_path)
    text = API_PAGE.read_text(encoding="utf-8")
    blocks = _API_BLOCK.findall(text)
    assert len(blocks) == text.count("\n```python\n") > 5
    test = doctest.DocTestParser().get_doctest("".join(blocks), {}, API_PAGE.name, str(API_PAGE), 0)
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
"""The verb equivalent to each function."""

SAID_OTHERWISE = {
    "objective": "by",
    "directions": "direction",
    "is_quick": "quick",
    "size": "dimensions",
}
OF_PYTHON = {"cancelled", "progress", "better", "words", "folder", "clock"}
"""Parameters that a verb takes from its session."""
FROM_PYTHON_ALONE = {
    "count": {"allow_repeats"},
    "candidates": {"allow_repeats"},
    "why": {"allow_repeats", "trying", "seed", "threads"},  # the tried word is an argument
    "whatif blocks": {"allow_repeats", "seed", "threads"},
}
"""Parameters for which verbs have no option."""


@pytest.mark.parametrize("function", ASKED_IN_BOTH, ids=lambda function: function.__name__)
def test_python_parameters_have_options_in_the_verb(function: Callable[..., object]) -> None:
    verb = ASKED_IN_BOTH[function]
    options = {str(option.name) for option in VERBS[verb].options}
    shared = insight.DesignKeywords if function is insight.design else api.SearchKeywords
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
def test_verbs_document_pythons_time_limits(verb: str, seconds: float) -> None:
    option = next(each for each in VERBS[verb].options if each.name == "seconds")
    assert f"(default: {seconds:g})" in str(option.help)
    assert option.default == f"{seconds:g}" or verb == "design"  # where 0 means no limit
