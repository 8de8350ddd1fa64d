"""Verbs as commands: a new one needs no line in the shell; progress as JSON; the engine compiled beforehand."""

import json
from collections.abc import Mapping
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests.shell.process import xwtui
from xwtui.session.session import Session
from xwtui.session.verbs.registry import VERBS
from xwtui.session.verbs.types import HERE, Place, PlaceType
from xwtui.session.verbs.verb import Answer, FromShell, Group, Needs, VerbBook
from xwtui.shell.root import Invocation, shell
from xwtui.shell.verb_commands import add_verbs


@pytest.fixture
def group() -> click.Group:
    """Commands with one that a new verb has made."""
    book = VerbBook()

    @book.verb(Group.REVIEW, name="length", from_shell=FromShell(needs=Needs.NOTHING))
    @click.argument("entry", type=PlaceType(squares=False), default=HERE, help="entry")
    def length(session: Session, entry: Place) -> Answer:
        """Tell how long an entry is."""
        return f"{entry} in {session.puzzle.grid.width} columns" if isinstance(entry, str) else "an entry"

    made = click.Group()
    add_verbs(made, book.verbs)
    return made


def test_a_new_verb_is_a_command_with_json(group: click.Group, mini: Path) -> None:
    done = CliRunner().invoke(group, ["length", str(mini), "1a", "--json"], obj=Invocation(0.0))
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == {"schema": 1, "lines": ["an entry"]}


def test_what_is_here_on_the_screen_must_be_named(group: click.Group, mini: Path) -> None:
    done = CliRunner().invoke(group, ["length", str(mini)], obj=Invocation(0.0))
    assert done.exit_code == 2
    assert "ENTRY" in done.output


def test_an_entry_that_the_grid_lacks_is_told(mini: Path, environment: Mapping[str, str]) -> None:
    done = xwtui("why", mini, "99A", "ABC", environment=environment)
    assert done.returncode == 2
    assert "99A" in done.stderr


def test_every_verb_of_the_shell_takes_json() -> None:
    for verb in VERBS.values():
        for name in verb.from_shell.names or (verb.name,) if verb.from_shell is not None else ():
            command: click.Command = shell
            for word in name.split():
                assert isinstance(command, click.Group)
                command = command.commands[word]
            assert any("--json" in param.opts for param in command.params), name


def test_progress_as_json_is_an_object_a_line(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    asked = ("fill", mini, "--words", words, "--progress", "json", "--json")
    done = xwtui(*asked, environment=environment)
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stderr.splitlines()]
    assert events[-1]["event"] == "ended"
    assert events[-1]["status"] == "filled"
    assert json.loads(done.stdout)["grid"] == ["ABC", "DEF", "GHI"]


def test_the_engine_can_be_compiled_beforehand(environment: Mapping[str, str]) -> None:
    done = xwtui("warmup", "--json", environment=environment)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["schema"], found["status"]) == (1, "ready")
    assert xwtui("warmup", environment=environment).stdout.startswith("the engine is ready after ")


def test_the_figures_as_json(mini: Path, words: Path, environment: Mapping[str, str]) -> None:
    done = xwtui("stats", mini, "--words", words, "--json", environment=environment)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["schema"], found["entries"], found["filled_entries"]) == (1, 6, 1)
