"""The tables of the race as rows of text: live, a row an entrant; at the end, a summary over the seeds."""

from __future__ import annotations

from typing import NamedTuple

from xwtui.racing.figures import (
    count_text,
    failure_text,
    median_text,
    score_text,
    seconds_text,
    squares_text,
)
from xwtui.racing.standing import Standing
from xwtui.racing.state import State
from xwtui.racing.summary import ranked, summaries
from xwtui.racing.view import RaceView


class Column(NamedTuple):
    """A column's heading, and whether it holds numbers, which stand to the right."""

    heading: str
    is_number: bool = True


class Row(NamedTuple):
    """A row's cells, and the state that it is about, if it is about one."""

    cells: tuple[str, ...]
    state: State | None = None


LIVE_COLUMNS = (
    Column("strategy", is_number=False),
    Column("done"),
    Column("state", is_number=False),
    Column("seconds"),
    Column("nodes"),
    Column("backtr."),
    Column("depth"),
    Column("score"),
    Column("squares"),
)
SUMMARY_COLUMNS = (
    Column("strategy", is_number=False),
    Column("settled"),
    Column("median"),
    Column("PAR2"),
    Column("nodes"),
    Column("backtr."),
    Column("score"),
    Column("failures", is_number=False),
)


def live_rows(view: RaceView) -> list[Row]:
    """How each entrant stands: its run that goes on, else the last one that is over."""
    rows: list[Row] = []
    for entrant in view.entrants:
        runs = view.of(entrant)
        run = shown_run(runs)
        over = sum(one.state.is_over for one in runs)
        cells = (
            entrant,
            f"{over}/{len(runs)}",
            run.state.value,
            seconds_text(run.search_seconds),
            count_text(run.nodes),
            count_text(run.backtracks),
            count_text(run.depth),
            score_text(run.mean_score),
            squares_text(run),
        )
        rows.append(Row(cells, run.state))
    return rows


def shown_run(runs: tuple[Standing, ...]) -> Standing:
    """Of the runs of an entrant the one to show."""
    going = [run for run in runs if run.state in (State.RUNNING, State.PREPARING)]
    over = [run for run in runs if run.state.is_over]
    return going[0] if going else over[-1] if over else runs[0]


def summary_rows(view: RaceView) -> list[Row]:
    """What each entrant came to, the best first."""
    rows: list[Row] = []
    for one in ranked(summaries(view)):
        cells = (
            one.entrant,
            f"{one.settled}/{one.counted}",
            median_text(one, view.order.seconds),
            seconds_text(one.penalised_seconds),
            count_text(one.median_nodes),
            count_text(one.median_backtracks),
            score_text(one.median_score),
            failure_text(one),
        )
        rows.append(Row(cells))
    return rows


def reason_lines(view: RaceView) -> list[str]:
    """Why runs failed or were refused, each reason once for an entrant; time that was up needs no words."""
    told = {
        f"{one.entrant}: {one.state.value}: {one.reason}": None
        for one in view.standings
        if one.reason and not one.state.is_settled
    }
    return list(told)


def ending_line(run: Standing) -> str:
    """How a run ended, in a line: `emogic-words, seed 0: filled in 0.553 s, 363 nodes`."""
    effort = f"{seconds_text(run.search_seconds)} s, {count_text(run.nodes)} nodes"
    reason = f": {run.reason}" if run.reason else ""
    return f"{run.entrant}, seed {run.seed}: {run.state.value} after {effort}{reason}"
