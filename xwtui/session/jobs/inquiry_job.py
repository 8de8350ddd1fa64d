"""What a verb works out about the puzzle as it is, in one go, beside the face."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from xwtui.errors import VerbError
from xwtui.model import Puzzle
from xwtui.session.jobs.context import JobContext
from xwtui.session.jobs.scheduler import IsStopped
from xwtui.session.messages import AnswerReady, JobFailed

if TYPE_CHECKING:
    from xwtui.engine.problem.problem import Problem
    from xwtui.session.answers import VerbAnswer
    from xwtui.words.vocabulary import Vocabulary


@dataclass(frozen=True)
class Inquiry:
    """What the work of a verb is given."""

    vocabulary: Vocabulary
    """The words of the puzzle."""
    is_stopped: IsStopped
    tell: Callable[[VerbAnswer], None]
    """Takes what is known so far."""
    pose: Callable[[], Problem]
    """Lays out what the puzzle asks."""

    @cached_property
    def problem(self) -> Problem:
        """What the puzzle asks, with its words; the counting of fills is loaded."""
        return self.pose()


_Kind = TypeVar("_Kind", bound="VerbAnswer")
InquiryWork: TypeAlias = "Callable[[Inquiry], VerbAnswer]"
"""Works an answer out, in the thread of the job; once stopped, it returns what it has by then."""


class Look(NamedTuple):
    """What work is given that needs neither the words of the puzzle nor its fills."""

    is_stopped: IsStopped
    tell: Callable[[VerbAnswer], None]
    """Takes what is known so far."""


LookWork: TypeAlias = "Callable[[Look], VerbAnswer | None]"
"""The same for such work; None where it was stopped before it could begin."""


class _InquiryRequest(NamedTuple):
    revision: int
    work: LookWork


class InquiryJob:
    """Does the work of the newest verb that needs a while for its answer, and tells each better answer."""

    def __init__(self, context: JobContext) -> None:
        self.view: VerbAnswer | None = None
        """What was found last, or so far; None where nothing is known."""
        self._of_kinds: dict[type[VerbAnswer], VerbAnswer] = {}
        self._context = context
        self._lock = threading.Lock()
        self._asked: _InquiryRequest | None = None
        self._worker = context.scheduler.worker("inquiry", self._work, self._fail)

    def start(self, work: InquiryWork, *, designing: bool = False) -> None:
        """Work an answer out for the puzzle as it is; AnswerReady tells it, the last with `is_last`.

        What is designed needs the improving of fills and the drawing of layouts, too.
        """
        self._context.start_loading()
        self._ask(partial(self._inquire, self._context.snapshot().puzzle, work, designing))

    def look(self, work: LookWork, *, drawing: bool = False) -> None:
        """The same for an answer that needs neither words nor engine, but for the drawing of layouts if said."""
        self._ask(partial(self._draw, work) if drawing else work)

    def _ask(self, work: LookWork) -> None:
        with self._lock:
            self.view = None
            self._asked = asked = _InquiryRequest(self._context.snapshot().revision, work)
        self._worker.submit(asked)

    @property
    def is_running(self) -> bool:
        """Whether there is work that goes on."""
        return self._worker.is_busy

    def stop(self) -> bool:
        """Let go of the work, which still tells what it has; returns whether any went on."""
        return self._worker.interrupt()

    def answer(self) -> VerbAnswer:
        """What was found; raises VerbError where the work was stopped before anything was known."""
        if self.view is None:
            raise VerbError("stopped before anything was known")
        return self.view

    def last(self, kind: type[_Kind]) -> _Kind | None:
        """What was found last, or so far, of a kind, whatever was asked since; None where nothing was."""
        found = self._of_kinds.get(kind)
        return found if isinstance(found, kind) else None

    def _work(self, asked: _InquiryRequest, is_stopped: IsStopped) -> None:
        answer = asked.work(Look(is_stopped, lambda found: self._tell(asked, found)))
        if answer is not None:
            self._tell(asked, answer, is_last=True)

    def _draw(self, work: LookWork, look: Look) -> VerbAnswer | None:
        return work(look) if self._context.engine.wait_for_drawing(look.is_stopped) else None

    def _inquire(self, puzzle: Puzzle, work: InquiryWork, designing: bool, look: Look) -> VerbAnswer | None:
        """Do work for a puzzle once all is loaded that it needs."""
        context, engine = self._context, self._context.engine
        vocabulary = context.words.wait(look.is_stopped)
        if vocabulary is None or not engine.wait_for_counting(look.is_stopped, puzzle.rules):
            return None
        waits = (engine.wait_for_improving, engine.wait_for_drawing) if designing else ()
        if not all(wait(look.is_stopped) for wait in waits):
            return None
        specification = context.specification(puzzle, vocabulary)
        return work(
            Inquiry(vocabulary, look.is_stopped, look.tell, lambda: context.problems.problem(specification))
        )

    def _tell(self, asked: _InquiryRequest, answer: VerbAnswer, *, is_last: bool = False) -> None:
        with self._lock:
            if asked is not self._asked:
                return
            self.view = self._of_kinds[type(answer)] = answer
        self._context.post(AnswerReady(asked.revision, answer, is_last=is_last))

    def _fail(self, message: str) -> None:
        self._context.post(JobFailed(f"there is no answer: {message}"))
