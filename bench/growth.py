"""How search time grows with the word list and with the grid: tables, and plots in docs."""

import statistics
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.big_lists import as_list, resized
from bench.contest import Rules
from bench.document import DOCUMENT
from bench.fillers.clock import which
from bench.fillers.served import Served, serving
from bench.kinds import KINDS, spread
from bench.plots import Curve, draw
from bench.quality import MODULE
from bench.tables import duration, table
from xwtui.resources import puzzles_folder

LIST_SIZES = (25_000, 50_000, 100_000, 200_000, 400_000, 1_000_000)
GRID_SIDES = (9, 11, 13, 15, 17, 19, 21, 23, 25)
_KINDS_BY_LIST = ("ordinary", "21x21", "70 words and fewer")


class Point(NamedTuple):
    """Median seconds of all runs at one size, with the lower and upper quartiles.

    A run that gave up counts as the limit.
    """

    size: int
    median: float
    low: float
    high: float
    unfilled: int
    runs: int


def lines(rules: Rules, tell: Callable[[str], None], *, is_quick: bool) -> list[str]:
    """Measure, draw the plots and return the tables."""
    most = 3 if is_quick else 8
    by_list = grown_by_list(rules, most, tell)
    by_grid = grown_by_grid(rules, most, tell)
    folder = DOCUMENT.parent
    list_curves = [Curve(name, points) for name, points in by_list.items()]
    draw(folder / "growth-list.svg", "words in the list", list_curves, rules.seconds)
    draw(folder / "growth-grid.svg", "squares on a side of the grid", [Curve("ordinary", by_grid)], rules.seconds)
    head = ["words", "median", "middle half", "unfilled"]
    text = [
        f"Seconds {which()}to xwtui's first fill, one thread, {most} templates of each kind, "
        f"{len(rules.seeds)} seeds, giving up after {rules.seconds:.0f} s. Smaller lists are drawn from the "
        f"default list at {rules.minimum_score}; larger ones add invented, pronounceable words.",
        "",
        "![Seconds by words in the list](growth-list.svg)",
        "",
    ]
    for name, points in by_list.items():
        text += [f"By size of list, {name}:", "", *table(head, map(_row, points)), ""]
    text += ["![Seconds by the side of the grid](growth-grid.svg)", ""]
    return [*text, "By the grid:", "", *table(["side", *head[1:]], map(_row, by_grid))]


def _row(point: Point) -> list[str]:
    middle = f"{duration(point.low)} to {duration(point.high)}"
    return [f"{point.size:,}", duration(point.median), middle, f"{point.unfilled} of {point.runs}"]


def grown_by_list(rules: Rules, most: int, tell: Callable[[str], None]) -> Mapping[str, Sequence[Point]]:
    """Return for each kind a point per list size."""
    points: dict[str, list[Point]] = {name: [] for name in _KINDS_BY_LIST}
    kinds = [kind for kind in KINDS if kind.name in _KINDS_BY_LIST]
    for size in LIST_SIZES:
        with tempfile.TemporaryDirectory() as folder:
            words = Path(folder) / "words.dict"
            words.write_text(as_list(resized(rules.words, size)))
            with serving(MODULE, words, rules.minimum_score) as filler:
                for kind in kinds:
                    tell(f"{size:,} words, {kind.name}")
                    templates = spread(kind.templates(), most)
                    points[kind.name].append(measure(filler, size, templates, rules))
    return points


def grown_by_grid(rules: Rules, most: int, tell: Callable[[str], None]) -> Sequence[Point]:
    """Return a point per side length of ordinary square grids, with the default list."""
    folder = puzzles_folder() / "templates"
    points = []
    with tempfile.TemporaryDirectory() as words_folder:
        words = rules.write_words(Path(words_folder))
        with serving(MODULE, words, rules.minimum_score) as filler:
            for side in GRID_SIDES:
                tell(f"{side}x{side}")
                templates = spread(sorted(folder.glob(f"{side}x{side}-*.txt")), most)
                points.append(measure(filler, side, templates, rules))
    return points


def measure(filler: Served, size: int, templates: Sequence[Path], rules: Rules) -> Point:
    """Fill each template with each seed. A template that is given up once skips the other seeds."""
    seconds: list[float] = []
    unfilled = 0
    for template in templates:
        for number, seed in enumerate(rules.seeds):
            run = filler.fill(template, seed, rules.seconds)
            if run.rows:
                seconds.append(run.seconds)
                continue
            unfilled += 1
            seconds += [rules.seconds] * (len(rules.seeds) - number)
            break
    low, median, high = statistics.quantiles(seconds, n=4)
    return Point(size, median, low, high, unfilled, len(templates))
