"""The wheel with the newest dependencies on every supported Python here; and what is declared of dependencies."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tests.packaging import deep
from tests.packaging.environments import TEMPLATE, Environment, call
from tests.packaging.pythons import CHECKOUT, SUPPORTED, lowest, pythons

TRIED = SUPPORTED if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else ()
"""The Pythons whose compiler makes all kernels anew, which takes long: every one in the deep profile."""

PIP = ("-m", "pip", "--disable-pip-version-check", "--no-input", "-q")


@pytest.mark.parametrize("version", TRIED)
def test_the_wheel_fills_a_template_on_each_python(version: str, wheel: Path, tmp_path: Path) -> None:
    if version not in pythons():
        pytest.skip(f"no Python {version} here that can make environments")
    fresh = Environment(tmp_path / "fresh", tmp_path)
    call(pythons()[version], "-m", "venv", str(fresh.folder))
    python = str(fresh.folder / "bin" / "python")
    install = [python, *PIP, "install", "--no-compile", str(wheel)]
    done = subprocess.run(install, cwd=tmp_path, capture_output=True, text=True, check=False)
    if done.returncode and not can_fetch(tmp_path):
        pytest.skip("no package index can be reached")
    assert done.returncode == 0, done.stderr
    kernels = os.environ["NUMBA_CACHE_DIR"]
    filled = fresh.run("fill", str(fresh.data / TEMPLATE), "--json", NUMBA_CACHE_DIR=kernels)
    assert filled.returncode == 0, filled.stderr
    assert json.loads(filled.stdout)["status"] == "filled"


def can_fetch(folder: Path) -> bool:
    """Whether pip gets one small package that certainly exists."""
    download = [
        sys.executable,
        *PIP,
        "download",
        "--no-deps",
        "--no-cache-dir",
        "-d",
        str(folder),
        "sortedcontainers",
    ]
    return subprocess.run(download, capture_output=True, check=False).returncode == 0


def test_our_own_python_is_among_them() -> None:
    version = "{}.{}".format(*sys.version_info)
    assert version not in SUPPORTED or version in pythons()


def test_the_lowest_versions_are_those_that_are_declared() -> None:
    with (CHECKOUT / "pyproject.toml").open("rb") as file:
        declared = [Requirement(line) for line in tomllib.load(file)["project"]["dependencies"]]
    for dependency, pinned in zip(declared, map(Requirement, lowest()), strict=True):
        (pin,) = pinned.specifier
        assert pinned.name == dependency.name
        assert dependency.specifier.contains(pin.version)


def test_no_numba_is_taken_that_the_kernels_were_not_tried_with() -> None:
    """They are written against parts of numba that move from one minor version to the next."""
    with (CHECKOUT / "pyproject.toml").open("rb") as file:
        (numba,) = (
            Requirement(line)
            for line in tomllib.load(file)["project"]["dependencies"]
            if Requirement(line).name == "numba"
        )
    bound = next(Version(part.version) for part in numba.specifier if part.operator == "<")
    assert not numba.specifier.contains(bound)
    assert not numba.specifier.contains("1.0")


@pytest.mark.parametrize(("status", "said"), [(0, "3.12-lowest    passed"), (1, "3.12-lowest    failed")])
def test_the_deep_run_tells_what_came_of_each(
    status: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = []

    def run(name: str, *_: object) -> str:
        ran.append(name)
        return "failed" if status else "passed"

    monkeypatch.setattr(deep, "pythons", lambda: {"3.12": "python3.12"})
    monkeypatch.setattr(deep, "_run", run)
    assert deep.main(["lowest"]) == status
    assert ran == ["3.12-lowest"]
    assert capsys.readouterr().out.splitlines() == [
        "3.11-lowest    no such Python here",
        said,
        "3.13-lowest    no such Python here",
    ]


def test_a_deep_run_of_nothing_fails() -> None:
    assert deep.main(["3.99"]) == 1
