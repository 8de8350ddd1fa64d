"""The options that all runs of the filler share, and the order that they make."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

from xwtui.engine.budget import ALL_CORES, HIGHEST_SEED, MOST_THREADS, threads_of
from xwtui.lazy import lazy_imports
from xwtui.model import Slot
from xwtui.model.selection import around
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.verbs.types import (
    ENTRY,
    SECONDS,
    Place,
    among,
    number_kind,
    parameter_kind,
    squares_kind,
    squares_of,
)
from xwtui.session.verbs.verb import Reply, option, options

with lazy_imports():
    from xwtui import strategies
    from xwtui.engine.events.event import Outcome
    from xwtui.model.edits import write_fill
    from xwtui.session.answers import FillAnswer
    from xwtui.session.document import full_path
    from xwtui.session.session import Session
    from xwtui.strategies.registry import STRATEGIES, StrategyChoice

LIST = "list"
"""The word for all strategies."""


def strategy_names() -> dict[str, str]:
    """The names, with what each does."""
    return {name: strategy.summary for name, strategy in STRATEGIES.items()}


@parameter_kind("strategy", among(strategy_names))
def STRATEGY(text: str, session: Session) -> str:
    """A strategy with its options: `emogic-letters:walk=snake`."""
    if text.strip().lower() in {"", LIST}:
        return text.strip().lower()
    chosen = str(StrategyChoice.parse(text))
    return "" if chosen == strategies.DEFAULT_STRATEGY else chosen


strategy_option = option(
    "a classic algorithm, such as emogic-words:walk=slalom; `list` shows them all", STRATEGY, default=""
)


class RunOptions(NamedTuple):
    """What all runs of the filler are told."""

    seconds: float | None = option(
        "time limit in seconds, 0 for none (default: until it finishes or you stop it)",
        SECONDS,
        name="--time",
    )
    seed: int | None = option(
        "the same seed gives the same fill (for hard grids, only with one thread)", number_kind(0, HIGHEST_SEED)
    )
    threads: int | None = option("parallel searches, 0 for one per core", number_kind(0, MOST_THREADS))
    min_score: int | None = option("minimum word score for this run", number_kind(0, 100))
    repeat_cost: int | None = option(
        "how much less an answer of recent puzzles counts, 0 to 100 (`prefer --recent` names these; default: 50)",
        number_kind(0, 100),
    )
    only: Place | None = option("fill only these squares: r1c1:r5c5, 17A,3D or `selection`", squares_kind())
    allow_repeats: bool = option("allow a word to appear twice in the grid")
    near: Slot | None = option("fill only this entry and its crossings", ENTRY, name="--around")

    @property
    def is_plain(self) -> bool:
        """Whether they say nothing of how a fill is found, nor of where."""
        return all(one is None for one in (self.seed, self.min_score, self.repeat_cost, self.only, self.near))

    def order(self, session: Session, mode: Mode, **details: Any) -> FillOptions:
        """The order for what the options say; `details` are those of the mode."""
        selection = None if self.only is None else frozenset(squares_of(session, self.only))
        if self.near is not None:
            selection = around(session.puzzle.grid, self.near) | (selection or frozenset())
        return FillOptions(
            mode,
            seconds=None if self.seconds == math.inf else self.seconds,
            seed=self.seed,
            threads=_threads(session, mode, self.threads),
            minimum_score=self.min_score,
            repeat_cost=self.repeat_cost,
            selection=selection,
            allow_repeats=self.allow_repeats,
            **details,
        )


run_options = options(RunOptions)
first_option = option("stop at the first fill, without improving its words")
"""Of the verbs that end a plain fill with better words."""

strict_option = option(
    "whether a script stops when there is no fill; with --no-strict it continues",
    name="--strict/--no-strict",
    default=True,
)
"""Of the verbs that look for a fill."""


def _threads(session: Session, mode: Mode, asked: int | None) -> int:
    """Those asked for, else those of the settings, else one a core; one for a fill, so that it can be stepped."""
    if asked is not None:
        return threads_of(asked)
    chosen = session.settings.threads
    return 1 if chosen == ALL_CORES and mode is Mode.FILL else threads_of(chosen)


def wants_several(count: int | None, diverse: bool, differ: float | None) -> bool:
    """Whether these options of `fill` ask for fills to choose from."""
    return count is not None or diverse or differ is not None


def start_run(session: Session, options: FillOptions, *, is_strict: bool, overwrites: bool = False) -> Reply:
    """Begin a run; the reply tells how it ended, once it has.

    Raises ExistsAlreadyError where it would lose a file that is not of this session, unless it `overwrites`.
    """
    for file in () if overwrites else options.files:
        session.document.exported.check(full_path(file), shown=str(file), remedy="--force")
    session.jobs.fill.start(options)
    return Reply(started=True, is_strict=is_strict, answer=lambda: _ended(session, options))


def _ended(session: Session, options: FillOptions) -> FillAnswer:
    """How the last run ended, with the fills that it has found."""
    view, puzzle = session.jobs.fill.view, session.puzzle
    assert view is not None
    if view.paused:
        view = replace(view, outcome=Outcome.UNKNOWN)
    if options.mode is Mode.DIVERSE:
        fills = [fill.squares for fill in session.fills.kept]
    elif options.mode is Mode.ALL:
        fills = [view.squares] if view.found else []
    else:
        return FillAnswer(
            options,
            view,
            puzzle,
            (puzzle,) if view.to_write else (),
            session.jobs.words.score,
            options.strategy,
        )
    inside = options.selection
    written = (
        write_fill(puzzle, {at: one for at, one in fill.items() if inside is None or at in inside})
        for fill in fills
    )
    puzzles = tuple(session.jobs.words.told(puzzle, filled) for filled in written)
    strategy = ""
    if options.mode is Mode.ALL:
        strategy = str(StrategyChoice.parse(options.strategy or strategies.DEFAULT_STRATEGY).for_all())
    return FillAnswer(options, view, puzzle, puzzles, session.jobs.words.score, strategy)
