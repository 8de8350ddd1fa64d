"""Calibrate the fill counters and write docs/calibration.md and docs/calibration.svg.

python -m bench.calibration [--to FOLDER] [--scheduler ADDRESS]
"""

import argparse
import sys
from pathlib import Path

from bench.calibration.cases import corpus
from bench.calibration.measure import judge_numbered
from bench.calibration.plot import draw
from bench.calibration.report import page, share_held
from bench.calibration.spread import scatter, templates
from bench.side_by_side import SCHEDULER_HELP, sharing, told

PROCESSES = 2


def main() -> None:
    """Judge all cases and write the page and the plot."""
    parser = argparse.ArgumentParser(description="How far off each instrument is.")
    parser.add_argument("--to", type=Path, default=Path("docs"), metavar="FOLDER")
    parser.add_argument("--scheduler", default="", metavar="ADDRESS", help=SCHEDULER_HELP)
    asked = parser.parse_args()
    folder: Path = asked.to
    with sharing(asked.scheduler, PROCESSES) as ask_each:
        scattered = ask_each(scatter, templates())
        verdicts = list(told("cases", ask_each(judge_numbered, enumerate(corpus()))))
        print(f"{share_held(verdicts):.1%} of the intervals hold", file=sys.stderr)
        spreads = list(told("templates", scattered))
    (folder / "calibration.md").write_text(page(verdicts, spreads), encoding="utf-8")
    draw(folder / "calibration.svg", verdicts)


if __name__ == "__main__":
    main()
