"""The thread that runs a race, and gives way to the next one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from xwtui.model import Puzzle
from xwtui.racing.standing import RaceView
from xwtui.racing.task import RaceOrder, RaceTask
from xwtui.strategies.registry import DEFAULT_STRATEGY
from xwtui.workbench.answering import Answering
from xwtui.workbench.engine_room import EngineRoom
from xwtui.workbench.lexicon_holder import LexiconHolder
from xwtui.workbench.messages import Message, RaceEnded, RaceFailed, RaceMoved
from xwtui.workbench.posing import Posing
from xwtui.workbench.worker import IsStale

if TYPE_CHECKING:
    from xwtui.words.vocabulary import Vocabulary


class RaceQuestion(NamedTuple):
    """A race on a puzzle."""

    puzzle: Puzzle
    order: RaceOrder


class Racer(Answering[RaceQuestion]):
    """Runs one race at a time, and tells how it stands."""

    def __init__(
        self,
        post: Callable[[Message], None],
        room: EngineRoom,
        words: LexiconHolder,
        moved: Callable[[RaceView], bool],
        stopped: Callable[[], object],
        idle: threading.Condition,
    ) -> None:
        """`moved` takes the race as it stands, and tells whether it is still wanted; `stopped` ends it for all."""
        self._post = post
        self._room = room
        self._words = words
        self._moved = moved
        self._stopped = stopped
        super().__init__("race", idle)

    def _answer(self, question: RaceQuestion, is_stale: IsStale) -> None:
        vocabulary = self._words.wait(is_stale)
        if vocabulary is not None and self._is_ready(question, is_stale):
            self._race(question, vocabulary, is_stale)

    def _race(self, question: RaceQuestion, vocabulary: Vocabulary, is_stale: IsStale) -> None:
        from xwtui.racing.race import run_race  # noqa: PLC0415

        def tell(view: RaceView) -> None:
            if not view.is_over and not is_stale() and self._moved(view):
                self._post(RaceMoved(view))

        task = RaceTask(question.puzzle, vocabulary, Posing.of(question.puzzle, vocabulary).task())
        view = run_race(task, question.order, cancelled=is_stale, told=tell)
        if not is_stale() and self._moved(view):
            self._post(RaceEnded(view))

    def _is_ready(self, question: RaceQuestion, is_stale: IsStale) -> bool:
        """Wait for the engine, if it starts, so that no process has to compile it."""
        if all(entrant.name != DEFAULT_STRATEGY for entrant in question.order.entrants):
            return True
        if question.puzzle.rules.is_about_grid:
            return self._room.wait_for_improving(is_stale)
        return self._room.wait(is_stale)

    def _fail(self, message: str) -> None:
        self._stopped()
        self._post(RaceFailed(f"the race cannot be run: {message}"))
