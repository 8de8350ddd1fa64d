"""Let all strategies race on templates from easy to hard: `python -m docs.strategy_race [NAME]...`.

It writes race.md by running `xwtui race` once a template, which takes some minutes of two cores.
"""

import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from bench.document import circumstances
from bench.tables import table
from xwtui.resources import puzzles_folder

FOLDER = Path(__file__).resolve().parent / "strategies"
SEEDS = 3
SECONDS = 1
TEMPLATES: Mapping[str, str] = {
    "mini-5x5": "a mini",
    "9x9-01": "a small grid",
    "british-13x13-01": "a lattice: half of the squares unchecked",
    "15x15-07": "a newspaper grid of 78 words",
    "themeless-15x15": "a wide grid of few words",
    "square-6x6": "a double square: every square checked, no blocks",
}
"""The templates with what they are."""

_HEAD = f"""# The race

Every strategy except sat, with its default options, on the same grids, words and seeds. `make race` runs
all of it; for one grid, type

```
xwtui race puzzles/templates/15x15-07.txt --seeds {SEEDS} --time {SECONDS}
```

Each run has {SECONDS} s of processor time, which includes laying out the grid but not loading words and
engine. A run is settled if it fills the grid or proves that no fill exists. Every fill is checked. Seeds
change nothing for a strategy without randomness. Seconds are medians over {SEEDS} seeds; `> {SECONDS}`
means that the median run did not settle.
"""


def race(template: str, picture: Path) -> dict[str, Any]:
    """Run a race and draw its survival plot; returns what `xwtui race --json` tells."""
    grid = puzzles_folder() / "templates" / f"{template}.txt"
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "race.json"
        options = ["--seeds", str(SEEDS), "--time", str(SECONDS), "--force"]
        command = [sys.executable, "-m", "xwtui", "race", str(grid), *options]
        subprocess.run([*command, "-o", str(target), "-o", str(picture)], check=False, stdout=subprocess.DEVNULL)
        found = json.loads(target.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def overview(races: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The median seconds of each strategy on each template."""
    names = [one["strategy"] for one in next(iter(races.values()))["strategies"]]
    rows = []
    for name in sorted(names):
        found = [_of(race_, name) for race_ in races.values()]
        rows.append([f"[{name}]({name}.md)", *map(_seconds, found), f"{sum(map(_is_settled, found))}"])
    return table(["strategy", *races, "settled"], rows)


def _of(race_: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return next(one for one in race_["strategies"] if one["strategy"] == name)


def _is_settled(one: Mapping[str, Any]) -> bool:
    """Whether the median run came to something."""
    return one["median_seconds"] is not None


def _seconds(one: Mapping[str, Any]) -> str:
    seconds = one["median_seconds"]
    if seconds is None:
        return "refused" if one["refused"] else f"> {SECONDS}"
    return f"{seconds:.3f}" if seconds < 1 else f"{seconds:.1f}"


def details(race_: Mapping[str, Any]) -> list[str]:
    """A row a strategy: what became of its runs, medians of seconds, nodes, backtracks and mean score."""
    head = ["strategy", "filled", "failures", "seconds", "nodes", "backtracks", "mean score"]
    ranked = sorted(race_["strategies"], key=lambda one: one["median_seconds"] or math.inf)
    return table(head, [_row(one) for one in ranked])


def _row(one: Mapping[str, Any]) -> list[str]:
    failures = ", ".join(f"{count} {state}" for state, count in one["failures"].items() if count)
    score = one["median_mean_score"]
    return [
        one["strategy"],
        f"{one['filled']} of {one['counted']}",
        failures,
        _seconds(one),
        _count(one["median_nodes"]),
        _count(one["median_backtracks"]),
        "" if score is None else f"{score:.1f}",
    ]


def _count(count: float | None) -> str:
    return "" if count is None else f"{count:,.0f}"


def page(races: Mapping[str, Mapping[str, Any]]) -> str:
    """The whole page."""
    lines = [_HEAD, f"*{circumstances()}; default list at 40*", "", *overview(races), ""]
    for name, found in races.items():
        picture = f"![how many runs have settled {name}, by seconds](race-{name}.svg)"
        lines += [f"## {name}: {TEMPLATES[name]}", "", *details(found), "", picture, ""]
    return "\n".join(lines)


@click.command(help=__doc__)
@click.argument("names", metavar="[NAME]...", nargs=-1, type=click.Choice(list(TEMPLATES)))
def main(names: tuple[str, ...]) -> None:
    """Hold the races and write the page."""
    races = {}
    for name in names or TEMPLATES:
        print(f"race on {name}", flush=True)
        races[name] = race(name, FOLDER / f"race-{name}.svg")
        (FOLDER / "race.md").write_text(page(races), encoding="utf-8")


if __name__ == "__main__":
    main()
