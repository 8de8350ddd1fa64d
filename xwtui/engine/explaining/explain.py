"""Why a grid cannot be filled, or why a word cannot stand at an entry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

from xwtui.engine.crew import never
from xwtui.engine.explaining.choices import ChoiceKind
from xwtui.engine.explaining.conflict import Answer, Explanation
from xwtui.engine.explaining.finding_conflicts import ConflictFinder, Look
from xwtui.engine.explaining.grounds import Grounds
from xwtui.engine.explaining.healing import Healer
from xwtui.engine.explaining.judge import Finding, Judge, OutOfTimeError
from xwtui.engine.task import Task

_MOST_CONFLICTS = 8


def explain(
    task: Task,
    *,
    trying: tuple[str, str] | None = None,
    seconds: float | None = None,
    seed: int = 0,
    cancelled: Callable[[], bool] = never,
    found: Callable[[Explanation], None] | None = None,
) -> Explanation:
    """Explain why a task has no fill: smallest conflicts among what was chosen, and verified remedies.

    With `trying`, an entry's name and a word, it explains why that word cannot stand there. `found` is
    called with each better explanation, the last of which is returned, too. Ends after `seconds`, or
    within 100 ms after `cancelled` says so, with what it has found by then. Raises EngineError for a
    task that the engine cannot take on, and for a word that does not fit its entry's squares.
    """
    return _Explaining(Grounds(task, trying), Judge(seconds, cancelled, seed), found).run()


class _Explaining:
    """One explanation as it grows."""

    def __init__(self, grounds: Grounds, judge: Judge, found: Callable[[Explanation], None] | None) -> None:
        self._grounds = grounds
        self._judge = judge
        self._found = found
        self._begin = perf_counter()
        self._so_far = Explanation(Answer.UNKNOWN)

    def run(self) -> Explanation:
        """Find the conflicts, then remedies."""
        try:
            self._find_conflicts()
            self._find_remedies()
            self._tell(is_complete=True)
        except OutOfTimeError:
            is_open = self._so_far.answer is Answer.UNKNOWN
            self._tell(**({"answer": Answer.CANCELLED} if is_open and self._judge.was_cancelled else {}))
        return self._so_far

    def _tell(self, **better: Any) -> None:
        self._so_far = replace(self._so_far, seconds=perf_counter() - self._begin, **better)
        if self._found is not None:
            self._found(self._so_far)

    def _find_conflicts(self) -> None:
        """One conflict after the other, each among the choices that no earlier one has."""
        finder = ConflictFinder(self._grounds, self._judge)
        while len(self._so_far.conflicts) < _MOST_CONFLICTS:
            spent = {choice for conflict in self._so_far.conflicts for choice in conflict.choices}
            look = finder.look([choice for choice in self._grounds.choices if choice not in spent])
            if not self._so_far.conflicts:
                self._tell(**_first_answer(look))
            if look.conflict is None or (self._so_far.conflicts and not look.verdict.finding.is_impossible):
                return
            self._tell(conflicts=(*self._so_far.conflicts, look.conflict))
            if look.conflict.choices[0].kind is ChoiceKind.LAYOUT:
                return

    def _find_remedies(self) -> None:
        conflicts = self._so_far.conflicts
        for conflict in conflicts:
            others = [other for other in conflicts if other is not conflict]
            for remedy in Healer(self._grounds, conflict, others, self._judge).remedies():
                self._tell(remedies=(*self._so_far.remedies, remedy))


def _first_answer(look: Look) -> dict[str, Any]:
    """What the first look, at all choices, says of the grid."""
    if look.verdict.finding is Finding.FILLED:
        return {"answer": Answer.FILLABLE, "fill": look.verdict.fill}
    return {"answer": Answer.IMPOSSIBLE if look.verdict.finding.is_impossible else Answer.UNKNOWN}
