"""Calibrate the instruments that count: docs/calibration.md and docs/calibration.svg.

python -m tests.bench.calibration [--to FOLDER]
"""

import argparse
import sys
from pathlib import Path

from tests.bench.calibration.cases import corpus
from tests.bench.calibration.measure import judge
from tests.bench.calibration.plot import draw
from tests.bench.calibration.report import page, share_held
from xwtui.engine.warmup import warm_up


def main() -> None:
    """Judge all cases and write the page and the plot."""
    parser = argparse.ArgumentParser(description="How far off each instrument is.")
    parser.add_argument("--to", type=Path, default=Path("docs"), metavar="FOLDER")
    folder: Path = parser.parse_args().to
    warm_up()
    verdicts = []
    for number, case in enumerate(corpus()):
        verdicts.append(judge(case, seed=number))
        print(f"\r{number + 1} cases, {share_held(verdicts):.0%} of the intervals hold", end="", file=sys.stderr)
    print(file=sys.stderr)
    (folder / "calibration.md").write_text(page(verdicts), encoding="utf-8")
    draw(folder / "calibration.svg", verdicts)


if __name__ == "__main__":
    main()
