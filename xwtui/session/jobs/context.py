"""What every job needs beside what is asked of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from xwtui.model import Puzzle
from xwtui.session.jobs.engine_loader import EngineLoader
from xwtui.session.jobs.scheduler import Scheduler
from xwtui.session.jobs.word_loader import WordLoader
from xwtui.session.messages import Message
from xwtui.session.problem_specification import CounterHolder, ProblemHolder, ProblemSpecification
from xwtui.session.settings import NO_OVERRIDES, Overrides

if TYPE_CHECKING:
    from xwtui.words.vocabulary import Vocabulary


class Snapshot(NamedTuple):
    """The puzzle as it is at one moment."""

    puzzle: Puzzle
    path: Path | None
    """Its file, if it has one."""
    revision: int
    is_from_elsewhere: bool = False
    """Whether it was read all the same."""


class JobContext(NamedTuple):
    """What jobs share; all of it may be used from their threads."""

    post: Callable[[Message], None]
    """Tells how a job stands."""
    snapshot: Callable[[], Snapshot]
    """The puzzle as it is now."""
    start_loading: Callable[[], None]
    """Begins to load words and engine, if that was not done yet."""
    scheduler: Scheduler
    engine: EngineLoader
    words: WordLoader
    problems: ProblemHolder
    counters: CounterHolder
    overrides: Overrides = NO_OVERRIDES

    def specification(self, puzzle: Puzzle, vocabulary: Vocabulary) -> ProblemSpecification:
        """What a puzzle asks with these words."""
        return ProblemSpecification.of(puzzle, vocabulary, allow_repeats=self.overrides.allow_repeats)
