"""The Pythons of this machine, and the lowest versions of the dependencies that xwtui declares."""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from packaging.requirements import Requirement

CHECKOUT = Path(__file__).resolve().parents[2]
SUPPORTED = ("3.11", "3.12", "3.13")

_ASK = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"


@cache
def pythons() -> Mapping[str, str]:
    """Where the supported Pythons are, those that can make environments; of each the first that is found."""
    found: dict[str, str] = {}
    for program in _candidates():
        version = _version(program)
        if version in SUPPORTED:
            found.setdefault(version, program)
    return found


def _candidates() -> Iterator[str]:
    """Our own first, then make's, what the path holds, and what pyenv has."""
    yield getattr(sys, "_base_executable", sys.executable)
    if program := shutil.which(os.environ.get("PYTHON", "")):
        yield program
    for version in SUPPORTED:
        for folder in os.get_exec_path():
            yield str(Path(folder) / f"python{version}")
    yield from map(str, sorted(Path.home().glob(".pyenv/versions/*/bin/python"), reverse=True))


def _version(program: str) -> str:
    """Its version, such as 3.12; nothing, where it is no Python that can make environments."""
    try:
        asked = subprocess.run([program, "-c", _ASK], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return asked.stdout.strip()


def lowest() -> list[str]:
    """Constraints for pip: of each dependency the lowest version that pyproject.toml allows."""
    with (CHECKOUT / "pyproject.toml").open("rb") as file:
        dependencies = tomllib.load(file)["project"]["dependencies"]
    return [_lowest(Requirement(dependency)) for dependency in dependencies]


def _lowest(dependency: Requirement) -> str:
    (bound,) = (part.version for part in dependency.specifier if part.operator == ">=")
    return f"{dependency.name}=={bound}"
