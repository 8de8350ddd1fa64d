"""What verbs answer, as data: in words for a face, with documented names for a program; fills, races."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, dataclass_transform

from xwtui.dataclasses import dataclass
from xwtui.engine.events.event import Outcome
from xwtui.formats.grid_text import grid_to_text
from xwtui.interrupts import Exit
from xwtui.lazy import lazy_imports
from xwtui.model import Grid, Puzzle
from xwtui.model.statistics import GridStatistics, grid_statistics
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.json_shape import JsonShape, json_value
from xwtui.session.overwriting import numbered_free
from xwtui.session.run_view import RunView
from xwtui.session.wording import all_fills_words, counted, ending_words, proof_words, remarks, stopped_lines

with lazy_imports():
    from xwtui.formats.registry import write_puzzle
    from xwtui.grids.designs import Design
    from xwtui.racing.export import race_as_json, status, write_race
    from xwtui.racing.report import report_lines
    from xwtui.racing.task import RaceView
    from xwtui.strategies.protocol import Strategy

_REPORT_WIDTH = 76
_WIDEST_REPORT = 100


def grid_rows(grid: Grid) -> list[str]:
    """The grid as in grid text, a string a row; a rebus square is `[HEART]`."""
    return grid_to_text(grid).splitlines()


def bars_as_json(grid: Grid) -> dict[str, Any]:
    """The two squares of each bar as `bars`; nothing where there are none."""
    bars = [[str(bar.first), str(bar.second)] for bar in sorted(grid.bars)]
    return {"bars": bars} if bars else {}


def shared_stems_as_json(holder: RunView | Design) -> dict[str, Any]:
    """The pairs of entries and answers that share a stem, where there are any."""
    pairs = [list(map(list, pair)) for pair in holder.shared_stems]
    return {"shared_stems": pairs} if pairs else {}


def grid_as_json(grid: Grid) -> dict[str, Any]:
    """The rows as `grid`, and the bars."""
    return {"grid": grid_rows(grid), **bars_as_json(grid)}


STATUSES: Mapping[Outcome, Exit] = {
    Outcome.FILLED: Exit.OK,
    Outcome.IMPOSSIBLE: Exit.IMPOSSIBLE,
    Outcome.UNKNOWN: Exit.UNKNOWN,
    Outcome.CANCELLED: Exit.INTERRUPTED,
}
"""The exit status for each verdict, of a command and of a script's line."""

Score = Callable[[str], int | None]


class FilesWritten(NamedTuple):
    """The files that an answer was written to, and a warning for each thing left out."""

    paths: tuple[Path, ...] = ()
    warnings: Sequence[str] = ()


@dataclass_transform(frozen_default=True)
class VerbAnswer:
    """What a verb has found out, as data: each kind of answer is a frozen dataclass.

    `lines` and the shape of its `json` are all that an answer must say. The rest is for one that makes puzzles or
    files, that takes a while, or that has more to tell one who sees no grid.
    """

    json: ClassVar[JsonShape]
    """What of it stands in JSON."""

    work: ClassVar[str] = ""
    """What its `seconds` are called in JSON: a `search`; empty where they are of no interest."""
    stopped: ClassVar[str] = "this is what is known so far"
    """What it is where a signal has cut it short; empty where its own words say so."""
    makes: ClassVar[str] = ""
    """What of it is the puzzle that it has made, where it is one."""
    judged_by: ClassVar[str] = ""
    """What of it is empty where there provably is nothing of what was asked for."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)

    @property
    def lines(self) -> Sequence[str]:
        raise NotImplementedError

    @property
    def as_json(self) -> dict[str, Any]:
        """The same for programs, with documented names."""
        return self.json.of(self)

    @property
    def verdict(self) -> Outcome:
        """What a program is told by the exit status of the shell; FILLED where there is what was asked for."""
        return Outcome.FILLED if not self.judged_by or getattr(self, self.judged_by) else Outcome.IMPOSSIBLE

    @property
    def headline(self) -> str:
        """The first of its lines, which tells how far it is while more is being found."""
        return next(iter(self.lines), "")

    @property
    def seconds(self) -> float:
        """How long the work itself took."""
        return 0.0

    @property
    def parts(self) -> Mapping[str, float]:
        """How long parts of the work took, by their names, and what led to it."""
        return {}

    @property
    def puzzles(self) -> tuple[Puzzle, ...] | None:
        """What it has made, to be drawn and written to files; None where it is no verb that makes puzzles."""
        return (getattr(self, self.makes),) if self.makes else None

    @property
    def has_choice(self) -> bool:
        """Whether its puzzles are several to choose from: each goes to a file of its own."""
        return False

    def report(self, times: str, columns: int) -> Sequence[str]:
        """Its words for one who has seen neither puzzle nor work; `times` tells how long each part took."""
        return self.lines

    def write(self, path: Path, *, lossy: bool) -> FilesWritten:
        """Write what it has made to a file, or into a folder where it is of several things."""
        made = self.puzzles or ()
        targets, notes = [path] * len(made), list[str]()
        if self.has_choice:
            targets, notes = numbered_free(lambda n: path.with_name(f"{path.stem}-{n}{path.suffix}"), len(made))
        warnings = [
            f"{target}: {warning}"
            for target, puzzle in zip(targets, made, strict=True)
            for warning in write_puzzle(target, puzzle, lossy=lossy)
        ]
        return FilesWritten(tuple(targets), notes + warnings)


class LinesAnswer(VerbAnswer):
    """An answer that is words alone."""

    told: tuple[str, ...]
    json = JsonShape("lines")

    @property
    def lines(self) -> Sequence[str]:
        return self.told


class StrategiesAnswer(VerbAnswer):
    """Which strategies there are, with their options."""

    strategies: tuple[type[Strategy], ...]
    json = JsonShape(
        (
            "strategies",
            JsonShape(
                "name summary",
                ("options", JsonShape("name", lambda one: {"default": str(one.default)}, "help expected")),
            ),
        )
    )

    @property
    def lines(self) -> Sequence[str]:
        lines = []
        for strategy in self.strategies:
            lines.append(f"{strategy.name}: {strategy.summary}")
            lines += [f"    {one.name}={one.default}  {one.help}: {one.expected}" for one in strategy.options]
        return lines


class RaceAnswer(VerbAnswer):
    """A race that is over, or was stopped."""

    view: RaceView
    work = "race"
    stopped = "this is the race so far"

    @property
    def verdict(self) -> Outcome:
        return Outcome(status(self.view))

    @property
    def seconds(self) -> float:
        return self.view.seconds

    @property
    def lines(self) -> Sequence[str]:
        return self.report("", _REPORT_WIDTH)

    @property
    def as_json(self) -> dict[str, Any]:
        return race_as_json(self.view)

    def report(self, times: str, columns: int) -> Sequence[str]:
        return report_lines(self.view, min(columns, _WIDEST_REPORT))

    def write(self, path: Path, *, lossy: bool) -> FilesWritten:
        write_race(path, self.view)
        return FilesWritten((path,))


class FillAnswer(VerbAnswer):
    """How a run ended: the puzzle as it stands then, and the fills that it has found, the best first."""

    work = "search"
    stopped = ""
    options: FillOptions
    view: RunView
    puzzle: Puzzle
    fills: tuple[Puzzle, ...]
    score: Score
    strategy: str = ""
    """The strategy with its options; empty for the engine as it is."""

    @property
    def shown(self) -> Puzzle:
        return self.fills[0] if self.fills else self.puzzle

    @property
    def is_plain(self) -> bool:
        """Whether it was one search, rather than a run of several."""
        return self.view.mode in (Mode.FILL, Mode.ALL)

    @property
    def statistics(self) -> GridStatistics:
        return grid_statistics(self.shown.grid, self.score, answers=self.shown.answers)

    @property
    def verdict(self) -> Outcome:
        return self.view.verdict

    @property
    def lines(self) -> Sequence[str]:
        return [ending_words(self.view), *stopped_lines(self.view)] if not self.is_plain else [self.view.reason]

    @property
    def seconds(self) -> float:
        return self.view.seconds

    @property
    def parts(self) -> Mapping[str, float]:
        view = self.view
        if view.mode is not Mode.FILL:
            return {}
        first = view.seconds - view.better_words_seconds
        return {
            "layout": view.layout_seconds,
            "first_fill": first,
            "better_words": view.better_words_seconds,
        }

    @property
    def puzzles(self) -> tuple[Puzzle, ...]:
        return self.fills

    @property
    def has_choice(self) -> bool:
        return self.view.mode is Mode.DIVERSE

    def report(self, times: str, columns: int) -> Sequence[str]:
        return self._search_lines(times) if self.is_plain else self._run_lines(times)

    def _search_lines(self, times: str) -> list[str]:
        """The outcome and the effort of one search, and how many fills there are where that was asked."""
        view, reason = self.view, self.view.reason
        took = [
            counted(view.nodes, "node"),
            counted(view.backtracks, "backtrack"),
            counted(view.restarts, "restart"),
        ]
        if view.lookups is not None:
            asked, made, seconds = view.lookups
            remembered = f" ({asked - made:,} remembered)" if made < asked else ""
            took.append(f"{counted(asked, 'look-up')}{remembered} in {seconds:.2f} s")
        hint = ""
        match view.outcome:
            case Outcome.FILLED:
                told = "; ".join(filter(None, [f"filled: {_scores(self.statistics)}", reason]))
            case Outcome.IMPOSSIBLE:
                told = f"impossible: {reason or 'there is no fill with these words'}"
            case Outcome.CANCELLED:
                told = "stopped, with the first fill" if self.fills else "stopped, no file was written"
            case _ if reason:
                told = f"unknown: {reason}"
            case _:
                told = "unknown: time ran out with neither a fill nor a proof that there is none"
                hint = "; try --time, --threads, another --seed or a lower --min-score"
        effort = f"{', '.join(took)}; {times}"
        if view.mode is Mode.FILL and view.changes:  # a repair: many small searches, not one
            effort = f"repair {view.seconds:.2f} s, layout {view.layout_seconds:.2f} s"
        if view.mode is not Mode.ALL:
            return [told, *remarks(view), *filter(None, [proof_words(view)]), effort + hint]
        is_all = view.outcome in (Outcome.FILLED, Outcome.IMPOSSIBLE)
        return [told, effort, all_fills_words(view.found, "" if is_all else reason or "the search did not finish")]

    def _run_lines(self, times: str) -> list[str]:
        """How a run of several searches ended, and how long it took."""
        lines = [ending_words(self.view), *(f"  {line}" for line in stopped_lines(self.view))]
        if self.has_choice:
            for number, puzzle in enumerate(self.fills, start=1):
                figures = grid_statistics(puzzle.grid, self.score, answers=puzzle.answers)
                lines.append(
                    f"  {number}  mean score {figures.mean_score or 0:.1f}, lowest {figures.lowest_score}"
                )
        if self.strategy:
            times = f"{counted(self.view.nodes, 'node')}, {counted(self.view.backtracks, 'backtrack')}; {times}"
        return [*lines, times]

    @property
    def as_json(self) -> dict[str, Any]:
        """The figures of one fill, or `fills` of several, and what the mode adds."""
        view = self.view
        document: dict[str, Any] = {"status": self._status, "seed": view.seed, "threads": view.threads}
        if view.mode is Mode.DIVERSE:
            document |= {"wanted": view.wanted, "fills": [self._one(puzzle) for puzzle in self.fills]}
        else:
            document |= self._one(self.shown)
        document |= {} if self.is_plain else {"mode": view.mode.value, **self._details()}
        document |= self._effort() if self.is_plain or self.strategy else {}
        document |= self._changes() | ({"lowest_before": view.lowered.before} if view.lowered else {})
        document |= shared_stems_as_json(view)
        if view.proof is not None:
            document["proof"] = str(view.proof.path) if view.proof.is_written else None
        return document | ({"reason": view.reason} if view.reason else {})

    @property
    def _status(self) -> str:
        """As for a plain fill: `filled` wherever there is a whole fill, even if time ended the run."""
        is_filled = self.view.quality is not None or (self.view.mode is Mode.DIVERSE and self.view.found > 0)
        return (Outcome.FILLED if is_filled else self.view.outcome).value

    def _one(self, puzzle: Puzzle) -> dict[str, Any]:
        grid = puzzle.grid
        answers = puzzle.answers
        statistics = grid_statistics(grid, self.score, answers=answers)
        return {
            **grid_as_json(grid),
            "answers": {name: self._told(puzzle, name, word) for name, word in answers.items()},
            "mean_score": statistics.mean_score,
            "lowest_score": statistics.lowest_score,
        }

    def _told(self, puzzle: Puzzle, name: str, word: str) -> dict[str, Any]:
        told = puzzle.entered_answer(puzzle.grid.slot(name))
        entered = {} if told is None else {"entered": told.entered}
        return {"word": word, "score": self.score(word), **entered}

    def _effort(self) -> dict[str, Any]:
        view = self.view
        effort = _EFFORT.of(view)
        if self.strategy:
            is_all = view.mode is Mode.ALL
            has_all = view.outcome is Outcome.IMPOSSIBLE or (is_all and view.outcome is Outcome.FILLED)
            effort["strategy"] = self.strategy
            effort["fills"] = view.found if is_all else len(self.fills)
            effort["all_fills"] = has_all
        if view.lookups is not None:
            asked, made, seconds = view.lookups
            effort["lookups"] = {"asked": asked, "made": made, "seconds": round(seconds, 6)}
        return effort | ({} if view.placements is None else {"placements": view.placements})

    def _changes(self) -> dict[str, Any]:
        view = self.view
        if not (view.changes or view.mode.is_of_entry):
            return {}
        return _CHANGES.of(view)

    def _details(self) -> dict[str, Any]:
        view = self.view
        if view.mode is Mode.PARTIAL:
            return {"filled": view.found, "open": view.wanted - view.found, "stopped": json_value(view.stopped)}
        return {} if view.quality is None else _QUALITY.of(view.quality)


_EFFORT = JsonShape("nodes backtracks restarts")
_QUALITY = JsonShape("aim=unit value first_value=first bound gap rounds better_fills=better proved=is_proved")
_CHANGES = JsonShape(
    ("changed=changes", JsonShape("entry from=before to=after")),
    "squares_changed=found smallest=is_smallest kept_out??",
)


def _scores(statistics: GridStatistics) -> str:
    entries = counted(statistics.entries, "entry", "entries")
    if statistics.filled_entries < statistics.entries:
        entries = f"{statistics.filled_entries:,} of {entries}"
    if statistics.mean_score is None:
        return f"{entries}, none in the word list"
    text = f"{entries}, mean score {statistics.mean_score:.1f}, lowest {statistics.lowest_score}"
    unlisted = ", ".join(f"{name} {answer}" for name, answer in statistics.unlisted)
    return f"{text}; not in the word list: {unlisted}" if unlisted else text
