"""Each switch is measured against the search as it is, and told in a page."""

import pytest

from bench.switch_positions import SWITCHES
from bench.switches import Figures, Measured, Row, page, rows
from tests.engine.small_problems import problem_of
from xwtui.formats.grid_text import grid_from_text

THREE = problem_of(grid_from_text("...\n###\n...\n"), {"CAT": 50, "DOG": 40})


def test_every_other_position_differs_from_the_usual_one() -> None:
    for switch in SWITCHES:
        assert switch.others
        assert len({switch.usual, *switch.others.values()}) == len(switch.others) + 1, switch.name


def test_an_open_run_counts_twice() -> None:
    found = Figures.of([Measured(50, 0.5, is_settled=False), Measured(1, 0.25, is_settled=True)])
    assert found.nodes == pytest.approx(10)
    assert found[1:] == (0.75, 1, 2)


def test_a_switch_is_told_as_it_is_and_otherwise() -> None:
    told = list(rows([THREE], SWITCHES[0].name, seeds=2, nodes=100))
    assert [row.position for row in told] == ["as it is", *SWITCHES[0].others]
    assert all(row.found.settled == row.found.runs == 2 for row in told)
    assert [row.usual for row in told] == [None] + [told[0].found] * len(SWITCHES[0].others)


def test_the_page_has_ratios_to_the_search_as_it_is() -> None:
    usual, other = Figures(10.0, 0.5, 2, 2), Figures(25.0, 0.75, 1, 2)
    text = page([Row("noise", "as it is", usual, None), Row("", "none", other, usual)], "*today*")
    assert "\n*today*\n" in text
    assert "| noise  | as it is |    10 |       |     0.5 |  2 of 2 |\n" in text
    assert "|        |     none |    25 |  2.50 |     0.8 |  1 of 2 |\n" in text
