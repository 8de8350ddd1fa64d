"""`xwtui batch`: output, files and errors; tasks run in this process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

import pytest

from tests.batch.batches import HerePool
from tests.examples import is_deep
from tests.interrupting import with_signals
from tests.shell.conftest import Run
from tests.shell.process import command, xwtui
from xwtui import __version__
from xwtui.batch.pool import LeftOut
from xwtui.batch.store import BatchStore
from xwtui.batch.subjects import read_design_text
from xwtui.batch.tasks import BatchKind, TaskState
from xwtui.formats.registry import read_puzzle
from xwtui.model import Direction, Ink, Position
from xwtui.plugins import install_hint

WORDS = "ABC;50\nDEF;60\nGHI;70\nADG;80\nBEH;40\nCFI;30\nABX;20\nCAB;10\n"
ROWS = (["ABC", "DEF", "GHI"], ["ADG", "BEH", "CFI"])


class HereInsteadOfDask(HerePool):
    """Replaces Dask's pool."""

    def __init__(
        self,
        kind: BatchKind,
        *,
        workers: int | None = None,
        address: str | None = None,
        left_out: Callable[[LeftOut], object] = lambda _: None,
    ) -> None:
        super().__init__()
        if address is not None:
            left_out(LeftOut(address, ""))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xwtui.batch.dask_pool.check_dask", lambda: None)
    monkeypatch.setattr("xwtui.batch.dask_pool.DaskPool", HereInsteadOfDask)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("words.txt", WORDS), ("blank.txt", "...\n...\n...\n"), ("stuck.txt", "X..\n...\n...\n")):
        (tmp_path / name).write_text(text)
    return tmp_path


NINE = ("--words", "words.txt", "--min-score", "0")


def run(folder: Path, environment: Mapping[str, str], *arguments: str) -> tuple[int, str, str]:
    done = xwtui("batch", *arguments, environment=environment, folder=folder)
    return done.returncode, done.stdout, done.stderr


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_each_result_is_a_line_of_json(folder: Path, environment: Mapping[str, str]) -> None:
    arguments = ("fill", "blank.txt", "stuck.txt", *NINE, "--seeds", "2", "--db", "run.sqlite", "--json")
    status, out, _ = run(folder, environment, *arguments)
    *results, end = lines_of(out)
    assert status == 0
    assert end["status"] == "done"
    assert end["states"] == {"found": 2, "impossible": 2}
    assert [(one["input"], one["seed"], one["state"]) for one in results] == [
        ("blank.txt", 0, "found"),
        ("stuck.txt", 0, "impossible"),
        ("blank.txt", 1, "found"),
        ("stuck.txt", 1, "impossible"),
    ]
    assert results[0]["finds"][0]["fill"] in ROWS
    best = json.loads(run(folder, environment, "best", "run.sqlite", "--json")[1])["best"][0]
    assert {key: best.pop(key) for key in ("input", "seed")} == {"input": "blank.txt", "seed": 0}
    assert best in [one for result in results for one in result["finds"]]
    status, out, _ = run(folder, environment, *arguments)
    [end] = lines_of(out)
    assert (status, end["done"]) == (0, 4)


def test_an_excluded_worker_is_named(folder: Path, environment: Mapping[str, str]) -> None:
    arguments = ("fill", "blank.txt", *NINE, "--db", "run.sqlite", "--scheduler", "tcp://there:1")
    status, out, err = run(folder, environment, *arguments)
    told = f"the worker tcp://there:1 has no xwtui, but xwtui is {__version__} here, so it gets no tasks"
    assert (status, out.split(";")[0], err) == (0, "fill: 1 of 1 tasks done, 1 found", f"xwtui: {told}\n")


def test_a_lost_scheduler_is_reported_once_with_how_to_continue(
    folder: Path, environment: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter([*[True] * 2, *[False] * 9])
    monkeypatch.setattr(HereInsteadOfDask, "is_connected", property(lambda _: next(looks, True)))
    _, out, err = run(folder, environment, "fill", "blank.txt", *NINE, "--seeds", "3", "--db", "run.sqlite")
    assert out.startswith("fill: 3 of 3 tasks done")
    assert len(err.splitlines()) == 1
    assert err.startswith("xwtui: the scheduler is gone; ")
    assert "`xwtui batch resume run.sqlite` continues" in err


def test_a_batch_is_shown_and_its_best_results_written(folder: Path, environment: Mapping[str, str]) -> None:
    status, out, _ = run(folder, environment, "fill", "blank.txt", *NINE, "--db", "run.sqlite")
    told, work = out.split("; ")
    assert (status, told, work.endswith("s of work\n")) == (0, "fill: 1 of 1 tasks done, 1 found", True)
    status, out, _ = run(folder, environment, "show", "run.sqlite")
    assert status == 0
    assert "blank.txt: 1 of 1, 1 found, best mean 55.0, best lowest 30" in out
    status, out, _ = run(folder, environment, "best", "run.sqlite", "--json")
    assert json.loads(out)["best"][0]["fill"] in ROWS
    status, out, _ = run(folder, environment, "best", "run.sqlite")
    assert "1  mean 55.0, lowest 30, seed 0: blank.txt" in out
    assert run(folder, environment, "export", "run.sqlite", "-o", "best")[:2] == (0, "1 puzzle written to best\n")
    assert read_puzzle(folder / "best" / "best-001.ipuz").grid.is_filled
    status, _, error = run(folder, environment, "export", "run.sqlite", "-o", "best")
    assert status == 2
    assert "best-001.ipuz already exists: choose another name, or --force overwrites it" in error
    assert run(folder, environment, "export", "run.sqlite", "-o", "best", "--force")[0] == 0
    status, _, error = run(folder, environment, "export", "run.sqlite", "-o", "no/best")
    assert (status, "there is no folder" in error, (folder / "no").exists()) == (2, True, False)


def test_the_status_depends_on_the_results(folder: Path, environment: Mapping[str, str]) -> None:
    assert run(folder, environment, "fill", "stuck.txt", *NINE, "--db", "stuck.sqlite")[0] == 1
    assert run(folder, environment, "best", "stuck.sqlite")[:2] == (3, "nothing found yet\n")
    status, _, error = run(folder, environment)
    assert (status, error[:24], "`xwtui batch --help`" in error) == (2, "xwtui: batch needs fill,", True)
    assert run(folder, environment, "show", "none.sqlite") == (2, "", "xwtui: there is no batch none.sqlite\n")


def test_counts_and_races_are_shown(folder: Path, environment: Mapping[str, str]) -> None:
    assert run(folder, environment, "count", "blank.txt", *NINE, "--db", "count.sqlite")[0] == 0
    out = run(folder, environment, "show", "count.sqlite")[1]
    assert out.splitlines()[1] == "  blank.txt: 1 of 1, 1 found, exactly 2 fills"
    for arguments in (("best", "count.sqlite"), ("export", "count.sqlite", "-o", "best")):
        told = "xwtui: count.sqlite has counts, not fills: `batch show` lists them\n"
        assert run(folder, environment, *arguments) == (2, "", told)
    race = ("race", "blank.txt", *NINE, "--strategies", "emogic-letters,trie", "--db", "race.sqlite")
    _, out, _ = run(folder, environment, *race, "--json")
    *results, end = lines_of(out)
    assert [one["strategy"] for one in results] == ["emogic-letters", "trie"]
    assert end["states"] == {"found": 2}


def test_inputs_may_be_folders(folder: Path, environment: Mapping[str, str]) -> None:
    grids = folder / "grids"
    grids.mkdir()
    for name in ("a.txt", "b.txt"):
        (grids / name).write_text("...\n...\n...\n")
    (grids / "b.txt").write_text("A..\n...\n...\n")
    status, out, _ = run(folder, environment, "fill", "grids", *NINE, "--db", "run.sqlite", "--json")
    assert [one["input"] for one in lines_of(out)[:-1]] == ["grids/a.txt", "grids/b.txt"]
    (folder / "empty").mkdir()
    status, _, err = run(folder, environment, "fill", "empty", *NINE, "--db", "run.sqlite")
    assert (status, "nothing to do" in err) == (2, True)


def test_a_fill_can_run_on_a_cluster(run: Run, folder: Path) -> None:
    for name, expected in (("blank.txt", 0), ("stuck.txt", 1)):
        done = run("fill", name, *NINE, "--scheduler", "here", "--json", folder=folder)
        found = json.loads(done.stdout)
        assert done.returncode == expected
        assert found["status"] == ("filled", "impossible")[expected]
        assert expected or found["grid"] in ROWS
    done = run("fill", "blank.txt", *NINE, "--scheduler", "here", "--partial", folder=folder)
    assert (done.returncode, "whole grid" in done.stderr) == (2, True)


def test_a_fill_can_be_improved_on_a_cluster(run: Run, folder: Path) -> None:
    (folder / "better.txt").write_text(WORDS.replace("DEF;60", "DEF;60\nXYX;99\nYXY;99"))
    asked = ("improve", "blank.txt", "--words", "better.txt", "--min-score", "0", "--allow-repeats")
    done = run(*asked, "--scheduler", "here", "--json", folder=folder)
    found = json.loads(done.stdout)
    assert (done.returncode, found["proved"], found["lowest_score"]) == (0, True, 99)
    assert set(found["grid"]) == {"XYX", "YXY"}
    done = run(*asked, "--scheduler", "here", "--only", "1A", folder=folder)
    assert (done.returncode, "whole grid" in done.stderr) == (2, True)


def test_theme_answers_are_parsed_as_for_design(folder: Path, environment: Mapping[str, str]) -> None:
    (folder / "themes.txt").write_text("r4c1=LOCATIONS 60A=SCATTERED\nEDUCATION VACATIONS! S[HEART]S\n")
    options = ("--rebus", "CAT", "--direction", "across", "--min-words", "74", "--time", "0.001")
    run(folder, environment, "design", "themes.txt", *NINE, *options, "--db", "run.sqlite")
    with BatchStore.open(folder / "run.sqlite", is_written=True) as store:
        store.forget(TaskState)
        titles = {store.title_of(task): read_design_text(task.asked, 1) for task in store.waiting()}
    assert sorted(titles) == [
        "themes.txt:1 r4c1=LOCATIONS 60A=SCATTERED",
        "themes.txt:2 EDUCATION VACATIONS! S[HEART]S",
    ]
    first, second = (titles[title] for title in sorted(titles))
    assert [(one.start, one.number) for one in first.themers] == [(Position(3, 0), None), (None, 60)]
    assert first.themers[0].contents == ("L", "O", "CAT", "I", "O", "N", "S")
    assert [one.is_last for one in second.themers] == [False, True, False]
    assert (first.directions, first.fallback_directions) == ((Direction.ACROSS,), ())
    assert first.layout.fewest_words == 74


def test_pairs_of_theme_answers_are_read_line_by_line(folder: Path, environment: Mapping[str, str]) -> None:
    (folder / "themes.txt").write_text("LION BEAR\nLION HORSES\n")
    status, _, err = run(folder, environment, "design", "themes.txt", *NINE, "--pairs", "--db", "run.sqlite")
    assert (status, "line 2" in err, "the two answers of a pair must be equally long" in err) == (2, True, True)


@pytest.mark.parametrize(
    ("text", "told"), [("LION\nHEART HE[AR\n", "line 2"), ("# none\n\n", "nothing to do"), ("\xff", "not text")]
)
def test_invalid_theme_answers_are_reported(
    text: str, told: str, folder: Path, environment: Mapping[str, str]
) -> None:
    (folder / "themes.txt").write_bytes(text.encode("latin-1") if text == "\xff" else text.encode())
    status, _, err = run(folder, environment, "design", "themes.txt", *NINE, "--db", "run.sqlite")
    assert status == 2
    assert told in err
    assert not (folder / "run.sqlite").exists()


def test_a_missing_dask_names_its_extra(
    folder: Path, environment: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "distributed", None)
    status, out, err = run(folder, environment, "fill", "blank.txt", *NINE, "--db", "run.sqlite", "--json")
    assert (status, err) == (2, f"xwtui: a batch needs Dask, which is not installed: {install_hint('cluster')}\n")
    assert json.loads(out)["status"] == "error"
    assert not (folder / "run.sqlite").exists()


def test_designs_are_written_with_their_answers_locked(folder: Path, environment: Mapping[str, str]) -> None:
    (folder / "themes.txt").write_text("HEARTTOHEARTS, CONGRATULATIONS UNFORGETTABLE  # a set\n")
    _, out, _ = run(folder, environment, "design", "themes.txt", "--time", "1", "--db", "run.sqlite", "--json")
    result, end = lines_of(out)
    assert result["state"] in ("found", "unknown"), result["reason"]  # a busy machine may find none in a second
    assert end["layouts"] == len(result["finds"])
    if result["finds"]:
        run(folder, environment, "export", "run.sqlite", "-o", "best", "--count", "1")
        grid = read_puzzle(folder / "best" / "best-001.ipuz").grid
        inks = {grid.answer(slot): {grid[at].ink for at in slot.positions} for slot in grid.slots}
        assert grid.is_filled
        assert all(inks[one] == {Ink.LOCKED} for one in ("HEARTTOHEARTS", "CONGRATULATIONS", "UNFORGETTABLE"))


@pytest.mark.skipif(not is_deep(), reason="takes a minute: make test-deep")
def test_a_killed_client_can_be_resumed(folder: Path, environment: Mapping[str, str]) -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    arguments = ("batch", "fill", "blank.txt", *NINE, "--seeds", "60", "--db", "run.sqlite", "--json")
    seen: list[str] = []
    for kills in range(3):
        resumed = command("batch", "resume", "run.sqlite", "--json")
        with subprocess.Popen(
            resumed if kills else command(*arguments),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(environment),
            cwd=folder,
            text=True,
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                seen.append(json.loads(line).get("task", ""))
                if len(seen) % 15 == 0 and kills < 2:
                    os.kill(process.pid, signal.SIGKILL)
                    break
    tasks = [task for task in seen if task]
    end = json.loads(run(folder, environment, "show", "run.sqlite", "--json")[1])
    assert end["done"] == end["tasks"] == end["finds"] == 60
    assert len(tasks) == len(set(tasks)) <= 60


@pytest.mark.skipif(not is_deep(), reason="takes half a minute: make test-deep")
def test_ctrl_c_reaches_only_the_command(folder: Path, environment: Mapping[str, str]) -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    arguments = ("batch", "fill", "blank.txt", *NINE, "--seeds", "5000", "--db", "run.sqlite", "--json")
    with subprocess.Popen(
        with_signals(command(*arguments)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(environment),
        cwd=folder,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == 130
    assert err == "xwtui: stopped by Ctrl+C: `xwtui batch resume run.sqlite` continues\n"
    end = lines_of(out)[-1]
    assert (end["status"], end["done"]) == ("cancelled", len(lines_of(out)))
