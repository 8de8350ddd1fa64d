"""The messages that a session sends to its listener; most may be posted from a worker thread.

Messages with figures carry the revision that the figures are for. A face drops those older than
`Session.revision`.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, dataclass_transform

from xwtui.dataclasses import dataclass
from xwtui.engine.candidates.estimate import CandidateEstimate, CandidateOrder
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.session.run_view import RunView
from xwtui.text import printable

with lazy_imports():
    from xwtui.batch.races.task import RaceView
    from xwtui.engine.candidates.options import LetterTable, SlotOptions
    from xwtui.engine.count.estimate import Estimate
    from xwtui.engine.loading_step import LoadingStep
    from xwtui.engine.problem.no_fill import UntriedWays
    from xwtui.engine.what_if.ranking import Outlook
    from xwtui.model.block_changes import BlockChange
    from xwtui.model.statistics import LayoutFigures
    from xwtui.session.answers import VerbAnswer
    from xwtui.session.jobs.question import Findings, Question

_LONGEST_SAVED = 200


class EnginePhase(enum.Enum):
    """The loading state of the fill engine."""

    LOADING = "loading"
    COMPILING = "compiling"
    READY = "ready"
    FAILED = "failed"


class Severity(enum.Enum):
    """How important a notice is; the values are Textual's."""

    INFORMATION = "information"
    WARNING = "warning"
    ERROR = "error"


@dataclass_transform(frozen_default=True)
class Message:
    """A message from the session; each kind of message is a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class PuzzleChanged(Message):
    """The puzzle has changed by an edit, undo, redo, or another document; `label` names the change."""

    label: str


class CursorMoved(Message):
    """The cursor has moved or changed its direction."""


class SelectionChanged(Message):
    """The selection has changed or was cleared."""


class LexiconReady(Message):
    """The word lists are loaded, with `words` usable words; `notices` report skipped lines.

    For the first load, at the start, `lists` names the lists and `state` identifies the versions of their files.
    Both are empty for later loads.
    """

    words: int
    seconds: float
    notices: tuple[str, ...] = ()
    lists: str = ""
    state: str = ""


class LexiconFailed(Message):
    """The puzzle's word lists could not be loaded; there are no words until it names other lists."""

    message: str
    needs_confirmation: bool = False
    """Whether the cause is that its file names lists elsewhere, so that a face can ask: see `trust_question`."""


class EngineState(Message):
    """The engine's loading progress."""

    phase: EnginePhase
    step: LoadingStep | None = None
    """The step in progress. If searches are READY already, they do not need this step."""
    failure: str = ""
    """The reason, if the phase is FAILED."""

    @property
    def later(self) -> LoadingStep | None:
        """The step still in progress after searches are ready; they do not need it."""
        return self.step if self.phase is EnginePhase.READY else None

    @property
    def is_compiling(self) -> bool:
        """Whether something is still compiling; searches may be ready before counting is."""
        return self.step is not None and self.step.is_compiling

    @property
    def text(self) -> str:
        """The state as text that is safe to show."""
        if self.phase is EnginePhase.FAILED:
            return self.failure
        if self.phase is EnginePhase.READY:
            return "engine ready" if self.step is None else f"engine ready; {self.step}"
        return "loading the engine" if self.step is None else str(self.step)


class OptionsReady(Message):
    """The number of words that each entry can take.

    If `propagated` is False, the engine is still loading, and both counts are based on the pattern alone. A
    `reason` states why no fill exists, if that is proved. `culprits` are the entries to blame for it, and
    `untried` is what the proof does not cover.
    """

    revision: int
    options: Mapping[str, SlotOptions]
    reason: str = ""
    propagated: bool = True
    culprits: tuple[str, ...] = ()
    untried: UntriedWays | None = None


NOTHING_COUNTED = OptionsReady(-1, {}, propagated=False)


class EstimateReady(Message):
    """The approximate number of remaining fills; a rough estimate is followed by finer ones."""

    revision: int
    estimate: Estimate


class LettersReady(Message):
    """The letters that each square can still take, and their shares of the fills."""

    revision: int
    letters: LetterTable


class LiveFillReady(Message):
    """The empty squares' contents in a fill that agrees with the grid, or the reason why there is none."""

    revision: int
    squares: Mapping[Position, Content]
    reason: str = ""
    is_searching: bool = False
    """Whether the search goes on; the squares then are those of the previous fill that still agree."""
    proves_no_fill: bool = False
    """Whether no fill exists, even if pencil is replaced."""


class LayoutHint(NamedTuple):
    """A way to complete a grid's blocks, with the resulting layout figures and what is known of its fills."""

    change: BlockChange
    figures: LayoutFigures
    outlook: Outlook


class LayoutHintsReady(Message):
    """Ways to complete the present blocks, best first, and the one to show; or the reason why there is none."""

    revision: int
    hints: tuple[LayoutHint, ...] = ()
    shown: int = 0
    reason: str = ""
    is_complete: bool = False


class CandidatesReady(Message):
    """The words that fit one entry, dead ones last. A second message adds how many fills each one leaves."""

    revision: int
    entry: str
    candidates: Sequence[CandidateEstimate]
    order: CandidateOrder = CandidateOrder.SCORE


class EstimatesChanged(Message):
    """News about some of an entry's candidates, in no order: their estimate, a fill, or that they are dead."""

    revision: int
    entry: str
    estimates: tuple[CandidateEstimate, ...]


class FillProgress(Message):
    """A search has progressed or paused."""

    run: RunView


class FillEnded(Message):
    """A search has ended or run out of time; in that case `run.paused` tells whether `continue` resumes it."""

    run: RunView


class LookAhead(NamedTuple):
    """Copeland's estimate: the entries' numbers of options, summed over `levels` levels of best words."""

    levels: int
    options: int

    def brief(self) -> str:
        """Return the estimate in short, such as `look-ahead 2: 12,345 options`."""
        return f"look-ahead {self.levels}: {self.options:,} options"

    def describe(self) -> str:
        """Return the estimate in full, such as `2 levels ahead: 12,345 options (Copeland's estimate)`."""
        return (
            f"{self.levels} level{'s' * (self.levels != 1)} ahead: {self.options:,} options (Copeland's estimate)"
        )


class CountEnded(Message):
    """The requested count has ended."""

    revision: int
    estimate: Estimate
    look_ahead: LookAhead | None = None
    """Copeland's estimate, if it was requested too."""


class AnswerReady(Message):
    """A result of a verb that works in the background; after `is_last`, no better one follows."""

    revision: int
    answer: VerbAnswer
    is_last: bool = False


class QuestionAsked(Message):
    """A question about the grid is being answered, replacing any other."""

    revision: int
    question: Question


class FindingsReady(Message):
    """A question's findings so far; after `is_last`, no better ones follow."""

    revision: int
    findings: Findings
    is_last: bool = False


class JobFailed(Message):
    """A job stopped on an error; the face continues."""

    message: str
    """The first line says what went wrong, further lines give details."""

    @property
    def headline(self) -> str:
        return next(iter(self.message.splitlines()), "")


class QuestionFailed(JobFailed):
    """A question about the grid could not be answered."""


class RaceMoved(Message):
    """The race has progressed."""

    view: RaceView


class RaceEnded(Message):
    """The race has ended or was stopped."""

    view: RaceView


class RaceFailed(JobFailed):
    """The race could not be run."""


class ArgumentRefused(JobFailed):
    """An argument against the search was refused; the search stays where it was."""


class Saved(Message):
    """The puzzle is saved to disk; `left_out` says what is shown but is not in the file."""

    path: Path
    left_out: str = ""

    @property
    def words(self) -> str:
        return "; ".join(filter(None, (self._file_words, self.left_out)))

    @property
    def _file_words(self) -> str:
        folder = self.path.parent
        with suppress(OSError):  # the working directory may be gone
            if folder.absolute() == Path.cwd():
                return f"saved {self.path.name}"
        home = Path.home()
        shown = Path("~", folder.relative_to(home)) if folder.is_relative_to(home) else folder
        return printable(f"saved {self.path.name} in {shown}", _LONGEST_SAVED)


class Notice(Message):
    """Something to mention to the constructor."""

    text: str
    severity: Severity = Severity.INFORMATION


def ignore(message: Message) -> None:
    """Ignore all messages."""
