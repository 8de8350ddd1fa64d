"""The public benchmark: forty grids and two dictionaries, our figures next to published ones.

    python -m bench.public_grids [FOLDER] [-d words] [-g 15.06] [--seconds 30] [--seeds 1] [--scheduler ADDRESS]

Rules that make the figures comparable: every run of two or more open squares is a slot, all words differ, and
there is no lowest score. Times cover the search only, after word tables and kernels are loaded. Each fill is
judged. With --proofs, the two grids that have no fill are proved and the proofs checked, which takes long for
23.10. With --write, the figures become a page, followed by the notes of the same name (NAME-notes.md).
"""

import argparse
import platform
from collections.abc import Sequence
from pathlib import Path

from bench.public_proofs import checked_proofs
from bench.public_runs import SLOW, do_run, runs
from bench.public_table import (
    HEAD,
    CheckedProof,
    Instance,
    Page,
    Square,
    line,
    markdown,
    proof_line,
    square_line,
    summary,
)
from bench.side_by_side import SCHEDULER_HELP, sharing
from bench.word_squares import word_squares
from tests.published_data import BENCH_DATA
from xwtui.engine.warmup import warm_up


def tell_instances(arguments: argparse.Namespace) -> list[Instance]:
    """Run the instances, printing a line for each."""
    print(HEAD)
    found: list[Instance] = []
    with sharing(arguments.scheduler) as ask_each:
        for instance in ask_each(do_run, runs(arguments)):
            print(line(instance), flush=True)
            found.append(instance)
    print("\n".join(summary(found)))
    return found


def tell_squares(arguments: argparse.Namespace) -> list[Square]:
    """Count and fill the word squares, printing a line for each."""
    found: list[Square] = []
    for square in word_squares(arguments.folder, arguments.threads):
        print(square_line(square), flush=True)
        found.append(square)
    return found


def tell_proofs(arguments: argparse.Namespace) -> list[CheckedProof]:
    """Write and check the proofs that there is no fill, printing a line for each."""
    found: list[CheckedProof] = []
    for proof in checked_proofs(arguments.folder, arguments.grid):
        print(proof_line(proof), flush=True)
        found.append(proof)
    return found


def conditions(arguments: argparse.Namespace) -> str:
    """Describe the conditions of the measurement in a sentence."""
    seeds = "one seed" if arguments.seeds == 1 else f"{arguments.seeds} seeds each"
    threads = "one thread" if arguments.threads == 1 else f"{arguments.threads} threads"
    *slow, slowest = SLOW
    return (
        f"Written by `make bench-public`: {seeds}, {threads}, at most {arguments.seconds:g} s a grid "
        f"({arguments.slow or arguments.seconds:g} s for {', '.join(slow)} and {slowest} with `words`), "
        f"on {platform.machine()}, Python {platform.python_version()}. Seconds are search time only, the median "
        "if there are several seeds. The last four columns are published times; a dash is a search that gave up "
        "at its limit of 10 or 20 minutes."
    )


def main(words: Sequence[str] | None = None) -> None:
    """Run the parts that the arguments choose."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=BENCH_DATA)
    parser.add_argument("-d", "--dictionary", default="words,uk")
    parser.add_argument("-g", "--grid", default="")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--slow", type=float, default=0, help="other limit for the three slow ones")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--scheduler", default="", metavar="ADDRESS", help=SCHEDULER_HELP)
    parser.add_argument("--squares", choices=("no", "too", "only"), default="no", help="the word squares")
    parser.add_argument("--proofs", choices=("no", "too", "only"), default="no", help="written and checked")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="write the page, with the notes beside it")
    arguments = parser.parse_args(words)
    warm_up()
    page = Page(conditions(arguments))
    if "only" not in (arguments.squares, arguments.proofs):
        page.instances = tell_instances(arguments)
    if arguments.squares != "no" and arguments.proofs != "only":
        page.squares = tell_squares(arguments)
    if arguments.proofs != "no":
        page.proofs = tell_proofs(arguments)
    if arguments.write:
        notes: Path = arguments.write.with_name(f"{arguments.write.stem}-notes.md")
        page.notes = notes.read_text() if notes.is_file() else ""
        arguments.write.write_text(markdown(page))


if __name__ == "__main__":
    main()
