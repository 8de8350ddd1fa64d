"""The strategies' pages: one each, with current tables and pictures, and valid links."""

import re
from pathlib import Path

import pytest

from docs.strategy_figures import FIGURES
from docs.strategy_pages import FOLDER, is_complete, options, pages, part_names, with_part, with_parts
from docs.strategy_pictures import SCENES
from docs.strategy_runs import Run, nodes_of, quartiles, share_of
from xwtui.resources import puzzles_folder
from xwtui.session.verbs.parsing import find_verb_of
from xwtui.strategies.protocol import OptionValues
from xwtui.strategies.registry import STRATEGIES

PAGES = pages()


def test_every_strategy_has_a_page_and_a_picture() -> None:
    assert SCENES.keys() == STRATEGIES.keys()
    for name in STRATEGIES:
        assert (FOLDER / f"{name}.md").is_file()
        assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_is_up_to_date(path: Path) -> None:
    """If this fails, run `make strategies`."""
    text = path.read_text(encoding="utf-8")
    assert with_parts(text, path.stem) == text


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_page_has_all_its_parts(name: str) -> None:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert {"options", "picture"} <= set(part_names(text))
    titles = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert titles == ["How it works", "Options", "At work", "Figures", "Where it is incomplete"]


@pytest.mark.parametrize("path", [*PAGES, FOLDER / "race.md"], ids=lambda path: path.stem)
def test_every_link_has_a_target(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if "://" not in target and not (FOLDER / target).exists()] == []


@pytest.mark.parametrize("name", STRATEGIES)
def test_lines_of_a_scene_are_valid(name: str) -> None:
    scene = SCENES[name]
    assert (puzzles_folder() / "templates" / f"{scene.template}.txt").is_file()
    assert f"--strategy {name}" in scene.lines[0]
    for line in scene.lines:
        assert find_verb_of(line.split()).name == line.split()[0]


def test_every_page_has_figures_from_its_command() -> None:
    assert FIGURES.keys() == STRATEGIES.keys()
    for name in FIGURES:
        assert "figures" in part_names((FOLDER / f"{name}.md").read_text(encoding="utf-8"))


def test_quartiles_are_actual_runs_with_truncated_ones_last() -> None:
    assert quartiles([5, 1, 4, 2, 3]) == [2, 3, 4]
    runs = [
        Run(fills=1, nodes=nodes, placements=0, seconds=nodes / 10, is_over=False) for nodes in (3000, 10, 200)
    ]
    cut = Run(fills=0, nodes=9999, placements=0, seconds=1.0, is_over=False)
    ended = Run(fills=0, nodes=40, placements=0, seconds=1.0, is_over=True)
    assert nodes_of([*runs, ended]) == "10, 40, 200"
    assert nodes_of([runs[0], cut, cut]) == "3,000, –, –"
    assert share_of([*runs, cut]) == "3 of 4"


def test_options_are_listed_as_declared() -> None:
    told = options(STRATEGIES["top-ten"])
    assert "| `top` | `10` | a whole number from 1 to 1,000 |" in told
    assert options(STRATEGIES["xwtui"]).count("| `") >= 1


def test_completeness_comes_from_the_strategy() -> None:
    strategy = STRATEGIES["emogic-letters"]
    assert is_complete(strategy, OptionValues.of(strategy.name, strategy.options))
    assert not is_complete(
        strategy, OptionValues.of(strategy.name, strategy.options, {"backtrack": "emogic-text"})
    )


def test_only_outdated_parts_are_replaced() -> None:
    end = "<!-- end of part -->\n"
    text = f"a\n<!-- part: options -->\nold\n{end}b\n<!-- part: figures -->\nkept\n{end}"
    made = with_parts(text, "top-ten")
    assert "old" not in made
    assert "kept" in made
    measured = with_part(made, "figures", ["new"])
    assert "kept" not in measured
    assert "new" in measured
    with pytest.raises(KeyError):
        with_part(text, "horoscope", [])
