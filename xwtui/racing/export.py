"""The race as a file, in the format that its suffix names."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from xwtui.errors import PuzzleFormatError
from xwtui.formats.atomic import write_atomically
from xwtui.racing.csv_report import race_as_csv
from xwtui.racing.json_report import race_as_json
from xwtui.racing.survival_plot import SurvivalPlot
from xwtui.racing.svg_plot import svg_plot
from xwtui.racing.view import RaceView

TITLE = "Strategies on one grid"
"""What stands above a plot."""

_WRITERS: Mapping[str, Callable[[RaceView], str]] = {
    ".json": lambda view: json.dumps(race_as_json(view), ensure_ascii=False, indent=1) + "\n",
    ".csv": race_as_csv,
    ".svg": lambda view: svg_plot(SurvivalPlot.of(view), TITLE),
}

SUFFIXES = tuple(_WRITERS)
"""What a race can be written as."""


def check_target(path: Path) -> None:
    """Raise PuzzleFormatError for a file that the race cannot be written to, before it is run."""
    if path.suffix.lower() not in _WRITERS:
        raise PuzzleFormatError(f"{path}: a race is written as {', '.join(SUFFIXES)}, not as {path.suffix!r}")
    if not path.parent.is_dir():
        raise PuzzleFormatError(f"{path}: there is no folder {path.parent}")


def write_race(path: Path, view: RaceView) -> None:
    """Write the race; raises PuzzleFormatError where that cannot be done."""
    check_target(path)
    write_atomically(path, _WRITERS[path.suffix.lower()](view).encode())
