"""Verbs as commands, modules loaded and messages shown at startup, and compiling the engine ahead of time."""

import inspect
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from tests.shell.conftest import Run
from tests.shell.process import PATIENCE
from xwtui.engine.candidates.options import slot_options
from xwtui.engine.events.event import Outcome
from xwtui.engine.kernels.compiler import compiled
from xwtui.engine.kernels.compiler.cache_folder import CacheFault, CacheRefusal, KernelCache
from xwtui.engine.loading_step import EnginePart, LoadingStage, LoadingStep
from xwtui.interrupts import Exit
from xwtui.resources import puzzles_folder
from xwtui.session.answers import VerbAnswer
from xwtui.session.jobs.answer_job import ProblemReporter
from xwtui.session.jobs.engine_loader import EngineLoader
from xwtui.session.jobs.scheduler import Scheduler
from xwtui.session.messages import EnginePhase, EngineState
from xwtui.session.session import Session
from xwtui.session.verbs.kinds import ENTRY, HERE, WORD, Place
from xwtui.session.verbs.registry import VERBS
from xwtui.session.verbs.verb import Answer, FromShell, Group, Needs, Reply, VerbBook, argument
from xwtui.shell.progress import ProgressReporter
from xwtui.shell.root import Shell, shell
from xwtui.shell.verb_commands import HOMES, add_verbs


class CornerAnswer(VerbAnswer):
    """Number of words for each entry in the corner."""

    options: Mapping[str, int]

    @property
    def lines(self) -> Sequence[str]:
        return [f"{name}: {number}" for name, number in self.options.items()]

    @property
    def as_json(self) -> dict[str, Any]:
        return {"corner": dict(self.options)}

    @property
    def verdict(self) -> Outcome:
        return Outcome.FILLED if all(self.options.values()) else Outcome.IMPOSSIBLE


@pytest.fixture
def group() -> click.Group:
    """Commands that include two new verbs: one answers immediately, the other runs a job."""
    book = VerbBook()

    @book.verb(group=Group.REVIEW, from_shell=FromShell({"names": "1D"}))
    def corner(session: Session, names: tuple[str, ...] = argument("entries", WORD)) -> Answer:
        """Count the words of entries in the corner."""

        def work(reporter: ProblemReporter) -> VerbAnswer:
            options = slot_options(reporter.problem)
            reporter.report(CornerAnswer({"1A": options["1A"].after_propagation}))
            return CornerAnswer({name: options[name].after_propagation for name in ("1A", *names)})

        session.jobs.answer.start(work)
        return Reply(started=True, answer=session.jobs.answer.answer)

    @book.verb(group=Group.REVIEW, from_shell=FromShell(needs=Needs.NOTHING))
    def length(session: Session, entry: Place = argument("entry", ENTRY, default=HERE)) -> Answer:
        """Tell how long an entry is."""
        return f"{entry} in {session.puzzle.grid.width} columns" if isinstance(entry, str) else "an entry"

    made = Shell()
    add_verbs(made, book.verbs)
    return made


def test_a_new_verb_is_a_command_with_json(group: click.Group, mini: Path) -> None:
    done = CliRunner().invoke(group, ["length", str(mini), "1a", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == {"schema": 1, "lines": ["an entry"]}


def test_a_new_verb_with_a_job_has_json_words_status_and_progress(
    group: click.Group, mini: Path, words: Path
) -> None:
    asked = ["corner", str(mini), "--words", str(words)]
    done = CliRunner().invoke(group, [*asked, "--json", "--progress", "json"])
    assert json.loads(done.stdout) == {"schema": 1, "corner": {"1A": 1, "1D": 1}}
    events = [json.loads(line) for line in done.stderr.splitlines()]
    told = [(one["text"], one["last"]) for one in events if one["event"] == "answer"]
    assert told == [("1A: 1", False), ("1A: 1", True)]
    done = CliRunner().invoke(group, [*asked, "--do", "set 1D AXX"])
    assert (done.stdout, done.exit_code) == ("1A: 0\n1D: 0\n", Exit.IMPOSSIBLE)


def test_arguments_that_default_to_the_cursor_are_required(group: click.Group, mini: Path) -> None:
    done = CliRunner().invoke(group, ["length", str(mini)])
    assert done.exit_code == 2
    assert "ENTRY" in done.output


def test_every_shell_verb_has_json() -> None:
    for verb in VERBS.values():
        for name in verb.from_shell.names or (verb.name,) if verb.from_shell is not None else ():
            command: click.Command = shell
            for word in name.split():
                assert isinstance(command, click.Group)
                found = command.get_command(click.Context(command), word)
                assert found is not None, name
                command = found
            assert any("--json" in param.opts for param in command.params), name


def test_progress_as_json_is_one_object_per_line(run: Run, mini: Path, words: Path) -> None:
    asked = ("fill", mini, "--words", words, "--progress", "json", "--json")
    done = run(*asked, status=0)
    events = [json.loads(line) for line in done.stderr.splitlines()]
    assert events[-1]["event"] == "ended"
    assert events[-1]["status"] == "filled"
    assert {event["schema"] for event in events} == {1}
    assert json.loads(done.stdout)["grid"] == ["ABC", "DEF", "GHI"]


def test_progress_of_a_run_has_its_counters(run: Run, mini: Path, words: Path) -> None:
    asked = ("improve", mini, "--words", words, "--time", "60", "--progress", "json", "--json")
    events = [json.loads(line) for line in run(*asked).stderr.splitlines()]
    told = [event for event in events if event["event"] in ("search", "ended")]
    assert {"value", "bound", "mean_score", "lowest_score", "rounds"} <= set(told[-1])
    assert not any("nodes" in event for event in told)


@pytest.mark.parametrize(
    ("state", "phase", "part"),
    [
        (EngineState(EnginePhase.LOADING), "loading", None),
        (
            EngineState(EnginePhase.READY, LoadingStep(EnginePart.IMPROVING, LoadingStage.COMPILING)),
            "compiling",
            "improving",
        ),
        (
            EngineState(EnginePhase.COMPILING, LoadingStep(EnginePart.SEARCH, LoadingStage.WAITING)),
            "waiting",
            "search",
        ),
        (EngineState(EnginePhase.READY), "ready", None),
    ],
)
def test_an_engine_being_compiled_is_not_called_ready(
    capsys: pytest.CaptureFixture[str], state: EngineState, phase: str, part: str | None
) -> None:
    ProgressReporter(is_json=True).receive(state)
    told = json.loads(capsys.readouterr().err)
    assert (told["phase"], told["part"]) == (phase, part)


def test_the_engine_can_be_compiled_ahead_of_time(run: Run) -> None:
    found = json.loads(run("warmup", "--json", status=0).stdout)
    assert (found["schema"], found["status"]) == (1, "ready")
    assert run("warmup").stdout.startswith("the engine is ready after ")


def test_figures_as_json(run: Run, mini: Path, words: Path) -> None:
    found = json.loads(run("stats", mini, "--words", words, "--json", status=0).stdout)
    assert (found["schema"], found["entries"], found["filled_entries"]) == (1, 6, 1)


@pytest.mark.parametrize("doubt", [None, *CacheFault])
def test_an_unused_cache_is_reported_in_one_line(
    doubt: CacheFault | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    refusal = doubt and CacheRefusal(doubt, tmp_path, tmp_path)
    monkeypatch.setattr(compiled, "kernel_cache", lambda: KernelCache(None if refusal else tmp_path, refusal))
    monkeypatch.setattr(compiled, "JIT", True)
    monkeypatch.setattr(compiled, "is_self_check_pending", lambda: False)
    monkeypatch.setattr("xwtui.engine.warmup.warm_up", lambda *_, **__: 0.0)
    monkeypatch.setattr("xwtui.engine.warmup.first_start_step", lambda: None)
    EngineLoader(ProgressReporter(is_json=False).receive, Scheduler(), looks_ahead=False).wait(lambda: False)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == (f"xwtui: {refusal}\n" if refusal else "")


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_first_start_announces_compiling_before_the_compiler_check(
    is_kept: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    told: list[str] = []
    monkeypatch.setattr(compiled, "kernel_cache", lambda: KernelCache(tmp_path if is_kept else None))
    monkeypatch.setattr(compiled, "JIT", True)
    monkeypatch.setattr("xwtui.engine.warmup.cache_refusal", lambda: told.append(capsys.readouterr().err))
    monkeypatch.setattr("xwtui.engine.warmup.warm_up", lambda *_, **__: 0.0)
    EngineLoader(ProgressReporter(is_json=False).receive, Scheduler(), looks_ahead=False).wait(lambda: False)
    once = ", only once on this machine" if is_kept else ""
    assert told == [f"xwtui: compiling the fill engine{once}; all of the engine takes about half a minute\n"]


@pytest.mark.parametrize("is_json", [False, True])
def test_without_a_terminal_compiling_is_announced_once(is_json: bool, capsys: pytest.CaptureFixture[str]) -> None:
    reporter = ProgressReporter(is_json=is_json)
    for part in (EnginePart.SEARCH, EnginePart.COUNTING):
        for stage in (LoadingStage.LOADING, LoadingStage.COMPILING, LoadingStage.COMPILING):
            reporter.receive(EngineState(EnginePhase.COMPILING, LoadingStep(part, stage, is_kept=True)))
    told = capsys.readouterr().err
    if is_json:
        assert len(told.splitlines()) == 6
    else:
        assert told == (
            "xwtui: compiling the fill engine, only once on this machine; "
            "all of the engine takes about half a minute\n"
        )


OF_FORMATS = ("PIL", "anyascii", "defusedxml", "lxml", "puz", "pypuz", "reportlab")
"""Modules needed by single formats, loaded by a file in that format."""

HEAVY = ("numba", "numpy", "sqlite3", "textual", "prompt_toolkit", *OF_FORMATS)
OF_VERBS_WORK = (
    "xwtui.clues",
    "xwtui.strategies",
    "xwtui.formats",
    "xwtui.batch.races.task",
    "xwtui.session.fill_answer",
    "xwtui.session.jobs",
    "xwtui.session.messages",
    "xwtui.session.session",
    "xwtui.session.wording",
)
"""Modules that do the verbs' work, not needed to declare them."""
OF_NO_PLAIN_FILL = (
    "getpass",
    "gzip",
    "statistics",
    "textual",
    "typing_extensions",
    "xwtui.clues",
    "xwtui.engine.count.estimate",
    "xwtui.engine.events.timeline",
    "xwtui.formats.trace",
    "xwtui.grids",
    "xwtui.model.block_changes",
    "xwtui.session.jobs.fills.argued",
    "xwtui.session.jobs.question",
    "xwtui.session.list_making",
    "xwtui.session.recording",
    "xwtui.session.recovery",
    "xwtui.session.search_text",
    "xwtui.session.verbs.registry",
    "xwtui.shell.batch_commands",
    "xwtui.shell.commands",
    "xwtui.strategies.registry",
    *OF_FORMATS,
)
"""Modules that slow a start, and that a plain fill never needs unless it is watched or argued with."""

_PROBE = """
import sys
try:
    {statement}
except SystemExit:
    pass
print("LOADED", *sorted(set({heavy!r}) & sys.modules.keys()))
"""


def loaded_by(statement: str, environment: Mapping[str, str], heavy: tuple[str, ...] = HEAVY) -> list[str]:
    program = _PROBE.format(statement=statement, heavy=heavy)
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=dict(environment),
        timeout=PATIENCE,
        check=True,
    )
    return done.stdout.splitlines()[-1].split()[1:]


def loaded_by_start(*arguments: str, environment: Mapping[str, str], heavy: tuple[str, ...]) -> list[str]:
    return loaded_by(f"from xwtui.start import shell; shell.main({arguments!r}, 'xwtui')", environment, heavy)


def test_the_probe_detects_loaded_modules(environment: Mapping[str, str]) -> None:
    assert loaded_by("import numpy", environment) == ["numpy"]


@pytest.mark.parametrize("line", ["--help", "--version", "fill --help", "fill", "--wrong"])
def test_help_and_usage_errors_load_nothing_heavy(line: str, environment: Mapping[str, str]) -> None:
    heavy = HEAVY if line in ("fill", "--wrong") else (*HEAVY, *OF_VERBS_WORK)
    assert loaded_by_start(*line.split(), environment=environment, heavy=heavy) == []


@pytest.mark.parametrize("heavy", [OF_VERBS_WORK, OF_NO_PLAIN_FILL])
def test_names_of_unwanted_modules_exist(heavy: tuple[str, ...], environment: Mapping[str, str]) -> None:
    statement = f"import importlib; [importlib.import_module(name) for name in {heavy!r}]"
    assert loaded_by(statement, environment, heavy) == sorted(heavy)


def test_a_plain_fill_loads_only_what_it_needs(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    loaded = partial(
        loaded_by_start, "fill", str(mini), "--words", str(words), "--threads", "2", environment=environment
    )
    assert loaded(heavy=OF_NO_PLAIN_FILL) == []
    assert loaded(heavy=("xwtui.engine.fill.portfolio",)), "it was no fill"


def test_a_command_is_found_in_the_module_of_its_verbs() -> None:
    modules: dict[str, set[str]] = {}
    for verb in VERBS.values():
        if verb.from_shell is not None:
            assert verb.command.callback is not None
            module = inspect.unwrap(verb.command.callback).__module__.rpartition(".")[2]
            for name in verb.from_shell.names or (verb.name,):
                modules.setdefault(name.split()[0], set()).add(module)
    assert {word: {module} for word, module in HOMES.items()} == {
        word: found for word, found in modules.items() if len(found) == 1
    }


@pytest.mark.parametrize("module", ["xwtui", "xwtui.model", "xwtui.shell", "xwtui.printing"])
def test_light_modules_load_nothing_heavy(module: str, environment: Mapping[str, str]) -> None:
    assert loaded_by(f"import {module}", environment) == []


@pytest.mark.parametrize("module", ["xwtui.repl.dialogue", "xwtui.session.session"])
def test_no_face_loads_another_or_waits_for_the_engine(module: str, environment: Mapping[str, str]) -> None:
    assert not {"textual", "numba"} & set(loaded_by(f"import {module}", environment))


@pytest.mark.parametrize("target", ["p.xd", "p.md", "p.html", "p.svg", "p.al.txt"])
def test_convert_loads_what_its_formats_need(target: str, environment: Mapping[str, str], tmp_path: Path) -> None:
    sample = puzzles_folder() / "finished-mini-casual-friday.ipuz"
    arguments = ("convert", str(sample), str(tmp_path / target), "--lossy")
    loaded = loaded_by_start(*arguments, environment=environment, heavy=HEAVY)
    assert loaded == (["anyascii"] if target == "p.al.txt" else [])
