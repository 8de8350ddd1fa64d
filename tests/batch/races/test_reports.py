"""The referee, medians and failures, and races as JSON, CSV, text and plots."""

import csv
import json
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.batch.races.entrants import order_of, task_of_grid
from tests.engine.problem.rule_cases import local_case, placing_case, problem_of, whole_grid_case
from tests.engine.small_problems import REBUSES, small_grids, word_lists
from tests.examples import examples
from tests.naive.agreeing import TooManyTriesError
from tests.naive.engine import check_fill, naive_fills
from tests.naive.rules import Case, fills
from xwtui.batch.races import MOST_ENTRANTS
from xwtui.batch.races.export import CSV_COLUMNS, race_as_json, status, write_race
from xwtui.batch.races.plots import MARKS, SurvivalPlot, TimeAxis, _look, plot_rows, svg_plot
from xwtui.batch.races.referee import fault_of
from xwtui.batch.races.report import (
    count_text,
    live_rows,
    median_text,
    progress_line,
    reason_lines,
    report_lines,
    seconds_text,
    summary_rows,
)
from xwtui.batch.races.summary import ranked_summaries, settled_shares, summarise
from xwtui.batch.races.task import RaceStart, RaceTask, RaceView, RunState, RunStatus
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Position, Puzzle

QUICK, SLOW, SHY = "xwtui", "emogic-letters:walk=snake", "top-ten"


def view_of() -> RaceView:
    """Return a race of three entrants with two seeds: one is fast, one slow, one refuses."""
    order = order_of(QUICK, SLOW, SHY, seeds=2, seconds=10.0)
    grid = ("ABC", "DEF", "GHI")
    runs = (
        RunStatus(QUICK, 0, RunState.FILLED, 0.002, 0.001, 12, 3, 1, 4, 9, 9, 55.5, 40, "", grid),
        RunStatus(SLOW, 0, RunState.OUT_OF_TIME, 10.0, 0.01, 12_345_678, 99, 0, 2, 4, 9),
        RunStatus(SHY, 0, RunState.REFUSED, reason='it knows no rules, "none", ünd no ,'),
        RunStatus(QUICK, 1, RunState.FILLED, 0.004, 0.001, 14, 5, 1, 4, 9, 9, 56.5, 41, "", grid),
        RunStatus(SLOW, 1, RunState.FILLED, 2.5, 0.01, 1000, 9, 0, 2, 9, 9, 50.0, 40, "", grid),
        RunStatus(SHY, 1, RunState.REFUSED, reason='it knows no rules, "none", ünd no ,'),
    )
    return RaceView(order, runs, 12.0)


def test_the_json_has_every_run_and_the_summaries(tmp_path: Path) -> None:
    view, path = view_of(), tmp_path / "race.json"
    write_race(path, view)
    found = json.loads(path.read_text())
    assert found == race_as_json(view)
    assert (found["status"], found["seeds"], found["seconds_each"]) == ("filled", [0, 1], 10.0)
    assert len(found["runs"]) == 6
    run = found["runs"][0]
    assert (run["strategy"], run["seed"], run["state"]) == (QUICK, 0, "filled")
    assert (run["search_seconds"], run["nodes"], run["grid"]) == (0.002, 12, ["ABC", "DEF", "GHI"])
    quick, slow, shy = found["strategies"]
    assert (quick["median_seconds"], quick["settled"], quick["survival"]) == (
        0.003,
        2,
        [[0.002, 0.5], [0.004, 1.0]],
    )
    assert (slow["median_seconds"], slow["failures"], slow["par2_seconds"]) == (None, {"out of time": 1}, 11.25)
    assert (shy["refused"], shy["counted"], shy["survival"]) == (2, 0, [])


def test_the_json_documentation_names_every_key() -> None:
    text = (Path(__file__).parents[3] / "docs" / "race.md").read_text()
    found = race_as_json(view_of())
    for part in (found, found["strategies"][0], found["runs"][0]):
        assert [key for key in part if f"`{key}`" not in text] == []
    assert [column for column in CSV_COLUMNS if f"`{column}`" not in text] == []
    assert [state for state in RunState if state.is_over and f"`{state.value}`" not in text] == []


def test_the_csv_can_be_read_by_the_csv_module(tmp_path: Path) -> None:
    view, path = view_of(), tmp_path / "race.csv"
    write_race(path, view)
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6
    for row, run in zip(rows, view.statuses, strict=True):
        assert tuple(row) == CSV_COLUMNS
        assert (row["strategy"], int(row["seed"]), row["state"]) == (run.entrant, run.seed, run.state.value)
        assert float(row["search_seconds"]) == run.search_seconds
        assert (int(row["nodes"]), row["reason"]) == (run.nodes, run.reason)
        assert row["mean_score"] == ("" if run.mean_score is None else f"{run.mean_score:.2f}")


@pytest.mark.parametrize(
    ("name", "said"), [("race.txt", "saved as .json, .csv, .svg"), ("no/race.csv", "no folder")]
)
def test_an_unwritable_file_is_reported(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(PuzzleFormatError, match=said):
        write_race(tmp_path / name, view_of())


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ([RunState.IMPOSSIBLE, RunState.FILLED], "filled"),
        ([RunState.IMPOSSIBLE, RunState.CRASHED], "impossible"),
        ([RunState.OUT_OF_TIME, RunState.REFUSED], "unknown"),
        ([RunState.WAITING, RunState.OUT_OF_TIME], "cancelled"),
    ],
)
def test_the_final_verdict_about_the_grid(states: list[RunState], expected: str) -> None:
    runs = tuple(RunStatus(QUICK, seed, state) for seed, state in enumerate(states))
    assert status(RaceView(order_of(QUICK, seeds=2), runs).stopped()) == expected


def test_the_svg_has_a_line_and_a_legend_for_each_entrant(tmp_path: Path) -> None:
    path = tmp_path / "race.svg"
    write_race(path, view_of())
    root = Xml.fromstring(path.read_text())
    space = "{http://www.w3.org/2000/svg}"
    texts = [element.text for element in root.iter(f"{space}text")]
    assert "xwtui  100%" in texts
    assert f"{SLOW}  50%" in texts
    assert not any(SHY in str(text) for text in texts)
    lines = [line for line in root.iter(f"{space}polyline") if line.find(f"{space}title") is not None]
    assert len(lines) == 2
    assert len({(line.get("stroke"), line.get("stroke-dasharray")) for line in lines}) == 2
    assert "prefers-color-scheme: dark" in path.read_text()


def test_lines_are_distinguishable_without_colors() -> None:
    assert len({_look(number) for number in range(MOST_ENTRANTS)}) == MOST_ENTRANTS
    assert len({_look(number)[1:] for number in range(9)}) == 9
    assert len(set(MARKS)) >= MOST_ENTRANTS


def test_a_name_cannot_break_the_svg() -> None:
    plot = SurvivalPlot.of(view_of())
    assert Xml.fromstring(svg_plot(plot, "<b> & \"'"))[0].text == "<b> & \"'"


@given(st.integers(20, 120), st.integers(3, 30))
def test_the_text_plot_is_the_share_at_each_time(width: int, height: int) -> None:
    plot = SurvivalPlot.of(view_of())
    rows = plot_rows(plot, width, height)
    assert max(map(len, rows)) <= max(width, 26)
    assert len(rows) == max(height, 5)
    body = [row[6:] for row in rows[:-2]]
    columns = max(width - 6, 20)
    for x in range(columns):
        time = plot.axis.time_at((x + 1) / columns)
        for line in plot.lines:
            wanted = round((1 - line.share_at(time)) * (len(body) - 1))
            here = body[wanted].ljust(columns)[x]
            is_foot = wanted == len(body) - 1  # several that have settled nothing yet share a line there
            assert here in {*(other.mark for other in plot.lines), *("─" * is_foot)}, (x, line.mark)


@given(st.floats(1e-6, 1e5), st.lists(st.floats(0, 1e5), max_size=5))
def test_the_axis_covers_all_times_up_to_the_budget(budget: float, times: list[float]) -> None:
    axis = TimeAxis.over([time for time in times if time <= budget], budget)
    assert axis.first < axis.last
    assert axis.last >= budget
    places = [axis.place(time) for time in sorted(times)]
    assert places == sorted(places)
    assert all(0 <= place <= 1 for place in places)
    assert math.isclose(axis.time_at(axis.place(axis.last)), axis.last)
    assert len(axis.ticks) >= 2


def test_the_tables_list_each_entrant() -> None:
    view = view_of()
    assert [row.cells[0] for row in summary_rows(view)] == [QUICK, SLOW, SHY]
    assert [row.cells[:3] for row in live_rows(view)] == [
        (QUICK, "2/2", "filled"),
        (SLOW, "2/2", "filled"),
        (SHY, "2/2", "refused"),
    ]
    assert reason_lines(view) == ['top-ten: refused: it knows no rules, "none", ünd no ,']
    text = report_lines(view, 78)
    assert max(map(len, text)) <= 78
    assert "> 10" in "\n".join(text)


def test_stopped_runs_do_not_count_as_finished() -> None:
    view = view_of()
    more = replace(view, statuses=(*view.statuses, RunStatus(SLOW, 2, RunState.RUNNING)))
    assert progress_line(more) == progress_line(more.stopped()) == "race: 6 of 7 runs over"


def test_figures_are_short() -> None:
    assert [seconds_text(value) for value in (None, 0.0031, 1.254, 12.53, 125.3)] == [
        "–",
        "0.003",
        "1.25",
        "12.5",
        "125",
    ]
    assert [count_text(value) for value in (None, 1204, 9_999_999, 12_345_678)] == [
        "–",
        "1,204",
        "9,999,999",
        "12.3M",
    ]


BUDGET = 10.0
ENDS = [state for state in RunState if state.is_over]


@st.composite
def runs(draw: st.DrawFn) -> list[RunStatus]:
    """Finished runs with times from few values, so that ties occur."""
    found = []
    for seed in range(draw(st.integers(0, 8))):
        state = draw(st.sampled_from(ENDS))
        seconds = BUDGET if state is RunState.OUT_OF_TIME else draw(st.sampled_from([0.5, 1.0, 2.0, 4.0, 8.0]))
        nodes, score = draw(st.integers(0, 9)), draw(st.sampled_from([None, 40.0, 50.5]))
        found.append(RunStatus("x", seed, state, seconds, nodes=nodes, backtracks=2 * nodes, mean_score=score))
    return found


def naive_median(values: Sequence[float]) -> float | None:
    """Return the middle value, or the mean of the middle two; None if infinite."""
    if not values:
        return None
    ordered = sorted(values)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return None if math.inf in (low, high) else (low + high) / 2


@given(runs())
def test_medians_and_failures(found: list[RunStatus]) -> None:
    summary = summarise("x", found, BUDGET)
    settled = [run for run in found if run.state in (RunState.FILLED, RunState.IMPOSSIBLE)]
    outside = [run for run in found if run.state in (RunState.REFUSED, RunState.STOPPED)]
    failed = [run for run in found if run not in settled and run not in outside]
    assert (summary.settled, summary.counted) == (len(settled), len(settled) + len(failed))
    assert sum(summary.failures.values()) == len(failed)
    assert summary.refused + summary.stopped == len(outside)
    assert all(summary.failures[state] == sum(run.state is state for run in failed) for state in summary.failures)
    times = [run.search_seconds for run in settled] + [math.inf] * len(failed)
    assert summary.median_seconds == naive_median(times)
    assert summary.median_nodes == naive_median([run.nodes for run in settled])
    assert summary.median_backtracks == naive_median([run.backtracks for run in settled])
    penalised = [20.0 if time == math.inf else time for time in times]
    assert summary.penalised_seconds == (pytest.approx(sum(penalised) / len(penalised)) if penalised else None)


def test_a_median_that_is_a_failure_is_shown_as_one() -> None:
    lost = RunStatus("x", 0, RunState.OUT_OF_TIME, BUDGET)
    won = RunStatus("x", 1, RunState.FILLED, 1.0)
    assert median_text(summarise("x", [lost, won], BUDGET), BUDGET) == "> 10"
    assert median_text(summarise("x", [lost, won, won], BUDGET), BUDGET) == "1.00"


def test_the_best_come_first_and_move_during_the_race() -> None:
    order = order_of("xwtui", "trie", "sat", seeds=2, seconds=BUDGET)
    ends = {"xwtui": RunState.FILLED, "trie": RunState.CRASHED, "sat": RunState.REFUSED}

    def view(over: int) -> RaceView:
        def status(number: int, start: RaceStart) -> RunStatus:
            name, seconds = str(start.entrant), 100.0 if number == 3 else 1.0
            return RunStatus(name, start.seed, ends[name] if number < over else RunState.WAITING, seconds)

        return RaceView(order, tuple(status(*each) for each in enumerate(order.starts)))

    seen = [[one.entrant for one in ranked_summaries(view(over))] for over in range(len(order.starts) + 1)]
    assert seen[1] == ["xwtui", "trie", "sat"]
    assert seen[-1] == ["trie", "xwtui", "sat"], "a run of a hundred seconds is worse than two that fail"


def naive_survival(found: Sequence[RunStatus], time: float) -> float:
    """Return the Kaplan-Meier estimate from its definition: the product of survival chances at each event."""
    lasts = 1.0
    for moment in (0.5, 1.0, 2.0, 4.0, 8.0, 10.0):
        if moment > time:
            break
        never = (RunState.GAVE_UP, RunState.CRASHED, RunState.FOUL)
        at_risk = [
            run
            for run in found
            if run.state is not RunState.REFUSED and (run.state in never or run.search_seconds >= moment)
        ]
        ended = [run for run in at_risk if run.state.is_settled and run.search_seconds == moment]
        if at_risk:
            lasts *= (len(at_risk) - len(ended)) / len(at_risk)
    return 1 - lasts


@given(runs())
def test_survival_with_stopped_runs(found: list[RunStatus]) -> None:
    steps = settled_shares(found)
    for time in (0.4, 0.5, 1.0, 3.0, 8.0, 10.0):
        share = max((step.share for step in steps if step.seconds <= time), default=0.0)
        assert share == pytest.approx(naive_survival(found, time))
    assert [step.seconds for step in steps] == sorted({step.seconds for step in steps})


CONTENTS = [*map(Content.of, "ABC"), *(content for content in REBUSES if len(content.across) > 1)]
"""Contents for wrong squares, as far as the naive judge of fills without rules detects them."""
MOST_TRIES = 3_000


def is_legal(grid: Grid, fill: Mapping[Position, Content], words: dict[str, int], allow_repeats: bool) -> bool:
    try:
        check_fill(grid, fill, words, allow_repeats=allow_repeats)
    except AssertionError:
        return False
    return True


def changed(fill: Mapping[Position, Content], chance: Random) -> dict[Position, Content]:
    """Return the fill with one or two squares changed, with one missing, or unchanged."""
    found = dict(fill)
    for _ in range(chance.choice([0, 1, 1, 2]) if found else 0):
        found[chance.choice(sorted(found))] = chance.choice(CONTENTS)
    if found and chance.random() < 0.1:
        del found[chance.choice(sorted(found))]
    return found


@examples(300)
@given(small_grids(4), word_lists(4), st.booleans(), st.randoms(use_true_random=False))
def test_without_rules(grid: Grid, words: dict[str, int], allow_repeats: bool, chance: Random) -> None:
    fill = next(naive_fills(grid, words, allow_repeats=allow_repeats), None)
    if fill is None:
        squares = {at for slot in grid.slots for at in slot.positions}
        fill = {at: chance.choice(CONTENTS) for at in squares}
    tried = changed(fill, chance)
    fault = fault_of(task_of_grid(grid, words, allow_repeats=allow_repeats), tried)
    assert (not fault) == is_legal(grid, tried, words, allow_repeats), fault


def task_of_case(case: Case) -> RaceTask:
    task = problem_of(case).task
    puzzle = replace(Puzzle.blank(3, 3).with_grid(case.grid), rules=case.rules, symmetry=case.symmetry)
    return RaceTask(puzzle, task)


def judged_by_naive_fills(case: Case, chance: Random) -> None:
    """Judge whole and changed fills: those listed by the naive twin are legal, and no others."""
    legal = [
        {at: content for (at, _), content in squares.items()} for squares, _ in fills(case, most_tries=MOST_TRIES)
    ]
    task = task_of_case(case)
    for fill in chance.sample(legal, k=min(len(legal), 3)):
        assert not fault_of(task, fill), fault_of(task, fill)
        tried = changed(fill, chance)
        fault = fault_of(task, tried)
        assert (not fault) == (tried in legal), (fault, tried)


@pytest.mark.parametrize("make", [local_case, placing_case, whole_grid_case])
@examples(150)
@given(st.integers(0, 1 << 32))
@example(1568)  # an unlisted wanted word in an entry with a minimum score
@example(524289)  # wanted words, and open squares in no entry that stay empty
def test_under_rules(make: Callable[[Random], Case], seed: int) -> None:
    case = replace(make(Random(seed)), holes=frozenset(), allow_repeats=False)
    with suppress(TooManyTriesError):
        judged_by_naive_fills(case, Random(seed))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("ABC\nDEF\nGHI", ""),
        ("ABC\nDEF\nGH.", "r3c3 is empty"),
        ("ABC\nDEF\n...", "r3c1 is empty, and 2 more"),
        ("ABD\nDEF\nGHI", "ABD is not a word that fits there"),
        ("ADG\nBEH\nCFI", "was given as B but is D"),
    ],
)
def test_the_fault_is_stated(rows: str, said: str) -> None:
    words = dict.fromkeys(("ABC", "DEF", "GHI", "ADG", "BEH", "CFI"), 50)
    task = task_of_grid(grid_from_text(".B.\n...\n..."), words)
    status = grid_from_text(rows)
    contents = {at: status[at].content for at in task.squares}
    fault = fault_of(task, {at: content for at, content in contents.items() if content is not None})
    assert said in fault
    assert bool(said) == bool(fault)
