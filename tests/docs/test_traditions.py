"""The page about traditions: what it types is a rule, and what its script makes is filled as it says."""

import re
import shlex
from pathlib import Path

import pytest

from tests.session.saying import said
from tests.shell.process import user_folders, xwtui
from xwtui.formats.registry import read_puzzle
from xwtui.model.review import Check, review
from xwtui.resources import puzzles_folder
from xwtui.session.session import Session

PAGE = (Path(__file__).parents[2] / "docs" / "traditions.md").read_text(encoding="utf-8")
SECTIONS = [
    PAGE.partition(title)[2].partition("\n## ")[0] for title in ("## Clash squares", "## Messages, initials")
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
def test_each_line_of_the_table_is_a_rule(bench: Session, line: str) -> None:
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


def test_the_lines_about_linked_lights_answer_what_they_show(tmp_path: Path) -> None:
    dialogue = PAGE.partition("## Linked lights")[2].split("```")[1].strip()
    lines = [line.removeprefix(": ") for line in dialogue.splitlines() if line.startswith(": ")]
    session = Session(journal_folder=tmp_path)
    answers = [f": {line}\n{said(session, line)}" for line in lines]
    session.close()
    assert "\n".join(answers).splitlines() == [line.rstrip() for line in dialogue.splitlines()]
