"""Completion in the caller's shell: commands, options, and files where files are meant."""

from collections.abc import Mapping

import pytest

from tests.shell.process import xwtui, xwtui_process


def offered(environment: Mapping[str, str], words: str) -> list[str]:
    """What bash is offered after these words, the last of which is begun."""
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1), "_XWTUI_COMPLETE": "bash_complete"}
    done = xwtui_process(environment={**environment, **asked})
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


@pytest.mark.parametrize("kind", ["bash", "zsh", "fish"])
def test_each_shell_gets_what_calls_us(kind: str, environment: Mapping[str, str]) -> None:
    done = xwtui("completion", kind, environment=environment)
    assert done.returncode == 0
    assert f"_XWTUI_COMPLETE={kind}_complete" in done.stdout


def test_another_shell_is_refused(environment: Mapping[str, str]) -> None:
    done = xwtui("completion", "tcsh", environment=environment)
    assert done.returncode == 2
    assert "bash" in done.stderr


def test_commands_come_first_and_files_may_follow(environment: Mapping[str, str]) -> None:
    found = offered(environment, "xwtui fi")
    assert found == ["plain,fill", "plain,find", "file,fi"]
    assert "plain,screen" not in offered(environment, "xwtui ")


def test_options_are_those_of_the_command(environment: Mapping[str, str]) -> None:
    assert offered(environment, "xwtui fill --str") == ["plain,--strategy", "plain,--strict"]


def test_the_second_word_follows_the_grid(environment: Mapping[str, str]) -> None:
    assert offered(environment, "xwtui whatif ") == []
    assert offered(environment, "xwtui whatif puzzle.ipuz bl") == ["plain,blocks"]
    assert offered(environment, "xwtui colours l") == ["plain,list"]
