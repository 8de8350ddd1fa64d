"""Completion and key maps from the shell."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.shell.conftest import Run
from tests.shell.process import user_folders, xwtui, xwtui_process
from xwtui.interrupts import Exit


def offered(environment: Mapping[str, str], words: str) -> list[str]:
    """What bash is offered after these words, the last of which is begun."""
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1), "_XWTUI_COMPLETE": "bash_complete"}
    done = xwtui_process(environment={**environment, **asked})
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


@pytest.mark.parametrize("kind", ["bash", "zsh", "fish"])
def test_each_shell_gets_what_calls_us(run: Run, kind: str) -> None:
    done = run("completion", kind)
    assert done.returncode == 0
    assert f"_XWTUI_COMPLETE={kind}_complete" in done.stdout


def test_another_shell_is_refused(run: Run) -> None:
    done = run("completion", "tcsh")
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


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return user_folders(tmp_path)


def own_keys(home: dict[str, str], text: str) -> Path:
    path = Path(home["XDG_CONFIG_HOME"]) / "xwtui" / "keys.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_map_is_chosen_for_every_later_start(home: dict[str, str]) -> None:
    assert xwtui("keys", "use", "crosshare", environment=home).stdout == "the keys are those of crosshare\n"
    listed = json.loads(xwtui("keys", "list", "--json", environment=home).stdout)
    assert [one["name"] for one in listed["maps"] if one["used"]] == ["crosshare"]
    shown = json.loads(xwtui("keys", "show", "--json", environment=home).stdout)
    assert {"key": "Enter", "does": "fill", "place": "on the screen"} in shown["keys"]


def test_choosing_a_map_leaves_other_settings_alone(home: dict[str, str]) -> None:
    path = own_keys(home, "").parent / "settings.toml"
    path.write_text('theme = "light"\n', encoding="utf-8")
    xwtui("keys", "use", "crosshare", environment=home)
    assert 'theme = "light"' in path.read_text(encoding="utf-8")


def test_a_map_is_not_chosen_against_the_users_own_file(home: dict[str, str]) -> None:
    own_keys(home, 'base = "xwtui"\n')
    done = xwtui("keys", "use", "crosshare", environment=home)
    assert done.returncode == Exit.BAD_INPUT
    assert 'line 1, says base = "xwtui"' in done.stderr


def test_faults_are_told_and_are_the_exit_status(home: dict[str, str]) -> None:
    assert xwtui("keys", "check", environment=home).returncode == Exit.OK
    path = own_keys(home, '[keys]\n"ctrl+m" = "fill"\n')
    done = xwtui("keys", "check", "--json", environment=home)
    told = json.loads(done.stdout)
    assert done.returncode == Exit.IMPOSSIBLE
    assert (told["status"], told["file"], told["base"]) == ("faults", str(path), "xwtui")
    assert [(one["kind"], one["key"], one["line"]) for one in told["faults"]] == [("not sent", "ctrl+m", 2)]
    assert "as Enter" in xwtui("keys", "check", environment=home).stdout


def test_a_file_is_checked_before_it_is_used(home: dict[str, str], tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('[keys]\n"ctrl+d" = "stats"\n', encoding="utf-8")
    assert xwtui("keys", "check", mine, environment=home).returncode == Exit.OK
    mine.write_text("[keys\n", encoding="utf-8")
    assert xwtui("keys", "check", mine, environment=home).returncode == Exit.BAD_INPUT


def test_a_colour_theme_is_chosen_for_every_later_start(home: dict[str, str]) -> None:
    own = Path(home["XDG_CONFIG_HOME"]) / "xwtui" / "themes" / "mine.toml"
    own.parent.mkdir(parents=True)
    own.write_text('summary = "my own"\nbase = "dark"\n', encoding="utf-8")
    listed = json.loads(xwtui("colours", "list", "--json", environment=home).stdout)["themes"]
    assert [one["name"] for one in listed if one["used"]] == ["dark"]
    assert {"name": "mine", "summary": "my own", "used": False} in listed
    assert xwtui("colours", "use", "mine", environment=home).stdout == "the colors are those of mine\n"
    assert "* mine" in xwtui("colours", "list", environment=home).stdout
    refused = xwtui("colours", "use", "pink", environment=home)
    assert refused.returncode == Exit.BAD_INPUT
    assert "there is no color theme 'pink'" in refused.stderr
