"""The cost of a batch: measured on one and two processes of a Dask cluster, simulated for more.

    python -m bench.scale [--write FILE] [--quick]

Scheduler and workers are started as a user would start them. The simulation uses recorded task times and the costs
of the scheduler, the client and the words. Scheduler and client each process one event at a time.
"""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

import click

from bench.document import circumstances
from bench.kinds import chosen
from bench.scale_simulation import AHEAD, BITS_A_SECOND, TASKS_A_WORKER, Costs, simulate
from bench.tables import table
from xwtui.batch.dask_pool import DaskPool
from xwtui.batch.judge import judged
from xwtui.batch.packed_words import PackedWords, pack_words, unpack_words
from xwtui.batch.run import run_batch
from xwtui.batch.store import BatchProgress, BatchStore
from xwtui.batch.subjects import design_text, fill_problem_text, puzzle_text
from xwtui.batch.tasks import BatchKind, BatchTask, Subject, TaskResult, TaskSettings
from xwtui.formats.grid_text import puzzle_of_grid
from xwtui.formats.registry import read_puzzle
from xwtui.grids.designs import DesignWanted
from xwtui.grids.layouts import LayoutWanted
from xwtui.grids.placements import Themer
from xwtui.grids.profiles import find_profile
from xwtui.model import Grid, WordChoice
from xwtui.words.lexicon import Lexicon
from xwtui.words.sources import Vocabulary, load_lexicon, vocabulary_of
from xwtui.words.word_list import WordList

EIGHT = ("ABC", "DEF", "GHI", "ADG", "BEH", "CFI", "ABX", "CAB")
WORKERS = (10, 100, 1_000)
THEMES = (
    ("HEARTTOHEARTS", "CONGRATULATIONS", "UNFORGETTABLE"),
    ("BRAVEHEARTED", "LIONHEARTED", "BRAVEHEART"),
    ("SUNSHINE", "RAINDROP", "SNOWBALL", "WINDFALL"),
)
DESIGN_SECONDS = 30.0
"""Length of a design task in practice; time to the first design is reported separately."""
DOLLARS_AN_HOUR = 0.04
"""Approximate price of a cloud core per hour."""


@dataclass(frozen=True)
class Measured:
    """One batch on a number of worker processes."""

    workers: int
    seconds: float
    """Wall time from the first task handed out to the last result."""
    tasks: tuple[float, ...]
    """Seconds of each task."""
    sent: float
    received: float
    """Bytes sent and received per task."""
    client: float
    scheduler: float
    """Processor seconds per task, of this process and of the scheduler's."""
    finds: int
    first: tuple[float, ...] = ()
    """Seconds to the first design of each design task."""


class Cluster:
    """A scheduler and workers, as `dask scheduler` and `dask worker` start them."""

    def __init__(self, workers: int) -> None:
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self._processes = [
            self._start("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"),
            self._start("worker", self.address, "--nworkers", str(workers), "--nthreads", "1", "--no-dashboard"),
        ]

    @staticmethod
    def _start(*arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *arguments]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @property
    def scheduler_seconds(self) -> float:
        """Processor seconds of the scheduler so far."""
        times = import_module("psutil").Process(self._processes[0].pid).cpu_times()
        return float(times.user + times.system)

    def end(self) -> None:
        for process in reversed(self._processes):
            process.terminate()
            process.wait()


@contextmanager
def cluster(workers: int) -> Iterator[Cluster]:
    one = Cluster(workers)
    try:
        yield one
    finally:
        one.end()


class Clocks:
    """Processor seconds of client and scheduler since the first task began."""

    def __init__(self, one: Cluster) -> None:
        self._cluster = one
        self._begun: tuple[float, float] | None = None

    def told(self, progress: BatchProgress) -> None:
        if self._begun is None and progress.running:
            self._begun = time.process_time(), self._cluster.scheduler_seconds

    def seconds(self) -> tuple[float, float]:
        client, scheduler = self._begun or (0.0, 0.0)
        return time.process_time() - client, self._cluster.scheduler_seconds - scheduler


def measure(
    kind: BatchKind,
    workers: int,
    words: PackedWords,
    subjects: Sequence[Subject],
    seeds: int,
    seconds: float,
) -> tuple[Measured, tuple[tuple[BatchTask, TaskResult], ...]]:
    """Run a batch on a cluster of its own."""
    kept: list[tuple[BatchTask, TaskResult]] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        cluster(workers) as one,
        BatchStore.begin(Path(folder) / "run.sqlite", kind) as store,
    ):
        store.add([words], subjects, range(seeds), [TaskSettings(seconds, count=10)])
        with DaskPool(kind, address=one.address, connect_seconds=60) as pool:
            while pool.workers < workers:
                time.sleep(0.5)
            clocks = Clocks(one)
            end = run_batch(store, pool, on_progress=clocks.told, on_result=lambda *one: kept.append(one))
            client, scheduler = clocks.seconds()
        view = store.view()
    results = [result for _, result in kept]
    firsts = [one.figures.get("first_seconds") for one in results]
    count = len(results)
    return Measured(
        workers,
        end.seconds,
        tuple(one.seconds for one in results),
        end.bytes_sent / count,
        end.bytes_received / count,
        client / count,
        scheduler / count,
        view.layouts if kind is BatchKind.DESIGN else view.finds,
        tuple(one for one in firsts if one is not None),
    ), tuple(kept)


def passing_costs(tasks: int) -> Measured:
    """Measure the overhead per task, with trivial tasks: fills of a blank 3x3 with eight words."""
    lists = [WordList.from_scores("eight", dict.fromkeys(EIGHT, 50))]
    words = pack_words(Vocabulary(Lexicon.build(lists)))
    puzzle = puzzle_of_grid(Grid.blank(3, 3))
    subject = Subject("blank", fill_problem_text(puzzle), words.digest, puzzle_text(puzzle))
    return measure(BatchKind.FILL, 2, words, [subject], tasks, 10)[0]


def fill_subjects(words: PackedWords, most: int) -> list[Subject]:
    """Return newspaper templates: ordinary ones, and those with few words."""
    found = []
    for kind, paths in chosen(("*.txt",), most):
        if kind.name in ("ordinary", "70 words and fewer"):
            for path in paths:
                puzzle = read_puzzle(path)
                found.append(Subject(path.stem, fill_problem_text(puzzle), words.digest, puzzle_text(puzzle)))
    return found


def theme_subjects(words: PackedWords) -> list[Subject]:
    layout = LayoutWanted(15, 15, find_profile("american-15"), most_words=78, most_blocks=40)
    return [
        Subject(
            " ".join(answers),
            design_text(DesignWanted(tuple(Themer(tuple(one)) for one in answers), layout)),
            words.digest,
        )
        for answers in THEMES
    ]


def judging_seconds(kept: Sequence[tuple[BatchTask, TaskResult]], words: Vocabulary) -> float:
    """Return the judge's processor seconds per result, excluding the first layout of the puzzle."""
    for task, result in kept:
        judged(task, result, words)
    begun = time.process_time()
    for task, result in kept:
        judged(task, result, words)
    return (time.process_time() - begun) / len(kept)


def storing_seconds(subjects: Sequence[Subject], words: PackedWords, kept: Sequence[TaskResult]) -> float:
    """Return wall seconds to store a result in a transaction of its own, including the disk."""
    with (
        tempfile.TemporaryDirectory(dir=".") as folder,
        BatchStore.begin(Path(folder) / "run.sqlite", BatchKind.FILL) as store,
    ):
        store.add([words], subjects, range(len(kept) // len(subjects) + 1), [TaskSettings(1)])
        tasks = store.waiting()
        begun = time.perf_counter()
        for task, result in zip(tasks, kept, strict=False):
            store.keep([replace(result, name=task.name)])
        return (time.perf_counter() - begun) / min(len(tasks), len(kept))


def ready_seconds(words: PackedWords) -> float:
    begun = time.process_time()
    unpack_words(words)
    return time.process_time() - begun


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:,.1f} ms"


def report(quick: bool) -> list[str]:
    choice = WordChoice(minimum_score=40)
    vocabulary = vocabulary_of(load_lexicon(choice), choice)
    begun = time.process_time()
    words = pack_words(vocabulary)
    packing = time.process_time() - begun
    ready = ready_seconds(words)
    templates = fill_subjects(words, 4 if quick else 20)
    seeds = 2 if quick else 3
    through = passing_costs(100 if quick else 500)
    fills: dict[int, list[Measured]] = {1: [], 2: []}
    kept: tuple[tuple[BatchTask, TaskResult], ...] = ()
    for workers in (1, 2, 1, 2):
        one, kept = measure(BatchKind.FILL, workers, words, templates, seeds, 10)
        fills[workers].append(one)
    design_seconds = 4.0 if quick else DESIGN_SECONDS
    design, designs = measure(BatchKind.DESIGN, 2, words, theme_subjects(words), 1 if quick else 4, design_seconds)
    judge = judging_seconds(kept, vocabulary)
    judge_designs = judging_seconds(designs, vocabulary)
    store = storing_seconds(templates, words, [result for _, result in kept])
    return [
        *words_lines(words, len(vocabulary.lexicon), packing, ready),
        *speed_lines(fills),
        *task_lines(through, (fills[2][-1], design), (judge, judge_designs), store),
        *simulation_lines(through, (fills[2][-1], design), (judge, judge_designs), words, ready),
        *design_lines(design, design_seconds),
    ]


def words_lines(words: PackedWords, count: int, packing: float, ready: float) -> list[str]:
    return [
        "## The words",
        "",
        f"xwtui packs the default list ({count:,} words at 40 or more) once, in {packing:.2f} s. Each worker "
        f"receives it once, as {words.size / 1e6:.1f} MB, and unpacks and checks it in {ready:.2f} s. A task "
        "refers to the list by 32 characters.",
        "",
    ]


def speed_lines(fills: Mapping[int, Sequence[Measured]]) -> list[str]:
    rows = [
        [str(workers), f"{len(one.tasks) / one.seconds:.1f}", f"{sum(one.tasks) / (workers * one.seconds):.0%}"]
        for workers, runs in fills.items()
        for one in runs
    ]
    rates = {workers: max(len(one.tasks) / one.seconds for one in runs) for workers, runs in fills.items()}
    return [
        "## From one process to two",
        "",
        f"One process and two alternate, with {len(fills[1][0].tasks):,} fills of templates a run. In the better "
        f"of their runs, two do {rates[2] / rates[1]:.2f} times as much as one. The workers share the processor "
        f"with the scheduler, the client and everything else on this machine: the load was "
        f"{os.getloadavg()[1]:.0f} on {os.cpu_count()} cores. If the load is far above the number of cores, "
        "the ratio says nothing.",
        "",
        *table(["processes", "fills per second", "workers' time in tasks"], rows),
        "",
    ]


def task_lines(
    through: Measured, measured: Sequence[Measured], judges: Sequence[float], store: float
) -> list[str]:
    rows = []
    for name, one, judge in zip(("fill", "design"), measured, judges, strict=True):
        nine = statistics.quantiles(one.tasks, n=10)[-1]
        times = [f"{statistics.median(one.tasks):.3f} s", f"{nine:.3f} s"]
        rows.append([name, *times, f"{one.sent:,.0f}", f"{one.received:,.0f}", milliseconds(judge)])
    return [
        "## A task",
        "",
        f"Passing a task on takes {milliseconds(through.client)} of the client's processor time and "
        f"{milliseconds(through.scheduler)} of the scheduler's ({len(through.tasks)} fills of a blank 3x3, which "
        f"take no time, on two processes: {len(through.tasks) / through.seconds:.0f} per second). The table adds "
        "the time to judge a result. Storing a result in its own transaction, with a wait for the disk, takes "
        f"{milliseconds(store)}; results that arrive together share a transaction.",
        "",
        *table(["task", "median", "nine in ten within", "bytes out", "bytes back", "the judge"], rows),
        "",
    ]


def simulation_lines(
    through: Measured,
    measured: Sequence[Measured],
    judges: Sequence[float],
    words: PackedWords,
    ready: float,
) -> list[str]:
    rows = []
    ends = []
    for name, one, judge in zip(("fill", "design"), measured, judges, strict=True):
        costs = Costs(through.client + judge, through.scheduler, words.size, ready)
        for workers in WORKERS:
            found = simulate(one.tasks, costs, workers)
            rate = f"{found.rate:,.1f}"
            sent = f"{workers * words.size / 1e6:,.0f} MB"
            rows.append([name, f"{workers:,}", rate, f"{found.share:.0%}", f"{found.start:.1f} s", sent])
        narrow = max(costs.client, costs.scheduler)
        who = "client" if costs.client >= costs.scheduler else "scheduler"
        mean = statistics.fmean(one.tasks)
        most = f"{mean / narrow:,.0f}"
        ends.append(f"{name}s (mean {mean:.2f} s) up to about {most} workers, where the {who} is always busy")
    heading = [
        "task",
        "workers",
        "results per second",
        "workers' time in tasks",
        "words arrive after",
        "words sent",
    ]
    return [
        "## Simulated: ten, a hundred, a thousand workers",
        "",
        "The simulation uses the times above. The client and the scheduler each do one thing at a time; the "
        f"scheduler sends the words to one worker after the other, at {BITS_A_SECOND / 1e9:g} Gbit/s. Each worker "
        f"gets {TASKS_A_WORKER} tasks, {AHEAD} of them ahead of time. Batches scale for {'; for '.join(ends)}.",
        "",
        *table(heading, rows),
        "",
    ]


def design_lines(design: Measured, seconds: float) -> list[str]:
    each = sum(design.tasks) / max(design.finds, 1)
    hours = 1_000 * each / 3_600
    first = statistics.median(design.first) if design.first else float("nan")
    return [
        "## A thousand proven designs",
        "",
        f"{len(design.tasks)} tasks of {seconds:g} s found {design.finds:,} designs, each checked and on a layout "
        f"of its own. A design took {each:.1f} s of a core; a task found its first after {first:.1f} s. A "
        f"thousand designs take {hours:.2f} hours of one core, or {60 * hours / 100:.2f} minutes of a hundred "
        f"workers, and cost about ${hours * DOLLARS_AN_HOUR:.2f} at ${DOLLARS_AN_HOUR:g} per core and hour.",
        "",
    ]


@click.command()
@click.option(
    "--write", "target", type=click.Path(path_type=Path, dir_okay=False), help="The page to write them into."
)
@click.option("--quick", is_flag=True, help="Few templates and seeds, short designs.")
def main(target: Path | None, quick: bool) -> None:
    """Measure the cost of batches."""
    marker = "<!-- measured -->"
    lines = [f"*{circumstances()}; `make bench-scale{' BENCH=--quick' if quick else ''}`*", "", *report(quick)]
    print("\n".join(lines))
    if target is not None:
        head, _, _ = target.read_text(encoding="utf-8").partition(marker)
        target.write_text(f"{head}{marker}\n\n" + "\n".join(lines).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
