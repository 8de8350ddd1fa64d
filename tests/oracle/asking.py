"""Runs the program's command line in this process."""

import json
import os
import shlex
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.naive.problem import Problem
from tests.shell.process import xwtui


@dataclass(frozen=True)
class Statement:
    """A statement of the program, and whether it is true."""

    claim: str
    """The kind of claim, in a few words."""
    is_true: bool
    detail: str = ""
    """What is stated and what is true."""
    command: str = ""
    is_sure: bool = True
    """Whether it must always be true; otherwise 19 of 20 must be."""


class Program:
    """The program with a problem in files of its own."""

    def __init__(self, problem: Problem, folder: Path) -> None:
        self._grid, self._words = folder / "grid.txt", folder / "words.txt"
        self._grid.write_text(problem.grid_text)
        self._words.write_text(problem.words_text)
        self._arguments = problem.arguments
        self.last = ""
        """The last command, to be repeated by hand."""

    def ask(self, verb: str, *arguments: str) -> dict[str, Any]:
        """Return the JSON answer of a command."""
        name, *subverb = verb.split()
        line = [
            name,
            str(self._grid),
            *subverb,
            *arguments,
            *self._arguments,
            "--words",
            str(self._words),
            "--json",
        ]
        self.last = "xwtui " + shlex.join(part.replace(f"{self._grid.parent}/", "") for part in line)
        done = xwtui(*line, environment=os.environ)
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer


def told(problem: Problem) -> str:
    """Return a problem as its two files."""
    words = " ".join(f"{word};{score}" for word, score in problem.words.items())
    return f"grid.txt:\n{problem.grid_text}words.txt (a word a line): {words}"


def folder() -> tempfile.TemporaryDirectory[str]:
    """Create the folder for the problem's files."""
    return tempfile.TemporaryDirectory(prefix="xwtui-oracle-")
