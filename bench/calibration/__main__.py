"""Calibrate the instruments that count: docs/calibration.md and docs/calibration.svg.

python -m bench.calibration [--to FOLDER]
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from bench.calibration.cases import corpus
from bench.calibration.measure import judge
from bench.calibration.plot import draw
from bench.calibration.report import page, share_held
from bench.calibration.spread import scatter, templates
from xwtui.engine.warmup import warm_up

PROCESSES = 2

Answer = TypeVar("Answer")


def main() -> None:
    """Judge all cases and write the page and the plot."""
    parser = argparse.ArgumentParser(description="How far off each instrument is.")
    parser.add_argument("--to", type=Path, default=Path("docs"), metavar="FOLDER")
    folder: Path = parser.parse_args().to
    warm_up()
    with ProcessPoolExecutor(PROCESSES, get_context("spawn"), warm_up) as pool:
        scattered = pool.map(scatter, templates())
        verdicts = list(_told("cases", pool.map(judge, corpus(), count())))
        print(f"{share_held(verdicts):.1%} of the intervals hold", file=sys.stderr)
        spreads = list(_told("templates", scattered))
    (folder / "calibration.md").write_text(page(verdicts, spreads), encoding="utf-8")
    draw(folder / "calibration.svg", verdicts)


def _told(what: str, answers: Iterable[Answer]) -> Iterator[Answer]:
    """The answers, while their number is told."""
    for number, answer in enumerate(answers, 1):
        print(f"\r{number} {what}", end="", file=sys.stderr)
        yield answer
    print(file=sys.stderr)


if __name__ == "__main__":
    main()
