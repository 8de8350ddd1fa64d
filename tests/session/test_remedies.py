"""Every kind of remedy: offered where it helps, made by a number, and taken back by one undo."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.session.saying import do
from xwtui.model import Puzzle, WordChoice
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line

CASES = {
    "change a letter": (["set r1c1 Q"], "change Q at r1c1 to B"),
    "unlock an entry": (["set 1A TAG", "lock 1A"], "unlock and take TAG out of 1A; BIT would do"),
    "take an answer out": (["set 1A OXO"], "take OXO out of 1A; BIT would do"),
    "allow a banned word": (["ban TEN"], "allow TEN again, at 3D"),
    "lower one entry": (
        ["words --min-score 46", "set 1A BAG"],
        "lower the minimum score of 2D to 45: ACE would help",
    ),
    "lower all entries": (["words --min-score 71"], "lower the lowest score of the whole grid to 45"),
    "drop a rule": (["rule 1A --match X.*"], "drop the rule that 1A matches X.*"),
}
SWAPPED = ("ABC DEF GHI ADG BEH CFI", "GHI JKL MNO GJM HKN ILO", "PQR STU ABC PSA QTB RUC")
"""Three fills of a 3x3, rows and then columns: GHI may stand below ABC, and above others, but not above ABC."""


@pytest.mark.parametrize(("lines", "remedy"), CASES.values(), ids=CASES)
def test_a_remedy_is_offered_made_and_taken_back(small: Session, lines: list[str], remedy: str) -> None:
    """After it there is a fill; before it there was none."""
    _is_offered_made_and_taken_back(small, lines, remedy)


def test_two_theme_answers_are_swapped(bench: Session, tmp_path: Path) -> None:
    """Where each may stand, but not both so."""
    listed = tmp_path / "swapped.dict"
    listed.write_text("\n".join(";50\n".join(words.split()) + ";50" for words in SWAPPED))
    bench.new(replace(Puzzle.blank(3, 3), words=WordChoice(lists=(str(listed),))))
    lines = ["set 1A GHI", "set 5A ABC"]
    _is_offered_made_and_taken_back(bench, lines, "swap GHI at 1A and ABC at 5A")


def _is_offered_made_and_taken_back(small: Session, lines: Sequence[str], remedy: str) -> None:
    for line in lines:
        run_line(small, line)
    before = small.puzzle
    do(small, "why --time 600")
    assert small.jobs.question.findings is not None
    assert small.jobs.question.findings.is_possible is False
    offered = [proposal.text for proposal in small.jobs.question.findings.proposals]
    assert remedy in offered
    assert len({proposal.key for proposal in small.jobs.question.findings.proposals}) == len(offered)
    run_line(small, f"follow {offered.index(remedy) + 1}")
    assert small.puzzle != before
    do(small, "why --time 600")
    assert small.jobs.question.findings.is_possible
    small.undo()
    assert small.puzzle == before
