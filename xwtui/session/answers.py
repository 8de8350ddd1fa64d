"""What verbs answer, as data: each in words for a face, and with documented names for a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xwtui.engine.events.event import Outcome
from xwtui.formats.grid_text import grid_to_text
from xwtui.model import Grid, Puzzle
from xwtui.model.review import Finding
from xwtui.model.statistics import GridStatistics, grid_statistics
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.jobs.question import Findings
from xwtui.session.run_view import RunView
from xwtui.session.wording import ending_words, finding_lines, stopped_lines

if TYPE_CHECKING:
    from xwtui.engine.candidates.options import SlotOptions
    from xwtui.engine.count.estimate import Estimate
    from xwtui.racing.standing import RaceView
    from xwtui.strategies.protocol import Strategy

Score = Callable[[str], int | None]


@dataclass(frozen=True)
class LinesAnswer:
    """An answer that is words alone."""

    lines: tuple[str, ...]
    verdict: Outcome = Outcome.FILLED

    @property
    def as_json(self) -> dict[str, Any]:
        """The lines."""
        return {"lines": list(self.lines)}


@dataclass(frozen=True)
class FillAnswer:
    """How a run ended: the puzzle as it stands then, and the fills that it has found, the best first."""

    options: FillOptions
    view: RunView
    puzzle: Puzzle
    fills: tuple[Puzzle, ...]
    score: Score
    strategy: str = ""
    """The strategy with its options; empty for the engine as it is."""

    @property
    def shown(self) -> Puzzle:
        """The puzzle with the first fill, or as it was."""
        return self.fills[0] if self.fills else self.puzzle

    @property
    def is_plain(self) -> bool:
        """Whether it was one search, rather than a run of several."""
        return self.view.mode in (Mode.FILL, Mode.ALL)

    @property
    def statistics(self) -> GridStatistics:
        """The figures of what is shown."""
        return grid_statistics(self.shown.grid, self.score)

    @property
    def verdict(self) -> Outcome:
        """FILLED where there is what was asked for, or as good a fill as time allowed.

        A partial fill says whether a whole one could be; of all fills, whether these are all.
        """
        view = self.view
        is_done = view.mode in (Mode.BEST, Mode.IMPROVE) and view.quality is not None
        is_done = is_done or (view.mode is Mode.DIVERSE and view.found > 0)
        return Outcome.FILLED if is_done and view.outcome is not Outcome.CANCELLED else view.outcome

    @property
    def lines(self) -> Sequence[str]:
        """How it ended."""
        return [ending_words(self.view), *stopped_lines(self.view)] if not self.is_plain else [self.view.reason]

    @property
    def as_json(self) -> dict[str, Any]:
        """The figures of one fill, or `fills` of several, and what the mode adds."""
        view = self.view
        document: dict[str, Any] = {"status": self._status, "seed": view.seed, "threads": view.threads}
        if view.mode is Mode.DIVERSE:
            document |= {"wanted": view.wanted, "fills": [self._one(puzzle) for puzzle in self.fills]}
        else:
            document |= self._one(self.shown)
        document |= self._effort() if self.is_plain else {"mode": view.mode.value, **self._details()}
        document |= self._changes()
        return document | ({"reason": view.reason} if view.reason else {})

    @property
    def _status(self) -> str:
        """As for a plain fill: `filled` wherever there is a whole fill, even if time ended the run."""
        is_filled = self.view.quality is not None or (self.view.mode is Mode.DIVERSE and self.view.found > 0)
        return (Outcome.FILLED if is_filled else self.view.outcome).value

    def _one(self, puzzle: Puzzle) -> dict[str, Any]:
        grid = puzzle.grid
        answers = {slot.name: answer for slot in grid.slots if (answer := grid.answer(slot)) is not None}
        statistics = grid_statistics(grid, self.score)
        return {
            "grid": grid_rows(grid),
            "answers": {name: {"word": word, "score": self.score(word)} for name, word in answers.items()},
            "mean_score": statistics.mean_score,
            "lowest_score": statistics.lowest_score,
        }

    def _effort(self) -> dict[str, Any]:
        """What a search took, and what strategies add."""
        view = self.view
        effort: dict[str, Any] = {
            "nodes": view.nodes,
            "backtracks": view.backtracks,
            "restarts": view.restarts,
        }
        if self.strategy:
            is_all = view.mode is Mode.ALL
            has_all = view.outcome is Outcome.IMPOSSIBLE or (is_all and view.outcome is Outcome.FILLED)
            effort["strategy"] = self.strategy
            effort["fills"] = view.found if is_all else len(self.fills)
            effort["all_fills"] = has_all
        return effort | ({} if view.placements is None else {"placements": view.placements})

    def _changes(self) -> dict[str, Any]:
        """What has been replaced of what stood."""
        view = self.view
        if not (view.changes or view.mode.is_of_entry):
            return {}
        return {
            "changed": [{"entry": one.entry, "from": one.before, "to": one.after} for one in view.changes],
            "squares_changed": view.found,
            "smallest": view.is_smallest,
        }

    def _details(self) -> dict[str, Any]:
        """What only some runs have."""
        view = self.view
        if view.mode is Mode.PARTIAL:
            stopped = [{"entry": one.entry, "reason": one.reason} for one in view.stopped]
            return {"filled": view.found, "open": view.wanted - view.found, "stopped": stopped}
        quality = view.quality
        if quality is None:
            return {}
        return {
            "aim": quality.unit,
            "value": quality.value,
            "first_value": quality.first,
            "bound": quality.bound,
            "gap": quality.gap,
            "rounds": quality.rounds,
            "better_fills": quality.better,
            "proved": quality.is_proved,
        }


def grid_rows(grid: Grid) -> list[str]:
    """The grid as in grid text, a string a row; a rebus square is `[HEART]`."""
    return grid_to_text(grid).splitlines()


@dataclass(frozen=True)
class StrategiesAnswer:
    """Which strategies there are, with their options."""

    strategies: tuple[type[Strategy], ...]
    verdict: Outcome = Outcome.FILLED

    @property
    def lines(self) -> Sequence[str]:
        """Each with its summary, and an indented line an option."""
        lines = []
        for strategy in self.strategies:
            lines.append(f"{strategy.name}: {strategy.summary}")
            lines += [f"    {one.name}={one.default}  {one.help}: {one.expected}" for one in strategy.options]
        return lines

    @property
    def as_json(self) -> dict[str, Any]:
        """The same by names."""
        return {
            "strategies": [
                {
                    "name": strategy.name,
                    "summary": strategy.summary,
                    "options": [
                        {"name": one.name, "default": str(one.default), "help": one.help, "expected": one.expected}
                        for one in strategy.options
                    ],
                }
                for strategy in self.strategies
            ]
        }


@dataclass(frozen=True)
class CountAnswer:
    """How many fills there are, and how many words each entry may take."""

    estimate: Estimate
    options: Mapping[str, SlotOptions]
    grid: Grid
    is_exact: bool
    """Whether an exact count was asked for."""

    @property
    def summed(self) -> int:
        """The words of all entries: Copeland's measure."""
        return sum(slot.after_propagation for slot in self.options.values())

    @property
    def verdict(self) -> Outcome:
        """UNKNOWN where the count should be exact and is not."""
        return Outcome.UNKNOWN if self.is_exact and self.estimate.exact is None else Outcome.FILLED

    @property
    def lines(self) -> Sequence[str]:
        """The count, and the entries, the emptiest first."""
        grid = self.grid
        width = max((len(grid.pattern(slot)) for slot in grid.slots), default=0)
        copeland = f"options summed over the entries: {self.summed:,} (Copeland's measure)"
        lines = [self.estimate.describe(), copeland, "", f"{'entry':>5}  {'pattern':{width}}  matches  options"]
        for name, slot in sorted(self.options.items(), key=lambda item: item[1].after_propagation):
            pattern = grid.pattern(grid.slots_by_name[name], given_only=True)
            lines.append(f"{name:>5}  {pattern:{width}}  {slot.pattern_matches:7,}  {slot.after_propagation:7,}")
        return lines

    @property
    def as_json(self) -> dict[str, Any]:
        """The count with its interval, as powers of ten, and the options of each entry."""
        estimate = self.estimate
        is_exact = estimate.exact is not None
        return {
            "text": estimate.describe(),
            "exact": estimate.exact,
            "log10": estimate.log10,
            "low": estimate.log10 if is_exact else estimate.low,
            "high": estimate.log10 if is_exact else estimate.high,
            "at_least": estimate.exact if is_exact else estimate.at_least,
            "instrument": estimate.instrument.value,
            "summed_options": self.summed,
            "slots": {
                name: {"matches": slot.pattern_matches, "options": slot.after_propagation}
                for name, slot in self.options.items()
            },
        }


_VERDICTS = {True: Outcome.FILLED, False: Outcome.IMPOSSIBLE, None: Outcome.UNKNOWN}


@dataclass(frozen=True)
class FindingsAnswer:
    """What a question about a grid has brought."""

    findings: Findings
    grid: Grid

    @property
    def verdict(self) -> Outcome:
        """Whether what was asked for can be had."""
        return _VERDICTS[self.findings.is_possible]

    @property
    def lines(self) -> Sequence[str]:
        """The answer, what explains it, and the proposals."""
        return list(finding_lines(self.findings, self.grid))

    @property
    def as_json(self) -> dict[str, Any]:
        """As the question has it."""
        return dict(self.findings.as_json)


@dataclass(frozen=True)
class RaceAnswer:
    """A race that is over, or was stopped."""

    view: RaceView

    @property
    def verdict(self) -> Outcome:
        """What is known of the grid by now."""
        from xwtui.racing.export import status  # noqa: PLC0415  (only once there was a race)

        return Outcome(status(self.view))

    @property
    def lines(self) -> Sequence[str]:
        """The summary over the seeds, the survival plot, and why runs failed."""
        from xwtui.racing.report import report_lines  # noqa: PLC0415

        return report_lines(self.view, _REPORT_WIDTH)

    @property
    def as_json(self) -> dict[str, Any]:
        """As in the file of a race."""
        from xwtui.racing.export import race_as_json  # noqa: PLC0415

        return race_as_json(self.view)


_REPORT_WIDTH = 79


@dataclass(frozen=True)
class ReviewAnswer:
    """What an editor would object to, with the figures of the grid."""

    puzzle: Puzzle
    findings: tuple[Finding, ...]
    statistics: GridStatistics
    are_words_judged: bool = True
    """Whether the word lists were there to judge the answers by."""

    @property
    def verdict(self) -> Outcome:
        """FILLED where there is nothing to object to."""
        return Outcome.IMPOSSIBLE if self.findings else Outcome.FILLED

    @property
    def lines(self) -> Sequence[str]:
        """A line for each."""
        told = [f"{finding.rule.value}: {finding.message}" for finding in self.findings]
        if not self.are_words_judged:
            told.append("words: not loaded yet, so answers and rules were not held against the lists")
        return told or ["nothing to object to"]

    @property
    def as_json(self) -> dict[str, Any]:
        """The findings with their squares, and the figures."""
        return {
            "status": "findings" if self.findings else "clean",
            "findings": [
                {
                    "rule": finding.rule.value,
                    "message": finding.message,
                    "squares": [str(at) for at in finding.where],
                }
                for finding in self.findings
            ],
            "stale_clues": [
                {"entry": stale.slot.name, "clue_answer": stale.clue.answer, "answer": stale.answer}
                for stale in self.puzzle.stale_clues
            ],
            "statistics": statistics_as_json(self.statistics),
        }


def statistics_as_json(statistics: GridStatistics) -> dict[str, Any]:
    """The figures of a grid by their names."""
    return {
        "height": statistics.height,
        "width": statistics.width,
        "entries": statistics.entries,
        "filled_entries": statistics.filled_entries,
        "blocks": statistics.blocks,
        "open_squares": statistics.open_squares,
        "filled_squares": statistics.filled_squares,
        "rebus_squares": statistics.rebus_squares,
        "mean_length": statistics.mean_length,
        "letters": dict(statistics.letters),
        "mean_score": statistics.mean_score,
        "lowest_score": statistics.lowest_score,
        "unlisted": dict(statistics.unlisted),
    }


@dataclass(frozen=True)
class StatisticsAnswer:
    """The figures of a grid."""

    statistics: GridStatistics
    lines: tuple[str, ...]
    verdict: Outcome = Outcome.FILLED

    @property
    def as_json(self) -> dict[str, Any]:
        """The figures by their names."""
        return statistics_as_json(self.statistics)
