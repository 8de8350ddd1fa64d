"""What the session tells its listener; most of it may be posted from a worker thread.

Messages that hold figures carry the revision they were reckoned for: a face drops what is older than
`Session.revision`.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import dataclass_transform

from xwtui.dataclasses import dataclass
from xwtui.engine.candidates.estimate import CandidateEstimate, CandidateOrder
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.named_tuples import NamedTuple
from xwtui.session.run_view import RunView
from xwtui.text import printable

with lazy_imports():
    from xwtui.engine.candidates.options import LetterTable, SlotOptions
    from xwtui.engine.count.estimate import Estimate
    from xwtui.engine.loading_step import LoadingStep
    from xwtui.engine.problem.no_fill import Untried
    from xwtui.engine.what_if.ranking import Outlook
    from xwtui.model.block_changes import BlockChange
    from xwtui.model.statistics import LayoutFigures
    from xwtui.racing.task import RaceView
    from xwtui.session.answers import VerbAnswer
    from xwtui.session.jobs.question import Findings, Question

_LONGEST_SAVED = 200


class EnginePhase(enum.Enum):
    """How far the fill engine has come."""

    LOADING = "loading"
    COMPILING = "compiling"
    READY = "ready"
    FAILED = "failed"


class Severity(enum.Enum):
    """How much a notice matters; the values are those that Textual knows."""

    INFORMATION = "information"
    WARNING = "warning"
    ERROR = "error"


@dataclass_transform(frozen_default=True)
class Message:
    """Something that the session tells: each kind of message is a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class PuzzleChanged(Message):
    """The puzzle is another one: an edit, undo or redo, or another document; `label` names it."""

    label: str


class CursorMoved(Message):
    """The cursor stands elsewhere."""


class SelectionChanged(Message):
    """Other squares are selected, or none."""


class LexiconReady(Message):
    """The word lists are loaded; `words` may be used; `notices` tell of lines that were skipped.

    `lists` names those that were read first, at the start, and `state` tells how their files were then from how
    they were at another time; both are empty for what was read later.
    """

    words: int
    seconds: float
    notices: tuple[str, ...] = ()
    lists: str = ""
    state: str = ""


class LexiconFailed(Message):
    """The word lists of the puzzle could not be loaded: there are no words until it names others."""

    message: str
    is_to_be_asked: bool = False
    """Whether that is because its file names lists elsewhere, about which a face can ask: `trust_question`."""


class EngineState(Message):
    """How far the engine has come."""

    phase: EnginePhase
    step: LoadingStep | None = None
    """What is being made ready; where searches are READY already, it is what these do without."""
    failure: str = ""
    """Why it FAILED."""

    @property
    def later(self) -> LoadingStep | None:
        """What is being made ready beside, that searches do without."""
        return self.step if self.phase is EnginePhase.READY else None

    @property
    def is_compiling(self) -> bool:
        """Whether something is compiled still: searches may be ready before the counting is."""
        return self.step is not None and self.step.is_compiling

    @property
    def text(self) -> str:
        """The state in words that may be shown as they are."""
        if self.phase is EnginePhase.FAILED:
            return self.failure
        if self.phase is EnginePhase.READY:
            return "engine ready" if self.step is None else f"engine ready; {self.step}"
        return "loading the engine" if self.step is None else str(self.step)


class OptionsReady(Message):
    """How many words each entry may take.

    While `propagated` is False the engine still loads and both counts are those of the pattern
    alone. A `reason` says why no fill exists, where that is proved; `culprits` are the entries
    that it blames, and `untried` is what the proof is not about.
    """

    revision: int
    options: Mapping[str, SlotOptions]
    reason: str = ""
    propagated: bool = True
    culprits: tuple[str, ...] = ()
    untried: Untried | None = None


class EstimateReady(Message):
    """About how many fills remain: rough at first, then finer ones follow."""

    revision: int
    estimate: Estimate


class LettersReady(Message):
    """The letters that squares can still take, and how the fills share them."""

    revision: int
    letters: LetterTable


class LiveFillReady(Message):
    """What a fill that agrees with all that stands has in the empty squares; or the reason why there is none."""

    revision: int
    squares: Mapping[Position, Content]
    reason: str = ""
    is_searching: bool = False
    """Whether the fill is still looked for, and the squares are what of the last one agrees meanwhile."""
    proves_no_fill: bool = False
    """Whether there is none, whatever becomes of the pencil."""


class LayoutHint(NamedTuple):
    """A way to complete the blocks of a grid, with what it then counts up to and what is known of its fills."""

    change: BlockChange
    figures: LayoutFigures
    outlook: Outlook


class LayoutHintsReady(Message):
    """Ways to complete the blocks that stand, the best first, and the one to be shown; or why there is none."""

    revision: int
    hints: tuple[LayoutHint, ...] = ()
    shown: int = 0
    reason: str = ""
    is_complete: bool = False


class CandidatesReady(Message):
    """The words that fit one entry, dead ones last; a second message tells how many fills each leaves."""

    revision: int
    entry: str
    candidates: Sequence[CandidateEstimate]
    order: CandidateOrder = CandidateOrder.SCORE


class EstimatesChanged(Message):
    """More is known of some of an entry's candidates, in no order: their room, a fill, that they are dead."""

    revision: int
    entry: str
    estimates: tuple[CandidateEstimate, ...]


class FillProgress(Message):
    """A search goes on, or has paused."""

    run: RunView


class FillEnded(Message):
    """A search is over, or out of time: then `run.paused` tells whether `continue` goes on with it."""

    run: RunView


class LookAhead(NamedTuple):
    """Copeland's estimate: the options that the entries have, summed over so many levels of best words."""

    levels: int
    options: int

    def brief(self) -> str:
        """Such as `look-ahead 2: 12,345 options`."""
        return f"look-ahead {self.levels}: {self.options:,} options"

    def describe(self) -> str:
        """Such as `2 levels ahead: 12,345 options`."""
        return (
            f"{self.levels} level{'s' * (self.levels != 1)} ahead: {self.options:,} options (Copeland's estimate)"
        )


class CountEnded(Message):
    """The count asked for is done."""

    revision: int
    estimate: Estimate
    look_ahead: LookAhead | None = None
    """Copeland's estimate, where that was asked for as well."""


class AnswerReady(Message):
    """What a verb has found that works on beside the face; `is_last` where nothing better follows."""

    revision: int
    answer: VerbAnswer
    is_last: bool = False


class QuestionAsked(Message):
    """A question about the grid is being answered, in place of any other."""

    revision: int
    question: Question


class FindingsReady(Message):
    """What a question has brought so far; `is_last` where nothing better follows."""

    revision: int
    findings: Findings
    is_last: bool = False


class JobFailed(Message):
    """A job stopped on an error; the face goes on."""

    message: str
    """What went wrong in its first line, and in the others the details."""

    @property
    def headline(self) -> str:
        return next(iter(self.message.splitlines()), "")


class QuestionFailed(JobFailed):
    """A question about the grid has no answer."""


class RaceMoved(Message):
    """The race as it stands."""

    view: RaceView


class RaceEnded(Message):
    """The race is over, or was stopped."""

    view: RaceView


class RaceFailed(JobFailed):
    """There is no race."""


class ArgumentRefused(JobFailed):
    """What was said against the search cannot be; it stands where it stood."""


class Saved(Message):
    """The puzzle is on the disk."""

    path: Path

    @property
    def words(self) -> str:
        """Which file it is, and in which folder where that is not the working one."""
        folder = self.path.parent
        with suppress(OSError):  # the working folder itself may be gone
            if folder.absolute() == Path.cwd():
                return f"saved {self.path.name}"
        home = Path.home()
        shown = Path("~", folder.relative_to(home)) if folder.is_relative_to(home) else folder
        return printable(f"saved {self.path.name} in {shown}", _LONGEST_SAVED)


class Notice(Message):
    """Something to tell the constructor in passing."""

    text: str
    severity: Severity = Severity.INFORMATION


def ignore(message: Message) -> None:
    """Listen to nothing."""
