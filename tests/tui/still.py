"""A session whose threads never start, and a stage that drives the app over it."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from rich.segment import Segment
from rich.style import Style
from textual.events import Key, Paste
from textual.pilot import Pilot
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from tests.known import known
from xwtui.batch.races.task import RaceOrder, RaceView
from xwtui.engine.candidates.estimate import CandidateOrder
from xwtui.model import Content, Grid, Position, Puzzle, edits
from xwtui.session import messages
from xwtui.session.fill_options import FillOptions
from xwtui.session.jobs.candidate_job import CandidateJob
from xwtui.session.jobs.counts import CountJob, CountOrder, LiveCountJob
from xwtui.session.jobs.fills.fill_job import FillJob
from xwtui.session.jobs.job import JobContext, Snapshot
from xwtui.session.jobs.jobs import Jobs
from xwtui.session.jobs.question import Findings, Question
from xwtui.session.jobs.question_job import PosedQuestion, QuestionJob
from xwtui.session.jobs.race_job import RaceJob
from xwtui.session.jobs.scheduler import IsStopped
from xwtui.session.jobs.word_loader import VocabularyRequest, WordLoader
from xwtui.session.messages import FillEnded, FillProgress, FindingsReady
from xwtui.session.run_view import RunView
from xwtui.session.session import Session
from xwtui.session.settings import Settings
from xwtui.tui.app import XwtuiApp
from xwtui.tui.editing.command_line import CommandLine
from xwtui.tui.picture import is_going
from xwtui.tui.screens.editor import Editor, Reported
from xwtui.tui.widgets.painted import Line
from xwtui.words.lexicon import Lexicon
from xwtui.words.reader import read_word_list
from xwtui.words.sources import Vocabulary

PATIENCE_SECONDS = 240.0
"""Timeout in seconds; the engine may have to compile on a busy machine."""
WidgetKind = type[Widget]
ScreenT = TypeVar("ScreenT", bound=Screen[Any])
CHARACTERS = {"colon": ":", "comma": ",", "full_stop": ".", "plus": "+", "question_mark": "?", "space": " "} | {
    "enter": "\r"
}
"""Characters typed by keys with names."""
WORDS = b"ALOES;60\nCAT;50\nDOG;40\nEMU;30\nSNAIL;70\n"


@cache
def _lexicon() -> Lexicon:
    return Lexicon.build([read_word_list(WORDS, "small").word_list])


class StillWords(WordLoader):
    """Has words and never loads any."""

    @property
    def lexicon(self) -> Lexicon:
        return _lexicon()

    @property
    def view(self) -> Vocabulary:
        return Vocabulary(self.lexicon)

    def start(self, request: VocabularyRequest) -> None:
        """Load nothing."""

    def wait(self, is_stopped: IsStopped) -> Vocabulary:
        return self.view


class StillFill(FillJob):
    """`pretended` is the current run; `asked` records requests."""

    def __init__(self, context: JobContext, asked: list[str]) -> None:
        super().__init__(context, ())
        self.pretended: RunView | None = None
        self._asked = asked

    @property
    def view(self) -> RunView | None:
        return self.pretended

    @property
    def is_running(self) -> bool:
        return self.pretended is not None and not self.pretended.paused

    def start(self, options: FillOptions) -> None:
        self._asked.append(options.mode.value + " of the selection" * (options.selection is not None))

    def step(self, events: int = 1, *, strategy: str = "") -> None:
        self._asked.append(" ".join(filter(None, ["step", str(events), strategy])))

    def until(self, target: str, *, strategy: str = "") -> None:
        self._asked.append(" ".join(filter(None, ["until", target, strategy])))

    def back(self, events: int = 1) -> None:
        self._asked.append(f"back {events}")

    def watch(self, speed: float) -> None:
        self._asked.append(f"watch {speed}")

    def pause(self) -> None:
        self._asked.append("pause")

    def resume(self) -> None:
        self._asked.append("continue")

    def stop(self) -> bool:
        self._asked.append("stop")
        return self.pretended is not None


class StillCandidates(CandidateJob):
    """Records requests."""

    def __init__(self, context: JobContext, live_counts: LiveCountJob, asked: list[str]) -> None:
        super().__init__(context, live_counts)
        self._asked = asked

    def start(self, entry: str, order: CandidateOrder = CandidateOrder.SCORE) -> None:
        by = "" if order is CandidateOrder.SCORE else f" by {order.value}"
        self._asked.append(f"candidates {entry}{by}")

    def set_visible(self, words: Collection[str]) -> None:
        self._asked.append(f"look at {' '.join(words)}")


class StillQuestion(QuestionJob):
    """Records a question, and never answers."""

    def __init__(self, context: JobContext, asked: list[str]) -> None:
        super().__init__(context)
        self.all_asked = asked
        self.noted: PosedQuestion | None = None

    def start(self, question: Question) -> None:
        self.all_asked.append(question.title)
        self.noted = self.note(question)

    def stop(self) -> bool:
        self.all_asked.append("stop asking")
        return False


class StillRace(RaceJob):
    """Starts a race that makes no progress."""

    def __init__(self, context: JobContext, asked: list[str]) -> None:
        super().__init__(context)
        self._asked = asked

    def start(self, order: RaceOrder) -> None:
        self._asked.append(f"race of {len(order.entrants)}, {len(order.seeds)} seeds")
        grid = self.context.snapshot().puzzle.grid
        self.latest = RaceView.at_start(order, len({at for slot in grid.slots for at in slot.positions}))


class StillCount(CountJob):
    """Records requests, and counts for as long as it is told to."""

    def __init__(self, context: JobContext, live_counts: LiveCountJob, asked: list[str]) -> None:
        super().__init__(context, live_counts)
        self._asked = asked
        self.is_counting = False

    @property
    def is_busy(self) -> bool:
        return self.is_counting

    def start(self, order: CountOrder) -> None:
        self._asked.append("count")


class StillJobs(Jobs):
    """Jobs whose threads never start."""

    def __init__(self, post: Callable[[messages.Message], None], snapshot: Callable[[], Snapshot]) -> None:
        super().__init__(post, snapshot)
        self.asked: list[str] = []
        self.words = StillWords(post, self.scheduler)
        context = self.fill.context
        self.candidates = StillCandidates(context, self.live_counts, self.asked)
        self.count = self.still_count = StillCount(context, self.live_counts, self.asked)
        self.question = self.still_question = StillQuestion(context, self.asked)
        self.race = StillRace(context, self.asked)
        self.fill = self.still_fill = StillFill(context, self.asked)

    def start(self) -> None:
        self.asked.append("start")

    def stop(self) -> bool:
        return self.fill.stop()


class StillSession(Session):
    """Has words but no threads; `pretended` is the current search, `asked` records requests of jobs."""

    def __init__(
        self,
        puzzle: Puzzle,
        listener: Callable[[messages.Message], None],
        *,
        settings: Settings,
        journal_folder: Path,
    ) -> None:
        self.between_letters = 2.0
        """Simulated seconds between typed letters, however fast a test runs."""
        self._now = 0.0
        super().__init__(settings=settings, journal_folder=journal_folder, clock=self._tick)
        self.jobs = self.still = StillJobs(self._on_job_message, self._snapshot)
        self.new(puzzle)
        self._listener = listener
        self.asked.clear()

    def _tick(self) -> float:
        self._now += self.between_letters
        return self._now

    @property
    def asked(self) -> list[str]:
        return self.still.asked

    @property
    def asked_question(self) -> PosedQuestion:
        return known(self.still.still_question.noted)

    @property
    def pretended(self) -> RunView | None:
        return self.still.still_fill.pretended

    @pretended.setter
    def pretended(self, view: RunView | None) -> None:
        self.still.still_fill.pretended = view


paint = Screen._compositor_refresh
"""Paints changes to the terminal."""


def leave_painting(screen: Screen[Any]) -> None:
    """Postpone painting to the pilot's pause; a screen in front would otherwise repaint sixty times a second."""
    if screen is screen.app.screen:
        screen._dirty_widgets.clear()
    else:
        paint(screen)


class PatientPilot(Pilot[int]):
    """A pilot that waits for the effects of a key, however busy the machine.

    Textual's own waits until the process is idle, which is also the case while others use the cores.
    """

    def __init__(self, app: XwtuiApp) -> None:
        super().__init__(app)
        self._typeahead = app.typeahead

    async def press(self, *keys: str) -> None:
        await super().press(*keys)
        await self._typeahead.over()

    async def pause(self, delay: float | None = None) -> None:
        await super().pause(delay)
        paint(self.app.screen)
        await self._typeahead.over()


@dataclass
class Stage:
    """The running app with helpers for tests."""

    app: XwtuiApp
    pilot: PatientPilot = field(init=False)

    def __post_init__(self) -> None:
        self.pilot = PatientPilot(self.app)

    @property
    def editor(self) -> Editor:
        return next(screen for screen in self.app.screen_stack if isinstance(screen, Editor))

    @property
    def bench(self) -> StillSession:
        return cast(StillSession, self.app.session)

    @property
    def grid(self) -> Grid:
        return self.app.session.puzzle.grid

    @property
    def here(self) -> str:
        """The cursor's square and direction, such as `r1c2 across`."""
        position, direction = self.app.session.cursor.place
        return f"{position} {direction.word}"

    @property
    def prompt(self) -> CommandLine:
        return self.editor.line

    def showing(self, kind: type[ScreenT]) -> ScreenT:
        """Return the screen in front, which must be of this type."""
        assert isinstance(self.app.screen, kind)
        return self.app.screen

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        await self.press(*text)

    def post(self, *keys: str) -> None:
        """Send keys at once, as over a slow connection, without waiting between them."""
        for key in keys:
            self.app.post_message(Key(key, CHARACTERS.get(key, key if len(key) == 1 else None)))

    async def burst(self, *keys: str) -> None:
        """Send keys at once, and wait until all their effects are done."""
        self.post(*keys)
        await self.settle()

    async def settle(self) -> None:
        app = self.app

        def is_over() -> bool:
            return not app.is_running or (app.typeahead.is_idle and not app.message_queue_size)

        await self.pilot.pause()
        await until(self, is_over, "all that was typed")

    async def verb(self, line: str) -> None:
        """Run a verb on the command line by pasting it, which is faster than drawing each key."""
        await self.press("colon")
        self.app.post_message(Paste(line))
        await self.press("enter")

    async def run(self, line: str) -> None:
        """Run a verb as a key or a menu does."""
        self.editor.verbs.run(line)
        await self.pilot.pause()

    async def paste(self, text: str) -> None:
        self.app.post_message(Paste(text))
        await self.pilot.pause()

    async def click(
        self, widget: WidgetKind | str | None = None, offset: tuple[int, int] = (0, 0), button: int = 1
    ) -> None:
        await self.pilot.click(widget, offset, button=button)
        await self.pilot.pause()

    async def double_click(self, widget: WidgetKind | str, offset: tuple[int, int]) -> None:
        await self.pilot.double_click(widget, offset)
        await self.pilot.pause()

    async def tell(self, *reports: messages.Message) -> None:
        for report in reports:
            self.app.post_message(Reported(report))
        await self.pilot.pause()

    async def show_run(self, view: RunView) -> None:
        """Pretend that a run has this state, and send its message."""
        self.bench.pretended = view
        await self.tell(FillProgress(view) if is_going(view) else FillEnded(view))

    async def answer(self, findings: Findings, *, is_last: bool = True) -> None:
        """Send findings of the current question."""
        self.bench.jobs.question.take(self.bench.asked_question, findings)
        await self.tell(FindingsReady(self.bench.revision, findings, is_last))

    def line(self, name: str) -> str:
        """Return the text of one of the lines around the grid."""
        return self.editor.query_one(f"#{name}", Line).plain.strip()

    def text(self) -> str:
        """Return all text on the screen."""
        width = self.app.size.width
        return "\n".join(strip.text[:width] for strip in self.strips)

    @property
    def strips(self) -> list[Strip]:
        """Return the screen's lines, by a private name of Textual, since none is public."""
        return self.app.screen._compositor.render_strips()

    def style_at(self, position: Position) -> Style:
        """Return the style of a square's letter, in a grid that is not scrolled."""
        return self._cell(position).style or Style()

    def letter_at(self, position: Position) -> str:
        """Return the text in the middle of a square."""
        return self._cell(position).text

    def _cell(self, position: Position) -> Segment:
        view = self.editor.desk.grid
        region = view._drawing.region(position)
        x = region.x + region.width // 2
        strip = view.render_line(region.y + region.height // 2)
        return next(iter(strip.crop(x, x + 1)))


def pencilled(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with an A in each square, in pencil."""
    return edits.write_fill(puzzle, dict.fromkeys(puzzle.grid.open_positions(), Content.of("A")))


async def until(on: Stage, arrived: Callable[[], bool], what: str) -> None:
    """Wait for the effect of a worker."""
    waited = 0.0
    while not arrived():
        assert waited < PATIENCE_SECONDS, f"waited in vain for {what}"
        await asyncio.sleep(0.05)
        waited += 0.05
    await on.pilot.pause()
