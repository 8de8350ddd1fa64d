"""The public yardstick: forty grids, two dictionaries, one line an instance, published figures beside ours.

    python -m bench.public_grids [FOLDER] [-d words] [-g 15.06] [--seconds 30] [--seeds 1] [--threads 1]

Rules, for figures that compare: every run of two or more open squares is a slot, all words differ,
no lowest score; search seconds only, after the word tables and kernels are loaded. Each fill is judged.
With --write the figures become a page, followed by the notes that lie beside it (NAME-notes.md).
"""

import argparse
import platform
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.public_table import HEAD, Instance, Page, Square, line, markdown, square_line, summary
from bench.published import Published, published_results
from bench.word_squares import word_squares
from tests.naive.engine import check_fill
from tests.published_data import BENCH_DATA
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.portfolio import FillResult, fill
from xwtui.engine.problem.problem import Problem
from xwtui.engine.warmup import warm_up
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid
from xwtui.words.lexicon import Lexicon
from xwtui.words.reader import read_word_list

_FAMILIES = ("15", "19", "21", "23")
SLOW = ("21.10", "23.06", "23.10")
"""The grids that no published search settled within its limit, with the dictionary `words`."""


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


def instances(dictionary: str, arguments: argparse.Namespace) -> Iterator[Instance]:
    """Each grid of a dictionary, filled with each seed."""
    folder: Path = arguments.folder
    data = (folder / "dicts" / f"{dictionary}.txt").read_bytes()
    lexicon = Lexicon.build([read_word_list(data, dictionary).word_list])
    published = published_results(folder)
    for name, grid in public_grids(folder, arguments.grid):
        problem = Problem.build(grid, lexicon)
        is_slow = dictionary == "words" and name in SLOW
        seconds = arguments.slow if is_slow and arguments.slow else arguments.seconds
        results = [run_instance(problem, seed, seconds, arguments.threads) for seed in range(arguments.seeds)]
        yield Instance(
            dictionary,
            name,
            [result.outcome.value for result in results],
            [result.statistics.seconds_search for result in results],
            [result.statistics.nodes for result in results],
            published.get((dictionary, name), Published.unknown()),
        )


def tell_instances(arguments: argparse.Namespace) -> list[Instance]:
    """Run the instances, a line each."""
    print(HEAD)
    found: list[Instance] = []
    for dictionary in arguments.dictionary.split(","):
        for instance in instances(dictionary, arguments):
            print(line(instance), flush=True)
            found.append(instance)
    print("\n".join(summary(found)))
    return found


def tell_squares(arguments: argparse.Namespace) -> list[Square]:
    """Count and fill the word squares, a line each."""
    found: list[Square] = []
    for square in word_squares(arguments.folder, arguments.threads):
        print(square_line(square), flush=True)
        found.append(square)
    return found


def conditions(arguments: argparse.Namespace) -> str:
    """What the figures were taken under, as a sentence."""
    return (
        f"Written by `make bench-public`: {arguments.seeds} seed(s) each, {arguments.threads} thread(s) at most "
        f"{arguments.seconds:g} s ({arguments.slow or arguments.seconds:g} s for {', '.join(SLOW)} with `words`), "
        f"on {platform.machine()}, Python {platform.python_version()}. Seconds are of search alone and medians "
        "over the seeds; a dash is a system that gave up within its limit of 10 or 20 minutes."
    )


def main(words: Sequence[str] | None = None) -> None:
    """Run what the arguments choose."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=BENCH_DATA)
    parser.add_argument("-d", "--dictionary", default="words,uk")
    parser.add_argument("-g", "--grid", default="")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--slow", type=float, default=0, help="other limit for the three slow ones")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--squares", choices=("no", "too", "only"), default="no", help="the word squares")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="write the page, with the notes beside it")
    arguments = parser.parse_args(words)
    warm_up()
    page = Page(conditions(arguments))
    if arguments.squares != "only":
        page.instances = tell_instances(arguments)
    if arguments.squares != "no":
        page.squares = tell_squares(arguments)
    if arguments.write:
        notes: Path = arguments.write.with_name(f"{arguments.write.stem}-notes.md")
        page.notes = notes.read_text() if notes.is_file() else ""
        arguments.write.write_text(markdown(page))


if __name__ == "__main__":
    main()
