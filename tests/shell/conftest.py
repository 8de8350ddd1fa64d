import json
import subprocess
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.shell.process import user_folders, xwtui
from tests.writing import written

WORDS = ("ABC", "DEF", "GHI", "ADG", "BEH", "CFI", "ABX", "CAB", "FED")
"""The only fills of a blank 3x3 with these are ABC/DEF/GHI and its transpose."""


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    """Environment of a process with separate user folders, except for the engine's cache."""
    return user_folders(tmp_path / "home")


@pytest.fixture
def words(tmp_path: Path) -> Path:
    """A list of nine words; ABC scores 50, and each next word one more."""
    return written(tmp_path / "words.txt", "".join(f"{word};{50 + number}\n" for number, word in enumerate(WORDS)))


@pytest.fixture
def mini(tmp_path: Path) -> Path:
    """A 3x3 with ABC given."""
    return written(tmp_path / "mini.txt", "ABC\n...\n...\n")


Run = Callable[..., subprocess.CompletedProcess[str]]
Told = Callable[..., dict[str, Any]]


@pytest.fixture
def run(environment: Mapping[str, str]) -> Run:
    """A function that runs `xwtui` with arguments, in this process, in the test's own folders."""
    return partial(xwtui, environment=environment)


@pytest.fixture
def told(run: Run) -> Told:
    """A function that runs a command with `--json` and returns its one line of output."""

    def told(*arguments: str | Path, status: int = 0) -> dict[str, Any]:
        done = run(*arguments, "--json", status=status)
        assert (done.stderr, done.stdout.count("\n")) == ("", 1)
        document = json.loads(done.stdout)
        assert isinstance(document, dict)
        return document

    return told
