"""Local Python versions, new virtual environments, and the lowest versions that xwtui declares."""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from packaging.requirements import Requirement

TEMPLATE = "puzzles/templates/mini-5x5.txt"
PATIENCE = 1200
"""Seconds after which a command counts as hung; the engine may have to compile."""


@dataclass(frozen=True)
class Environment:
    """A new virtual environment with the wheel, and separate user folders."""

    folder: Path
    elsewhere: Path

    @property
    def site_packages(self) -> Path:
        return next(self.folder.glob("lib/python*/site-packages"))

    @property
    def data(self) -> Path:
        return self.site_packages / "xwtui" / "_data"

    def run(
        self, *arguments: str, home: Path | None = None, **variables: str
    ) -> "subprocess.CompletedProcess[str]":
        home = home or self.elsewhere / "home"
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "XDG_", "NUMBA_"))
        }
        return subprocess.run(
            [str(self.folder / "bin" / "xwtui"), *arguments],
            cwd=self.elsewhere,
            env={**kept, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1", **variables},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def files(self) -> set[tuple[Path, int]]:
        """Return all installed files with their modification times."""
        return {(path, path.stat().st_mtime_ns) for path in self.site_packages.rglob("*")}


def call(*command: str) -> None:
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def build(kind: str, folder: Path) -> Path:
    call(sys.executable, "-m", "build", f"--{kind}", "--no-isolation", "--outdir", str(folder), ".")
    return next(folder.iterdir())


CHECKOUT = Path(__file__).resolve().parents[2]
SUPPORTED = ("3.11", "3.12", "3.13")

_ASK = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"


@cache
def pythons() -> Mapping[str, str]:
    """Return supported Pythons that can create environments; the first found of each version."""
    found: dict[str, str] = {}
    for program in _candidates():
        version = _version(program)
        if version in SUPPORTED:
            found.setdefault(version, program)
    return found


def _candidates() -> Iterator[str]:
    """Yield candidates: the running Python, make's, those on the path, and pyenv's."""
    yield getattr(sys, "_base_executable", sys.executable)
    if program := shutil.which(os.environ.get("PYTHON", "")):
        yield program
    for version in SUPPORTED:
        for folder in os.get_exec_path():
            yield str(Path(folder) / f"python{version}")
    yield from map(str, sorted(Path.home().glob(".pyenv/versions/*/bin/python"), reverse=True))


def _version(program: str) -> str:
    """Return its version, such as 3.12; empty if it is not a Python that can create environments."""
    try:
        asked = subprocess.run([program, "-c", _ASK], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return asked.stdout.strip()


def lowest() -> list[str]:
    """Return pip constraints: the lowest version of each dependency that pyproject.toml allows."""
    with (CHECKOUT / "pyproject.toml").open("rb") as file:
        dependencies = tomllib.load(file)["project"]["dependencies"]
    return [_lowest(Requirement(dependency)) for dependency in dependencies]


def _lowest(dependency: Requirement) -> str:
    (bound,) = (part.version for part in dependency.specifier if part.operator == ">=")
    return f"{dependency.name}=={bound}"
