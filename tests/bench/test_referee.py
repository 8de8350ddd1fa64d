"""The benchmark's referee objects where it should, and its tables say what was measured."""

import pytest

from tests.bench.contest import Standing
from tests.bench.judge import objection
from tests.bench.report import SEARCH, WHOLE, table, verdicts
from tests.bench.result import Run, summary
from xwtui.resources import puzzles_folder

OPEN = ["...", "...", "..."]
FILLED = ["CAB", "ORE", "DYE"]
WORDS = dict.fromkeys(["CAB", "ORE", "DYE", "COD", "ARY", "BEE"], 50)


def test_a_good_fill_is_not_objected_to() -> None:
    assert objection(OPEN, FILLED, WORDS) == ""


@pytest.mark.parametrize(
    ("template", "filled", "objected"),
    [
        (OPEN, ["CA#", "ORE", "DYE"], "it is another grid"),
        (OPEN, ["CAB", "ORE"], "it is another grid"),
        (OPEN, ["CAB", "OR.", "DYE"], "3D is not filled"),
        (OPEN, ["CAB", "ORE", "DYA"], "DYA is not in the list"),
        (OPEN, ["CAB", "ORE", "D?E"], "is no square"),
    ],
)
def test_a_bad_fill_is(template: list[str], filled: list[str], objected: str) -> None:
    assert objected in objection(template, filled, WORDS)


def test_a_word_that_comes_twice_is_objected_to() -> None:
    words = dict.fromkeys(["BIT", "ICE", "TEN"], 50)
    assert objection(OPEN, ["BIT", "ICE", "TEN"], words) == "BIT comes twice"


def test_a_summary_is_of_medians_and_of_nothing_where_a_run_gave_up() -> None:
    rows = tuple(FILLED)
    runs = [Run(rows, 3, 30), Run(rows, 1, 10), Run(rows, 2, 20)]
    assert summary(runs) == (2, 20)
    assert summary([*runs, Run((), None, 60)]) == (None, None)
    assert summary([]) == (None, None)
    assert summary([Run(rows, None, 4)]) == (None, 4)


def standings() -> list[Standing]:
    rows = tuple(FILLED)
    easy = Standing("easy", 6, {"xwtui": [Run(rows, 0.002, 0.5)], "peer": [Run(rows, 0.004, 2.0)]})
    hard = Standing("hard", 6, {"xwtui": [Run(rows, 0.01, 0.5)], "peer": [Run((), None, 31.0)]})
    runs = {"xwtui": [Run(rows, 0.02, 0.5)], "peer": [Run(rows, 0.01, 2.0)]}
    odd = Standing("odd", 6, runs, {"peer": "CAB comes twice"})
    return [easy, hard, odd]


def test_the_table_shows_seconds_ratios_and_who_gave_up() -> None:
    lines = table(standings(), ["xwtui", "peer"], SEARCH, 30)
    assert "2.0 ms" in lines[2]
    assert lines[2].endswith(" 2.0")
    assert "> 30 s" in lines[3]
    assert lines[3].endswith(">3000")
    assert "10.0 ms*" in lines[4]
    assert "1.0 times ours on the 2 filled by both" in lines[-1]
    assert "at least 14.4 times on all 3" in lines[-1]


def test_whole_processes_are_compared_likewise() -> None:
    lines = table(standings(), ["xwtui", "peer"], WHOLE, 30)
    assert "500.0 ms" in lines[2]
    assert lines[2].endswith(" 4.0")


def test_the_verdicts_name_objections_and_the_faster_searches() -> None:
    lines = verdicts(standings(), ["xwtui", "peer"])
    assert "xwtui: 3 of 3 filled, every run judged" in lines
    assert "peer: 1 of 3 filled, every run judged" in lines
    assert "  * odd: CAB comes twice" in lines
    assert "odd: peer searched 10.0 ms less" in lines


def test_an_empty_template_is_no_fill() -> None:
    rows = (puzzles_folder() / "templates" / "15x15-01.txt").read_text().split()
    assert objection(rows, rows, {}).endswith("is not filled")
