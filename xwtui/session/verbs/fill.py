"""The verbs for the filler: run, step, stop and improve; and the options that all runs share."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from xwtui.batch.pool import other_pools
from xwtui.engine.budget import ALL_CORES, threads_of
from xwtui.engine.improve.improvement import Aim
from xwtui.errors import PuzzleError, VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Slot
from xwtui.model.edits import write_fill
from xwtui.model.selection import around
from xwtui.model.statistics import pencil_squares
from xwtui.parameters import ALLOW_REPEATS, FIRST, MIN_SCORE, SECONDS, SEED, THREADS
from xwtui.session.answers import ImmediateAnswer, JsonShape
from xwtui.session.fill_options import (
    AIM_MEANINGS,
    BEST_SECONDS,
    DEFAULT_COUNT,
    DEFAULT_DIFFERENCE,
    DEFAULT_MARK,
    FLATTENING,
    MOST_FILLS,
    FillOptions,
    Mode,
    aim_named,
    exponent_of,
    letters_of,
    objective_of,
)
from xwtui.session.verbs import kinds
from xwtui.session.verbs.kinds import asked
from xwtui.session.verbs.verb import Answer, FromShell, Group, Reply, Writes, argument, option, options, verbs_of
from xwtui.text import printable

with lazy_imports():
    from xwtui import strategies
    from xwtui.engine.events.event import Outcome
    from xwtui.session.document import full_path
    from xwtui.session.fill_answer import FillAnswer
    from xwtui.session.jobs.fills.kept_fills import current_contents, disallowed_answers
    from xwtui.session.run_view import FoundFill
    from xwtui.session.session import Session
    from xwtui.strategies.registry import STRATEGIES, StrategyChoice, find_strategy

verb = verbs_of(Group.FILL)

LIST = "list"


def strategy_names() -> dict[str, str]:
    """Return the strategies' names with their summaries."""
    return {name: strategy.summary for name, strategy in STRATEGIES.items()}


@kinds.parameter_kind("strategy", kinds.among(strategy_names))
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
    """The options that all runs of the filler share."""

    seconds: float | None = asked(
        SECONDS.with_help("time limit in seconds, 0 for none (default: until it finishes or you stop it)")
    )
    seed: int | None = asked(
        SEED.with_help("the same seed gives the same fill (for hard grids, only with one thread)")
    )
    threads: int | None = asked(THREADS)
    min_score: int | None = asked(MIN_SCORE.with_help(f"{MIN_SCORE.help} for this run"))
    repeat_cost: int | None = option(
        "points taken off an answer of recent puzzles, 0 to 100 (`prefer --recent` names them; default: 50)",
        kinds.number_kind(0, 100),
    )
    only: kinds.Place | None = option(
        "fill only these squares: r1c1:r5c5, 17A,3D or `selection`", kinds.squares_kind()
    )
    allow_repeats: bool = asked(ALLOW_REPEATS)
    near: Slot | None = option("fill only this entry and its crossings", kinds.ENTRY, name="--around")

    @property
    def is_plain(self) -> bool:
        return all(one is None for one in (self.seed, self.min_score, self.repeat_cost, self.only, self.near))

    def order(self, session: Session, mode: Mode, **details: Any) -> FillOptions:
        """Build the run's options; `details` are those of the mode."""
        threads = session.settings.threads if self.threads is None else self.threads
        # by default one thread for a fill, so that it can be stepped
        is_single = self.threads is None and threads == ALL_CORES and mode is Mode.FILL
        selection, parts = None, list[str]()
        if self.only is not None:
            selection = frozenset(kinds.squares_of(session, self.only))
            name = kinds.place_name(self.only)
            parts.append("the selection" if name == "selection" else name)
        if self.near is not None:
            selection = around(session.puzzle.grid, self.near) | (selection or frozenset())
            parts.append(f"{self.near.label} and its crossings")
        seconds = BEST_SECONDS if self.seconds is None and mode is Mode.BEST else self.seconds
        return FillOptions(
            mode,
            seconds=None if seconds == math.inf else seconds,
            seed=self.seed,
            threads=1 if is_single else threads_of(threads),
            minimum_score=self.min_score,
            repeat_cost=self.repeat_cost,
            selection=selection,
            part=" and ".join(parts),
            allow_repeats=self.allow_repeats,
            **details,
        )


run_options = options(RunOptions)
first_option = asked(FIRST)
"""For verbs that end a plain fill with better words."""

strict_option = option(
    "whether a script stops when there is no fill; with --no-strict it continues",
    name="--strict/--no-strict",
    default=True,
)


def wants_several(count: int | None, diverse: bool, differ: float | None) -> bool:
    """Whether these options of `fill` ask for fills to choose from."""
    return count is not None or diverse or differ is not None


def start_run(session: Session, options: FillOptions, *, is_strict: bool, overwrites: bool = False) -> Reply:
    """Start a run; the reply gives its result once it has ended.

    Raises ExistsAlreadyError if it would overwrite a file that this session did not write, unless `overwrites` is
    set.
    """
    for file in () if overwrites else options.files:
        session.document.exported.check(full_path(file), shown=str(file), remedy="--force")
    session.jobs.fill.start(options)
    return Reply(started=True, is_strict=is_strict, answer=lambda: _ended(session, options))


def _ended(session: Session, options: FillOptions) -> FillAnswer:
    view, puzzle = session.jobs.fill.view, session.puzzle
    assert view is not None
    if view.paused:
        view = replace(view, outcome=Outcome.UNKNOWN)
    if options.mode is Mode.DIVERSE:
        fills = [fill.squares for fill in session.fills.kept]
    elif options.mode is Mode.ALL:
        fills = [view.squares] if view.found else []
    else:
        made = (puzzle,) if view.to_write else ()
        return FillAnswer(options, view, puzzle, made, session.jobs.words.score, options.strategy)
    inside = options.selection
    written = (
        write_fill(puzzle, {at: one for at, one in fill.items() if inside is None or at in inside})
        for fill in fills
    )
    puzzles = tuple(session.jobs.words.with_answers(puzzle, filled) for filled in written)
    strategy = ""
    if options.mode is Mode.ALL:
        strategy = str(StrategyChoice.parse(options.strategy or strategies.DEFAULT_STRATEGY).for_all())
    return FillAnswer(options, view, puzzle, puzzles, session.jobs.words.score, strategy)


PROVING = "xwtui:decide=squares-at-last"
"""The default search for proofs: its last phase decides on squares, without restarts."""


@kinds.parameter_kind("percent")
def SHARE(text: str, session: Session) -> float:
    """A percentage: `30%` or `30`."""
    match = re.fullmatch(r"(\d{1,3}(?:\.\d{0,3})?)%?", text.strip())
    if match is None or float(match[1]) > 100:
        raise PuzzleError(f"{printable(text, 30)!r} is not a percentage such as 30%")
    return float(match[1]) / 100


def _target_offers(session: Session, beginning: str) -> list[kinds.Item]:
    entries = (slot.name for slot in session.puzzle.grid.slots)
    return kinds.offered(["backtrack", "restart", "solved", *entries], beginning)


TARGET = kinds.ParameterKind("target", lambda text, session: text, _target_offers)


class _FillKind(NamedTuple):
    """The kind and number of fills requested."""

    first: bool = first_option
    partial: bool = option("fill as much as possible if there is no complete fill")
    best: bool = option(
        "find the fill with the best lowest score, then the best mean, in the time given (20 s at the prompt)"
    )
    fills: int | None = option(
        "find this many fills to choose from", kinds.number_kind(1, MOST_FILLS), name="--count"
    )
    diverse: bool = option("find fills that differ widely, 5 unless --count gives a number")
    differ: float | None = option("the share of squares in which they differ (default: 30%)", SHARE)
    wants_all: bool = option("go through every fill and count them", name="--all")

    @property
    def mode(self) -> Mode:
        """The mode of the fill; raises VerbError if the options ask for more than one."""
        several = wants_several(self.fills, self.diverse, self.differ)
        asked = {Mode.PARTIAL: self.partial, Mode.BEST: self.best, Mode.DIVERSE: several, Mode.ALL: self.wants_all}
        wanted = [mode for mode, is_asked in asked.items() if is_asked]
        if len(wanted) > 1:
            four = "--partial, --best, several fills and --all exclude each other"
            raise VerbError(f"fill: {four}; use only one")
        if wanted and self.first:
            raise VerbError("fill: --first works only with one plain fill")
        return wanted[0] if wanted else Mode.FILL

    @property
    def several(self) -> dict[str, Any]:
        """The number of fills to find, and how much they must differ."""
        difference = DEFAULT_DIFFERENCE if self.diverse else 0.0
        return {
            "count": DEFAULT_COUNT if self.fills is None else self.fills,
            "difference": difference if self.differ is None else self.differ,
        }


class _FillWays(NamedTuple):
    """The search that finds a fill, and the files that record it."""

    strategy: str = strategy_option
    from_pencil: bool = option("with --strategy: start from the current pencil")
    scheduler: str = option(
        f"search on a Dask cluster, one seed per worker{other_pools()}", default="", metavar="ADDRESS"
    )
    trace: Path | None = option("record everything the search does in this file", kinds.file_kind(".trace"))
    proof: Path | None = option(
        "write a proof to this file if there is no fill; .drat with --strategy sat",
        kinds.file_kind(".proof", ".drat"),
    )
    overwrites: bool = option("overwrite existing files", name="--force")


@verb(
    "fill",
    "fill --time 5 --threads 2",
    "fill --only r1c1:r5c5",
    "fill --around 17A",
    "fill --first",
    "fill --partial",
    "fill --best --time 30",
    "fill --count 5 --diverse",
    "fill --strategy emogic-words",
    "fill --strategy trie --all --time 5",
    "fill --strategy copeland --from-pencil",
    "fill --trace hard.trace",
    "fill --proof none.proof",
    "fill --strategy sat --proof none.drat",
    from_shell=FromShell(
        {"seconds": "60", "seed": "0", "threads": "0"},
        writes=Writes.PUZZLE,
        hidden=("strict",),
        needs_grid=lambda values: values["strategy"] != LIST,
        numbers_files=lambda values: wants_several(values["fills"], values["diverse"], values["differ"]),
    ),
)
def fill(
    session: Session,
    kind: _FillKind = options(_FillKind),
    ways: _FillWays = options(_FillWays),
    run: RunOptions = run_options,
    strict: bool = strict_option,
) -> Answer:
    """Fill the empty squares, keeping as much of the pencil as possible.

    If no fill keeps all of the pencil, the grid is repaired around the words that clash, and the answer names the
    entries that changed; it says so if fewer changes might have been enough. On the screen, a repair that would
    replace more than a quarter of the pencil is shown first, for you to take or leave. A fill then gets better
    words in a few rounds, unless you give --first; `improve` goes on from there. `refill` redoes all of the
    pencil, and so do --partial, --best, --count, --all, --strategy, --scheduler, --trace and --proof. With
    --from-pencil, a strategy starts from the current pencil, and a strategy that improves starts from a finished
    grid. With --only or --around, nothing else is filled. Several fills are shown side by side (`fills`, `take
    2`); nothing is written until you take one. A script stops if there is no complete fill, unless --no-strict
    lets it continue.
    """
    if ways.strategy == LIST:
        return _strategies()
    mode, strategy, scheduler, trace = kind.mode, ways.strategy, ways.scheduler, ways.trace
    if ways.proof is not None:
        _check_proof(ways.proof, strategy, wants_all=kind.wants_all, is_shared=bool(scheduler))
    if trace is not None:
        run = _alone(Mode.FILL if kind.wants_all else mode, run, "--trace records only one plain fill")
    if scheduler and (mode is not Mode.FILL or strategy or trace or run.only or run.near):
        raise VerbError("fill: --scheduler makes only one plain fill of the whole grid")
    if kind.wants_all:
        run = _alone(Mode.FILL, run, "--all uses one search")
    elif ways.proof is not None:
        strategy = strategy or PROVING
        run = _alone(mode, run, "--proof works only with one plain fill")
    elif strategy:
        run = _alone(mode, run, "--strategy makes only one plain fill")
    live = session.jobs.live_fill.view
    is_plain = mode is Mode.FILL and run.is_plain and not (kind.first or strategy or scheduler or trace)
    if live is not None and live.squares and not live.is_searching and is_plain:
        session.edit("fill", lambda puzzle: write_fill(puzzle, live.squares))
        return "filled as previewed"
    keeps_pencil = mode is Mode.FILL and not strategy and not scheduler and trace is None
    order = run.order(
        session,
        mode,
        keeps_pencil=keeps_pencil,
        can_ask_user=keeps_pencil and session.can_ask_user,
        chooses_words=not kind.first and (keeps_pencil or (mode is Mode.FILL and bool(scheduler))),
        strategy=strategy,
        begins_with_pencil=ways.from_pencil,
        scheduler=scheduler,
        trace=trace,
        proof=ways.proof,
        **kind.several,
    )
    reply = start_run(session, order, is_strict=strict, overwrites=ways.overwrites)
    if not (keeps_pencil and _may_all_stand(session)):
        return reply
    left = "; `refill` refills the pencil" if pencil_squares(session.puzzle.grid) else " or in pencil"
    return replace(reply, lines=(f"no square is empty{left}",), is_in_vain=True)


def _strategies() -> ImmediateAnswer:
    lines = []
    for strategy in STRATEGIES.values():
        lines.append(f"{strategy.name}: {strategy.summary}")
        lines += [f"    {one.name}={one.default}  {one.help}: {one.expected}" for one in strategy.options]
    option = JsonShape("name", lambda one: {"default": str(one.default)}, "help expected")
    document = JsonShape("name summary", ("options", option)).convert(list(STRATEGIES.values()))
    return ImmediateAnswer(lines, {"strategies": document})


def _may_all_stand(session: Session) -> bool:
    """Whether the grid is full, and no pencil was banned or rejected, repeats an answer, or is no word."""
    puzzle, words = session.puzzle, session.jobs.words
    if not puzzle.grid.is_filled or session.unlisted_crossings:
        return False
    current, never = FoundFill(current_contents(puzzle.grid), 0.0, 0), words.banned(puzzle)
    answers = [puzzle.answer(slot) for slot in puzzle.grid.entries]
    is_welcome = not disallowed_answers(current, puzzle, lambda word: words.allows(word) and word not in never)
    return is_welcome and len(set(answers)) == len(answers)


def _check_proof(path: Path, strategy: str, *, wants_all: bool, is_shared: bool) -> None:
    """Raise VerbError if a proof cannot be written, as far as that is known before the search."""
    suffix = find_strategy(StrategyChoice.parse(strategy or PROVING).name).proof_suffix
    if not suffix or wants_all or is_shared:
        others = " or ".join(name for name, each in STRATEGIES.items() if each.proof_suffix)
        raise VerbError(f"fill: --proof works only with one search for a fill, by {others}")
    if path.suffix.lower() != suffix:
        raise VerbError(f"fill: the name of this proof's file must end in {suffix}, unlike {path.name}")
    if not path.expanduser().absolute().parent.is_dir():
        raise VerbError(f"fill: there is no folder {path.parent} for the proof")


@verb("live on", "live off", "live")
def live(session: Session, switch: bool | None = kinds.switch_argument) -> Answer:
    """Turn live fill on or off: after each change, the empty squares preview a fill.

    The preview agrees with everything in the grid and changes little between edits; while a new one is being
    found, the part of the last one that still fits is shown. Nothing is written until `fill` writes the preview
    as shown.
    """
    if switch is not None:
        session.fill_live(switch)
    return f"the live fill is {'on' if session.jobs.live_fill.is_on else 'off'}"


@verb(
    "refill",
    "refill --first",
    "refill --only r1c1:r5c5",
    "refill --around 17A",
    from_shell=FromShell({"seconds": "60", "seed": "0", "threads": "0"}, writes=Writes.PUZZLE, hidden=("strict",)),
)
def refill(
    session: Session, first: bool = first_option, run: RunOptions = run_options, strict: bool = strict_option
) -> Answer:
    """Refill all empty and penciled squares; pen and locked squares stay.

    With --only or --around, pencil elsewhere stays too. `fill` keeps the pencil.
    """
    order = run.order(session, Mode.FILL, chooses_words=not first)
    grid, is_part = session.puzzle.grid, order.selection is not None
    squares = grid.open_positions() if order.selection is None else order.selection
    reply = start_run(session, order, is_strict=strict)
    if not all(grid[at].is_given for at in squares if grid[at].is_open):
        return reply
    where = " there" if is_part else ""
    return replace(reply, lines=(f"no square{where} is empty or in pencil",), is_in_vain=True)


def _alone(mode: Mode, run: RunOptions, what: str) -> RunOptions:
    """Restrict the options to a single search; raises VerbError if they ask for more."""
    if mode is not Mode.FILL or (run.threads or 1) > 1:
        raise VerbError(f"fill: {what}; omit --threads and other kinds of fill")
    return run._replace(threads=1)


@verb("step", "step 10", "step --strategy trie")
def step(
    session: Session,
    events: int = argument("number of events", kinds.number_kind(1, 1_000_000), default="1"),
    strategy: str = strategy_option,
) -> Answer:
    """Advance the search by one event: a decision, a pruning, a dead end or a backtrack.

    Starts a search if there is none; a running search pauses after the event. After going back, it replays the
    recorded events first. --strategy starts a new search.
    """
    session.jobs.fill.step(events, strategy=strategy)
    return Reply(started=True)


@verb("continue", aliases="resume")
def continue_(session: Session, strict: bool = strict_option) -> Answer:
    """Run a paused search to its end."""
    session.jobs.fill.resume()
    return Reply(started=True, is_strict=strict)


@verb("until backtrack", "until restart", "until solved", "until 17A")
def until(
    session: Session,
    target: str = argument("backtrack, restart, solved, or an entry", TARGET),
    strategy: str = strategy_option,
) -> Answer:
    """Run the search to the next backtrack or restart, to its end, or to a given entry."""
    session.jobs.fill.until(target, strategy=strategy)
    return Reply(started=True)


@verb("stop")
def stop(session: Session) -> Answer:
    """Stop the running work: a better fill already found is kept; otherwise the grid is unchanged."""
    return "stopped" if session.stop() else "nothing is running"


AIM = kinds.ParameterKind("what", lambda text, session: aim_named(text), kinds.among(AIM_MEANINGS))
_BY = "; ".join(f"{name}: {meaning}" for name, meaning in AIM_MEANINGS.items()).replace(";", " (the default);", 1)


@verb(
    "improve",
    "improve --time 30",
    "improve --by lowest",
    "improve --by below --mark 45",
    "improve --by flat --exponent 0.3",
    "improve --avoid Q",
    from_shell=FromShell({"seconds": "10", "seed": "0", "threads": "0"}, writes=Writes.PUZZLE, hidden=("strict",)),
)
def improve(
    session: Session,
    by: Aim = option(_BY, AIM, default="mean"),
    mark: int | None = option(f"the score for `--by below` (default: {DEFAULT_MARK})", kinds.number_kind(0, 100)),
    exponent: float | None = option(
        f"for `--by flat` (default: {FLATTENING}); below 1, low scores weigh more",
        kinds.ParameterKind("number", lambda text, session: exponent_of(text)),
    ),
    avoid: str | None = option(
        "letters to avoid, before anything else",
        kinds.ParameterKind("letters", lambda text, session: letters_of(text)),
    ),
    scheduler: str = option(
        f"improve on a Dask cluster, sharing the best fill{other_pools()}", default="", metavar="ADDRESS"
    ),
    run: RunOptions = run_options,
    strict: bool = strict_option,
) -> Answer:
    """Improve the fill until you stop it; pen and locked squares stay.

    Each better fill is shown at once and kept (`fills` lists them). `stop` keeps the best one, and one undo goes
    back to the start. Entries that are unfinished or not in the word list are replaced first. The figure after
    `limit` is a proved value that no fill exceeds.
    """
    objective = objective_of(by, mark, avoid, exponent)
    if scheduler and (run.only or run.near):
        raise VerbError("improve: --scheduler improves the whole grid; omit --only and --around")
    order = run.order(session, Mode.IMPROVE, objective=objective, scheduler=scheduler)
    return start_run(session, order, is_strict=strict)
