"""What the workbench tells its listener; most of it may be posted from a worker thread.

Every message is frozen. Those that hold figures carry the revision they were reckoned for: a face
drops what is older than `Workbench.revision`.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from xwtui.engine.prospects.prospect import Order
from xwtui.model import Content, Position
from xwtui.workbench.orders import Mode

if TYPE_CHECKING:
    from xwtui.engine.counting.estimate import Estimate
    from xwtui.engine.event import Event
    from xwtui.engine.options import Candidate, SlotOptions
    from xwtui.engine.outcome import Outcome
    from xwtui.engine.prospects.letters import LetterTable
    from xwtui.engine.prospects.prospect import Prospect
    from xwtui.engine.watching.moment import Moment
    from xwtui.engine.watching.story import Story
    from xwtui.engine.watching.thoughts import Thoughts
    from xwtui.workbench.inquiries.findings import Findings
    from xwtui.workbench.inquiries.question import Question


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


@dataclass(frozen=True)
class PuzzleChanged:
    """The puzzle is another one: an edit, undo or redo, or another document; `label` names it."""

    label: str


@dataclass(frozen=True)
class CursorMoved:
    """The cursor stands elsewhere."""


@dataclass(frozen=True)
class SelectionChanged:
    """Other squares are selected, or none."""


@dataclass(frozen=True)
class LexiconReady:
    """The word lists are loaded; `words` may be used; `notices` tell of lines that were skipped."""

    words: int
    seconds: float
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class LexiconFailed:
    """The word lists of the puzzle could not be loaded: there are no words until it names others."""

    message: str


@dataclass(frozen=True)
class EngineState:
    """How far the engine has come; `text` says it in words."""

    phase: EnginePhase
    text: str

    @property
    def is_compiling(self) -> bool:
        """Whether something is compiled still: searches may be ready before the counting is."""
        return "compil" in self.text and self.phase is not EnginePhase.FAILED


@dataclass(frozen=True)
class OptionsReady:
    """How many words each entry may take.

    While `propagated` is False the engine still loads and both counts are those of the pattern
    alone. A `reason` says why no fill exists, where that is proved.
    """

    revision: int
    options: Mapping[str, SlotOptions]
    reason: str = ""
    propagated: bool = True


@dataclass(frozen=True)
class EstimateReady:
    """About how many fills remain: rough at first, then finer ones follow."""

    revision: int
    estimate: Estimate


@dataclass(frozen=True)
class LettersReady:
    """The letters that squares can still take, and how the fills share them."""

    revision: int
    letters: LetterTable


@dataclass(frozen=True)
class CandidatesReady:
    """The words that fit one entry, dead ones last; a second message tells how many fills each leaves."""

    revision: int
    entry: str
    candidates: tuple[Candidate | Prospect, ...]
    order: Order = Order.SCORE


@dataclass(frozen=True)
class ProspectsChanged:
    """More is known of some of an entry's candidates, in no order: their room, a fill, that they are dead."""

    revision: int
    entry: str
    prospects: tuple[Prospect, ...]


@dataclass(frozen=True)
class Quality:
    """How good the best fill is that a run has found so far.

    `value` is what the run makes better, in `unit`; `first` the value that it began with; `bound` is what no
    fill exceeds, and `gap` how far the value is below it (None while unknown). `better` counts the
    fills that each were the best in their turn; `is_proved` tells that nothing better exists.
    """

    mean_score: float
    lowest_score: int
    unit: str = "mean score"
    value: float = 0.0
    first: float = 0.0
    bound: float | None = None
    gap: float | None = None
    rounds: int = 0
    better: int = 0
    is_proved: bool = False


@dataclass(frozen=True)
class Stopped:
    """An entry that a partial fill had to leave unfinished, and why."""

    entry: str
    reason: str


@dataclass(frozen=True)
class RunView:
    """A search as it stands.

    `squares` is what the search has on the grid now, or the best fill that it has found; `event`
    the latest event, `recent` the last few, oldest first; `depth_history` the depth at about 40
    moments, for a sparkline. A `paused` search stays where it is until it goes on, is accepted or
    is stopped. `reason` tells why there is no fill.

    `quality` belongs to runs that look for good fills; `found` of `wanted` counts fills, or the squares
    of a partial one, and `stopped` the entries that it leaves.

    Events have numbers from 0 on: `event` that of `event_number`, and what is recorded goes from
    `first_event` to `last_event`; `moment` tells the decisions in force after `event`. In the past
    `squares` is what these put there. Where it stands still it tells the `story` of the event and, at its end,
    its `thoughts`.
    """

    outcome: Outcome
    squares: Mapping[Position, Content] = field(default_factory=dict)
    event: Event | None = None
    recent: tuple[Event, ...] = ()
    nodes: int = 0
    backtracks: int = 0
    restarts: int = 0
    depth: int = 0
    deepest: int = 0
    seconds: float = 0.0
    paused: bool = False
    domain_sizes: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""
    depth_history: tuple[int, ...] = ()
    seed: int = 0
    threads: int = 1
    mode: Mode = Mode.FILL
    quality: Quality | None = None
    found: int = 0
    wanted: int = 0
    stopped: tuple[Stopped, ...] = ()
    moment: Moment | None = None
    event_number: int = -1
    first_event: int = 0
    last_event: int = -1
    story: Story | None = None
    thoughts: Thoughts | None = None

    @property
    def is_past(self) -> bool:
        """Whether an event before the last one is shown."""
        return self.event_number < self.last_event

    @property
    def to_write(self) -> Mapping[Position, Content]:
        """What belongs on the grid when it ends so: a plain fill must be whole, several are chosen from."""
        is_whole = self.outcome.name == "FILLED"
        if self.mode is Mode.DIVERSE or (self.mode is Mode.FILL and not is_whole):
            return {}
        return self.squares


@dataclass(frozen=True)
class FillProgress:
    """A search goes on, or has paused."""

    run: RunView


@dataclass(frozen=True)
class FillEnded:
    """A search is over, or out of time: then `run.paused` tells whether `continue` goes on with it."""

    run: RunView


@dataclass(frozen=True)
class CountEnded:
    """The count asked for is done."""

    revision: int
    estimate: Estimate


@dataclass(frozen=True)
class QuestionAsked:
    """A question about the grid is being answered, in place of any other."""

    revision: int
    question: Question


@dataclass(frozen=True)
class FindingsReady:
    """What a question has brought so far; `is_last` where nothing better follows."""

    revision: int
    findings: Findings
    is_last: bool = False


@dataclass(frozen=True)
class JobFailed:
    """A job stopped on an error; the face goes on."""

    message: str


@dataclass(frozen=True)
class QuestionFailed(JobFailed):
    """A question about the grid has no answer."""


@dataclass(frozen=True)
class Saved:
    """The puzzle is on the disk."""

    path: Path


@dataclass(frozen=True)
class Notice:
    """Something to tell the constructor in passing."""

    text: str
    severity: Severity = Severity.INFORMATION


Message: TypeAlias = (
    PuzzleChanged
    | CursorMoved
    | SelectionChanged
    | LexiconReady
    | LexiconFailed
    | EngineState
    | OptionsReady
    | EstimateReady
    | LettersReady
    | CandidatesReady
    | ProspectsChanged
    | FillProgress
    | FillEnded
    | CountEnded
    | QuestionAsked
    | FindingsReady
    | JobFailed
    | QuestionFailed
    | Saved
    | Notice
)


def ignore(message: Message) -> None:
    """Listen to nothing."""
