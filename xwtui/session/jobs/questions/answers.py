"""How each question is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from xwtui.session.jobs.questions.explaining import explain_why
from xwtui.session.jobs.questions.question import (
    BlocksQuestion,
    HeatQuestion,
    Question,
    ThemersQuestion,
    WhyQuestion,
)
from xwtui.session.jobs.questions.ranking import measure_heat, rank_blocks, rank_themers

if TYPE_CHECKING:
    from xwtui.engine.task import Task
    from xwtui.model.symmetry import Symmetry
    from xwtui.session.jobs.questions.findings import Findings, IsOver, Tell


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
