"""The answer of a filler run: how it ended, and the fills it has found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xwtui.dataclasses import replace
from xwtui.engine.events.event import Outcome
from xwtui.interrupts import Exit
from xwtui.model import Puzzle
from xwtui.model.statistics import GridStatistics, grid_statistics
from xwtui.session.answers import JsonShape, VerbAnswer, grid_as_json, shared_stems_as_json
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.run_view import RunView
from xwtui.session.wording import all_fills_words, ending_words, proof_words, remarks, stopped_lines
from xwtui.text import counted

STATUSES: Mapping[Outcome, Exit] = {
    Outcome.FILLED: Exit.OK,
    Outcome.IMPOSSIBLE: Exit.IMPOSSIBLE,
    Outcome.UNKNOWN: Exit.UNKNOWN,
    Outcome.CANCELLED: Exit.INTERRUPTED,
}
"""Exit status for each outcome, of a shell command or a script line."""


Score = Callable[[str], int | None]


class FillAnswer(VerbAnswer):
    """How a run ended: the puzzle at that point, and the fills found, best first."""

    work = "search"
    stopped = ""
    options: FillOptions
    view: RunView
    puzzle: Puzzle
    fills: tuple[Puzzle, ...]
    score: Score
    strategy: str = ""
    """The strategy with its options; empty for the default engine."""

    @property
    def shown(self) -> Puzzle:
        return self.fills[0] if self.fills else self.puzzle

    @property
    def is_plain(self) -> bool:
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
        first, better = view.seconds - view.better_words_seconds, view.better_words_seconds
        return {"layout": view.layout_seconds, "first_fill": first, "better_words": better}

    @property
    def puzzles(self) -> tuple[Puzzle, ...]:
        return self.fills

    @property
    def has_choice(self) -> bool:
        return self.view.mode is Mode.DIVERSE

    def report(self, times: str, columns: int, *, is_saved: bool = True) -> Sequence[str]:
        return self._search_lines(times) if self.is_plain else self._run_lines(times, is_saved)

    def _search_lines(self, times: str) -> list[str]:
        view, reason = self.view, self.view.reason
        figures = ((view.nodes, "node"), (view.backtracks, "backtrack"), (view.restarts, "restart"))
        took = [counted(number, noun) for number, noun in figures]
        if view.lookups is not None:
            requested, made, seconds = view.lookups
            remembered = f" ({requested - made:,} remembered)" if made < requested else ""
            took.append(f"{counted(requested, 'look-up')}{remembered} in {seconds:.2f} s")
        hint = ""
        match view.outcome:
            case Outcome.FILLED:
                ending = "; ".join(filter(None, [f"filled: {_scores(self.statistics)}", reason]))
            case Outcome.IMPOSSIBLE:
                ending = f"impossible: {reason or 'there is no fill with these words'}"
            case Outcome.CANCELLED:
                ending = "stopped, with the first fill" if self.fills else "stopped, no file was written"
            case _ if reason:
                ending = f"unknown: {reason}"
            case _:
                ending = "unknown: time ran out with neither a fill nor a proof that there is none"
                hint = "; try --time, --threads, another --seed or a lower --min-score"
        effort = f"{', '.join(took)}; {times}"
        if view.mode is Mode.FILL and view.changes:  # a repair consists of many small searches
            effort = f"repair {view.seconds:.2f} s, layout {view.layout_seconds:.2f} s"
        if view.mode is not Mode.ALL:
            return [ending, *remarks(view), *filter(None, [proof_words(view)]), effort + hint]
        is_all = view.outcome in (Outcome.FILLED, Outcome.IMPOSSIBLE)
        return [ending, effort, all_fills_words(view, "" if is_all else reason or "the search did not finish")]

    def _run_lines(self, times: str, is_saved: bool) -> list[str]:
        view, unsaved = self.view, list[str]()
        if view.mode.is_of_entry and view.to_write and not is_saved:
            out, view = view.excluded, replace(view, excluded=None)
            ban = f", in which {out.word} is banned from {out.entry}" if out else ""
            unsaved = [f"nothing was saved: -o FILE writes the changed puzzle{ban}"]
        lines = [ending_words(view), *unsaved, *(f"  {line}" for line in stopped_lines(view))]
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
        """The figures of one fill, or `fills` for several, and what the mode adds."""
        view = self.view
        # as for a plain fill: `filled` whenever there is a complete fill, even if time ran out
        is_filled = view.quality is not None or (view.mode is Mode.DIVERSE and view.found > 0)
        status = (Outcome.FILLED if is_filled else view.outcome).value
        document: dict[str, Any] = {"status": status, "seed": view.seed, "threads": view.threads}
        if view.mode is Mode.DIVERSE:
            document |= {"wanted": view.wanted, "fills": [self._one(puzzle) for puzzle in self.fills]}
        else:
            document |= self._one(self.shown)
        document |= {} if self.is_plain else {"mode": view.mode.value}
        if view.mode is Mode.PARTIAL:
            filled = view.found
            stopped = [{"entry": one.entry, "reason": str(one.reason)} for one in view.stopped]
            document |= {"filled": filled, "open": view.wanted - filled, "stopped": stopped}
        elif view.quality is not None and not self.is_plain:
            is_proved = view.quality.is_proved and view.untried is None
            document |= _QUALITY.of(view.quality._replace(is_proved=is_proved))
        document |= self._effort() if self.is_plain or self.strategy else {}
        document |= _CHANGES.of(view) if view.changes or view.mode.is_of_entry else {}
        document |= {"lowest_before": view.lowered.before} if view.lowered else {}
        document |= shared_stems_as_json(view)
        if view.proof is not None:
            document["proof"] = str(view.proof.path) if view.proof.is_written else None
        return document | ({"reason": view.reason} if view.reason else {})

    def _one(self, puzzle: Puzzle) -> dict[str, Any]:
        grid = puzzle.grid
        statistics = grid_statistics(grid, self.score, answers=puzzle.answers)
        answers: dict[str, dict[str, Any]] = {}
        for name, word in puzzle.answers.items():
            entered_answer = puzzle.entered_answer(grid.slot(name))
            entered = {} if entered_answer is None else {"entered": entered_answer.entered}
            answers[name] = {"word": word, "score": self.score(word), **entered}
        return {
            **grid_as_json(grid),
            "answers": answers,
            "mean_score": statistics.mean_score,
            "lowest_score": statistics.lowest_score,
        }

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
            requested, made, seconds = view.lookups
            effort["lookups"] = {"asked": requested, "made": made, "seconds": round(seconds, 6)}
        return effort | ({} if view.placements is None else {"placements": view.placements})


_EFFORT = JsonShape("nodes backtracks restarts")
_QUALITY = JsonShape(
    "aim=unit value first_value=first counted bound gap rounds better_fills=better proved=is_proved"
)
_CHANGES = JsonShape(
    ("changed=changes", JsonShape("entry from=before to=after")),
    "squares_changed=found",
    lambda view: {"smallest": view.is_smallest and view.passed_over is None},
    "kept_out=excluded??",
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
