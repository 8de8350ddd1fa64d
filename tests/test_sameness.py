"""The same seed gives the same fill on every face, and also for `--first`."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import xwtui
from tests.batch.batches import HerePool
from tests.shell.process import user_folders
from tests.shell.process import xwtui as shell
from xwtui.batch.run import run_batch
from xwtui.batch.shared_search import fill_first
from xwtui.batch.store import BatchStore
from xwtui.batch.tasks import BatchKind
from xwtui.engine.budget import Budget
from xwtui.engine.improve import improver
from xwtui.formats.grid_text import grid_to_text
from xwtui.model import Puzzle
from xwtui.model.edits import write_fill
from xwtui.resources import puzzles_folder
from xwtui.session.jobs.fills.kept_fills import current_contents
from xwtui.shell import batch_commands

TEMPLATE = puzzles_folder() / "templates" / "15x15-07.txt"
SEED = 3
PARTS = {"layout", "first_fill", "better_words"}


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mapping[str, str]:
    folders = user_folders(tmp_path / "home")
    for name in ("STATE", "CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", folders[f"XDG_{name}_HOME"])
    return folders


def rows_of(puzzle: Puzzle) -> list[str]:
    return grid_to_text(puzzle.grid).splitlines()


def by_shell(environment: Mapping[str, str], *more: str) -> dict[str, Any]:
    done = shell("fill", TEMPLATE, "--seed", str(SEED), *more, "--json", environment=environment)
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def by_lines(environment: Mapping[str, str], folder: Path, face: str, more: str) -> list[str]:
    target = folder / f"{face}.ipuz"
    lines = f"open {TEMPLATE}\nfill --seed {SEED} {more}\nsave {target}\nquit\n"
    script = folder / "lines.xw"
    script.write_text(lines)
    given = ["run", script] if face == "run" else ["repl"]
    done = shell(*given, environment=environment, stdin=lines)
    assert done.returncode == 0, done.stderr
    return rows_of(xwtui.open_puzzle(target))


def by_batch(folder: Path, *, first: bool) -> tuple[list[str], dict[str, Any]]:
    options = {
        "inputs": (TEMPLATE,),
        "alphabet": "",
        "lists": (),
        "minimum_score": None,
        "is_graded": False,
        "seconds": 600.0,
        "allow_repeats": False,
        "first": first,
    }
    inputs = batch_commands.read_inputs(BatchKind.FILL, options)
    told: list[dict[str, Any]] = []
    with BatchStore.begin(folder / "run.sqlite", BatchKind.FILL) as store:
        store.add(inputs.words, inputs.subjects, [SEED], inputs.settings)
        run_batch(store, HerePool(), on_result=lambda _, result: told.append(dict(result.figures)))
        [best] = store.best(9)
    return list(best.find.rows), told[0]


def by_cluster(puzzle: Puzzle, *, first: bool) -> list[str]:
    problem = xwtui.problem_of(puzzle)
    result = fill_first(problem.task, HerePool(), Budget(seed=SEED), first_only=first)
    assert result.figures["seed"] == SEED
    return rows_of(write_fill(puzzle, result.finds[0].squares))


@pytest.mark.parametrize("first", [False, True])
def test_every_face_makes_the_same_fill(first: bool, environment: Mapping[str, str], tmp_path: Path) -> None:
    puzzle = xwtui.open_puzzle(TEMPLATE)
    more = ("--first",) if first else ()
    alone, together = (
        by_shell(environment, *more, "--threads", "1"),
        by_shell(environment, *more, "--threads", "2"),
    )
    assert alone["seconds"].keys() >= PARTS
    assert (alone["seconds"]["better_words"] == 0) is first
    wanted = alone["grid"]
    made = xwtui.fill(puzzle, seed=SEED, first=first)
    batch, figures = by_batch(tmp_path, first=first)
    assert figures["seconds"].keys() == made.seconds._asdict().keys() == PARTS
    assert (made.seconds.better_words == figures["seconds"]["better_words"] == 0) is first
    assert {
        "two threads": together["grid"],
        "api": rows_of(made.puzzle),
        "batch": batch,
        "cluster": by_cluster(puzzle, first=first),
        "script": by_lines(environment, tmp_path, "run", " ".join(more)),
        "repl": by_lines(environment, tmp_path, "repl", " ".join(more)),
    } == dict.fromkeys(("two threads", "api", "batch", "cluster", "script", "repl"), wanted)


def test_a_plain_fill_scores_better_than_the_first_found(environment: Mapping[str, str]) -> None:
    plain, first = by_shell(environment), by_shell(environment, "--first")
    assert (plain["mean_score"], plain["lowest_score"]) > (first["mean_score"], first["lowest_score"])


def test_improving_words_does_not_depend_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock a thousand times faster the result is the same, unless a time limit ends it."""
    puzzle = xwtui.open_puzzle(TEMPLATE)
    problem = xwtui.problem_of(puzzle)
    squares = current_contents(xwtui.fill(puzzle, seed=SEED, first=True).puzzle.grid)
    usual = improver.with_better_words(problem, squares, Budget(seed=SEED))
    ticks = iter(range(0, 10**9, 1000))
    monkeypatch.setattr("xwtui.engine.budget.perf_counter", lambda: float(next(ticks)))
    assert improver.with_better_words(problem, squares, Budget(seed=SEED)) == usual != squares
    assert improver.with_better_words(problem, squares, Budget(1.0, seed=SEED)) == squares


def test_first_cannot_be_combined_with_other_kinds_of_fill(environment: Mapping[str, str]) -> None:
    refused = shell("fill", TEMPLATE, "--first", "--best", environment=environment)
    assert (refused.returncode, "--first" in refused.stderr) == (2, True)
