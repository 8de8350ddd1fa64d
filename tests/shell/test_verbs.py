"""Verbs as commands: a new one needs no line in the shell; progress as JSON; the engine compiled beforehand."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from tests.shell.conftest import Run
from xwtui.engine.candidates.options import slot_options
from xwtui.engine.events.event import Outcome
from xwtui.engine.loading_step import EnginePart, LoadingStage, LoadingStep
from xwtui.interrupts import Exit
from xwtui.session.answers import VerbAnswer
from xwtui.session.jobs.answer_job import ProblemReporter
from xwtui.session.messages import EnginePhase, EngineState
from xwtui.session.session import Session
from xwtui.session.verbs.kinds import ENTRY, HERE, WORD, Place
from xwtui.session.verbs.registry import VERBS
from xwtui.session.verbs.verb import Answer, FromShell, Group, Needs, Reply, VerbBook, argument
from xwtui.shell.progress import ProgressTeller
from xwtui.shell.root import Shell, shell
from xwtui.shell.verb_commands import add_verbs


class CornerAnswer(VerbAnswer):
    """How many words each entry in the corner may take."""

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
    """Commands with two that new verbs have made: one answers at once, the other works for it."""
    book = VerbBook()

    @book.verb(group=Group.REVIEW, from_shell=FromShell({"names": "1D"}))
    def corner(session: Session, names: tuple[str, ...] = argument("entries", WORD)) -> Answer:
        """Count the words of entries in the corner."""

        def work(reporter: ProblemReporter) -> VerbAnswer:
            options = slot_options(reporter.problem)
            reporter.tell(CornerAnswer({"1A": options["1A"].after_propagation}))
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


def test_a_new_verb_that_works_for_its_answer_has_json_words_status_and_progress(
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


def test_what_is_here_on_the_screen_must_be_named(group: click.Group, mini: Path) -> None:
    done = CliRunner().invoke(group, ["length", str(mini)])
    assert done.exit_code == 2
    assert "ENTRY" in done.output


def test_every_verb_of_the_shell_takes_json() -> None:
    for verb in VERBS.values():
        for name in verb.from_shell.names or (verb.name,) if verb.from_shell is not None else ():
            command: click.Command = shell
            for word in name.split():
                assert isinstance(command, click.Group)
                found = command.get_command(click.Context(command), word)
                assert found is not None, name
                command = found
            assert any("--json" in param.opts for param in command.params), name


def test_progress_as_json_is_an_object_a_line(run: Run, mini: Path, words: Path) -> None:
    asked = ("fill", mini, "--words", words, "--progress", "json", "--json")
    done = run(*asked, status=0)
    events = [json.loads(line) for line in done.stderr.splitlines()]
    assert events[-1]["event"] == "ended"
    assert events[-1]["status"] == "filled"
    assert {event["schema"] for event in events} == {1}
    assert json.loads(done.stdout)["grid"] == ["ABC", "DEF", "GHI"]


def test_progress_of_a_run_counts_what_it_counts(run: Run, mini: Path, words: Path) -> None:
    asked = ("improve", mini, "--words", words, "--time", "1", "--progress", "json", "--json")
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
def test_what_is_compiled_still_is_not_called_ready(
    capsys: pytest.CaptureFixture[str], state: EngineState, phase: str, part: str | None
) -> None:
    ProgressTeller(is_json=True).hear(state)
    told = json.loads(capsys.readouterr().err)
    assert (told["phase"], told["part"]) == (phase, part)


def test_the_engine_can_be_compiled_beforehand(run: Run) -> None:
    found = json.loads(run("warmup", "--json", status=0).stdout)
    assert (found["schema"], found["status"]) == (1, "ready")
    assert run("warmup").stdout.startswith("the engine is ready after ")


def test_the_figures_as_json(run: Run, mini: Path, words: Path) -> None:
    found = json.loads(run("stats", mini, "--words", words, "--json", status=0).stdout)
    assert (found["schema"], found["entries"], found["filled_entries"]) == (1, 6, 1)
