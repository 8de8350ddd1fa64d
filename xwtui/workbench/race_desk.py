"""The desk with the race: strategies and settings of the engine on the puzzle, side by side."""

from __future__ import annotations

from pathlib import Path

from xwtui.errors import VerbError
from xwtui.model import Puzzle
from xwtui.racing.standing import RaceView
from xwtui.racing.task import RaceOrder
from xwtui.workbench.argue_desk import ArgueDesk
from xwtui.workbench.messages import RaceEnded, RaceMoved
from xwtui.workbench.racer import RaceQuestion

NO_RACE = "nothing was raced yet; `race` lets every strategy run on this grid"


class RaceDesk(ArgueDesk):
    """Starts a race and keeps its results; an edit leaves it alone, for it is about the puzzle as it was."""

    _race_view: RaceView | None = None

    @property
    def race_view(self) -> RaceView | None:
        """The race that goes on, as it stands, or the last one."""
        return self._race_view

    @property
    def is_racing(self) -> bool:
        """Whether a race goes on."""
        return self._race_view is not None and not self._race_view.is_over

    def race(self, order: RaceOrder) -> None:
        """Race on the puzzle beside the face, in place of the race that goes on; ends with RaceEnded."""
        puzzle = self.puzzle
        self._race_view = RaceView.at_start(order, squares_of(puzzle))
        self._background.start()
        self._background.racer.ask(RaceQuestion(puzzle, order))
        self._post(RaceMoved(self._race_view))

    def stop_race(self) -> bool:
        """End the race at once with what there is; returns whether one went on."""
        self._background.racer.interrupt()
        with self._lock:
            view = self._race_view
            if view is None or view.is_over:
                return False
            self._race_view = view = view.stopped()
        self._post(RaceEnded(view))
        return True

    def take_race(self, view: RaceView) -> bool:
        """Keep how the race stands, from its thread; returns whether it is still the one that goes on."""
        with self._lock:
            current = self._race_view
            if current is None or current.order is not view.order or current.is_over:
                return False
            self._race_view = view
            return True

    def save_race(self, path: Path) -> None:
        """Write the race to a file; raises VerbError where there was none, PuzzleFormatError where that fails."""
        from xwtui.racing.export import write_race  # noqa: PLC0415  (only once there was a race)

        if self._race_view is None:
            raise VerbError(NO_RACE)
        write_race(path, self._race_view)


def squares_of(puzzle: Puzzle) -> int:
    """How many squares entries have."""
    return len({at for slot in puzzle.grid.slots for at in slot.positions})
