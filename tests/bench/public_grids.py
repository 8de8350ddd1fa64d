"""The public yardstick: forty grids, two dictionaries, one line an instance.

    python -m tests.bench.public_grids [-d words] [-g 15.06] [--seconds 30] [--seeds 1] [--threads 1]

Rules, for figures that compare: every run of two or more open squares is a slot, all words differ,
no lowest score; search seconds only, after the word tables and kernels are loaded. Each fill is judged.
"""

import argparse
import statistics
from collections.abc import Iterator
from pathlib import Path

from tests.naive_engine import check_fill
from tests.published_data import BENCH_DATA
from xwtui.engine.outcome import Outcome
from xwtui.engine.portfolio import FillResult, fill
from xwtui.engine.problem import Problem
from xwtui.engine.warmup import warm_up
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid
from xwtui.words.lexicon import Lexicon
from xwtui.words.reader import read_word_list

_FAMILIES = ("15", "19", "21", "23")


def public_grids(folder: Path, wanted: str) -> Iterator[tuple[str, Grid]]:
    """The forty block patterns, or those whose name begins as wanted."""
    for path in sorted((folder / "grids").glob("*.txt")):
        if path.stem.startswith(wanted) and (wanted or path.stem.startswith(_FAMILIES)):
            yield path.stem, grid_from_text(path.read_text())


def run_instance(problem: Problem, seed: int, seconds: float, threads: int) -> FillResult:
    """Fill one grid, and judge the fill."""
    result = fill(problem, seed=seed, seconds=seconds, threads=threads)
    if result.outcome is Outcome.FILLED:
        words = {
            word: 1
            for length in {len(slot) for slot in problem.slots}
            for word in problem.lexicon.table(length).words()
        }
        check_fill(problem.grid, result.squares, words)
    return result


def report(dictionary: str, arguments: argparse.Namespace) -> None:
    """Print a line for each instance and a summary."""
    folder: Path = arguments.folder
    data = (folder / "dicts" / f"{dictionary}.txt").read_bytes()
    lexicon = Lexicon.build([read_word_list(data, dictionary).word_list])
    seconds: list[float] = []
    settled = 0
    for name, grid in public_grids(folder, arguments.grid):
        problem = Problem.build(grid, lexicon)
        for seed in range(arguments.seeds):
            result = run_instance(problem, seed, arguments.seconds, arguments.threads)
            seconds.append(result.statistics.seconds_search)
            settled += result.outcome.is_final
            print(
                f"{dictionary:6} {name:6} seed {seed} {result.outcome.value:10} "
                f"{result.statistics.nodes:10,} nodes {seconds[-1]:8.3f} s  {result.reason}",
                flush=True,
            )
    print(f"{dictionary}: {settled} of {len(seconds)} settled, median {statistics.median(seconds):.4f} s")


def main() -> None:
    """Run the instances that the arguments choose."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=BENCH_DATA)
    parser.add_argument("-d", "--dictionary", default="words,uk")
    parser.add_argument("-g", "--grid", default="")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    warm_up()
    for dictionary in arguments.dictionary.split(","):
        report(dictionary, arguments)


if __name__ == "__main__":
    main()
