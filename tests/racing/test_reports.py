"""The race as JSON, CSV, text and plots: what is written is read back."""

import csv
import json
import math
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.racing.races import order_of
from xwtui.errors import PuzzleFormatError
from xwtui.racing import MOST_ENTRANTS
from xwtui.racing.export import CSV_COLUMNS, race_as_json, status, write_race
from xwtui.racing.plots import MARKS, SurvivalPlot, TimeAxis, _look, plot_rows, svg_plot
from xwtui.racing.report import (
    count_text,
    live_rows,
    progress_line,
    reason_lines,
    report_lines,
    seconds_text,
    summary_rows,
)
from xwtui.racing.task import RaceView, RunState, Standing

QUICK, SLOW, SHY = "xwtui", "emogic-letters:walk=snake", "top-ten"


def view_of() -> RaceView:
    """A race of three with two seeds: one is quick, one slow, one refuses."""
    order = order_of(QUICK, SLOW, SHY, seeds=2, seconds=10.0)
    grid = ("ABC", "DEF", "GHI")
    runs = (
        Standing(QUICK, 0, RunState.FILLED, 0.002, 0.001, 12, 3, 1, 4, 9, 9, 55.5, 40, "", grid),
        Standing(SLOW, 0, RunState.OUT_OF_TIME, 10.0, 0.01, 12_345_678, 99, 0, 2, 4, 9),
        Standing(SHY, 0, RunState.REFUSED, reason='it knows no rules, "none", ünd no ,'),
        Standing(QUICK, 1, RunState.FILLED, 0.004, 0.001, 14, 5, 1, 4, 9, 9, 56.5, 41, "", grid),
        Standing(SLOW, 1, RunState.FILLED, 2.5, 0.01, 1000, 9, 0, 2, 9, 9, 50.0, 40, "", grid),
        Standing(SHY, 1, RunState.REFUSED, reason='it knows no rules, "none", ünd no ,'),
    )
    return RaceView(order, runs, 12.0)


def test_the_json_holds_every_run_and_the_summaries(tmp_path: Path) -> None:
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
    text = (Path(__file__).parents[2] / "docs" / "race.md").read_text()
    found = race_as_json(view_of())
    for part in (found, found["strategies"][0], found["runs"][0]):
        assert [key for key in part if f"`{key}`" not in text] == []
    assert [column for column in CSV_COLUMNS if f"`{column}`" not in text] == []
    assert [state for state in RunState if state.is_over and f"`{state.value}`" not in text] == []


def test_the_csv_is_read_by_the_csv_module(tmp_path: Path) -> None:
    view, path = view_of(), tmp_path / "race.csv"
    write_race(path, view)
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6
    for row, run in zip(rows, view.standings, strict=True):
        assert tuple(row) == CSV_COLUMNS
        assert (row["strategy"], int(row["seed"]), row["state"]) == (run.entrant, run.seed, run.state.value)
        assert float(row["search_seconds"]) == run.search_seconds
        assert (int(row["nodes"]), row["reason"]) == (run.nodes, run.reason)
        assert row["mean_score"] == ("" if run.mean_score is None else f"{run.mean_score:.2f}")


@pytest.mark.parametrize(
    ("name", "said"), [("race.txt", "saved as .json, .csv, .svg"), ("no/race.csv", "no folder")]
)
def test_a_file_that_cannot_be_written_is_told(tmp_path: Path, name: str, said: str) -> None:
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
def test_what_is_known_of_the_grid_in_the_end(states: list[RunState], expected: str) -> None:
    runs = tuple(Standing(QUICK, seed, state) for seed, state in enumerate(states))
    assert status(RaceView(order_of(QUICK, seeds=2), runs).stopped()) == expected


def test_the_svg_has_a_line_and_a_legend_for_each_that_took_part(tmp_path: Path) -> None:
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


def test_no_two_lines_look_alike_even_without_colours() -> None:
    assert len({_look(number) for number in range(MOST_ENTRANTS)}) == MOST_ENTRANTS
    assert len({_look(number)[1:] for number in range(9)}) == 9
    assert len(set(MARKS)) >= MOST_ENTRANTS


def test_a_name_cannot_break_the_svg() -> None:
    plot = SurvivalPlot.of(view_of())
    assert Xml.fromstring(svg_plot(plot, "<b> & \"'"))[0].text == "<b> & \"'"


@given(st.integers(20, 120), st.integers(3, 30))
def test_the_plot_in_letters_is_the_share_at_each_time(width: int, height: int) -> None:
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
            is_foot = wanted == len(body) - 1  # several that have settled nothing yet are a rule there
            assert here in {*(other.mark for other in plot.lines), *("─" * is_foot)}, (x, line.mark)


@given(st.floats(1e-6, 1e5), st.lists(st.floats(0, 1e5), max_size=5))
def test_the_axis_holds_all_times_up_to_the_budget(budget: float, times: list[float]) -> None:
    axis = TimeAxis.over([time for time in times if time <= budget], budget)
    assert axis.first < axis.last
    assert axis.last >= budget
    places = [axis.place(time) for time in sorted(times)]
    assert places == sorted(places)
    assert all(0 <= place <= 1 for place in places)
    assert math.isclose(axis.time_at(axis.place(axis.last)), axis.last)
    assert len(axis.ticks) >= 2


def test_the_tables_tell_each_entrant() -> None:
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


def test_runs_that_were_stopped_are_not_over() -> None:
    view = view_of()
    more = replace(view, standings=(*view.standings, Standing(SLOW, 2, RunState.RUNNING)))
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
