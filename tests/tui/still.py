"""A workbench whose threads never start, and a stage to act on it."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from rich.segment import Segment
from rich.style import Style
from textual.pilot import Pilot

from xwtui.engine.prospects.prospect import Order
from xwtui.model import Grid, Position, Puzzle
from xwtui.racing.standing import RaceView
from xwtui.racing.task import RaceOrder
from xwtui.tui.app import XwtuiApp
from xwtui.tui.messages import Reported
from xwtui.tui.screens.editor import Editor
from xwtui.tui.widgets.line import Line
from xwtui.words.lexicon import Lexicon
from xwtui.words.reader import read_word_list
from xwtui.workbench import messages
from xwtui.workbench.inquiries.question import Question
from xwtui.workbench.orders import FillOrder
from xwtui.workbench.race_desk import squares_of
from xwtui.workbench.run_view import RunView
from xwtui.workbench.settings import Settings
from xwtui.workbench.workbench import Workbench

WORDS = b"ALOES;60\nCAT;50\nDOG;40\nEMU;30\nSNAIL;70\n"


class StillWorkbench(Workbench):
    """Has words but no threads; `pretended` stands for a search, `asked` keeps what was asked of workers."""

    def __init__(
        self,
        puzzle: Puzzle,
        listener: Callable[[messages.Message], None],
        *,
        settings: Settings,
        journal_folder: Path,
    ) -> None:
        super().__init__(listener, settings=settings, journal_folder=journal_folder)
        self.pretended: RunView | None = None
        self.asked: list[str] = []
        self._words = Lexicon.build([read_word_list(WORDS, "small").word_list])
        self.new(puzzle)

    @property
    def lexicon(self) -> Lexicon:
        return self._words

    @property
    def run(self) -> RunView | None:
        return self.pretended

    @property
    def is_running(self) -> bool:
        return self.pretended is not None and not self.pretended.paused

    def start(self) -> None:
        self.asked.append("start")

    def request_candidates(self, entry: str, order: Order = Order.SCORE) -> None:
        by = "" if order is Order.SCORE else f" by {order.value}"
        self.asked.append(f"candidates {entry}{by}")

    def look_at_candidates(self, words: Collection[str]) -> None:
        self.asked.append(f"look at {' '.join(words)}")

    def begin(self, order: FillOrder) -> None:
        self.asked.append(order.mode.value + " of the selection" * (order.selection is not None))

    def step(self, events: int = 1, *, strategy: str = "") -> None:
        self.asked.append(" ".join(filter(None, ["step", str(events), strategy])))

    def until(self, target: str, *, strategy: str = "") -> None:
        self.asked.append(" ".join(filter(None, ["until", target, strategy])))

    def back(self, events: int = 1) -> None:
        self.asked.append(f"back {events}")

    def watch(self, speed: float) -> None:
        self.asked.append(f"watch {speed}")

    def pause(self) -> None:
        self.asked.append("pause")

    def resume(self) -> None:
        self.asked.append("continue")

    def stop(self) -> bool:
        self.asked.append("stop")
        return self.pretended is not None

    def ask(self, question: Question) -> None:
        self.asked.append(question.title)
        self.inquiry = self._note_question(question)

    def stop_asking(self) -> None:
        self.asked.append("stop asking")

    def race(self, order: RaceOrder) -> None:
        self.asked.append(f"race of {len(order.entrants)}, {len(order.seeds)} seeds")
        self._race_view = RaceView.at_start(order, squares_of(self.puzzle))

    def count(self, seconds: float = 1.0, *, exact: bool = False) -> None:
        self.asked.append("count")


@dataclass
class Stage:
    """The running app with what tests ask of it."""

    app: XwtuiApp
    pilot: Pilot[int]

    @property
    def editor(self) -> Editor:
        return next(screen for screen in self.app.screen_stack if isinstance(screen, Editor))

    @property
    def bench(self) -> StillWorkbench:
        return cast(StillWorkbench, self.app.workbench)

    @property
    def grid(self) -> Grid:
        return self.app.workbench.puzzle.grid

    @property
    def here(self) -> str:
        """The cursor's square and direction, such as `r1c2 across`."""
        position, direction = self.app.workbench.cursor
        return f"{position} {direction.word}"

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        names = {" ": "space", ":": "colon", ".": "full_stop", "/": "slash", "[": "left_square_bracket"}
        names |= {"]": "right_square_bracket", "-": "minus", "`": "grave_accent", "~": "tilde"}
        await self.press(*(names.get(character, character) for character in text))

    async def verb(self, line: str) -> None:
        """Run a verb through the command line."""
        await self.type(f":{line}")
        await self.press("enter")

    async def tell(self, *reports: messages.Message) -> None:
        for report in reports:
            self.app.post_message(Reported(report))
        await self.pilot.pause()

    def line(self, name: str) -> str:
        """The text of one of the lines around the grid."""
        return self.editor.query_one(f"#{name}", Line).plain.strip()

    def text(self) -> str:
        """All that stands on the screen, as text."""
        width = self.app.size.width
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text[:width] for strip in strips)

    def style_at(self, position: Position) -> Style:
        """The style in which a square's letter is drawn, in a grid that is not scrolled."""
        return self._cell(position).style or Style()

    def letter_at(self, position: Position) -> str:
        """What stands in the middle of a square."""
        return self._cell(position).text

    def _cell(self, position: Position) -> Segment:
        view = self.editor.desk.grid
        region = view._drawing.region(position)
        x = region.x + region.width // 2
        strip = view.render_line(region.y + region.height // 2)
        return next(iter(strip.crop(x, x + 1)))
