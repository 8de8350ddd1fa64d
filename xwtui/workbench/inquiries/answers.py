"""How each question is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from xwtui.workbench.inquiries.explaining import explain_why
from xwtui.workbench.inquiries.question import (
    BlocksQuestion,
    HeatQuestion,
    Question,
    ThemersQuestion,
    WhyQuestion,
)
from xwtui.workbench.inquiries.ranking import measure_heat, rank_blocks, rank_themers

if TYPE_CHECKING:
    from xwtui.engine.task import Task
    from xwtui.model import Symmetry
    from xwtui.workbench.inquiries.findings import Findings, IsOver, Tell


def answer(question: Question, task: Task, symmetry: Symmetry, is_over: IsOver, tell: Tell) -> Findings:
    """Find the answer, telling each better one; raises XwtuiError for what makes no question."""
    match question:
        case WhyQuestion():
            return explain_why(question, task, is_over, tell)
        case BlocksQuestion():
            return rank_blocks(question, task, symmetry, is_over, tell)
        case ThemersQuestion():
            return rank_themers(question, task, symmetry, is_over, tell)
        case HeatQuestion():
            return measure_heat(question, task, is_over)
        case _:
            assert_never(question)
