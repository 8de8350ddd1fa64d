"""Why a grid cannot be filled, told for every face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from xwtui.engine.explaining.conflict import Answer, Conflict, Explanation
from xwtui.engine.explaining.explain import explain
from xwtui.engine.explaining.remedies import ChangeSquare, Remedy
from xwtui.session.jobs.questions.findings import Findings, IsOver, Proposal, Tell

if TYPE_CHECKING:
    from xwtui.engine.task import Task
    from xwtui.session.jobs.questions.question import WhyQuestion


def explain_why(question: WhyQuestion, task: Task, is_over: IsOver, tell: Tell) -> Findings:
    """Explain, telling each better explanation."""
    trying = (question.entry, question.word) if question.word else None
    explanation = explain(
        task,
        trying=trying,
        seconds=question.seconds,
        cancelled=is_over,
        found=lambda so_far: tell(_findings(question, so_far)),
    )
    return _findings(question, explanation)


def _findings(question: WhyQuestion, explanation: Explanation) -> Findings:
    subject = f"{question.word} at {question.entry}" if question.word else "the grid"
    conflicts = explanation.conflicts
    return Findings(
        title=question.title,
        answer=_answer(subject, explanation),
        lines=tuple(line for number, conflict in enumerate(conflicts, 1) for line in _lines(number, conflict)),
        proposals=_proposals(explanation.remedies),
        entries=tuple(dict.fromkeys(name for conflict in conflicts for name in conflict.entries)),
        is_possible={Answer.FILLABLE: True, Answer.IMPOSSIBLE: False}.get(explanation.answer),
        progress=_progress(explanation),
        seconds=explanation.seconds,
        is_complete=explanation.is_complete,
        as_json=_as_json(explanation),
    )


def _answer(subject: str, explanation: Explanation) -> str:
    number = len(explanation.conflicts)
    told = f"{number} {'conflict' if number == 1 else 'conflicts'}"
    match explanation.answer:
        case Answer.FILLABLE:
            return f"{subject} can be filled" if subject == "the grid" else f"{subject}: a fill was found"
        case Answer.IMPOSSIBLE:
            return f"{subject} cannot be filled" + (f": {told}" if number else "")
        case Answer.UNKNOWN if number:
            return f"neither a fill nor a proof was found in the time; {told} suspected"
        case _:
            return "neither a fill nor a proof was found in the time"


def _lines(number: int, conflict: Conflict) -> list[str]:
    where = conflict.describe_entries()
    lines = [f"{number}. {conflict.describe()}{f', {where}' if where else ''}"]
    if conflict.reason:
        lines.append(f"   {conflict.reason}")
    if not conflict.is_smallest:
        lines.append("   perhaps some of it could be left out: that was not proved in the time")
    return lines


def _proposals(remedies: Sequence[Remedy]) -> tuple[Proposal, ...]:
    """A proposal for each remedy; what else a square may be changed to comes after those."""
    first: list[Remedy] = []
    others: list[Remedy] = []
    for remedy in remedies:
        ways = remedy.single if isinstance(remedy, ChangeSquare) and remedy.single else (remedy,)
        first.append(ways[0])
        others += ways[1:]
    return tuple(map(_proposal, (*first, *others)))


def _proposal(remedy: Remedy) -> Proposal:
    remark = "a fill was found" if remedy.settles_all else "settles this conflict; another remains"
    fill = remedy.fill if remedy.settles_all else {}
    return Proposal(remedy.describe(), remark, remedy.apply, fill, brief=remedy.brief())


def _progress(explanation: Explanation) -> str:
    if explanation.is_complete or explanation.answer is Answer.CANCELLED:
        return ""
    return "looking for remedies" if explanation.conflicts else "looking for a conflict"


def _as_json(explanation: Explanation) -> Mapping[str, Any]:
    return {
        "answer": explanation.answer.value,
        "complete": explanation.is_complete,
        "seconds": round(explanation.seconds, 3),
        "conflicts": [
            {
                "choices": [{"kind": choice.kind.value, "text": choice.describe()} for choice in conflict.choices],
                "certainty": conflict.certainty.value,
                "smallest": conflict.is_smallest,
                "entries": list(conflict.entries),
                "reason": conflict.reason,
            }
            for conflict in explanation.conflicts
        ],
        "remedies": [
            {
                "kind": remedy.kind,
                "text": remedy.describe(),
                "settles_all": remedy.settles_all,
                "answers": dict(remedy.answers),
            }
            for remedy in explanation.remedies
        ],
    }
