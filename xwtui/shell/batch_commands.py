"""Batches, which run many fills, designs, races or counts into one file: commands, inputs, workers, reports."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from xwtui import __version__
from xwtui.batch.pool import DASK, LeftOut, open_pool, other_pools, pool_name
from xwtui.dataclasses import dataclass, replace
from xwtui.errors import (
    BatchError,
    BatchRefusal,
    PuzzleFormatError,
    WordListError,
    XwtuiError,
    failing_as,
    reason_of,
)
from xwtui.interrupts import Exit, interrupt_flag, stopped_by
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model import Ink, Puzzle
from xwtui.model.alphabet import Alphabet
from xwtui.model.edits import set_alphabet, set_ink, write_fill
from xwtui.parameters import CHOOSE, DESIGN_COUNT, HIGHEST_SEED, MOST_SECONDS
from xwtui.printing import StatusLine, warn
from xwtui.reading import read_at_most
from xwtui.session.answers import JsonShape
from xwtui.session.settings import Overrides
from xwtui.session.verbs.designs import (
    ThemeOptions,
    direction_option,
    pairs_option,
    read_themer,
    rebus_option,
    ways_of,
)
from xwtui.session.verbs.layouts import LayoutOptions, layout_options
from xwtui.shell import verb_commands
from xwtui.shell.root import print_object, shell
from xwtui.shell.streams import read_source
from xwtui.text import counted, listed, printable, printable_lines
from xwtui.words.alphabets import find_alphabet

with lazy_imports():
    from xwtui.batch import dask_pool
    from xwtui.batch.packed_words import PackedWords, pack_words
    from xwtui.batch.races.task import read_entrants
    from xwtui.batch.run import run_batch
    from xwtui.batch.store import BatchProgress, BatchStore, BatchView, Phase, RankedFind, SubjectView
    from xwtui.batch.subjects import design_text, fill_problem_text, puzzle_text, read_puzzle_text
    from xwtui.batch.tasks import BatchKind, BatchTask, Subject, TaskResult, TaskSettings, TaskState
    from xwtui.formats.base import make_folder
    from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
    from xwtui.formats.intake import ReadOptions
    from xwtui.formats.registry import files_below, suffixes_to_read, write_puzzle
    from xwtui.grids.designs import DesignWanted
    from xwtui.grids.placements import Themer
    from xwtui.session.jobs.word_loader import VocabularyRequest
    from xwtui.session.overwriting import check_free
    from xwtui.words.sources import Vocabulary


_STATUSES = (
    "The exit status is 0 if something was found, 1 if provably nothing exists, 3 if time ran out for all or "
    "tasks are left, 2 for wrong use or bad input, and 130 after Ctrl+C; the file keeps the results so far."
)
_MOST_SEEDS = 1_000_000
_MOST_WORKERS = 1024
_LONGEST_LIST = 200


@shell.group(
    invoke_without_command=True,
    short_help="Run many fills, designs, races or counts on all cores or a Dask cluster.",
)
@click.pass_context
def batch(context: click.Context) -> None:
    """Do many fills, designs, races or counts, on all cores or on a Dask cluster, into one file.

    Each result is kept once, whole, when it comes; what is stopped or killed goes on with `batch resume`, and the
    same command again costs nothing. This needs Dask: in the checkout, `.venv/bin/pip install '.[cluster]'`.
    """
    if context.invoked_subcommand is None:
        raise click.UsageError(f"batch needs {listed(batch.commands, 'or')}; `xwtui batch --help` explains")


_where_options = verb_commands.together(
    verb_commands.process_option(
        "--workers",
        "Processes on this machine.  [default: one per core]",
        click.IntRange(1, _MOST_WORKERS),
        metavar="N",
    ),
    verb_commands.process_option(
        "--scheduler",
        f"Use this scheduler's Dask cluster, such as tcp://host:8786{other_pools()}.",
        metavar="ADDRESS",
    ),
    verb_commands.process_option("--json as_json", "Print JSON lines: one per result, then a summary.", bool),
    verb_commands.progress_option,
)


def _task_options(seconds: float) -> Callable[[Any], Any]:
    return verb_commands.together(
        verb_commands.process_option(
            "--db file",
            "The batch's file; tasks are added to an existing one.",
            click.Path(path_type=Path, dir_okay=False),
            required=True,
            metavar="RUN.sqlite",
        ),
        verb_commands.process_option(
            "--seeds",
            "Tasks for each input, each with its own seed.",
            click.IntRange(1, _MOST_SEEDS),
            shown=1,
            metavar="N",
        ),
        verb_commands.process_option(
            "--seed", "The first seed.", click.IntRange(0, HIGHEST_SEED), shown=0, metavar="N"
        ),
        verb_commands.process_option(
            "--time seconds",
            "Time limit for each task's search, without loading.",
            click.FloatRange(0.001, MOST_SECONDS),
            shown=seconds,
            metavar="SECONDS",
        ),
        verb_commands.word_options,
        _where_options,
    )


_puzzles_argument = click.argument(
    "inputs", nargs=-1, required=True, metavar="GRID...", type=click.Path(exists=True, path_type=Path)
)
_run_argument = click.argument("file", metavar="RUN.sqlite", type=click.Path(path_type=Path))


@batch.command("fill", epilog=_STATUSES)
@_puzzles_argument
@_task_options(60)
@verb_commands.repeats_option
@verb_commands.process_option("--first", "Keep the first words found, without improving them.", bool)
def batch_fill(**options: Any) -> int:
    """Fill each GRID, or each in a folder, once with every seed; `batch best` shows the best fills."""
    return begin_batch(BatchKind.FILL, options)


@batch.command("count", epilog=_STATUSES)
@_puzzles_argument
@_task_options(5)
@verb_commands.repeats_option
def batch_count(**options: Any) -> int:
    """Count or estimate the fills of each GRID, or of each in a folder."""
    return begin_batch(BatchKind.COUNT, options)


@batch.command("race", epilog=_STATUSES)
@_puzzles_argument
@verb_commands.process_option(
    "--strategies", "The strategies, as for `race`.  [default: all but sat]", multiple=True, metavar="NAME,..."
)
@_task_options(10)
@verb_commands.repeats_option
def batch_race(**options: Any) -> int:
    """Race strategies on each GRID, or on each in a folder: each strategy once with every seed."""
    return begin_batch(BatchKind.RACE, options)


@batch.command("design", epilog=_STATUSES)
@click.argument(
    "inputs",
    nargs=-1,
    required=True,
    metavar="THEMES...",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@verb_commands.early(layout=layout_options, direction=direction_option, rebus=rebus_option, pairs=pairs_option)
@verb_commands.process_option(
    "--choose", "Use this many answers of each set.", click.IntRange(CHOOSE.low, CHOOSE.high), metavar="N"
)
@verb_commands.process_option(
    "--count",
    "How many designs each task keeps.",
    click.IntRange(DESIGN_COUNT.low, DESIGN_COUNT.high),
    shown=10,
    metavar="N",
)
@_task_options(30)
def batch_design(**options: Any) -> int:
    """Design grids around theme answers: each line of the files THEMES is a set, with blanks or commas between.

    As for `design`, 17A=ANSWER or r4c1=ANSWER says where an answer is to stand, Lo[cat]ion has a rebus square, and
    HEARTBREAK! stands last.
    """
    return begin_batch(BatchKind.DESIGN, options)


@batch.command("resume", epilog=_STATUSES)
@_run_argument
@_where_options
def batch_resume(**options: Any) -> int:
    """Go on with what has no result yet, and try again what has crashed."""
    _check_pool(options)
    with BatchStore.open(options["file"], is_written=True) as store:
        store.forget([TaskState.CRASHED])
        return _run(store, options)


@batch.command("show")
@_run_argument
@verb_commands.json_option
def batch_show(file: Path, *, as_json: bool) -> int:
    """Show how a batch stands, as a whole and for each input."""
    with BatchStore.open(file) as store:
        view, subjects = store.view(), store.subject_views()
    if as_json:
        print_object({**VIEW.of(view), "inputs": _INPUT.convert(subjects)})
    else:
        _print([view_words(view), *(_subject_words(view.kind, one) for one in subjects[:_LONGEST_LIST])])
        if len(subjects) > _LONGEST_LIST:
            print(f"  and {len(subjects) - _LONGEST_LIST:,} more; --json lists all")
    return status_of(view)


@batch.command("best")
@_run_argument
@verb_commands.process_option("--count", "How many.", click.IntRange(1, 10_000), shown=5)
@verb_commands.json_option
def batch_best(file: Path, count: int, *, as_json: bool) -> int:
    """Show the best fills or designs: by lowest score, then by mean; of designs each layout once."""
    best = _best(file, count)
    if as_json:
        finds = JsonShape("input=title seed", ("*find", FIND))
        print_object({"best": finds.convert(best)})
    else:
        for number, one in enumerate(best, start=1):
            _print([f"{number}  {_scores(one)}, seed {one.seed}: {one.title}", *one.find.rows, ""])
        if not best:
            print("nothing found yet")
    return Exit.OK if best else Exit.UNKNOWN


@batch.command("export")
@_run_argument
@verb_commands.process_option(
    "-o --output folder",
    "The folder to write to; it is created if missing.",
    click.Path(path_type=Path, file_okay=False),
    required=True,
    metavar="FOLDER",
)
@verb_commands.process_option("--count", "How many to write, best first.", click.IntRange(1, 10_000), shown=10)
@verb_commands.force_option
@verb_commands.json_option
def batch_export(file: Path, folder: Path, count: int, *, overwrites: bool, as_json: bool) -> int:
    """Write the best fills or designs as puzzles, numbered from the best on."""
    best = _best(file, count)
    if best:
        with failing_as(PuzzleFormatError, str(folder)):
            make_folder(folder)
    paths = [folder / f"best-{number:03}.ipuz" for number in range(1, len(best) + 1)]
    for path in () if overwrites else paths:
        check_free(path)
    for path, one in zip(paths, best, strict=True):
        for warning in write_puzzle(path, _puzzle(one)):
            warn(f"{path}: {warning}")
    if as_json:
        print_object({"files": list(map(str, paths))})
    else:
        print(f"{counted(len(paths), 'puzzle')} written to {folder}")
    return Exit.OK if best else Exit.UNKNOWN


def _best(file: Path, count: int) -> Sequence[RankedFind]:
    """Return the best fills or designs of a batch; raises BatchError where it is one of counts."""
    with BatchStore.open(file) as store:
        if store.kind is BatchKind.COUNT:
            message = f"{printable(str(file), 200)} has counts, not fills: `batch show` lists them"
            raise BatchError(BatchRefusal.OTHER_KIND, message)
        return store.best(count)


def begin_batch(kind: BatchKind, options: Mapping[str, Any]) -> Exit:
    """Add tasks to a batch, creating its file if needed, and run the waiting ones; raises XwtuiError."""
    _check_pool(options)
    with StatusLine(sys.stderr) as status:
        status.show("reading the inputs and the words")
        inputs = read_inputs(kind, options)
    seeds = range(options["seed"], options["seed"] + options["seeds"])
    with BatchStore.begin(options["file"], kind) as store:
        store.add(inputs.words, inputs.subjects, seeds, inputs.settings)
        return _run(store, options)


def _check_pool(options: Mapping[str, Any]) -> None:
    """Check that the pool is available, before anything is read or written; raises XwtuiError."""
    if pool_name(options["scheduler"]) == DASK:
        dask_pool.check_dask()


def _run(store: BatchStore, options: Mapping[str, Any]) -> Exit:
    """Run the waiting tasks, reporting as the options say; a signal stops the run and keeps the results so far."""
    reporter = _BatchReporter(store, as_lines=options["as_json"], as_objects=options["progress_form"] == "json")
    view = store.view()
    is_stopped = False
    if not view.is_over:
        with interrupt_flag() as is_cancelled, reporter.line:
            reporter.show_progress(BatchProgress(Phase.STARTING, view))
            with open_pool(
                store.kind, workers=options["workers"], address=options["scheduler"], left_out=reporter.skip_worker
            ) as pool:
                end = run_batch(
                    store,
                    pool,
                    cancelled=is_cancelled,
                    on_progress=reporter.show_progress,
                    on_result=reporter.print_result,
                )
            view, is_stopped = end.view, is_cancelled()
            if end.gave_up:
                warn(f"{end.gave_up:,} tasks kept losing their worker; `batch resume` retries them")
    if options["as_json"]:
        status = "cancelled" if is_stopped else "done" if view.is_over else "unfinished"
        print_object({"status": status, **VIEW.of(view)})
    else:
        print(view_words(view))
    if is_stopped:
        warn(f"stopped by {stopped_by()}: `xwtui batch resume {store.path}` continues")
        return Exit.INTERRUPTED
    return status_of(view)


class _BatchReporter:
    """Reports progress on stderr and, if requested, each new result on stdout."""

    def __init__(self, store: BatchStore, *, as_lines: bool, as_objects: bool) -> None:
        self.line = StatusLine(sys.stderr)
        self._phase = Phase.STARTING
        self._store = store
        self._as_lines = as_lines
        self._as_objects = as_objects

    def skip_worker(self, worker: LeftOut) -> None:
        self._warn(f"the worker {worker.words}, but xwtui is {__version__} here, so it gets no tasks")

    def _warn(self, message: str) -> None:
        self.line.clear()
        warn(message)

    def show_progress(self, progress: BatchProgress) -> None:
        """Show the progress, and warn once that the scheduler is gone."""
        if progress.phase is Phase.RECONNECTING is not self._phase:
            self._warn(
                f"the scheduler is gone; waiting {dask_pool.PATIENCE_SECONDS / 60:.0f} minutes for it; "
                f"`xwtui batch resume {self._store.path}` continues at any time"
            )
        self._phase = progress.phase
        if self._as_objects:
            print_object(PROGRESS.of(progress), sys.stderr)
        else:
            self.line.show(progress_words(progress))

    def print_result(self, task: BatchTask, result: TaskResult) -> None:
        if self._as_lines:
            about = {"task": result.name, "input": self._store.title_of(task)}
            about |= JsonShape("seed strategy=settings.entrant??").of(task)
            print_object(about | JsonShape("state reason seconds~6 figures", ("finds", FIND)).of(result))


def _puzzle(one: RankedFind) -> Puzzle:
    """Return the filled puzzle, or a design with its theme answers locked, with the fill in pencil."""
    filled = grid_from_text("\n".join(one.find.rows))
    if one.document:
        puzzle = read_puzzle_text(one.document)
    else:
        puzzle = puzzle_of_grid(grid_from_text("\n".join(one.find.grid)))
    made = write_fill(puzzle, filled.contents)
    if one.document:
        return made
    return set_ink(made, list(puzzle.grid.contents), Ink.LOCKED)


def status_of(view: BatchView) -> Exit:
    """Return the exit status for a batch's state."""
    if view.states.get(TaskState.FOUND):
        return Exit.OK
    is_proved = view.is_over and set(view.states) == {TaskState.IMPOSSIBLE}
    return Exit.IMPOSSIBLE if is_proved else Exit.UNKNOWN


def view_words(view: BatchView) -> str:
    """Summarize a batch: `fill: 40 of 40 tasks done, 38 found, 2 unknown; 12 s of work`."""
    tasks = [f"{view.kind.value}: {view.done:,} of {view.tasks:,} tasks done", *_state_words(view)]
    parts = [", ".join(tasks)]
    if view.kind is BatchKind.DESIGN:
        parts.append(f"{counted(view.finds, 'design')} on {counted(view.layouts, 'layout')}")
    parts.append(f"{view.seconds:,.1f} s of work")
    return "; ".join(parts)


def progress_words(progress: BatchProgress) -> str:
    """Summarize a batch's progress: `234 of 1,000 done, 12.0 a second, 64 s left, 2 workers`."""
    view = progress.view
    parts = [f"{view.done:,} of {view.tasks:,} done"]
    if progress.phase is not Phase.RUNNING:
        parts.insert(0, progress.phase.value)
    if progress.new:
        parts.append(f"{progress.rate:.1f} a second")
    if progress.seconds_left is not None:
        parts.append(f"{progress.seconds_left:,.0f} s left")
    workers = counted(progress.workers, "worker") if progress.workers else "no workers yet"
    return f"{', '.join(parts)}, {workers}"


def _states(view: BatchView | SubjectView) -> Mapping[str, Mapping[str, int]]:
    """Return how many tasks ended in each state, in the order of the states."""
    known = TaskState.__members__.values()
    return {"states": {state.value: view.states[state] for state in known if state in view.states}}


VIEW = JsonShape("batch=kind tasks done", _states, "finds layouts work_seconds=seconds~3")
PROGRESS = JsonShape(
    "phase=phase.name.lower", ("*view", VIEW), "new running workers seconds~3 rate~3 seconds_left~1 lost"
)
FIND = JsonShape("fill=rows grid? themers mean_score lowest_score words blocks")
_INPUT = JsonShape("input=title tasks done", _states, "best_mean_score=best_mean best_lowest_score=best_lowest")


def _state_words(view: BatchView | SubjectView) -> Sequence[str]:
    return [f"{count:,} {state}" for state, count in _states(view)["states"].items()]


def _scores(one: RankedFind) -> str:
    find = one.find
    return "no scores" if find.mean_score is None else f"mean {find.mean_score:.1f}, lowest {find.lowest_score}"


def _subject_words(kind: BatchKind, one: SubjectView) -> str:
    parts = [f"{one.done:,} of {one.tasks:,}", *_state_words(one)]
    if one.best_mean is not None:
        parts.append(f"best mean {one.best_mean:.1f}, best lowest {one.best_lowest}")
    logs = [figures["log10"] for figures in one.figures if figures.get("log10") is not None]
    exact = next((figures["exact"] for figures in one.figures if figures.get("exact")), None)
    if kind is BatchKind.COUNT and exact is not None:
        parts.append(f"exactly {counted(int(exact), 'fill')}")
        parts += dict.fromkeys(figures["untried"] for figures in one.figures if "untried" in figures)
    elif kind is BatchKind.COUNT and logs:
        parts.append(f"about 10^{sum(logs) / len(logs):.1f} fills, from 10^{min(logs):.1f} to 10^{max(logs):.1f}")
    return f"  {one.title}: {', '.join(parts)}"


def _print(lines: Sequence[str]) -> None:
    print("\n".join(printable_lines(lines)))


_MOST_FILE_BYTES = 1 << 20
_BETWEEN_ANSWERS = lazy_pattern(r"[\s,;]+")


@dataclass(frozen=True)
class BatchInputs:
    """The inputs of a batch: a task is made for each subject, settings and seed."""

    words: tuple[PackedWords, ...]
    subjects: tuple[Subject, ...]
    settings: tuple[TaskSettings, ...]


def read_inputs(kind: BatchKind, options: Mapping[str, Any]) -> BatchInputs:
    """Read the inputs of a command line; raises XwtuiError if one is invalid, BatchError if there are none."""
    words = _Words(options)
    if kind.is_about_puzzles:
        subjects = tuple(_puzzle_subjects(options["inputs"], words))
    else:
        subjects = tuple(_theme_subjects(options, words))
    if not subjects:
        raise BatchError(BatchRefusal.NO_INPUT, "there is nothing to do: the inputs have no puzzles or themes")
    seconds, repeats = options["seconds"], options.get("allow_repeats", False)
    settings = [TaskSettings(seconds, repeats, first=options.get("first", False))]
    if kind is BatchKind.DESIGN:
        settings = [TaskSettings(seconds, count=options["count"])]
    elif kind is BatchKind.RACE:
        settings = [TaskSettings(seconds, repeats, str(one)) for one in read_entrants(options["strategies"])]
    return BatchInputs(tuple(words.packed.values()), subjects, tuple(settings))


class _Words:
    """Words of puzzles, with each vocabulary packed once."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Take the command's word options; raises WordListError for an unknown alphabet."""
        self.packed: dict[tuple[str, ...], PackedWords] = {}
        self._alphabet = find_alphabet(options["alphabet"]) if options["alphabet"] else None
        self._overrides = Overrides(options["lists"], options["minimum_score"], options["is_graded"])
        self._kept: list[Vocabulary] = []

    def read(self, puzzle: Puzzle) -> Puzzle:
        return puzzle if self._alphabet is None else set_alphabet(puzzle, self._alphabet)

    def digest(self, puzzle: Puzzle, path: Path | None) -> str:
        """Load a puzzle's words, and return their digest; raises WordListError."""
        vocabulary = VocabularyRequest.of(puzzle, path, self._overrides).load()
        own = (f"{name} {lexicon.fingerprint}" for name, lexicon in sorted(vocabulary.own_lists.items()))
        key = (vocabulary.lexicon.fingerprint, *own)
        if key not in self.packed:
            for warning in vocabulary.warnings:
                warn(warning)
            self._kept.append(vocabulary)  # while it exists, other puzzles with the same words share it
            self.packed[key] = pack_words(vocabulary)
        return self.packed[key].digest


def _puzzle_subjects(inputs: Sequence[Path], words: _Words) -> Iterator[Subject]:
    suffixes = set(suffixes_to_read()) - {".md"}
    files = (sorted(files_below(one, suffixes)) if one.is_dir() else [one] for one in inputs)
    for path in dict.fromkeys(file for each in files for file in each):
        puzzle = words.read(read_source(str(path), ReadOptions()).puzzle)
        try:
            digest = words.digest(puzzle, path)
        except WordListError as error:
            raise WordListError(f"{printable(str(path), 200)}: {error}") from None
        yield Subject(str(path), fill_problem_text(puzzle), digest, puzzle_text(puzzle))


def _theme_subjects(options: Mapping[str, Any], words: _Words) -> Iterator[Subject]:
    layout_options = LayoutOptions(**{name: options[name] for name in LayoutOptions._fields})
    layout = layout_options.wanted()
    some_puzzle = words.read(Puzzle.blank(3, 3))
    digest, (ways, *else_ways) = words.digest(some_puzzle, None), ways_of(options["direction"])
    for path in options["inputs"]:
        for title, themers in _theme_lines(path, options, some_puzzle.alphabet):
            wanted = DesignWanted(
                themers,
                layout,
                choose=options["choose"],
                directions=ways,
                fallback_directions=tuple(else_ways),
                count=options["count"],
            )
            suited = wanted.suited() if layout_options.symmetry is None else wanted
            yield Subject(title, design_text(suited), digest)


def _theme_lines(
    path: Path, options: Mapping[str, Any], alphabet: Alphabet
) -> Iterator[tuple[str, tuple[Themer, ...]]]:
    """Yield the name and theme answers of each line; raises BatchError, VerbError and WordListError."""
    named = printable(str(path), 200)
    try:
        data = read_at_most(path, _MOST_FILE_BYTES + 1)
        lines = data.decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = reason_of(error) if isinstance(error, OSError) else "it is not text"
        raise BatchError(BatchRefusal.NO_INPUT, f"{named} cannot be read: {why}") from error
    if len(data) > _MOST_FILE_BYTES:
        raise BatchError(BatchRefusal.NO_INPUT, f"{named} is too large for a list of theme answers")
    for number, line in enumerate(lines, start=1):
        written = [word for word in _BETWEEN_ANSWERS.split(line.partition("#")[0]) if word]
        try:
            plain = [replace(read_themer(one.rstrip("!"), alphabet), is_last=one.endswith("!")) for one in written]
            themers = ThemeOptions(None, options["rebus"], options["pairs"], None, None).applied(plain, alphabet)
        except XwtuiError as error:
            raise WordListError(f"{named}, line {number}: {error}") from None
        if themers:
            yield f"{path}:{number} {' '.join(written)}", themers
